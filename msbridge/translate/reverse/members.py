"""Methods and attributes of Tensors and Cells, and assignments to them."""

import ast
from typing import TYPE_CHECKING

from msbridge.converters.names.parameter_table import layers
from msbridge.translate.arguments import dot_of

if TYPE_CHECKING:
    from msbridge.translate.reverse.walker import Walker

__all__ = ["attribute", "call", "statement"]

RENAMED = {
    "asnumpy": "numpy",
    "astype": "to",
    "cells": "children",
    "cells_and_names": "named_modules",
    "construct": "forward",
    "expand_dims": "unsqueeze",
    "get_parameters": "parameters",
    "insert_child_to_cell": "add_module",
    "insert_param_to_cell": "register_parameter",
    "parameters_and_names": "named_parameters",
    "set_train": "train",
}
WRAPPED = {"name_cells": "dict({}.named_children())", "init_data": "{}", "asnumpy": "{}.detach().numpy()"}
HELPED = {"set_data", "trainable_params"}
AXES = {
    *("all", "amax", "amin", "any", "argmax", "argmin", "argsort", "chunk", "cumsum", "max", "mean", "median", "min"),
    *("norm", "prod", "softmax", "sort", "split", "squeeze", "sum", "unbind"),
}
WORDS = {"axis": "dim", "keep_dims": "keepdim", "keepdims": "keepdim"}
DICTS = {"_cells": "_modules", "_params": "_parameters"}
NORMS = {"gamma": "weight", "beta": "bias", "moving_mean": "running_mean", "moving_variance": "running_var"}
NORMS |= {"embedding_table": "weight"}


def call(walker: "Walker", node: ast.Call, function: ast.Attribute) -> None:
    """Change the call of a method."""
    context, text, name = walker.context, walker.text, function.attr
    if (name in context.methods and name != "construct") or _is_of_numpy(walker, node):
        return
    owner = text.render(text.start(function), dot_of(text, function))
    if name in WRAPPED and not node.args:
        context.rewrite(text.start(node), text.end(node), WRAPPED[name].format(owner), f"{name} → {WRAPPED[name]}")
    elif name in HELPED:
        rest = [text.of(one) for one in node.args[:1]]
        new = f"{context.use_helper(name)}({', '.join([owner, *rest])})"
        context.rewrite(text.start(node), text.end(node), new, f"{name} by a helper")
    elif name == "astype" and node.args and isinstance(node.args[0], ast.Constant):
        new = f"({context.use('torch')}.{str(node.args[0].value).rstrip('_')})"
        context.rewrite(dot_of(text, function), text.end(node), f".to{new}", "a dtype by its name")
    elif name in RENAMED:
        context.rename(text.end(function) - len(name), text.end(function), RENAMED[name])
    elif name == "transpose" and not walker.is_network and node.args:
        new = f"{context.use_helper('transpose_axes')}({', '.join([owner, *map(text.of, node.args)])})"
        context.rewrite(text.start(node), text.end(node), new, "of a Tensor or an array")
    elif name == "transpose" and (len(node.args) > 2 or _is_sequence(node.args)):
        context.rename(text.end(function) - len(name), text.end(function), "permute")
    elif name in ("max", "min") and (node.args or node.keywords) and _is_in_forward(walker):
        context.rename(text.end(function) - len(name), text.end(function), f"a{name}")
    elif name == "repeat" and _is_in_forward(walker):
        context.rename(text.end(function) - len(name), text.end(function), "repeat_interleave")
    elif name == "copy" and _is_in_forward(walker) and not node.args:
        context.rename(text.end(function) - len(name), text.end(function), "clone")
    elif name in ("std", "var"):
        _keep_spread(walker, node)
    elif name == "gather" and node.args and not isinstance(node.args[0], ast.Constant) and _is_in_forward(walker):
        context.mark(node, "Tensor.gather of indices and an axis: torch.index_select, or indexing")
    elif name == "to_float":
        context.mark(node, "a network in another precision: torch.autocast, or `.to(dtype)` of the network")
    if name in AXES | {"repeat"}:
        _rename_words(walker, node)


