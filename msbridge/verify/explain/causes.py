"""Causes: why the outputs of a step differ on equal inputs: weights, settings, or the operators that ran."""

from collections.abc import Sequence
from dataclasses import replace

import torch

from msbridge.nn.cell.cell import Cell
from msbridge.verify.explain.changes import other_arguments, other_moves, other_operators
from msbridge.verify.explain.evidence import StepCase
from msbridge.verify.explain.findings import Cause, Fact, Finding, Name, fact, first
from msbridge.verify.explain.relations import relation
from msbridge.verify.measure.class_names import kind_of
from msbridge.verify.measure.settings import Disagreement
from msbridge.verify.record.equality import agree, is_close
from msbridge.verify.record.operators import BINARY, PRODUCTS
from msbridge.verify.record.trace import Step

# Layers of which one is taken for another; the first whose name is in a class's name is meant.
RIVALS = ("Transpose", "Conv", "BatchNorm", "InstanceNorm", "GroupNorm", "LayerNorm", "RMSNorm", "LSTM", "GRU", "RNN")
RECURRENT = ("LSTM", "GRU", "RNN")
CONSTANTS = BINARY | {"masked_fill"}  # whose numbers say all of them
PACKS = "_pack_padded_sequence"


def explain_step(case: StepCase) -> Finding:
    """Return why the outputs of a step differ on equal inputs."""
    found = first(STEP_CAUSES, case)
    if found is None:
        raise ValueError("the last cause applies to every step.")
    return replace(found, layer=case.mine.label, cell=case.other.label)


def _wiring(case: StepCase) -> Fact | None:
    owner = case.scene.weights.layers.get(case.mine.path)
    if case.match.by == "order" and owner not in (None, case.other.path) and case.other.layer is not None:
        return fact("runs for", cell=Name(case.other.label), torch=Name(case.mine.label))
    return None


def _other_layer(case: StepCase) -> Finding | None:
    if case.mine.layer is None or case.other.layer is None:
        return None
    stems = [next((stem for stem in RIVALS if stem in step.kind), "") for step in (case.mine, case.other)]
    if not all(stems) or stems[0] == stems[1]:
        return None
    seen = _kinds("classes", case)
    return Finding("other layer", seen, fix=fact("same class", torch=case.mine.kind, kind=_kind(case)))


def _kind(case: StepCase) -> str:
    """Return the Cell that is there, as scripts write it; "" where an operator does."""
    return "" if case.other.layer is None else kind_of(type(case.other.layer))


def _kinds(name: str, case: StepCase) -> Fact:
    return fact(name, torch=case.mine.kind, cell=case.other.kind)


def _wrong_weight(case: StepCase) -> Finding | None:
    wrong = [finding for name, finding in case.scene.wrong.items() if _is_under(name, case.other.path)]
    return replace(wrong[0], evidence=tuple(one.fact for one in wrong[1:])) if wrong else None


def _weight_shape(case: StepCase) -> Fact | None:
    """Return the shapes of the weights of two layers, where they are of the same kinds but of other sizes."""
    mine, other = case.mine.layer, case.other.layer
    if not isinstance(mine, torch.nn.Module) or not isinstance(other, Cell) or not _lacking(case):
        return None
    theirs = sorted(tuple(one.shape) for one in mine.parameters())
    ours = sorted(tuple(one.shape) for one in other.trainable_params())
    if theirs == ours or [len(one) for one in theirs] != [len(one) for one in ours]:
        return None
    return fact("weight shapes", torch=tuple(theirs), cell=tuple(ours))


def _bias(case: StepCase) -> Finding | None:
    lacking = _lacking(case)
    if not lacking or not lacking[0].endswith("bias"):
        return None
    can_have = getattr(case.other.layer, "has_bias", None) is False
    seen = fact("no parameter", names=lacking, can_have=can_have)
    return Finding("bias", seen, fix=fact("give a bias", names=lacking, kind=_kind(case)))


