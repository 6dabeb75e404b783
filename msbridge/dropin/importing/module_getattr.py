"""Module `__getattr__` of a MindSpore module, for a name that is in none of its own files.

A facade is the module's `__getattr__` and `__dir__` (PEP 562). A module that only forwards consists of nothing else; a
room of ours gets one while the drop-in is installed, so that `mindspore.nn.Accuracy` finds the metrics that live in a
higher room. The module stays a plain module, so a name that it has is found as fast as ever.
"""

import contextlib
import dis
import importlib
import inspect
import sys
from collections.abc import Iterable, Iterator
from types import FrameType, ModuleType

from msbridge.core.releases import public_modules, release
from msbridge.core.releases.module_globals import globals_used
from msbridge.core.releases.overrides import hidden_names, replacements
from msbridge.core.runtime.defining_modules import defining_module
from msbridge.dropin import stand_ins
from msbridge.dropin.importing import missing_names, module_map
from msbridge.dropin.importing.defining_modules import hand_out
from msbridge.dropin.importing.module_map import Forward
from msbridge.dropin.importing.private_names import FILES

IMPORT_FROM = dis.opmap["IMPORT_FROM"]
# What `from module import *` asks for `__all__` by; an intrinsic function since Python 3.12.
IMPORT_STAR = dis.opmap.get("IMPORT_STAR", dis.opmap.get("CALL_INTRINSIC_1"))
CALLS = tuple(dis.opmap[name] for name in ("CALL", "CALL_FUNCTION_EX", "CALL_KW", "PRECALL") if name in dis.opmap)
# What msbridge offers at its top level beside MindSpore's names.
KEPT = frozenset(("from_torch", "install", "set_release", "summary", "to_torch", "uninstall"))
_PRIVATE_NAMES = {name: module for module, names in FILES.items() for name in names.split()}
_attached: dict[str, "Facade"] = {}
_kept: dict[tuple[ModuleType, str], object] = {}  # what was looked up once and set in a module


