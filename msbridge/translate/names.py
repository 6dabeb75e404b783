"""Names of torch that are read: as values, in annotations, as the second argument of isinstance."""

import ast
import re
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from msbridge.translate import helpers
from msbridge.translate.context import UNKNOWN, Value
from msbridge.translate.recipes import Recipe, recipe_of

if TYPE_CHECKING:
    from msbridge.translate.walker import Walker

__all__ = [
    *(
        "annotation",
        "class_test",
        "is_known",
        "is_module",
        "kind_of_annotation",
        "narrow",
        "reference",
        "root",
        "shortest",
        "write",
    ),
]

NUMBERS = {"int", "float"}
LONG = re.compile(
    r"^torch\.nn\.(?:modules|parameter|parallel)(?:\.[a-z_0-9]+)*(?=\.[A-Z]\w*$)|^(torch)\.functional(?=\.\w+$)"
)
DTYPES = "bfloat16 bool complex128 complex64 float16 float32 float64 int16 int32 int64 int8 uint8"
OTHER_DTYPES = {"cdouble": "complex128", "cfloat": "complex64", "double": "float64", "float": "float32"}
OTHER_DTYPES |= {"half": "float16", "int": "int32", "long": "int64", "short": "int16"}
DTYPE_OF = {f"torch.{name}": f"ms.{name}{'_' * (name == 'bool')}" for name in DTYPES.split()}
DTYPE_OF |= {f"torch.{name}": f"ms.{ours}" for name, ours in OTHER_DTYPES.items()}


@cache
def shortest(path: str) -> str:
    """Return the public path, such as torch.nn.Linear of torch.nn.modules.linear.Linear."""
    path = path.replace("torch.nn.functional.init.", "torch.nn.init.")
    return LONG.sub(lambda found: "torch" if found[1] else "torch.nn", path)


def root(node: ast.expr) -> str:
    """Return the first name of a dotted one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def write(walker: "Walker", path: str, role: str = "value") -> str:
    """Return the new name of a name of torch; "" where nothing is known."""
    context = walker.context
    if path in DTYPE_OF:
        return context.use(DTYPE_OF[path])
    recipe = recipe_of(path)
    if recipe and recipe.is_rename:
        return context.use(recipe.target) if recipe.target else ""
    name = path.rpartition(".")[2]
    if role == "value" and helpers.has(path):
        return context.use_helper(name)
    if role == "value" and recipe and _takes_a_tensor(recipe):
        return context.use(recipe.target)
    if role == "class" and recipe and not recipe.target.startswith("."):
        return context.use(recipe.target)
    if role == "class" and helpers.has(path):
        return context.use_helper(name)
    if row := _counterpart(path):
        return context.use(row)
    return ""


def _takes_a_tensor(recipe: Recipe) -> bool:
    """Whether a function that is given a Tensor only does what torch's does."""
    first, rest = recipe.entries[:1], recipe.entries[1:]
    is_first = bool(first) and first[0].source == recipe.arguments[0] and not first[0].conversion
    is_plain = not (recipe.spell or recipe.target.startswith(".") or recipe.name.rpartition(".")[2][:1].isupper())
    return is_first and is_plain and all(one.source in recipe.defaults for one in rest)


def is_known(path: str) -> bool:
    """Whether a name of torch has something in its place."""
    path = shortest(path)
    recipe = recipe_of(path)
    return path in DTYPE_OF or helpers.has(path) or bool(recipe and not recipe.hand) or bool(_counterpart(path))


@cache
def is_module(path: str) -> bool:
    """Whether a name of torch is a module's."""
    import torch

    found: object = torch
    for name in path.split(".")[1:]:
        found = getattr(found, name, None)
    return isinstance(found, ModuleType)


@cache
def _counterpart(path: str) -> str:
    """Return the name with the same arguments, by MindSpore's own table; it may be one of an Ascend."""
    from msbridge.scan.torch_names.equivalents import table_row

    row = table_row(path)
    if row is None or row.agreement != "consistent" or path.startswith("torch.Tensor."):
        return ""
    return row.mindspore.removeprefix("mindspore.")


def reference(walker: "Walker", node: ast.expr, path: str, role: str = "value") -> Value:
    """Write the name of a value."""
    path = shortest(path)
    context, text = walker.context, walker.context.text
    if path in walker.context.bound.packages or path in MODULES:
        if isinstance(node, ast.Name | ast.Attribute):
            context.mark(node, f"{path} is used as a value")
        return UNKNOWN
    new = write(walker, path, role)
    if new:
        context.rename(text.start(node), text.end(node), new)
    elif not (path in CONSTANTS and _constant(walker, node, path)):
        recipe = recipe_of(path)
        context.mark(node, recipe.hand if recipe and recipe.hand else f"no counterpart of {path} is known")
    return Value("dtype" if path in DTYPE_OF else "torch", path)


