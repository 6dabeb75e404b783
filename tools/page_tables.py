"""Write the tables of options and rules of the documentation, from the command line's parsers and the scan's rules.

    python tools/page_tables.py docs/convert.md docs/graph.md

A page has a table from `<!-- options of COMMAND -->` or `<!-- rules of SECTION -->` to `<!-- end of options -->` or
`<!-- end of rules -->`.
"""

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

from msbridge.cli.main import parser
from msbridge.converters.files.atomic_write import write_text
from msbridge.scan.engine import SECTIONS
from msbridge.scan.messages import rules_table

TABLE = re.compile(r"(<!-- (options|rules) of (\w+) -->\n).*?(<!-- end of \2 -->)", re.DOTALL)


def fill(page: str) -> str:
    """Return a page with its tables as the parsers and the rules make them."""
    return TABLE.sub(lambda found: f"{found[1]}{TABLES[found[2]](found[3])}{found[4]}", page)


def options_table(command: str) -> str:
    """Return a table of the options of a command, group by group."""
    (commands,) = [action for action in parser([command])._actions if isinstance(action, argparse._SubParsersAction)]
    rows = ["| option | |", "|---|---|"]
    for group in commands.choices[command]._action_groups:
        options = [option for option in group._group_actions if option.option_strings and option.dest != "help"]
        if options and group.title not in ("options", "positional arguments"):
            rows.append(f"| **{group.title}** | |")
        rows += [f"| `{_spell(option)}` | {(option.help or '').replace('|', '&#124;')} |" for option in options]
    return "\n".join(rows) + "\n"


def _spell(option: argparse.Action) -> str:
    value = option.metavar or ("\\|".join(option.choices) if option.choices else "")
    return f"{option.option_strings[0]} {value}".rstrip()


TABLES: dict[str, Callable[[str], str]] = {
    "options": options_table,
    "rules": lambda section: rules_table(SECTIONS[section].rules),
}

if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        write_text(path, fill(path.read_text(encoding="utf-8")))
