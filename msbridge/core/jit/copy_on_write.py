"""Arguments that a compiled function writes to: in MindSpore's graphs they are values; the caller's stay as they are.

`x[0] = 9` makes a new `x` there, and `items.append(1)` a new list. Which parameters a function writes to is read from
its source once; they are copied at each call, the others are not.
"""

import ast
import dis
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import starmap, zip_longest
from types import CodeType, FunctionType
from typing import Any

from msbridge.core.jit.source_text import source_text
from msbridge.core.tensor.tensor import Tensor

__all__ = ["MAX_REMEMBERED_CODES", "copies", "find_written_names"]

Arguments = tuple[tuple[Any, ...], dict[str, Any]]
MAX_REMEMBERED_CODES = 4096  # of functions whose source has been read
_CHANGES = frozenset({"append", "clear", "extend", "insert", "pop", "reverse"})
_WRITES = frozenset({"STORE_SUBSCR", "STORE_SLICE", "LOAD_METHOD", "LOAD_ATTR", "BINARY_OP"})


def copies(function: FunctionType) -> Callable[[tuple[Any, ...], dict[str, Any]], Arguments] | None:
    """Return a function that copies the arguments that `function` writes to; None where it writes to none."""
    code = function.__code__
    return _copies(code, code.co_filename)


@lru_cache(maxsize=MAX_REMEMBERED_CODES)
def _copies(code: CodeType, _file: str) -> Callable[[tuple[Any, ...], dict[str, Any]], Arguments] | None:
    """Return the same for the code: a function that is defined again and again is read once."""
    if not any(step.opname in _WRITES for step in dis.get_instructions(code)):
        return None
    try:
        tree = ast.parse(source_text(code))
    except (OSError, SyntaxError, TypeError):
        return None
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    of_alias = {name: name for name in parameters}
    of_alias.update(_aliases(tree, parameters))
    kinds: dict[str, tuple[type, ...]] = {
        of_alias[name]: (list,) for name in _find_extended_names(tree) if name in of_alias
    }
    kinds |= {of_alias[name]: (list, Tensor) for name in find_written_names(tree) if name in of_alias}
    if not kinds:
        return None
    in_order = [kinds.get(name, ()) for name in code.co_varnames[: code.co_argcount]]

    def copy_arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        given = tuple(starmap(_copy, zip_longest(args, in_order[: len(args)], fillvalue=())))
        return given, {name: _copy(value, kinds.get(name, ())) for name, value in kwargs.items()}

    return copy_arguments


def _aliases(tree: ast.AST, parameters: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield other names of parameters, of `y = x`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in parameters:
            yield from ((target.id, node.value.id) for target in node.targets if isinstance(target, ast.Name))


def _find_extended_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names of `items += …`, which makes a new list."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def find_written_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names of what has an item stored, or is a list that changes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            written: ast.expr = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            written = node.func.value
        else:
            continue
        if isinstance(written, ast.Name):
            yield written.id


def _copy(value: Any, kinds: Any) -> Any:
    return value.copy() if isinstance(value, kinds) else value
