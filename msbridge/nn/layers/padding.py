"""Layers that widen axes at their ends."""

from torch.nn import functional as F

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.ops.shape.padding import functions as borders
from msbridge.ops.shape.padding.kernels import pad_axes

__all__ = [
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "Pad",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad2d",
]


class Pad(Cell):
    """Widen each axis.

    Args:
        paddings: a (before, after) pair for each axis.
        mode: "CONSTANT" (zeros), "REFLECT" or "SYMMETRIC" (with the edge).

    Inputs:
        x: a Tensor of any dtype, with an axis for each pair of `paddings`.

    Outputs: as in every padding.

    Raises:
        TypeError: `paddings` is not a tuple.
        ValueError: an argument is out of range.

    Follows: mindspore.nn.Pad (2.10).
    """

    def __init__(self, paddings: tuple[tuple[int, int], ...], mode: str = "CONSTANT") -> None:
        super().__init__()
        self.mode = one_of(mode, "mode", "Pad", ("CONSTANT", "REFLECT", "SYMMETRIC"))
        instance(paddings, "paddings", "Pad", tuple)
        for pair in paddings:
            if len(pair) != 2:
                raise ValueError(f"For 'Pad', 'paddings' must consist of pairs, but got {pair!r}.")
            if min(pair) < 0:
                raise ValueError(f"For 'Pad', all elements of 'paddings' must be >= 0, but got {pair!r}.")
        self.paddings = paddings

    def construct(self, x: Tensor) -> Tensor:
        if self.mode == "CONSTANT":
            return pad_axes(x, self.paddings)
        return borders.mirror_pad(x, self.paddings, self.mode)


class _EdgePad(Cell):
    """Widen the trailing axes by (left, right, top, bottom, front, back)."""

    _mode = "constant"

    def __init__(self, rank: int, padding: int | tuple[int, ...], value: float = 0.0) -> None:
        super().__init__()
        instance(padding, "padding", self.cls_name, (int, tuple))
        instance(value, "value", self.cls_name, (int, float))
        sizes = (padding,) * (2 * rank) if isinstance(padding, int) else padding
        if len(sizes) % 2 or not 0 < len(sizes) <= 2 * rank:
            raise ValueError(
                f"For '{self.cls_name}', 'padding' must be an int or {2 * rank} ints, but got {padding!r}."
            )
        for size in sizes:
            instance(size, "padding", self.cls_name, int)
        self.padding = sizes
        self.value = value

    def construct(self, x: Tensor) -> Tensor:
        return borders.pad(x, self.padding, self._mode, self.value)


class ConstantPad1d(_EdgePad):
    """Widen the last axis by (left, right) with a value.

    Args:
        padding: an int, or (left, right).
        value: what is put in.

    Inputs:
        x: a Tensor of any dtype that has the axes to widen; negative numbers cut elements off.

    Outputs: as in every padding.

    Follows: mindspore.nn.ConstantPad1d (2.10).
    """

    def __init__(self, padding: int | tuple[int, ...], value: float) -> None:
        super().__init__(1, padding, value)


class ConstantPad2d(_EdgePad):
    """Widen the last two axes by (left, right, top, bottom) with a value.

    Args:
        padding: an int, or (left, right, top, bottom).
        value: what is put in.

    Inputs:
        x: a Tensor of any dtype that has the axes to widen; negative numbers cut elements off.

    Outputs: as in every padding.

    Follows: mindspore.nn.ConstantPad2d (2.10).
    """

    def __init__(self, padding: int | tuple[int, ...], value: float) -> None:
        super().__init__(2, padding, value)


class ConstantPad3d(_EdgePad):
    """Widen the last three axes by (left, right, top, bottom, front, back) with a value.

    Args:
        padding: an int, or (left, right, top, bottom, front, back).
        value: what is put in.

    Inputs:
        x: a Tensor of any dtype that has the axes to widen; negative numbers cut elements off.

    Outputs: as in every padding.

    Follows: mindspore.nn.ConstantPad3d (2.10).
    """

    def __init__(self, padding: int | tuple[int, ...], value: float) -> None:
        super().__init__(3, padding, value)


