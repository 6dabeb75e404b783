"""Receivers of method calls: objects that are surely Tensors, or surely made by a class of MindSpore."""

import ast
from collections import Counter
from functools import cache

import numpy as np

from msbridge.core.releases.rows import rows_of
from msbridge.dropin.release_guess.bindings import Bound

__all__ = ["Receivers"]

_NO_TENSORS = ("asnumpy", "tolist", "item", "numpy", "size", "dim", "ndimension", "dtype", "shape", "name", "getattr")
_PLAIN = (str, bytes, list, tuple, dict, set, int, float, np.ndarray)
_NO_TENSOR_TYPES = ("str", "bool", "int", "float", "dict", "list", "tuple")


class Receivers:
    """The objects that a file calls methods of, as far as its text says what they are.

    A Tensor is what `Tensor(…)` and functions of `ops` return, what is computed with one, and what comes into a Cell's
    `construct`; a name is one where everything that its function assigns to it is. Of an object that may be anything,
    a method is a Tensor's where no other common type has it, and where it is given plain values.

    Args:
        names: what the names of the file represent.
    """

    def __init__(self, names: Bound):
        self._names = names
        self._tensors: set[tuple[str, int]] = set()  # the name, and the function's first line; 0 of the file
        self._made: dict[str, str] = {}  # a name that is assigned once → the class that is called
        nodes = names.nodes
        functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = [*nodes.of(ast.FunctionDef)]
        functions += nodes.of(ast.AsyncFunctionDef)
        self._functions = [(each.lineno, each.end_lineno or each.lineno) for each in functions]
        self._own = {each.name for each in functions}
        self._modules = {(each.asname or each.name).partition(".")[0] for each in nodes.of(ast.alias)}
        for each in functions:
            if each.name == "construct":
                self._tensors |= {(arg.arg, each.lineno) for arg in each.args.args[1:] if not _is_text(arg)}
        self._follow(nodes.of(ast.Assign))

    def path(self, call: ast.Call) -> str:
        """Return the path of a method that is called, "mindspore.Tensor.norm"; "" where it is not known."""
        if not isinstance(call.func, ast.Attribute):
            return ""
        receiver, method = call.func.value, call.func.attr
        if isinstance(receiver, ast.Name) and receiver.id in self._made:
            return f"{self._made[receiver.id]}.{method}"
        if self._is_tensor(receiver) or self._can_only_be_tensor(receiver, call):
            return f"mindspore.Tensor.{method}"
        return ""

    def _follow(self, assigned: list[ast.Assign]) -> None:
        counts = Counter(name.id for each in assigned for name in each.targets if isinstance(name, ast.Name))
        for each in sorted(assigned, key=lambda each: each.lineno):
            target = each.targets[0]
            if not isinstance(target, ast.Name):
                continue
            path = self._names.path(each.value.func) if isinstance(each.value, ast.Call) else ""
            if path and counts[target.id] == 1 and path.rpartition(".")[2][:1].isupper():
                self._made[target.id] = path
            place = (target.id, self._scope(each))
            if self._is_tensor(each.value):
                self._tensors.add(place)
            elif not self._may_stay_tensor(each.value):
                self._tensors.discard(place)

    def _may_stay_tensor(self, value: ast.expr) -> bool:
        """Whether `x = self.layer(x)` is assigned: what layers return of a Tensor counts as one."""
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
            return False
        is_own = isinstance(value.func.value, ast.Name) and value.func.value.id == "self"
        return is_own and any(self._is_tensor(each) for each in value.args)

    def _is_tensor(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return (node.id, self._scope(node)) in self._tensors or (node.id, 0) in self._tensors
        if isinstance(node, ast.BinOp):
            return self._is_tensor(node.left) or self._is_tensor(node.right)
        if isinstance(node, ast.UnaryOp):
            return self._is_tensor(node.operand)
        if not isinstance(node, ast.Call):
            return False
        path = self._names.path(node.func)
        if path:
            return path.endswith((".Tensor", ".Parameter")) or _gives_tensor(path)
        if not isinstance(node.func, ast.Attribute) or node.func.attr in _NO_TENSORS:
            return False
        return self._is_tensor(node.func.value)

    def _can_only_be_tensor(self, receiver: ast.expr, call: ast.Call) -> bool:
        method = call.func.attr  # type: ignore[attr-defined]
        if method not in _methods_of_tensors_alone() or method in self._own or not call.args:
            return False
        if isinstance(receiver, ast.Name):
            is_object = receiver.id not in {"self", "cls", *self._modules}
        else:
            is_object = isinstance(receiver, ast.Call | ast.BinOp | ast.Subscript)
        return is_object and all(_is_plain(each) for each in call.args)

    def _scope(self, node: ast.AST) -> int:
        """Return the first line of the innermost function around a node; 0 without one."""
        line: int = node.lineno  # type: ignore[attr-defined]
        return max((first for first, last in self._functions if first <= line <= last), default=0)


@cache
def _methods_of_tensors_alone() -> frozenset[str]:
    """Return the methods of Tensors that releases changed, and that no other common type has."""
    names = (name for room in ("core", "ops") for name in rows_of(room) if name.startswith("Tensor."))
    methods = {name.removeprefix("Tensor.") for name in names}
    return frozenset(each for each in methods if not any(hasattr(kind, each) for kind in _PLAIN))


def _gives_tensor(path: str) -> bool:
    return path.startswith("mindspore.ops.") and path.rpartition(".")[2][:1].islower()


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return all(_is_plain(each) for each in node.elts)
    if isinstance(node, ast.UnaryOp):
        return _is_plain(node.operand)
    return isinstance(node, ast.Constant) and not isinstance(node.value, str)


def _is_text(argument: ast.arg) -> bool:
    return isinstance(argument.annotation, ast.Name) and argument.annotation.id in _NO_TENSOR_TYPES
