"""Repairs: the code that a finding of a comparison asks for, written into the expression that is at fault."""

import ast

from msbridge import ops
from msbridge.core.checks.stack_frames import Span
from msbridge.translate.edits import Text
from msbridge.verify.report.constructor_snippets import NAMES, ROOMS, parameters_of, plain

__all__ = ["code_of_setting", "repair"]

REST = "…"  # in code that a finding proposes: the arguments that stay


def repair(source: str, span: Span, code: str) -> str | None:
    """Return a source in which one expression is as a finding asks.

    Args:
        source: the text.
        span: the expression.
        code: what to use there: a whole call, `nn.GELU(approximate=False)`, one with the arguments that change,
            `nn.Conv2d(…, pad_mode='pad', padding=1)`, or a formula, `x * 0.125`.

    Returns:
        The text; None where the expression has another form.
    """
    there = _expression(ast.parse(source), span)
    wanted = ast.parse(code.replace(f"{REST}, ", "").replace(REST, ""), mode="eval").body
    text = Text(source)
    if isinstance(there, ast.Call) and isinstance(wanted, ast.Call):
        is_done = _change_call(text, there, wanted, is_whole=REST not in code)
    elif isinstance(there, ast.BinOp) and isinstance(wanted, ast.BinOp):
        is_done = _change_number(text, there, wanted)
    else:
        is_done = False
    return text.result() if is_done else None


def code_of_setting(source: str, span: Span, setting: str, value: object) -> str:
    """Return the call with a setting for `repair`, where a class of the file itself takes it as torch does; or ""."""
    tree = ast.parse(source)
    call = _expression(tree, span)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return ""
    name = call.func.id
    taken = _own_parameters(tree, name)
    parameter = next((one for one in NAMES.get(setting, (setting,)) if one in taken), "")
    return f"{name}({REST}, {plain(parameter, value)})" if parameter else ""


def _expression(tree: ast.Module, span: Span) -> ast.expr | None:
    wanted = span.first, span.start, span.last, span.end
    return next(
        (
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.expr)
            and (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) == wanted
        ),
        None,
    )


def _change_call(text: Text, there: ast.Call, wanted: ast.Call, is_whole: bool) -> bool:
    """Set the arguments of a call that are wanted, and its function."""
    is_other = _last_name(there.func) != _last_name(wanted.func)
    if is_other and is_whole:
        _put(text, there, ast.unparse(wanted))
        return True
    if is_other:
        _put(text, there.func, ast.unparse(wanted.func))
    names = _parameters(text.source, there, wanted)[_is_method(there.func) :]
    given = {one.arg: one.value for one in wanted.keywords if one.arg}
    if not given and not is_other:
        return False
    if "padding" not in given and isinstance(mode := given.get("pad_mode"), ast.Constant) and mode.value != "pad":
        given |= {"padding": ast.Constant(0)} if "padding" in {one.arg for one in there.keywords} else {}
    added = []
    for name, value in given.items():
        place = _argument(there, name, names)
        if place is not None:
            _put(text, place, ast.unparse(value))
        else:
            added.append(f"{name}={ast.unparse(value)}")
    if added:
        last = [*there.args, *(one.value for one in there.keywords)]
        end = max((text.end(one) for one in last), default=0)
        if end:
            text.insert(end, "".join(f", {one}" for one in added))
        else:
            text.insert(text.end(there) - 1, ", ".join(added))
    return True


def _parameters(source: str, there: ast.Call, wanted: ast.Call) -> list[str]:
    """Return the names of the parameters of what is called: a Cell's, a function's, or those of a class of the file."""
    names = [*parameters_of(_target(wanted.func))]
    if names or not isinstance(there.func, ast.Name):
        return names
    return _own_parameters(ast.parse(source), there.func.id)


def _own_parameters(tree: ast.Module, name: str) -> list[str]:
    """Return the parameters of the constructor of a class that a file defines."""
    made = next((one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == name), None)
    constructors = (
        one
        for one in (made.body if made is not None else ())
        if isinstance(one, ast.FunctionDef) and one.name == "__init__"
    )
    return [argument.arg for one in constructors for argument in (*one.args.args[1:], *one.args.kwonlyargs)]


def _argument(call: ast.Call, name: str, names: list[str]) -> ast.expr | None:
    """Return the value that a call passes for a parameter, by name or by position."""
    by_name = next((one.value for one in call.keywords if one.arg == name), None)
    if by_name is not None or name not in names:
        return by_name
    number = names.index(name)
    is_plain = not any(isinstance(one, ast.Starred) for one in call.args)
    return call.args[number] if is_plain and number < len(call.args) else None


def _change_number(text: Text, there: ast.BinOp, wanted: ast.BinOp) -> bool:
    """Set the number of a formula, where the operator is the one that is wanted."""
    number = next((one for one in (there.right, there.left) if _is_number(one)), None)
    if number is None or type(there.op) is not type(wanted.op) or not isinstance(wanted.right, ast.Constant):
        return False
    _put(text, number, ast.unparse(wanted.right))
    return True


def _is_number(node: ast.expr) -> bool:
    """Whether an expression consists of numbers only, such as `6 ** -0.5`."""
    kinds = ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop
    return all(isinstance(one, kinds) for one in ast.walk(node))


def _put(text: Text, node: ast.expr, code: str) -> None:
    text.replace(text.start(node), text.end(node), code)


def _last_name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_method(function: ast.expr) -> bool:
    """Whether a call is of a Tensor's method, whose first argument is before the name."""
    return isinstance(function, ast.Attribute) and ast.unparse(function.value) not in {*ROOMS, "ops", "mint"}


def _target(function: ast.expr) -> object:
    """Return the Cell or function of a dotted name as findings write it."""
    room, _, name = ast.unparse(function).rpartition(".")
    return getattr({**ROOMS, "ops": ops}.get(room), name, None)
