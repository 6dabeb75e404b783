"""Calls of torch: by the recipe of the name where the text of the arguments is enough, else by a helper."""

import ast
from typing import TYPE_CHECKING

from msbridge.translate import helpers, methods, names, variadic
from msbridge.translate.arguments import dot_of
from msbridge.translate.context import UNKNOWN, Value
from msbridge.translate.recipes import recipe_of
from msbridge.translate.rewriting import apply, arguments, drop
from msbridge.translate.translation import Kind

if TYPE_CHECKING:
    from msbridge.translate.walker import Walker

__all__ = ["visit"]

PAIRS = {
    "torch.max",
    "torch.min",
    "torch.sort",
    "torch.topk",
    "torch.median",
    "torch.kthvalue",
    "torch.mode",
    "torch.cummax",
}
NO_TENSORS = (
    *("torch.backends.", "torch.compiler.", "torch.cuda.", "torch.distributed.", "torch.jit."),
    *("torch.nn.init.", "torch.optim.", "torch.utils.", "torchvision"),
)
PLAIN = {
    "torch.is_tensor": "bool", "torch.numel": "number", "torch.finfo": "", "torch.iinfo": "", "torch.Size": "sequence",
    "torch.device": "device", "torch.split": "sequence", "torch.chunk": "sequence", "torch.unbind": "sequence",
    "torch.meshgrid": "sequence", "torch.load": "", "torch.save": "",
}  # fmt: skip


def visit(walker: "Walker", node: ast.Call) -> Value:
    """Change a call; return what is known of its result."""
    function = node.func
    path = walker.context.bound.path(function)
    if path and walker.lookup(names.root(function)).kind not in ("tensor", "cell"):
        return _of_torch(walker, node, names.shortest(path))
    if isinstance(function, ast.Name) and function.id in ("isinstance", "issubclass") and len(node.args) == 2:
        walker.value(node.args[0])
        names.class_test(walker, node.args[1])
        return Value("bool")
    if ast.unparse(function) == "hasattr" and len(node.args) == 2 and has_name(walker, node, *node.args):
        return Value("bool")
    if _is_partial(node) and walker.context.bound.path(node.args[0]):
        return _partial(walker, node)
    if isinstance(function, ast.Attribute):
        return methods.visit(walker, node, function)
    value = walker.value(function)
    arguments(walker, node)
    if value.kind == "cell":
        return Value("tensor")
    if isinstance(function, ast.Name) and function.id in walker.context.modules:
        return Value("cell")
    kinds = {"len": "number", "int": "number", "float": "number", "str": "str", "list": "sequence", "tuple": "sequence"}
    return Value(kinds.get(function.id, "")) if isinstance(function, ast.Name) else UNKNOWN


def has_name(walker: "Walker", node: ast.expr, of: ast.expr, name: ast.expr) -> bool:
    """Answer whether torch has a name by whether that has a counterpart; return whether that was asked."""
    path = walker.context.bound.path(of)
    if not (path and isinstance(name, ast.Constant) and isinstance(name.value, str)):
        return False
    full = f"{path}.{name.value}"
    variadic.replace(walker, node, str(names.is_known(full)), f"whether {full} has a counterpart")
    return True


def _of_torch(walker: "Walker", node: ast.Call, path: str) -> Value:
    context, text = walker.context, walker.context.text
    if handler := variadic.HANDLERS.get(path):
        return handler(walker, node, path)
    arguments(walker, node)
    if path.startswith("torch.optim."):
        _train_parameters(walker, node)
    recipe = recipe_of(path)
    if recipe and not recipe.is_rename and apply(walker, node, recipe):
        return _result(path)
    if recipe and recipe.hand:
        context.mark(node, recipe.hand)
        return _result(path)
    if helpers.has(path):
        name = context.use_helper(path.rpartition(".")[2])
        context.rename(text.start(node.func), text.end(node.func), name)
        drop(walker, node)
        return _result(path)
    if recipe and not recipe.is_rename:
        context.mark(node, f"{path} has arguments here whose meaning the text does not show")
        return _result(path)
    new = names.write(walker, path)
    if new:
        context.rename(text.start(node.func), text.end(node.func), new)
        drop(walker, node)
    else:
        context.mark(node, f"no counterpart of {path} is known")
    return _result(path)


def _train_parameters(walker: "Walker", node: ast.Call) -> None:
    """Write the Parameters of an optimizer: those that are trained."""
    text = walker.context.text
    for one in (inner for value in node.args[:1] for inner in ast.walk(value)):
        if isinstance(one, ast.Attribute) and one.attr == "parameters":
            walker.context.rename(text.end(one) - len("parameters"), text.end(one), "trainable_params")
            _begin_training(walker, one)


def _begin_training(walker: "Walker", network: ast.Attribute) -> None:
    """Set the mode that torch's modules begin in, where the file never says which."""
    context, text = walker.context, walker.context.text
    statement = context.statement
    says_mode = any(one.attr == "train" for one in context.nodes.of(ast.Attribute))
    if isinstance(statement, ast.Assign) and not says_mode:
        owner = text.render(text.start(network), dot_of(text, network))
        text.insert(text.end(statement), f"\n{' ' * statement.col_offset}{owner}.set_train()")
        context.note(text.start(statement), text.end(statement), Kind.REWRITTEN, "Cells begin in inference mode")


def _result(path: str) -> Value:
    if path in PAIRS:
        return Value("pair")
    if path in PLAIN:
        return Value(PLAIN[path])
    name = path.rpartition(".")[2]
    if path.startswith("torch.nn.") and name[:1].isupper():
        return Value("tensor") if name in ("Buffer", "Parameter") else Value("cell", path)
    if path.startswith(
        ("torch.nn.init.", "torch.utils.", "torch.distributed.", "torch.optim.", "torch.cuda.", "torchvision")
    ):
        return UNKNOWN
    return UNKNOWN if path.startswith(("torch.jit.", "torch.compiler.", "torch.backends.")) else Value("tensor")


def _is_partial(node: ast.Call) -> bool:
    name = (
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else ""
    )
    return name == "partial" and bool(node.args)


def _partial(walker: "Walker", node: ast.Call) -> Value:
    """Write `partial(nn.Layer, …)`: the rest of the arguments comes later, so that a helper takes all of them."""
    context = walker.context
    path = names.shortest(context.bound.path(node.args[0]))
    arguments(walker, node)
    if not helpers.has(path):
        recipe = recipe_of(path)
        if recipe is not None and not recipe.is_rename:
            context.mark(node, f"{path} is called elsewhere, with torch's arguments")
    return UNKNOWN