def _is_of_numpy(walker: "Walker", node: ast.expr) -> bool:
    """Whether an expression is an array: begins with numpy or a name that got an array, or is given a dtype of it."""
    if isinstance(node, ast.Call) and any(_is_of_numpy(walker, one) for one in node.args):
        return isinstance(node.func, ast.Attribute) and not walker.path(node.func)
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript | ast.BinOp):
        if walker.path(node):
            return False
        node = node.func if isinstance(node, ast.Call) else node.left if isinstance(node, ast.BinOp) else node.value
    return isinstance(node, ast.Name) and node.id in walker.arrays()


def _keep_spread(walker: "Walker", node: ast.Call) -> None:
    """std and var: biased unless said otherwise, which is the other way round in torch."""
    words = {word.arg: walker.text.of(word.value) for word in node.keywords}
    if words.keys() & {"correction", "dim", "keepdim", "unbiased"}:
        return
    given = dict(zip(("axis", "ddof", "keepdims"), map(walker.text.of, node.args), strict=False)) | words
    parts = [f"dim={given['axis']}"] if "axis" in given else []
    parts += [f"correction={given.get('ddof', '0')}"]
    parts += [f"keepdim={given['keepdims']}"] if "keepdims" in given else []
    start, end = walker.text.end(node.func), walker.text.end(node)
    walker.context.rewrite(start, end, f"({', '.join(parts)})", "biased unless said otherwise")


def _rename_words(walker: "Walker", node: ast.Call) -> None:
    """Write torch's names of arguments."""
    for word in node.keywords:
        if word.arg in WORDS:
            start = walker.text.start(word)
            walker.context.rename(start, start + len(word.arg), WORDS[word.arg])


def _is_sequence(values: list[ast.expr]) -> bool:
    return len(values) == 1 and isinstance(values[0], ast.Tuple | ast.List | ast.Starred | ast.Name | ast.Attribute)


def _is_in_forward(walker: "Walker") -> bool:
    return walker.is_network and walker.function is not None and walker.function.name != "__init__"


def attribute(walker: "Walker", node: ast.Attribute) -> None:
    """Change an attribute of something that is none of MindSpore's modules."""
    context, text, name = walker.context, walker.text, node.attr
    end = text.end(node)
    if name == "construct":
        context.rename(end - len(name), end, "forward")
    elif name in DICTS and walker.is_network:
        context.rename(end - len(name), end, DICTS[name])
    elif name in NORMS and _is_of_layer(walker, node):
        context.rename(end - len(name), end, NORMS[name])
    elif name == "size" and isinstance(node.ctx, ast.Load) and _is_in_forward(walker) and _is_tensor(node.value):
        context.rewrite(text.start(node), end, f"{text.of(node.value)}.numel()", "the number of elements")


def _is_tensor(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id != "self"


def _is_of_layer(walker: "Walker", node: ast.Attribute) -> bool:
    """Whether an attribute is a layer's weight: by `isinstance`, or as no class of the file has one of that name."""
    if path := walker.layer_of(node.value):
        return any(row.cell == path and node.attr in row.rename.values() for row in layers().values())
    if isinstance(node.value, ast.Name) and node.value.id == "self":
        return False
    stored = (one for one in walker.context.nodes.of(ast.Attribute) if isinstance(one.ctx, ast.Store))
    return not any(one.attr == node.attr and ast.unparse(one.value) == "self" for one in stored)


def statement(walker: "Walker", node: ast.stmt) -> bool:
    """Change a statement as a whole; return whether it was one of these."""
    context, text = walker.context, walker.text
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Attribute):
        value, target = node.value, node.targets[0]
        if isinstance(value, ast.Call) and walker.path(value.func).endswith("initializer.initializer"):
            walker.expression(value)
            walker.expression(target)
            owner, name = text.render(text.start(target), dot_of(text, target)), text.of(target).rpartition(".")[2]
            new = f'{context.use_helper("set_weight")}({owner}, "{name}", {text.of(value)})'
            context.rewrite(text.start(node), text.end(node), new, "a weight keeps being a Parameter")
            return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        path = walker.path(node.value.func)
        function = node.value.func
        if isinstance(function, ast.Attribute) and function.attr == "init_parameters_data":
            context.rewrite(text.start(node), text.end(node), "pass", "Parameters have their values in torch")
            return True
        if path in ("mindspore.set_context", "mindspore.context.set_context", "mindspore.set_device"):
            context.rewrite(text.start(node), text.end(node), "pass", "torch has no such context")
            context.mark(node, f"{path}: torch's networks and Tensors are moved by `.to(device)`")
            return True
    return False
