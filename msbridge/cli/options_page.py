"""The tables of options in the documentation, made of the parsers.

    python -m msbridge.cli.options_page docs/convert.md

A page has a table where it says `<!-- options of COMMAND -->`, up to `<!-- end of options -->`.
"""

import argparse
import re
import sys
from pathlib import Path

from msbridge.cli.main import parser
from msbridge.converters.files.replacing import write_text

TABLE = re.compile(r"(<!-- options of (\w+) -->\n).*?(<!-- end of options -->)", re.DOTALL)


def filled(page: str) -> str:
    """Return a page with its tables as the parsers make them."""
    return TABLE.sub(lambda found: f"{found[1]}{options_table(found[2])}{found[3]}", page)


def options_table(command: str) -> str:
    """Return a table of the options of a command, group by group."""
    (commands,) = [one for one in parser([command])._actions if isinstance(one, argparse._SubParsersAction)]
    rows = ["| option | |", "|---|---|"]
    for group in commands.choices[command]._action_groups:
        given = [one for one in group._group_actions if one.option_strings and one.dest != "help"]
        if given and group.title not in ("options", "positional arguments"):
            rows.append(f"| **{group.title}** | |")
        rows += [f"| `{_spelled(one)}` | {(one.help or '').replace('|', '&#124;')} |" for one in given]
    return "\n".join(rows) + "\n"


def _spelled(option: argparse.Action) -> str:
    value = option.metavar or ("\\|".join(option.choices) if option.choices else "")
    return f"{option.option_strings[0]} {value}".rstrip()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        place = Path(name)
        write_text(place, filled(place.read_text(encoding="utf-8")))
