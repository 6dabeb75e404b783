"""Overrides: functions and classes that replace today's while an earlier release is followed.

    mappings/releases/nn.toml          ["nn.Dropout"]  since = "2.0", legacy = "1.0"
                |
    follow("nn")  when msbridge.nn is imported; again whenever a release is chosen
                |
    put back what was replaced  ->  for each row whose `since` is after the release:
                |                     the form of msbridge/nn/legacy/r1_0*.py, or today's with its arguments of then
                |                     then the constructor that checks first
    locate("nn.Dropout")  ->  (msbridge.nn, "Dropout")  ->  replaced there, and in the modules that show the same object
                                                              without using it themselves

Tables have public names only, and `locate` resolves them, so that files can move. What a behaviour hangs on inside
(a helper of another file) is named by code, as a `Part`. A call asks nothing: what it calls is another function.
Changes that a release does not have are undone from the newest to the first: where two replace the same, the form
before the first stays.

A module of ours that is loaded later sees today's, as one that was loaded before: what it takes into its own names,
bases and tables while it runs would stay there. So all forms are taken out while a module is loaded (`_FormsOut`).
"""

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import Any

from msbridge.core.releases import release
from msbridge.core.releases.arguments import override_arguments
from msbridge.core.releases.module_globals import globals_used
from msbridge.core.releases.public_modules import home_of
from msbridge.core.releases.rows import Checks, Row, pending, rows_of
from msbridge.core.runtime.defining_modules import defining_module
from msbridge.core.runtime.loading import LoaderThrough

Checked = Callable[[Any, Checks], Callable[..., None]]
"""Makes the constructor of a class that checks its arguments first."""

_Surface = tuple[dict[str, Any], ModuleType | None]
ABSENT = object()
"""The form of a `Part` that the release does not have."""
_SURFACES = (
    *("msbridge", "msbridge.api", "msbridge.ops", "msbridge.ops.operations"),
    *("msbridge.train", "msbridge.train.callbacks"),
)
hidden_names: list[dict[str, Any]] = []
"""What modules show to imports only: the drop-in keeps it apart from their attributes."""
_shown: dict[int, list[_Surface]] = {}  # what scripts import from, while this many modules are loaded
_rooms: dict[str, Checked] = {}
_replaced: list[tuple[Any, str, Any, Any, set[int]]] = []
"""What has it, its name, the form of then, what was there, and which modules (their names' identity) keep the form."""
_late_rooms: list[str] = []  # those that registered while the forms were out
_out = {"depth": 0}  # how many loads of modules want the forms out
_turn = RLock()


@dataclass(frozen=True, slots=True)
class Part:
    """An attribute inside, on which the behaviour of a public name hangs, and its form in the release."""

    owner: Any  # the module or class that has it
    name: str  # its name there
    form: Any  # what is there while the release is followed


def follow(room: str, checked: Checked) -> None:
    """Put the overrides of a room in place, now and whenever a release is chosen.

    Args:
        room: the package below msbridge, whose table is `mappings/releases/<room>.toml`.
        checked: makes constructors that check.
    """
    if not _rooms:
        release.follow(_follow_release)
    _rooms[room] = checked
    if _out["depth"]:
        _late_rooms.append(room)
    else:
        _override(room)


def _follow_release() -> None:
    _shown.clear()
    while _replaced:
        owner, name, form, old, homes = _replaced.pop()
        _set(owner, name, form, old, homes, _surfaces())
    _FINDER.watch(release.release() != release.NEWEST)
    for room in list(_rooms):  # a form of a release may import a further room, which then follows by itself
        _override(room)


class _FormsOut(MetaPathFinder):
    """Finds our modules while an earlier release is followed, and loads them with today's forms in place."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of Python's own finder, for a module of ours."""
        spec = PathFinder.find_spec(fullname, path, target) if fullname.startswith("msbridge.") else None
        if spec is not None and spec.loader is not None:
            spec.loader = LoaderThrough(spec.loader, _load_with_todays)
        return spec

    def watch(self, is_wanted: bool) -> None:
        """Be asked just before Python's own finder at each import, behind the drop-in's; or no more."""
        if is_wanted and self not in sys.meta_path:
            sys.meta_path.insert(sys.meta_path.index(PathFinder), self)
        elif not is_wanted and self in sys.meta_path:
            sys.meta_path.remove(self)


