"""Made-up rooms for the parts that must not depend on the real ones."""

import sys
import types
from collections.abc import Callable, Iterator

import pytest

from msbridge.dropin import install, uninstall
from msbridge.dropin.importing import module_map
from msbridge.dropin.importing.module_map import Forward


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Replace what answers for modules by the rows given, and install."""
    uninstall()

    def use(*rows: Forward) -> None:
        found = {row.path: row for row in rows}
        monkeypatch.setattr(module_map, "rows", lambda: found)
        monkeypatch.setattr(module_map, "children", module_map.children.__wrapped__)
        module_map.facade_path.cache_clear()
        install()

    yield use
    uninstall()
    module_map.facade_path.cache_clear()


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Callable[..., types.ModuleType]:
    """Make a module of ours, with the values given; a name with a dot below it makes it a package."""

    def make(name: str, **values: object) -> types.ModuleType:
        module = types.ModuleType(name)
        module.__spec__ = __import__("importlib.machinery").machinery.ModuleSpec(name, None)
        vars(module).update(values)
        monkeypatch.setitem(sys.modules, name, module)
        parent, _, child = name.rpartition(".")
        monkeypatch.setattr(sys.modules[parent], child, module, raising=False)
        return module

    return make
