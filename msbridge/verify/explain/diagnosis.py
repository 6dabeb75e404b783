"""Conclusions: every faulty row becomes a finding with its likely cause, and the outputs and weights too."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from msbridge.verify.explain.causes import explain_step, setting, setting_to_change
from msbridge.verify.explain.evidence import Scene, StepCase
from msbridge.verify.explain.findings import OUTPUT, Cause, Fact, Finding, Name, fact, first
from msbridge.verify.explain.grouping import group_findings
from msbridge.verify.explain.input_mismatches import explain_input, explain_outputs
from msbridge.verify.explain.notes import notes
from msbridge.verify.explain.relations import relation
from msbridge.verify.judge.status import FAULTS, Row, arrives
from msbridge.verify.measure.difference import Difference, compare_tensors
from msbridge.verify.pair.match import arriving
from msbridge.verify.record.trace import Trace

MAX_NOISE_RATIO = 100.0  # times the noise that is allowed: no sum of roundings is so large
Findings = tuple[Finding, ...]


def conclude(
    scene: Scene, rows: Sequence[Row], joined: Sequence[Row], outputs: Sequence[Difference], far: Trace | None
) -> tuple[Findings, Findings]:
    """Return the findings, in the order of the calls, and the notes.

    Args:
        scene: both runs.
        rows: one for each match.
        joined: the rows with those of layers that answer to each other only together.
        outputs: the differences of the networks' outputs, each running on its own.
        far: torch's run in float64.
    """
    cases = [scene.step(index, row) for index, row in enumerate(rows)]
    findings = [finding for case in cases for finding in _explain(case)]
    remarks = [_note_benign(case) for case in cases if case.row.acquitted is not None]
    if (error := scene.runs.free.error or scene.runs.fed.error) is not None:
        findings = _with_error(findings, scene, error)
    elif finding := _other_output(scene, far):
        findings.append(finding)
    else:
        ends, apart = _ends(scene, rows, outputs, bool(findings))
        findings += ends
        remarks += apart
    findings[:0] = _lacking_biases(scene, findings)
    remarks += notes(scene, rows)
    findings += _unseen_weights(scene, findings)
    return group_findings(_with_joined(findings, joined)), group_findings(remarks)


def _explain(case: StepCase) -> Iterator[Finding]:
    """Yield the findings of a row."""
    if case.row.status == "failed":
        found = first(FAILURES, case)
        if found is not None:
            yield found if found.layer else replace(found, layer=case.row.torch, cell=case.row.cell)
    elif case.row.status == "input differs":
        yield explain_input(case)
        if case.row.fed is not None and not case.row.fed.is_noise and case.other.is_fed:
            yield explain_step(case)
    elif case.row.status == "differs":
        yield explain_step(case)


def _note_benign(case: StepCase) -> Finding:
    """Return a note for what makes no difference to what follows."""
    found = explain_input(case) if case.row.acquitted == "input differs" else explain_step(case)
    return replace(found, evidence=(*found.evidence, fact("no effect")))


def _error(case: StepCase) -> Fact:
    error = case.scene.runs.free.error or case.scene.runs.fed.error
    return fact("returns nothing") if error is None else _stops("stops here", error)


def _stops(name: str, error: Exception, **values: object) -> Fact:
    return fact(name, error=type(error).__name__, message=str(error), **values)


def _explain_by_setting(case: StepCase) -> Finding | None:
    settings = case.row.settings
    if not settings:
        return None
    evidence = tuple(setting(one, True) for one in settings)
    return Finding(settings[0].name, _error(case), evidence=evidence, fix=setting_to_change(settings[0]))


def _explain_by_shape(case: StepCase) -> Finding | None:
    for own, wanted in zip(case.other.inputs, case.mine.inputs, strict=False) if case.other.layer is None else ():
        if own.shape != wanted.shape:
            shapes = {"cell": tuple(own.shape), "torch": tuple(wanted.shape)}
            said = relation(own, wanted)
            seen = fact("shape arrives", **shapes) if said is None else fact("related shape", what=said.fact, **shapes)
            return Finding("layout", seen, evidence=(_error(case),))
    return None


def _explain_by_input(case: StepCase) -> Finding | None:
    if case.row.arriving is None or arrives(case.row.arriving):
        return None
    found = explain_input(case)
    return replace(found, evidence=(*found.evidence, _error(case)))


# Why a step of the Cell returns nothing; the first that applies is the reason.
FAILURES = (
    Cause("setting", _explain_by_setting, "set"),
    Cause("layout", _explain_by_shape, "same layout"),
    Cause("input", _explain_by_input, "look inside"),
    Cause("error", _error, "mend"),
)


def _with_error(findings: Sequence[Finding], scene: Scene, error: Exception) -> list[Finding]:
    """Add that the Cell stops: to the first finding, or as one of its own."""
    runs = scene.runs
    place = " / ".join(part for part in (runs.free.pending or runs.fed.pending) if part) or "(the network)"
    if findings:
        seen = _stops("stops at", error, place=Name(place))
        return [replace(findings[0], evidence=(*findings[0].evidence, seen)), *findings[1:]]
    seen = _stops("stops", error)
    return [Finding("error", seen, place, place, fix=Fact("mend", seen.values))]


def _other_output(scene: Scene, far: Trace | None) -> Finding | None:
    """Return the finding for the first output that is wrong although every matched step returned torch's values."""
    for index, pair in enumerate(zip(scene.runs.fed.outputs, scene.runs.theirs.outputs, strict=False)):
        difference = compare_tensors(*pair, far.outputs[index] if far else None)
        if not difference.is_comparable or not arrives(difference):
            return explain_outputs(scene, pair)
    return None


