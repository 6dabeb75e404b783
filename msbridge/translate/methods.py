"""Methods and attributes of Tensors and of modules."""

import ast
from functools import cache
from typing import TYPE_CHECKING

from msbridge.converters.names.parameter_table import layers
from msbridge.translate import helpers, tensor_methods
from msbridge.translate.arguments import Arguments, dot_of
from msbridge.translate.context import UNKNOWN, Value
from msbridge.translate.recipes import recipe_of
from msbridge.translate.rewriting import apply, arguments, drop
from msbridge.translate.translation import Kind

if TYPE_CHECKING:
    from msbridge.translate.walker import Walker

__all__ = ["attribute", "modules_of_loop", "rename_forward", "share_weight", "visit"]

# Names that texts, lists, dicts and modules have as well: only of what is a Tensor for certain.
SHARED = {
    "H",
    "T",
    "abs",
    "add",
    "all",
    "any",
    "apply",
    "bfloat16",
    "bool",
    "clear",
    "copy",
    "count",
    "cpu",
    "cuda",
    "data",
    "device",
    "dim",
    "double",
    "dtype",
    "eval",
    "float",
    "format",
    "get",
    "grad",
    "half",
    "index",
    "int",
    "long",
    "max",
    "mean",
    "min",
    "name",
    "new",
    "pop",
    "real",
    "register_hook",
    "requires_grad_",
    "share_memory_",
    "sort",
    "split",
    "sum",
    "to",
    "train",
    "type",
    "update",
    "view",
    "where",
}
# Of these, what is a Tensor's in the methods of a module, unless something else is known.
IN_FORWARD = {
    "abs",
    "all",
    "any",
    "bfloat16",
    "bool",
    "copy",
    "cpu",
    "cuda",
    "dim",
    "double",
    "float",
    "half",
    "int",
    "long",
    "max",
    "mean",
    "min",
    "size",
    "sort",
    "split",
    "std",
    "sum",
    "to",
    "type",
    "var",
    "view",
    "where",
}
MODULE_NAMES = {
    "add_module",
    "buffers",
    "children",
    "eval",
    "forward",
    "get_parameter",
    "get_submodule",
    "modules",
    "named_children",
    "named_modules",
    "named_parameters",
    "parameters",
    "register_buffer",
    "register_module",
    "register_parameter",
    "requires_grad_",
    "train",
    "zero_grad",
}
RENAMED = {
    "children": "cells",
    "forward": "construct",
    "get_submodule": "get_sub_cell",
    "named_modules": "cells_and_names",
    "named_parameters": "parameters_and_names",
    "parameters": "get_parameters",
    "train": "set_train",
}
WRAPPED = {
    "buffers": "(one for _, one in {}.named_buffers())",
    "modules": "(cell for _, cell in {}.cells_and_names())",
    "named_children": "{}.name_cells().items()",
}
RESULTS = {
    **dict.fromkeys(["dim", "item", "ndimension", "nelement", "numel"], "number"),
    **dict.fromkeys(["chunk", "split", "tolist", "unbind"], "sequence"),
    **dict.fromkeys(["is_contiguous", "is_floating_point"], "bool"),
    **dict.fromkeys(["size", "stride"], "shape"),
    "numpy": "",
}
PAIRS = {"max", "min", "sort", "topk", "median", "kthvalue", "mode", "cummax", "cummin"}
ATTRIBUTES = {
    **dict.fromkeys(["H", "T", "data", "grad", "imag", "mT", "real"], "tensor"),
    **dict.fromkeys(["itemsize", "ndim"], "number"),
    "device": "device",
    "dtype": "dtype",
    "requires_grad": "bool",
    "shape": "shape",
}
DICTS = {"_modules": "_cells", "_parameters": "_params"}
LAYER_ATTRIBUTES = {
    "in_features": "in_channels", "out_features": "out_channels", "groups": "group", "num_features": "num_features",
    "eps": "eps", "embedding_dim": "embedding_size", "num_embeddings": "vocab_size", "padding_mode": "pad_mode",
}  # fmt: skip


@cache
def _tensor_has(name: str) -> bool:
    import torch

    return hasattr(torch.Tensor, name)


