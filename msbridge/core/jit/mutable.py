"""mutable: values that MindSpore does not fold into the constants of a graph. Nothing is folded here."""

from typing import Any

from msbridge.core.checks.arguments import boolean
from msbridge.core.tensor.tensor import Tensor

__all__ = ["mutable"]


class _Mutable:
    """Comes before the type of a value that was declared mutable; what is computed with it is plain again."""

    __ms_mutable__ = True
    __ms_dynamic_len__ = False


class _Int(_Mutable, int):
    """An int that was declared mutable."""


class _Float(_Mutable, float):
    """A float that was declared mutable."""


class _Bool(_Mutable, int):
    """A bool that was declared mutable: Python has no subclasses of it."""

    def __repr__(self) -> str:
        return repr(bool(self))


class _Tuple(_Mutable, tuple[Any, ...]):
    """A tuple that was declared mutable."""


class _List(_Mutable, list[Any]):
    """A list that was declared mutable."""


class _Dict(_Mutable, dict[Any, Any]):
    """A dict that was declared mutable."""


_KINDS: tuple[tuple[type, Any], ...] = (
    *((bool, _Bool), (_Bool, _Bool), (int, _Int), (float, _Float)),
    *((tuple, _Tuple), (list, _List), (dict, _Dict)),
)
_SCALARS = (bool, int, float)


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Declare that a value may change from call to call.

    Args:
        input_data: a bool, int, float or Tensor; or a tuple, list or dict of these, nested as deep as one likes.
        dynamic_len: the length of a tuple or list may change too.

    Returns:
        A Tensor itself; of other values a copy, whose type is a subclass of theirs.

    Raises:
        TypeError: anything else is in it, or it contains itself; `dynamic_len` is not a bool, or set for neither a
            tuple nor a list.

    Follows: mindspore.mutable (2.10).
    """
    boolean(dynamic_len, "dynamic_len", "mutable")
    if not _may_change(input_data, ()):
        raise TypeError(
            "For 'mutable', the 'input_data' should be one of (bool, int, float, Tensor, tuple, list, dict) or their "
            f"nested structures with no self-reference, but got {type(input_data).__name__}."
        )
    if dynamic_len and not isinstance(input_data, tuple | list):
        raise TypeError(f"For 'mutable', dynamic_len=True is for a tuple or list, but got {type(input_data).__name__}.")
    result: Any = input_data
    if not isinstance(input_data, Tensor):
        result = next(made for kind, made in _KINDS if isinstance(input_data, kind))(input_data)
    result.__ms_mutable__ = True
    result.__ms_dynamic_len__ = dynamic_len
    return result


def _may_change(value: Any, containers: tuple[int, ...]) -> bool:
    if type(value) in _SCALARS or isinstance(value, Tensor | _Mutable):
        return True
    if not isinstance(value, tuple | list | dict) or id(value) in containers:
        return False
    return all(
        _may_change(item, (*containers, id(value))) for item in (value.values() if isinstance(value, dict) else value)
    )
