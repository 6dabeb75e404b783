"""The pytest plugin: the fixture `side_by_side`, and `assert_same` for tests that want no fixture."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import torch

    from msbridge.nn import Cell
    from msbridge.verify.report.comparison import Comparison

WIDTH = 100  # columns of a failure


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that keeps the reports."""
    group = parser.getgroup("msbridge", "msbridge: torch modules and Cells side by side")
    group.addoption(
        "--side-by-side-reports",
        metavar="FOLDER",
        type=Path,
        default=None,
        help="write the HTML report of each comparison that `side_by_side` makes into this folder",
    )


def assert_same(
    module: "torch.nn.Module", cell: "Cell", inputs: Any, *, report: str | Path | None = None, **options: Any
) -> "Comparison":
    """Fail unless a torch module and a Cell compute the same.

    Args:
        module: the reference.
        cell: the network under test; it gets the module's weights unless `weights="as is"` is given.
        inputs: as for `msbridge.verify.compare`.
        report: write the HTML report to this file, also when nothing differs.
        options: further arguments of `msbridge.verify.compare`, such as `rules`, `grad` and `train_steps`.

    Returns:
        The comparison.

    Raises:
        pytest.fail.Exception: they do not; the message names the first layer that differs, and why.
    """
    from msbridge.verify.side_by_side import compare

    __tracebackhide__ = True
    comparison = compare(module, cell, inputs, **options)
    if report is not None:
        Path(report).parent.mkdir(parents=True, exist_ok=True)
        comparison.to_html(report)
    if not comparison.is_same:
        pytest.fail(failure(comparison, report), pytrace=False)
    return comparison


def failure(comparison: "Comparison", report: str | Path | None = None) -> str:
    """Return in a few lines where two networks part."""
    from rich.console import Console

    from msbridge.verify.report.terminal import show

    text = io.StringIO()
    show(comparison, Console(file=text, width=WIDTH, color_system=None))
    lines = [line.rstrip() for line in text.getvalue().splitlines()[1:]]
    lines.insert(0, f"{comparison.torch} and {comparison.cell} do not compute the same.")
    if report is not None:
        lines.append(f"  report: {report}")
    return "\n".join(lines)


@pytest.fixture
def side_by_side(request: pytest.FixtureRequest) -> Callable[..., "Comparison"]:
    """Return `assert_same`, which also writes its report where `--side-by-side-reports` says."""
    folder: Path | None = request.config.getoption("--side-by-side-reports")
    place = request.node.nodeid.replace("::", "-")
    name = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in place)
    calls = 0

    def run(module: "torch.nn.Module", cell: "Cell", inputs: Any, **options: Any) -> "Comparison":
        nonlocal calls
        __tracebackhide__ = True
        calls += 1
        if folder is not None:
            options.setdefault("report", folder / f"{name}{f'-{calls}' if calls > 1 else ''}.html")
        return assert_same(module, cell, inputs, **options)

    return run
