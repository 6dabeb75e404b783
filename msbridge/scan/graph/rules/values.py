"""Values that depend on Tensors: what branches and loops may make of them, and which shapes and dtypes cost."""

import ast
from collections.abc import Iterator, Sequence

from msbridge.scan.findings import Level
from msbridge.scan.graph.kinds import NUMBERS, Kind
from msbridge.scan.graph.rules.rule import GraphRule
from msbridge.scan.graph.scope import Scope

__all__ = ["RULES"]

SEQUENCES = {"list", "tuple", "dict"}
GROWING = {"concat", "cat", "Concat", "concatenate", "stack", "append", "hstack", "vstack"}
DYNAMIC = {
    "nonzero",
    "unique",
    "masked_select",
    "NonZero",
    "Unique",
    "MaskedSelect",
    "argwhere",
    "unique_consecutive",
    "unique_with_pad",
}
WIDE = {"float64", "double", "complex64", "complex128"}


def _joined(node: ast.If, scope: Scope) -> Iterator[tuple[Kind, Kind]]:
    """Yield what names are after both ways of a branch on a Tensor, where they differ."""
    if not scope.is_tensor(node.test):
        return
    one, other = (scope.after(body) for body in (node.body, node.orelse))
    for name in one.keys() | other.keys():
        if name in one and name in other and not _leaves(node.body) and not _leaves(node.orelse):
            yield one[name], other[name]
    yield from _results(node, scope)


def _results(node: ast.If, scope: Scope) -> Iterator[tuple[Kind, Kind]]:
    """Yield what both ways of a branch on a Tensor return, where both do."""
    returned = [_returned(part, scope) for part in _ways(node, scope)] if scope.is_tensor(node.test) else []
    if len(returned) == 2:
        for first in returned[0]:
            for second in returned[1]:
                yield first, second


def _ways(node: ast.If, scope: Scope) -> list[list[ast.stmt]]:
    """Return the statements on both ways, where both leave the function."""
    return [list(node.body), list(node.orelse) or scope.rest] if _leaves(node.body) else []


