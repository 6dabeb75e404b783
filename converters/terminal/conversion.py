"""The outcome of a conversion on the terminal: what changed, what was guessed, and the totals."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msbridge.converters.report import Report
from msbridge.converters.tensors.steps import Outcome, format_kind
from msbridge.core.runtime.printable import escape_markup
from msbridge.core.runtime.terminal import byte_size, console

MAX_TENSORS_LISTED = 30  # more changed tensors than these are summed up


def show(report: Report) -> None:
    """Print what changed, what was guessed, and the totals."""
    out = console()
    changed = [one for one in report.outcomes if one.status != "kept" or one.guessed]
    if len(changed) > MAX_TENSORS_LISTED:
        out.print(_summary(changed))
        out.print("--report FILE lists every name.", style="dim")
    elif changed:
        out.print(_listing(changed))
    for name, kind in report.skipped.items():
        out.print(escape_markup(f"skipped {name}: {kind}"), style="dim")
    if report.missing:
        missing = ", ".join(report.missing[:20])
        out.print(escape_markup(f"{len(report.missing)} tensors of the model are missing: {missing}."))
    total = sum(report.counts.values())
    unchanged = {"kept": "kept unchanged"}
    counts = ", ".join(f"{count} {unchanged.get(status, status)}" for status, count in report.counts.most_common())
    verb = "written to" if report.written else "would be written (dry run) to"
    rate = f", {report.nbytes / report.seconds / 1e6:.0f} MB/s" if report.written and report.seconds > 0.1 else ""
    size = byte_size(report.nbytes)
    out.print(escape_markup(f"{total} tensor{'s' * (total != 1)}: {counts}."))
    out.print(escape_markup(f"{size} {verb} {report.target} in {report.seconds:.1f} s{rate}."))
    if ordered := report.ordered:
        said = f"{len(ordered)} tensors of equal shapes are paired only by the order of definition"
        out.print(f"{said}; msbridge verify runs both networks and shows whether they are right.", style="yellow")
    elif report.guessed:
        out.print(f"{len(report.guessed)} names are guessed; --torch-model or --cell makes them exact.", style="yellow")


def _listing(outcomes: Sequence[Outcome]) -> Any:
    """Make a table with a row for each tensor."""
    table = _table("outcome", "from", "to", "type and shape", "why")
    for outcome in outcomes:
        shapes = " -> ".join(
            dict.fromkeys(", ".join(map(format_kind, kinds)) or "-" for kinds in (outcome.before, outcome.after))
        )
        cells = (outcome.status, "\n".join(outcome.sources), "\n".join(outcome.targets) or "-", shapes, _why(outcome))
        table.add_row(*[escape_markup(cell) for cell in cells], style="yellow" if outcome.guessed else None)
    return table


def _summary(outcomes: Sequence[Outcome]) -> Any:
    """Make a table with a row for each kind of change and reason."""
    alike: dict[tuple[str, str], list[Outcome]] = {}
    for one in outcomes:
        alike.setdefault((one.status, _why(one)), []).append(one)
    table = _table("outcome", "tensors", "for example", "why")
    for (status, why), several in alike.items():
        first = several[0]
        example = f"{', '.join(first.sources)} -> {', '.join(first.targets) or '-'}"
        cells = (status, str(len(several)), example, why)
        table.add_row(*[escape_markup(cell) for cell in cells], style="yellow" if first.guessed else None)
    return table


def _table(*headings: str) -> Any:
    from rich.table import Table

    table = Table()
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _why(one: Outcome) -> str:
    return f"{one.reason} (guessed)" if one.guessed else one.reason


@contextmanager
def progress_bar(shown: bool) -> Iterator[Callable[[int], Callable[[int], None]] | None]:
    """Yield the function that makes a progress bar of a number of bytes."""
    if not shown:
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(
        *columns, TransferSpeedColumn(), TimeRemainingColumn(), console=console(stderr=True), transient=True
    ) as bar:

        def begin(total: int) -> Callable[[int], None]:
            task = bar.add_task("converting", total=total)
            return lambda count: bar.advance(task, count)

        yield begin
