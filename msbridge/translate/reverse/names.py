"""Names of MindSpore that are read: as values, as classes, in annotations."""

import ast
import re
from typing import TYPE_CHECKING

from msbridge.translate import helpers
from msbridge.translate.context import Context
from msbridge.translate.direction import TO_TORCH
from msbridge.translate.reverse.inverses import inverses_of, name_in_torch, public_path, torch_class

if TYPE_CHECKING:
    from msbridge.translate.reverse.walker import Walker

__all__ = ["is_known", "path_of", "reference", "rename_quoted", "short"]

CLASSES = {
    "mindspore.Tensor": "torch.Tensor",
    "mindspore.Parameter": "torch.nn.Parameter",
    "mindspore.nn.Cell": "torch.nn.Module",
    "mindspore.nn.CellDict": "torch.nn.ModuleDict",
    "mindspore.nn.CellList": "torch.nn.ModuleList",
    "mindspore.nn.SequentialCell": "torch.nn.Sequential",
    "mindspore.dtype.Type": "torch.dtype",
}


def path_of(context: Context, node: ast.expr) -> str:
    """Return the public path of a name of MindSpore; "" of others."""
    path = context.bound.path(node)
    return public_path(path) if path else ""


def short(path: str) -> str:
    """Return a name of torch as the new source writes it."""
    if path.startswith("torch.nn.functional."):
        return f"F.{path.removeprefix('torch.nn.functional.')}"
    return path.removeprefix("torch.") if path.startswith("torch.nn.") else path


def reference(walker: "Walker", node: ast.expr, role: str) -> None:
    """Write the name of a value or a class."""
    context, text = walker.context, walker.text
    path = walker.path(node)
    new = _write(walker, path, role)
    if new or role == "annotation":
        context.rename(text.start(node), text.end(node), new or "object")
    elif path.count(".") and path not in MODULES:
        context.mark(node, f"no counterpart of {path} is known")


MODULES = {"mindspore", "mindspore.nn", "mindspore.ops", "mindspore.common.initializer", "mindspore.numpy"}


def _write(walker: "Walker", path: str, role: str) -> str:
    context = walker.context
    if role == "base" and helpers.has(path, TO_TORCH):  # which calls the constructor with MindSpore's arguments
        return context.use_helper(path.rpartition(".")[2])
    if path in CLASSES:
        return context.use(short(CLASSES[path]))
    if role in ("annotation", "class"):
        name = torch_class(path)
        if name:
            return context.use(short(name))
    if helpers.has(path, TO_TORCH):
        return context.use_helper(path.rpartition(".")[2])
    name = name_in_torch(path) or (torch_class(path) if role == "base" or _is_plain(path) else "")
    if name:
        return context.use(short(name))
    recipe = next(iter(inverses_of(path)), None)
    is_function = recipe is not None and not recipe.target.startswith(".") and not recipe.spell
    return context.use(recipe.target) if recipe is not None and is_function else ""


def _is_plain(path: str) -> bool:
    """Whether a class is called alike on both sides."""
    recipe = next(iter(inverses_of(path)), None)
    return recipe is not None and not recipe.spell and all(one.name == one.source for one in recipe.entries)


def is_known(path: str) -> bool:
    """Whether a name of MindSpore has something in its place."""
    return bool(helpers.has(path, TO_TORCH) or name_in_torch(path) or torch_class(path) or inverses_of(path))


def rename_quoted(walker: "Walker", node: ast.Constant) -> None:
    """Write the names in an annotation that is a text."""
    text = walker.text
    was = text.original(node)
    new = re.sub(r"\bnn\.Cell\b", "nn.Module", was)
    if new != was:
        walker.context.rename(text.start(node), text.end(node), new)
