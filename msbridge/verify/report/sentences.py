"""Sentences: what the facts of findings say, in words. No other room makes sentences of what was found."""

from collections.abc import Callable, Mapping, Sequence

from msbridge.verify.explain.changes import PADS, Calls
from msbridge.verify.explain.findings import Fact, Finding
from msbridge.verify.judge.status import FAULTS
from msbridge.verify.measure.difference import Difference
from msbridge.verify.measure.settings import Disagreement
from msbridge.verify.report.constructor_snippets import constructor, number
from msbridge.verify.report.numbers import amount, exact, ratio
from msbridge.verify.report.operator_snippets import SIGNS, cell_of, format_call
from msbridge.verify.report.result import Result

MAX_OPERATORS_LISTED = 12  # operators listed in a sentence
SAYS_ITS_KIND = ("setting", "quiet setting", "recorded gap")  # facts whose sentence begins with the kind of the finding

# Why a setting often differs.
TRAPS = {
    "alpha": "0.2 by default, torch 0.01",
    "appended": "the Cell appends zeros, torch computes values there: pad_mode 'pad' with less padding at the ends "
    "does that",
    "batch": "True normalises by the batch in inference too",
    "bias": "has_bias is False by default",
    "epsilon": "1e-7 by default, torch 1e-5",
    "gelu": "nn.GELU is the tanh form by default",
    "keep": "the first argument of nn.Dropout is keep_prob, one minus torch's p",
    "momentum": "MindSpore's is one minus torch's; both are shown on torch's scale",
    "padding": "Conv2d pads 'same' by default; 'same' puts the odd excess at the bottom and right",
    "same average": "pad_mode 'same' leaves the zeros around the input out of the average",
    "same": "'same' puts the odd excess at the bottom and right",
    "stride": "the stride is 1 by default, torch's the kernel size",
}
# Which of them a Cell falls into of itself.
TRAPS_OF_CELLS = {"nn.GELU": "gelu", "nn.LeakyReLU": "alpha"}


def _hint(trap: str) -> str:
    return f" ({TRAPS[trap]})" if trap else ""


def _operators(names: Sequence[str]) -> str:
    more = f" … ({len(names)} operators)" if len(names) > MAX_OPERATORS_LISTED else ""
    return (", ".join(names[:MAX_OPERATORS_LISTED]) + more) or "nothing"


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)


def _shapes(shapes: Sequence[Sequence[int]]) -> str:
    return ", ".join("×".join(map(str, shape)) for shape in shapes)


def dtype_name(value: object) -> str:
    """Return the name of a dtype without torch's."""
    return str(value).removeprefix("torch.")


def _value(value: object) -> str:
    return str(value) if isinstance(value, str) else number(value)


def _setting(setting: str, torch: object, cell: object, trap: str) -> str:
    return f"{setting}: torch {_value(torch)}, Cell {_value(cell)}{_hint(trap)}"


