"""Calls of MindSpore: by a recipe read backwards where the text of the arguments is enough, else by a helper."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from msbridge.translate import helpers
from msbridge.translate.direction import TO_TORCH
from msbridge.translate.recipes import Recipe
from msbridge.translate.reverse import names
from msbridge.translate.reverse.inverses import constants_of, inverses_of, name_in_torch
from msbridge.translate.rewriting import apply

if TYPE_CHECKING:
    from msbridge.translate.reverse.walker import Walker

__all__ = ["visit"]


def visit(walker: "Walker", node: ast.Call, path: str) -> None:
    """Change a call."""
    context, text = walker.context, walker.text
    if handler := HANDLERS.get(path):
        handler(walker, node)
        return
    for recipe in inverses_of(path):
        prepared = _prepare(node, recipe, path)
        if prepared is not None and apply(walker, node, prepared):
            return
    if helpers.has(path, TO_TORCH):
        name = context.use_helper(path.rpartition(".")[2])
        context.rename(text.start(node.func), text.end(node.func), name)
    elif name := name_in_torch(path):
        context.rename(text.start(node.func), text.end(node.func), context.use(names.short(name)))
    elif inverses_of(path):
        context.mark(node, f"{path} has arguments here whose meaning the text does not show")
    else:
        context.mark(node, f"no counterpart of {path} is known")


def _prepare(node: ast.Call, recipe: Recipe, path: str) -> Recipe | None:
    """Return a recipe with the constants that this call has; None where they are others than the row's."""
    given = dict(zip(recipe.arguments, node.args, strict=False)) | {str(word.arg): word.value for word in node.keywords}
    only = {}
    for name, text in _constants(recipe, path).items():
        said = ast.unparse(given[name]) if name in given else recipe.defaults.get(name, "")
        if said.replace('"', "'") != text.replace('"', "'") and not _is_unpadded(name, said, given):
            return None
        if name in given:
            only[name] = said
    return replace(recipe, only=only)


def _constants(recipe: Recipe, path: str) -> Mapping[str, str]:
    target = recipe.target
    full = target.replace("F.", "torch.nn.functional.", 1) if target.startswith("F.") else target
    full = f"torch.{full}" if full.startswith("nn.") else f"torch.Tensor{full}" if full.startswith(".") else full
    return constants_of(path, full)


def _is_unpadded(name: str, said: str, given: Mapping[str, ast.expr]) -> bool:
    """Whether a mode of padding means none: what fits only, or a kernel of one."""
    if name != "pad_mode" or "padding" in given:
        return False
    is_one = "kernel_size" in given and ast.unparse(given["kernel_size"]) in ("1", "(1, 1)")
    return said == "'valid'" or (said == "'same'" and is_one)


def _replace(walker: "Walker", node: ast.AST, new: str, reason: str) -> None:
    walker.context.rewrite(walker.text.start(node), walker.text.end(node), new, reason)


def _words(node: ast.Call) -> dict[str, ast.expr]:
    return {str(word.arg): word.value for word in node.keywords}


def _tensor(walker: "Walker", node: ast.Call) -> None:
    """Tensor of values: of a Tensor, too."""
    words = _words(node)
    values = [*node.args, *(words[name] for name in ("input_data", "init") if name in words and not node.args)]
    dtype = words.get("dtype") or (node.args[1] if len(node.args) > 1 else None)
    if not node.args and {"init", "shape"} <= words.keys():
        parts = [walker.text.of(words[name]) for name in ("init", "shape", "dtype") if name in words]
        _replace(walker, node, f"{walker.context.use_helper('initializer')}({', '.join(parts)})", "a filled Tensor")
        return
    if not values or "shape" in words:
        walker.context.mark(node, "a Tensor of a shape: write torch.zeros, or what fills it")
        return
    rest = f", dtype={walker.text.of(dtype)}" if dtype is not None else ""
    new = f"{walker.context.use('torch')}.as_tensor({walker.text.of(values[0])}{rest})"
    _replace(walker, node, new, "Tensor → torch.as_tensor")