class Facade:
    """The names of one MindSpore module beyond those in the module itself.

    Args:
        module: the module that gets the facade.
        path: its MindSpore path.
    """

    def __init__(self, module: ModuleType, path: str) -> None:
        self.module = module
        self.path = path
        self.row = module_map.rows().get(path, Forward(path))
        self.is_public = module_map.newest(path) is not None and "._" not in path
        self.forwards = name_of_import(module) == path  # nothing of its own: what is found once is kept
        below = [name for name, value in vars(module).items() if isinstance(value, ModuleType) and self.hides(name)]
        children = set(below) - globals_used(module) if below else ()
        if extras := self._take_extras():
            hidden_names.append(extras)
        self.extras = extras
        own = ("__all__", "__getattr__", "__dir__", "__path__", "__file__", *children)
        self.replaced = {name: vars(module).get(name) for name in own}
        for name in own:
            vars(module).pop(name, None)  # `find` is asked for them: MindSpore's modules publish others
        vars(module).update(__getattr__=self.find, __dir__=self.names)
        if self.replaced["__path__"] is not None:
            vars(module)["__path__"] = self.replaced["__path__"]
        elif path in module_map.children():
            vars(module)["__path__"] = []  # so that import asks the finder for what the table has below it

    def _take_extras(self) -> dict[str, object]:
        """Take names of other releases than 2.10 out of the module's own, for `find` to return; return them."""
        if self.forwards or not self.is_public:
            return {}
        more = (
            (vars(self.module).keys() & module_map.names_in_any_release(self.path))
            - module_map.members(self.path)
            - KEPT
        )
        more = {name for name in more if name[0] != "_" and not self.hides(name)}
        more = {name for name in more if not self._defines(vars(self.module)[name])}
        more -= globals_used(self.module) if more else set()
        return {name: vars(self.module).pop(name) for name in more}

    def _defines(self, value: object) -> bool:
        """Whether a class or function is of this module, where pickle looks for it as `hasattr` does."""
        return defining_module(value) == name_of_import(self.module)

    def detach(self) -> None:
        """Return the module as it was."""
        if self.extras:
            vars(self.module).update(self.extras)
            hidden_names[:] = [names for names in hidden_names if names is not self.extras]
        for name, value in self.replaced.items():
            if value is None:
                vars(self.module).pop(name, None)
            else:
                vars(self.module)[name] = value

    def find(self, name: str) -> object:
        """Look up a name that the module itself does not have."""
        caller = sys._getframe(1)
        is_ours = str(caller.f_globals.get("__name__")).startswith(("msbridge", "mindspore"))
        if name == "__file__" and (file := self._file(caller)):
            return file
        if name == "__all__":
            is_star = _runs(caller, IMPORT_STAR) or caller.f_code.co_name == "_handle_fromlist"  # of a package
            return self._all(is_ours, is_star)
        is_import = _runs(caller, IMPORT_FROM)  # an AttributeError would lose our text there
        if (is_ours or is_import) and self.hides(name):
            return sys.modules[f"{name_of_import(self.module)}.{name}"]
        if name.startswith("__") and name not in self.row.rename:
            if wrapped := self._find_extra(name):
                return wrapped[0]
            raise AttributeError(f"module {self.path!r} has no attribute {name!r}", name=name)
        if wrapped := self._look_up(name):
            if isinstance(wrapped[0], ModuleType) and (path := f"{self.path}.{name}") in module_map.rows():
                wrapped = (importlib.import_module(path),)  # it has more than the module of ours by that name
            hand_out(self.path, name, wrapped[0])
            is_unknown = self._is_unknown(name) and not self._defines(wrapped[0])
            if not is_ours and is_unknown and _is_probe(caller):
                raise AttributeError(f"module {self.path!r} has no attribute {name!r}", name=name)
            is_kept = self.forwards or self._find_extra(name)  # what a package imports lazily is found as fast then
            changes = name in self.row.modules_until or stand_ins.stands_in(wrapped[0])  # with the release
            if is_kept and not changes and not is_unknown:
                setattr(self.module, name, wrapped[0])
                _kept[self.module, name] = wrapped[0]
            return wrapped[0]
        if is_import and module_map.locate(path := f"{self.path}.{name}"):
            return importlib.import_module(path)  # Python looks for it below the name that the module has here
        if (is_ours and _is_probe(caller)) or caller.f_code.co_name == "_handle_fromlist":  # `hasattr` of an import
            # Nobody reads the explanation, which takes milliseconds.
            raise AttributeError(f"module {self.path!r} has no attribute {name!r}", name=name)
        problem = "import" if is_import else "attribute"
        text = missing_names.message(f"{self.path}.{name}", self._candidates(), problem, self._has)
        raise ImportError(text, name=self.path) if is_import else AttributeError(text, name=name)

    def _file(self, caller: FrameType) -> str | None:
        """Return the module's file; `inspect` looks for that of a class, which may be in another one of ours."""
        asks = caller.f_code.co_name == "getfile" and caller.f_globals.get("__name__") == "inspect"  # torch wraps it
        if asks and inspect.isclass(caller.f_locals.get("object")):
            home = sys.modules.get(defining_module(caller.f_locals["object"]))
            if home is not None and home is not self.module:
                return getattr(home, "__file__", None)
        own = self.replaced["__file__"]
        return None if own is None else str(own)

    def _is_unknown(self, name: str) -> bool:
        """Whether the release that is followed is the newest one, and does not have the name."""
        if release.release() < release.NEWEST or name.startswith("_") or not self.is_public:
            return False
        return name not in module_map.members(self.path) and name not in KEPT

    def names(self) -> list[str]:
        """List what the module has in MindSpore."""
        if (known := module_map.members(self.path) or module_map.names_of(self.path)) is None:
            return sorted(self._candidates())
        special = (name for name in vars(self.module) if name.startswith("__"))
        return sorted({*special, *filter(self._has, known)})

    def star(self) -> list[str]:
        """List what `from module import *` brings: MindSpore's names, as far as they are here."""
        if (known := module_map.names_of(self.path)) is not None:
            return sorted(filter(self._has, known))
        found = set(self.row.rename).union(() if self.forwards else _public(self.module), *map(_public, self._rooms()))
        return sorted(found)

    def _all(self, is_ours: bool, is_star: bool) -> list[str]:
        """Answer for `__all__`: our own files get that of the module itself, `import *` the names of other releases."""
        if is_star and not is_ours:
            return self.star()
        found = module_map.names_in_all(self.path) if not is_ours and module_map.newest(self.path) else None
        own = self.replaced["__all__"] if found is None and (is_ours or not module_map.newest(self.path)) else found
        if own is None:
            raise AttributeError(f"module {self.module.__name__!r} has no attribute '__all__'", name="__all__")
        return list(own)

    def _candidates(self) -> set[str]:
        """Return the names that the module may have, to find among them what was meant."""
        listed = self.replaced["__dir__"]
        return {
            *vars(self.module),
            *self.row.rename,
            *module_map.children().get(self.path, ()),
            *(listed() if listed else ()),
        }.union(*map(_public, [*self._rooms()] or (self._rooms_above() if self.forwards else ())))

    def _look_up(self, name: str) -> tuple[object] | None:
        sources = (
            *(self._find_extra, self._look_up_renamed, self._look_up_forwarded, self._stand_in),
            *(self._below, self._look_up_brought, self._look_up_inherited, self._private),
        )
        return next((found for source in sources if (found := source(name))), None)

    def _has(self, name: str) -> bool:
        """Return whether the module has `name`; a row of the table may lead to a room that is not there."""
        return name in vars(self.module) or self._look_up(name) is not None

    # Each source returns (value,) or None, since None may be the value.

    def _find_extra(self, name: str) -> tuple[object] | None:
        """Look in what was taken out of the module, and ask the `__getattr__` that it had before the facade."""
        if name in self.extras:
            return (self.extras[name],)
        original = self.replaced["__getattr__"]
        return _ask(original, name) if original else None

    def _look_up_renamed(self, name: str) -> tuple[object] | None:
        target = self.row.rename.get(name)
        since = self.row.modules_until.get(name)
        if target is None or (since and not release.at_least(since)):
            return None
        module, _, attribute = target.rpartition(".")
        if target.startswith("mindspore."):  # a public path, or a module that nobody has imported yet
            found = getattr(importlib.import_module(module), attribute, None)
            return (importlib.import_module(target) if found is None else found,)
        home = module_map.room(module)
        return (_value(home, attribute) if home else None) or (importlib.import_module(target),)

    def _below(self, name: str) -> tuple[object] | None:
        """Import the submodule `name`, as MindSpore's own packages do for theirs, in 2.10 or before."""
        path = f"{self.path}.{name}"
        is_legacy = name in module_map.children().get(self.path, ()) and module_map.newest(path) is None
        if module_map.newest(self.path) and not is_legacy and name not in module_map.names_in_any_release(self.path):
            return None
        return (importlib.import_module(path),) if module_map.locate(path) else None

    def _look_up_forwarded(self, name: str) -> tuple[object] | None:
        return None if name in self.row.modules_until else _first(self._rooms(), name)

    def _look_up_inherited(self, name: str) -> tuple[object] | None:
        """Look in the rooms of the paths above; a module of ours that has names of its own, only for MindSpore's."""
        if name in self.row.modules_until or not (self.forwards or name in module_map.members(self.path)):
            return None
        found = _first(self._rooms_above(), name)
        return _first([sys.modules["msbridge"]], name) if found is None and self._knows(name) else found

    def _private(self, name: str) -> tuple[object] | None:
        """Look up a private name by itself, then without its underscore: many are public here."""
        is_private = name.startswith("_") and self.path.count(".") > 1 and not self.path.startswith("mindspore._c_")
        if name.startswith("__") or not (is_private or self._knows(name)):
            return None
        for key in (name, name.lstrip("_")):
            if key in _PRIVATE_NAMES:
                return (getattr(importlib.import_module(_PRIVATE_NAMES[key]), key),)
        if not name.startswith("_"):
            return None
        own = [] if self.forwards else [self.module]
        return _first([*own, *self._rooms(), *(self._rooms_above() if self._knows(name) else ())], key)

    def _knows(self, name: str) -> bool:
        """Whether the module has the name in MindSpore, in any release; what is written in C has its rooms only."""
        return name in module_map.names_in_any_release(self.path) and not self.path.startswith("mindspore._c_")

    def _look_up_brought(self, name: str) -> tuple[object] | None:
        """Look up what MindSpore's module imports from elsewhere."""
        origin = module_map.origins_of_brought().get((self.path, name))
        if origin is None:
            return None
        if not origin.startswith("mindspore.") or module_map.locate(origin):
            with contextlib.suppress(ModuleNotFoundError):  # what is not a module is an attribute of one
                return (importlib.import_module(origin),)
        module, _, attribute = origin.rpartition(".")
        return (getattr(importlib.import_module(module), attribute),)

    def _stand_in(self, name: str) -> tuple[object] | None:
        return stand_ins.find(self.path, name)

    def hides(self, name: str) -> bool:
        """Whether a module of ours below this one is not an attribute of MindSpore's: imports find it all the same."""
        if f"{name_of_import(self.module)}.{name}" not in sys.modules or self.path == "mindspore":
            return False
        return name not in module_map.names_in_any_release(self.path)

    def _rooms(self) -> Iterator[ModuleType]:
        return (module for module in map(module_map.room, self.row.rooms) if module and module is not self.module)

    def _rooms_above(self) -> Iterator[ModuleType]:
        rooms = map(module_map.room, public_modules.rooms_above(self.path))
        return (module for module in rooms if module and module is not self.module)


