"""Layers that write into their input in torch: what else has that Tensor gets the result as well."""

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from msbridge.translate.walker import Walker

__all__ = ["rewrite", "writing_layers"]

Function = ast.FunctionDef | ast.AsyncFunctionDef


def writing_layers(node: ast.ClassDef) -> dict[str, bool]:
    """Return the attributes of a class that write into their input, and whether that is all that they do."""
    layers = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call):
            name = ast.unparse(each.targets[0])
            first = each.value.args[0] if each.value.args else None
            if name.startswith("self.") and _writes(each.value):
                layers[name] = True
            elif name.startswith("self.") and ast.unparse(each.value.func).endswith("Sequential") and _writes(first):
                layers[name] = False
    return layers


def _writes(node: ast.expr | None) -> bool:
    """Whether an expression is a layer, or a function's call, that writes into its input."""
    if not isinstance(node, ast.Call) or "ropout" in ast.unparse(node.func):
        return False
    is_said = any(one.arg == "inplace" and ast.unparse(one.value) == "True" for one in node.keywords)
    is_first = ast.unparse(node.func).endswith((".ReLU", ".ReLU6", ".SiLU")) and [*map(ast.unparse, node.args)] == [
        "True"
    ]
    return is_said or is_first


def rewrite(walker: "Walker", function: Function, layers: dict[str, bool]) -> None:
    """Assign what is written in place to every name of the input that is read again, or mark it."""
    context, text = walker.context, walker.context.text
    names = [one for one in ast.walk(function) if isinstance(one, ast.Name)]
    for statement in (one for one in ast.walk(function) if isinstance(one, ast.Assign | ast.Return | ast.AugAssign)):
        for call in (one for one in ast.walk(statement) if isinstance(one, ast.Call)):
            written = ast.unparse(call.func)
            is_function = _writes(call) and bool(context.bound.path(call.func)) and isinstance(call.func, ast.Attribute)
            is_function = is_function and not written.rpartition(".")[2][:1].isupper()
            if not (call.args and isinstance(call.args[0], ast.Name) and (written in layers or is_function)):
                continue
            again = _read_again(names, function, statement, call.args[0])
            if not again:
                continue
            is_whole = isinstance(statement, ast.Assign) and statement.value is call
            if is_whole and (is_function or layers[written]):
                text.insert_before(text.start(call), "".join(f"{name} = " for name in again))
                context.statement = statement
                context.note_rewritten(call, "torch writes the result into the input, too")
            else:
                context.statement = statement
                context.mark(call, f"torch writes into `{', '.join(again)}` here, which is read again: assign it first")


def _read_again(names: list[ast.Name], function: Function, statement: ast.stmt, given: ast.Name) -> list[str]:
    """Return the names of an argument that are read behind a statement before they are assigned."""
    aliases = [given.id]
    for each in ast.walk(function):
        if isinstance(each, ast.Assign) and each.lineno < statement.lineno and ast.unparse(each.value) == given.id:
            between = each.lineno, statement.lineno
            kept = not any(_is_stored(one, given.id) and between[0] < one.lineno < between[1] for one in names)
            aliases += [one.id for one in each.targets if isinstance(one, ast.Name)] if kept else []
    stored = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    end = statement.end_lineno or statement.lineno
    again = []
    for name in dict.fromkeys(aliases):
        later = sorted((one for one in names if one.id == name and one.lineno > end), key=lambda one: one.lineno)
        is_read = bool(later) and any(isinstance(one.ctx, ast.Load) for one in later if one.lineno == later[0].lineno)
        if name not in stored and is_read:
            again.append(name)
    return again


def _is_stored(node: ast.Name, name: str) -> bool:
    return node.id == name and isinstance(node.ctx, ast.Store)