# What was seen: the name of a fact → the sentence that its values make.
SEEN: Mapping[str, Callable[..., str]] = {
    # what one tensor is of another
    "added": lambda shift: f"it is torch's plus {exact(shift, 4)}",
    "constant": lambda value: f"it is {exact(value)} everywhere",
    "inverted": lambda: "it is torch's mask inverted",
    "moved": lambda by, axis: f"it is torch's moved by {by} along axis {axis}",
    "part": lambda start, end, axis: f"it is torch's from {start} to {end} along axis {axis}",
    "permuted": lambda axes: f"it is torch's with the axes in the order {axes}",
    "reordered": lambda: "it holds torch's values in another order",
    "reversed": lambda axis: f"it is torch's reversed along axis {axis}",
    "rolled": lambda by, axis: f"it is torch's rolled by {by} along axis {axis}",
    "scaled": lambda factor: f"it is torch's times {exact(factor, 4)}",
    "shifted": lambda by: f"it is torch's {'plus' if by > 0 else 'minus'} {abs(by)} everywhere",
    "unlike at": lambda place, cell, torch: f"at {place} it is {cell}, torch's is {torch}",
    "unlike masks": lambda torch, cell, of, place: (
        f"torch's mask is true in {torch} of {of} places, the Cell's in {cell} of {of}; first unlike at {place}"
    ),
    # weights
    "does not show": lambda: "it does not show on these inputs",
    "flipped": lambda cell, torch: f"{cell} is {torch} flipped",
    "gates": lambda cell, torch, order: (
        f"the gates of {cell} are in the order {order}, torch's is {tuple(range(len(order)))}"
    ),
    "negated": lambda cell, torch: f"{cell} is {torch} negated",
    "no parameter": lambda names, can_have: (
        f"the Cell has no parameter for {_list(names)}{' (has_bias=True makes one)' if can_have else ''}"
    ),
    "no parameter of rules": lambda cell, torch: (
        f"the Cell has no parameter {cell} for {torch} (has_bias=True makes one)"
    ),
    "no tensor": lambda names: f"torch has no tensor for the Cell's {_list(names)}, which keeps its own values",
    "not loaded": lambda cell, torch, value: f"{cell} is {exact(value)} everywhere: nothing was loaded into it",
    "rounded": lambda cell, torch, dtype: f"{cell} is {torch} rounded to {dtype_name(dtype)}",
    "swapped": lambda cell, torch, other: f"{cell} holds the values of {other}, not of {torch}",
    "transposed": lambda cell, torch: f"{cell} is {torch} with its first two axes exchanged",
    "unequal values": lambda cell, torch, count, of, worst: (
        f"{cell} differs from {torch} in {count} of {of} values, by up to {amount(worst)}"
    ),
    "weight reordered": lambda cell, torch: f"{cell} holds the values of {torch} in another order",
    "weight scaled": lambda cell, torch, factor: f"{cell} is {torch} times {exact(factor, 4)}",
    "weight shapes": lambda torch, cell: f"torch's weights are of shape {_shapes(torch)}, the Cell's {_shapes(cell)}",
    # a step returns something else
    "NaN": lambda: "the Cell returns NaN where torch does not",
    "argument": lambda operator, argument, torch, cell, kind: (
        f"{operator} runs with {argument}={_value(torch)} in torch, {_value(cell)} in the Cell"
        f"{_hint(TRAPS_OF_CELLS.get(kind, ''))}"
    ),
    "classes": lambda torch, cell: f"torch has {torch}, the Cell {cell}",
    "draws": lambda torch, cell: f"{cell} draws random numbers; torch's {torch} does not in inference",
    "dtypes": lambda torch, cell: f"torch computes in {dtype_name(torch)}, the Cell in {dtype_name(cell)}",
    "returns": lambda kind, what: f"what comes out is not what torch's {kind} returns: {sentence(what)}",
    "moves": lambda torch, cell: (
        f"torch moves data by {_list(torch) or 'nothing'}, the Cell by {_list(cell) or 'nothing'}"
    ),
    "number": lambda operator, torch, cell: (
        f"{operator} runs with {exact(torch)} in torch, with {exact(cell)} in the Cell"
    ),
    "numbers of inputs": lambda kind, torch, cell: f"torch's {kind} gets {torch} tensors, the Cell's {cell}",
    "operators": lambda torch, cell: f"torch computes {_operators(torch)}, the Cell {_operators(cell)}",
    "order of inputs": lambda kind, order, is_transposed: (
        f"{kind} gets {_format_order('inputs', order)}{', each transposed' if is_transposed else ''}"
    ),
    "packed": lambda kind: f"torch's {kind} gets packed sequences, the Cell's no lengths",
    "runs for": lambda cell, torch: f"the Cell runs {cell} where torch runs {torch}",
    "setting": _setting,
    "something else": lambda torch, cell: f"{cell} returns something else than torch's {torch}",
    "together": lambda max_abs: f"together they differ by up to {amount(max_abs)} from torch's",
    # a step gets something else
    "Cell earlier": lambda torch, cell: f"the Cell computes {cell} before this, torch after it ({torch})",
    "arrives": lambda what: f"what arrives is not what torch's gets: {sentence(what)}",
    "computes where": lambda torch, cell: f"torch computes {_list(torch)} where the Cell computes {_list(cell)}",
    "gets": lambda source: f"it gets the output of {source}",
    "gets instead": lambda source, wanted: f"it gets the output of {source} instead of that of {wanted}",
    "gets the input": lambda of, place: f"it gets what torch passes to {of} (input {place})",
    "never run": lambda cell, torch: f"the Cell never runs {cell}, which has the weights of torch's {torch}",
    "nodes": lambda nodes, count: f"in the file: {_list(nodes)}{f' … ({count} nodes)' if count > len(nodes) else ''}",
    "only the Cell": lambda steps: f"torch has nothing for the Cell's {_list(steps)}",
    "only torch": lambda steps: f"the Cell has nothing for torch's {_list(steps)}",
    "order of outputs": lambda order: f"the Cell returns {_format_order('outputs', order)}",
    "random steps": lambda steps: f"the Cell draws random numbers in {_list(steps)}; torch does not in inference",
    "runs before": lambda cell: f"the Cell runs {cell} before it, torch behind it",
    "seen at": lambda layer: f"seen at {layer}",
    "something else arrives": lambda: (
        "what arrives is not what torch's layer gets; a constant, an input or an axis differs"
    ),
    "torch earlier": lambda torch, cell: f"torch computes {torch} before this, the Cell after it ({cell})",
    # the Cell stops, or ends otherwise
    "adds up": lambda max_abs, noise_ratio: (
        f"{_apart(max_abs, noise_ratio)}; every layer agrees, so this is rounding that adds up"
    ),
    "apart": lambda max_abs, noise_ratio: (
        f"{_apart(max_abs, noise_ratio)}, though every layer agrees on torch's inputs: "
        "does one write into its input, or keep a state?"
    ),
    "returns nothing": lambda: "the Cell returns no tensor here",
    "numbers of outputs": lambda cell, torch: f"the Cell returns {cell} tensors, torch {torch}",
    "related shape": lambda what, cell, torch: f"{sentence(what)}; it gets {cell} where torch gets {torch}",
    "shape arrives": lambda cell, torch: f"it gets {cell} where torch gets {torch}",
    "stops": lambda error, message: f"the Cell stops: {error}: {message}",
    "stops at": lambda place, error, message: f"{place}: the Cell stops: {error}: {message}",
    "stops here": lambda error, message: f"the Cell stops here: {error}: {message}",
    # notes
    "dropout of one": lambda is_torch: f"only {_side(is_torch)} has this dropout; it shows in training",
    "fits no weight": lambda: "it fits no weight",
    "is": lambda torch, cell: f"{torch} is {cell}",
    "no effect": lambda: "it makes no difference to what follows on these inputs",
    "paired by calls": lambda count: (
        f"{count} tensors of equal shapes are paired in the order in which their layers run, not in that of their "
        "definition; msbridge convert --by-order cannot know it: take the weights that this comparison leaves in the "
        "Cell, or write rules"
    ),
    "quiet classes": lambda torch, cell: f"torch has {torch}, the Cell {cell}; it makes no difference on these inputs",
    "quiet setting": lambda is_of_training, **values: (
        f"{_setting(**values)}; it shows {'in training' if is_of_training else 'little on these inputs'}"
    ),
    "only the Cell has it": lambda: "only the Cell has it; it keeps its own values",
    "only torch has it": lambda: "only torch has it",
    "trained by one": lambda is_torch: (
        f"{_side(is_torch)} trains it, {_side(not is_torch)} does not; it shows in training"
    ),
    # a side recorded elsewhere
    "no layer": lambda: "no layer has this name",
    "no weights given": lambda: "no weights were given: the network has those that its factory set",
    "not in file": lambda count: f"{count} layers are not in the file",
    "other shape": lambda cell, torch: f"shape {cell}, torch's is {torch}",
    "recorded gap": lambda max_abs: f"the recorded output differs by up to {amount(max_abs)}",
    "recorded values": lambda is_fed, place, cell, torch, noise_ratio, norm_ratio: (
        f"{'on the inputs that were recorded for it' if is_fed else 'as the network runs from its own inputs'}, "
        f"at {list(place)}: Cell {exact(cell)}, torch {exact(torch)}; {ratio(noise_ratio)} times the noise, "
        f"norm ratio {exact(norm_ratio, 6)}"
    ),
}


