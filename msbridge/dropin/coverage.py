"""The coverage page: which MindSpore names, of those that public scripts use, msbridge has.

    python -m msbridge.dropin.coverage [FILE]

Presence is not correctness: that the results are MindSpore's is for the tests.
"""

import importlib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msbridge.converters.files.replacing import write_text
from msbridge.dropin.absence import reason
from msbridge.dropin.install import install
from msbridge.mappings import columns


@dataclass(frozen=True, slots=True)
class Name:
    """A row of names.tsv: a MindSpore name, and how often scripts of 2.x and of 1.x use it."""

    name: str
    uses_2x: int = 0
    uses_1x: int = 0

    @property
    def uses(self) -> int:
        """All uses together."""
        return self.uses_2x + self.uses_1x

    @property
    def room(self) -> str:
        """The module or class that the name stands in."""
        return self.name.rpartition(".")[0]


def resolves(name: str) -> bool:
    """Whether a script that writes the dotted `name` gets an object; modules on the way are imported."""
    first, *rest = name.split(".")
    found, path = importlib.import_module(first), first
    for part in rest:
        path = f"{path}.{part}"
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(path)
            except ImportError:
                return False
    return True


def page(names: Iterable[Name], present: Mapping[str, bool]) -> str:
    """Write the page.

    Args:
        names: the rows of names.tsv.
        present: whether a name resolves, by name.

    Returns:
        Markdown: a summary by room, then for each room what is here and what is absent and why.
    """
    rooms: dict[str, list[Name]] = {}
    for name in names:
        rooms.setdefault(name.room, []).append(name)
    ordered = sorted(rooms.items(), key=lambda item: (-sum(name.uses for name in item[1]), item[0]))
    everything = [name for group in rooms.values() for name in group]
    lines = [
        "# What of MindSpore is here",
        "",
        "The names that public scripts use, with how often they do. Made by `python -m msbridge.dropin.coverage`;",
        "it says what resolves, not that it is right.",
        "",
        "| room | names | here | of all uses |",
        "|---|---:|---:|---:|",
        _summary("**all**", everything, present),
        *(_summary(f"`{room}`", group, present) for room, group in ordered),
    ]
    for room, group in ordered:
        lines += ["", f"## {room}", *_section(group, present)]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write the page to the file that is named, or to stdout."""
    install()
    names = columns("names.tsv", Name)
    text = page(names, {name.name: resolves(name.name) for name in names})
    if arguments:
        write_text(arguments[0], text)
    else:
        sys.stdout.write(text)
    return 0


def _summary(title: str, group: list[Name], present: Mapping[str, bool]) -> str:
    here = [name for name in group if present[name.name]]
    share = 100 * sum(name.uses for name in here) / max(1, sum(name.uses for name in group))
    return f"| {title} | {len(group)} | {len(here)} | {share:.1f} % |"


def _section(group: list[Name], present: Mapping[str, bool]) -> list[str]:
    by_use = sorted(group, key=lambda name: (-name.uses, name.name))
    here = ", ".join(f"`{name.name.rpartition('.')[2]}`" for name in by_use if present[name.name])
    absent = [name for name in by_use if not present[name.name]]
    lines = ["", f"Here: {here}."] if here else []
    if absent:
        lines += ["", "| absent | uses in 2.x | in 1.x | why |", "|---|---:|---:|---|"]
        lines += [f"| `{name.name}` | {name.uses_2x} | {name.uses_1x} | {_why(name.name)} |" for name in absent]
    return lines


def _why(name: str) -> str:
    row = reason(name)
    if row is None:
        return "not built yet"
    return f"{row.absent}; use {row.instead}" if row.instead else row.absent


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
