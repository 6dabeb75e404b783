"""Values that depend on Tensors: what branches and loops may make of them, and which shapes and dtypes cost."""

import ast

from msbridge.scan.findings import Level
from msbridge.scan.graph.branch import Branch
from msbridge.scan.graph.rules.rule import GraphRule
from msbridge.scan.graph.scope import Scope
from msbridge.scan.graph.value_kinds import NUMBERS, ValueKind

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


def _differ(one: ValueKind, other: ValueKind) -> bool:
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


def _branches_differ(branch: Branch, scope: Scope) -> bool:
    if any(_differ(one, other) for one, other in branch.joined):
        return True
    return any({one.name, other.name} == {"int", "float"} for one, other in branch.returned)


def _loops_over_own_list(node: ast.While, scope: Scope) -> bool:
    asked = {one.id for one in ast.walk(node.test) if isinstance(one, ast.Name) and scope.kind(one).name == "list"}
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    changed = {
        ast.unparse(one.value) for one in calls if isinstance(one, ast.Attribute) and one.attr in ("pop", "append")
    }
    return bool(asked & changed)


def _branches_give_none(branch: Branch, scope: Scope) -> bool:
    return any({one.name, other.name} in ({"none", "tensor"}, {"none", "parameter"}) for one, other in branch.joined)


def _loop_changes_kind(node: ast.While, scope: Scope) -> bool:
    if not scope.is_tensor(node.test):
        return False
    after = scope.after(node.body)
    return any(_differ(scope.env[name], kind) for name, kind in after.items() if name in scope.env)


def _grows(node: ast.AST, scope: Scope) -> bool:
    if (
        not isinstance(node, ast.Assign)
        or not isinstance(node.value, ast.Call)
        or not isinstance(node.targets[0], ast.Name)
    ):
        return False
    name = node.targets[0].id
    called = scope.callee_name(node.value)
    mentioned = {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
    return called.startswith("mindspore.") and called.rpartition(".")[2] in GROWING and name in mentioned


def _range_of_tensor(node: ast.Call, scope: Scope) -> bool:
    return scope.callee_name(node) == "builtins.range" and any(scope.is_tensor(one) for one in node.args)


def _tensor_of_tensor(node: ast.Call, scope: Scope) -> bool:
    if scope.callee_name(node) not in ("mindspore.Tensor", "mindspore.tensor") or not node.args:
        return False
    first = node.args[0]
    parts = first.elts if isinstance(first, ast.List | ast.Tuple) else [first]
    return any(scope.is_tensor(one) for one in parts)


def _dynamic_shape(node: ast.AST, scope: Scope) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Compare) and scope.is_tensor(node.slice) and isinstance(node.ctx, ast.Load)
    called = scope.callee_name(node)
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
        scope.callee_name(node) == "builtins.int"
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
        "a branch on a Tensor yields values of different types",
        "both branches are compiled into one value, which must have one type",
        "return the same type in both branches: a Tensor of the same dtype",
        nodes=(Branch,),
        fits=_branches_differ,
    ),
    GraphRule(
        "branch-text",
        Level.REFUSED,
        "a branch on a Tensor chooses a string",
        "the device has no strings",
        "choose a number",
        nodes=(Branch,),
        fits=lambda branch, _: any(one.name == other.name == "str" for one, other in branch.assigned),
    ),
    GraphRule(
        "branch-text-returned",
        Level.CHANGED,
        "a branch on a Tensor returns a string",
        "the device has no strings: another value is returned",
        "return a number",
        nodes=(Branch,),
        fits=lambda branch, _: any(one.name == other.name == "str" for one, other in branch.returned),
    ),
    GraphRule(
        "loop-list",
        Level.REFUSED,
        "a while loop that changes the length of the list in its condition",
        "the loop is compiled once, for one length",
        "loop with `for` over the list",
        nodes=(ast.While,),
        fits=_loops_over_own_list,
    ),
    GraphRule(
        "branch-list",
        Level.REFUSED,
        "a branch on a Tensor chooses a list",
        "both branches are compiled into one value, which must have one length",
        "choose between Tensors, with the same number of them in both branches",
        nodes=(Branch,),
        fits=lambda branch, _: any(one.name == other.name == "list" for one, other in branch.assigned),
    ),
    GraphRule(
        "branch-none",
        Level.FALLBACK,
        "a branch on a Tensor yields None or a Tensor",
        "the step falls back to Python; the strict syntax refuses it",
        "return a Tensor in both branches",
        nodes=(Branch,),
        fits=_branches_give_none,
    ),
    GraphRule(
        "loop-types",
        Level.REFUSED,
        "a loop on a Tensor changes the type of a name",
        "the loop is compiled once, for one type",
        "start with a Tensor of the dtype that the loop computes",
        nodes=(ast.While,),
        fits=_loop_changes_kind,
    ),
    GraphRule(
        "loop-grows",
        Level.REFUSED,
        "a loop on a Tensor makes a Tensor longer in each pass",
        "the loop is compiled once, for one shape",
        "make the whole Tensor first, and write into its rows",
        nodes=(ast.While,),
        fits=lambda node, scope: scope.is_tensor(node.test) and any(_grows(one, scope) for one in ast.walk(node)),
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
        "the step falls back to Python; the strict syntax refuses it",
        "stack the items, and index the Tensor",
        nodes=(ast.Subscript,),
        fits=lambda node, scope: scope.kind(node.value).name in ("list", "tuple") and scope.is_tensor(node.slice),
    ),
    GraphRule(
        "tensor-of-tensor",
        Level.FALLBACK,
        "a Tensor is made of Tensors",
        "the step falls back to Python; the strict syntax refuses it",
        "use `ops.stack`, `ops.concat` or `astype`",
        nodes=(ast.Call,),
        fits=_tensor_of_tensor,
    ),
    GraphRule(
        "dynamic-shape",
        Level.ADVICE,
        "the shape depends on values",
        "an Ascend compiles operators again for new shapes, or waits for the host",
        "keep the shape, and use a mask: `ops.where`, `ops.select`",
        nodes=(ast.Call, ast.Subscript),
        fits=_dynamic_shape,
    ),
    GraphRule(
        "dynamic-slice",
        Level.ADVICE,
        "a slice depends on a Tensor",
        "an Ascend compiles operators again for new shapes, or waits for the host",
        "pass the bound as a number, or mask what is beyond it",
        nodes=(ast.Slice,),
        fits=_dynamic_slice,
    ),
    GraphRule(
        "wide-dtype",
        Level.ADVICE,
        "float64 or complex numbers",
        "many operators of an Ascend have no kernel for it, and others run on its CPU",
        "use float32",
        nodes=(ast.Attribute,),
        fits=_wide_dtype,
    ),
)
