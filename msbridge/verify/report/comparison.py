"""The outcome of a comparison, with the forms in which it can be shown."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msbridge.converters.files.atomic_write import write_text
from msbridge.core.runtime.printable import json_text
from msbridge.verify.report.result import Result
from msbridge.verify.report.sentences import format_measurement, verdict_sentence


@dataclass(frozen=True, slots=True)
class Comparison(Result):
    """A torch module and a Cell, side by side: what was found (`Result`), and files and texts that say it."""

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        return verdict_sentence(self)

    @property
    def measured(self) -> str:
        """The measurement at the first fault; "" where nothing could be measured."""
        return format_measurement(self)

    def print(self, all_rows: bool = False) -> None:
        """Print a summary to the terminal: the verdict, what was found, and the rows around it (or all)."""
        from msbridge.verify.report.terminal import show

        show(self, all_rows=all_rows)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        from msbridge.verify.report.plain import plain_comparison

        return plain_comparison(self)

    def to_json(self, path: str | Path | None = None) -> str:
        """Return everything as JSON; write it to `path` too, if one is given."""
        text = json_text(self.as_dict(), indent=1)
        if path is not None:
            write_text(path, text + "\n")
        return text

    def to_html(self, path: str | Path) -> None:
        """Write the report as one HTML file that needs nothing else."""
        from msbridge.verify.report.html import write

        write(self, Path(path))

    def to_csv(self, path: str | Path) -> None:
        """Write the rows as a table, one line for each layer or operator."""
        from msbridge.verify.report.csv import write

        write(self, Path(path))

    def to_junit(self, path: str | Path) -> None:
        """Write the rows as test cases, for systems that show JUnit's XML."""
        from msbridge.verify.report.junit import write

        write(self, Path(path))