def attach(module: ModuleType, path: str | None = None) -> None:
    """Install a facade on one of our own modules, once, if it needs one or is imported under MindSpore's `path`."""
    name = name_of_import(module)
    path = module_map.facade_path(name) or path
    if path is not None and name not in _attached:
        _attached[name] = Facade(module, path)


def hiding_module(module: ModuleType) -> ModuleType | None:
    """Return the room of ours that hides a module below it; None where there is none."""
    parent, _, name = name_of_import(module).rpartition(".")
    facade = _attached.get(parent)
    return facade.module if facade and facade.hides(name) else None


def detach_all() -> None:
    """Remove the facades from our modules."""
    _remove_kept()
    _kept.clear()
    while _attached:
        _attached.popitem()[1].detach()


def _is_probe(frame: FrameType) -> bool:
    """Whether a frame asks by a call, as `hasattr(module, name)` does; an import asks so, too."""
    asks = frame.f_code.co_code[frame.f_lasti] in CALLS
    return asks and not str(frame.f_globals.get("__name__")).startswith("importlib")


def _runs(frame: FrameType, operation: int | None) -> bool:
    """Whether a frame is at an instruction of this kind."""
    return frame.f_code.co_code[frame.f_lasti] == operation


def name_of_import(module: ModuleType) -> str:
    """Return the name that a module was imported by: while the drop-in is installed, `msbridge` is called mindspore."""
    return module.__spec__.name if module.__spec__ else module.__name__


