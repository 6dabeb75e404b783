"""Primitives on Tensors that MindSpore keeps for its own modules.

Those without a CPU kernel in MindSpore follow its documentation; the judge is a formula in numpy.

Follows: mindspore.ops.operations._inner_ops (2.10; 2.0 for `FlattenConcat`).
"""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import boolean, instance, non_negative_int, one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops import operations as P
from msbridge.ops.framework.shape_constants.functions import broadcast_gradient_args
from msbridge.ops.kernel_calls.families import axes_to_reduce, call_kernel, plain_shape
from msbridge.ops.primitive.primitive import Derived, Primitive, derive
from msbridge.ops.shape.gather_and_select.functions import sequence_mask
from msbridge.ops.shape.reshaping.functions import broadcast_to
from msbridge.ops.training.optimizer_updates import rules

_ROUNDED = {"Round": torch.round, "Floor": torch.floor, "Ceil": torch.ceil, "Trunc": torch.trunc}


class _Quant(Derived):
    """Base of `Quant`, whose scale and offset are floats."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        instance(self.scale, "scale", self.name, float)
        instance(self.offset, "offset", self.name, float)
        boolean(self.sqrt_mode, "sqrt_mode", self.name)
        one_of(self.round_mode, "round_mode", self.name, _ROUNDED)


class ClipByNorm(Primitive):
    """Scale a tensor so that its norm, over all axes or some, is at most `clip_norm`.

    Args:
        axis: one axis or several; None means all.

    Raises:
        TypeError: `axis` is neither an int nor a tuple or list of ints.

    Follows: mindspore.ops.operations._inner_ops.ClipByNorm (2.10).
    """

    def __init__(self, axis: int | Sequence[int] | None = None) -> None:
        super().__init__("ClipByNorm")
        axis = instance(() if axis is None else axis, "axis", self.name, (int, tuple, list))
        for one in axis if isinstance(axis, tuple | list) else ():
            instance(one, "axis", self.name, int)
        self.add_prim_attr("axis", axis)

    def __call__(self, x: Tensor, clip_norm: Tensor) -> Tensor:
        def run(data: torch.Tensor, limit: torch.Tensor) -> torch.Tensor:
            wide, limit = data.float(), limit.float()
            axes = axes_to_reduce(self.attrs["axis"], data.dim())
            norm = wide.square().sum(axes, keepdim=True).sqrt()
            return torch.where(norm > limit, wide * limit / torch.maximum(norm, limit), wide)

        return call_kernel(run, self.name, x, clip_norm)  # type: ignore[no-any-return]


def _centralize(input_x: Tensor, axis: Any = ()) -> Tensor:
    """Return the differences from the mean over some axes; no axis means all."""
    return call_kernel(  # type: ignore[no-any-return]
        lambda data: data - data.mean(axes_to_reduce(axis, data.dim()), keepdim=True), "Centralization", input_x
    )


def _broadcast_gradient_args(s0: Tensor, s1: Tensor) -> tuple[Tensor, ...]:
    """Return over which axes the gradients of two operands of these shapes are added up."""
    found = broadcast_gradient_args(plain_shape(s0), plain_shape(s1))
    return tuple(Tensor(list(axes), s0.dtype) if axes else wrap(s0._data.new_empty(0)) for axes in found)


def _broadcast_to(x: Tensor, shape: Any) -> Tensor:
    """Broadcast to a shape, given as a tuple or a Tensor."""
    return broadcast_to(x, plain_shape(shape))


def _resize_nearest(image_in: Tensor, size: Any, align_corners: bool = False) -> Tensor:
    """Resize images to the nearest pixels."""
    return P.ResizeNearestNeighbor(plain_shape(size), align_corners)(image_in)  # type: ignore[no-any-return]


def _stitch(indices: Sequence[Tensor], data: Sequence[Tensor]) -> Tensor:
    """Return a tensor whose rows `indices` are those of `data`; of rows that are named twice, the last."""
    try:
        places = torch.cat([one._data.reshape(-1).long() for one in indices])
        inner = data[0].shape[indices[0].ndim :]
        rows = torch.cat([one._data.reshape(-1, *inner) for one in data])
        result = rows.new_zeros(int(places.max()) + 1, *inner)
        start = 0
        for one in indices:  # one after the other: with doubled places in one call the winner is not defined
            result[one._data.reshape(-1).long()] = rows[start : start + one._data.numel()]
            start += one._data.numel()
        return wrap(result)
    except Exception as error:
        raise explain(error, "DynamicStitch", indices=indices, data=data) from error


def _flat(tensors: Sequence[Tensor], fusion_size: int = 0) -> tuple[Tensor, ...]:
    """Join tensors of the same dtype, flattened, into chunks of at most `fusion_size` bytes; 0 means no limit."""
    non_negative_int(fusion_size, "fusion_size", "FlattenConcat")
    groups: dict[torch.dtype, list[list[torch.Tensor]]] = {}
    for one in tensors:
        data = one._data.reshape(-1)
        chunks = groups.setdefault(data.dtype, [[]])
        held = sum(part.nbytes for part in chunks[-1])
        if fusion_size and chunks[-1] and held + data.nbytes > fusion_size:
            chunks.append([])
        chunks[-1].append(data)
    return tuple(wrap(torch.cat(chunk)) for chunks in groups.values() for chunk in chunks)


def _centroids(
    x: Tensor, y: Tensor, sum_square_y: Tensor, sum_square_x: Tensor, use_actual_distance: bool
) -> tuple[Tensor, ...]:
    """Return sums and counts of the vectors nearest to each centroid, and the sum of their distances.

    Without `use_actual_distance` the squares of the vectors themselves are left out of the distances.
    """

    def run(data: torch.Tensor, means: torch.Tensor, above: torch.Tensor, left: torch.Tensor) -> tuple:
        distances = above - 2 * data @ means.mT
        distances = distances + left if use_actual_distance else distances
        nearest = distances.min(1)
        chosen = torch.nn.functional.one_hot(nearest.indices, len(means)).to(data.dtype)
        return chosen.mT @ data, chosen.sum(0).unsqueeze(1), nearest.values.sum().reshape(1)

    return call_kernel(run, "KMeansCentroids", x, y, sum_square_y, sum_square_x)  # type: ignore[no-any-return]


def _matrix_diag(x: Tensor, assist: Tensor) -> Tensor:
    """Return `assist` with each column scaled by an element of x: matrices with x on their diagonals, for ones."""
    return call_kernel(lambda data, ones: data.unsqueeze(-2) * ones, "MatrixDiag", x, assist)  # type: ignore[no-any-return]


def _matrix_diag_part(x: Tensor, assist: Tensor) -> Tensor:
    """Return the diagonals of matrices, which are picked by `assist`, ones on a diagonal."""

    def run(data: torch.Tensor, ones: torch.Tensor) -> torch.Tensor:
        return (data * ones).sum(-1 if data.shape[-2] < data.shape[-1] else -2).to(data.dtype)

    return call_kernel(run, "MatrixDiagPart", x, assist)  # type: ignore[no-any-return]


def _matrix_set_diag(x: Tensor, diagonal: Tensor, assist: Tensor) -> Tensor:
    """Return matrices with other diagonals, which lie where `assist` is one."""

    def run(data: torch.Tensor, values: torch.Tensor, ones: torch.Tensor) -> torch.Tensor:
        spread = values.unsqueeze(-1 if data.shape[-2] < data.shape[-1] else -2)
        return (data * (1 - ones) + spread * ones).to(data.dtype)

    return call_kernel(run, "MatrixSetDiag", x, diagonal, assist)  # type: ignore[no-any-return]


def _non_zero(x: Tensor, transpose: bool = False) -> tuple[Tensor, ...]:
    """Return the elements that are not zero, their indices and their count.

    The indices of an element are a column, or a row with `transpose`.
    """

    def run(data: torch.Tensor) -> tuple[torch.Tensor, ...]:
        places = data.nonzero().int()
        count = torch.tensor([len(places)], dtype=torch.int32, device=data.device)
        return data[data != 0], places if transpose else places.mT.contiguous(), count

    return call_kernel(run, "NonZeroWithValue", x)  # type: ignore[no-any-return]


def _non_zero_shape(value: Tensor, index: Tensor, count: Tensor) -> tuple[Tensor, ...]:
    """Return the first `count` values and their indices."""

    def run(data: torch.Tensor, places: torch.Tensor, number: torch.Tensor) -> tuple[torch.Tensor, ...]:
        kept = int(number.reshape(()))
        return data[:kept], places[:, :kept]

    return call_kernel(run, "NonZeroWithValueShape", value, index, count)  # type: ignore[no-any-return]


def _mask(lengths: Tensor, maxlen: Any) -> Tensor:
    """Return whether each place comes before the end of its sequence."""
    return sequence_mask(lengths, plain_shape(maxlen)[0])


def _copy(x: Tensor, y: Tensor) -> Tensor:
    """Write `y` into `x` and return `x`."""
    try:
        x._data.copy_(y._data)
        return x
    except Exception as error:
        raise explain(error, "CopyWithSlice", x=x, y=y) from error


def _slices_written(x: Tensor, value: Tensor, begin: Any, end: Any, strides: Any) -> Tensor:
    """Return a tensor in which a slice has other values."""

    def run(data: torch.Tensor, written: torch.Tensor) -> torch.Tensor:
        where = tuple(slice(*limits) for limits in zip(*map(plain_shape, (begin, end, strides)), strict=True))
        result = data.clone()
        result[where] = written
        return result

    return call_kernel(run, "TensorCopySlices", x, value)  # type: ignore[no-any-return]


def _quantize(
    input_x: Tensor, scale: float, offset: float, sqrt_mode: bool = False, round_mode: str = "Round"
) -> Tensor:
    """Return scale·x + offset (scale²·x + offset with `sqrt_mode`), rounded, as int8."""
    factor = scale * scale if sqrt_mode else scale

    def run(data: torch.Tensor) -> torch.Tensor:
        return _ROUNDED[round_mode](data.float() * factor + offset).clamp(-128, 127).to(torch.int8)

    return call_kernel(run, "Quant", input_x)  # type: ignore[no-any-return]


def _dequantize(
    input_x: Tensor,
    deq_scale: Tensor,
    sqrt_mode: bool = False,
    relu_flag: bool = False,
    dtype: Type = mstype.float16,
) -> Tensor:
    """Return x·deq_scale (x·deq_scale² with `sqrt_mode`), without what is negative under `relu_flag`."""

    def run(data: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        result = data.float() * (scale.float().square() if sqrt_mode else scale.float())
        return (result.relu() if relu_flag else result).to(dtype.torch)

    return call_kernel(run, "Dequant", input_x, deq_scale)  # type: ignore[no-any-return]


def _antiquantize(
    input_x: Tensor, scale: Tensor, offset: Tensor, sqrt_mode: bool = False, dtype: Type = mstype.float16
) -> Tensor:
    """Return scale·(x + offset), or scale²·(x + offset) with `sqrt_mode`."""

    def run(data: torch.Tensor, factor: torch.Tensor, shift: torch.Tensor) -> torch.Tensor:
        factor = factor.float().square() if sqrt_mode else factor.float()
        return (factor * (data.float() + shift.float())).to(dtype.torch)

    return call_kernel(run, "AntiQuant", input_x, scale, offset)  # type: ignore[no-any-return]


def _lamb(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    decay: Any,
    global_step: Any,
    gradient: Tensor,
) -> Tensor:
    """Update a weight and its moments in place by the rule of `nn.Lamb`, and return the weight."""
    try:
        rate, low, high, small, fall, step = (float(one) for one in (lr, beta1, beta2, epsilon, decay, global_step))
        biases = (1 - low**step, 1 - high**step)
        lists = ([var._data], [gradient._data], [m._data], [v._data])
        rules.lamb(*lists, rate, (low, high), small, fall, biases)
        return var
    except Exception as error:
        raise explain(error, "Lamb", var=var, m=m, v=v, gradient=gradient) from error


DERIVED = (
    derive("AntiQuant", _antiquantize, "sqrt_mode dtype"),
    derive("Centralization", _centralize),
    derive("CopyWithSlice", _copy),
    derive("Dequant", _dequantize, "sqrt_mode relu_flag dtype"),
    derive("DynamicBroadcastGradientArgs", _broadcast_gradient_args),
    derive("DynamicBroadcastTo", _broadcast_to),
    derive("DynamicResizeNearestNeighbor", _resize_nearest, "align_corners"),
    derive("DynamicStitch", _stitch),
    derive("FlattenConcat", _flat, "fusion_size"),
    derive("KMeansCentroids", _centroids, "use_actual_distance"),
    derive("Lamb", _lamb),
    derive("MatrixDiag", _matrix_diag),
    derive("MatrixDiagPart", _matrix_diag_part),
    derive("MatrixSetDiag", _matrix_set_diag),
    derive("NonZeroWithValue", _non_zero, "transpose"),
    derive("NonZeroWithValueShape", _non_zero_shape),
    derive("Quant", _quantize, "scale offset sqrt_mode round_mode", base=_Quant),
    derive("SequenceMask", _mask),
    derive("TensorCopySlices", _slices_written),
)