_FINDER = _FormsOut()


def _load_with_todays(execute: Callable[[ModuleType], None], module: ModuleType) -> None:
    with _todays():
        execute(module)


@contextmanager
def _todays() -> Iterator[None]:
    """Take the forms out, and put them in place again; rooms that registered meanwhile get theirs then."""
    with _turn:
        _out["depth"] += 1
        if _out["depth"] == 1:
            surfaces = _own_surfaces()
            for owner, name, form, old, homes in reversed(_replaced):
                _set(owner, name, form, old, homes, surfaces)
    try:
        yield
    finally:
        with _turn:
            _out["depth"] -= 1
            if not _out["depth"]:
                _put_in_place()


def _put_in_place() -> None:
    surfaces = _own_surfaces()
    for index, (owner, name, form, _, homes) in enumerate(_replaced):
        today = vars(owner).get(name, ABSENT)  # a module may have set another one while it was loaded
        _replaced[index] = owner, name, form, today, homes
        _set(owner, name, today, form, homes, surfaces)
    while _late_rooms:
        _override(_late_rooms.pop(0))


def _override(room: str) -> None:
    if release.release() == release.NEWEST:
        return
    _FINDER.watch(True)
    _shown.clear()
    changes = [(name, row) for name, rows in rows_of(room).items() for row in pending(rows)[::-1]]
    with _todays():
        forms = {id(row): form_of(room, row) for _, row in changes if row.legacy}
    for name, row in changes:
        if row.legacy:
            _put(name, forms[id(row)])
        elif row.arguments is not None:
            _put_arguments(name, row)
    for name, row in changes:
        if row.checks:
            kind = getattr(*locate(name))
            _replace(kind, "__init__", _rooms[room](kind, row.checks))


def form_of(room: str, row: Row) -> Any:
    """Return the form before a change: what the room's `legacy/` file has under the name."""
    return _legacy(room, row.legacy)[row.name]


@cache
def _legacy(room: str, version: str) -> Mapping[str, Any]:
    """Return the forms of `legacy/r<version>.py` and `legacy/r<version>_<topic>.py`, by public name."""
    package = importlib.import_module(f"msbridge.{room}.legacy")
    pattern = re.compile(rf"r{version.replace('.', '_')}(?!\d)")
    names = [each.name for each in pkgutil.iter_modules(package.__path__) if pattern.match(each.name)]
    forms: dict[str, Any] = {}
    for name in names:
        found = importlib.import_module(f"{package.__name__}.{name}").OVERRIDES
        if doubled := forms.keys() & found.keys():
            raise ImportError(f"msbridge.{room}.legacy has {sorted(doubled)} of {version} twice.")
        forms |= found
    return forms


def locate(name: str) -> tuple[Any, str]:
    """Return the owner of a public name, a module or class, and the attribute's name in it."""
    owner, _, attribute = home_of(name).rpartition(".")
    return pkgutil.resolve_name(owner), attribute


def newest(module: ModuleType) -> dict[str, Any]:
    """Return the names of a module as they are while the newest release is followed."""
    return {name: value for name, value in (vars(module) | find_covered(module)).items() if value is not ABSENT}


def find_covered(module: ModuleType) -> dict[str, Any]:
    """Return the values of today that forms of the followed release replace in a module, by name; ABSENT for none."""
    return {name: old for owner, name, _, old, _ in reversed(_replaced) if owner is module}


def replacements() -> Iterator[tuple[ModuleType, str, Any, Any]]:
    """Yield a module, the name of an attribute that is replaced, its form and today's object."""
    return ((owner, name, form, old) for owner, name, form, old, _ in _replaced if isinstance(owner, ModuleType))


