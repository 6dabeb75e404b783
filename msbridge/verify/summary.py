"""The summary of a comparison in the terminal."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from msbridge.verify.comparison import FAULTS, Comparison, Row
from msbridge.verify.metrics import Difference

STYLES = {
    "equal": "green",
    "noise": "green",
    "inherited": "yellow",
    "idle": "dim",
    "missing": "dim",
    "extra": "dim",
}
VERDICTS = {"PASS": "bold green", "PASS with notes": "bold yellow", "FAIL": "bold red"}
SHOWN = 40  # rows; of more, those that matter are shown
NOTES = 8


def show(found: Comparison, console: Console | None = None) -> None:
    """Print the verdict, the layers and what was found."""
    console = console or Console()
    if not console.is_terminal:
        console.width = max(console.width, 120)  # a pipe has no width; do not fold names
    rows = [row for row in found.rows if row.status != "idle" or len(found.rows) <= SHOWN]
    if len(rows) > SHOWN:
        rows = [row for row in rows if row.status in (*FAULTS, "inherited")][:SHOWN] or rows[:SHOWN]
    table = Table(title=f"{found.torch} | {found.cell}", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("torch", "Cell", "kind", "output"):
        table.add_column(heading, overflow="fold")
    for heading in ("max abs\nfree", "max abs\nfed", "cosine\nfed", "noise\nratio"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("status", no_wrap=True)
    for row in rows:
        table.add_row(*map(escape, _cells(row)), style=STYLES.get(row.status, "red"))
    console.print(table)
    if len(rows) < len(found.rows):
        console.print(f"{len(rows)} of {len(found.rows)} rows shown.", style="dim")
    for name, group in (("gradients", found.gradients), ("training", found.training)):
        if group:
            bad = [key for key, one in group.items() if not one.is_noise]
            text = f"{name}: {len(group) - len(bad)} of {len(group)} agree"
            console.print(
                escape(text + (f"; {', '.join(bad[:5])} do not" if bad else "")), style="red" if bad else "green"
            )
    for number, one in enumerate(found.findings[:NOTES], 1):
        console.print(f"[red]{number}.[/] [bold]{escape(one.kind)}[/] {escape(str(one))}", highlight=False)
        for line in one.evidence:
            console.print(f"   {escape(line)}", style="dim", highlight=False)
    for one in found.notes[:NOTES]:
        console.print(f"[yellow]note[/] [bold]{escape(one.kind)}[/] {escape(str(one))}", highlight=False)
    if len(found.notes) > NOTES:
        console.print(f"… and {len(found.notes) - NOTES} more notes", style="dim")
    console.print(f"[{VERDICTS[found.verdict]}]{found.verdict}[/] {escape(found.sentence)}", highlight=False)


def _cells(row: Row) -> tuple[str, ...]:
    kinds = row.torch_kind if row.torch_kind == row.cell_kind else f"{row.torch_kind or '-'} | {row.cell_kind or '-'}"
    shown = row.fed or row.free
    shape = "×".join(map(str, shown.shape)) if shown else ""
    return (
        row.torch or "-",
        row.cell or "-",
        kinds,
        shape,
        _number(row.free),
        _number(row.fed),
        f"{shown.cosine:.6f}" if shown and not shown.problem else "",
        f"{shown.noise_ratio:.3g}" if shown and not shown.problem and not shown.is_equal else "",
        row.status,
    )


def _number(one: Difference | None) -> str:
    if one is None:
        return ""
    if one.problem:
        return "shape"
    return "0" if one.is_equal else f"{one.max_abs:.2e}"
