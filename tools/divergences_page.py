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

HEAD = """# Where msbridge is not the CPU build of MindSpore

The judge of msbridge is the real MindSpore 2.10.0 on a CPU: its answers are recorded, and tests replay them. In these
rows that build does not do what MindSpore's documentation says, has no number where there is one, or shares memory in
one mode or operator and not in the next; there msbridge follows the documentation, or does one thing everywhere. Where
the CPU build has no kernel, msbridge computes, and nothing is listed. Written by
`python tools/divergences_page.py` from `tests/oracle/divergences.toml`; a test evaluates every row.

| expression | the CPU build of 2.10.0 | msbridge | because |
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
