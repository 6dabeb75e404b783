"""The summary of a report as plain text, for a terminal."""

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msbridge.device.report.sentences import amount, at, fix_of, largest_batch, sentence, share

if TYPE_CHECKING:
    from msbridge.device.report.outcome import Report

WIDTH = 110
MAX_FINDINGS = 12


def summary(report: "Report") -> str:
    """Return the counts, one per line, and the findings."""
    rows = list(facts(report))
    width = max(len(name) for name, _ in rows)
    lines = [f"Device report: {verdict(report)}", *(f"  {name:<{width}}  {text}" for name, text in rows)]
    for finding in report.findings[:MAX_FINDINGS]:
        where = f"{at(finding.place)} `{finding.place.text}`: " if finding.place.file else ""
        lines += _wrap(f"{finding.severity}: ", where + sentence(finding))
        if fix := fix_of(finding):
            lines += _wrap("    fix: ", fix)
    if len(report.findings) > MAX_FINDINGS:
        lines.append(f"  … and {len(report.findings) - MAX_FINDINGS} more findings")
    return "\n".join(lines)


def verdict(report: "Report") -> str:
    """Return its state in a few words."""
    if not report.seen.steps:
        return "no step was seen"
    count = len(report.problems)
    if not count:
        return "no problems"
    return f"{count} problem{'' if count == 1 else 's'} that a real Ascend would have with it"


def facts(report: "Report") -> Iterator[tuple[str, str]]:
    """Yield the counts: (name, text)."""
    seen = report.seen
    emulated = seen.target == "Ascend" and not seen.device.startswith("npu")
    yield "device", f"{seen.target}{', emulated' if emulated else ''} on {seen.device}, {seen.mode} mode"
    sunk = f", {seen.sunk_steps:,} of them in {seen.sinks:,} sinks" if seen.sinks else ", none in a sink"
    yield "steps", f"{seen.steps:,}{sunk}; {seen.seconds:.2f} s"
    yield "host waits", f"{seen.waits:,}, {seen.unplanned:,} of them unplanned"
    yield "bytes", f"{amount(seen.bytes_to_device)} to the device, {amount(seen.bytes_from_device)} from it"
    first = f"; the first batch took {seen.first_wait_s:.2f} s" if seen.first_wait_s else ""
    yield "waited for data", f"{seen.data_s:.2f} s, {share(seen.starved)} of the time{first}"
    if (memory := seen.memory) is not None:
        yield (
            "memory",
            f"parameters {amount(memory.parameters)} + optimizer {amount(memory.optimizer)} of "
            f"{amount(seen.room.resident)}; feature maps {amount(memory.feature_maps)} + gradients "
            f"{amount(memory.gradients)} + inputs {amount(memory.inputs)} of {amount(seen.room.passing)}",
        )
        if (largest := seen.room.largest_batch(memory)) is not None:
            yield "batch", f"{memory.batch:,}; {largest_batch(largest)}"
    if sent := sum(one.bytes for one in seen.communications):
        behind = sum(one.behind for one in seen.communications) / sent
        yield (
            "processes",
            f"{amount(sent)} in {sum(one.calls for one in seen.communications):,} operations, {share(behind)} of it "
            f"behind the backward pass; waited {seen.communicating_s:.2f} s; at most {amount(seen.under_way)} of "
            f"{amount(seen.room.communication)} under way",
        )
    if len(seen.shapes) > 1:
        yield "input shapes", f"{len(seen.shapes):,} different ones"
    if seen.capture:
        yield "capture", seen.capture


def _wrap(first: str, text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=f"  {first}", subsequent_indent="    ", break_long_words=False)
