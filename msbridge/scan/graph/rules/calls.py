"""Calls and attributes that only Python evaluates: refused, or passed back to it, which the strict syntax refuses."""

import ast

from msbridge.scan.findings import Level
from msbridge.scan.graph.rules.rule import GraphRule
from msbridge.scan.graph.scope import Scope

__all__ = ["RULES"]

# Methods that only texts have; and those that others have, too.
STRING_METHODS = {
    *("endswith", "isdigit", "lstrip", "removeprefix", "removesuffix", "rstrip", "splitlines", "startswith", "strip"),
    *("zfill",),
}  # fmt: skip
SHARED_STRING_METHODS = {
    *("capitalize", "center", "count", "encode", "find", "index", "isalpha", "join", "ljust", "partition", "replace"),
    *("rfind", "rjust", "rsplit", "split", "title"),
}  # fmt: skip
READS = {f"builtins.{name}" for name in ("dir", "exec", "globals", "hash", "id", "locals", "vars")}
ITERATORS = ("builtins.iter", "builtins.next")
CONTEXT = {
    *("get_auto_parallel_context", "get_context", "get_seed", "reset_auto_parallel_context"),
    *("set_auto_parallel_context", "set_context", "set_deterministic", "set_device", "set_seed"),
}  # fmt: skip
ONLY_PYTHON = ("json.", "pickle.", "yaml.", "einops.", "scipy.", "torch.")
WITH_TENSORS = ("math.", "numpy.", "copy.", "cmath.", "operator.index")
HIDDEN = {"__class__", "__dict__", "__module__", "__doc__"}
PARAMETER_METHODS = {"set_data", "name", "init_data", "set_dtype", "clone"}
SWITCHES = {"set_train", "set_grad", "to_float", "set_inputs", "add_flags", "update_parameters_name"}