def _ends(
    scene: Scene, rows: Sequence[Row], outputs: Sequence[Difference], is_explained: bool
) -> tuple[list[Finding], list[Finding]]:
    """Return findings and notes on outputs that differ when each network runs on its own."""
    counts, findings, remarks = [len(run.outputs) for run in (scene.runs.fed, scene.runs.theirs)], [], []
    if counts[0] != counts[1]:
        remarks.append(Finding("outputs", fact("numbers of outputs", cell=counts[0], torch=counts[1]), OUTPUT, OUTPUT))
    loud = [one for one in outputs if not one.is_noise]
    if loud and not is_explained:
        worst = max(loud, key=lambda one: one.noise_ratio)
        values = {"max_abs": worst.max_abs, "noise_ratio": worst.noise_ratio}
        rounds = any(row.fed is not None and row.fed.is_coarser for row in rows)
        is_far = worst.noise_ratio > MAX_NOISE_RATIO and not rounds and not _is_amplified(scene, rows)
        if not worst.is_comparable or is_far:
            seen = fact("apart", **values)
            findings.append(Finding("unknown", seen, OUTPUT, OUTPUT, fix=fact("no state")))
        else:
            remarks.append(Finding("noise", fact("adds up", **values), OUTPUT, OUTPUT))
    return findings, remarks


def _is_amplified(scene: Scene, rows: Sequence[Row]) -> bool:
    """Whether torch's own layer makes as much of the rounding errors that reach the first step with large ones."""
    for matched, row in zip(scene.runs.matches, rows, strict=True):
        if row.free is None or row.free.is_noise or matched.torch is None or matched.cell is None:
            continue
        step = scene.runs.free.steps[matched.cell.number]
        pairs = arriving(step.inputs, matched.torch.inputs)
        if matched.last is not None or matched.torch.again is None:
            return False
        if not all(compare_tensors(*pair).is_noise for pair in pairs):
            return False
        try:
            near = matched.torch.again([a.double() if a.is_floating_point() else a for a, _ in pairs])
        except (RuntimeError, TypeError, ValueError):
            return False
        return all(compare_tensors(a, b.to(a.dtype), b).is_noise for a, b in zip(step.outputs, near, strict=False))
    return False


def _lacking_biases(scene: Scene, found: Sequence[Finding]) -> list[Finding]:
    """Return findings for biases that rules make, the Cell's layers do not have, and no difference has led to."""
    known = set().union(*(one.names for one in found))
    lost = []
    for name, own in scene.weights.lacking:
        if name not in known:
            place, other = (one.rpartition(".")[0] for one in (name, own))
            seen = fact("no parameter of rules", cell=Name(own), torch=Name(name))
            lost.append(Finding("bias", seen, place, other, fix=fact("give a bias", names=(), kind="")))
    return lost


def _unseen_weights(scene: Scene, found: Sequence[Finding]) -> list[Finding]:
    """Return findings for wrong weights that no difference has led to."""
    known = [seen for one in found for seen in (one.fact, *one.evidence)]
    return [replace(one, evidence=(fact("does not show"),)) for one in scene.wrong.values() if one.fact not in known]


def _with_joined(found: Sequence[Finding], rows: Sequence[Row]) -> list[Finding]:
    """Put findings for layers that together differ behind those of the rows before."""
    together, before = list(found), set[str]()
    for row in rows:
        if row.by == "rule" and row.status in FAULTS and row.fed is not None:
            seen = fact("together", max_abs=row.fed.max_abs)
            one = Finding("joined layers", seen, row.torch, row.cell, fix=fact("same parts"))
            together.insert(sum(other.layer in before for other in together), one)
        before.add(row.name)
    return together