class ZeroPad2d(_EdgePad):
    """Widen the last two axes by (left, right, top, bottom) with zeros.

    Args:
        padding: an int, or (left, right, top, bottom).

    Inputs:
        x: a Tensor of any dtype that has the axes to widen; negative numbers cut elements off.

    Outputs: as in every padding.

    Follows: mindspore.nn.ZeroPad2d (2.10).
    """

    def __init__(self, padding: int | tuple[int, ...]) -> None:
        super().__init__(2, padding)


class _MirrorPad(_EdgePad):
    """Widen the trailing axes by what lies inside."""

    _rank: int

    def __init__(self, padding: int | tuple[int, ...]) -> None:
        super().__init__(self._rank, padding)
        if self._mode == "reflect" and min(self.padding) < 0:
            raise ValueError(f"For '{self.cls_name}', every element of 'padding' must be >= 0, but got {padding!r}.")

    def construct(self, x: Tensor) -> Tensor:
        try:
            data = x._data
            missing = self._rank + 2 - data.dim()
            widened = F.pad(data[(None,) * missing], self.padding, self._mode)
            return wrap(widened.reshape(widened.shape[missing:]))
        except Exception as error:
            raise explain(error, self.cls_name, x=x, padding=self.padding) from error


class ReflectionPad1d(_MirrorPad):
    """Widen the last axis by (left, right), mirrored at the edge.

    Args:
        padding: an int, or (left, right).

    Inputs:
        x: shape (N, C, L) or (C, L); any dtype but Bool.

    Outputs: as in every padding.

    Follows: mindspore.nn.ReflectionPad1d (2.10).
    """

    _rank, _mode = 1, "reflect"


class ReflectionPad2d(_MirrorPad):
    """Widen the last two axes by (left, right, top, bottom), mirrored at the edge.

    Args:
        padding: an int, or (left, right, top, bottom).

    Inputs:
        x: shape (N, C, H, W) or (C, H, W); any dtype but Bool.

    Outputs: as in every padding.

    Follows: mindspore.nn.ReflectionPad2d (2.10).
    """

    _rank, _mode = 2, "reflect"


class ReflectionPad3d(_MirrorPad):
    """Widen the last three axes by (left, right, top, bottom, front, back), mirrored at the edge.

    Args:
        padding: an int, or (left, right, top, bottom, front, back).

    Inputs:
        x: shape (N, C, D, H, W) or (C, D, H, W); any dtype but Bool.

    Outputs: as in every padding.

    Follows: mindspore.nn.ReflectionPad3d (2.10).
    """

    _rank, _mode = 3, "reflect"


class ReplicationPad1d(_MirrorPad):
    """Widen the last axis by (left, right), repeating the edge.

    Args:
        padding: an int, or (left, right).

    Inputs:
        x: shape (N, C, L) or (C, L); any dtype but Bool.

    Outputs: as in every padding.

    Follows: mindspore.nn.ReplicationPad1d (2.10).
    """

    _rank, _mode = 1, "replicate"


class ReplicationPad2d(_MirrorPad):
    """Widen the last two axes by (left, right, top, bottom), repeating the edge.

    Args:
        padding: an int, or (left, right, top, bottom).

    Inputs:
        x: shape (N, C, H, W) or (C, H, W); any dtype but Bool.

    Outputs: as in every padding.

    Follows: mindspore.nn.ReplicationPad2d (2.10).
    """

    _rank, _mode = 2, "replicate"


class ReplicationPad3d(_MirrorPad):
    """Widen the last three axes by (left, right, top, bottom, front, back), repeating the edge.

    Args:
        padding: an int, or (left, right, top, bottom, front, back).

    Inputs:
        x: shape (N, C, D, H, W) or (C, D, H, W); any dtype but Bool.

    Outputs: as in every padding.

    Follows: mindspore.nn.ReplicationPad3d (2.10).
    """

    _rank, _mode = 3, "replicate"
