"""Scopes of a compiled function: values of expressions and attributes of its class, as far as the source shows them."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from msbridge.dropin.release_guess.nodes import statements, walk
from msbridge.scan.graph.names import CONSTANTS, Names
from msbridge.scan.graph.value_kinds import (
    BOOL,
    CELL,
    DICT,
    FLOAT,
    INT,
    LIST,
    NUMBERS,
    NUMPY,
    SET,
    SHARED_METHODS,
    STR,
    TENSOR,
    TENSOR_METHODS,
    TUPLE,
    UNKNOWN,
    VIEWS,
    ValueKind,
    of_external_call,
    of_primitive,
    of_tensor_method,
)
from msbridge.scan.project import Class, External, Function, Target, Value, per_class

__all__ = ["Scope", "assignments", "attribute_kind", "has_unknown_bases", "is_assigned", "registers_by_name"]

BUILDERS = {"insert_param_to_cell", "register_buffer", "register_parameter", "setattr", "__setattr__"}
DTYPE = re.compile(r"mindspore\.(b?float\d+|u?int\d+|bool_?|half|single|double|int_|complex\d+)")
MAX_LOOKUP_DEPTH = 8  # names of modules that are looked up for one kind
EMPTY = ast.Lambda(
    args=ast.arguments([], [], None, [], [], None, []), body=ast.Constant(None)
)  # around the top of a file


class Scope(Names):
    """The names of a function at a statement, and the values of expressions of them."""

    def kind(self, node: ast.expr | None, depth: int = 0) -> ValueKind:
        """Return the value of an expression."""
        name = METHODS.get(node.__class__)
        return getattr(self, name)(node, depth) if name is not None and depth < 50 else UNKNOWN

    def is_tensor(self, node: ast.expr | None) -> bool:
        """Whether an expression returns a Tensor for certain."""
        return self.kind(node).is_tensor

    def _of_constant(self, node: ast.Constant, depth: int) -> ValueKind:
        return CONSTANTS.get(type(node.value), UNKNOWN)

    def _of_joinedstr(self, node: ast.JoinedStr, depth: int) -> ValueKind:
        return STR

    def _of_list(self, node: ast.List, depth: int) -> ValueKind:
        kinds = [self.kind(one, depth + 1) for one in node.elts]
        return ValueKind("list", detail="cells") if kinds and all(one.name == "cell" for one in kinds) else LIST

    def _of_tuple(self, node: ast.Tuple, depth: int) -> ValueKind:
        return TUPLE

    def _of_listcomp(self, node: ast.ListComp, depth: int) -> ValueKind:
        return ValueKind("list", detail="cells") if self.kind(node.elt, depth + 1).name == "cell" else LIST

    def _of_dict(self, node: ast.Dict, depth: int) -> ValueKind:
        return DICT

    def _of_dictcomp(self, node: ast.DictComp, depth: int) -> ValueKind:
        return DICT

    def _of_set(self, node: ast.Set, depth: int) -> ValueKind:
        return SET

    def _of_lambda(self, node: ast.Lambda, depth: int) -> ValueKind:
        return ValueKind("function")

    def _of_name(self, node: ast.Name, depth: int) -> ValueKind:
        if self.is_self(node):
            return ValueKind("self", self.owner)
        if self.is_own(node.id):
            return self.env.get(node.id, UNKNOWN)
        if self.outer is not None and self.outer.is_local(node.id):
            return self.outer.kind(node, depth) if isinstance(self.outer, Scope) else UNKNOWN
        return self._of_target(self.module.lookup(node.id), depth)

    def _of_target(self, target: Target, depth: int) -> ValueKind:
        if isinstance(target, Function):
            return ValueKind("function", target)
        if isinstance(target, Class):
            return ValueKind("class", target)
        if isinstance(target, External):
            return ValueKind("external", target)
        return top_kind(target, depth + 1) if isinstance(target, Value) and depth < MAX_LOOKUP_DEPTH else UNKNOWN

    def _of_attribute(self, node: ast.Attribute, depth: int) -> ValueKind:
        found = self.target(node)
        if found is not None:
            return self._of_target(found, depth)
        base = self.kind(node.value, depth + 1)
        if base.is_tensor or (node.attr in ("shape", "ndim", "dtype") and base.name in ("", "argument")):
            if node.attr == "shape":
                return ValueKind("tuple", detail="shape")
            if node.attr in ("ndim", "size", "itemsize", "nbytes"):
                return INT
            if node.attr in ("T", "mT", "real", "imag"):
                return _part(node.value)
            return STR if node.attr == "name" else UNKNOWN
        if node.attr in ("__name__", "cls_name"):
            return STR
        if base.name in ("self", "object", "cell") and isinstance(base.target, Class):
            return attribute_kind(base.target, node.attr)
        return UNKNOWN

    def _of_call(self, node: ast.Call, depth: int) -> ValueKind:
        name = self.callee_name(node)
        if name in ("builtins.max", "builtins.min", "builtins.abs", "builtins.sum", "builtins.round", "builtins.pow"):
            given = self.kind(node.args[0], depth + 1) if node.args else UNKNOWN
            return given if given.is_tensor or given.name in NUMBERS else UNKNOWN
        if name:
            kind = of_external_call(name)
            return replace(kind, dtype=self._dtype_of(node)) if kind.is_tensor else kind
        func = node.func
        base = self.kind(func.value, depth + 1) if isinstance(func, ast.Attribute) else UNKNOWN
        if isinstance(func, ast.Attribute):
            if base.is_tensor:
                kind = _part(func.value) if func.attr in VIEWS else of_tensor_method(func.attr)
                return replace(kind, dtype=self._dtype_of(node)) if kind.is_tensor else kind
            if base.name in ("", "argument") and func.attr in TENSOR_METHODS - SHARED_METHODS:
                return TENSOR
            if func.attr == "join" or (base.name == "str" and func.attr in ("format", "upper", "lower")):
                return STR
            if base.name == "str" and func.attr not in ("split", "startswith", "endswith", "count", "find", "index"):
                return STR
            if base.name == "numpy":
                return NUMPY
        target = self.kind(func, depth + 1)
        if target.name == "cell":
            return TENSOR if isinstance(target.target, External) and "LSTM" not in target.target.last else UNKNOWN
        if target.name == "primitive":
            return of_primitive(target.target)
        if target.name == "class" and isinstance(target.target, Class):
            return ValueKind("cell" if target.target.is_cell else "object", target.target)
        return UNKNOWN

    def _of_subscript(self, node: ast.Subscript, depth: int) -> ValueKind:
        base = self.kind(node.value, depth + 1)
        if base.is_tensor:
            return replace(_part(node.value) if _is_basic(node.slice) else TENSOR, dtype=base.dtype)
        if base.detail == "shape":
            return base if isinstance(node.slice, ast.Slice) else INT
        if base.name == "str":
            return STR
        if base.name in ("cells", "list") and isinstance(node.slice, ast.Slice):
            return base
        return CELL if base.name == "cells" or base.detail == "cells" else UNKNOWN

    def _of_binop(self, node: ast.BinOp, depth: int) -> ValueKind:
        left, right = self.kind(node.left, depth + 1), self.kind(node.right, depth + 1)
        if left.name == "str" or (right.name == "str" and isinstance(node.op, ast.Add)):
            return STR
        if left.is_tensor or right.is_tensor:
            return TENSOR
        if left.name in NUMBERS and right.name in NUMBERS:
            return FLOAT if "float" in (left.name, right.name) or isinstance(node.op, ast.Div) else INT
        return left if left.name == right.name and left.name in ("list", "tuple", "numpy") else UNKNOWN

    def _of_unaryop(self, node: ast.UnaryOp, depth: int) -> ValueKind:
        given = self.kind(node.operand, depth + 1)
        return BOOL if isinstance(node.op, ast.Not) and not given.is_tensor else given

    def _of_boolop(self, node: ast.BoolOp, depth: int) -> ValueKind:
        kinds = [self.kind(one, depth + 1) for one in node.values]
        return next(
            (one for one in kinds if one.is_tensor), kinds[0] if len({one.name for one in kinds}) == 1 else UNKNOWN
        )

    def _of_compare(self, node: ast.Compare, depth: int) -> ValueKind:
        if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
            return BOOL
        kinds = [self.kind(one, depth + 1) for one in (node.left, *node.comparators)]
        if any(one.name in ("none", "str") for one in kinds):
            return BOOL
        if any(one.is_tensor for one in kinds):
            return TENSOR
        return BOOL if all(one.name in NUMBERS for one in kinds) else UNKNOWN

    def _of_ifexp(self, node: ast.IfExp, depth: int) -> ValueKind:
        one, other = self.kind(node.body, depth + 1), self.kind(node.orelse, depth + 1)
        return one if one.name == other.name else UNKNOWN

    def _of_namedexpr(self, node: ast.NamedExpr, depth: int) -> ValueKind:
        return self.kind(node.value, depth + 1)

    def run(self, node: ast.stmt) -> None:
        """Note what a statement without a body does to the names."""
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [
                    (one, value, self.kind(value), self.is_alias(value))
                    for one, value in _pair_targets(target, node.value)
                ]
                for one, _, kind, is_alias in pairs:
                    self.bind(one, kind)
                    if is_alias and isinstance(one, ast.Name):
                        self.aliases.add(one.id)
        elif isinstance(node, ast.AnnAssign) and node.value:
            self.bind(node.target, self.kind(node.value))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            whole = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            self.bind(node.target, self.kind(whole))

    def is_never(self, node: ast.expr) -> bool:
        """Whether a condition is an attribute that is False or None wherever it is assigned."""
        name = self.own_attribute(node)
        values = [value for other, value, _ in assignments(self.owner) if other == name] if name and self.owner else []
        return bool(values) and all(isinstance(one, ast.Constant) and one.value in (False, None) for one in values)

    def is_alias(self, node: ast.expr) -> bool:
        """Whether an expression is an argument as it came, under whichever name."""
        return isinstance(node, ast.Name) and node.id in self.aliases

    def _dtype_of(self, node: ast.Call) -> str:
        """Return the dtype that is among the arguments of a call."""
        given = [*node.args, *(one.value for one in node.keywords)]
        names = [self.external(one) for one in given if isinstance(one, ast.Attribute | ast.Name)]
        return next((name.rpartition(".")[2] for name in names if DTYPE.fullmatch(name)), "")

    def after(self, body: Sequence[ast.stmt]) -> dict[str, ValueKind]:
        """Return the kinds of the names that some statements bind, after them, without going there."""
        aliases = set(self.aliases)
        with self.way() as bound:
            for node in body:
                self._pass(node)
        self.aliases = aliases
        return bound

    def _pass(self, node: ast.stmt) -> None:
        self.run(node)
        if isinstance(node, ast.For):
            self.bind(node.target, self.item_of(node.iter))
        for part in ("body", "orelse", "finalbody"):
            for one in getattr(node, part, []) if isinstance(node, ast.For | ast.If | ast.While | ast.With) else []:
                self._pass(one)

    def item_of(self, node: ast.expr) -> ValueKind:
        """Return the kind of the values that a loop over this expression gets in sequence."""
        over = self.kind(node)
        if over.is_tensor:
            return TENSOR
        if over.name == "cells" or over.detail == "cells":
            return CELL
        return {"range": INT, "str": STR, "parameters": ValueKind("parameter")}.get(
            over.name, INT if over.detail == "shape" else UNKNOWN
        )


# The method of Scope that infers the value of a kind of expression.
METHODS = {getattr(ast, name): f"_of_{name.lower()}" for name in dir(ast) if hasattr(Scope, f"_of_{name.lower()}")}


def _pair_targets(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Return the pairs of target and value, one by one where both are written out."""
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple) or len(target.elts) != len(value.elts):
        return [(target, value)]
    if any(isinstance(one, ast.Starred) for one in (*target.elts, *value.elts)):
        return [(target, value)]
    return list(zip(target.elts, value.elts, strict=True))


