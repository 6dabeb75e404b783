"""Input mismatches ("gaps"): why a step gets something else although all matched steps before it returned the same.

    torch   conv ─────────────► relu ──► fc        every matched step fed with torch's input returned torch's output,
    Cell    conv ──► (scale) ──► relu ──► fc       and yet `relu` gets other values: something between them, which has
                        ▲                          no counterpart, is to blame
                     the gap

The evidence is what arrives at the step in both runs, the steps without a counterpart that made it (`localize.py`),
and all tensors of both runs by their values (`lookup.py`). The explanations are tried in the order of `GAP_CAUSES`, and
the first that holds is the finding. They are of three kinds:

1. identity: the values are there, in another order, place, or layer (exchanged inputs, another source, a layer that
   runs elsewhere or never);
2. relation: what arrives is a function of what should (a factor, a transpose, a coarser dtype, another draw);
3. structure: the Cell has a step too many, lacks one, or has another one in its stead.

The last one names the steps in the gap without a cause. The rules are judged on the pairs of `tests/verify/held_out`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from msbridge.verify.explain.causes import order_of_inputs
from msbridge.verify.explain.changes import change_of, instead_of, moves_of, other_arguments, unlike
from msbridge.verify.explain.evidence import Scene, StepCase
from msbridge.verify.explain.findings import OUTPUT, Cause, Fact, Finding, Name, fact, first
from msbridge.verify.explain.localize import to_blame
from msbridge.verify.explain.relations import relation
from msbridge.verify.measure.class_names import kind_of
from msbridge.verify.pair.match import Match
from msbridge.verify.record.equality import Both, is_close, place_of
from msbridge.verify.record.trace import Operation, Step

MAX_DISTANCE = 8  # so many steps around a gap are searched for the one that is elsewhere
COARSE = (torch.float16, torch.bfloat16)
MAKERS = frozenset({"arange", "full", "full_like", "new_full", "new_ones", "new_zeros", "ones", "ones_like", "zeros",
                    "zeros_like"})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Gap:
    """A step that gets something else, or the networks' outputs."""

    scene: Scene  # both runs
    index: int  # of the row; behind the last one for the outputs
    match: Match | None  # torch's step, and the Cell's as it ran on torch's values; None for the outputs
    arriving: Both | None  # the first input that differs, the Cell's and torch's

    @property
    def layer(self) -> Name:
        """Torch's name of the place."""
        return Name(self.match.torch.label if self.match and self.match.torch else OUTPUT)

    @property
    def cell(self) -> Name:
        """The Cell's name of the place."""
        return Name(self.match.cell.label if self.match and self.match.cell else OUTPUT)

    @property
    def operators(self) -> tuple[Step, Step] | None:
        """Torch's and the Cell's step, where they are operators."""
        one = self.match
        return (one.torch, one.cell) if one and one.cell and one.torch and one.torch.layer is None else None

    @property
    def seen_at(self) -> tuple[Fact, ...]:
        """The evidence for a cause that is elsewhere."""
        return (fact("seen at", layer=self.layer),)

    @cached_property
    def related(self) -> Finding | None:
        """The relation of what arrives to what should."""
        found = relation(*self.arriving) if self.arriving is not None else None
        return found and replace(found, fact=fact("arrives", what=found.fact), where="before")

    @cached_property
    def blamed(self) -> tuple[list[Step], list[Step]]:
        """Torch's and the Cell's steps without counterpart that made what arrives."""
        return to_blame(self.scene, self.index, self.match)

    @property
    def lacking(self) -> list[Step]:
        """Those of torch, which the Cell lacks."""
        return self.blamed[0]

    @property
    def added(self) -> list[Step]:
        """Those of the Cell, which torch does not have."""
        return self.blamed[1]

    @cached_property
    def moves(self) -> tuple[list[Operation], list[Operation]]:
        """The moves and constructions of data just before, in torch and in the Cell."""
        steps = (self.match.torch, self.match.cell) if self.match else (None, None)
        return self.scene.moves_before(steps[0], of_cell=False), self.scene.moves_before(steps[1], of_cell=True)

    @property
    def other_moves(self) -> Fact | None:
        """The differences between these."""
        shown = [moves_of(side) for side in self.moves]
        return fact("moves", torch=shown[0], cell=shown[1]) if shown[0] != shown[1] else None


