"""The tables of rules in the documentation, made of the rules.

    python -m msbridge.cli.rules_page docs/graph.md

A page has a table where it says `<!-- rules of SECTION -->`, up to `<!-- end of rules -->`.
"""

import re
import sys
from pathlib import Path

from msbridge.converters.files.replacing import write_text
from msbridge.scan.scanning import SECTIONS
from msbridge.scan.sentences import rules_table

TABLE = re.compile(r"(<!-- rules of (\w+) -->\n).*?(<!-- end of rules -->)", re.DOTALL)


def filled(page: str) -> str:
    """Return a page with its tables as the rules make them."""
    return TABLE.sub(lambda found: f"{found[1]}{rules_table(SECTIONS[found[2]].rules)}{found[3]}", page)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        place = Path(name)
        write_text(place, filled(place.read_text(encoding="utf-8")))