def _part(whole: ast.expr) -> ValueKind:
    """Return a Tensor that shares what it holds with another one, where that has a name."""
    return ValueKind("tensor", whole.id, "view") if isinstance(whole, ast.Name) else TENSOR


def top_kind(value: Value, depth: int = 0) -> ValueKind:
    """Return the kind of a value at the top of a file."""
    return Scope(value.module, EMPTY).kind(value.node, depth)


# A name that is assigned, what it is assigned, and the names that are read there.
Assignment: TypeAlias = tuple[str, ast.expr, Scope]


def attribute_kind(owner: Class, name: str) -> ValueKind:
    """Return the kind of `self.name`; a Parameter or a Cell where any assignment makes it one."""
    kinds = _kinds(owner).get(name, ())
    for wanted in ("parameter", "cell", "cells"):
        for one in kinds:
            if one.name == wanted:
                return one
    known = [one for one in kinds if one.name not in ("", "none", "argument")]
    if (
        known
        and len({one.name for one in known}) == 1
        and len(known) == len([one for one in kinds if one.name != "none"])
    ):
        return known[0]
    if not kinds and (method := owner.method(name)):
        return ValueKind("method", method)
    return UNKNOWN


def is_assigned(owner: Class, name: str) -> bool:
    """Whether any method assigns `self.name`, or the class body the name."""
    return name in _kinds(owner)