def _parameter(walker: "Walker", node: ast.Call) -> None:
    """A Parameter without a name: torch's names are where it is."""
    context, text, words = walker.context, walker.text, _words(node)
    values = [*node.args, *([words["default_input"]] if "default_input" in words else [])]
    requires = words.get("requires_grad") or (node.args[2] if len(node.args) > 2 else None)
    if not values or isinstance(values[0], ast.Starred):
        context.mark(node, "a Parameter needs a value")
        return
    is_tensor = isinstance(values[0], ast.Call) and bool(walker.path(values[0].func))
    rest = f", requires_grad={text.of(requires)}" if requires is not None else ""
    name = context.use("nn.Parameter") if is_tensor else context.use_helper("Parameter")
    _replace(walker, node, f"{name}({text.of(values[0])}{rest})", "a Parameter has no name of its own")


def _sequential(walker: "Walker", node: ast.Call) -> None:
    """Layers in sequence: given one by one, or as a list."""
    context, text = walker.context, walker.text
    name = context.use("nn.Sequential")
    if len(node.args) == 1 and isinstance(node.args[0], ast.List | ast.ListComp):
        _replace(walker, node, f"{name}(*{text.of(node.args[0])})", "SequentialCell → Sequential")
        return
    is_one = len(node.args) == 1 and not isinstance(node.args[0], ast.Starred)
    is_ordered = is_one and "OrderedDict" in ast.unparse(node.args[0]).partition("(")[0]
    is_layer = is_one and isinstance(node.args[0], ast.Call) and bool(walker.path(node.args[0].func))
    written = name if not is_one or is_ordered or is_layer else context.use_helper("SequentialCell")
    context.rename(text.start(node.func), text.end(node.func), written)


def _list(walker: "Walker", node: ast.Call) -> None:
    """Cells in a list: given one by one, or as one."""
    context, text = walker.context, walker.text
    name = context.use("nn.ModuleList")
    if len(node.args) > 1 or any(isinstance(one, ast.Starred) for one in node.args):
        _replace(walker, node, f"{name}([{', '.join(text.of(one) for one in node.args)}])", "CellList → ModuleList")
    else:
        context.rename(text.start(node.func), text.end(node.func), name)


def _by_helper(name: str) -> Callable[["Walker", ast.Call], None]:
    """Return a handler that writes the name of a helper, which has MindSpore's arguments."""

    def write(walker: "Walker", node: ast.Call) -> None:
        text = walker.text
        walker.context.rename(text.start(node.func), text.end(node.func), walker.context.use_helper(name))

    return write


def _in_form(form: str) -> Callable[["Walker", ast.Call], None]:
    """Return a handler that writes the arguments into a text: {0}, {1}, and {torch} for torch itself."""

    def write(walker: "Walker", node: ast.Call) -> None:
        values = [walker.text.of(one) for one in (*node.args, *(word.value for word in node.keywords))]
        if len(values) <= form.count("{") - form.count("{torch}") - 1:
            walker.context.mark(node, f"{ast.unparse(node.func)} has arguments here whose meaning is not known")
        else:
            _replace(walker, node, form.format(*values, torch=walker.context.use("torch")), "another form")

    return write


HANDLERS: Mapping[str, Callable[["Walker", ast.Call], None]] = {
    "mindspore.Tensor": _tensor,
    "mindspore.tensor": _tensor,
    "mindspore.Parameter": _parameter,
    "mindspore.ParameterTuple": _in_form("{torch}.nn.ParameterList({0})"),
    "mindspore.load_checkpoint": _in_form("{torch}.load({0})"),
    "mindspore.load_param_into_net": _in_form("{0}.load_state_dict({1})"),
    "mindspore.save_checkpoint": _in_form("{torch}.save({0}.state_dict(), {1})"),
    "mindspore.nn.CellList": _list,
    "mindspore.nn.SequentialCell": _sequential,
    "mindspore.numpy.split": _by_helper("numpy_split"),
    "mindspore.ops.cast": _in_form("{0}.to({1})"),
    "mindspore.ops.gather": _by_helper("gather"),
    "mindspore.ops.rank": _in_form("{0}.ndim"),
    "mindspore.ops.shape": _in_form("tuple({0}.shape)"),
    "mindspore.ops.stop_gradient": _in_form("{0}.detach()"),
}