def explain_input(case: StepCase) -> Finding:
    """Return why a step gets something else."""
    return _explain(Gap(case.scene, case.index, case.match, case.first_unequal))


def explain_outputs(scene: Scene, outputs: Both) -> Finding:
    """Return why an output of the Cell is not torch's although all matched steps returned the same."""
    return _explain(Gap(scene, len(scene.runs.matches), None, outputs))


def _explain(gap: Gap) -> Finding:
    found = first(GAP_CAUSES, gap)
    if found is None:
        raise ValueError("the last cause applies to every gap.")
    return found if found.layer else replace(found, layer=gap.layer, cell=gap.cell)


def _wrong_weight(gap: Gap) -> Finding | None:
    """Find a wrong weight that the network part around an operator holds itself."""
    if not gap.operators:
        return None
    path = gap.operators[1].path
    found = next((one for name, one in gap.scene.wrong.items() if name.rpartition(".")[0] == path), None)
    return found and replace(found, layer=gap.layer, cell=gap.cell)


def _order_of_inputs(gap: Gap) -> Fact | None:
    return order_of_inputs(*gap.operators) if gap.operators else None


def _order_of_outputs(gap: Gap) -> Fact | None:
    if gap.match is not None:
        return None
    theirs, ours = gap.scene.runs.theirs.outputs, gap.scene.runs.fed.outputs
    order = tuple(next((i for i, wanted in enumerate(theirs) if is_close(own, wanted)), -1) for own in ours)
    is_other = len(order) > 1 and sorted(order) == list(range(len(order))) != list(order)
    return fact("order of outputs", order=order) if is_other else None


def _never_run(gap: Gap) -> Finding | None:
    """Find the last layer with weights that torch runs before a step and the Cell, which has it, does not at all."""
    runs, owners = gap.scene.runs, gap.scene.weights.layers
    run = {step.path for step in runs.fed.steps}
    end = gap.match.torch.number if gap.match and gap.match.torch else len(runs.theirs.steps)
    absent = [step for step in runs.theirs.steps[:end] if step.path in owners and owners[step.path] not in run]
    is_run = {id(other.torch) for other in runs.matches if other.cell is not None}
    step = next((step for step in reversed(absent) if step.layer is not None and id(step) not in is_run), None)
    if step is None:
        return None
    seen = fact("never run", cell=Name(owners[step.path]), torch=Name(step.label))
    return Finding("missing layer", seen, step.label, evidence=gap.seen_at, fix=fact("call it", **seen.values))


def _crossing(gap: Gap) -> Finding | None:
    """Find a layer that the Cell runs before a step that torch runs behind it; layers side by side do not count."""
    matched = gap.match
    if matched is None or matched.by != "weights" or matched.torch is None or matched.cell is None:
        return None
    places = {place_of(tensor) for tensor in matched.torch.inputs}
    for other in gap.scene.runs.matches:
        if other.by != "weights" or other.torch is None or other.cell is None:
            continue
        is_crossed = other.torch.number > matched.torch.number and other.cell.number < matched.cell.number
        if is_crossed and not any(place_of(tensor) in places for tensor in other.torch.inputs):
            return Finding("order of layers", fact("runs before", cell=Name(other.cell.label)), where="before")
    return None


def _all_moved(gap: Gap) -> Finding | None:
    """Recognise that all values are there: no operator is to blame."""
    if gap.related is None or gap.related.kind != "layout":
        return None
    return replace(gap.related, evidence=(gap.other_moves,) if gap.other_moves else ())


def _elsewhere(gap: Gap) -> Finding | None:
    """Find a step that both have, but in another order."""
    after = gap.scene.runs.matches[gap.index : gap.index + MAX_DISTANCE]
    for step in gap.lacking:
        later = [one.cell for one in after if one.cell is not None and one.torch is None]
        if counterpart := next((other for other in later if _is_alike(step, other)), None):
            seen = fact("torch earlier", torch=Name(step.label), cell=Name(counterpart.label))
            return Finding("order of layers", seen, step.label, counterpart.label)
    for step in gap.added:
        behind = [one.torch for one in after if one.torch is not None and one.cell is None and one.by != "merged"]
        if counterpart := next((other for other in behind if _is_alike(other, step)), None):
            seen = fact("Cell earlier", torch=Name(counterpart.label), cell=Name(step.label))
            return Finding("order of layers", seen, counterpart.label, step.label)
    return None