@per_class({})
def _kinds(owner: Class) -> dict[str, tuple[ValueKind, ...]]:
    kinds: dict[str, tuple[ValueKind, ...]] = {}
    for one in owner.lineage:
        for name, kind in _own_kinds(one):
            kinds[name] = (*kinds.get(name, ()), kind)
    return kinds


@per_class(())
def _own_kinds(owner: Class) -> tuple[tuple[str, ValueKind], ...]:
    return tuple((name, scope.kind(node)) for name, node, scope in _own_assignments(owner))


def assignments(owner: Class) -> Iterator[Assignment]:
    """Yield the assignments to attributes of `self`, inherited ones last."""
    return (found for one in owner.lineage for found in _own_assignments(one))


@per_class(())
def _own_assignments(owner: Class) -> tuple[Assignment, ...]:
    return (*_at_the_top(owner), *_in_methods(owner))


def _at_the_top(owner: Class) -> Iterator[Assignment]:
    for node in owner.node.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value, Scope(owner.module, EMPTY)


def _in_methods(owner: Class) -> Iterator[Assignment]:
    for method in owner.own.values():
        if method.node.name in ("construct", "bprop"):
            continue
        scope = Scope(owner.module, method.node, None)
        names = [*method.node.args.posonlyargs, *method.node.args.args]
        this = names[0].arg if names else ""
        for node in statements(method.node):
            if isinstance(node, ast.Assign):
                scope.run(node)
                for target in node.targets:
                    yield from _find_assignments(target, node.value, this, scope)
            elif isinstance(node, ast.AnnAssign) and node.value:
                yield from _find_assignments(node.target, node.value, this, scope)


def _find_assignments(target: ast.expr, value: ast.expr, this: str, scope: Scope) -> Iterator[Assignment]:
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == this:
        yield target.attr, value, scope
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, part in zip(target.elts, value.elts, strict=True):
            yield from _find_assignments(one, part, this, scope)


def registers_by_name(owner: Class) -> bool:
    """Whether a class registers attributes under computed names, so that not all can be known."""
    return any(map(_registers_itself, owner.lineage))


@per_class(False)
def _registers_itself(owner: Class) -> bool:
    called = (node.func for node in walk(owner.node) if isinstance(node, ast.Call))
    return any((one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "")) in BUILDERS for one in called)


def has_unknown_bases(owner: Class) -> bool:
    """Whether a base cannot be found, or is a class of another package that may have attributes of its own."""
    known = ("mindspore.nn.Cell", "mindspore.Cell", "builtins.object")
    return any(not (isinstance(one, External) and one.name in known) for one in owner.foreign)


def _is_basic(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return all(isinstance(one, ast.Slice | ast.Constant | ast.UnaryOp | ast.Name) for one in parts)
