"""Calls whose form no recipe can say: sizes as several arguments, a dtype or a device or a Tensor in the same place."""

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msbridge.translate import names
from msbridge.translate.arguments import dot_of
from msbridge.translate.context import UNKNOWN, Value
from msbridge.translate.conversions import is_number
from msbridge.translate.rewriting import arguments

if TYPE_CHECKING:
    from msbridge.translate.walker import Walker

__all__ = ["HANDLERS", "METHODS", "in_place"]

TENSOR = Value("tensor")


def _replace(walker: "Walker", node: ast.AST, new: str, reason: str) -> None:
    text = walker.context.text
    walker.context.rewrite(text.start(node), text.end(node), new, reason)


def _receiver(walker: "Walker", function: ast.Attribute) -> str:
    text = walker.context.text
    return text.render(text.start(function), dot_of(text, function))


def _keywords(node: ast.Call) -> dict[str, ast.expr]:
    return {str(word.arg): word.value for word in node.keywords}


def _sizes(walker: "Walker", values: list[ast.expr]) -> str:
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
    words = _keywords(node)
    for name in ("out", "generator"):
        if name in words:
            context.mark(node, f"{path.rpartition('.')[2]} has no `{name}` in MindSpore")
            return TENSOR
    name = path.rpartition(".")[2]
    values = [words["size"]] if "size" in words else node.args
    if not values or None in words:
        context.mark(node, f"{path} has arguments here whose meaning the text does not show")
        return TENSOR
    sizes = _sizes(walker, values)
    dtype = f", dtype={text.of(words['dtype'])}" if "dtype" in words else ""
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
    _replace(walker, node, f"{context.use(function)}({sizes}{dtype})", f"{path} → {function}")
    return TENSOR


def _full(walker: "Walker", node: ast.Call, path: str) -> Value:
    context, text = walker.context, walker.context.text
    arguments(walker, node)
    words = _keywords(node)
    given = dict(zip(("size", "fill_value"), node.args, strict=False)) | words
    if not {"size", "fill_value"} <= given.keys() or "out" in words:
        context.mark(node, "torch.full has arguments here whose meaning the text does not show")
        return TENSOR
    dtype = f", dtype={text.of(words['dtype'])}" if "dtype" in words else ""
    value, size = text.of(given["fill_value"]), _sizes(walker, [given["size"]])
    if ast.unparse(given["size"]) in ("()", "[]"):
        _replace(walker, node, f"{context.use('ms')}.tensor({value}{dtype})", "a Tensor of no axis")
    else:
        _replace(walker, node, f"{context.use('ops')}.full({size}, {value}{dtype})", "torch.full → ops.full")
    return TENSOR