def _apart(max_abs: float, noise_ratio: float) -> str:
    return f"the networks end {amount(max_abs)} apart ({ratio(noise_ratio)} times torch's noise)"


def _inverse(axes: Sequence[int]) -> tuple[int, ...]:
    return tuple(axes.index(place) for place in range(len(axes)))


def _format_order(what: str, order: Sequence[int]) -> str:
    """Return in which order torch's tensors come, where the Cell's place of each is known."""
    if len(order) == 2:
        return f"its two {what} exchanged"
    return f"torch's {what} in the order {', '.join(str(order.index(place) + 1) for place in range(len(order)))}"


def _side(is_torch: bool) -> str:
    return "torch" if is_torch else "the Cell"


def _instead(calls: Calls, kind: str, layer: str = "") -> str:
    """Return the code of torch's operators in a script; "" where it is not known."""
    names = {name for name, _ in calls}
    own = cell_of(layer, kind) if layer and kind.startswith(("nn.", "mint.")) else ""
    written = format_call(calls[0][0], dict(calls[0][1]), kind) if len(names) == 1 else ""
    if own and not written.startswith(f"{own}("):
        written = f"{own}(…)"
    return f"`{written}`" if written else ""


def _format_calls(calls: Calls, names: Sequence[str]) -> str:
    """Return operators by their names, with their arguments."""
    said = {name: [f"{key}={value}" for key, value in given if value is True] for name, given in calls}
    return _operators([f"{name}({', '.join(said[name])})" if said.get(name) else name for name in names])


