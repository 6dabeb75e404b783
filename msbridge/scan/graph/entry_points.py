"""Entry points of compilation: functions that a Cell or a decorator has compiled, and those that they call."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from msbridge.scan.graph.scope import Scope, attribute_kind
from msbridge.scan.project import Class, External, Function, Module, Value

__all__ = ["Compiled", "entries", "find_callees"]

METHODS = ("construct", "bprop")
DECORATORS = ("jit", "ms_function")
BYTECODE = {"bytecode", "PIJit"}  # ways of capturing that run Python's own code
RUN_BY_PYTHON = ("constexpr", "_primexpr", "prim_expr", "primexpr", "lru_cache", "cache", "jit_ignore", "pijit")


@dataclass(frozen=True)
class Compiled:
    """A function that is compiled."""

    function: Function  # which
    owner: Class | None  # the class that `self` is of
    is_entry: bool  # whether the user calls it
    way: tuple[str, ...]  # the names of the functions from the entry to this one


def entries(module: Module) -> Iterator[Compiled]:
    """Yield the functions of a file that are compiled because they are marked so; raises UnreadableError."""
    for owner in module.classes:
        if owner.is_cell:
            for name in METHODS:
                if method := owner.method(name):
                    yield Compiled(method, owner, True, (f"{owner.node.name}.{name}",))
    marks = any(word in module.source.text for word in (*DECORATORS, "MultitypeFuncGraph"))
    for function, holder in _functions(module, module.source.tree, None) if marks else ():
        if _is_marked(function):
            yield Compiled(function, holder, True, (function.name,))
    for node in module.source.nodes.of(ast.Call) if marks else ():
        if node.args and _is_jit(module.resolve(node.func)) and not _is_bytecode(node):
            found = module.resolve(node.args[0]) if isinstance(node.args[0], ast.Name) else None
            if isinstance(found, Function):
                yield Compiled(found, None, True, (found.name,))


def _functions(module: Module, node: ast.AST, owner: Class | None) -> Iterator[tuple[Function, Class | None]]:
    """Yield all functions of a file, with the class that they are methods of."""
    for part in ("body", "orelse", "finalbody", "handlers"):
        for child in getattr(node, part, ()) if not isinstance(node, ast.expr) else ():
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield Function(module, child, owner), owner
                yield from _functions(module, child, None)
            else:
                inner = module.class_of(child) if isinstance(child, ast.ClassDef) else owner
                yield from _functions(module, child, inner)


def _is_marked(function: Function) -> bool:
    for node in function.node.decorator_list:
        called = node.func if isinstance(node, ast.Call) else node
        if _is_jit(function.module.resolve(called)):
            return not (isinstance(node, ast.Call) and _is_bytecode(node))
        if isinstance(called, ast.Attribute) and called.attr == "register":
            graph = function.module.resolve(called.value)
            if isinstance(graph, Value) and isinstance(graph.node, ast.Call):
                made = graph.module.resolve(graph.node.func)
                return isinstance(made, External) and made.last == "MultitypeFuncGraph"
    return False


def _is_jit(found: object) -> bool:
    return isinstance(found, External) and found.last in DECORATORS and found.name.startswith("mindspore.")


def _is_bytecode(node: ast.Call) -> bool:
    given = {one.arg: one.value for one in node.keywords}
    chosen = given.get("capture_mode", given.get("mode"))
    return isinstance(chosen, ast.Constant) and chosen.value in BYTECODE


def find_callees(node: ast.expr, scope: Scope) -> Iterator[tuple[Function, Class | None]]:
    """Yield the functions of the project that an expression has compiled: what it calls, passes on, or computes."""
    if isinstance(node, ast.Attribute):
        name = scope.own_attribute(node)
        method = scope.owner.method(name) if name and scope.owner else None
        if method and method.is_decorated("property"):
            yield method, scope.owner
    if isinstance(node, ast.Call):
        for function, owner in (
            *_resolve_callee(node.func, scope),
            *(pair for one in node.args for pair in _resolve_argument(one, scope)),
        ):
            if not function.is_decorated(*RUN_BY_PYTHON):
                yield function, owner


def _resolve_callee(func: ast.expr, scope: Scope) -> Iterator[tuple[Function, Class | None]]:
    found = scope.target(func)
    if isinstance(found, Function):
        yield found, found.owner
        return
    if isinstance(func, ast.Attribute) and scope.owner is not None:
        if scope.is_self(func.value):
            method = scope.owner.method(func.attr)
            stored = attribute_kind(scope.owner, func.attr)
            if stored.name == "function" and isinstance(stored.target, Function):
                yield stored.target, None
            elif method:
                yield method, scope.owner
            elif isinstance(stored.target, Class) and stored.name == "object":
                yield from _method(stored.target, "__call__")
            return
        if isinstance(func.value, ast.Call) and scope.callee_name(func.value) == "builtins.super":
            method = scope.owner.method(func.attr, after=scope.defined_in)
            if method:
                yield method, scope.owner
            return
    if isinstance(func, ast.Attribute):
        kind = scope.kind(func.value)
        if kind.name in ("object", "cell") and isinstance(kind.target, Class):
            yield from _method(kind.target, func.attr)
    elif isinstance(func, ast.Name):
        kind = scope.kind(func)
        if kind.name == "object" and isinstance(kind.target, Class):
            yield from _method(kind.target, "__call__")


def _method(owner: Class, name: str) -> Iterator[tuple[Function, Class | None]]:
    bases = (one.last for one in owner.foreign if isinstance(one, External))
    is_primitive = any(name.startswith(("Primitive", "_Primitive")) for name in bases)  # a kernel, not a function
    if (method := owner.method(name)) and not is_primitive:
        yield method, owner


def _resolve_argument(node: ast.expr, scope: Scope) -> Iterator[tuple[Function, Class | None]]:
    found = scope.target(node) if isinstance(node, ast.Name | ast.Attribute) else None
    if isinstance(found, Function) and found.owner is None:
        yield found, None
