"""A scan as it is asked for: by a record of options, with its results written where another record says."""

import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from msbridge.converters.files.atomic_write import write_text
from msbridge.scan.baseline import new_findings, read_baseline, write_baseline
from msbridge.scan.engine import USUAL, Report, scan
from msbridge.scan.findings import Level
from msbridge.scan.options import Options, Results
from msbridge.scan.page import render
from msbridge.scan.sarif import sarif_text
from msbridge.scan.terminal import progress

__all__ = ["answer", "write_results"]


def answer(paths: Sequence[str], options: Options, results: Results) -> Report:
    """Scan as the options say, with a progress bar unless what is printed is for programs.

    Raises:
        BaselineError: the file of the baseline is none.
        OSError: a path does not exist or cannot be read.
        UnknownRuleError: the sections have no such rule.
    """
    with progress(not results.prints_data) as advance, _without_collecting():
        known = read_baseline(options.baseline) if options.baseline else Counter()
        sections = options.sections or USUAL
        report = scan(paths, sections, advance, level=Level(options.level), ignore=options.ignore)
        return replace(report, findings=tuple(new_findings(report.findings, known)))


def write_results(report: Report, paths: Sequence[str], results: Results) -> None:
    """Write the files that are asked for.

    Raises:
        OSError: one cannot be written.
    """
    if results.sarif and results.sarif != "-":
        write_text(results.sarif, sarif_text(report))
    if results.write_baseline:
        write_baseline(results.write_baseline, report.findings)
    if results.html:
        write_text(results.html, render(report, paths))


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Leave the syntax trees to the end of the process: to look through them for cycles takes a tenth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