def _is_alike(mine: Step, other: Step) -> bool:
    return bool(mine.computes) and mine.computes == other.computes and mine.shape == other.shape


def _whole_numbers(gap: Gap) -> Finding | None:
    is_plain = gap.arriving is not None and not gap.arriving[1].is_floating_point()
    return gap.related if is_plain and bool(gap.lacking) == bool(gap.added) else None


def _missing(gap: Gap) -> Finding | None:
    if not gap.lacking or gap.added:
        return None
    place = next((step for step in gap.lacking if step.layer is not None), gap.lacking[-1])
    seen = fact("only torch", steps=_steps(gap.lacking))
    fix = Fact("add it", instead_of(_operations(gap.lacking), "", _layer_of(gap.lacking)))
    return Finding("missing layer", seen, place.label, evidence=gap.seen_at, fix=fix)


def _other_step(gap: Gap) -> Finding | None:
    """Recognise a step that was matched with one of another name, for want of a better, behind steps of the Cell."""
    matched = gap.match
    if gap.lacking or not gap.added or not matched or not matched.torch or not matched.cell:
        return None
    if matched.by != "order" or matched.torch.computes == matched.cell.computes:
        return None
    come = [name for step in (*gap.added, matched.cell) for name in step.computes]
    instead = instead_of(matched.torch.operations, _kind_of((matched.cell,)), _layer_of((matched.torch,)))
    return change_of(
        matched.torch.computes, come, fact("operators", torch=matched.torch.computes, cell=tuple(come)), instead
    )


def _draws(gap: Gap) -> Finding | None:
    if gap.lacking or not any(step.is_random for step in gap.added):
        return None
    seen = fact("random steps", steps=_steps(gap.added))
    return Finding("dropout left on", seen, gap.layer, gap.added[-1].label, where="before")


def _extra(gap: Gap) -> Finding | None:
    if gap.lacking or not gap.added:
        return None
    label = gap.added[-1].label
    return Finding("extra layer", fact("only the Cell", steps=_steps(gap.added)), label, label)


def _find_exchange(gap: Gap) -> Finding | None:
    if not gap.lacking or not gap.added:
        return None
    gone, come = unlike(_operations(gap.lacking), _operations(gap.added))
    if not gone and not come:  # the same, of other things
        return None
    kinds = [tuple(step.kind for step in steps) for steps in (gap.lacking, gap.added)]
    seen = fact("computes where", torch=kinds[0], cell=kinds[1])
    instead = instead_of(gone, _kind_of(gap.added), _layer_of(gap.lacking))
    lost, added = ([one.name for one in side] for side in (gone, come))
    found = change_of(lost, added, seen, instead)
    return replace(found, layer=gap.lacking[-1].label, cell=gap.added[-1].label, evidence=gap.seen_at)


def _other_argument(gap: Gap) -> Finding | None:
    """Find an argument in which steps that compute the same differ."""
    if not gap.lacking or not gap.added:
        return None
    sides = _operations(gap.lacking), _operations(gap.added)
    found = other_arguments(*sides, _kind_of(gap.added))
    return found and replace(found, layer=gap.lacking[-1].label, cell=gap.added[-1].label, evidence=gap.seen_at)


def _other_source(gap: Gap) -> Finding | None:
    """Find the step whose output arrived instead of the right one."""
    if (found := _same_of_other(gap)) is not None:
        return found
    if gap.arriving is None:
        return None
    arrived, wanted = gap.arriving
    steps = gap.scene.runs.theirs.steps
    got, right = (next((step for step in steps if _gave(step, tensor)), None) for tensor in (arrived, wanted))
    if got is None:
        for step in steps:
            for place, part in enumerate(step.inputs, 1):
                if part.numel() > 1 and part.shape == arrived.shape and is_close(arrived, part):
                    return _before("wiring", fact("gets the input", of=Name(step.label), place=place))
        return None
    if right is None:
        return _before("wiring", fact("gets", source=Name(got.label)))
    if got.label == right.label:
        return None
    return _before("wiring", fact("gets instead", source=Name(got.label), wanted=Name(right.label)))


