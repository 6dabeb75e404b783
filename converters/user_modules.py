"""The modules that a command line names, and those that they import, from the current folder; for nobody else.

With the current folder on `sys.path`, what lies there would replace our own late imports: a `rich.py`
beside a checkpoint would be run. So a finder looks at who imports: a file of the folder finds its neighbours first, as
in a script; msbridge, torch and installed packages never look there.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from types import FrameType, ModuleType

from msbridge.core.checks.stack_frames import is_ours

MACHINERY = ("importlib", "importlib._bootstrap", "importlib._bootstrap_external")  # frames between the two files


class _OfFolder:
    """Finds modules in a folder for what lies in it, and the named ones for everybody."""

    def __init__(self, folder: str, named: set[str]):
        self._folder = folder
        self._named = named

    def find_spec(self, fullname: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module of the folder; None leaves it to the others."""
        if path is not None or "." in fullname:  # in a package, which was found already
            return None
        if fullname not in self._named and not self._is_inside(_importer(sys._getframe(1))):
            return None
        return PathFinder.find_spec(fullname, [self._folder], target)

    def _is_inside(self, file: str) -> bool:
        """Whether a file lies in the folder, and in no folder of installed packages inside of it, or of msbridge."""
        if not file.startswith(os.path.join(self._folder, "")) or is_ours(file):  # noqa: PTH118  of every import
            return False
        installed = [one for one in (sys.prefix, *sys.path) if len(one) > len(self._folder)]
        return not file.startswith(tuple(os.path.join(one, "") for one in installed))  # noqa: PTH118


def split_spec(spec: str) -> tuple[str, str]:
    """Return the module and the attribute of "package.module:factory"; "package/module.py:factory" names the same."""
    module, _, attribute = spec.partition(":")
    if module.endswith(".py"):
        module = module.removesuffix(".py").replace("\\", "/").removeprefix("./").replace("/", ".")
    return module, attribute


@contextmanager
def user_modules(*specs: str | None) -> Iterator[None]:
    """Let `package.module:factory` be found in the current folder.

    Args:
        *specs: those that the command line names.
    """
    named = {split_spec(spec)[0].partition(".")[0] for spec in specs if spec}
    if not named:
        yield
        return
    finder = _OfFolder(os.getcwd(), named)  # noqa: PTH109  what `__file__` of a module there begins with
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def _importer(frame: FrameType | None) -> str:
    """Return the file that asks for a module, below what carries an import out."""
    while frame is not None and frame.f_globals.get("__name__") in MACHINERY:
        frame = frame.f_back
    return frame.f_code.co_filename if frame is not None else ""
