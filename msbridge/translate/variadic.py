"""Calls whose form no recipe can say: sizes as several arguments, a dtype or a device or a Tensor in the same place."""

import ast
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msbridge.translate import names
from msbridge.translate.arguments import dot_of
from msbridge.translate.context import UNKNOWN, Value
from msbridge.translate.conversions import is_number
from msbridge.translate.rewriting import arguments

if TYPE_CHECKING:
    from msbridge.translate.walker import Walker

__all__ = ["HANDLERS", "TENSOR", "keywords", "receiver_text", "replace", "sizes_text"]

TENSOR = Value("tensor")


def replace(walker: "Walker", node: ast.AST, new: str, reason: str) -> None:
    """Replace a node."""
    text = walker.context.text
    walker.context.rewrite(text.start(node), text.end(node), new, reason)


def receiver_text(walker: "Walker", function: ast.Attribute) -> str:
    """Return the text of what a method is called of."""
    text = walker.context.text
    return text.render(text.start(function), dot_of(text, function))


def keywords(node: ast.Call) -> dict[str, ast.expr]:
    """Return the arguments that are given by name."""
    return {str(word.arg): word.value for word in node.keywords}


def sizes_text(walker: "Walker", values: list[ast.expr]) -> str:
    """Return sizes, given as several arguments or as one sequence, as the text of one."""
    text = walker.context.text
    if len(values) == 1 and not isinstance(values[0], ast.Starred):
        size = values[0]
        return f"({text.of(size)},)" if is_number(size, walker.numbers()) else text.of(size)
    return f"({', '.join(text.of(one) for one in values)}{',' if len(values) == 1 else ''})"


def _fill(walker: "Walker", node: ast.Call, path: str) -> Value:
    """torch.zeros, ones, empty, rand, randn: sizes, and a dtype."""
    context, text = walker.context, walker.context.text
    arguments(walker, node)
    words = keywords(node)
    for name in ("out", "generator"):
        if name in words:
            context.mark(node, f"{path.rpartition('.')[2]} has no `{name}` in MindSpore")
            return TENSOR
    name = path.rpartition(".")[2]
    values = [words["size"]] if "size" in words else node.args
    if not values or None in words:
        context.mark(node, f"{path} has arguments here whose meaning the text does not show")
        return TENSOR
    sizes = sizes_text(walker, values)
    dtype = f", dtype={text.of(words['dtype'])}" if "dtype" in words else ""
    if dtype == ", dtype=bool":
        dtype = f", dtype={context.use('ms')}.bool_"
    function = {"empty": "ops.zeros"}.get(name, f"ops.{name}")
    if name in ("rand", "randn"):
        sizes = (
            ", ".join(text.of(one) for one in values)
            if len(values) > 1 or isinstance(values[0], ast.Starred)
            else f"*{sizes}"
        )
        sizes = (
            sizes.removeprefix("*")
            if isinstance(values[0], ast.Constant) or ("size" not in words and len(values) == 1 and sizes[1:2] == "(")
            else sizes
        )
    replace(walker, node, f"{context.use(function)}({sizes}{dtype})", f"{path} → {function}")
    return TENSOR


def _full(walker: "Walker", node: ast.Call, path: str) -> Value:
    context, text = walker.context, walker.context.text
    arguments(walker, node)
    words = keywords(node)
    given = dict(zip(("size", "fill_value"), node.args, strict=False)) | words
    if not {"size", "fill_value"} <= given.keys() or "out" in words:
        context.mark(node, "torch.full has arguments here whose meaning the text does not show")
        return TENSOR
    dtype = f", dtype={text.of(words['dtype'])}" if "dtype" in words else ""
    value, size = text.of(given["fill_value"]), sizes_text(walker, [given["size"]])
    if not dtype and (kind := _dtype_of_number(given["fill_value"])):
        dtype = f", dtype={context.use('ms')}.{kind}"
    if not dtype:
        replace(walker, node, f"{context.use_helper('full')}({size}, {value})", "the dtype of the value")
        return TENSOR
    if ast.unparse(given["size"]) in ("()", "[]"):
        replace(walker, node, f"{context.use('ms')}.tensor({value}{dtype})", "a Tensor of no axis")
    else:
        replace(walker, node, f"{context.use('ops')}.full({size}, {value}{dtype})", "torch.full → ops.full")
    return TENSOR


