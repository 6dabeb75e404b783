"""Recorded sides: findings and notes of a comparison with what was recorded elsewhere."""

from collections.abc import Collection, Sequence

from msbridge.verify.explain.findings import OUTPUT, Fact, Finding, fact
from msbridge.verify.judge.status import Row
from msbridge.verify.measure.difference import Difference
from msbridge.verify.record import archive
from msbridge.verify.record.archive import Arrays

KIND = "recorded output"


def conclude_recorded(rows: Sequence[Row], outputs: Sequence[Difference]) -> list[Finding]:
    """Return a finding for each row at fault, or else for the first output that differs."""
    findings = [
        Finding(KIND, _gap(own), row.torch, row.cell, _evidence(row, own))
        for row in rows
        if row.status == "differs" and (own := row.fed or row.free) is not None
    ]
    bad = [one for one in outputs if not one.is_noise]
    return findings or [Finding(KIND, _gap(one), OUTPUT, OUTPUT) for one in bad[:1]]


def note_recorded_arrays(
    parts: Collection[str], known: Sequence[str], arrays: Arrays, rows: Sequence[Row]
) -> list[Finding]:
    """Note arrays of unknown names; those of layers that hold others are known, though not compared.

    Args:
        parts: paths of all parts of the network.
        known: names of the layers that ran.
        arrays: what was recorded.
        rows: the layers that were compared.
    """
    there = {*parts, *known, archive.INPUT, archive.OUTPUT}
    notes = []
    for name in arrays:
        place = name.partition(archive.OF_LAYER)[0].partition(" (call ")[0]
        if name not in there and place not in there and name.rpartition(".")[0] not in (archive.INPUT, archive.OUTPUT):
            notes.append(Finding("unmatched record", fact("no layer"), name))
    if rows and (unseen := [name for name in known if name not in arrays]):
        notes.append(Finding("not recorded", fact("not in file", count=len(unseen)), archive.some(unseen)))
    return notes


def _gap(one: Difference) -> Fact:
    if one.actual_shape is not None:
        return fact("other shape", cell=one.actual_shape, torch=one.shape)
    return fact("recorded gap", max_abs=one.max_abs)


def _evidence(row: Row, difference: Difference) -> tuple[Fact, ...]:
    if not difference.is_comparable:
        return ()
    values = {
        "cell": difference.actual,
        "torch": difference.expected,
        "noise_ratio": difference.noise_ratio,
        "norm_ratio": difference.norm_ratio,
    }
    return (fact("recorded values", is_fed=row.fed is not None, place=difference.index, **values),)
