"""Layers that add elements at both ends of the last axes."""

from typing import Any

from msbridge.core.checks.arguments import is_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.mint.nn import functional
from msbridge.nn.cell.cell import Cell
from msbridge.ops.kernel_calls.windows import Sizes

__all__ = [
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class _Pad(Cell):
    """Base of paddings.

    Args:
        padding: an int for all sides, or (before, after) for each axis, the last axis first.

    Raises:
        ValueError: `padding` is something else.
    """

    _rank: int
    _mode = "constant"

    def __init_subclass__(cls, rank: int = 0, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        cls._rank = rank

    def __init__(self, padding: Sizes) -> None:
        super().__init__()
        count = 2 * self._rank
        sides: Any = (padding,) * count if isinstance(padding, int) else padding
        if not isinstance(sides, tuple | list) or any(not is_int(side) for side in sides):
            raise ValueError(
                f"For '{self.cls_name}', 'padding' must be integer or tuple/list of {count} integers, got {padding!r}."
            )
        if len(sides) != count:
            raise ValueError(
                f"For '{self.cls_name}', the length of 'padding' must be equal to {count}, but got {len(sides)}."
            )
        if self._mode != "constant" and min(sides) < 0:
            raise ValueError(f"For '{self.cls_name}', the 'padding' must be int and must >= 0, but got {padding!r}.")
        self.padding = tuple(sides)

    def construct(self, input: Tensor) -> Tensor:
        return functional.pad(input, self.padding, self._mode)


class _ConstantPad(_Pad):
    """Add elements of one value.

    Args:
        padding: an int for all sides, or (before, after) for each axis, the last axis first; negative ones cut off.
        value: of the new elements.
    """

    def __init__(self, padding: Sizes, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def construct(self, input: Tensor) -> Tensor:
        return functional.pad(input, self.padding, "constant", self.value)


class ConstantPad1d(_ConstantPad, rank=1):
    """Add elements of one value at both ends of the last axis.

    Args:
        padding: (before, after), or an int for both.
        value: what is put there.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ConstantPad1d (2.10).
    """


class ConstantPad2d(_ConstantPad, rank=2):
    """Add elements of one value around the last two axes.

    Args:
        padding: (left, right, top, bottom), or an int for all.
        value: what is put there.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ConstantPad2d (2.10).
    """


class ConstantPad3d(_ConstantPad, rank=3):
    """Add elements of one value around the last three axes.

    Args:
        padding: (left, right, top, bottom, front, back), or an int for all.
        value: what is put there.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ConstantPad3d (2.10).
    """


class _ZeroPad(_ConstantPad):
    def __init__(self, padding: Sizes) -> None:
        super().__init__(padding, 0)


class ZeroPad1d(_ZeroPad, rank=1):
    """Add zeros at both ends of the last axis.

    Args:
        padding: (before, after), or an int for both.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ZeroPad1d (2.10).
    """


class ZeroPad2d(_ZeroPad, rank=2):
    """Add zeros around the last two axes.

    Args:
        padding: (left, right, top, bottom), or an int for all.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ZeroPad2d (2.10).
    """


class ZeroPad3d(_ZeroPad, rank=3):
    """Add zeros around the last three axes.

    Args:
        padding: (left, right, top, bottom, front, back), or an int for all.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ZeroPad3d (2.10).
    """


class _ReflectionPad(_Pad):
    _mode = "reflect"


class ReflectionPad1d(_ReflectionPad, rank=1):
    """Mirror the elements beside the ends of the last axis.

    Args:
        padding: (before, after), or an int for both.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ReflectionPad1d (2.10).
    """


class ReflectionPad2d(_ReflectionPad, rank=2):
    """Mirror the elements beside the borders of the last two axes.

    Args:
        padding: (left, right, top, bottom), or an int for all.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ReflectionPad2d (2.10).
    """


class ReflectionPad3d(_ReflectionPad, rank=3):
    """Mirror the elements beside the borders of the last three axes.

    Args:
        padding: (left, right, top, bottom, front, back), or an int for all.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ReflectionPad3d (2.10).
    """


class _ReplicationPad(_Pad):
    _mode = "replicate"


class ReplicationPad1d(_ReplicationPad, rank=1):
    """Repeat the elements at the ends of the last axis.

    Args:
        padding: (before, after), or an int for both.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ReplicationPad1d (2.10).
    """


class ReplicationPad2d(_ReplicationPad, rank=2):
    """Repeat the elements at the borders of the last two axes.

    Args:
        padding: (left, right, top, bottom), or an int for all.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ReplicationPad2d (2.10).
    """


class ReplicationPad3d(_ReplicationPad, rank=3):
    """Repeat the elements at the borders of the last three axes.

    Args:
        padding: (left, right, top, bottom, front, back), or an int for all.

    Inputs:
        input: at least as many axes as are padded.

    Outputs:
        A Tensor of the dtype of `input`, each of these axes as much longer.

    Follows: mindspore.mint.nn.ReplicationPad3d (2.10).
    """