MODULES = {"torch.nn", "torch.nn.functional", "torch.nn.init", "torch.optim", "torch.utils", "torch.utils.checkpoint"}
CONSTANTS = {
    "torch.pi": "math.pi",
    "torch.inf": 'float("inf")',
    "torch.nan": 'float("nan")',
    "torch.e": "math.e",
    "torch.strided": "None",
    "torch.contiguous_format": "None",
    "torch.channels_last": "None",
    "torch.preserve_format": "None",
}


def _constant(walker: "Walker", node: ast.expr, path: str) -> bool:
    context, text = walker.context, walker.context.text
    context.rename(text.start(node), text.end(node), context.use(CONSTANTS[path]))
    return True


def class_test(walker: "Walker", node: ast.expr) -> None:
    """Write the second argument of isinstance, or what a class is compared with."""
    if isinstance(node, ast.Tuple | ast.List):
        for one in node.elts:
            class_test(walker, one)
    elif isinstance(node, ast.BinOp):
        class_test(walker, node.left)
        class_test(walker, node.right)
    elif path := walker.context.bound.path(node):
        reference(walker, node, path, "class")
    else:
        walker.value(node)


def annotation(walker: "Walker", node: ast.expr) -> None:
    """Write the names of an annotation."""
    context, text = walker.context, walker.context.text
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and "torch." in part.value:
            was = text.original(part)
            new = re.sub(r"\btorch(?:\.\w+)+", lambda match: _write_quoted(walker, match[0]), was)
            context.rename(text.start(part), text.end(part), new)
    _write_annotation(walker, node)


def _write_annotation(walker: "Walker", node: ast.AST) -> None:
    context, text = walker.context, walker.context.text
    if isinstance(node, ast.Subscript) and context.bound.path(node.value) == "torch.jit.Final":
        context.rename(text.start(node), text.end(node), text.of(node.slice))
        return
    of = context.bound.path(node.value) if isinstance(node, ast.Subscript) else ""
    if of and not write(walker, shortest(of), "class"):
        context.rename(text.start(node), text.end(node), "object")
        return
    path = context.bound.path(node) if isinstance(node, ast.Name | ast.Attribute) else ""
    if path:
        new = write(walker, shortest(path), "class") or "object"
        context.rename(text.start(node), text.end(node), new)
        return
    for one in ast.iter_child_nodes(node):
        _write_annotation(walker, one)


def _write_quoted(walker: "Walker", path: str) -> str:
    return write(walker, shortest(path), "class") or "object"


def kind_of_annotation(walker: "Walker", node: ast.expr | None) -> Value:
    """Return the kind that an annotation states."""
    if node is None:
        return UNKNOWN
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return Value("tensor") if node.value in ("Tensor", "torch.Tensor", "Optional[Tensor]") else UNKNOWN
    if isinstance(node, ast.Name) and node.id in NUMBERS:
        return Value("number")
    if isinstance(node, ast.Name) and node.id in ("str", "bool"):
        return Value(node.id)
    path = shortest(walker.context.bound.path(node))
    if path.endswith("Tensor") and path.startswith("torch."):
        return Value("tensor")
    if path == "torch.dtype":
        return Value("dtype")
    if path == "torch.device":
        return Value("device")
    if path.startswith("torch.nn.") and path != "torch.nn.Parameter":
        return Value("cell", "" if path == "torch.nn.Module" else path)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Optional":
        return kind_of_annotation(walker, node.slice)
    if isinstance(node, ast.BinOp):
        sides = [kind_of_annotation(walker, one) for one in (node.left, node.right)]
        return (
            sides[0] if ast.unparse(node.right) == "None" else sides[1] if ast.unparse(node.left) == "None" else UNKNOWN
        )
    return UNKNOWN


def narrow(walker: "Walker", test: ast.expr) -> dict[str, Value]:
    """Return the kinds of names where a condition is true."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return {name: value for one in test.values for name, value in narrow(walker, one).items()}
    if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance"):
        return {}
    if len(test.args) != 2 or not isinstance(test.args[0], ast.Name):
        return {}
    which = test.args[1]
    paths = {
        shortest(walker.context.bound.path(one)) for one in (which.elts if isinstance(which, ast.Tuple) else [which])
    }
    if len(paths) == 1 and (path := paths.pop()).startswith("torch.nn."):
        return {test.args[0].id: Value("cell", path)}
    return {test.args[0].id: Value("cell", "|".join(sorted(paths)))} if paths and all(paths) else {}
