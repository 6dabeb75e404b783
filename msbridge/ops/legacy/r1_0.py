"""Primitives as r1.0 had them: attributes by their names of then, which print so, and inputs that were refused."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.ops.elementwise.arithmetic.primitives import DERIVED as ARITHMETIC
from msbridge.ops.framework.control.kernels import identity
from msbridge.ops.linalg.products_and_norms.kernels import matmul_transposed
from msbridge.ops.neural.convolution.primitives import Conv2D as TodayConv2D
from msbridge.ops.neural.pooling.primitives import AvgPool, MaxPool, MaxPoolWithArgmax
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.reduction.primitives import DERIVED as REDUCTIONS
from msbridge.ops.shape.joining.functions import concat, tile
from msbridge.ops.shape.reshaping.functions import squeeze

TENSOR_ADD = next(kind for kind in ARITHMETIC if kind.__name__ == "TensorAdd")
_Shape = tuple[int, ...]
_REDUCTIONS = {"ReduceAll", "ReduceAny", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"}


class Conv2D(TodayConv2D):
    """Compute the convolution over the last two axes; see today's.

    Follows: mindspore.ops.operations.Conv2D (1.0).
    """

    def __init__(
        self,
        out_channel: int,
        kernel_size: int | _Shape,
        mode: int = 1,
        pad_mode: str = "valid",
        pad: int | _Shape = 0,
        stride: int | _Shape = 1,
        dilation: int | _Shape = 1,
        group: int = 1,
    ) -> None:
        super().__init__(out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group)
        shown = {name: self.attrs[name] for name in ("pad_mode", "stride", "dilation", "group", "data_format")}
        first = {"out_channel": out_channel, "kernel_size": kernel_size, "mode": mode, "pad_mode": pad_mode, "pad": pad}
        self.attrs = first | {name: value for name, value in shown.items() if name != "pad_mode"} | {"offset_a": 0}


def _pool(today: Any, data_format: dict[str, str]) -> type:
    """Make the class of a pooling whose windows are `ksize` and `padding`."""

    def __init__(self: Any, ksize: int | _Shape = 1, strides: int | _Shape = 1, padding: str = "valid") -> None:
        today.__init__(self, ksize, strides, padding)
        held = self.attrs
        self.attrs = {"ksize": held["kernel_size"], "strides": held["strides"], "padding": held["pad_mode"]}
        self.attrs |= data_format
        self.ksize, self.padding = self.attrs["ksize"], self.attrs["padding"]

    doc = f"{today.__doc__}\n\n    Follows: mindspore.ops.operations.{today.__name__} (1.0).\n    "
    return type(today.__name__, (today,), {"__init__": __init__, "__doc__": doc, "__module__": today.__module__})


def in_words(today: Any, more: dict[str, Any]) -> type:
    """Make the class of a primitive that has one attribute more, which prints."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        today.__init__(self, *args, **kwargs)
        self.attrs = {name: value for name, value in self.attrs.items() if name != "skip_mode"} | more

    return type(
        today.__name__, (today,), {"__init__": __init__, "__doc__": today.__doc__, "__module__": today.__module__}
    )


def _matmul(x: Tensor, y: Tensor, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """Multiply two matrices."""
    if x._data.dim() != 2 or y._data.dim() != 2:
        raise ValueError(f"For 'MatMul', both inputs must have 2 axes, got the shapes {x.shape} and {y.shape}.")
    return matmul_transposed(x, y, transpose_a, transpose_b)


def _concat(tensors: tuple[Tensor, ...], axis: int = 0) -> Tensor:
    """Join tensors of one dtype."""
    if not isinstance(tensors, tuple | list):
        raise TypeError(f"For 'Concat', the input must be a tuple of Tensors, got {type(tensors).__name__}.")
    if len({tensor._data.dtype for tensor in tensors}) > 1:
        raise ValueError(f"For 'Concat', the dtypes must be equal, got {[str(one.dtype) for one in tensors]}.")
    return concat(tensors, axis)


def _tile(input: Tensor, dims: _Shape) -> Tensor:
    """Repeat a tensor; how often is a tuple."""
    if not isinstance(dims, tuple):
        raise TypeError(f"For 'Tile', 'multiples' must be a tuple, got {type(dims).__name__}.")
    return tile(input, dims)


def _squeeze(input: Tensor, axis: int | _Shape = ()) -> Tensor:
    """Remove axes of length 1; an axis that is named must have it."""
    named = (axis,) if isinstance(axis, int) else axis
    if any(input._data.shape[one] != 1 for one in named if -input.ndim <= one < input.ndim):
        raise ValueError(f"For 'Squeeze', the axes {named} must have the length 1, got the shape {input.shape}.")
    return squeeze(input, axis)


def _not(input: Tensor) -> Tensor:
    """Negate booleans."""
    if input.dtype != mstype.bool_:
        raise TypeError(f"For 'LogicalNot', the input must be Bool, got {input.dtype}.")
    return ~input


_ND = {"io_format": "ND"}
_KINDS = {
    "Add": TENSOR_ADD,
    "AvgPool": _pool(AvgPool, {"data_format": "NCHW"}),
    "Concat": derive("Concat", _concat, "axis"),
    "Conv2D": Conv2D,
    "Identity": derive("identity", identity),
    "LogicalNot": derive("LogicalNot", _not),
    "MatMul": in_words(derive("MatMul", _matmul, "transpose_a transpose_b"), _ND),
    "MaxPool": _pool(MaxPool, {"data_format": "NCHW"}),
    "MaxPoolWithArgmax": _pool(MaxPoolWithArgmax, {}),
    "Squeeze": derive("Squeeze", _squeeze, "axis", axis=()),
    "Tile": derive("Tile", _tile),
    **{kind.__name__: in_words(kind, _ND) for kind in REDUCTIONS if kind.__name__ in _REDUCTIONS},
}


OVERRIDES = {f"ops.{name}": kind for name, kind in _KINDS.items()}
