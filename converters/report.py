"""The report of every name in a conversion: as a table, as JSON, and as an exit code."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.atomic_write import write_text
from msbridge.converters.files.json_files import as_json
from msbridge.converters.formats.registry import BY_SUFFIX
from msbridge.converters.tensors.steps import Outcome, format_kind


@dataclass(slots=True)
class Report:
    """The outcome of a conversion.

    Attributes:
        source: what was read.
        target: what was written.
        outcomes: what became of each name, in the order of the target.
        skipped: what the source holds besides tensors: name → what it is.
        missing: names of the model that the source does not have.
        files: what was written: file → bytes.
        written: whether anything was; not so in a dry run.
        nbytes: bytes of all tensors of the target.
        seconds: how long it took.
    """

    source: str
    target: str
    outcomes: list[Outcome] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    files: dict[str, int] = field(default_factory=dict)
    written: bool = False
    nbytes: int = 0
    seconds: float = 0.0

    @property
    def counts(self) -> Counter[str]:
        """The number of names by outcome."""
        return Counter(one.status for one in self.outcomes)

    @property
    def guessed(self) -> list[Outcome]:
        """The outcomes that rest on a guess."""
        return [one for one in self.outcomes if one.guessed]

    @property
    def ordered(self) -> list[Outcome]:
        """The outcomes that rest on the order of definition only: there are several tensors of that shape."""
        ordered = [one for one in self.outcomes if one.by_order]
        shapes = Counter(one.after for one in ordered)
        return [one for one in ordered if shapes[one.after] > 1]

    def doubts(self) -> Iterator[str]:
        """Yield, in words, everything that a strict conversion does not accept."""
        guesses: dict[str, list[str]] = {}
        for outcome in self.guessed:
            guesses.setdefault(outcome.reason, []).append(", ".join(outcome.sources))
        for reason, names in guesses.items():
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            yield f"{names[0]}{more}: guessed to be {reason}"
        for outcome in self.outcomes:
            if "unmatched" in outcome.changes:
                yield f"{', '.join(outcome.sources)}: unmatched"
        for name, kind in self.skipped.items():
            yield f"{name}: skipped, {kind}"
        for name in self.missing:
            yield f"{name}: missing"

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data, for JSON."""
        return {
            "source": self.source,
            "target": self.target,
            "written": self.written,
            "bytes": self.nbytes,
            "seconds": round(self.seconds, 3),
            "counts": dict(self.counts),
            "files": self.files,
            "tensors": [
                {
                    "outcome": one.status,
                    "changes": list(one.changes),
                    "from": list(one.sources),
                    "to": list(one.targets),
                    "before": list(map(format_kind, one.before)),
                    "after": list(map(format_kind, one.after)),
                    "reason": one.reason,
                    "guessed": one.guessed,
                }
                for one in self.outcomes
            ],
            "skipped": self.skipped,
            "missing": self.missing,
        }

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the report as JSON."""
        write_text(path, as_json(self.as_dict()))


def check_report_file(report: Path, checkpoints: Iterable[str | os.PathLike[str]]) -> None:
    """Refuse a file of a report that cannot be written, or would replace a checkpoint.

    Raises:
        CheckpointError: it is one.
    """
    if not report.absolute().parent.is_dir():
        raise CheckpointError(f"--report {report}: there is no folder {report.parent}.")
    is_one = report.exists() and any(Path(each).exists() and report.samefile(each) for each in checkpoints)
    if report.suffix in BY_SUFFIX or is_one:
        raise CheckpointError(f"--report {report} would replace a checkpoint; pass the name of a .json file.")
