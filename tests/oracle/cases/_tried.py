"""The value of an expression in a release, or a gap where the release lacks or refuses it."""

import ast
import contextlib
import io
import re
import warnings
from collections.abc import Callable

import numpy as np
from mindspore import Tensor

from tests.oracle.case import GAP


def tried(action: Callable[..., object], *arguments: object) -> object:
    """Return what the action returns, or GAP where the release refuses it: mistakes have families of their own."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return plain(action(*arguments))
    except Exception:
        return GAP


def plain(result: object) -> object:
    """Have results computed, and those that are neither tensors, numbers nor text shown as text."""
    if isinstance(result, Tensor):
        result.asnumpy()
        return result
    if isinstance(result, np.ndarray) and result.dtype.kind not in "biufc":
        return [f"array {result.dtype.kind}", result.tolist() if result.dtype.kind == "U" else str(result)]
    if type(result) in (tuple, list):
        return type(result)(plain(one) for one in result)
    if isinstance(result, dict):
        return {key: plain(one) for key, one in result.items()}
    if isinstance(result, str):
        return re.sub(r"<[\w.]*?(\w+) object at 0x\w+>", r"<\1>", result)
    if result is None or type(result) in (bool, int, float) or isinstance(result, np.generic | np.ndarray):
        return result
    if isinstance(result, np.dtype) and result.kind in "biufc":  # its class by the name that it has in numpy 2
        return f"{re.sub('^Uint', 'UInt', result.name.capitalize())}DType {result}"
    return f"{type(result).__name__} {result}"


def printed(action: Callable[[], object]) -> str:
    """Return what is printed meanwhile."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        action()
    return text.getvalue()


def tries(expression: str, arguments: tuple[str, ...] = (), given: str = "") -> str:
    """Return the call of `tried` for an expression of `arguments`, which are `given`."""
    is_bare = isinstance(ast.parse(expression, mode="eval").body, ast.Tuple) and not expression.startswith("(")
    body = f"({expression})" if is_bare else expression
    head = f"lambda {', '.join(arguments)}" if arguments else "lambda"
    return f"tried({head}: {body}{', ' + given if given else ''})"
