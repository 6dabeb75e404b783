"""Side effects of compiled code: they happen once, while compiling, or not at all."""

import ast

from msbridge.dropin.release_guess.nodes import walk
from msbridge.scan.findings import Level
from msbridge.scan.graph.rules.rule import GraphRule
from msbridge.scan.graph.scope import Scope, attribute_kind, is_assigned, registers_by_name
from msbridge.scan.project import Class, External, Value

__all__ = ["RULES"]

LIST_METHODS = {"append", "extend", "insert", "remove", "reverse", "sort"}
OTHER_METHODS = {
    "add",
    "clear",
    "discard",
    "pop",
    "popitem",
    "setdefault",
    "update",
}  # of dicts, sets and lists, and of others
CHANGING = {
    "copy_",
    "fill_",
    "zero_",
    "add_",
    "sub_",
    "mul_",
    "div_",
    "clamp_",
    "masked_fill_",
    "index_add_",
    "scatter_",
    "exp_",
}
RANDOM = ("random.", "numpy.random.", "secrets.", "uuid.")
CLOCKS = ("time.", "datetime.datetime.now", "datetime.datetime.today", "datetime.date.today")
OUTSIDE = ("logging.", "warnings.", "subprocess.", "shutil.", "numpy.save")
DUMPS = {"pickle.dump", "json.dump", "builtins.open", "builtins.input"}
LOGS = {"debug", "info", "warning", "error", "critical", "exception", "log"}
CHANGED_OUTSIDE = {"makedirs", "mkdir", "remove", "rename", "system", "rmdir", "unlink", "putenv"}