def _bias(kind: str, names: Sequence[str], is_wanted: bool) -> str:
    """Return the constructor of a Cell with or without a bias, as code."""
    only_biases = all(name.rpartition(".")[2].startswith("bias") for name in names)
    written = constructor(kind, "has_bias", is_wanted) if only_biases else ""
    return f"`{written}`" if written else ""


def _lacking(calls: Calls, layer: str) -> str:
    """Return the Cell or operator that is nowhere in the Cell, as code."""
    return f"`{own}`" if layer and (own := cell_of(layer)) else _instead(calls, "")


def _pad(calls: Calls, kind: str) -> str:
    code = _instead(calls, kind)
    if code and calls[0][0].startswith(PADS):
        return f"pad before the layer as torch does, with {code}, and not in the layer"
    return (
        f"use {code}"
        if code
        else "pad as torch does, with `pad_mode='pad'` and `padding=…`, or `nn.Pad` before the layer"
    )


def _argument(operator: str, argument: str, torch: object, kind: str) -> str:
    written = format_call(operator, {argument: torch}, kind, only=argument)
    return f"use `{written}`" if written else f"call it with what torch has: `{argument}={_value(torch)}`"


def _use(setting: str, torch: object, kind: str, along: Sequence[tuple[str, object]] = ()) -> str:
    written = constructor(kind, setting, torch, **dict(along))
    return (
        f"use `{written}`" if written else f"build the Cell's layer with `{setting}={_value(torch)}`, on torch's scale"
    )


