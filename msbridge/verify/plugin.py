"""The pytest plugin: the fixture `side_by_side`, and `assert_same` for tests that want no fixture."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import torch

    from msbridge.nn import Cell
    from msbridge.verify.comparison import Comparison

SHOWN = 8  # findings in a failure


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


def assert_same(module: "torch.nn.Module", cell: "Cell", inputs: Any, **options: Any) -> "Comparison":
    """Fail unless a torch module and a Cell compute the same.

    Args:
        module: the reference.
        cell: the network under test; it gets the module's weights unless `weights="as is"` is given.
        inputs: as for `msbridge.verify.compare`.
        options: further arguments of `msbridge.verify.compare`.

    Returns:
        The comparison.

    Raises:
        AssertionError: they do not; the message names the first layer that differs, and why.
    """
    from msbridge.verify.side_by_side import compare

    __tracebackhide__ = True
    found = compare(module, cell, inputs, **options)
    if not found.is_same:
        pytest.fail(failure(found), pytrace=False)
    return found


def failure(found: "Comparison") -> str:
    """Say in a few lines where two networks part."""
    lines = [f"{found.torch} and {found.cell} do not compute the same.", found.sentence]
    for row in found.rows:
        shown = row.fed if row.status == "differs" else row.arriving if row.status == "input differs" else None
        if shown is not None and not shown.problem:
            lines.append(
                f"  {row.name}: {row.status}, by up to {shown.max_abs:.3g} at {list(shown.index)}: "
                f"Cell {shown.actual:.7g}, torch {shown.expected:.7g}; noise ratio {shown.noise_ratio:.3g}"
            )
    lines += [f"  {one.kind}: {one}" for one in found.findings[1:SHOWN]]
    for title, group in (("gradient", found.gradients), ("after training", found.training)):
        lines += [
            f"  {title} of {name}: by up to {one.max_abs:.3g}" for name, one in group.items() if not one.is_noise
        ][:SHOWN]
    return "\n".join(lines)


@pytest.fixture
def side_by_side(request: pytest.FixtureRequest) -> Callable[..., "Comparison"]:
    """Give `assert_same`, which also writes its report where `--side-by-side-reports` says."""
    folder: Path | None = request.config.getoption("--side-by-side-reports")

    def run(module: "torch.nn.Module", cell: "Cell", inputs: Any, **options: Any) -> "Comparison":
        from msbridge.verify.side_by_side import compare

        __tracebackhide__ = True
        found = compare(module, cell, inputs, **options)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            name = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in request.node.name)
            found.to_html(folder / f"{name}.html")
        if not found.is_same:
            pytest.fail(failure(found), pytrace=False)
        return found

    return run
