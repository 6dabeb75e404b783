"""Strategies: into how many parts the axes of an operator's inputs are divided, and which axes go together.

A strategy has a tuple for each input, with the number of parts of each axis, or a Layout. Every axis of an input has a
label; axes of one label are divided over the same devices. The labels in their order are the axes of the operator's
array of devices; devices that no label takes compute the same.

Follows: the public documentation of mindspore.ops.Primitive.shard and of operator-level parallelism (2.10).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msbridge.distributed.layout import Layout

__all__ = ["degrees_of", "parts_by_label", "parts_of_call"]

Label = tuple[str, int]
Shape = tuple[int, ...]
Degrees = tuple[int, ...]


def degrees_of(layout: "Layout | Mapping[str, Any]") -> Degrees:
    """Return into how many parts a Layout divides the axes of its tensor."""
    facts = layout.to_dict() if isinstance(layout, Layout) else layout
    lengths = facts["device_matrix"]
    of_axis = [axis if isinstance(axis, tuple) else (axis,) for axis in facts["tensor_map"]]
    return tuple(math.prod(lengths[-1 - place] for place in axis if place >= 0) for axis in of_axis)


def parts_of_call(
    name: str, attrs: Mapping[str, Any], args: Sequence[Any], shapes: Sequence[Shape], devices: int
) -> tuple[list[tuple[Label, ...]], dict[Label, int]]:
    """Return the labels of the axes of each input of a primitive's call, and the number of parts of every label.

    Args:
        name: the operator's name.
        attrs: the primitive's attributes, the strategy among them.
        args: what it is called with.
        shapes: those of the Tensors among them.
        devices: how many there are.

    Raises:
        RuntimeError: the operator cannot be divided like that; operator and strategy are named.
    """
    strategy = attrs["in_strategy"]
    settings = attrs | {key: args[place] for key, place in _SETTINGS.get(name, {}).items()}  # type: ignore[operator]
    if name == "OneHot":  # the first part is for the output, which has an axis of classes more
        classes = settings["axis"] % len(strategy[0])
        strategy = (strategy[0][:classes] + strategy[0][classes + 1 :], *strategy[1:])
    return parts_by_label(name, strategy, shapes, settings, devices)


def _check_number(name: str, strategy: Sequence[Any], devices: int) -> None:
    """Refuse a strategy that needs more devices than there are, or a number that does not divide theirs.

    Raises:
        RuntimeError: the operator and the strategy are named.
    """
    for part in strategy:
        for parts in part if isinstance(part, tuple) else ():
            if isinstance(parts, int) and (parts < 1 or devices % parts):
                raise _strategy_error(name, strategy, f"{parts} parts do not go into {devices} devices")
        if isinstance(part, tuple) and all(isinstance(parts, int) for parts in part) and math.prod(part) > devices:
            raise _strategy_error(name, strategy, f"{part} needs {math.prod(part)} devices, and there are {devices}")


def parts_by_label(
    name: str, strategy: Sequence[Degrees], shapes: Sequence[Shape], settings: Mapping[str, Any], devices: int
) -> tuple[list[tuple[Label, ...]], dict[Label, int]]:
    """Return the labels of the axes of each input, and the number of parts of every label.

    Args:
        name: the operator's name, such as "MatMul".
        strategy: the number of parts of each axis of each input.
        shapes: the inputs' shapes.
        settings: the operator's attributes.
        devices: how many there are.

    Raises:
        RuntimeError: the operator cannot be divided like that; operator and strategy are named.
    """
    if len(strategy) != len(shapes):
        raise _strategy_error(name, strategy, f"it is for {len(strategy)} inputs, and there are {len(shapes)}")
    _check_number(name, strategy, devices)
    for degrees, shape in zip(strategy, shapes, strict=True):
        if len(degrees) != len(shape):
            raise _strategy_error(
                name, strategy, f"{degrees} is for {len(degrees)} axes, the input has the shape {shape}"
            )
        for parts, length in zip(degrees, shape, strict=True):
            if length % parts:
                raise _strategy_error(
                    name, strategy, f"an axis of length {length} in {shape} cannot be cut in {parts} parts"
                )
    for axis in _whole_axes(name, shapes, settings):
        if strategy[0][axis] != 1:
            raise _strategy_error(name, strategy, f"the operator needs axis {axis} of its input undivided")
    labels = _LABELS.get(name, _label_unrelated)(shapes, settings)
    numbers: dict[Label, int] = {}
    for degrees, shape, names in zip(strategy, shapes, labels, strict=True):
        for parts, length, label in zip(degrees, shape, names, strict=True):
            if length > 1 and numbers.setdefault(label, parts) != parts:
                raise _strategy_error(
                    name, strategy, f"axes that go together are cut in {numbers[label]} and {parts} parts"
                )
    total = math.prod(numbers.values())
    if total > devices or devices % total:
        raise _strategy_error(name, strategy, f"it needs {total} devices, and there are {devices}")
    return labels, numbers


def _strategy_error(name: str, strategy: Sequence[Any], why: str) -> RuntimeError:
    return RuntimeError(f"For '{name}', the strategy {tuple(strategy)} cannot be carried out: {why}.")


def _whole_axes(name: str, shapes: Sequence[Shape], settings: Mapping[str, Any]) -> list[int]:
    """Return the axes of the first input along which the operator mixes values, so that they stay whole."""
    if name not in _WHOLE or not shapes:
        return []
    rank = len(shapes[0])
    setting, default, is_start = _WHOLE[name]
    axes = settings.get(setting, default)
    axes = axes if isinstance(axes, tuple | list) else (axes,)
    first = [axis % rank for axis in axes] if rank else []
    return list(range(first[0], rank)) if is_start and first else first


# Settings that come with a call: the places of the arguments.
_SETTINGS: Mapping[str, Mapping[str, int]] = {"CumSum": {"axis": 1}}
# Operators with axes that stay whole: the attribute that names them, its default, whether it is the first of several.
_WHOLE: Mapping[str, tuple[str, Any, bool]] = {
    "LayerNorm": ("begin_norm_axis", 1, True),
    "LogSoftmax": ("axis", -1, False),
    "Softmax": ("axis", -1, False),
    "CumSum": ("axis", 0, False),
    "Sort": ("axis", -1, False),
}


def _label_broadcast(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> list[tuple[Label, ...]]:
    """Label the axes of inputs that are broadcast: counted from the last, the same ones belong together."""
    rank = max(map(len, shapes), default=0)
    return [tuple(("", rank - len(shape) + axis) for axis in range(len(shape))) for shape in shapes]


def _label_unrelated(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> list[tuple[Label, ...]]:
    """Label the axes of inputs that have nothing to do with each other."""
    return [tuple((str(place), axis) for axis in range(len(shape))) for place, shape in enumerate(shapes)]


def _label_matmul(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> list[tuple[Label, ...]]:
    """Label the axes of a product of matrices: rows, the axis that is summed, columns; before them the batch."""
    left, right = shapes[:2]
    rows, between, columns = ("rows", 0), ("sum", 0), ("columns", 0)
    of_left = (between, rows) if settings.get("transpose_a") else (rows, between)
    of_right = (columns, between) if settings.get("transpose_b") else (between, columns)
    batch = _label_broadcast((left[:-2], right[:-2]), settings)
    return [(*batch[0], *of_left), (*batch[1], *of_right)]


def _label_convolution(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> list[tuple[Label, ...]]:
    """Label the axes of an input and the weight of a convolution: the channels of the input are summed."""
    is_last = settings.get("data_format", settings.get("format")) == "NHWC"
    height, width, inner = ("height", 0), ("width", 0), ("sum", 0)
    kernel, summed = [("kernel", 0), ("kernel", 1)], inner if settings.get("group", 1) == 1 else ("group", 0)
    if is_last:
        return [(("rows", 0), height, width, inner), (("columns", 0), *kernel, summed)]
    return [(("rows", 0), inner, height, width), (("columns", 0), summed, *kernel)]


def _label_from_first(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> list[tuple[Label, ...]]:
    """Label the axes of inputs whose first axes belong together: counted from the first."""
    return [tuple(("", axis) for axis in range(len(shape))) for shape in shapes]


def _label_by_channel(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> list[tuple[Label, ...]]:
    """Label the axes of an input and what there is one of for each of its channels, on axis 1."""
    return [tuple(("", axis) for axis in range(len(shapes[0]))), *(((("", 1)),) for _ in shapes[1:])]


_BROADCAST = (
    "Add Addcdiv Addcmul AddN AssignAdd Atan2 BCEWithLogitsLoss BinaryCrossEntropy BitwiseAnd BitwiseOr BitwiseXor "
    "Concat Div DivNoNan Equal FloorDiv FloorMod GatherD Greater GreaterEqual KLDivLoss LayerNorm Lerp Less LessEqual "
    "LogicalAnd LogicalOr LogicalXor MaskedFill Maximum Minimum Mod Mul NotEqual Pow RealDiv RmsNorm Select "
    "SigmoidCrossEntropyWithLogits SmoothL1Loss SoftmaxCrossEntropyWithLogits SquaredDifference Stack Sub TensorAdd "
    "TruncateDiv TruncateMod Xdivy Xlogy"
)
# What belongs together in the inputs of an operator; in those of one that is not here, nothing does.
_LABELS: Mapping[str, Callable[[Sequence[Shape], Mapping[str, Any]], list[tuple[Label, ...]]]] = {
    "BatchMatMul": _label_matmul,
    **dict.fromkeys(("BatchNorm", "BiasAdd", "InstanceNorm", "PReLU"), _label_by_channel),
    "Conv2D": _label_convolution,
    "MatMul": _label_matmul,
    **dict.fromkeys(("SparseSoftmaxCrossEntropyWithLogits", "UnsortedSegmentSum"), _label_from_first),
    **dict.fromkeys(_BROADCAST.split(), _label_broadcast),
}