def _leaves(body: Sequence[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Return)


def _returned(body: Sequence[ast.stmt], scope: Scope) -> list[Kind]:
    """Return what the last statement returns, if it does."""
    if not _leaves(body):
        return []
    last = body[-1]
    assert isinstance(last, ast.Return)
    return [scope.kind_after(body[:-1], last.value)]


def _differ(one: Kind, other: Kind) -> bool:
    """Whether the compiler cannot join two values: a Tensor with a number or a container, containers of two kinds."""
    first, second = sorted((one, other), key=lambda kind: not kind.is_tensor)
    if second.is_tensor:
        return bool(first.dtype and second.dtype) and first.dtype != second.dtype
    if first.is_tensor:
        return second.name in NUMBERS | SEQUENCES | {"str"}
    return (
        first.name != second.name
        and {first.name, second.name} <= SEQUENCES | {"str", "int", "float"}
        and not ({first.name, second.name} <= NUMBERS)
    )


def _branches_differ(node: ast.If, scope: Scope) -> bool:
    if any(_differ(one, other) for one, other in _joined(node, scope)):
        return True
    return any({one.name, other.name} == {"int", "float"} for one, other in _results(node, scope))


def _returns_texts(node: ast.If, scope: Scope) -> bool:
    return any(one.name == other.name == "str" for one, other in _results(node, scope))


def _loops_over_own_list(node: ast.While, scope: Scope) -> bool:
    asked = {one.id for one in ast.walk(node.test) if isinstance(one, ast.Name) and scope.kind(one).name == "list"}
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    changed = {
        ast.unparse(one.value) for one in calls if isinstance(one, ast.Attribute) and one.attr in ("pop", "append")
    }
    return bool(asked & changed)


def _branches_give_none(node: ast.If, scope: Scope) -> bool:
    return any(
        {one.name, other.name} in ({"none", "tensor"}, {"none", "parameter"}) for one, other in _joined(node, scope)
    )


def _branches_assign_other(node: ast.If, scope: Scope, wanted: str) -> bool:
    """Whether a branch on a Tensor gives a name another constant text, or another list."""
    if not scope.is_tensor(node.test):
        return False
    one, other = (scope.after(body) for body in (node.body, node.orelse))
    written = {
        each.id
        for part in (*node.body, *node.orelse)
        for each in ast.walk(part)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    return any(one.get(name, Kind("")).name == wanted == other.get(name, Kind("")).name for name in written)


def _branches_text(node: ast.If, scope: Scope) -> bool:
    return _branches_assign_other(node, scope, "str")


def _branches_list(node: ast.If, scope: Scope) -> bool:
    return _branches_assign_other(node, scope, "list")


def _loop_changes_kind(node: ast.While, scope: Scope) -> bool:
    if not scope.is_tensor(node.test):
        return False
    before, after = scope.env, scope.after(node.body)
    return any(_differ(kind, after[name]) for name, kind in before.items() if name in after)


def _loop_grows(node: ast.While, scope: Scope) -> bool:
    return scope.is_tensor(node.test) and any(_grows(one, scope) for one in ast.walk(node))


def _grows(node: ast.AST, scope: Scope) -> bool:
    if (
        not isinstance(node, ast.Assign)
        or not isinstance(node.value, ast.Call)
        or not isinstance(node.targets[0], ast.Name)
    ):
        return False
    name = node.targets[0].id
    called = scope.called(node.value)
    mentioned = {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
    return called.startswith("mindspore.") and called.rpartition(".")[2] in GROWING and name in mentioned


def _range_of_tensor(node: ast.Call, scope: Scope) -> bool:
    return scope.called(node) == "builtins.range" and any(scope.is_tensor(one) for one in node.args)


def _list_item_by_tensor(node: ast.Subscript, scope: Scope) -> bool:
    return scope.kind(node.value).name in ("list", "tuple") and scope.is_tensor(node.slice)


def _tensor_of_tensor(node: ast.Call, scope: Scope) -> bool:
    if scope.called(node) not in ("mindspore.Tensor", "mindspore.tensor") or not node.args:
        return False
    first = node.args[0]
    parts = first.elts if isinstance(first, ast.List | ast.Tuple) else [first]
    return any(scope.is_tensor(one) for one in parts)


def _dynamic_shape(node: ast.AST, scope: Scope) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Compare) and scope.is_tensor(node.slice) and isinstance(node.ctx, ast.Load)
    called = scope.called(node)
    if called.startswith("mindspore.") and called.rpartition(".")[2] in DYNAMIC:
        return True
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and func.attr in ("nonzero", "masked_select") and scope.is_tensor(func.value)


def _dynamic_slice(node: ast.Slice, scope: Scope) -> bool:
    return any(_from_tensor(one, scope) for one in (node.lower, node.upper, node.step) if one is not None)


def _from_tensor(node: ast.expr, scope: Scope) -> bool:
    if scope.is_tensor(node):
        return True
    return (
        scope.called(node) == "builtins.int"
        and isinstance(node, ast.Call)
        and any(scope.is_tensor(one) for one in node.args)
    )


def _wide_dtype(node: ast.Attribute, scope: Scope) -> bool:
    name = scope.external(node)
    return name.startswith("mindspore.") and name.rpartition(".")[2] in WIDE


RULES = (
    GraphRule(
        "branch-types",
        Level.REFUSED,
        "a branch on a Tensor gives values of different types",
        "both ways are compiled into one value, which must have one type",
        "give the same type on both ways: a Tensor of the same dtype",
        nodes=(ast.If,),
        fits=_branches_differ,
    ),
    GraphRule(
        "branch-text",
        Level.REFUSED,
        "a branch on a Tensor chooses a text",
        "the device has no texts",
        "choose a number",
        nodes=(ast.If,),
        fits=_branches_text,
    ),
    GraphRule(
        "branch-text-returned",
        Level.CHANGED,
        "a branch on a Tensor returns a text",
        "the device has no texts: another value comes back",
        "return a number",
        nodes=(ast.If,),
        fits=_returns_texts,
    ),
    GraphRule(
        "loop-list",
        Level.REFUSED,
        "a while loop that fills or empties the list that it asks for",
        "the loop is compiled once, for one length",
        "loop with `for` over the list",
        nodes=(ast.While,),
        fits=_loops_over_own_list,
    ),
    GraphRule(
        "branch-list",
        Level.REFUSED,
        "a branch on a Tensor chooses a list",
        "both ways are compiled into one value, which must have one length",
        "choose between Tensors, with the same number of them on both ways",
        nodes=(ast.If,),
        fits=_branches_list,
    ),
    GraphRule(
        "branch-none",
        Level.FALLBACK,
        "a branch on a Tensor gives None or a Tensor",
        "the step goes back to Python for it; the strict syntax refuses it",
        "give a Tensor on both ways",
        nodes=(ast.If,),
        fits=_branches_give_none,
    ),
    GraphRule(
        "loop-types",
        Level.REFUSED,
        "a loop on a Tensor changes the type of a name",
        "the loop is compiled once, for one type",
        "begin with a Tensor of the dtype that the loop gives",
        nodes=(ast.While,),
        fits=_loop_changes_kind,
    ),
    GraphRule(
        "loop-grows",
        Level.REFUSED,
        "a loop on a Tensor makes a Tensor longer and longer",
        "the loop is compiled once, for one shape",
        "make the whole Tensor before, and write into its rows",
        nodes=(ast.While,),
        fits=_loop_grows,
    ),
    GraphRule(
        "range",
        Level.REFUSED,
        "range of a Tensor",
        "the compiler takes numbers there",
        "write `range(int(n))`, a `while` loop on the Tensor, or pass a number",
        nodes=(ast.Call,),
        fits=_range_of_tensor,
    ),
    GraphRule(
        "item-by-tensor",
        Level.FALLBACK,
        "an item of a list is chosen by a Tensor",
        "the step goes back to Python for it; the strict syntax refuses it",
        "stack the items, and index the Tensor",
        nodes=(ast.Subscript,),
        fits=_list_item_by_tensor,
    ),
    GraphRule(
        "tensor-of-tensor",
        Level.FALLBACK,
        "a Tensor is made of Tensors",
        "the step goes back to Python for it; the strict syntax refuses it",
        "use `ops.stack`, `ops.concat` or `astype`",
        nodes=(ast.Call,),
        fits=_tensor_of_tensor,
    ),
    GraphRule(
        "dynamic-shape",
        Level.ADVICE,
        "the shape depends on values",
        "an Ascend compiles operators anew for shapes that it has not seen, or waits for the host",
        "keep the shape, and weigh with a mask: `ops.where`, `ops.select`",
        nodes=(ast.Call, ast.Subscript),
        fits=_dynamic_shape,
    ),
    GraphRule(
        "dynamic-slice",
        Level.ADVICE,
        "a slice depends on a Tensor",
        "an Ascend compiles operators anew for shapes that it has not seen, or waits for the host",
        "pass the bound as a number, or mask what lies beyond it",
        nodes=(ast.Slice,),
        fits=_dynamic_slice,
    ),
    GraphRule(
        "wide-dtype",
        Level.ADVICE,
        "float64 or complex numbers",
        "many operators of an Ascend have no such kernel, and others run on its CPU",
        "use float32",
        nodes=(ast.Attribute,),
        fits=_wide_dtype,
    ),
)