def _extreme(walker: "Walker", node: ast.Call, path: str) -> Value:
    """torch.max and min: of all, along an axis, or of two Tensors."""
    context, text = walker.context, walker.context.text
    name = path.rpartition(".")[2]
    kinds = [walker.value(one).kind for one in node.args]
    for word in node.keywords:
        walker.value(word.value)
    words = _keywords(node)
    if len(node.args) == 1 and not words:
        _replace(walker, node, f"{_atom(node.args[0], text.of(node.args[0]))}.{name}()", f"{path} → Tensor.{name}")
        return TENSOR
    if len(node.args) == 2 and (kinds[1] == "tensor" or "other" in words) and not words:
        context.rename(text.start(node.func), text.end(node.func), context.use(f"ops.{name}imum"))
        return TENSOR
    is_axis = "dim" in words or (len(node.args) > 1 and (kinds[1] == "number" or isinstance(node.args[1], ast.UnaryOp)))
    if is_axis and node.args and set(words) <= {"dim", "keepdim"}:
        rest = [text.of(one) for one in node.args[1:]] + [f"{key}={text.of(value)}" for key, value in words.items()]
        _replace(
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
    words = _keywords(node)
    values = [*node.args, *([words["data"]] if "data" in words else [])]
    if not values:
        _replace(walker, node, f"{context.use('ops')}.zeros((0,))", "an empty Tensor")
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
    _replace(walker, node, f"{context.use('ms')}.tensor({text.of(values[0])}{dtype})", f"{path} → ms.tensor")
    return TENSOR


def _parameter(walker: "Walker", node: ast.Call, path: str) -> Value:
    context, text = walker.context, walker.context.text
    value = node.args[0] if node.args else _keywords(node).get("data")
    target = "Parameter" if isinstance(node.func, ast.Name) else "ms.Parameter"
    inner = names.shortest(context.bound.path(value.func)) if isinstance(value, ast.Call) else ""
    if inner == "torch.Tensor" and isinstance(value, ast.Call):  # sizes
        for one in value.args:
            walker.value(one)
        _replace(
            walker, value, f"{context.use('ops')}.zeros({_sizes(walker, list(value.args))})", "not initialized in torch"
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
        _replace(
            walker,
            node,
            f"{_atom(node.args[0], text.of(node.args[0]))}({', '.join(rest)})",
            "the same values; `recompute()` of the cell saves memory",
        )
    return TENSOR


def _value_of(new: str) -> Callable[["Walker", ast.Call, str], Value]:
    def write(walker: "Walker", node: ast.Call, path: str) -> Value:
        _replace(walker, node, walker.context.use(new), f"{path}() is {new} in MindSpore")
        return Value("bool")

    return write


def _first(walker: "Walker", node: ast.Call, path: str) -> Value:
    """Replace a call that returns an argument, such as torch.jit.annotate, by that."""
    arguments(walker, node)
    if node.args:
        kept = node.args[-1] if path.endswith("annotate") else node.args[0]
        _replace(walker, node, walker.context.text.of(kept), f"{path} passes its argument on")
    return UNKNOWN


def _device(walker: "Walker", node: ast.Call, path: str) -> Value:
    _replace(walker, node, f'{walker.context.use("ms")}.get_context("device_target")', "the device that is set")
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
    "torch.full": _full,
    "torch.nn.Parameter": _parameter,
    "torch.utils.checkpoint.checkpoint": _checkpoint,
}


def _size(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    arguments(walker, node)
    text = walker.context.text
    values = [*node.args, *(word.value for word in node.keywords)]
    index = f"[{text.of(values[0])}]" if values else ""
    dot = dot_of(text, function)
    walker.context.rewrite(dot, text.end(node), f".shape{index}", "size() → shape")
    return Value("number" if values else "shape")


def _repeat(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    arguments(walker, node)
    text = walker.context.text
    sizes = _sizes(walker, [*node.args, *(word.value for word in node.keywords)])
    walker.context.rewrite(dot_of(text, function), text.end(node), f".tile({sizes})", "repeat → tile")
    return TENSOR


def _flip(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    arguments(walker, node)
    text = walker.context.text
    sizes = _sizes(walker, [*node.args, *(word.value for word in node.keywords)])
    walker.context.rewrite(dot_of(text, function), text.end(node), f".flip({sizes})", "the axes as a tuple")
    return TENSOR


def _new(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    """new_zeros and its like: of the dtype of the receiver."""
    context, text = walker.context, walker.context.text
    arguments(walker, node)
    words = _keywords(node)
    name = function.attr.removeprefix("new_")
    owner = _receiver(walker, function)
    dtype = text.of(words["dtype"]) if "dtype" in words else f"{owner}.dtype"
    values = list(node.args) or [words[key] for key in ("size", "data") if key in words]
    if not values:
        context.mark(node, f"Tensor.{function.attr} has arguments here whose meaning the text does not show")
    elif name == "tensor":
        _replace(
            walker, node, f"{context.use('ms')}.tensor({text.of(values[0])}, dtype={dtype})", "new_tensor → ms.tensor"
        )
    elif name == "full":
        fill = text.of(words["fill_value"]) if "fill_value" in words else text.of(values[1])
        _replace(
            walker,
            node,
            f"{context.use('ops')}.full({_sizes(walker, values[:1])}, {fill}, dtype={dtype})",
            "new_full → ops.full",
        )
    else:
        what = "ones" if name == "ones" else "zeros"
        _replace(
            walker,
            node,
            f"{context.use('ops')}.{what}({_sizes(walker, values)}, dtype={dtype})",
            f"{function.attr} → ops.{what}",
        )
    return TENSOR


def _to(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    """`to`: dtypes stay, devices go."""
    context, text = walker.context, walker.context.text
    dtype = ""
    every = [*(("", value) for value in node.args), *((str(word.arg), word.value) for word in node.keywords)]
    for name, value in every:
        known, source = walker.value(value).kind, ast.unparse(value)
        is_flag = known in ("str", "bool", "device") and name != "dtype"
        if is_flag or name in ("device", "non_blocking", "copy", "memory_format"):
            continue
        if name == "dtype" or known == "dtype" or source.endswith("dtype"):
            dtype = text.of(value)
        elif known == "tensor":
            dtype = f"{text.of(value)}.dtype"
        elif "device" not in source and source != "rank":
            context.mark(node, f"is `{source}` a dtype, a device or a Tensor? Keep a dtype, leave a device out")
            return TENSOR
    dot = dot_of(text, function)
    if not dtype:
        context.rewrite(dot, text.end(node), "", "MindSpore chooses the device")
    elif len(every) > 1 or text.of(every[0][1]) != dtype:
        context.rewrite(dot, text.end(node), f".to({dtype})", "only the dtype")
    return TENSOR


def _strip(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    text = walker.context.text
    walker.context.rewrite(dot_of(text, function), text.end(node), "", f".{function.attr}() needs nothing in its place")
    return TENSOR


def _spread(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    """std and var: unbiased unless said otherwise."""
    context, text = walker.context, walker.context.text
    arguments(walker, node)
    words = _keywords(node)
    given = dict(zip(("dim", "unbiased", "keepdim"), node.args, strict=False)) | words
    ddof = "1"
    if "unbiased" in given:
        value = given["unbiased"]
        ddof = str(int(bool(value.value))) if isinstance(value, ast.Constant) else f"int({text.of(value)})"
    if "correction" in given:
        ddof = text.of(given["correction"])
    dim = [text.of(given["dim"])] if "dim" in given else []
    if dim and ast.unparse(given["dim"]) in ("True", "False"):
        ddof, dim = str(int(ast.unparse(given["dim"]) == "True")), []
    if dim and isinstance(given["dim"], ast.List):
        dim = [f"({dim[0][1:-1]},)" if len(given["dim"].elts) == 1 else f"({dim[0][1:-1]})"]
    parts = [_receiver(walker, function), *(f"axis={one}" for one in dim), f"ddof={ddof}"]
    parts += [f"keepdims={text.of(given['keepdim'])}"] if "keepdim" in given else []
    _replace(
        walker,
        node,
        f"{context.use(f'ops.{function.attr}')}({', '.join(parts)})",
        f"{function.attr} → ops.{function.attr} with ddof",
    )
    return TENSOR


METHODS: Mapping[str, Callable[["Walker", ast.Call, ast.Attribute], Value]] = {
    "size": _size,
    "repeat": _repeat,
    "flip": _flip,
    "to": _to,
    **dict.fromkeys(("new_zeros", "new_ones", "new_empty", "new_full", "new_tensor"), _new),
    **dict.fromkeys(("cpu", "cuda", "pin_memory"), _strip),
    **dict.fromkeys(("std", "var"), _spread),
}
FILLING = {
    "bernoulli_": "bernoulli_",
    "fill_": "constant_",
    "normal_": "normal_",
    "uniform_": "uniform_",
    "zero_": "zeros_",
}
KEPT = ("add_", "copy_", "div_", "mul_", "sub_")  # which MindSpore has
PLAIN = {
    "abs",
    "ceil",
    "clamp",
    "cos",
    "erf",
    "erfinv",
    "exp",
    "floor",
    "log",
    "masked_fill",
    "neg",
    "pow",
    "relu",
    "round",
    "rsqrt",
    "sigmoid",
    "sin",
    "sqrt",
    "tanh",
}


def in_place(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    """Change a call that writes into its receiver."""
    context, text = walker.context, walker.context.text
    name = function.attr
    arguments(walker, node)
    owner = _receiver(walker, function)
    start, end = text.start(node), text.end(node)
    inside = [text.of(value) for value in node.args] + [f"{word.arg}={text.of(word.value)}" for word in node.keywords]
    plain = name.removesuffix("_")
    if name in FILLING:
        helper = context.use_helper(FILLING[name])
        context.rewrite(start, end, f"{helper}({', '.join([owner, *inside])})", f"{name} by a helper")
    elif name in KEPT:
        pass
    elif plain in PLAIN and _is_fresh(walker, node, function.value):
        if plain == "relu":
            context.rewrite(start, end, f"{context.use('ops')}.relu({owner})", f"{name} → ops.relu")
        else:
            context.rename(text.end(function) - len(name), text.end(function), plain)
    elif plain in PLAIN:
        new = f"{context.use('ops')}.relu({owner})" if plain == "relu" else f"{owner}.{plain}({', '.join(inside)})"
        context.rewrite(start, end, f"{owner}.copy_({new})", f"{name} through copy_")
    else:
        context.mark(node, f"Tensor.{name} writes in place, which MindSpore has no method for")
    return TENSOR


def _is_fresh(walker: "Walker", node: ast.Call, receiver: ast.expr) -> bool:
    """Whether nobody else sees the receiver: a result that has no name, or one that the same name gets again."""
    statement = walker.context.statement
    is_again = isinstance(statement, ast.Assign) and statement.value is node
    targets = [ast.unparse(one) for one in statement.targets] if isinstance(statement, ast.Assign) else []
    return isinstance(receiver, ast.Call | ast.BinOp) or (is_again and targets == [ast.unparse(receiver)])
