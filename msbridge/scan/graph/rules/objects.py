"""Objects: what may be made in compiled code, which Cells are found, and which decorators count."""

import ast

from msbridge.scan.findings import Level
from msbridge.scan.graph.rules.rule import GraphRule
from msbridge.scan.graph.scope import Scope, assignments
from msbridge.scan.graph.value_kinds import has_weights
from msbridge.scan.project import Class, External, Function, Value, per_class

__all__ = ["RULES"]

MARKS = ("jit", "ms_function")
LISTS = ("CellList", "CellDict")


def _makes_weights(node: ast.Call, scope: Scope) -> bool:
    called = scope.target(node.func)
    return (
        isinstance(called, External)
        and called.last[:1].isupper()
        and scope.kind(node).name == "cell"
        and has_weights(called.name)
    )


def _makes_own_cell(node: ast.Call, scope: Scope) -> bool:
    found = scope.target(node.func)
    return isinstance(found, Class) and found.is_cell


def _makes_cell_list(node: ast.Call, scope: Scope) -> bool:
    name = scope.callee_name(node)
    return name.startswith("mindspore.nn.") and name.rpartition(".")[2] in LISTS


def _makes_primitive(node: ast.Call, scope: Scope) -> bool:
    found = scope.target(node.func)
    if not isinstance(found, External) or scope.kind(node).name not in ("primitive", "cell"):
        return False
    return found.name.startswith("mindspore.ops.") or not has_weights(found.name)


def _makes_object_of_tensors(node: ast.Call, scope: Scope) -> bool:
    found = scope.target(node.func)
    plain = isinstance(found, Class) and not found.is_cell and not found.is_decorated("jit_class", "ms_class")
    return (plain or _is_named_tuple(found)) and any(
        scope.is_tensor(one) for one in (*node.args, *(one.value for one in node.keywords))
    )


def _is_class_method(node: ast.Call, scope: Scope) -> bool:
    name = scope.own_attribute(node.func)
    method = scope.owner.method(name) if name and scope.owner else None
    return method is not None and method.is_decorated("classmethod")


