"""Compatibility with earlier Pillow: `Image.ANTIALIAS` and the like, under `msbridge run`."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from msbridge.dropin.third_party.package_names import serve

__all__ = ["begin"]

NAME = "PIL.Image"


class _OnImport:
    """Waits for the first import of the module, and serves its old names from then on."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != NAME:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_serve(module: ModuleType) -> None:
                execute(module)
                _serve(module)

            vars(spec.loader)["exec_module"] = execute_and_serve
        return spec


def begin() -> None:
    """Serve the names that PIL.Image no longer has, once a script imports it."""
    if NAME in sys.modules:
        _serve(sys.modules[NAME])
    else:
        sys.meta_path.insert(0, _OnImport())


def _serve(module: ModuleType) -> None:
    serve(module, "Pillow", "pillow_names.toml")
