"""The summary of a comparison in the terminal: the verdict and its reason first, then the rows around it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from msbridge.core.runtime.printable import escape_markup
from msbridge.verify.explain.findings import Finding
from msbridge.verify.judge.status import FAULTS, Row
from msbridge.verify.measure.difference import PEAK_RATIO, RATIO, Difference
from msbridge.verify.report.numbers import amount, ratio
from msbridge.verify.report.result import Result
from msbridge.verify.report.sentences import described, fix_of, format_measurement, sentence, verdict_sentence

STYLES = {
    "equal": "green",
    "noise": "green",
    "inherited": "yellow",
    "idle": "dim",
    "missing": "dim",
    "extra": "dim",
}
VERDICTS = {"PASS": "bold green", "PASS with notes": "bold yellow", "FAIL": "bold red"}
MAX_PIPE_WIDTH = 1000  # columns of what is not a terminal
MIN_WIDTH_FOR_SHAPES = 110  # columns from which classes and shapes are shown
MAX_FAULTS = 4  # faults whose rows are shown, with one row before and behind each
MAX_FINDINGS = 6
MAX_NOTES = 4
MAX_NAMES = 3


def show(result: Result, console: Console | None = None, all_rows: bool = False) -> None:
    """Print the verdict, what was found, and the rows around it (or all rows)."""
    console = console or Console()
    if console.is_terminal:
        _print(result, console, all_rows)
    else:  # lines that can be copied: neither cut nor filled up
        text = StringIO()
        _print(result, Console(file=text, width=MAX_PIPE_WIDTH, color_system=None), all_rows)
        console.file.writelines(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def _print(result: Result, console: Console, all_rows: bool) -> None:
    style = VERDICTS[result.verdict]
    console.print(
        f"[{style}]{result.verdict}[/]  torch {escape_markup(result.torch)}, Cell {escape_markup(result.cell)}",
        highlight=False,
    )
    if not result.findings:
        console.print(Padding(escape_markup(verdict_sentence(result)), (0, 0, 0, 2)), highlight=False)
    for number, finding in enumerate(result.findings[:MAX_FINDINGS], 1):
        _show_finding(
            console, f"[red]{number}.[/]", finding, format_measurement(result) if finding is result.first else ""
        )
    _show_more(console, len(result.findings) - MAX_FINDINGS, "findings")
    for finding in result.notes[:MAX_NOTES]:
        _show_finding(console, "[yellow]note[/]", finding)
    _show_more(console, len(result.notes) - MAX_NOTES, "notes")
    if rows := result.rows if all_rows else list(_around_faults(result.rows)):
        console.print(_table(rows, console.width >= MIN_WIDTH_FOR_SHAPES))
    facts = Table.grid(padding=(0, 2))
    for name, text in _facts(result):
        facts.add_row(f"[dim]{name}[/]", escape_markup(text))
    console.print(Padding(facts, (0, 0, 0, 2)), highlight=False)


def _show_finding(console: Console, mark: str, finding: Finding, measured: str = "") -> None:
    text = f"{mark} {escape_markup(described(finding, with_kind=True))}"
    console.print(Padding(text, (0, 0, 0, 2)), highlight=False)
    for line in filter(None, [measured, *map(sentence, finding.evidence)]):
        console.print(Padding(escape_markup(line), (0, 0, 0, 5)), style="dim", highlight=False)
    if fix := fix_of(finding):
        console.print(Padding(f"[green]fix[/] {escape_markup(fix)}", (0, 0, 0, 5)), highlight=False)
    if finding.others:
        listed = ", ".join(finding.others[:MAX_NAMES]) + (" …" if len(finding.others) > MAX_NAMES else "")
        text = f"the same in {len(finding.others)} more places: {listed}"
        console.print(Padding(escape_markup(text), (0, 0, 0, 5)), highlight=False)


def _show_more(console: Console, count: int, what: str) -> None:
    if count > 0:
        console.print(f"  … and {count} more {what}", style="dim", highlight=False)


def _around_faults(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the first faults, each with the row before and the row behind it."""
    faults = [number for number, row in enumerate(rows) if row.status in FAULTS][:MAX_FAULTS]
    for number, row in enumerate(rows):
        if any(abs(number - fault) <= 1 for fault in faults):
            yield row