# What to do: the name of a fix → the sentence; it may use the values of the fact that was seen.
FIXES: Mapping[str, Callable[..., str]] = {
    "add it": lambda calls=(), kind="", layer="", **_: (
        f"add to the Cell what torch computes here{f': {code}' if (code := _lacking(calls, layer)) else ''}"
    ),
    "call it": lambda torch, cell, **_: f"call in construct what torch calls: {torch}",
    "connect": lambda wanted="", **_: (
        f"pass on {f'the output of {wanted}' if wanted else 'the tensor that torch passes on'}"
    ),
    "convert": lambda **_: "convert the weights again",
    "exchange axes": lambda cell, **_: f"transpose {cell}, or convert the weights again",
    "flip": lambda axis, **_: f"flip as torch does, along axis {axis}",
    "give a bias": lambda names=(), kind="", **_: (
        f"use {_bias(kind, names, True) or 'a layer with a bias: `has_bias=True`'}"
    ),
    "give a parameter": lambda names, **_: f"give the Cell parameters for {_list(names)}",
    "give lengths": lambda **_: "give the lengths of the sequences as `seq_length`",
    "inference": lambda **_: "call `set_train(False)`, and use `nn.Dropout` rather than a random operator",
    "keep dtype": lambda cell, dtype, **_: f"keep {cell} from being stored in {dtype_name(dtype)}",
    "load it": lambda cell, **_: f"load {cell}: is its name in the checkpoint another?",
    "load the right one": lambda cell, torch, **_: f"load {torch} into {cell}",
    "mend": lambda **_: "fix the cause of the error",
    "no NaN": lambda **_: "look for a division by zero, or a mask that leaves nothing",
    "no constant": lambda **_: "compute the tensor in the Cell, rather than making a constant",
    "no factor": lambda factor=None, **_: "leave out the factor, or give it where torch does",
    "no shift": lambda **_: "leave out what is added, or add it where torch does",
    "no state": lambda **_: "look for a layer that writes into its input or keeps a state between calls",
    "order of gates": lambda **_: "convert the weights again: conversion knows the order of the gates",
    "pad alike": lambda calls=(), kind="", **_: _pad(calls, kind),
    "permute": lambda axes, **_: f"move the axes as torch does; here, `x.permute{_inverse(axes)}` would",
    "remove it": lambda **_: "remove from the Cell what torch does not compute here",
    "roll": lambda by, axis, **_: f"join the parts in torch's order, or roll by {-by} along axis {axis}",
    "same activation": lambda torch, calls=(), kind="", layer="", **_: (
        f"use {_instead(calls, kind, layer) or f'the activation that torch uses: {_operators(torch)}'}"
    ),
    "same argument": lambda operator, argument, torch, kind="", **_: _argument(operator, argument, torch, kind),
    "same class": lambda torch, kind="", **_: (
        f"use `{own}`" if (own := cell_of(torch, kind)) else f"use the Cell that corresponds to torch's {torch}"
    ),
    "same dtype": lambda **_: "remove the cast, or allow another precision",
    "same indices": lambda **_: "count as torch does: from the same first index, in the same order",
    "same inputs": lambda torch, **_: f"give the layer {torch} tensors, as torch does",
    "same layout": lambda **_: "move the axes as torch does, or reshape after the same transpose",
    "same mask": lambda **_: "make the mask as torch does: true or zero in the same places",
    "same mode": lambda torch, calls=(), kind="", **_: (
        f"use {code}" if (code := _instead(calls, "")) else f"resize in the mode that torch uses: {_list(torch)}"
    ),
    "same moves": lambda torch, **_: f"move the data as torch does: {_list(torch) or 'not at all'}",
    "same number": lambda operator, torch, **_: (
        f"use `{format_call(operator, {'other': torch})}`"
        if operator in SIGNS
        else f"give {operator} the number {exact(torch)}"
    ),
    "same operators": lambda torch, calls=(), kind="", layer="", **_: (
        f"use {code}"
        if (code := _instead(calls, kind, layer))
        else f"compute what torch computes: {_format_calls(calls, torch)}"
    ),
    "same order": lambda **_: "give the inputs in torch's order",
    "same order of layers": lambda **_: "call the layers in torch's order",
    "same order of outputs": lambda **_: "return the outputs in torch's order",
    "same parts": lambda **_: "compare the parts: one of the joined layers differs, or the rule cuts at other places",
    "same place": lambda axis, **_: f"begin and end where torch does, along axis {axis}",
    "same pooling": lambda torch, calls=(), kind="", layer="", **_: (
        f"use {code}" if (code := _instead(calls, kind, layer)) else f"pool as torch does: {_operators(torch)}"
    ),
    "same sizes": lambda torch, **_: f"build the Cell's layer for weights of shape {_shapes(torch)}",
    "same state": lambda **_: "give the layer the initial state that torch's has",
    "set": lambda setting, torch, kind="", along=(), **_: _use(setting, torch, kind, along),
    "train alike": lambda is_torch: f"give it `requires_grad={is_torch}`",
    "take away the parameter": lambda names, kind="", **_: (
        f"use {code}" if (code := _bias(kind, names, False)) else f"build the Cell's layer without {_list(names)}"
    ),
    "give weights": lambda **_: "give the checkpoint whose weights the recorded network had",
    "look inside": lambda **_: "compare what the layer computes with torch's, operator by operator",
}