def visit(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    """Change the call of a method; return what is known of its result."""
    receiver = walker.value(function.value)
    name = function.attr
    if receiver.kind == "cell" or (name in MODULE_NAMES and receiver.kind != "tensor"):
        done = _of_module(walker, node, function, receiver)
        if done is not None:
            return done
    if _writes_in_place(walker, name) and receiver.kind in ("", "tensor"):
        return tensor_methods.in_place(walker, node, function)
    if _is_tensor(walker, receiver, name, {word.arg for word in node.keywords}):
        return _of_tensor(walker, node, function, receiver)
    if name in ("cuda", "to") and _moves(walker, node):
        return tensor_methods.METHODS["cpu"](walker, node, function)
    arguments(walker, node)
    if receiver.kind == "cell" and receiver.path == "self" and walker.attributes.get(name, UNKNOWN).kind == "cell":
        return Value("tensor")
    if receiver == Value("cell", "self") and name in walker.attributes:
        return Value("tensor") if walker.attributes[name].kind in ("cell",) else UNKNOWN
    return UNKNOWN


def _is_tensor(walker: "Walker", receiver: Value, name: str, words: set[str | None]) -> bool:
    if receiver.kind == "tensor" or (receiver.kind == "" and words & {"dim", "keepdim"} and _tensor_has(name)):
        return True
    if receiver.kind not in ("", "pair") or name in walker.context.methods or not _tensor_has(name):
        return False
    if name.startswith("__") or name in ("pop", "get", "update", "items", "keys", "values", "append"):
        return False
    in_forward = walker.is_module and walker.function is not None and walker.function.name not in ("__init__",)
    return name not in SHARED or (in_forward and name in IN_FORWARD)


def _of_tensor(walker: "Walker", node: ast.Call, function: ast.Attribute, receiver: Value) -> Value:
    context = walker.context
    name = function.attr
    path = f"torch.Tensor.{name}"
    if handler := tensor_methods.METHODS.get(name):
        return handler(walker, node, function)
    arguments(walker, node)
    result = Value("pair" if name in PAIRS and (node.args or node.keywords) else RESULTS.get(name, "tensor"))
    recipe = recipe_of(path)
    if recipe and not recipe.is_rename and apply(walker, node, recipe):
        return result
    if recipe and recipe.is_rename:
        if recipe.target != f".{name}":
            text = context.text
            context.rename(text.end(function) - len(name), text.end(function), recipe.target.removeprefix("."))
        drop(walker, node)
        return result
    if helpers.has(path):
        _as_helper(walker, node, function)
        return result
    if recipe is None and _is_consistent(path):
        drop(walker, node)
        return result
    if receiver.kind == "tensor" or not recipe:
        said = recipe.hand if recipe and recipe.hand else ""
        if receiver.kind == "tensor" and (_tensor_has(name) or said):
            context.mark(node, said or f"no counterpart of Tensor.{name} with these arguments is known")
    else:
        context.mark(node, recipe.hand or f"Tensor.{name} has arguments here whose meaning the text does not show")
    return result


def _as_helper(walker: "Walker", node: ast.Call, function: ast.Attribute) -> None:
    context, text = walker.context, walker.context.text
    parts = Arguments(text, node)
    drop(walker, node)
    context.text.insert(text.start(node), f"{context.use_helper(function.attr)}(")
    context.text.replace(dot_of(text, function), parts.opened + 1, ", " if parts.nodes else "")
    context.note(text.start(node), text.end(node), Kind.REWRITTEN, f"Tensor.{function.attr} by a helper")


@cache
def _is_consistent(path: str) -> bool:
    from msbridge.scan.torch_names.equivalents import table_row

    row = table_row(path)
    return row is not None and row.agreement == "consistent"


def _of_module(walker: "Walker", node: ast.Call, function: ast.Attribute, receiver: Value) -> Value | None:
    """Change the call of a method of a module; None where it is none of these."""
    context, text, name = walker.context, walker.context.text, function.attr
    end = text.end(function)
    attribute = end - len(name), end
    is_own = receiver.path == "self" and name in context.methods and name not in ("forward", "train")
    if is_own:
        return None
    if name in WRAPPED:
        _wrap(walker, node, function, WRAPPED[name])
        return UNKNOWN
    arguments(walker, node)
    if name in RENAMED:
        drop(walker, node, ("remove_duplicate",))
        context.rename(*attribute, RENAMED[name])
        return Value("tensor") if name == "forward" else UNKNOWN
    if name == "eval" and not node.args:
        context.rewrite(attribute[0], text.end(node), "set_train(False)", "eval → set_train(False)")
        return receiver
    if name == "register_buffer":
        return _register_buffer(walker, node, function)
    if name in ("add_module", "register_module", "register_parameter"):
        return _add(walker, node, function)
    is_network = isinstance(function.value, ast.Name) or receiver.path.startswith("torch.")
    if name in ("to", "cuda", "cpu") and receiver.kind == "cell" and is_network:
        if _has_dtype(walker, node):
            context.mark(node, "the dtype of a network: cast its parameters, or use `to_float`")
        else:
            _wrap(walker, node, function, "{}")
        return receiver
    if name == "load_state_dict" and node.args:
        owner = text.render(text.start(function), dot_of(text, function))
        new = f"{context.use('ms')}.load_param_into_net({owner}, {text.of(node.args[0])})"
        context.rewrite(text.start(node), text.end(node), new, "load_state_dict → load_param_into_net")
        return UNKNOWN
    if name == "requires_grad_":
        _as_helper(walker, node, function)
        return receiver
    return None


def _has_dtype(walker: "Walker", node: ast.Call) -> bool:
    return any(walker.value(one).kind == "dtype" for one in node.args) or any(
        word.arg == "dtype" for word in node.keywords
    )


def _add(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    """`add_module` and `register_parameter`: an assignment where the name stands in the text."""
    context, text = walker.context, walker.context.text
    owner = text.render(text.start(function), dot_of(text, function))
    is_statement = isinstance(walker.context.statement, ast.Expr) and walker.context.statement.value is node
    values = [*node.args, *(word.value for word in node.keywords)]
    name = values[0].value if values and isinstance(values[0], ast.Constant) else ""
    if len(values) == 2 and is_statement and owner == "self" and isinstance(name, str) and name.isidentifier():
        new = f"{owner}.{name} = {text.of(values[1])}"
        context.rewrite(text.start(node), text.end(node), new, f"{function.attr} → an assignment")
    else:
        if function.attr == "register_parameter":
            context.rename(text.end(function) - len(function.attr), text.end(function), "insert_param_to_cell")
        else:
            new = ", ".join([owner, *(text.of(value) for value in values)])
            helper = context.use_helper("add_module")
            context.rewrite(text.start(node), text.end(node), f"{helper}({new})", "a cell under a name")
    return UNKNOWN


def _register_buffer(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    """A buffer that checkpoints have: a Parameter that is not trained, which they have as well."""
    context, text = walker.context, walker.context.text
    words = {word.arg: word.value for word in node.keywords}
    given = [*node.args, *(words[one] for one in ("name", "tensor") if one in words)]
    persistent = words.get("persistent") or (node.args[2] if len(node.args) > 2 else None)
    is_kept = persistent is None or ast.unparse(persistent) != "False"
    if len(given) < 2 or not is_kept or ast.unparse(given[1]) == "None":
        return UNKNOWN
    name, owner = given[0], text.render(text.start(function), dot_of(text, function))
    value = f"{context.use_helper('Buffer')}({text.of(given[1])})"
    is_plain = isinstance(name, ast.Constant) and str(name.value).isidentifier() and owner == "self"
    new = f"{owner}.{name.value} = {value}" if is_plain else f"setattr({owner}, {text.of(name)}, {value})"  # type: ignore[attr-defined]
    context.rewrite(text.start(node), text.end(node), new, "a buffer → a Parameter that is not trained")
    if is_plain:
        walker.attributes[str(name.value)] = Value("tensor")  # type: ignore[attr-defined]
    return UNKNOWN


def _wrap(walker: "Walker", node: ast.Call, function: ast.Attribute, form: str) -> None:
    context, text = walker.context, walker.context.text
    owner = text.render(text.start(function), dot_of(text, function))
    context.rewrite(text.start(node), text.end(node), form.format(owner), f".{function.attr}() → {form.format('…')}")


def modules_of_loop(walker: "Walker", target: ast.expr, over: ast.expr) -> bool:
    """Change `for m in net.modules()` to a loop over cells and their names; return whether it was one."""
    if not (
        isinstance(over, ast.Call)
        and isinstance(over.func, ast.Attribute)
        and over.func.attr == "modules"
        and not over.args
    ):
        return False
    if not isinstance(target, ast.Name):
        return False
    context, text = walker.context, walker.context.text
    walker.value(over.func.value)
    context.rewrite(text.start(target), text.end(target), f"_, {target.id}", "cells with their names")
    context.rename(text.end(over.func) - len("modules"), text.end(over.func), "cells_and_names")
    walker.bind(target, Value("cell"))
    return True


def rename_forward(walker: "Walker", node: ast.Attribute) -> None:
    """Write `construct` for `forward`."""
    if node.attr == "forward":
        text = walker.context.text
        walker.context.rename(text.end(node) - len("forward"), text.end(node), "construct")


def attribute(walker: "Walker", node: ast.Attribute) -> Value:
    """Change an attribute that is read; return what is known of it."""
    context, text = walker.context, walker.context.text
    owner = walker.value(node.value)
    if node.attr == "forward":
        rename_forward(walker, node)
        return UNKNOWN
    if owner == Value("cell", "self") and node.attr in walker.attributes:
        return walker.attributes[node.attr]
    if owner.kind == "pair" and node.attr in ("values", "indices"):
        context.rewrite(
            dot_of(text, node), text.end(node), "[0]" if node.attr == "values" else "[1]", "a tuple has no names"
        )
        return Value("tensor")
    if node.attr == "is_cuda":
        context.rewrite(text.start(node), text.end(node), "False", "MindSpore chooses the device")
        return Value("bool")
    if node.attr == "type" and owner.kind == "device":
        new = f'{context.use("ms")}.get_context("device_target").lower()'
        context.rewrite(text.start(node), text.end(node), new, "the device that is set")
        return Value("str")
    if node.attr == "weight" and owner == UNKNOWN and isinstance(node.ctx, ast.Load) and _has_embeddings(walker):
        new = f"{context.use_helper('weight_of')}({text.of(node.value)})"
        context.rewrite(text.start(node), text.end(node), new, "named by the layer")
        return Value("tensor")
    if node.attr in ATTRIBUTES and owner.kind in ("tensor", "", "pair"):
        return Value(ATTRIBUTES[node.attr])
    if owner.kind == "cell" and owner.path.startswith("torch.nn."):
        return _of_layer(walker, node, owner.path)
    if node.attr in DICTS and owner.kind == "cell":
        context.rename(text.end(node) - len(node.attr), text.end(node), DICTS[node.attr])
    return UNKNOWN


def _has_embeddings(walker: "Walker") -> bool:
    """Whether the file has layers whose weight may be called something else."""
    nodes = walker.context.nodes
    return any(one.attr == "Embedding" and walker.context.bound.path(one) for one in nodes.of(ast.Attribute))


def share_weight(walker: "Walker", node: ast.Assign) -> bool:
    """Write `layer.weight = …` of a layer of any kind; return whether it was that."""
    target, context = node.targets[0], walker.context
    if not (isinstance(target, ast.Attribute) and target.attr == "weight" and len(node.targets) == 1):
        return False
    if walker.value(target.value) != UNKNOWN or not _has_embeddings(walker):
        return False
    helper, text = context.use_helper("set_weight"), context.text
    new = f"{helper}({text.of(target.value)}, {text.of(node.value)})"
    context.rewrite(text.start(node), text.end(node), new, "named by the layer")
    return True


def _of_layer(walker: "Walker", node: ast.Attribute, path: str) -> Value:
    """Write a layer's attribute as the Cell has it."""
    context, text = walker.context, walker.context.text
    renames = []
    for one in path.split("|"):
        row = layers().get(one)
        renames.append((row.rename if row else {}).get(node.attr, LAYER_ATTRIBUTES.get(node.attr, node.attr)))
    if len(set(renames)) == 1:
        context.rename(text.end(node) - len(node.attr), text.end(node), renames[0])
    elif node.attr in ("weight", "bias"):
        start = text.render(text.start(node), dot_of(text, node))
        context.rewrite(
            text.start(node), text.end(node), f"{context.use_helper(f'{node.attr}_of')}({start})", "named by the layer"
        )
    return Value("tensor") if node.attr in ("weight", "bias", "running_mean", "running_var") else Value("number")


def _moves(walker: "Walker", node: ast.Call) -> bool:
    """Whether the arguments say nothing but a device."""
    values = [*node.args, *(word.value for word in node.keywords if word.arg == "device")]
    is_named = all(word.arg in ("device", "non_blocking") for word in node.keywords)
    return is_named and all(walker.value(one).kind == "device" or "device" in ast.unparse(one) for one in values)


def _writes_in_place(walker: "Walker", name: str) -> bool:
    is_named_so = name.endswith("_") and not name.startswith("_") and name != "requires_grad_"
    return is_named_so and name not in walker.context.methods and _tensor_has(name)