def _same_of_other(gap: Gap) -> Finding | None:
    """Find steps that compute the same as torch's, of the output of another layer."""
    steps = gap.scene.runs.theirs.steps
    for mine, other in zip(gap.lacking, gap.added, strict=False):
        for wanted, own in zip(mine.inputs, other.inputs, strict=False):
            got, right = (next((step for step in steps if _gave(step, tensor)), None) for tensor in (own, wanted))
            if got is not None and right is not None and got.label != right.label:
                seen = fact("gets instead", source=Name(got.label), wanted=Name(right.label))
                return Finding("wiring", seen, mine.label, other.label, evidence=gap.seen_at)
    return None


def _gave(step: Step, tensor: torch.Tensor) -> bool:
    return any(out.shape == tensor.shape and torch.equal(out, tensor.to(out.dtype)) for out in step.outputs)


def _find_rounding(gap: Gap) -> Finding | None:
    """Recognise a coarser dtype, which moves of data cannot be blamed for."""
    if gap.other_moves is None or gap.arriving is None:
        return None
    own, wanted = gap.arriving
    kinds = [move.arguments.get("dtype") for move in gap.moves[1] if move.name == "_to_copy"]
    is_rounded = any(torch.equal(own, wanted.to(kind).to(own.dtype)) for kind in kinds if kind in COARSE)
    return _blame_moves("dtype", gap) if is_rounded else None


def _recognize_generated(gap: Gap) -> Finding | None:
    """Recognise values that the Cell makes out of nothing."""
    if gap.other_moves is None or gap.arriving is None:
        return None
    names = {move.name for move in gap.moves[1]} - {move.name for move in gap.moves[0]}
    return _blame_moves("constant", gap) if names & MAKERS else None


def _find_relation(gap: Gap) -> Finding | None:
    if gap.related is None:
        return None
    return replace(gap.related, evidence=(gap.other_moves,) if gap.other_moves else ())


def _find_moves(gap: Gap) -> Finding | None:
    return _blame_moves("layout", gap) if gap.other_moves else None


def _blame_moves(kind: str, gap: Gap) -> Finding | None:
    evidence = (gap.related.fact,) if gap.related else ()
    return Finding(kind, gap.other_moves, evidence=evidence, where="before") if gap.other_moves else None


def _before(kind: str, seen: Fact) -> Finding:
    return Finding(kind, seen, where="before")


def _operations(steps: Sequence[Step]) -> list[Operation]:
    return [one for step in steps for one in step.operations]


def _kind_of(steps: Sequence[Step]) -> str:
    """Return the Cell that is the only step, as scripts write it; "" of operators."""
    layers = [step.layer for step in steps if step.layer is not None]
    return kind_of(type(layers[0])) if len(steps) == len(layers) == 1 else ""


def _layer_of(steps: Sequence[Step]) -> str:
    """Return the class of torch's layer that is the only step; "" of operators."""
    return steps[0].kind if len(steps) == 1 and steps[0].layer is not None else ""


def _steps(steps: Sequence[Step]) -> tuple[Name, ...]:
    return tuple(Name(step.label if step.layer is None else f"{step.label} ({step.kind})") for step in steps)


# Why a step gets something else; the first that applies is the reason.
GAP_CAUSES: tuple[Cause[Gap], ...] = (
    Cause("wrong weight", _wrong_weight, "convert"),
    Cause("order of inputs", _order_of_inputs, "same order"),
    Cause("order of outputs", _order_of_outputs, "same order of outputs"),
    Cause("missing layer", _never_run, "call it"),
    Cause("order of layers", _crossing, "same order of layers"),
    Cause("layout", _all_moved, "same layout"),
    Cause("order of layers", _elsewhere, "same order of layers"),
    Cause("whole numbers", _whole_numbers, "same layout"),
    Cause("missing layer", _missing, "add it"),
    Cause("other operator", _other_step, "same operators"),
    Cause("dropout left on", _draws, "inference"),
    Cause("extra layer", _extra, "remove it"),
    Cause("other operators", _find_exchange, "same operators"),
    Cause("argument", _other_argument, "same argument"),
    Cause("wiring", _other_source, "connect"),
    Cause("dtype", _find_rounding, "same dtype"),
    Cause("constant", _recognize_generated, "same moves"),
    Cause("relation", _find_relation, "same layout"),
    Cause("layout", _find_moves, "same moves"),
    Cause("unknown", lambda gap: _before("unknown", fact("something else arrives")), "look inside"),
)
