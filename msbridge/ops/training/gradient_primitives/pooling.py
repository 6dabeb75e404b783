"""Gradients of pooling: what is averaged is spread, what is chosen goes where it came from.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops import operations as P
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.pooling.kernels import max_pooling
from msbridge.ops.primitive.primitive import Derived, derive
from msbridge.ops.training.gradient_primitives.families import back, gradient, of_primitive


def _spatial(sizes: Any, rank: int) -> Any:
    """Return sizes for the spatial axes only, the last `rank`."""
    return sizes if isinstance(sizes, int) else tuple(sizes)[-rank:]


def _on_last(kind: Any, rank: int) -> Callable[..., Any]:
    """Return the maker of a pooling of sizes of which the last `rank` count."""

    def make(kernel_size: Any, strides: Any, **settings: Any) -> Any:
        return kind(_spatial(kernel_size, rank), _spatial(strides, rank), **settings)

    make.__name__ = kind.__name__
    return make


def _average_3d(kernel_size: Any, strides: Any, pads: Any, pad_mode: str, **settings: Any) -> Any:
    return P.AvgPool3D(_spatial(kernel_size, 3), _spatial(strides, 3), pad_mode, pads, **settings)


def _max_3d(kernel_size: Any, strides: Any, pad_mode: str, pad_list: Any, data_format: str) -> Any:
    return P.MaxPool3D(_spatial(kernel_size, 3), _spatial(strides, 3), pad_mode, pad_list, None, data_format)


def _adaptive_average(rank: int) -> type[Derived]:
    pool: Any = (F.adaptive_avg_pool2d, F.adaptive_avg_pool3d)[rank - 2]
    name = f"AdaptiveAvgPool{rank}DGrad"

    def spread(input_grad: Tensor, orig_input_shape: Any) -> Tensor:
        """Return the gradient of adaptive mean pooling, for inputs of the shape `orig_input_shape`."""
        sizes = input_grad.shape[-rank:]
        return back(name, lambda x: wrap(pool(x._data, sizes)), input_grad, orig_input_shape)

    return derive(name, spread)


def _second_of_max(rank: int, name: str) -> Callable[..., Tensor]:
    """Make the gradient of the gradient of a max pooling: it takes `grad` where the largest were."""

    def second(
        x_origin: Tensor,
        out_origin: Tensor,
        grad: Tensor,
        kernel_size: Sizes = 1,
        strides: Sizes = 1,
        pad_mode: str = "VALID",
        data_format: str = "NCHW",
    ) -> Tensor:
        """Return the elements of `grad` where those of `x_origin` are the largest of their window."""
        pool = max_pooling(rank, name, _spatial(kernel_size, rank), _spatial(strides, rank), pad_mode)
        return call_kernel(lambda data, seed: torch.func.jvp(pool, (data,), (seed,))[1], name, x_origin, grad)  # type: ignore[no-any-return]

    return second


def _pick(data: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Return the elements at `places`, positions in the plane of each channel."""
    return data.flatten(2).gather(2, places.long().flatten(2)).reshape(places.shape)


def _scatter_seed(seed: torch.Tensor, places: torch.Tensor, shape: Sequence[int], kept: int) -> torch.Tensor:
    """Return zeros of a shape with `seed` added at `places`, positions behind the first `kept` axes."""
    flat = seed.new_zeros((*shape[:kept], int(torch.Size(shape[kept:]).numel())))
    return flat.scatter_add(kept, places.long().flatten(kept), seed.flatten(kept)).reshape(tuple(shape))


