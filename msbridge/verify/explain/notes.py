"""Notes: what differs between two networks without changing these outputs."""

from collections.abc import Iterator, Sequence

from msbridge.verify.explain.causes import setting_to_change
from msbridge.verify.explain.changes import change_of
from msbridge.verify.explain.evidence import Scene
from msbridge.verify.explain.findings import Finding, Name, fact
from msbridge.verify.judge.status import FAULTS, Row
from msbridge.verify.pair.match import Match, answers, is_of_library
from msbridge.verify.pair.weights import Weights

MOVED = 8  # pairs that the order of calls made which are listed


def notes(scene: Scene, rows: Sequence[Row]) -> list[Finding]:
    """Return the differences that do not change these outputs: classes, settings, weights."""
    quiet = [pair for pair in zip(scene.runs.matches, rows, strict=True) if pair[1].status not in FAULTS]
    remarks: list[Finding] = []
    if scene.runs.free.error is None:
        remarks += [note for one, row in quiet for note in (*_other_class(one, row), *_dropout_alone(one, row))]
    remarks += [note for one, row in quiet for note in _quiet_settings(one, row)]
    return remarks + list(_of_weights(scene.weights))


def _other_class(matched: Match, row: Row) -> Iterator[Finding]:
    """Yield a note for layers of other classes whose outputs happen to agree."""
    if matched.torch is None or matched.cell is None or matched.last is not None:
        return
    is_other = all(is_of_library(step) for step in (matched.torch, matched.cell))
    if is_other and matched.torch.computes != matched.cell.computes and not answers(matched.torch, matched.cell):
        seen = fact("quiet classes", torch=matched.torch.kind, cell=matched.cell.kind)
        kind = change_of(matched.torch.computes, matched.cell.computes, seen).kind
        yield Finding(kind, seen, row.torch, row.cell)


def _dropout_alone(matched: Match, row: Row) -> Iterator[Finding]:
    """Yield a note for dropout that only one side has."""
    if (
        (matched.torch is None or matched.cell is None)
        and "Dropout" in row.torch_kind + row.cell_kind
        and matched.by != "merged"
    ):
        kind = "missing layer" if matched.torch is not None else "extra layer"
        yield Finding(kind, fact("dropout of one", is_torch=matched.torch is not None), row.name, row.cell)


def _quiet_settings(one: Match, row: Row) -> Iterator[Finding]:
    """Yield notes for settings that show in training only, or little on these inputs."""
    sizes = [[part.numel() for part in step.inputs] for step in (one.torch, one.cell) if step is not None]
    if sizes[0] != sizes[-1]:  # an own operator pads, say
        return
    for each in row.settings:
        values = {"setting": each.name, "torch": each.torch, "cell": each.cell}
        seen = fact("quiet setting", **values, trap=each.trap, is_of_training=each.matters == "training")
        yield Finding(each.name, seen, row.torch, row.cell, fix=setting_to_change(each))


def _of_weights(weights: Weights) -> Iterator[Finding]:
    """Yield notes on weights that only one side has or trains, and on how they were paired."""
    for rule in weights.unused_rules:
        yield Finding("unused rule", fact("fits no weight"), rule)
    for pair in weights.pairs:
        if pair.trained[0] != pair.trained[1]:
            seen = fact("trained by one", is_torch=pair.trained[0])
            yield Finding(
                "requires_grad", seen, pair.torch, pair.cell, fix=fact("train alike", is_torch=pair.trained[0])
            )
    if weights.moved:
        pairs = tuple(fact("is", torch=Name(theirs), cell=Name(own)) for theirs, own in weights.moved[:MOVED])
        seen = fact("paired by calls", count=len(weights.moved))
        yield Finding("order of calls", seen, *weights.moved[0], evidence=pairs)
    for name in weights.only_torch:
        yield Finding("unmatched weight", fact("only torch has it"), name)
    for name in weights.only_cell:
        yield Finding("unmatched weight", fact("only the Cell has it"), name)
