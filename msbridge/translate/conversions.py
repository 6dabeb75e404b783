"""Values of arguments that MindSpore wants in another form: None where the text does not say which form they have."""

import ast
from collections.abc import Callable, Mapping

__all__ = ["CONVERSIONS", "INVERSES", "is_number"]


def is_number(node: ast.expr, numbers: frozenset[str]) -> bool:
    """Whether an expression is a number for certain: by its form, or by the names that are known to be numbers."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float) and not isinstance(node.value, bool)
    if isinstance(node, ast.Name):
        return node.id in numbers
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and is_number(node.operand, numbers)
    if isinstance(node, ast.BinOp):
        sides = [is_number(one, numbers) for one in (node.left, node.right)]
        is_scaling = isinstance(node.op, ast.FloorDiv | ast.Div | ast.Sub | ast.Pow)  # which no tuple and list knows
        return any(sides) if is_scaling else all(sides)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in {"int", "float", "len", "round"}
    return False


def _sides(node: ast.expr, text: str, numbers: frozenset[str]) -> str | None:
    """Padding of every axis, as one of every side."""
    if is_number(node, numbers):
        return text
    if isinstance(node, ast.Tuple | ast.List) and not any(isinstance(one, ast.Starred) for one in node.elts):
        each = [ast.unparse(one) for one in node.elts]
        return f"({', '.join(part for one in each for part in (one, one))})"
    return None


def _one_minus(node: ast.expr, text: str, numbers: frozenset[str]) -> str | None:
    """The share that stays, of the share that is replaced."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return repr(round(1 - node.value, 12))
    return f"1 - {text}" if isinstance(node, ast.Name) and is_number(node, numbers) else None


def _sequence(node: ast.expr, text: str, numbers: frozenset[str]) -> str | None:
    """A number as a tuple of one; of several axes MindSpore wants to know more."""
    if isinstance(node, ast.Tuple | ast.List):
        return text if len(node.elts) == 1 and not isinstance(node.elts[0], ast.Starred) else None
    return f"({text},)" if is_number(node, numbers) else None


def _is_tanh(node: ast.expr, text: str, numbers: frozenset[str]) -> str | None:
    """Whether an approximation is by tanh."""
    return str(node.value == "tanh") if isinstance(node, ast.Constant) else None


def _ddof(node: ast.expr, text: str, numbers: frozenset[str]) -> str | None:
    """Degrees of freedom that go, of whether the estimate is unbiased."""
    return str(int(bool(node.value))) if isinstance(node, ast.Constant) else f"int({text})"


def _literal(node: ast.expr, text: str, numbers: frozenset[str]) -> str | None:
    """A number that stands in the text."""
    return text if isinstance(node, ast.Constant) else None


def _number(node: ast.expr, text: str, numbers: frozenset[str]) -> str | None:
    """A number for certain."""
    return text if is_number(node, numbers) else None


def _axes(node: ast.expr, text: str, numbers: frozenset[str]) -> str | None:
    """Padding of every side, as one of every axis where both sides have the same."""
    if is_number(node, numbers):
        return text
    if not isinstance(node, ast.Tuple | ast.List):
        return None
    each = [ast.unparse(one) for one in node.elts]
    return f"({', '.join(each[::2])})" if each[::2] == each[1::2] else None


def _approximation(node: ast.expr, text: str, numbers: frozenset[str]) -> str | None:
    """Name of an approximation, of whether it is by tanh."""
    return ('"tanh"' if node.value else '"none"') if isinstance(node, ast.Constant) else None


def _is_unbiased(node: ast.expr, text: str, numbers: frozenset[str]) -> str | None:
    """Whether an estimate is unbiased, of the degrees of freedom that go."""
    return str(node.value == 1) if isinstance(node, ast.Constant) and node.value in (0, 1) else None


CONVERSIONS: Mapping[str, Callable[[ast.expr, str, frozenset[str]], str | None]] = {
    "approximation": _approximation,
    "axes": _axes,
    "ddof": _ddof,
    "is_tanh": _is_tanh,
    "is_unbiased": _is_unbiased,
    "literal": _literal,
    "number": _number,
    "one_minus": _one_minus,
    "sequence": _sequence,
    "sides": _sides,
}
# The conversion that undoes one; "" where the value is right as it is.
INVERSES = {
    "": "", "ddof": "is_unbiased", "is_tanh": "approximation", "literal": "", "number": "", "one_minus": "one_minus",
    "sequence": "", "sides": "axes",
}  # fmt: skip
