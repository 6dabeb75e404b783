"""The names of torch that a file uses, each with what it is called in MindSpore."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from msbridge.dropin.release_guess.bindings import Bound
from msbridge.dropin.release_guess.sources import uses
from msbridge.scan.findings import Finding, Level, Rule
from msbridge.scan.project import Module
from msbridge.scan.torch_names.equivalents import (
    cell_of,
    counterpart,
    differences,
    is_module,
    needless,
    strip_attributes,
)

__all__ = ["RULES", "check"]

PACKAGES = ("torch", "torchaudio", "torchtext", "torchvision")
SAME = Rule(
    "torch-same",
    Level.ADVICE,
    "a torch name that MindSpore has with the same arguments",
    "the other name does the same",
    "what the finding says",
)
DIFFERS = Rule(
    "torch-differs",
    Level.CHANGED,
    "a torch name that MindSpore has with other arguments or defaults",
    "the same call may mean something else",
    "what the finding says",
)
UNKNOWN = Rule(
    "torch-unknown",
    Level.REFUSED,
    "a torch name without a known MindSpore counterpart",
    "nothing replaces it directly",
    "find another way; `msbridge.from_torch` and `msbridge.to_torch` exchange tensors and networks",
)
NEEDLESS = Rule(
    "torch-needless",
    Level.ADVICE,
    "a torch name that needs no counterpart",
    "MindSpore does not need it; the finding says why",
    "leave it out",
)
RULES = (SAME, NEEDLESS, DIFFERS, UNKNOWN)


def check(module: Module, walked: set[object]) -> Iterator[Finding]:
    """Yield the places of a file where a name of torch is used."""
    source = module.source
    if "torch" not in source.text:
        return
    longest: dict[tuple[int, int], str] = {}
    for path, node in uses(Bound(source.nodes, PACKAGES)):
        place = node.lineno, node.col_offset  # type: ignore[attr-defined]  # all of them have a place
        if "(" not in path:
            longest[place] = max(longest.get(place, ""), path, key=len)
    for (line, column), path in longest.items():
        rule = _rule(path)
        if rule is not None and not source.ignores(rule.id, line):
            yield Finding(rule, str(source.path), line, column + 1, source.excerpt(line))


@cache
def _rule(path: str) -> Rule | None:
    """Return the rule for a path; None for a module."""
    if is_module(path):
        return None
    name = strip_attributes(path)
    if because := needless(name):
        return replace(NEEDLESS, what=f"{name} has no counterpart", why=because)
    row = counterpart(name)
    if row is None:
        return replace(UNKNOWN, what=f"no name of MindSpore is known for {name}")
    unlike = [*differences(row)]
    kind = DIFFERS if unlike else SAME
    what = "; ".join([f"{name} is {row.mindspore}", *unlike])
    other = cell_of(name)
    also = f"; or {other}" if other and not other.startswith(row.mindspore) else ""
    return replace(kind, what=what, fix=f"write {row.mindspore}{also}")
