"""Write docs/divergences.md, where msbridge follows the documentation and not the CPU build, from divergences.toml.

python tools/divergences_page.py
"""

import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "divergences.md"
sys.path.append(str(ROOT))

from tests.oracle.divergences import Divergence, rows  # noqa: E402

HEAD = """# Differences from MindSpore

msbridge is tested against the real MindSpore 2.10.0 on a CPU: its answers are recorded, and tests replay them. This
page lists where msbridge differs on purpose. In these rows, the CPU build contradicts MindSpore's documentation,
returns NaN where there is a number, or shares memory in one mode or operator and not in another. msbridge follows the
documentation, or behaves the same everywhere. Where the CPU build has no kernel, msbridge computes a result, and
nothing is listed. `python tools/divergences_page.py` writes this page from `tests/oracle/divergences.toml`; a test
evaluates every row.

| Expression | CPU build of 2.10.0 | msbridge | Reason |
|---|---|---|---|
"""


def page(found: Iterable[Divergence]) -> str:
    """Return the page: a line for each expression."""
    return HEAD + "".join(
        f"| `{expression}` | {build} | {here} | {row.because} |\n"
        for row in found
        for expression, (build, here) in row.cases.items()
    )


if __name__ == "__main__":
    PAGE.write_text(page(rows()), encoding="utf-8")
