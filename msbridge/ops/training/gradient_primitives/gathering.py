"""Gradients of choices among elements, of segments and of sparse tensors: what was taken goes back to its place.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops import operations as P
from msbridge.ops.kernel_calls.families import axis_within, call_kernel, plain_shape
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.training.gradient_primitives.families import back


def _second_of_choice(name: str, compare: Callable[..., torch.Tensor]) -> Callable[..., tuple[Tensor, ...]]:
    def second(
        x: Tensor, y: Tensor, dx: Tensor, dy: Tensor, grad_x: bool = True, grad_y: bool = True
    ) -> tuple[Tensor, ...]:
        """Return zeros for both inputs, and for the gradient what the chosen one has."""

        def run(left: torch.Tensor, right: torch.Tensor, *seeds: torch.Tensor) -> tuple[torch.Tensor, ...]:
            zeros = torch.zeros_like(left), torch.zeros_like(right)
            return *zeros, torch.where(compare(left, right), seeds[0], seeds[1])

        return call_kernel(run, name, x, y, dx, dy)  # type: ignore[no-any-return]

    return second


def _median(
    y_grad: Tensor,
    x: Tensor,
    y: Tensor,
    indices: Tensor,
    global_median: bool = False,
    axis: int = 0,
    keep_dims: bool = False,
) -> Tensor:
    """Return the gradient of `Median`; all that equal a median of the whole share it."""

    def run(seed: torch.Tensor, data: torch.Tensor, out: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        if global_median:
            shares = (data == out).to(seed.dtype)
            return seed * shares / shares.sum()
        if not keep_dims and data.dim():
            seed, places = seed.unsqueeze(axis), places.unsqueeze(axis)
        return seed.new_zeros(data.shape).scatter(axis, places.long(), seed)

    return call_kernel(run, "MedianGrad", y_grad, x, y, indices)  # type: ignore[no-any-return]


def _unique(dy: Sequence[Tensor], y: Sequence[Tensor]) -> Tensor:
    """Return the gradient of `Unique`: each element takes that of its value."""
    return call_kernel(lambda seed, places: seed[places.long()], "UniqueGrad", dy[0], y[1])  # type: ignore[no-any-return]


def _empty_rows(reverse_index_map: Tensor, grad_values: Tensor) -> tuple[Tensor, ...]:
    """Return the gradients of `SparseFillEmptyRows`: of the values, and of the value that fills."""

    def run(places: torch.Tensor, seed: torch.Tensor) -> tuple[torch.Tensor, ...]:
        kept = seed[places.long()]
        return kept, seed.index_fill(0, places.long(), 0).sum()

    return call_kernel(run, "SparseFillEmptyRowsGrad", reverse_index_map, grad_values)  # type: ignore[no-any-return]


def _segments(name: str, weights: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., Tensor]:
    def spread(x: Tensor, indices: Tensor, segment_ids: Tensor, output_dim0: Any) -> Tensor:
        """Return the gradient of the input, which has `output_dim0` rows."""
        (rows,) = plain_shape(output_dim0)

        def run(seed: torch.Tensor, places: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
            counts = torch.bincount(ids.long(), minlength=len(seed)).to(seed.dtype)
            scaled = seed * weights(counts.clamp(min=1)).reshape(-1, *[1] * (seed.dim() - 1))
            return seed.new_zeros(rows, *seed.shape[1:]).index_add(0, places.long(), scaled[ids.long()])

        return call_kernel(run, name, x, indices, segment_ids)  # type: ignore[no-any-return]

    return spread


def _sparse_slice(backprop_val_grad: Tensor, indices: Tensor, start: Tensor, new_indices: Tensor) -> Tensor:
    """Return the gradient of the values of `SparseSlice`; those outside have none."""

    def run(seed: torch.Tensor, old: torch.Tensor, first: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
        is_there = (old[:, None] == (new + first)[None]).all(-1)
        return (is_there.to(seed.dtype) @ seed.unsqueeze(1)).squeeze(1)

    return call_kernel(run, "SparseSliceGrad", backprop_val_grad, indices, start, new_indices)  # type: ignore[no-any-return]


def _pad(x: Tensor, paddings: Any, mode: str = "reflect", paddings_contiguous: bool = True) -> Tensor:
    """Return the gradient of `PadV3`: what was copied is added to where it came from."""
    sizes = plain_shape(paddings)
    if not paddings_contiguous:
        sizes = tuple(size for pair in zip(sizes[::2], sizes[1::2], strict=True) for size in pair)
    shape = list(x.shape)
    for place in range(len(sizes) // 2):
        shape[-1 - place] -= sizes[2 * place] + sizes[2 * place + 1]
    pad = P.PadV3(mode)
    amounts = wrap(torch.tensor(sizes, device=torch_device()))
    return back("PadV3Grad", lambda data: pad(data, amounts), x, shape)


def _concat_offset(inputs: Sequence[Tensor], N: int = 2, axis: int = 0) -> Tensor:
    """Return the offset of each tensor in the joined one (Int64), a row for each."""
    try:
        axis = axis_within(inputs[0]._data, axis)
        starts = torch.zeros(len(inputs), inputs[0].ndim, dtype=torch.int64, device=torch_device())
        lengths = torch.tensor([one.shape[axis] for one in inputs[:-1]], device=torch_device())
        starts[1:, axis] = lengths.cumsum(0)
        return wrap(starts)
    except Exception as error:
        raise explain(error, "ConcatOffset", inputs=inputs, axis=axis) from error


_GRADS = "grad_x grad_y"
DERIVED = (
    derive("ConcatOffset", _concat_offset, "N axis"),
    derive("MaximumGradGrad", _second_of_choice("MaximumGradGrad", torch.ge), _GRADS),
    derive("MedianGrad", _median, "global_median axis keep_dims"),
    derive("MinimumGradGrad", _second_of_choice("MinimumGradGrad", torch.le)),
    derive("PadV3Grad", _pad, "mode paddings_contiguous"),
    derive("SparseFillEmptyRowsGrad", _empty_rows),
    derive("SparseSegmentMeanGrad", _segments("SparseSegmentMeanGrad", torch.reciprocal)),
    derive("SparseSegmentSqrtNGrad", _segments("SparseSegmentSqrtNGrad", torch.rsqrt)),
    derive("SparseSegmentSumGrad", _segments("SparseSegmentSumGrad", torch.ones_like)),
    derive("SparseSliceGrad", _sparse_slice),
    derive("UniqueGrad", _unique),
)
