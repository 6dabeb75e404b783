"""Semantics of a graph's source where Python's own is another: MindSpore's compiler reads the source itself.

There a name that a function assigns is the global one until then (`p += 1`), a global list or Tensor that it changes
is changed for this call only, `in` and `not` of Tensors return Tensors, `is` never holds of them, `print` writes a
Tensor, a power of integers is an integer, and a scalar of numpy is a number. Python compiles a function before it
runs, so the function is compiled again from its source, with calls in these places; the others stay what they are.
What is called asks whether a graph runs: outside it is Python's meaning.

    def f(x):                    def f(x):
        p += x         →             if present("p"): p = outer("p")
        return x in (p, x)           p += x
                                     return contained(x, (p, x))
"""

import ast
import functools
import math
import operator
import sys
import warnings
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

import torch

from msbridge.core.context.grad_state import state
from msbridge.core.jit.copy_on_write import MAX_REMEMBERED_CODES, find_written_names
from msbridge.core.jit.return_values import number
from msbridge.core.jit.source_text import source_text
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor import indexing
from msbridge.core.tensor.item_assignment import unshare
from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["as_read"]

_IS, _IS_NOT, _IN, _NOT_IN, _NOT, _PRINT = "__is", "__is_not", "__in", "__not_in", "__not", "__print"
_POWER, _NUMBER, _STORED, _CHANGED = "__power", "__number", "__stored", "__changed"
_PRESENT, _OUTER, _COPIED = "__present", "__outer", "__copied"
_COMPARISONS: dict[type, str] = {ast.Is: _IS, ast.IsNot: _IS_NOT, ast.In: _IN, ast.NotIn: _NOT_IN}
_FACTORY, _SLICE = "__factory", "__slice"


def as_read(function: FunctionType) -> FunctionType:
    """Return a function that means what MindSpore's compiler reads; itself where that is what Python reads."""
    code = function.__code__
    read = _read(code, code.co_filename)
    return function if read is None else _with_code(function, read)


@functools.lru_cache(maxsize=MAX_REMEMBERED_CODES)
def _read(code: CodeType, _file: str) -> CodeType | None:
    """Compile the source of a code object as MindSpore reads it; None where that is what Python reads."""
    tree = _definition(code)
    if tree is None or _has_mangled_names(tree):
        return None
    reader = _Reader(code.co_varnames)
    reader.generic_visit(tree)
    known = {*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], *code.co_freevars}
    known.update(name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names)
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    helpers = dict.fromkeys(_read_before(tree, stored, known), _OUTER)
    helpers |= dict.fromkeys((name for name in find_written_names(tree) if name not in known | stored), _COPIED)
    if not (reader.calls or helpers):
        return None
    tree.body = [_prologue(name, helper) for name, helper in helpers.items()] + tree.body
    return _compile_definition(code, tree)


def _definition(code: CodeType) -> ast.FunctionDef | None:
    """Return the syntax tree of a function; None where its source is not to be had."""
    try:
        tree = ast.parse(source_text(code)).body[0]
    except (OSError, SyntaxError, TypeError, IndexError):
        return None
    if not isinstance(tree, ast.FunctionDef) or tree.name != code.co_name:
        return None
    tree.decorator_list, tree.returns = [], None
    ast.increment_lineno(tree, max(code.co_firstlineno, 1) - 1)
    return tree


def _has_mangled_names(tree: ast.AST) -> bool:
    """Whether there are private names of a class, which Python spells otherwise inside of it."""
    names = (getattr(node, "attr", None) or getattr(node, "id", None) for node in ast.walk(tree))
    return any(isinstance(name, str) and name.startswith("__") and not name.endswith("__") for name in names)