def _wraps(function: Function) -> bool:
    """Whether a decorator makes a function that says to be another one, and more than chooses whether to compile it."""
    calls = (one.func for one in ast.walk(function.node) if isinstance(one, ast.Call))
    if any(isinstance(found, External) and found.last in MARKS for found in map(function.module.resolve, calls)):
        return False
    for node in ast.walk(function.node):
        if isinstance(node, ast.FunctionDef) and node is not function.node:
            found = [
                function.module.resolve(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list
            ]
            if any(isinstance(one, External) and one.name in ("functools.wraps", "wraps") for one in found):
                return True
    return False


def _is_wrapped(node: ast.FunctionDef, scope: Scope) -> bool:
    nodes = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    return any(isinstance(found, Function) and _wraps(found) for found in map(scope.module.resolve, nodes))


def _loose_cells(owner: Class, name: str) -> tuple[str, ...]:
    """Return the classes of the Cells with weights in the plain list, tuple or dict that an attribute holds."""
    items: list[tuple[ast.expr, Scope]] = []
    for other, value, scope in assignments(owner):
        if other == name:
            items += [(one, scope) for one in _list_items(value, scope)]
            items += [
                (one, scope) for one in _find_appends(scope, ast.unparse(value) if isinstance(value, ast.Name) else "")
            ]
            items += [(one, scope) for one in _find_appends(scope, f"self.{name}")]
    return tuple(ast.unparse(one.func) for one, scope in items if isinstance(one, ast.Call) and _is_weighty(one, scope))


def _list_items(value: ast.expr, scope: Scope) -> list[ast.expr]:
    """Return the items of a list, tuple or dict that is written out; those of a comprehension twice."""
    if isinstance(value, ast.List | ast.Tuple):
        return list(value.elts)
    if isinstance(value, ast.Dict):
        return list(value.values)
    return [value.elt, value.elt] if isinstance(value, ast.ListComp) else []


def _find_appends(scope: Scope, name: str) -> list[ast.expr]:
    """Return the values that a method appends to a list; twice where a loop does."""
    appended: list[ast.expr] = []
    for node in ast.walk(scope.node) if name else ():
        if isinstance(node, ast.For) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append":
                    appended += call.args if ast.unparse(call.func.value) == name else []
    return appended


def _is_weighty(node: ast.Call, scope: Scope) -> bool:
    found = scope.module.resolve(node.func)
    if isinstance(found, External):
        return has_weights(found.name)
    return isinstance(found, Class) and found.is_cell and _holds_weights(found)


@per_class(False)
def _holds_weights(owner: Class) -> bool:
    """Whether Cells of a class of the project have Parameters that can be seen."""
    for _, value, scope in assignments(owner):
        kind = scope.kind(value)
        if kind.name == "parameter" or (
            kind.name == "cell" and isinstance(value, ast.Call) and _is_weighty(value, scope)
        ):
            return True
    return False


def _cells_in(node: ast.Attribute, scope: Scope) -> tuple[str, ...]:
    name = scope.own_attribute(node) if isinstance(node.ctx, ast.Load) else ""
    if not name or scope.owner is None or not scope.owner.is_cell:
        return ()
    if scope.kind(node).name not in ("list", "tuple", "dict"):
        return ()
    return _loose_cells(scope.owner, name)


def _is_list_of_cells(node: ast.Attribute, scope: Scope) -> bool:
    found = _cells_in(node, scope)
    return len(found) > len(set(found))


def _is_list_of_one_cell(node: ast.Attribute, scope: Scope) -> bool:
    found = _cells_in(node, scope)
    return 0 < len(found) == len(set(found))


def _renames_self(node: ast.FunctionDef, scope: Scope) -> bool:
    """Whether a `construct` has another name than self for its first argument."""
    is_method = node is scope.node and scope.owner is not None and scope.is_entry
    return is_method and node.name == "construct" and scope.self_name not in ("", "self")


def _returns_parameter(node: ast.Return, scope: Scope) -> bool:
    """Whether a Parameter of the Cell is among what an entry returns."""
    values = node.value.elts if isinstance(node.value, ast.Tuple | ast.List) else [node.value]
    attributes = [one for one in values if isinstance(one, ast.Attribute) and scope.own_attribute(one)]
    return scope.is_entry and any(scope.kind(one).name == "parameter" for one in attributes)


def _is_named_tuple(found: object) -> bool:
    if isinstance(found, Value) and isinstance(found.node, ast.Call):
        return found.module.resolve(found.node.func) == External("collections.namedtuple")
    return isinstance(found, Class) and External("typing.NamedTuple") in found.foreign


RULES = (
    GraphRule(
        "parameter-made",
        Level.REFUSED,
        "a Parameter is made in compiled code",
        "the compiler makes none",
        "make it in `__init__`, as an attribute of the Cell",
        nodes=(ast.Call,),
        fits=lambda node, scope: scope.callee_name(node) in ("mindspore.Parameter", "mindspore.ParameterTuple"),
    ),
    GraphRule(
        "cell-list-made",
        Level.REFUSED,
        "a CellList is made in compiled code",
        "the compiler cannot make one from Cells that it has just made",
        "make it in `__init__`",
        nodes=(ast.Call,),
        fits=_makes_cell_list,
    ),
    GraphRule(
        "weights-made",
        Level.CHANGED,
        "a layer with weights is made in compiled code",
        "its weights are drawn once, while the network is compiled, and no optimizer knows them",
        "make it in `__init__`",
        nodes=(ast.Call,),
        fits=_makes_weights,
    ),
    GraphRule(
        "own-cell-made",
        Level.ADVICE,
        "a Cell is made in compiled code",
        "it is made once, while the network is compiled; in eager mode, in every step",
        "make it in `__init__`",
        nodes=(ast.Call,),
        fits=_makes_own_cell,
    ),
    GraphRule(
        "operator-made",
        Level.ADVICE,
        "an operator or a layer without weights is made in compiled code",
        "this costs time in every eager step",
        "make it in `__init__`, or call the function of mindspore.ops",
        nodes=(ast.Call,),
        fits=_makes_primitive,
    ),
    GraphRule(
        "object-made",
        Level.FALLBACK,
        "an object is made of Tensors",
        "the step falls back to Python; the strict syntax refuses it",
        "pass the Tensors as they are, or in a tuple",
        nodes=(ast.Call,),
        fits=_makes_object_of_tensors,
    ),
    GraphRule(
        "class-method",
        Level.REFUSED,
        "a class method is called",
        "the compiler does not pass the class",
        "make it a method, or a static method",
        nodes=(ast.Call,),
        fits=_is_class_method,
    ),
    GraphRule(
        "self-name",
        Level.REFUSED,
        "the first argument of construct is not called self",
        "the compiler finds the Cell by this name; with another one it counts an argument too many",
        "call it self",
        nodes=(ast.FunctionDef,),
        fits=_renames_self,
    ),
    GraphRule(
        "parameter-returned",
        Level.ADVICE,
        "a Parameter of the Cell is returned",
        "it is the Parameter itself: what the caller holds changes with the next update, in eager mode too",
        "return what is computed of it, such as `self.w + 0`, or copy it where it is kept",
        nodes=(ast.Return,),
        fits=_returns_parameter,
    ),
    GraphRule(
        "decorator",
        Level.CHANGED,
        "a decorator with functools.wraps",
        "the compiler reads the inner function and ignores the decorator",
        "call the outer function by its name in the inner one, or leave `functools.wraps` out",
        nodes=(ast.FunctionDef,),
        fits=_is_wrapped,
    ),
    GraphRule(
        "cells-in-list",
        Level.REFUSED,
        "layers with weights in a plain list or tuple",
        "their weights get no names of their own, so names collide; no optimizer sees them, in eager mode either",
        "use nn.CellList",
        nodes=(ast.Attribute,),
        fits=_is_list_of_cells,
    ),
    GraphRule(
        "cell-in-list",
        Level.ADVICE,
        "a layer with weights in a plain list or tuple",
        "no optimizer sees its weights and no checkpoint has them, in eager mode either",
        "use nn.CellList",
        nodes=(ast.Attribute,),
        fits=_is_list_of_one_cell,
    ),
)