def _reads_back(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    if not isinstance(func, ast.Attribute):
        return False
    base = scope.kind(func.value)
    if func.attr == "asnumpy":
        return True
    return func.attr in ("tolist", "numpy") and (base.is_tensor or base.name == "argument")


def _formats_tensor(node: ast.JoinedStr, scope: Scope) -> bool:
    return not scope.is_raising and any(
        isinstance(one, ast.FormattedValue) and scope.is_tensor(one.value) for one in node.values
    )


def _format_call(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    is_format = isinstance(func, ast.Attribute) and func.attr == "format" and scope.kind(func.value).name == "str"
    return (
        is_format
        and not scope.is_raising
        and any(scope.is_tensor(one) for one in (*node.args, *(one.value for one in node.keywords)))
    )


def _percent(node: ast.BinOp, scope: Scope) -> bool:
    return isinstance(node.op, ast.Mod) and not scope.is_raising and scope.kind(node.left).name == "str"


def _string_method(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    if not isinstance(func, ast.Attribute) or scope.target(func) is not None or scope.is_raising:
        return False
    return func.attr in STRING_METHODS or (func.attr in SHARED_STRING_METHODS and scope.kind(func.value).name == "str")


def _length_of_text(node: ast.Call, scope: Scope) -> bool:
    return scope.callee_name(node) == "builtins.len" and len(node.args) == 1 and scope.kind(node.args[0]).name == "str"


def _all_of_computed(node: ast.Call, scope: Scope) -> bool:
    if scope.callee_name(node) not in ("builtins.all", "builtins.any") or not node.args:
        return False
    return isinstance(node.args[0], ast.GeneratorExp | ast.ListComp) or scope.is_tensor(node.args[0])


def _type_of_tensor(node: ast.Call, scope: Scope) -> bool:
    if scope.is_raising:
        return False
    return scope.callee_name(node) == "builtins.type" and len(node.args) == 1 and scope.is_tensor(node.args[0])


def _asks_context(node: ast.Call, scope: Scope) -> bool:
    name = scope.callee_name(node)
    return name.startswith("mindspore.") and name.rpartition(".")[2] in CONTEXT


def _python_of_tensor(node: ast.Call, scope: Scope) -> bool:
    if not scope.callee_name(node).startswith(WITH_TENSORS) or scope.callee_name(node).startswith("numpy.random."):
        return False
    return any(scope.is_tensor(one) for one in node.args)


def _switches(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    return (
        isinstance(func, ast.Attribute)
        and func.attr in SWITCHES
        and (scope.is_self(func.value) or scope.kind(func.value).name in ("cell", "parameter"))
    )


def _list_method(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    if not isinstance(func, ast.Attribute):
        return False
    name = scope.kind(func.value).name
    if name == "dict":
        return func.attr in ("pop", "popitem", "copy") and not _takes_out_of_keywords(node, scope)
    return name == "list" and func.attr == "copy"


def _prints_bool(node: ast.Call, scope: Scope) -> bool:
    return scope.callee_name(node) == "builtins.print" and any(scope.kind(one).name == "bool" for one in node.args)


def _takes_out_of_keywords(node: ast.Call, scope: Scope) -> bool:
    func = node.func
    variable = scope.node.args.kwarg
    if not isinstance(func, ast.Attribute) or variable is None or func.attr not in ("pop", "popitem"):
        return False
    return isinstance(func.value, ast.Name) and func.value.id == variable.arg


def _setdefault(node: ast.Call, scope: Scope) -> bool:
    return (
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "setdefault"
        and scope.kind(node.func.value).name in ("dict", "")
    )


BACK = "the step falls back to Python, which is slow; the strict syntax refuses it"

RULES = (
    GraphRule(
        "asnumpy",
        Level.FALLBACK,
        "a Tensor is read back to Python",
        BACK,
        "compute with the Tensor itself; otherwise the host waits for the device",
        nodes=(ast.Call,),
        fits=_reads_back,
    ),
    GraphRule(
        "print-keywords",
        Level.REFUSED,
        "print with keywords",
        "compiled code prints its arguments and nothing else",
        "leave `end`, `sep`, `file` and `flush` out",
        nodes=(ast.Call,),
        fits=lambda node, scope: scope.callee_name(node) == "builtins.print" and bool(node.keywords),
    ),
    GraphRule(
        "print-bool",
        Level.CHANGED,
        "a bool is printed",
        "it is printed as 0 or 1",
        "print a text",
        nodes=(ast.Call,),
        fits=_prints_bool,
    ),
    GraphRule(
        "max-key",
        Level.REFUSED,
        "max or min with keywords",
        "the compiler takes values only",
        "write a loop, or use `sorted`",
        nodes=(ast.Call,),
        fits=lambda node, scope: scope.callee_name(node) in ("builtins.max", "builtins.min") and bool(node.keywords),
    ),
    GraphRule(
        "parameter-method",
        Level.REFUSED,
        "the name of a Parameter, or a method that sets it",
        "the compiler refuses these attributes",
        "assign to the Parameter (`self.w = value`), or use ops.assign; keep names in `__init__`",
        nodes=(ast.Attribute,),
        fits=lambda node, scope: node.attr in PARAMETER_METHODS and scope.kind(node.value).name == "parameter",
    ),
    GraphRule(
        "format-tensor",
        Level.FALLBACK,
        "a Tensor is formatted",
        "the device has not computed the value yet; " + BACK,
        'print it as an argument of its own: `print("loss", loss)`',
        nodes=(ast.JoinedStr,),
        fits=_formats_tensor,
    ),
    GraphRule(
        "format-call",
        Level.FALLBACK,
        "a Tensor is formatted by a method",
        "the device has not computed the value yet; " + BACK,
        'print it as an argument of its own: `print("loss", loss)`',
        nodes=(ast.Call,),
        fits=_format_call,
    ),
    GraphRule(
        "percent",
        Level.FALLBACK,
        "a string formatted with %",
        BACK,
        "write an f-string of constants",
        nodes=(ast.BinOp,),
        fits=_percent,
    ),
    GraphRule(
        "text-method",
        Level.FALLBACK,
        "a string method",
        BACK,
        "decide in `__init__`, and keep a number or a flag",
        nodes=(ast.Call,),
        fits=_string_method,
    ),
    GraphRule(
        "text-length",
        Level.FALLBACK,
        "the length of a string",
        BACK,
        "keep the number in `__init__`",
        nodes=(ast.Call,),
        fits=_length_of_text,
    ),
    GraphRule(
        "text-loop",
        Level.FALLBACK,
        "a loop over a string",
        BACK,
        "loop over a tuple of letters",
        nodes=(ast.For,),
        fits=lambda node, scope: scope.kind(node.iter).name == "str",
    ),
    GraphRule(
        "python-builtin",
        Level.FALLBACK,
        "a builtin that only Python has",
        BACK,
        "do it in `__init__`, or outside",
        nodes=(ast.Call,),
        fits=lambda node, scope: scope.callee_name(node) in READS,
    ),
    GraphRule(
        "all-any",
        Level.FALLBACK,
        "Python's `all` or `any` on computed values",
        BACK,
        "write a loop, or join conditions with `and` and `or`; for a Tensor, use its methods",
        nodes=(ast.Call,),
        fits=_all_of_computed,
    ),
    GraphRule(
        "type-of-tensor",
        Level.FALLBACK,
        "the type of a Tensor is read",
        BACK,
        "write `isinstance(x, Tensor)`",
        nodes=(ast.Call,),
        fits=_type_of_tensor,
    ),
    GraphRule(
        "iterator",
        Level.REFUSED,
        "an iterator is made by hand",
        "the compiler knows neither `iter` nor `next`",
        "loop with `for`, or use an index",
        nodes=(ast.Call,),
        fits=lambda node, scope: scope.callee_name(node) in ITERATORS,
    ),
    GraphRule(
        "context",
        Level.REFUSED,
        "a MindSpore setting inside compiled code",
        "the compiler does not call these functions",
        "set it before the network is called, and read it in `__init__`",
        nodes=(ast.Call,),
        fits=_asks_context,
    ),
    GraphRule(
        "python-library",
        Level.FALLBACK,
        "a function of another library",
        BACK,
        "call it in `__init__`, or outside",
        nodes=(ast.Call,),
        fits=lambda node, scope: scope.callee_name(node).startswith(ONLY_PYTHON),
    ),
    GraphRule(
        "python-of-tensor",
        Level.FALLBACK,
        "a function of Python or numpy on a Tensor",
        BACK,
        "use the operator of mindspore.ops",
        nodes=(ast.Call,),
        fits=_python_of_tensor,
    ),
    GraphRule(
        "hidden-attribute",
        Level.FALLBACK,
        "a Python attribute of a Tensor",
        BACK,
        "write `isinstance(x, Tensor)`",
        nodes=(ast.Attribute,),
        fits=lambda node, scope: node.attr in HIDDEN and isinstance(node.ctx, ast.Load) and scope.is_tensor(node.value),
    ),
    GraphRule(
        "switch",
        Level.FALLBACK,
        "a Cell or Parameter is switched over",
        BACK,
        "do it before the network is called",
        nodes=(ast.Call,),
        fits=_switches,
    ),
    GraphRule(
        "dict-returned",
        Level.FALLBACK,
        "a dict is returned",
        "the strict syntax returns a tuple of its values",
        "return a tuple",
        nodes=(ast.Return,),
        fits=lambda node, scope: scope.is_entry and scope.kind(node.value).name == "dict" if node.value else False,
    ),
    GraphRule(
        "numpy-returned",
        Level.FALLBACK,
        "a numpy array is returned",
        BACK,
        "return a Tensor",
        nodes=(ast.Return,),
        fits=lambda node, scope: scope.is_entry and scope.kind(node.value).name == "numpy" if node.value else False,
    ),
    GraphRule(
        "container-method",
        Level.FALLBACK,
        "a method of lists or dicts that the compiler lacks",
        BACK,
        "use slices, `append`, `insert`, `pop` of lists; items, `get`, `keys`, `values` of dicts",
        nodes=(ast.Call,),
        fits=_list_method,
    ),
    GraphRule(
        "keywords-pop",
        Level.REFUSED,
        "keyword arguments are removed from their dict",
        "the compiler cannot change the dict of a call",
        'name the argument in the signature, or read it with `kwargs.get("name")`',
        nodes=(ast.Call,),
        fits=_takes_out_of_keywords,
    ),
    GraphRule(
        "setdefault",
        Level.REFUSED,
        "setdefault of a dict",
        "the item is not there afterwards",
        "write `if key not in d: d[key] = value`",
        nodes=(ast.Call,),
        fits=_setdefault,
    ),
)
