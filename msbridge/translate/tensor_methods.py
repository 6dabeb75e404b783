"""Methods of Tensors that no recipe describes: sizes as several arguments, a dtype or a device in one place, writes."""

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msbridge.translate.arguments import dot_of
from msbridge.translate.context import Value
from msbridge.translate.rewriting import arguments
from msbridge.translate.variadic import TENSOR, keywords, receiver_text, replace, sizes_text

if TYPE_CHECKING:
    from msbridge.translate.walker import Walker

__all__ = ["METHODS", "in_place"]


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
    sizes = sizes_text(walker, [*node.args, *(word.value for word in node.keywords)])
    walker.context.rewrite(dot_of(text, function), text.end(node), f".tile({sizes})", "repeat → tile")
    return TENSOR


def _flip(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    arguments(walker, node)
    text = walker.context.text
    sizes = sizes_text(walker, [*node.args, *(word.value for word in node.keywords)])
    walker.context.rewrite(dot_of(text, function), text.end(node), f".flip({sizes})", "the axes as a tuple")
    return TENSOR


def _new(walker: "Walker", node: ast.Call, function: ast.Attribute) -> Value:
    """new_zeros and its like: of the dtype of the receiver."""
    context, text = walker.context, walker.context.text
    arguments(walker, node)
    words = keywords(node)
    name = function.attr.removeprefix("new_")
    owner = receiver_text(walker, function)
    dtype = text.of(words["dtype"]) if "dtype" in words else f"{owner}.dtype"
    values = list(node.args) or [words[key] for key in ("size", "data") if key in words]
    if not values:
        context.mark(node, f"Tensor.{function.attr} has arguments here whose meaning the text does not show")
    elif name == "tensor":
        replace(
            walker, node, f"{context.use('ms')}.tensor({text.of(values[0])}, dtype={dtype})", "new_tensor → ms.tensor"
        )
    elif name == "full":
        fill = text.of(words["fill_value"]) if "fill_value" in words else text.of(values[1])
        replace(
            walker,
            node,
            f"{context.use('ops')}.full({sizes_text(walker, values[:1])}, {fill}, dtype={dtype})",
            "new_full → ops.full",
        )
    else:
        what = "ones" if name == "ones" else "zeros"
        replace(
            walker,
            node,
            f"{context.use('ops')}.{what}({sizes_text(walker, values)}, dtype={dtype})",
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
    words = keywords(node)
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
    parts = [receiver_text(walker, function), *(f"axis={one}" for one in dim), f"ddof={ddof}"]
    parts += [f"keepdims={text.of(given['keepdim'])}"] if "keepdim" in given else []
    replace(
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
    owner = receiver_text(walker, function)
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
