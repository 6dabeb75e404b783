"""Constructor arguments of transforms as attributes, as scripts read and set them.

A transform of MindSpore keeps its arguments and makes its operation of them when it runs; here a constructor prepares
what the calls need, and may keep nothing else. The wrapper around each constructor adds the arguments that it has not
kept itself, as they were given, and setting one prepares everything again:

    crop = vision.ResizedCrop(0, 0, 3, 3, 4);  crop.height  # 3
    crop.height = 5                                          # as vision.ResizedCrop(0, 0, 5, 3, 4)
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from msbridge.core.runtime.defining_modules import is_own

__all__ = ["keep_arguments", "set_argument"]

_GIVEN = "_given_arguments"  # of an instance: the class whose constructor took them, and the arguments by name
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def keep_arguments(owner: type) -> None:
    """Make the constructor that a class defines keep its arguments as attributes, where it does not itself."""
    init: Callable[..., None] = vars(owner)["__init__"]
    signature = functools.cache(lambda: inspect.signature(init))

    @functools.wraps(init)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        if _find_constructor(type(self)) is not owner:  # by super().__init__
            return
        bound = signature().bind(self, *args, **kwargs)
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
        if any(signature().parameters[name].kind in _VARIADIC for name in given):
            return
        for name, value in given.items():
            if not hasattr(self, name):
                vars(self)[name] = value
        vars(self)[_GIVEN] = owner, given

    owner.__init__ = __init__  # type: ignore[misc]


def set_argument(transform: Any, name: str, value: Any) -> bool:
    """Prepare a transform again with another argument, unless `name` is none, or has the value, or it is constructed.

    Returns:
        Whether it was.
    """
    owner, given = vars(transform).get(_GIVEN, (None, {}))
    if owner is None or name not in given or vars(transform).get(name) is value:
        return False
    for kept in (_GIVEN, *given):
        vars(transform).pop(kept, None)
    owner.__init__(transform, **{**given, name: value})
    if _GIVEN not in vars(transform):
        vars(transform)[_GIVEN] = owner, {**given, name: value}
    return True


def _find_constructor(kind: type) -> type | None:
    """Return the class whose constructor an object of this package's classes, or of one derived, goes through first."""
    for each in kind.__mro__:
        if "__init__" in vars(each) and is_own(each):
            return each
    return None
