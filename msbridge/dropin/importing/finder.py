"""The import finder: serves `mindspore` and everything below it from our rooms."""

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, DistributionFinder
from importlib.util import module_from_spec
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

import msbridge
from msbridge.core.runtime.loading import LoaderThrough
from msbridge.dropin.importing import defining_modules, missing_names, module_getattr, module_map
from msbridge.dropin.importing.module_map import Forward


class Finder(MetaPathFinder):
    """Finds `mindspore.*`, and puts facades on rooms of ours that are imported while it is installed."""

    serves_mindspore = True

    def __init__(self) -> None:
        self.served: set[str] = set()  # the names in sys.modules that are there because of this finder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for MindSpore's paths, and for nothing else but `PIL`, to which its import adds.

        Raises:
            ModuleNotFoundError: MindSpore has or had the module, or never did: it is not here.
        """
        if fullname.startswith("msbridge."):
            return self._then(self._attach, fullname, path, target)
        if fullname == "PIL":
            return self._then(_find_image, fullname, path, target)
        if fullname != "mindspore" and not fullname.startswith("mindspore."):
            return None
        row = module_map.locate(fullname)
        if row is not None:
            self.served.add(fullname)
            # Where locating it has imported it under this name, import would take its own spec, and run its file again.
            sys.modules.pop(fullname, None)
            return ModuleSpec(fullname, _Serve(row), origin="msbridge", is_package=True)
        if sys._getframe(2).f_globals.get("__name__") == "importlib.util":  # `find_spec` asks whether there is one
            return None
        parent = fullname.rpartition(".")[0]
        below = module_map.ours(f"{parent}.")
        loaded = (name.removeprefix(below) for name in sys.modules if name.startswith(below))
        names = {*module_map.children().get(parent, ()), *loaded}
        text = missing_names.message(
            fullname, (n for n in names if "." not in n), "module", lambda name: module_map.locate(f"{parent}.{name}")
        )
        raise ModuleNotFoundError(text, name=fullname)

    def find_distributions(self, context: DistributionFinder.Context | None = None) -> Iterator[Distribution]:
        """Answer `importlib.metadata.version("mindspore")`, by which libraries find out whether there is one."""
        if context is not None and context.name == "mindspore":
            yield _Served()

    def attach(self, module: ModuleType) -> None:
        """Put a facade on a room of ours, and set `__module__` of what it defines to MindSpore's."""
        module_getattr.attach(module)
        for path in defining_modules.present_all(module, module_getattr.name_of_import(module)):
            self._serve(path, module)

    def _attach(self, module: ModuleType) -> None:
        """Attach a module that is loaded; what MindSpore has not below a room becomes no attribute of it."""
        self.attach(module)
        if (holder := module_getattr.hiding_module(module)) and type(holder) is ModuleType:
            holder.__class__ = _KeepingItsName

    def _serve(self, path: str, module: ModuleType) -> None:
        """Register a module that defines classes in `sys.modules`: `inspect` looks for their file there."""
        if path in sys.modules:
            return
        row = module_map.rows().get(path, Forward(path))
        existing = sys.modules.get(row.same or module_map.ours(path))
        if existing is None and (row.same or module_map.has_file(path)):
            return  # it is not imported yet, and its classes come from elsewhere
        if existing is not None and existing is not module and getattr(existing.__spec__, "_initializing", False):
            return
        self.served.add(path)
        if existing is None:
            sys.modules[path] = module_from_spec(ModuleSpec(path, _Serve(row), origin="msbridge", is_package=True))
            _forward(sys.modules[path], row)
        else:
            sys.modules[path] = existing
            module_getattr.attach(existing, path)

    def _then(self, finish: Callable[[ModuleType], None], fullname: str, *place: Any) -> ModuleSpec | None:
        """Return the spec of the other finders, with `finish` to be called on the module when it is loaded."""

        def then(execute: Callable[[ModuleType], None], module: ModuleType) -> None:
            execute(module)
            finish(module)

        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, *place)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = LoaderThrough(spec.loader, then)
                return spec
        return None


def _find_image(pil: ModuleType) -> None:
    """Make `PIL.Image` importable where a script imports only PIL: MindSpore has imported it."""
    today = vars(pil).get("__getattr__")

    def get_attribute(name: str) -> Any:
        if name == "Image":
            return import_module("PIL.Image")
        if today is not None:
            return today(name)
        raise AttributeError(f"module 'PIL' has no attribute {name!r}")

    vars(pil)["__getattr__"] = get_attribute


class _Served(Distribution):
    """The package metadata of MindSpore for the installer: its name and the release that is followed."""

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: mindspore\nVersion: {msbridge.__version__}\n"

    def locate_file(self, path: str | PathLike[str]) -> Path:
        return Path(str(msbridge.__file__)).parent / path


class _Serve(Loader):
    """Loads a module of ours under its MindSpore name, or a module that only forwards."""

    def __init__(self, found: ModuleType | Forward) -> None:
        self.found = found

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        _keep_name_of_parent(module.__name__)
        if isinstance(self.found, ModuleType):
            if not getattr(self.found.__spec__, "_initializing", False):  # its own import will, when it is done
                module_getattr.attach(self.found, module.__name__)
            sys.modules[module.__name__] = self.found  # import takes what is here when the loader is done
        else:
            _forward(module, self.found)


def _forward(module: ModuleType, row: Forward) -> None:
    """Make a module that has nothing of its own answer for a row."""
    module.__doc__ = f"MindSpore's {row.path}, served from our rooms."
    module_getattr.Facade(module, row.path)


class _KeepingItsName(ModuleType):
    """A module that ignores the next attribute that is set on it."""

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__("__class__", ModuleType)


def _keep_name_of_parent(fullname: str) -> None:
    """Let a room keep a global of its own that is called as the MindSpore module below it, which import binds there.

    `mindspore.train.data_sink` is a module and a function; so is `auc`. The function stays, as it does in MindSpore.
    """
    parent, _, child = fullname.rpartition(".")
    holder = sys.modules.get(parent)
    own = vars(holder).get(child) if holder is not None else None
    if own is None and holder is not None and _is_other_name(parent, child):
        own = getattr(holder, child, None)  # a module keeps what it has found elsewhere
    if own is not None and type(holder) is ModuleType and sys.modules.get(fullname) is not own:
        holder.__class__ = _KeepingItsName


def _is_other_name(parent: str, child: str) -> bool:
    """Whether a module's name `child` is something else in MindSpore than the module below it."""
    newest = module_map.newest(parent)
    return child in module_map.rows().get(parent, Forward(parent)).rename or (
        newest is not None and child in newest.names
    )