def _missing_weight(case: StepCase) -> Fact | None:
    return fact("no parameter", names=lacking, can_have=False) if (lacking := _lacking(case)) else None


def _extra_weight(case: StepCase) -> Finding | None:
    if case.other.layer is None:
        return None
    added = tuple(Name(name) for name in case.scene.weights.only_cell if _is_under(name, case.other.path))
    fix = fact("take away the parameter", names=added, kind=_kind(case))
    return Finding("extra weight", fact("no tensor", names=added), fix=fix) if added else None


def _lacking(case: StepCase) -> tuple[Name, ...]:
    """Return torch's weights in a layer for which the Cell's has none."""
    if case.other.layer is None:
        return ()
    return tuple(Name(name) for name in case.scene.weights.only_torch if _is_under(name, case.mine.path))


def _is_under(name: str, path: str) -> bool:
    return not path or name.startswith(f"{path}.")


def _setting(case: StepCase) -> Finding | None:
    always = [one for one in case.row.settings if one.matters == "always"]
    if not always:
        return None
    others = tuple(setting(one, is_short=True) for one in always[1:])
    return Finding(always[0].name, setting(always[0]), evidence=others, fix=setting_to_change(always[0]))


def setting(one: Disagreement, is_short: bool = False) -> Fact:
    """Return a setting in which both layers differ as a fact, with or without why the two often do."""
    return fact("setting", setting=one.name, torch=one.torch, cell=one.cell, trap="" if is_short else one.trap)


def setting_to_change(one: Disagreement) -> Fact:
    """Return the remedy for a setting in which both layers differ."""
    return fact("set", setting=one.name, torch=one.torch, kind=one.kind, along=one.along)


def _dropout(case: StepCase) -> Fact | None:
    return _kinds("draws", case) if case.other.is_random and not case.mine.is_random else None


def _dtype(case: StepCase) -> Fact | None:
    sides = case.mine.outputs, case.other.outputs
    if not all(sides) or sides[0][0].dtype == sides[1][0].dtype:
        return None
    return fact("dtypes", torch=sides[0][0].dtype, cell=sides[1][0].dtype)


def order_of_inputs(mine: Step, other: Step) -> Fact | None:
    """Return in which other order the same tensors come in; None where they do not."""
    if mine.computes != other.computes or len(mine.inputs) != len(other.inputs):
        return None
    if mine.kind in PRODUCTS and len(mine.inputs) == 2 and _are_exchanged(mine.inputs, other.inputs):
        return fact("order of inputs", kind=mine.kind, order=(1, 0), is_transposed=True)
    order = tuple(next((i for i, b in enumerate(other.inputs) if is_close(b, a)), -1) for a in mine.inputs)
    is_other = sorted(order) == list(range(len(order))) != list(order)
    return fact("order of inputs", kind=mine.kind, order=order, is_transposed=False) if is_other else None


def _are_exchanged(mine: Sequence[torch.Tensor], other: Sequence[torch.Tensor]) -> bool:
    """Whether the factors of a product are in the other order, each transposed: k·qᵀ for q·kᵀ."""
    return all(is_close(own.mT, wanted) for own, wanted in zip(other, reversed(mine), strict=True)) and not is_close(
        other[0], mine[0]
    )


def _number(case: StepCase) -> Finding | None:
    """Compare the number in an operator's formula, whether it is an argument or a tensor without axes."""
    mine, other = case.mine, case.other
    if mine.layer is not None or mine.computes != other.computes or mine.kind not in CONSTANTS:
        return None
    sides = []
    for step in (mine, other):
        given = [value for value in step.operations[0].arguments.values() if isinstance(value, float)]
        sides.append(given + [one.item() for one in step.inputs if one.dim() == 0])
    if len(sides[0]) != 1 or len(sides[1]) != 1 or agree(*sides[0], *sides[1]):
        return None
    kind = "scale" if mine.kind in ("mul", "div") else "constant"
    return Finding(kind, fact("number", operator=mine.kind, torch=sides[0][0], cell=sides[1][0]))


