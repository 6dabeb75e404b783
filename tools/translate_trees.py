"""Import the translation of a package: each file is translated when it is first imported, and kept in a folder.

`ms_timm.layers.drop` is the translation of `timm/layers/drop.py`. What a package's `__init__` imports is looked up when
it is asked for, so that a network brings the files that it needs and no others. A file of translate_stubs/ replaces
one whose work is not a network's: downloads, registries, logs.
"""

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import json
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from translate_corpus import Unit

from msbridge.translate import UntranslatableError, translate

PREFIX = "ms_"
PACKAGES = ("huggingface_hub", "timm", "torchvision", "transformers")
STUBS = Path(__file__).parent / "translate_stubs"
CONTENTS = """\
import importlib
import sys
import types

HOMES = {homes}


class _Contents(types.ModuleType):
    def __setattr__(self, name, value):
        if name not in HOMES or not isinstance(value, types.ModuleType):
            super().__setattr__(name, value)

    def __getattr__(self, name):
        if name not in HOMES:
            raise AttributeError(name)
        module, attribute = HOMES[name]
        found = importlib.import_module(module)
        value = getattr(found, attribute) if attribute else found
        self.__dict__[name] = value
        return value


sys.modules[__name__].__class__ = _Contents
"""


class TranslatedTree(importlib.abc.MetaPathFinder):
    """The finder of translated modules.

    Attributes:
        folder: where the packages and modules are.
        names: of those that are translated, without folders and endings.
        out: where translations are written.
        every: the names whose imports become those of translations.
        keeps_contents: whether an `__init__` is translated like other files.
    """

    def __init__(
        self, folder: Path, names: Sequence[str], out: Path, every: Sequence[str], keeps_contents: bool
    ) -> None:
        self.folder, self.names, self.out, self.keeps_contents = folder, names, out, keeps_contents
        words = "|".join(map(re.escape, every))
        self._plain = re.compile(rf"^(\s*)import ({words})((?:\.\w+)*)[ \t]*$", re.MULTILINE)
        self._from = re.compile(rf"^(\s*(?:from|import) )({words})(?=[.\s])", re.MULTILINE)

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        root, *rest = fullname.split(".")
        name = root.removeprefix(PREFIX)
        if root == name or name not in self.names:
            return None
        place = Path(name, *rest)
        for source in (place / "__init__.py", place.with_suffix(".py")):
            if (self.folder / source).is_file():
                made = self.out / f"{PREFIX}{source}"
                if not made.exists():
                    self._make(source, made, fullname)
                is_package = source.name == "__init__.py"
                return importlib.util.spec_from_file_location(
                    fullname, made, submodule_search_locations=[str(made.parent)] if is_package else None
                )
        if (self.folder / place).is_dir():
            spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [str(self.out / f"{PREFIX}{place}")]
            (self.out / f"{PREFIX}{place}").mkdir(parents=True, exist_ok=True)
            return spec
        return None

    def _make(self, source: Path, made: Path, fullname: str) -> None:
        made.parent.mkdir(parents=True, exist_ok=True)
        if (STUBS / source).is_file():
            made.write_text(self._renamed((STUBS / source).read_text()))
        elif source.name == "__init__.py" and not self.keeps_contents:
            made.write_text(CONTENTS.format(homes=_homes(self.folder / source, fullname)))
        else:
            self._translate(self.folder / source, made)

    def _translate(self, source: Path, made: Path) -> None:
        """Translate a file, and keep what became of its lines beside it."""
        code = self._renamed(source.read_text())
        began = time.process_time()
        try:
            result = translate(code)
            text, lines = result.source, [[one.number, one.kind, "; ".join(one.reasons)] for one in result.lines]
        except UntranslatableError:  # nothing of torch in it
            text, lines = code, [[number, "same", ""] for number in range(1, len(code.splitlines()) + 1)]
        seconds = time.process_time() - began
        made.with_suffix(".json").write_text(json.dumps({"source": str(source), "seconds": seconds, "lines": lines}))
        made.write_text(text)

    def _renamed(self, text: str) -> str:
        """Return a text that imports the translations instead of the originals."""
        text = self._plain.sub(rf"\1import {PREFIX}\2\3; import {PREFIX}\2 as \2", text)
        return self._from.sub(rf"\1{PREFIX}\2", text)


def _homes(init: Path, fullname: str) -> dict[str, tuple[str, str]]:
    """Return where the names that a package's `__init__` imports are defined: the module, and the name there."""
    homes: dict[str, tuple[str, str]] = {}
    for node in ast.walk(ast.parse(init.read_text())):
        if not isinstance(node, ast.ImportFrom):
            continue
        path = fullname.split(".")
        module = ".".join([*path[: len(path) - node.level + 1], *filter(None, [node.module])])
        if node.level == 0:
            if not (node.module or "").startswith(f"{path[0].removeprefix(PREFIX)}."):
                continue
            module = f"{PREFIX}{node.module}"
        for alias in node.names:
            if alias.name == "*":
                homes |= {name: (module, name) for name in _public_names(module.removeprefix(PREFIX))}
            elif node.module:
                homes[alias.asname or alias.name] = (module, alias.name)
            else:
                homes[alias.asname or alias.name] = (f"{module}.{alias.name}", "")
    return homes


def _public_names(module: str) -> list[str]:
    loaded: ModuleType = importlib.import_module(module)
    return [*getattr(loaded, "__all__", [name for name in vars(loaded) if not name.startswith("_")])]


def install(unit: Unit, folder: Path, out: Path) -> None:
    """Make `ms_NAME` importable for each module beside a network's, and for the projects that papers build on."""
    own = unit.folder(folder)
    names = unit.roots(own)
    packages = tuple(name for name in PACKAGES if name not in names)
    every = (*names, *packages)
    sys.meta_path.insert(0, TranslatedTree(own, names, out, every, keeps_contents=bool(unit.where)))
    sys.meta_path.insert(0, TranslatedTree(folder / "site", packages, out, every, keeps_contents=False))