def todays_of(name: str, value: object) -> Any:
    """Return today's object of a name of a module, for the form in its place; of all else, the value itself."""
    found = ((owner, old) for owner, key, form, old, _ in _replaced if form is value and key == name)
    return next((old for owner, old in found if isinstance(owner, ModuleType)), value)


def _put(name: str, form: Any) -> None:
    for part in form if isinstance(form, list) else [form]:
        if isinstance(part, Part):
            _replace(part.owner, part.name, part.form)
        else:
            _replace(*locate(name), part)


def _put_arguments(name: str, row: Row) -> None:
    owner, attribute = locate(name)
    today = getattr(owner, attribute)
    if isinstance(today, type) and not hasattr(today, "defaults"):  # not a derived primitive
        if "__signature__" in vars(today):
            _replace(today, "__signature__", None)
        owner, attribute, today = today, "__init__", getattr(today, "__init__")  # noqa: B009  # for mypy
    renames = tuple(row.rename.items())
    _replace(owner, attribute, _with_arguments(today, row.arguments or "", renames, isinstance(owner, type)))


@cache
def _with_arguments(today: Any, arguments: str, renames: tuple[tuple[str, str], ...], is_method: bool) -> Any:
    return override_arguments(today, arguments, dict(renames), is_method)


def _replace(owner: Any, attribute: str, form: Any) -> None:
    if isinstance(owner, ModuleType) and attribute not in vars(owner):
        getattr(owner, attribute, None)  # a package has what it imports lazily from then on
    today = vars(owner).get(attribute, ABSENT)
    places = (*(names for names, _ in _surfaces()), *_packages_of(form))
    homes = {id(names) for names in places if names.get(attribute, ABSENT) is form}  # they have it at all times
    _replaced.append((owner, attribute, form, today, homes))
    _set(owner, attribute, today, form, homes, _surfaces())


def _packages_of(definition: Any) -> Iterator[dict[str, Any]]:
    """Yield the names of the module that defines a form and of its packages, which scripts may import later."""
    path = defining_module(definition)
    while "." in path:
        if path in sys.modules:
            yield vars(sys.modules[path])
        path = path.rpartition(".")[0]


def _set(owner: Any, attribute: str, old: Any, new: Any, homes: set[int], surfaces: list[_Surface]) -> None:
    """Set or, of what was absent, delete an attribute of a class or module, and of modules that show the same."""
    if isinstance(owner, ModuleType) and old is not ABSENT:
        for names, module in surfaces:
            if names is vars(owner) or names.get(attribute, ABSENT) is not old or id(names) in homes:
                continue
            if module is not None and attribute in _globals_used(module):
                continue  # what a module calls itself stays: it was written for today's form
            names[attribute] = new
            if new is ABSENT:
                del names[attribute]
    if new is not ABSENT:
        setattr(owner, attribute, new)
    elif attribute in vars(owner):  # what 2.10 does not have may have been taken out of the module: `hidden_names`
        delattr(owner, attribute)


@cache
def _globals_used(module: ModuleType) -> set[str]:
    return globals_used(module)


def _own_surfaces() -> list[_Surface]:
    """Return the names of the surfaces that our own modules import from."""
    return [(vars(sys.modules[path]), sys.modules[path]) for path in _SURFACES if path in sys.modules]


def _surfaces() -> list[_Surface]:
    """Return the names of the modules that show those of others, as scripts import them; looked up once per change."""
    count = len(sys.modules)
    if count not in _shown:  # a form may import further ones
        _shown.clear()
        surfaces: dict[int, _Surface] = {id(names): (names, None) for names in hidden_names}
        for path, module in list(sys.modules.items()):
            if path in _SURFACES or path.startswith(("mindspore.", "msbridge.ops.operations")):
                surfaces[id(vars(module))] = vars(module), module  # which has many paths in MindSpore
        _shown[count] = [*surfaces.values()]
    return _shown[count]