def _value(module: ModuleType, name: str) -> tuple[object] | None:
    """Look in the module itself and in its own `__getattr__`, not in its facade: a search never goes in a circle."""
    if name in vars(module):
        return (vars(module)[name],)
    if facade := _attached.get(name_of_import(module)):
        return facade._find_extra(name)
    original = vars(module).get("__getattr__")
    return _ask(original, name) if original else None


def _remove_kept() -> None:
    """Remove names that were looked up, but those of which an override has put its form in place."""
    for (module, name), value in _kept.items():
        if name in vars(module) and vars(module)[name] is value:
            del vars(module)[name]


def _forget_kept() -> None:
    """Remove names that were looked up, which the release that is followed now may not have."""
    _remove_kept()
    for module, name, _, today in replacements():  # an override asked the room for it, and no facade
        if facade := _attached.get(name_of_import(module)):
            hand_out(facade.path, name, today)


release.follow(_forget_kept)


def _first(modules: Iterable[ModuleType], name: str) -> tuple[object] | None:
    """Return the first value that the modules have by a name; their modules are not names of theirs."""
    for module in modules:
        found = _value(module, name)
        if found and not isinstance(found[0], ModuleType):
            return found
    return None


def _ask(getter: object, name: str) -> tuple[object] | None:
    try:
        return (getter(name),)  # type: ignore[operator]
    except AttributeError:
        return None
    except ModuleNotFoundError as error:
        if str(error.name).startswith("msbridge."):  # a room that is not built yet
            return None
        raise


def _public(module: ModuleType) -> list[str]:
    facade = _attached.get(name_of_import(module))
    listed = facade.replaced["__all__"] if facade else vars(module).get("__all__")
    if listed is not None:
        return list(listed)
    return [name for name, value in vars(module).items() if name[0] != "_" and not isinstance(value, ModuleType)]
