"""Sentences: what findings say, and what to do about them. No other file of the report makes sentences of findings."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msbridge.device.report.facts import Finding, Layer, Place

__all__ = ["amount", "at", "fix_of", "largest_batch", "sentence", "shape", "shapes", "share", "times"]

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
MAX_BATCH = 1 << 17  # no training is known that takes larger batches


def amount(size: float) -> str:
    """Return a number of bytes with its unit."""
    power = 0
    while abs(size) >= 1024 and power < len(_UNITS) - 1:
        size, power = size / 1024, power + 1
    return f"{size:.0f} {_UNITS[power]}" if power == 0 or size >= 100 else f"{size:.3g} {_UNITS[power]}"


def largest_batch(largest: int) -> str:
    """Return the largest batch that fits, as what follows "batch:"."""
    if largest > MAX_BATCH:
        return f"memory does not limit it (more than {MAX_BATCH:,} fit)"
    return f"up to {largest:,} are estimated to fit" if largest else "no batch fits"


def share(part: float) -> str:
    """Return a share in percent."""
    return "< 1 %" if 0 < part < 0.01 else f"{part:.0%}".replace("%", " %")


def times(count: int) -> str:
    """Return a count of times in words."""
    return "once" if count == 1 else f"{count:,} times"


def at(place: Place) -> str:
    """Return a place as `file:line`, from the present folder on where it is below that; "" for none."""
    path = Path(place.file)
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f"{shown}:{place.line}" if place.file else ""


def shape(one: Sequence[int]) -> str:
    """Return a shape in words."""
    return "×".join(map(str, one)) if one else "scalar"


def shapes(many: Sequence[Sequence[int]]) -> str:
    """Return the shapes of one call."""
    return ", ".join(map(shape, many)) or "no Tensor"


def sentence(finding: Finding) -> str:
    """Return a finding as a sentence."""
    return SEEN[finding.kind](**finding.values)


def fix_of(finding: Finding) -> str:
    """Return the remedy of a finding; "" where nothing is to be done."""
    return FIXES[finding.kind](**finding.values) if finding.kind in FIXES else ""


def _need(part: str) -> str:
    return "A step needs" if part == "everything" else f"{part.capitalize()} need"


def _layer(layer: Layer | None) -> str:
    if layer is None or not layer.kind:
        return ""
    name = f"{layer.path} ({layer.kind})" if layer.path else layer.kind
    return f"; the most is kept by {name}: {amount(layer.bytes)}"


def _batch(batch: int, largest: int | None) -> str:
    if not batch or largest is None:
        return ""
    return f" Batches, of {batch} here: {largest_batch(largest)}."


def _every(waits: int, steps: int, every: float) -> str:
    return f"{times(waits)} in {steps:,} steps" if every >= 1.5 else f"{times(waits)} in {steps:,} steps, in every step"


def _place(operator: str, at: str) -> str:
    return f"{operator} in {at}" if at else operator


# What was seen: the kind of a finding → the sentence that its values make.
SEEN: Mapping[str, Callable[..., str]] = {
    "does not fit": lambda part, need, limit, layer, batch, largest: (
        f"{_need(part)} {amount(need)}, but only {amount(limit)} are available{_layer(layer)}.{_batch(batch, largest)}"
    ),
    "dynamic shapes": lambda count, steps, shapes, network: (
        f"The inputs came in {count} different shapes in {steps:,} steps: {_format_shapes(shapes, count)}. In graph "
        "mode, a device compiles the network again for each of them."
    ),
    "float16": lambda names, calls: (
        f"{', '.join(names)} got float32; the first Ascends compute these in float16 only, later ones when "
        "precision_mode allows it."
    ),
    "frequent read": lambda reader, waits, steps, every: (
        f"{reader} read a value while steps were under way {_every(waits, steps, every)}; each time the device ran "
        "empty."
    ),
    "last batch": lambda count, steps, shapes, network: (
        f"The last batch of a pass is smaller: {_format_shapes(shapes, count)}. In graph mode, a device compiles the "
        "network for it, too, and a sink cannot hold it."
    ),
    "messages do not fit": lambda need, limit: (
        f"{amount(need)} of operations between processes were in progress at once, but only {amount(limit)} are "
        "reserved for them."
    ),
    "messages nearly fill": lambda need, limit: (
        f"{amount(need)} of operations between processes were in progress at once, of {amount(limit)} that are "
        "reserved for them."
    ),
    "nearly full": lambda part, need, limit, layer, batch, largest: (
        f"{_need(part)} {amount(need)} of {amount(limit)}{_layer(layer)}.{_batch(batch, largest)}"
    ),
    "no sinks": lambda steps, mode, target: (
        f"{steps:,} steps ran one by one: on an Ascend, the host takes part in each of them."
    ),
    "overflow in float16": lambda operator, at, peak: (
        f"{_place(operator, at)} met values up to {peak:,.5g}; float16 ends at 65504."
    ),
    "read inside a step": lambda reader, waits, steps, every: (
        f"A value was read in the middle of a step {_every(waits, steps, every)}. PyNative mode waits there; in graph "
        "mode, and in a sink, no value can be read inside a step."
    ),
    "starved": lambda share, data_s: (
        f"Steps waited {data_s:.2f} s for data, {_percent(share)} of the time; the first batch is not counted."
    ),
    "unplanned read": lambda reader, waits, steps, every: (
        f"The script read a value while steps were under way {_every(waits, steps, every)}; each time the device ran "
        "empty."
    ),
    "vanishes in float16": lambda operator, at, peak, share: (
        f"{_place(operator, at)}: {_percent(share)} of the values are too small for float16, and become zero."
    ),
    "waits for processes": lambda seconds, share, behind: (
        f"Steps waited {seconds:.2f} s for other processes, {_percent(share)} of the time; {_percent(behind)} of what "
        "was sent was under way while the backward pass computed."
    ),
}

# What to do: the kind of a finding → the sentence.
FIXES: Mapping[str, Callable[..., str]] = {
    "does not fit": lambda part, batch, largest, **_: (
        "use fewer weights, an optimizer with less state, or set_context(max_device_memory=…) for a device with more"
        if part == "parameters and optimizer" or not largest
        else f"use batches of {largest} or fewer, or recompute() the layers that keep the most"
    ),
    "dynamic shapes": lambda **_: (
        "pad to one length, or to a few (batch's pad_info, or bucket_batch_by_length), or declare what varies with "
        "set_inputs(Tensor(shape=[None, …]))"
    ),
    "float16": lambda **_: (
        'run it with set_context(ascend_config={"precision_mode": "allow_fp32_to_fp16"}) and see whether it trains'
    ),
    "frequent read": lambda reader, **_: (
        f"let {reader} read less often, such as LossMonitor(per_print_times=100), or train in sinks"
    ),
    "last batch": lambda **_: "batch(…, drop_remainder=True)",
    "messages do not fit": lambda **_: (
        "divide the gradients, set_auto_parallel_context(enable_parallel_optimizer=True, parallel_optimizer_config="
        '{"optimizer_level": "level2"}), or gather in parts'
    ),
    "no sinks": lambda **_: "Model.train(…, dataset_sink_mode=True, sink_size=100), or mindspore.data_sink",
    "overflow in float16": lambda **_: "scale its input, or keep this layer in float32",
    "read inside a step": lambda **_: (
        "return it from construct, and read it after the step; compute with ops until then"
    ),
    "starved": lambda **_: (
        "give map and batch more num_parallel_workers; msbridge run --data-report names the slowest operation"
    ),
    "unplanned read": lambda **_: "read it once per sink or epoch, in a callback",
    "vanishes in float16": lambda **_: "scale the loss: FixedLossScaleManager or DynamicLossScaleManager",
    "waits for processes": lambda **_: (
        "use larger batches, or see whether one process has more to compute than the others; nn.TrainOneStepCell and "
        "Model.train send gradients during the backward pass"
    ),
}


def _format_shapes(many: Sequence[Sequence[Sequence[int]]], count: int) -> str:
    return "; ".join(map(shapes, many)) + (" …" if count > len(many) else "")


def _percent(part: float) -> str:
    return share(part)