class _Reader(ast.NodeTransformer):
    """Puts calls in place of what the compiler reads otherwise, and counts them."""

    def __init__(self, local: tuple[str, ...]) -> None:
        self.calls = 0
        self._local = frozenset(local)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        outer, self._local = self._local, frozenset(argument.arg for argument in node.args.args)
        self.generic_visit(node)
        self._local = outer
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) > 1 or not self._is_local_item(target):
            return node
        return self._rebinding(_STORED, target, node.value)

    def _is_local_item(self, target: ast.expr) -> bool:
        is_item = isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
        return is_item and target.value.id in self._local  # type: ignore[attr-defined]

    def _rebinding(self, helper: str, target: Any, *operands: ast.expr) -> ast.stmt:
        """Return `y = helper(y, index, …)` for an assignment to `y[index]`."""
        name = ast.copy_location(ast.Name(target.value.id, ast.Load()), target)
        value = self._call(helper, target, name, _index_of(target.slice), *operands)
        assignment = ast.Assign([ast.Name(target.value.id, ast.Store())], value)
        return ast.fix_missing_locations(ast.copy_location(assignment, target))

    def _call(self, helper: str, node: ast.expr, *operands: ast.expr) -> ast.expr:
        self.calls += 1
        called = ast.Call(ast.Name(helper, ast.Load()), list(operands), [])
        return ast.fix_missing_locations(ast.copy_location(called, node))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        helper = _COMPARISONS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        sides = (node.left, node.comparators[0])
        if helper is None or isinstance(node.left, ast.Constant) or isinstance(node.comparators[0], ast.Constant):
            return node
        return self._call(helper, node, *sides)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return self._call(_NOT, node, node.operand) if isinstance(node.op, ast.Not) else node

    def _visit_test(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> ast.AST:
        """Leave `not` to Python in a condition: a flag of overflow is asked there, not computed with."""
        node.test = self._truth(node.test)
        condition, node.test = node.test, ast.Constant(True)
        self.generic_visit(node)
        node.test = condition
        return node

    visit_If = visit_While = visit_IfExp = visit_Assert = _visit_test

    def _truth(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._truth(node.operand)
            return node
        found = self.visit(node)
        assert isinstance(found, ast.expr)
        return found

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        if isinstance(node.value, ast.Call) and _is_print(node.value):  # what nobody reads stays None
            for argument in node.value.args:
                self.visit(argument)
            return node
        self.generic_visit(node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return self._call(_POWER, node, node.left, node.right) if isinstance(node.op, ast.Pow) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if self._is_local_item(node.target):
            return self._rebinding(_CHANGED, node.target, ast.Constant(type(node.op).__name__), node.value)
        if not isinstance(node.op, ast.Pow) or not isinstance(node.target, ast.Name):
            return node
        before = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        return ast.copy_location(ast.Assign([node.target], self._call(_POWER, node.value, before, node.value)), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        is_read = isinstance(node.ctx, ast.Load) and _is_of_numpy(node)
        return self._call(_NUMBER, node, node) if is_read else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if _is_of_numpy(node):
            return self._call(_NUMBER, node, node)
        if _is_print(node):
            self.calls += 1
            node.func = ast.copy_location(ast.Name(_PRINT, ast.Load()), node.func)
        return node


def _index_of(node: ast.expr) -> ast.expr:
    """Return the expression of an index, in which slices are calls."""
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_index_of(item) for item in node.elts], ast.Load())
    if not isinstance(node, ast.Slice):
        return node
    bounds = [bound or ast.Constant(None) for bound in (node.lower, node.upper, node.step)]
    return ast.Call(ast.Name(_SLICE, ast.Load()), bounds, [])


def _is_of_numpy(node: ast.expr) -> bool:
    """Whether an expression begins with numpy's name: `np.sqrt(…)`, `np.array(…).sum()`, `np.array(…)[0]`."""
    while isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in ("np", "numpy", _NUMBER)


def _is_print(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "print"


def _read_before(tree: ast.FunctionDef, stored: set[str], known: set[str]) -> Iterator[str]:
    """Yield the names that a function assigns and reads before that."""
    met = set(known)
    for statement in tree.body:
        for name, is_read in _in_order(statement):
            if name not in met and is_read and name in stored:
                yield name
            met.add(name)


def _in_order(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """Yield names and whether they are read, in the order in which Python comes by."""
    if isinstance(node, ast.Name):
        yield node.id, isinstance(node.ctx, ast.Load)
        return
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id, True
    fields = sorted(ast.iter_fields(node), key=lambda field: field[0] not in ("value", "iter"))  # before the targets
    for _, value in fields:
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _in_order(child)


def _prologue(name: str, helper: str) -> ast.stmt:
    return ast.parse(f"if {_PRESENT}({name!r}): {name} = {helper}({name!r})").body[0]


def _compile_definition(code: CodeType, tree: ast.FunctionDef) -> CodeType:
    """Compile a changed definition, inside of a function that has what it takes from outside."""
    factory = ast.parse(f"def {_FACTORY}({', '.join(dict.fromkeys((*code.co_freevars, *_NAMES)))}):\n    pass")
    definition = factory.body[0]
    assert isinstance(definition, ast.FunctionDef)
    tree.args.defaults, tree.args.kw_defaults = [], [None] * len(tree.args.kwonlyargs)
    definition.body = [tree]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python has said it of the source
        module = compile(ast.fix_missing_locations(factory), code.co_filename, "exec")
    return _inner(_inner(module, _FACTORY), code.co_name).replace(co_qualname=code.co_qualname)


def _with_code(function: FunctionType, code: CodeType) -> FunctionType:
    """Return a function with other code, which takes from outside what the function has there, and the helpers."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    helpers = _helpers(function.__globals__)
    closure = tuple(cells.get(name) or CellType(helpers[name]) for name in code.co_freevars)
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    functools.update_wrapper(made, function)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _inner(code: CodeType, name: str) -> CodeType:
    return next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name)


def _helpers(outside: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return the replacements of names and operators, with the globals of the function."""

    def copy_outside(name: str) -> Any:
        value = outside[name]
        return value.copy() if state.is_graph and type(value) in (Tensor, list) else value

    def outer(name: str) -> Any:
        return copy_outside(name) if type(outside[name]) is list else outside[name]

    return _HELPERS | {_PRESENT: outside.__contains__, _OUTER: outer, _COPIED: copy_outside}


def _same(one: Any, other: Any) -> bool:
    if state.is_graph and (isinstance(one, Tensor) or isinstance(other, Tensor)):
        return False
    return one is other


def _is_searched(item: Any, container: Any) -> bool:
    """Whether a graph looks for a Tensor in a tuple or list."""
    return state.is_graph and isinstance(item, Tensor) and type(container) in (tuple, list)


def _contains(item: Any, container: Any) -> Any:
    if not _is_searched(item, container):
        return item in container
    return wrap(torch.tensor(any(_equals(item._data, one) for one in container), device=item._data.device))


def _not_contains(item: Any, container: Any) -> Any:
    if _is_searched(item, container) and not any(isinstance(one, Tensor) for one in container):
        return True  # the compiler knows it, and has a constant
    return _logical_not(_contains(item, container))


def _equals(data: torch.Tensor, other: Any) -> bool:
    return isinstance(other, Tensor) and data.dtype == other._data.dtype and torch.equal(data, other._data)


def _logical_not(value: Any) -> Any:
    if state.is_graph and isinstance(value, Tensor) and value._data.numel() == 1:
        return wrap(value._data.logical_not())
    return not value


def _print_in_graph(*values: Any, **settings: Any) -> Any:
    print(*values, **settings)  # noqa: T201  the script does
    return wrap(torch.zeros(1, dtype=torch.int32)) if state.is_graph else None


def _power(base: Any, exponent: Any) -> Any:
    """Raise to a power: in a graph integers stay integers of 64 bits, 1 / 0 is infinite, 2 ** -1 is 0."""
    if not (state.is_graph and isinstance(base, int | float) and isinstance(exponent, int | float)):
        return base**exponent
    if not base and exponent < 0:
        return _MIN_INT64 if isinstance(base, int) and isinstance(exponent, int) else math.inf
    found = base**exponent
    if not (isinstance(base, int) and isinstance(exponent, int)):
        return found
    return int(found) if abs(found) <= -_MIN_INT64 - 1 else _MIN_INT64


def _number(value: Any) -> Any:
    """Return a scalar of numpy as Python's number, which it is in a graph."""
    return number(value) if state.is_graph else value


def _store_item(target: Any, index: Any, value: Any) -> Any:
    """Return the value of a name after `name[index] = value`: in a graph a new Tensor."""
    if not state.is_graph or not isinstance(target, Tensor) or isinstance(target, Parameter):
        target[index] = value
        return target
    state.effects += 1
    is_alone = sys.getrefcount(target) == _ALONE and not target._has_fixed_memory
    data = unshare(target) if is_alone else target._data.clone()
    indexing.put(data, index, value)
    return wrap(data)


def _change_item(target: Any, index: Any, operator: str, value: Any) -> Any:
    """Return the value of a name after `name[index] += value` or another operator."""
    return _store_item(target, index, _IN_PLACE[operator](target[index], value))


def _references(target: object) -> int:
    return sys.getrefcount(target)


def _references_of_local() -> int:
    """Count the references to what only a name of the caller represents, as `_store_item` sees them."""
    target: Any = object()
    target = _references(target)
    return int(target)


_ALONE = _references_of_local()
_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.iadd,
    "Sub": operator.isub,
    "Mult": operator.imul,
    "MatMult": operator.imatmul,
    "Div": operator.itruediv,
    "FloorDiv": operator.ifloordiv,
    "Mod": operator.imod,
    "Pow": operator.ipow,
    "LShift": operator.ilshift,
    "RShift": operator.irshift,
    "BitOr": operator.ior,
    "BitXor": operator.ixor,
    "BitAnd": operator.iand,
}
_MIN_INT64 = -(2**63)
_HELPERS: dict[str, Callable[..., Any]] = {
    _IS: _same,
    _IS_NOT: lambda one, other: not _same(one, other),
    _IN: _contains,
    _NOT_IN: _not_contains,
    _NOT: _logical_not,
    _PRINT: _print_in_graph,
    _POWER: _power,
    _NUMBER: _number,
    _STORED: _store_item,
    _CHANGED: _change_item,
    _SLICE: slice,
}
_NAMES = (*_HELPERS, _PRESENT, _OUTER, _COPIED)