def _dtype_of_number(node: ast.expr) -> str:
    """Return the dtype that torch has for a number; "" where the text does not say which kind it is."""
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(node, ast.Constant):
        return {bool: "bool_", int: "int64", float: "float32"}.get(type(node.value), "")
    return "float32" if isinstance(node, ast.Call) and ast.unparse(node.func) == "float" else ""


def _extreme(walker: "Walker", node: ast.Call, path: str) -> Value:
    """torch.max and min: of all, along an axis, or of two Tensors."""
    context, text = walker.context, walker.context.text
    name = path.rpartition(".")[2]
    kinds = [walker.value(one).kind for one in node.args]
    for word in node.keywords:
        walker.value(word.value)
    words = keywords(node)
    if len(node.args) == 1 and not words:
        replace(walker, node, f"{_atom(node.args[0], text.of(node.args[0]))}.{name}()", f"{path} → Tensor.{name}")
        return TENSOR
    if len(node.args) == 2 and (kinds[1] == "tensor" or "other" in words) and not words:
        context.rename(text.start(node.func), text.end(node.func), context.use(f"ops.{name}imum"))
        return TENSOR
    is_axis = "dim" in words or (len(node.args) > 1 and (kinds[1] == "number" or isinstance(node.args[1], ast.UnaryOp)))
    if is_axis and node.args and set(words) <= {"dim", "keepdim"}:
        rest = [text.of(one) for one in node.args[1:]] + [f"{key}={text.of(value)}" for key, value in words.items()]
        replace(
            walker,
            node,
            f"{_atom(node.args[0], text.of(node.args[0]))}.{name}({', '.join(rest)})",
            f"{path} → Tensor.{name}",
        )
        return Value("pair")
    if len(node.args) == 2 and not words:
        context.rename(text.start(node.func), text.end(node.func), context.use_helper(f"{name}_of"))
        return TENSOR
    context.mark(node, f"{path} has arguments here whose meaning the text does not show")
    return TENSOR


def _atom(node: ast.expr, text: str) -> str:
    is_atom = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return text if is_atom else f"({text})"


def _tensor(walker: "Walker", node: ast.Call, path: str) -> Value:
    """torch.tensor and its like, of values."""
    context, text = walker.context, walker.context.text
    arguments(walker, node)
    words = keywords(node)
    values = [*node.args, *([words["data"]] if "data" in words else [])]
    if not values:
        replace(walker, node, f"{context.use('ops')}.zeros((0,))", "an empty Tensor")
        return TENSOR
    dtype = f", dtype={text.of(words['dtype'])}" if "dtype" in words else ""
    if not dtype and path.rpartition(".")[2] in ("LongTensor", "FloatTensor", "BoolTensor", "IntTensor"):
        if isinstance(values[0], ast.Constant | ast.Starred) or len(values) > 1:
            context.mark(node, f"{path} of sizes is not initialized: write ops.zeros")
            return TENSOR
        kind = {"LongTensor": "int64", "FloatTensor": "float32", "BoolTensor": "bool_", "IntTensor": "int32"}
        dtype = f", dtype={context.use('ms')}.{kind[path.rpartition('.')[2]]}"
    if path.rpartition(".")[2] == "Tensor":
        if isinstance(values[0], ast.Constant) or len(values) > 1:
            context.mark(node, "torch.Tensor of sizes is not initialized: write ops.zeros")
            return TENSOR
        dtype = f", dtype={context.use('ms')}.float32"
    replace(walker, node, f"{context.use('ms')}.tensor({text.of(values[0])}{dtype})", f"{path} → ms.tensor")
    return TENSOR


def _parameter(walker: "Walker", node: ast.Call, path: str) -> Value:
    context, text = walker.context, walker.context.text
    value = node.args[0] if node.args else keywords(node).get("data")
    target = "Parameter" if isinstance(node.func, ast.Name) else "ms.Parameter"
    inner = names.shortest(context.bound.path(value.func)) if isinstance(value, ast.Call) else ""
    if inner == "torch.Tensor" and isinstance(value, ast.Call):  # sizes
        for one in value.args:
            walker.value(one)
        replace(
            walker,
            value,
            f"{context.use('ops')}.zeros({sizes_text(walker, list(value.args))})",
            "not initialized in torch",
        )
    else:
        arguments(walker, node)
    context.rename(text.start(node.func), text.end(node.func), context.use(target))
    if value is None:
        context.mark(node, "a Parameter needs a value")
    return TENSOR


