"""Rows of face files: functions that are a face of an operator as they stand, or under other names of their parameters.

    SAME = same(activation, "sigmoid tanh")
    FACES = (face("softmax", activation.softmax, "input dim * dtype", dim=REQUIRED),)

A renamed function is the same code with other names: its calls take no frame more than the function's, and its
annotations are the function's, by which tools/stubs.py declares it.
"""

import sys
from collections.abc import Callable, Mapping
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType, ModuleType
from typing import Any, cast

from msbridge.core.errors.call_info import renamed_functions
from msbridge.core.runtime import docstrings
from msbridge.core.runtime.defining_modules import defining_module
from msbridge.ops.primitive.primitive import REQUIRED, defaults_of

__all__ = ["REQUIRED", "face", "rename_parameters", "same"]

Face = Callable[..., Any]
_PUBLISHED_BY = {"mint": "msbridge.mint", "mint_functional": "msbridge.mint.nn.functional"}
"""The modules where pickle finds the faces of a file, by the file's name."""


def same(module: ModuleType, names: str) -> dict[str, Face]:
    """Return functions of `module` that are a face as they stand; `names` are separated by spaces.

    Raises:
        AttributeError: `module` has no such function.
    """
    return {name: getattr(module, name) for name in names.split()}


def face(name: str, function: Face, parameters: str, **defaults: Any) -> Face:
    """Return a function that is a face under other names, kinds or defaults of its parameters.

    Args:
        name: of the face.
        function: the definition.
        parameters: what the face calls them, all and in order, separated by spaces; those after `*` are taken by
            keyword only.
        defaults: those that are not the function's; `REQUIRED` for none.

    Raises:
        ValueError: the function has another number of parameters, or local variables of these names.
    """
    positional, _, keywords = (part.split() for part in parameters.partition("*"))
    taken, own = [*positional, *keywords], defaults_of(function)
    if len(own) != len(taken) or function.__code__.co_flags & (CO_VARARGS | CO_VARKEYWORDS):
        raise ValueError(f"The face {name!r} must name {[*own]}, got {taken}.")
    names, values = dict(zip(own, taken, strict=True)), dict(zip(taken, own.values(), strict=True)) | defaults
    kinds = {"co_argcount": len(positional), "co_kwonlyargcount": len(keywords)}
    renamed = rename_parameters(function, names, co_name=name, co_qualname=name, **kinds)
    renamed.__defaults__ = tuple(values[key] for key in positional if values[key] is not REQUIRED)
    renamed.__kwdefaults__ = {key: values[key] for key in keywords if values[key] is not REQUIRED}
    renamed.__name__ = renamed.__qualname__ = name
    module_of_row = sys._getframe(1).f_globals["__name__"]
    renamed_functions[id(renamed.__code__)] = (renamed, module_of_row)
    renamed.__module__ = _PUBLISHED_BY.get(module_of_row.rpartition(".")[2], renamed.__module__)
    return renamed


def rename_parameters(function: Face, names: Mapping[str, str], **code: Any) -> FunctionType:
    """Return the same code with other names of its parameters, and these other attributes of the code object.

    Raises:
        ValueError: the function has a local variable of one of the names.
    """
    function = cast(FunctionType, function)
    old = function.__code__
    variables = tuple(names.get(name, name) for name in old.co_varnames)
    if len(set(variables)) < len(variables):
        raise ValueError(f"The variables of {function.__name__} cannot be {variables}.")
    cells = tuple(names.get(name, name) for name in old.co_cellvars)
    new = old.replace(co_varnames=variables, co_cellvars=cells, **code)
    renamed = FunctionType(new, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    vars(renamed).update(vars(function))
    renamed.__kwdefaults__, renamed.__doc__ = function.__kwdefaults__, docstrings.rename_words(function.__doc__, names)
    renamed.__module__ = defining_module(function)
    renamed.__annotations__ = {names.get(key, key): kind for key, kind in function.__annotations__.items()}
    if old_face := renamed_functions.get(id(old)):  # a method made of an operator that is a row
        renamed_functions[id(new)] = (renamed, old_face[1])
    return renamed
