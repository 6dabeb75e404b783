"""Functions with other defaults: constructors of a family whose classes differ by them only."""

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def with_defaults(function: Function, **defaults: Any) -> Function:
    """Return the same code with other defaults of parameters that have some, and no frame more.

    What a class wraps around its constructor is left behind: the other class wraps its own.
    """
    plain = cast(FunctionType, inspect.unwrap(function))
    code, own = plain.__code__, plain.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(own) : code.co_argcount]
    values = tuple((dict(zip(names, own, strict=True)) | defaults).values())
    made = FunctionType(code, plain.__globals__, plain.__name__, values, plain.__closure__)
    made.__kwdefaults__, made.__annotations__ = plain.__kwdefaults__, plain.__annotations__
    made.__doc__, made.__module__, made.__qualname__ = plain.__doc__, plain.__module__, plain.__qualname__
    return cast(Function, made)