def sentence(fact: Fact) -> str:
    """Return a fact in words."""
    return SEEN[fact.name](**fact.values)


def setting_of(one: Disagreement) -> str:
    """Return a setting in which two layers differ, in words."""
    return _setting(one.name, one.torch, one.cell, trap="")


def fix_of(finding: Finding) -> str:
    """Return the remedy of a finding in words; "" where nothing is to be done."""
    return FIXES[finding.fix.name](**finding.fix.values) if finding.fix is not None else ""


def code_of(finding: Finding) -> str:
    """Return the remedy of a finding as code, such as `nn.GELU(approximate=False)`; "" where it is only in words."""
    words = fix_of(finding)
    return words.partition("`")[2].partition("`")[0] if words.startswith("use `") else ""


def described(finding: Finding, with_kind: bool = False) -> str:
    """Return a finding in a sentence: its place and its reason."""
    place = finding.layer
    if finding.layer != finding.cell and finding.cell:
        place = f"{finding.layer} ({finding.cell} in the Cell)"
    kind = f"{finding.kind}: " if with_kind and finding.fact.name not in SAYS_ITS_KIND else ""
    return f"{'' if finding.where == 'in' else 'before '}{place}: {kind}{sentence(finding.fact)}"


def problem(one: Difference) -> str:
    """Return why a difference could not be measured; "" where it could."""
    return "" if one.actual_shape is None else SEEN["other shape"](one.actual_shape, one.shape)


def verdict_sentence(result: Result) -> str:
    """Return the verdict in one sentence."""
    if result.first is not None:
        return f"The networks part {'at ' if result.first.where == 'in' else ''}{described(result.first)}"
    if not result.is_same:
        groups = {"the gradient of": result.gradients, "after training,": result.training}
        bad = [f"{what} {name}" for what, group in groups.items() for name, one in group.items() if not one.is_noise]
        return f"All layers agree, but {bad[0]} does not."
    compared = sum(row.by != "" for row in result.rows)
    equal = sum(row.status == "equal" for row in result.rows if row.by)
    exact = "" if equal == compared else f"{equal} of them "
    return f"All {compared} matched layers and operators agree, {exact}bit for bit."


def format_measurement(result: Result) -> str:
    """Return the measurement at the first fault as a sentence; "" where there is none."""
    places = [number for number, row in enumerate(result.rows) if _is_of_first(result, number)]
    if not places:
        return ""
    row = result.rows[places[0]]
    difference = row.arriving if row.status == "input differs" else row.fed or row.free
    if difference is None or not difference.is_comparable:
        return ""
    agreeing = sum(before.status in ("equal", "noise") for before in result.rows[: places[0]])
    what = "what it gets" if row.status == "input differs" else "on torch's own input it"
    return (
        f"{what} differs by up to {amount(difference.max_abs)} at {list(difference.index)}: "
        f"Cell {exact(difference.actual)}, torch {exact(difference.expected)}; "
        f"{ratio(difference.noise_ratio)} times the rounding{f'; {agreeing} before it agree' if agreeing else ''}"
    )


def _is_of_first(found: Result, number: int) -> bool:
    row = found.rows[number]
    return found.first is not None and row.status in FAULTS and row.name == found.first.layer
