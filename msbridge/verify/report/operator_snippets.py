"""Operator snippets: what torch ran as scripts write it: as a Cell, as a function of `ops`, or as an operator."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from msbridge import mint, nn, ops
from msbridge.converters.names.parameter_table import layers
from msbridge.verify.record.equality import agree
from msbridge.verify.report.constructor_snippets import format_padding, is_alone, number, parameters_of, plain

__all__ = ["SIGNS", "cell_of", "format_call"]

SIGNS = {"add": "+", "div": "/", "mul": "*", "pow": "**", "sub": "-"}
NUMBERS = ("other", "exponent")  # the name of an operator's right side
# Operators whose Cell or function has another name than theirs.
CELLS = {
    "adaptive_avg_pool2d": "AdaptiveAvgPool2d",
    "adaptive_max_pool2d": "AdaptiveMaxPool2d",
    "avg_pool1d": "AvgPool1d",
    "avg_pool2d": "AvgPool2d",
    "avg_pool3d": "AvgPool3d",
    "celu": "CELU",
    "elu": "ELU",
    "gelu": "GELU",
    "hardshrink": "HShrink",
    "hardsigmoid": "HSigmoid",
    "hardswish": "HSwish",
    "hardtanh": "Hardtanh",
    "leaky_relu": "LeakyReLU",
    "log_sigmoid_forward": "LogSigmoid",
    "log_softmax": "LogSoftmax",
    "max_pool2d": "MaxPool2d",
    "max_pool3d": "MaxPool3d",
    "mish": "Mish",
    "reflection_pad1d": "ReflectionPad1d",
    "reflection_pad2d": "ReflectionPad2d",
    "reflection_pad3d": "ReflectionPad3d",
    "relu": "ReLU",
    "relu6": "ReLU6",
    "replication_pad1d": "ReplicationPad1d",
    "replication_pad2d": "ReplicationPad2d",
    "replication_pad3d": "ReplicationPad3d",
    "selu": "SeLU",
    "sigmoid": "Sigmoid",
    "silu": "SiLU",
    "softmax": "Softmax",
    "softshrink": "SoftShrink",
    "tanh": "Tanh",
    "threshold": "Threshold",
}
MINT_CELLS = {"HShrink": "Hardshrink", "HSigmoid": "Hardsigmoid", "HSwish": "Hardswish", "SeLU": "SELU",
              "SoftShrink": "Softshrink"}  # fmt: skip
FUNCTIONS = {"bmm": "matmul", "log_sigmoid_forward": "logsigmoid", "max": "amax", "min": "amin", "mm": "matmul"}
MODES = {"upsample_bicubic2d": "bicubic", "upsample_bilinear2d": "bilinear", "upsample_linear1d": "linear",
         "upsample_nearest1d": "nearest", "upsample_nearest2d": "nearest", "upsample_nearest3d": "nearest",
         "upsample_trilinear3d": "trilinear"}  # fmt: skip
PADS = {"reflection_pad": "reflect", "replication_pad": "replicate"}
# What an argument of torch's operators may be called in MindSpore; the signature of what is called decides.
SYNONYMS = {
    "dim": ("axis", "dim", "dims"),
    "eps": ("epsilon", "eps"),
    "keepdim": ("keep_dims", "keepdims", "keepdim"),
    "negative_slope": ("alpha", "negative_slope"),
    "threshold": ("threshold", "thr"),
}


def format_call(name: str, arguments: Mapping[str, Any], kind: str = "", only: str = "") -> str:
    """Return the code that computes an operator of torch in a script.

    Args:
        name: of the operator, such as `gelu`.
        arguments: its arguments that are not tensors, by torch's names.
        kind: the Cell that is there, such as `nn.ReLU`; "" where an operator does.
        only: the one argument that has to be written; "" for all that are not the defaults.

    Returns:
        Such as `nn.GELU(approximate=False)` or `ops.softmax(…, axis=1)`; "" where it is unknown.
    """
    if name in SIGNS and not kind.startswith(("nn.", "mint.")):
        value = next((arguments[one] for one in NUMBERS if isinstance(arguments.get(one), int | float)), None)
        return f"x {SIGNS[name]} {'y' if value is None else number(value)}"
    if name in MODES:
        return _resize(name, arguments, only)
    found = _callee(name, kind)
    if found is None or (only and kind.startswith(("nn.", "mint.")) and found[0] != kind):  # inside of another layer
        return ""
    place, target = found
    given = list(_format_arguments(name, place, target, arguments, only))
    if only and not given:
        return ""
    is_whole = not place.startswith("ops.") and (not only or is_alone(place))
    return f"{place}({', '.join([*([] if is_whole else ['…']), *given])})"


def cell_of(torch_kind: str, kind: str = "nn.") -> str:
    """Return the Cell that answers to a layer of torch, such as `nn.Dense` to Linear, in the room of `kind`."""
    if kind.startswith("mint.") and hasattr(mint.nn, torch_kind):
        return f"mint.nn.{torch_kind}"
    row = layers().get(f"torch.nn.{torch_kind}")
    name = row.cell.rpartition(".")[2] if row else torch_kind
    return f"nn.{name}" if hasattr(nn, name) else ""


def _callee(name: str, kind: str) -> tuple[str, Any] | None:
    """Return the callable, as it is written and itself."""
    for room, module in (("mint.nn", mint.nn), ("nn", nn)):
        cell = CELLS.get(name, "")
        cell = MINT_CELLS.get(cell, cell) if room == "mint.nn" else cell
        if kind.startswith(f"{room}.") and hasattr(module, cell):
            return f"{room}.{cell}", getattr(module, cell)
    own = "pad" if _pad_mode(name) else FUNCTIONS.get(name, name)
    target = getattr(ops, own, None)
    return (f"ops.{own}", target) if inspect.isfunction(target) else None


def _format_arguments(name: str, place: str, target: Any, arguments: Mapping[str, Any], only: str) -> Iterator[str]:
    """Yield the arguments that have to be written."""
    parameters = parameters_of(target)
    if place == "ops.pad":
        yield f"padding={list(arguments.get('padding', arguments.get('pad', ())))}, mode={_pad_mode(name)!r}"
        return
    for argument, value in arguments.items():
        parameter = next((other for other in SYNONYMS.get(argument, (argument,)) if other in parameters), None)
        if parameter is None or (only and argument != only) or (argument == "padding" and "pad_mode" in parameters):
            continue
        if argument == "stride" and value == []:
            value = arguments["kernel_size"]
        if place == "nn.GELU":
            value = value == "tanh"
        if _is_plain(value) and (only or not _is_default(value, parameters[parameter].default)):
            yield plain(parameter, value)
    if "pad_mode" in parameters and not only:
        yield from _pad_mode_of_pool(arguments)


def _pad_mode_of_pool(arguments: Mapping[str, Any]) -> Iterator[str]:
    sizes = [size for size in arguments.get("padding", ()) for _ in range(2)]
    needs_it = arguments.get("ceil_mode") or set(arguments.get("dilation", ())) - {1}
    if any(sizes) or needs_it:
        yield format_padding(sizes) if any(sizes) else "pad_mode='pad'"


def _is_plain(value: Any) -> bool:
    parts = value if isinstance(value, list | tuple) else [value]
    return bool(parts) and all(isinstance(one, bool | int | float | str) for one in parts)


def _is_default(value: Any, default: Any) -> bool:
    sizes = set(value) if isinstance(value, list | tuple) else ()
    return agree(next(iter(sizes)) if len(sizes) == 1 else value, default)


def _pad_mode(name: str) -> str:
    return (
        "constant"
        if name == "constant_pad_nd"
        else next((own for start, own in PADS.items() if name.startswith(start)), "")
    )


def _resize(name: str, arguments: Mapping[str, Any], only: str) -> str:
    if only and only != "align_corners":
        return ""
    corners = f"align_corners={bool(arguments.get('align_corners'))}" if only or arguments.get("align_corners") else ""
    return f"ops.interpolate({', '.join(filter(None, ['…', '' if only else f'mode={MODES[name]!r}', corners]))})"
