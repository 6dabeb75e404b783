"""The report: what was seen and found, to be printed, written to a file, or read by a program."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from msbridge.converters.files.atomic_write import write_text
from msbridge.device.report.facts import Finding, Seen
from msbridge.device.report.sentences import fix_of, sentence

__all__ = ["Report"]


@dataclass(frozen=True, slots=True)
class Report:
    """The work of the device, and what a real Ascend would say about it; `print` shows a summary.

    Attributes:
        seen: what was collected.
        findings: what was found in it, problems first.
    """

    seen: Seen
    findings: tuple[Finding, ...]

    @property
    def problems(self) -> tuple[Finding, ...]:
        """The findings that a real device would punish."""
        return tuple(finding for finding in self.findings if finding.severity == "problem")

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, which JSON can hold."""
        seen = self.seen
        memory = seen.memory
        return {
            **asdict(seen),
            "waits": seen.waits,
            "unplanned": seen.unplanned,
            "starved": seen.starved,
            "largest_batch": None if memory is None else seen.room.largest_batch(memory),
            "findings": [
                {**asdict(finding), "sentence": sentence(finding), "fix": fix_of(finding)} for finding in self.findings
            ],
        }

    def save(self, path: str | Path) -> None:
        """Write the report to a file, which appears when it is complete.

        Args:
            path: ends in ".html", or in ".json".

        Raises:
            ValueError: it ends in something else.
        """
        suffix = Path(path).suffix
        if suffix == ".json":
            text = json.dumps(self.as_dict(), ensure_ascii=False, indent=1) + "\n"
        elif suffix in (".html", ".htm"):
            from msbridge.device.report.html import render

            text = render(self)
        else:
            raise ValueError(f"A device report is written as .html or .json, got {str(path)!r}.")
        write_text(path, text)

    def __str__(self) -> str:
        from msbridge.device.report.plain import summary

        return summary(self)