def _table(rows: Sequence[Row], is_wide: bool) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("status", no_wrap=True)
    table.add_column("layer (torch | Cell)", overflow="fold")
    if is_wide:
        table.add_column("class", overflow="fold")
        table.add_column("output", overflow="fold")
    for heading in ("max abs,\nfed", "max abs,\nfree", "noise\nratio"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        both = [each for each in (row.torch, row.cell) if each] if row.torch != row.cell else [row.torch]
        cells = [row.status, " | ".join(both)]
        shown = row.fed or row.free
        if is_wide:
            cells += [_kind(row), "×".join(map(str, shown.shape)) if shown else ""]
        times_noise = ratio(shown.noise_ratio) if shown and shown.is_comparable and not shown.is_equal else ""
        table.add_row(*map(escape_markup, [*cells, _number(row.fed), _number(row.free), times_noise]),
                      style=STYLES.get(row.status, "red"))  # fmt: skip
    return table


def _facts(result: Result) -> Iterator[tuple[str, str]]:
    """Yield the lines below the table: (name, text)."""
    counts = Counter(row.status for row in result.rows)
    yield "layers", f"{len(result.rows)}: " + ", ".join(f"{count} {status}" for status, count in counts.items())
    noisy = [row for row in result.rows if row.status == "noise" and row.fed]
    if worst := max(noisy, key=lambda row: row.fed.noise_ratio if row.fed else 0.0, default=None):
        worst_ratio = worst.fed.noise_ratio if worst.fed else 0.0
        allowed = f"{RATIO:g} is allowed, {PEAK_RATIO:g} in one value"
        yield "noise", f"at most {ratio(worst_ratio)} times torch's own ({worst.name}); {allowed}"
    weights = result.weights
    if weights.pairs or weights.only_torch or weights.only_cell:
        ways = Counter(one.by for one in weights.pairs)
        text = f"{len(weights.pairs)} pairs ({', '.join(f'{count} by {by}' for by, count in ways.items())})"
        for names, side in ((weights.only_torch, "torch"), (weights.only_cell, "the Cell")):
            text += f"; {len(names)} in {side} only" if names else ""
        if weights.only_torch and weights.only_cell:
            text += " (a file of rules renames, splits and joins them)"
        yield "weights", text
    for name, group in (("gradients", result.gradients), ("training", result.training)):
        if group:
            bad = [key for key, one in group.items() if not one.is_noise]
            listed = ", ".join(bad[:MAX_NAMES]) + (" …" if len(bad) > MAX_NAMES else "")
            yield name, f"{len(group) - len(bad)} of {len(group)} agree" + (f"; not {listed}" if bad else "")
    for what, (theirs, ours) in times(result).items():
        yield what, f"torch {_milliseconds(theirs)}, Cell {_milliseconds(ours)} (ratio {ratio(ours / theirs)})"


def times(found: Result) -> dict[str, tuple[float, float]]:
    """Return the times of both sides: name → seconds of torch and of the Cell."""
    names = ("forward", "training step")
    pairs = {name: (found.seconds.get(f"torch {name}"), found.seconds.get(f"cell {name}")) for name in names}
    return {name: (theirs, ours) for name, (theirs, ours) in pairs.items() if theirs and ours}


def _milliseconds(seconds: float) -> str:
    return f"{ratio(1000 * seconds)} ms"


def _kind(row: Row) -> str:
    return row.torch_kind if row.torch_kind == row.cell_kind else f"{row.torch_kind or '-'} | {row.cell_kind or '-'}"


def _number(difference: Difference | None) -> str:
    if difference is None:
        return ""
    if not difference.is_comparable:
        return "shape"
    return "0" if difference.is_equal else amount(difference.max_abs)
