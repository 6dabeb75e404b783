"""`__module__` of our classes and functions while the drop-in is installed: MindSpore's defining module.

A module of ours that is loaded has its definitions looked up by name. Where MindSpore defines two things of one name,
the public module that publishes one decides which it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import FunctionType, ModuleType

from msbridge.core.releases.overrides import find_covered, todays_of
from msbridge.core.runtime.defining_modules import present
from msbridge.dropin.importing.module_map import facade_path
from msbridge.mappings import columns


@dataclass(frozen=True, slots=True)
class Definitions:
    """A row of defining_modules.tsv."""

    module: str  # a module of MindSpore
    names: tuple[str, ...]  # classes and functions that the module defines
    found_in: str = ""  # the module in which users find the names, where the names do not decide; else empty


@cache
def by_finder() -> Mapping[str, Mapping[str, str]]:
    """Return the defining modules by name, for each module in which users find it; "" for what is found by name."""
    homes_by_finder: dict[str, dict[str, str]] = {"": {}}
    for row in columns("defining_modules.tsv", Definitions, repeated=True):
        homes = dict.fromkeys(row.names, row.module)
        homes_by_finder.setdefault(row.found_in, {}).update(homes)
        homes_by_finder.setdefault(row.module, {}).update(homes)
    return homes_by_finder


def present_all(module: ModuleType, name: str) -> set[str]:
    """Present what a module of ours, imported as `name`, defines or re-exports.

    Returns:
        The modules of MindSpore that define the classes among it.
    """
    homes, table = set(), by_finder()
    served = {facade_path(name) or "", f"mindspore{name.removeprefix('msbridge')}"} - {""}
    handed_out = {key: home for path in served for key, home in table.get(path, {}).items()}
    shown = vars(module)
    known = [(key, shown[key]) for key in (shown.keys() & table[""].keys()) | (shown.keys() & handed_out.keys())]
    for key, value in (*known, *find_covered(module).items()):
        if not isinstance(value, type | FunctionType):
            continue
        home = handed_out.get(key) or (table[""].get(key) if value.__module__ == name else None)
        if home and value.__name__ == key and value.__module__.startswith("msbridge"):
            present(value, home)
            if isinstance(value, type):
                homes.add(home)
    return homes


def hand_out(path: str, name: str, value: object) -> None:
    """Present what the module `path` of MindSpore publishes as `name`, in the newest release."""
    if not isinstance(value, type | FunctionType):
        return
    value = todays_of(name, value)
    if isinstance(value, type | FunctionType) and value.__module__.startswith("msbridge"):
        home = by_finder().get(path, {}).get(name) or by_finder()[""].get(name)
        if home and value.__name__ == name:
            present(value, home)