def _lengths(case: StepCase) -> Fact | None:
    moves = case.scene.runs.theirs.moves
    is_packed = any(move.name == PACKS for number, move in moves if number <= case.mine.number)
    if _is_layer(case) and len(case.other.inputs) == 1 and _is_recurrent(case.mine) and is_packed:
        return fact("packed", kind=case.mine.kind)
    return None


def _initial_state(case: StepCase) -> Fact | None:
    counts = [sum(one.is_floating_point() for one in step.inputs) for step in (case.mine, case.other)]
    return _counts(case) if _is_recurrent(case.mine) and counts[0] != counts[1] else None


def _missing_input(case: StepCase) -> Fact | None:
    return _counts(case) if len(case.mine.inputs) > len(case.other.inputs) else None


def _extra_input(case: StepCase) -> Fact | None:
    return _counts(case) if len(case.mine.inputs) < len(case.other.inputs) else None


def _counts(case: StepCase) -> Fact | None:
    counts = len(case.mine.inputs), len(case.other.inputs)
    if not _is_layer(case) or counts[0] == counts[1]:
        return None
    return fact("numbers of inputs", kind=case.mine.kind, torch=counts[0], cell=counts[1])


def _is_layer(case: StepCase) -> bool:
    return case.mine.layer is not None and case.other.layer is not None


def _is_recurrent(step: Step) -> bool:
    return any(name in step.kind for name in RECURRENT)


def _operators(case: StepCase) -> Finding | None:
    layer = "" if case.mine.layer is None or case.match.last is not None else case.mine.kind
    return other_operators(case.operations, case.other.operations, _kind(case), layer)


def _division(case: StepCase) -> Finding | None:
    """Recognise a product that is written as a division, with another factor."""
    if case.mine.layer is not None or not {*case.mine.computes, *case.other.computes} <= BINARY:
        return None
    found = _relation(case)
    return found if found is not None and found.kind == "scale" else None


def _nan(case: StepCase) -> Fact | None:
    if not (case.mine.outputs and case.other.outputs):
        return None
    is_new = case.other.outputs[0].isnan().any() and not case.mine.outputs[0].isnan().any()
    return fact("NaN") if is_new else None


def _relation(case: StepCase) -> Finding | None:
    if not (case.mine.outputs and case.other.outputs) or _nan(case):
        return None
    found = relation(case.other.outputs[0], case.mine.outputs[0])
    return found and replace(found, fact=fact("returns", kind=case.mine.kind, what=found.fact))


# Why a step returns something else on equal inputs; the first that applies is the reason.
STEP_CAUSES: tuple[Cause[StepCase], ...] = (
    Cause("wiring", _wiring, "call it"),
    Cause("other layer", _other_layer, "same class"),
    Cause("wrong weight", _wrong_weight, "convert"),
    Cause("weight shape", _weight_shape, "same sizes"),
    Cause("bias", _bias, "give a bias"),
    Cause("missing weight", _missing_weight, "give a parameter"),
    Cause("extra weight", _extra_weight, "take away the parameter"),
    Cause("setting", _setting, "set"),
    Cause("dropout left on", _dropout, "inference"),
    Cause("dtype", _dtype, "same dtype"),
    Cause("order of inputs", lambda case: order_of_inputs(case.mine, case.other), "same order"),
    Cause("number", _number, "same number"),
    Cause("lengths", _lengths, "give lengths"),
    Cause("initial state", _initial_state, "same state"),
    Cause("missing input", _missing_input, "same inputs"),
    Cause("extra input", _extra_input, "same inputs"),
    Cause("scale", _division, "no factor"),
    Cause("operators", _operators, "same operators"),
    Cause(
        "argument", lambda case: other_arguments(case.operations, case.other.operations, _kind(case)), "same argument"
    ),
    Cause("layout", lambda case: other_moves(case.operations, case.other.operations), "same moves"),
    Cause("NaN", _nan, "no NaN"),
    Cause("relation", _relation, "same layout"),
    Cause("unknown", lambda case: _kinds("something else", case), "look inside"),
)
