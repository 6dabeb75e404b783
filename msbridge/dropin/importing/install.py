"""Install the drop-in, and uninstall it."""

import os
import sys
import threading
from typing import Any

import msbridge
from msbridge.core.releases.release import set_release
from msbridge.core.runtime import defining_modules, thread_count
from msbridge.dropin.importing import child_processes, module_getattr
from msbridge.dropin.importing.finder import Finder

_turn = threading.RLock()  # held while what serves `mindspore` is put up, or taken away


def install(release: str | None = None) -> None:
    """Serve msbridge wherever this process imports `mindspore` from now on.

    A real MindSpore in the same environment is left alone and comes back with `uninstall`. Tracebacks stay Python's;
    `msbridge.dropin.postmortem.tracebacks.begin()` folds the frames of msbridge in them, as `msbridge run` does.
    Where torch is not loaded yet, its threads are set up as under `msbridge run` (docs/performance.md).

    Args:
        release: the release whose defaults and names are followed, e.g. "1.1"; None leaves it as it is.

    Raises:
        ImportError: the real MindSpore is imported already.
        ValueError: `release` is not a release number.
    """
    with _turn:
        _install(release)


def _install(release: str | None) -> None:
    present = sys.modules.get("mindspore")
    if present is not None and present is not msbridge:
        raise ImportError(
            f"msbridge.install(): another mindspore is imported already, from {getattr(present, '__file__', None)!r}. "
            "Call msbridge.install() before the first import of mindspore, or start the script with `msbridge run`.",
            name="mindspore",
        )
    if release is not None:
        set_release(release)
    if installed():
        return
    if "torch" not in sys.modules:
        thread_count.set_thread_variables(os.environ)
    msbridge.hand_out()  # by any path that a script imports, its Tensors have all their methods
    finder = Finder()
    finder.served.add("mindspore")
    sys.meta_path.insert(0, finder)
    sys.modules["mindspore"] = msbridge
    for name in [name for name in sys.modules if name == "msbridge" or name.startswith("msbridge.")]:
        finder.attach(sys.modules[name])
    child_processes.follow(install)
    msbridge.__name__ = "mindspore"  # scripts look for MindSpore among modules by its name


def load_ipython_extension(ipython: Any) -> None:
    """Install the drop-in: what `%load_ext msbridge` does in a notebook."""
    install()


def unload_ipython_extension(ipython: Any) -> None:
    """Uninstall the drop-in: what `%unload_ext msbridge` does."""
    uninstall()


def uninstall() -> None:
    """Forget `mindspore`: the next import finds the real one, if there is one. Objects in use stay as they are."""
    with _turn:
        _uninstall()


def _uninstall() -> None:
    msbridge.__name__ = "msbridge"
    child_processes.leave()
    for finder in [finder for finder in sys.meta_path if getattr(finder, "serves_mindspore", False)]:
        sys.meta_path.remove(finder)
        for name in getattr(finder, "served", ()):
            module = sys.modules.pop(name, None)
            parent, _, child = name.rpartition(".")
            holder = sys.modules.get("msbridge" + parent.removeprefix("mindspore"))
            if module is not None and module.__name__ == name and holder and vars(holder).get(child) is module:
                delattr(holder, child)  # import has put it there; it only forwards
    module_getattr.detach_all()
    defining_modules.restore()


def installed() -> bool:
    """Whether `mindspore` means msbridge in this process."""
    return any(isinstance(finder, Finder) for finder in sys.meta_path)
