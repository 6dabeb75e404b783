"""A loader around another one: what is done before and after a module runs."""

from collections.abc import Callable
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["LoaderThrough"]

Execute = Callable[[ModuleType], None]


class LoaderThrough(Loader):
    """Loads a module as its loader does, through a function that calls it."""

    def __init__(self, loader: Loader, run: Callable[[Execute, ModuleType], None]) -> None:
        """Args: loader: of the module. run: called with the loader's `exec_module` and the module."""
        self.loader = loader
        self.run = run

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.run(self.loader.exec_module, module)