def _checkpoint(walker: "Walker", node: ast.Call, path: str) -> Value:
    arguments(walker, node)
    _context, text = walker.context, walker.context.text
    rest = [text.of(one) for one in node.args[1:]]
    rest += [
        f"{word.arg}={text.of(word.value)}" if word.arg else f"**{text.of(word.value)}"
        for word in node.keywords
        if word.arg not in ("use_reentrant", "preserve_rng_state")
    ]
    if node.args:
        replace(
            walker,
            node,
            f"{_atom(node.args[0], text.of(node.args[0]))}({', '.join(rest)})",
            "the same values; `recompute()` of the cell saves memory",
        )
    return TENSOR


def _value_of(new: str) -> Callable[["Walker", ast.Call, str], Value]:
    def write(walker: "Walker", node: ast.Call, path: str) -> Value:
        replace(walker, node, walker.context.use(new), f"{path}() is {new} in MindSpore")
        return Value("bool")

    return write


def _first(walker: "Walker", node: ast.Call, path: str) -> Value:
    """Replace a call that returns an argument, such as torch.jit.annotate, by that."""
    arguments(walker, node)
    if node.args:
        kept = node.args[-1] if path.endswith("annotate") else node.args[0]
        replace(walker, node, walker.context.text.of(kept), f"{path} passes its argument on")
    return UNKNOWN


def _save(walker: "Walker", node: ast.Call, path: str) -> Value:
    """torch.save of a network's state: a checkpoint."""
    context, text = walker.context, walker.context.text
    value = node.args[0] if node.args else None
    is_state = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "state_dict"
    if len(node.args) != 2 or not is_state:
        arguments(walker, node)
        context.mark(
            node, "torch.save of more than a network: `mindspore.save_checkpoint` takes a Cell or a list of tensors"
        )
        return UNKNOWN
    assert isinstance(value, ast.Call)
    assert isinstance(value.func, ast.Attribute)
    walker.value(value.func.value)
    walker.value(node.args[1])
    owner = receiver_text(walker, value.func)
    to = _checkpoint_name(text.of(node.args[1]))
    replace(walker, node, f"{context.use('ms')}.save_checkpoint({owner}, {to})", "a checkpoint of MindSpore")
    return UNKNOWN


def _checkpoint_name(text: str) -> str:
    return re.sub(r"\.(?:pth|pt|bin)(?=[\"'])", ".ckpt", text)


def _load(walker: "Walker", node: ast.Call, path: str) -> Value:
    context, text = walker.context, walker.context.text
    arguments(walker, node)
    if node.args:
        new = f"{context.use('ms')}.load_checkpoint({_checkpoint_name(text.of(node.args[0]))})"
        replace(walker, node, new, "a checkpoint: `msbridge convert` makes one of torch's files")
    return Value("dict")


def _device(walker: "Walker", node: ast.Call, path: str) -> Value:
    replace(walker, node, f'{walker.context.use("ms")}.get_context("device_target")', "the device that is set")
    return Value("device")


FALSE = (
    "torch._dynamo.is_compiling torch.compiler.is_compiling torch.compiler.is_dynamo_compiling torch.cuda.is_available "
    "torch.is_autocast_enabled torch.jit.is_scripting torch.jit.is_tracing torch.onnx.is_in_onnx_export "
    "torch.overrides.has_torch_function torch.overrides.has_torch_function_unary"
)
PASSED = "torch.compile torch.fx.wrap torch.jit.annotate torch.jit.ignore torch.jit.script torch.jit.unused"
OF_VALUES = "BoolTensor FloatTensor IntTensor LongTensor Tensor as_tensor tensor"
HANDLERS: Mapping[str, Callable[["Walker", ast.Call, str], Value]] = {
    **{f"torch.{name}": _fill for name in ["empty", "ones", "rand", "randn", "zeros"]},
    **{f"torch.{name}": _tensor for name in OF_VALUES.split()},
    **{f"torch.{name}": _extreme for name in ("max", "min")},
    **dict.fromkeys(FALSE.split(), _value_of("False")),
    **dict.fromkeys(PASSED.split(), _first),
    "torch.device": _device,
    "torch.load": _load,
    "torch.save": _save,
    "torch.full": _full,
    "torch.nn.Parameter": _parameter,
    "torch.utils.checkpoint.checkpoint": _checkpoint,
}