def _to_places(name: str, kept: int = 2, is_grad_first: bool = False) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    """Make the gradient of a choice: the inputs are x, the gradient and the positions of what was chosen."""

    def after(x: Tensor, grad: Tensor, argmax: Tensor) -> Tensor:
        """Return the gradient of x, to which the positions `argmax` say where each goes."""

        def run(data: torch.Tensor, seed: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
            return _scatter_seed(seed, places, data.shape, kept)

        return call_kernel(run, name, x, grad, argmax)  # type: ignore[no-any-return]

    def before(input_grad: Tensor, x: Tensor, argmax: Tensor) -> Tensor:
        """Return the gradient of x, to which the positions `argmax` say where each goes."""
        return after(x, input_grad, argmax)

    return before if is_grad_first else after


def _max_with_argmax(
    x_origin: Tensor,
    out_origin: Tensor,
    grad: Tensor,
    kernel_size: Sizes = 1,
    strides: Sizes = 1,
    pad_mode: str = "VALID",
    data_format: str = "NCHW",
) -> Tensor:
    """Return the gradient of `MaxPoolWithArgmax`: called with x, the gradient and the positions in each sample."""
    return _to_places("MaxPoolGradWithArgmax", 1)(x_origin, out_origin, grad)


def _max_with_argmax_v2(
    x: Tensor,
    grad: Tensor,
    argmax: Tensor,
    kernel_size: Sizes = 1,
    strides: Sizes | None = None,
    pads: Sizes = 0,
    dilation: Sizes = (1, 1),
    ceil_mode: bool = False,
    argmax_type: Type = mstype.int64,
) -> Tensor:
    """Return the gradient of `MaxPoolWithArgmaxV2`, from the positions in each plane."""
    return _to_places("MaxPoolGradWithArgmaxV2")(x, grad, argmax)


def _max_3d_with_argmax(
    x: Tensor,
    grads: Tensor,
    argmax: Tensor,
    ksize: Sizes = 1,
    strides: Sizes = 1,
    pads: Sizes = 0,
    dilation: Sizes = (1, 1, 1),
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
) -> Tensor:
    """Return the gradient of `MaxPool3DWithArgmax`, from the positions in each volume."""
    return _to_places("MaxPool3DGradWithArgmax")(x, grads, argmax)


def _second_with_argmax(
    x: Tensor, grad: Tensor, argmax: Tensor, kernel_size: Sizes = 1, strides: Sizes = 1, pad_mode: str = "VALID"
) -> Tensor:
    """Return the elements of `grad` at the positions in each sample."""

    def run(seed: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        return seed.flatten(1).gather(1, places.long().flatten(1)).reshape(places.shape)

    return call_kernel(run, "MaxPoolGradGradWithArgmax", grad, argmax)  # type: ignore[no-any-return]


def _unpool(name: str) -> Callable[..., Tensor]:
    def pick(
        x: Tensor,
        grads: Tensor,
        argmax: Tensor,
        ksize: Sizes = 1,
        strides: Sizes = 0,
        pads: Sizes = 0,
        output_shape: Sequence[int] = (),
        data_format: str = "",
    ) -> Tensor:
        """Return the gradient of the input: the elements of `grads` at the positions `argmax`."""

        def run(seed: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
            if data_format[-1:] != "C":
                return _pick(seed, places)
            return _pick(seed.movedim(-1, 1), places.movedim(-1, 1)).movedim(1, -1)

        return call_kernel(run, name, grads, argmax)  # type: ignore[no-any-return]

    return pick


def _make_placing(name: str) -> Callable[..., Tensor]:
    def place_gradient(origin_input: Tensor, out_backprop: Tensor, argmax: Tensor, data_format: str = "") -> Tensor:
        """Return the gradient of the input, from the positions in each plane."""
        return _to_places(name)(origin_input, out_backprop, argmax)

    return place_gradient


def _windows(rows: Tensor, columns: Tensor, overlapping: bool) -> list[tuple[slice, slice]]:
    """Return the windows between successive starts, in order; overlapping ones hold their end, too."""

    def spans(starts: list[int]) -> list[slice]:
        inner = [end + (overlapping and end < starts[-1]) for end in starts[1:]]
        return [slice(start, end) for start, end in zip(starts, inner, strict=False)]

    return [(row, column) for row in spans(rows.tolist()) for column in spans(columns.tolist())]


def _fractional_max(
    orig_input: Tensor,
    orig_output: Tensor,
    out_backprop: Tensor,
    row_pooling_sequence: Tensor,
    col_pooling_sequence: Tensor,
    overlapping: bool = False,
) -> Tensor:
    """Return the gradient of `FractionalMaxPool`, of images (N, H, W, C)."""
    cut = _windows(row_pooling_sequence, col_pooling_sequence, overlapping)

    def pool(x: Tensor) -> Tensor:
        chosen = [x._data[:, row, column].flatten(1, 2).max(1).values for row, column in cut]
        return wrap(torch.stack(chosen, 1).reshape(out_backprop.shape))

    return gradient("FractionalMaxPoolGrad", pool, out_backprop, orig_input)[0]


def _fractional_average(
    orig_input_tensor_shape: Any,
    out_backprop: Tensor,
    row_pooling_sequence: Tensor,
    col_pooling_sequence: Tensor,
    overlapping: bool = False,
) -> Tensor:
    """Return the gradient of `FractionalAvgPool`, of images (N, H, W, C)."""
    cut = _windows(row_pooling_sequence, col_pooling_sequence, overlapping)

    def pool(x: Tensor) -> Tensor:
        means = [x._data[:, row, column].mean((1, 2)) for row, column in cut]
        return wrap(torch.stack(means, 1).reshape(out_backprop.shape))

    return back("FractionalAvgPoolGrad", pool, out_backprop, plain_shape(orig_input_tensor_shape))


_AVERAGE = _on_last(P.AvgPool, 2)
_FIVE = (1, 1, 1, 1, 1)
_SIZES: dict[str, Any] = {"kernel_size": 1, "strides": 1}
_WINDOWS = {**_SIZES, "pad_mode": "VALID", "data_format": "NCHW"}
_POOL = "kernel_size strides pad_mode"
_UNPOOL = "ksize strides pads output_shape data_format"
DERIVED = (
    _adaptive_average(2),
    _adaptive_average(3),
    derive("AdaptiveMaxPool2DGrad", _to_places("AdaptiveMaxPool2DGrad", is_grad_first=True)),
    derive("AdaptiveMaxPool3DGrad", _to_places("AdaptiveMaxPool3DGrad", is_grad_first=True)),
    of_primitive(
        "AvgPool3DGrad",
        _average_3d,
        "origin_input_shape grads",
        "x",
        "x",
        shape="origin_input_shape",
        **_SIZES,
        pads=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=0,
        data_format="NCDHW",
        pad_mode="pad",
    ),
    of_primitive(
        "AvgPoolGradGe", _AVERAGE, "orig_input_shape input_grad", "x", "x", shape="orig_input_shape", **_WINDOWS
    ),
    of_primitive(
        "AvgPoolGradV1", _AVERAGE, "orig_input_shape input_grad", "x", "x", shape="orig_input_shape", **_WINDOWS
    ),
    of_primitive(
        "AvgPoolGradVm",
        _AVERAGE,
        "x_origin grad mean_matrix kernel_matrix",
        "x",
        "x",
        shape="x_origin",
        **_SIZES,
        pad_mode="VALID",
    ),
    derive("FractionalAvgPoolGrad", _fractional_average, "overlapping"),
    derive(
        *("FractionalMaxPool3DGradWithFixedKsize", _make_placing("FractionalMaxPool3DGradWithFixedKsize")),
        "data_format",
        data_format="NCDHW",
    ),
    derive("FractionalMaxPoolGrad", _fractional_max, "overlapping"),
    derive(
        *("FractionalMaxPoolGradWithFixedKsize", _make_placing("FractionalMaxPoolGradWithFixedKsize")),
        "data_format",
        data_format="NCHW",
    ),
    of_primitive(
        "MaxPool3DGrad",
        _max_3d,
        "x_origin out_origin grad",
        "x_origin",
        "x_origin",
        kernel_size=_FIVE,
        strides=_FIVE,
        pad_mode="VALID",
        pad_list=0,
        data_format="NCDHW",
    ),
    derive("MaxPool3DGradGrad", _second_of_max(3, "MaxPool3DGradGrad"), f"{_POOL} data_format", data_format="NCDHW"),
    derive("MaxPool3DGradWithArgmax", _max_3d_with_argmax, "ksize strides pads dilation ceil_mode data_format"),
    derive("MaxPoolGradGrad", _second_of_max(2, "MaxPoolGradGrad"), _POOL),
    derive("MaxPoolGradGradWithArgmax", _second_with_argmax, _POOL),
    of_primitive(
        "MaxPoolGradV1", _on_last(P.MaxPool, 2), "x_origin out_origin grad", "x_origin", "x_origin", **_WINDOWS
    ),
    derive("MaxPoolGradWithArgmax", _max_with_argmax, f"{_POOL} data_format"),
    derive("MaxPoolGradWithArgmaxV2", _max_with_argmax_v2, "kernel_size strides pads dilation ceil_mode argmax_type"),
    derive("MaxUnpool2DGrad", _unpool("MaxUnpool2DGrad"), _UNPOOL, data_format="NCHW"),
    derive("MaxUnpool3DGrad", _unpool("MaxUnpool3DGrad"), _UNPOOL, data_format="NCDHW"),
)