def _base(node: ast.expr) -> ast.expr:
    """Return the expression before all items and attributes: `a` of `a[0].b[1]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _targets(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> list[ast.expr]:
    found = list(node.targets) if isinstance(node, ast.Assign) else [node.target]
    return [one for each in found for one in (each.elts if isinstance(each, ast.Tuple | ast.List) else [each])]


def _container(node: ast.expr, scope: Scope) -> bool:
    """Whether an expression is a list, dict or set, as far as it is known; Parameters and Tensors are none."""
    return scope.kind(node).name in ("list", "dict", "set", "", "argument")


def _is_of_outside(node: ast.expr, scope: Scope) -> bool:
    """Whether a name is that of a value outside of the function: of the file, or of the function around."""
    if not isinstance(node, ast.Name) or scope.is_self(node) or scope.is_own(node.id):
        return False
    return scope.is_local(node.id) or isinstance(scope.module.lookup(node.id), Value)


def _changes_attribute_item(node: ast.Assign | ast.AugAssign | ast.AnnAssign, scope: Scope) -> bool:
    places = [_base(one) for one in _targets(node) if isinstance(one, ast.Subscript)]
    return any(scope.own_attribute(one) and scope.kind(one).name in ("list", "dict", "tensor") for one in places)


def _changes_attribute_array(node: ast.Assign | ast.AugAssign | ast.AnnAssign, scope: Scope) -> bool:
    places = [_base(one) for one in _targets(node) if isinstance(one, ast.Subscript)]
    return any(scope.own_attribute(one) and scope.kind(one).name == "numpy" for one in places)


def _changes_outer_item(node: ast.Assign | ast.AugAssign | ast.AnnAssign, scope: Scope) -> bool:
    places = [_base(one) for one in _targets(node) if isinstance(one, ast.Subscript)]
    return any(_is_of_outside(one, scope) and scope.kind(one).name != "parameter" for one in places)


def _changes_attribute_by_method(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    if not isinstance(func, ast.Attribute) or not scope.own_attribute(func.value):
        return False
    name = scope.kind(func.value).name
    return (func.attr in LIST_METHODS and name in ("list", "")) or (
        func.attr in OTHER_METHODS and name in ("list", "dict", "set")
    )


def _changes_outer_by_method(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    if not isinstance(func, ast.Attribute) or not _is_of_outside(func.value, scope):
        return False
    name = scope.kind(func.value).name
    return (func.attr in LIST_METHODS and name in ("list", "")) or (
        func.attr in OTHER_METHODS and name in ("list", "dict", "set")
    )


def _is_argument(node: ast.expr, scope: Scope) -> bool:
    return scope.is_alias(node)


def _changes_argument_by_method(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    if not isinstance(func, ast.Attribute) or not _is_argument(func.value, scope):
        return False
    return func.attr in LIST_METHODS and scope.kind(func.value).name in ("list", "", "argument")


def _changes_argument_item(node: ast.Assign | ast.AugAssign | ast.AnnAssign, scope: Scope) -> bool:
    places = [_base(one) for one in _targets(node) if isinstance(one, ast.Subscript)]
    return scope.is_entry and not _has_text_key(node) and any(_is_argument(one, scope) for one in places)


def _has_text_key(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> bool:
    keys = [one.slice for one in _targets(node) if isinstance(one, ast.Subscript)]
    return any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in keys)


def _changes_argument_key(node: ast.Assign | ast.AugAssign | ast.AnnAssign, scope: Scope) -> bool:
    places = [_base(one) for one in _targets(node) if isinstance(one, ast.Subscript)]
    return scope.is_entry and _has_text_key(node) and any(_is_argument(one, scope) for one in places)


def _changes_argument_in_place(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    return (
        scope.is_entry and isinstance(func, ast.Attribute) and func.attr in CHANGING and _is_argument(func.value, scope)
    )


def _writes_view(node: ast.Assign | ast.AugAssign | ast.AnnAssign, scope: Scope) -> bool:
    places = [_base(one) for one in _targets(node) if isinstance(one, ast.Subscript)]
    kinds = [scope.kind(one) for one in places if isinstance(one, ast.Name)]
    wholes = {kind.target for kind in kinds if kind.detail == "view"}
    reads = scope.module.compute_once(scope.node, _last_reads) if wholes else {}
    return any(reads.get(one, 0) > node.lineno for one in wholes)


def _last_reads(function: ast.AST) -> dict[str, int]:
    """Return the last line in which a function reads each name."""
    last_lines: dict[str, int] = {}
    for one in walk(function):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            last_lines[one.id] = max(one.lineno, last_lines.get(one.id, 0))
    return last_lines


def _sorts(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    return isinstance(func, ast.Attribute) and func.attr in ("sort", "remove") and scope.kind(func.value).name == "list"


def _writes_attribute(node: ast.Assign | ast.AugAssign | ast.AnnAssign, scope: Scope) -> bool:
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return False
    return any(_is_plain_attribute(one, scope) for one in _targets(node))


def _is_plain_attribute(node: ast.expr, scope: Scope) -> bool:
    if not isinstance(node, ast.Attribute):
        return False
    if isinstance(node.value, ast.Name) and isinstance(scope.target(node.value), Class):
        return True
    name = scope.own_attribute(node)
    if not name or scope.owner is None:
        return False
    if scope.owner.is_cell and attribute_kind(scope.owner, name).name == "parameter":
        return False
    return is_assigned(scope.owner, name) or not registers_by_name(scope.owner)


def _writes_deep_attribute(node: ast.Assign | ast.AugAssign | ast.AnnAssign, scope: Scope) -> bool:
    inner = [one.value for one in _targets(node) if isinstance(one, ast.Attribute) and scope.own_attribute(one.value)]
    return any(scope.kind(one).name not in ("object", "tensor", "parameter") for one in inner)


def _calls(prefixes: tuple[str, ...], node: ast.Call, scope: Scope) -> bool:
    name = scope.callee_name(node)
    return bool(name) and name.startswith(prefixes)


def _draws(node: ast.Call, scope: Scope) -> bool:
    if _calls(RANDOM, node, scope):
        return True
    func = node.func
    if isinstance(func, ast.Attribute):  # a generator of the file or of self
        kind = (
            scope.module.lookup(func.value.id)
            if isinstance(func.value, ast.Name) and not scope.is_local(func.value.id)
            else None
        )
        if isinstance(kind, Value) and isinstance(kind.node, ast.Call):
            made = kind.module.resolve(kind.node.func)
            return isinstance(made, External) and made.name.startswith(RANDOM)
    return False


def _acts_outside(node: ast.Call, scope: Scope) -> bool:
    name = scope.callee_name(node)
    func = node.func
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.attr in LOGS:
        made = scope.module.lookup(func.value.id) if not scope.is_local(func.value.id) else None
        if isinstance(made, Value) and isinstance(made.node, ast.Call):
            return scope.module.resolve(made.node.func) == External("logging.getLogger")
    return (
        name in DUMPS
        or name.startswith(OUTSIDE)
        or (name.startswith("os.") and name.rpartition(".")[2] in CHANGED_OUTSIDE)
    )


WRITES = (ast.Assign, ast.AugAssign, ast.AnnAssign)
ONCE = "it happens once, while the network is compiled, not in every step"
LOST = "the change is made to the compiler's copy and lost: the next step sees the old content"

RULES = (
    GraphRule(
        "global",
        Level.CHANGED,
        "a global name is written",
        LOST,
        "return the value, or keep it in a Parameter and assign to that",
        nodes=WRITES,
        fits=lambda node, scope: any(isinstance(one, ast.Name) and one.id in scope.globals for one in _targets(node)),
    ),
    GraphRule(
        "attribute-content",
        Level.CHANGED,
        "an item of a list, dict or Tensor of `self` is assigned",
        LOST,
        "return the value, or keep it in a Parameter and assign to that",
        nodes=WRITES,
        fits=_changes_attribute_item,
    ),
    GraphRule(
        "attribute-method",
        Level.CHANGED,
        "a list or dict of `self` is changed by a method",
        LOST,
        "return the value, or keep it in a Parameter and assign to that",
        nodes=(ast.Call,),
        fits=_changes_attribute_by_method,
    ),
    GraphRule(
        "outer-content",
        Level.CHANGED,
        "an item of a list, dict or Tensor from outside the function is assigned",
        LOST,
        "return the value from the function",
        nodes=WRITES,
        fits=_changes_outer_item,
    ),
    GraphRule(
        "outer-method",
        Level.CHANGED,
        "a list or dict from outside the function is changed by a method",
        LOST,
        "return the value from the function",
        nodes=(ast.Call,),
        fits=_changes_outer_by_method,
    ),
    GraphRule(
        "argument-method",
        Level.CHANGED,
        "a list that was passed in is changed",
        "the caller's list stays unchanged",
        "return the new list, and assign it in the caller",
        nodes=(ast.Call,),
        fits=_changes_argument_by_method,
    ),
    GraphRule(
        "argument-item",
        Level.CHANGED,
        "an item of an argument is assigned",
        "the caller's Tensor or list stays unchanged",
        "work on a copy, and return it; eager mode changes the caller's object",
        nodes=WRITES,
        fits=_changes_argument_item,
    ),
    GraphRule(
        "argument-in-place",
        Level.CHANGED,
        "an argument is changed in place",
        "the result is read after all writes, so earlier results show them, too",
        "use the operator that returns a new Tensor",
        nodes=(ast.Call,),
        fits=_changes_argument_in_place,
    ),
    GraphRule(
        "argument-augmented",
        Level.CHANGED,
        "an argument is augmented",
        "`x += y` writes into the caller's Tensor, which eager mode leaves unchanged",
        "write `x = x + y`",
        nodes=(ast.AugAssign,),
        fits=lambda node, scope: scope.is_entry and _is_argument(node.target, scope) and scope.is_tensor(node.target),
    ),
    GraphRule(
        "view",
        Level.CHANGED,
        "an item of a slice of a Tensor is assigned",
        "the part is a copy, and the whole stays unchanged",
        "assign to the whole: `x[0, 1] = value`",
        nodes=WRITES,
        fits=_writes_view,
    ),
    GraphRule(
        "argument-key",
        Level.FALLBACK,
        "an item of a dict that was passed in is assigned",
        "the step falls back to Python; with the strict syntax, the caller's dict stays unchanged",
        "return the value",
        nodes=WRITES,
        fits=_changes_argument_key,
    ),
    GraphRule(
        "list-in-place",
        Level.CHANGED,
        "a list is sorted in place, or an item is removed by its value",
        "the list stays unchanged",
        "write `parts = sorted(parts)`, or a comprehension of the remaining items",
        nodes=(ast.Call,),
        fits=_sorts,
    ),
    GraphRule(
        "attribute",
        Level.FALLBACK,
        "an attribute is written that is not a Parameter",
        "the step falls back to Python; the strict syntax refuses it",
        "return the value, or make the attribute a Parameter in `__init__`",
        nodes=WRITES,
        fits=_writes_attribute,
    ),
    GraphRule(
        "attribute-array",
        Level.FALLBACK,
        "an item of a numpy array of `self` is assigned",
        "the step falls back to Python; the strict syntax refuses it",
        "make it a Parameter in `__init__`, and assign to that",
        nodes=WRITES,
        fits=_changes_attribute_array,
    ),
    GraphRule(
        "setattr",
        Level.FALLBACK,
        "an attribute is set by its name",
        "the step falls back to Python; the strict syntax refuses it",
        "return the value, or make the attribute a Parameter in `__init__` and assign to it",
        nodes=(ast.Call,),
        fits=lambda node, scope: scope.callee_name(node) in ("builtins.setattr", "builtins.delattr"),
    ),
    GraphRule(
        "deep-attribute",
        Level.REFUSED,
        "an attribute of an attribute is written",
        "the compiler looks for it in the wrong object",
        "give the inner Cell a method that assigns, or pass the value as an argument",
        nodes=WRITES,
        fits=_writes_deep_attribute,
    ),
    GraphRule(
        "random",
        Level.CHANGED,
        "a random number of Python or numpy",
        "it is drawn once, while the network is compiled: every step gets the same number",
        "draw with mindspore.ops (`ops.uniform`, `ops.dropout`), or pass the number as an argument",
        nodes=(ast.Call,),
        fits=_draws,
    ),
    GraphRule(
        "clock",
        Level.CHANGED,
        "the time is read",
        ONCE,
        "measure around the call of the network",
        nodes=(ast.Call,),
        fits=lambda node, scope: _calls(CLOCKS, node, scope),
    ),
    GraphRule(
        "outside",
        Level.CHANGED,
        "a file, a log or another process",
        ONCE,
        "do it outside the compiled code; `print` of Tensors works in it",
        nodes=(ast.Call,),
        fits=_acts_outside,
    ),
)
