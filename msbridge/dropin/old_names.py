"""Names that a package had when a script was written, where today's release of it has them no longer."""

import pydoc
import sys
import warnings
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from msbridge.core.notices import is_first
from msbridge.mappings import table

__all__ = ["Gone", "serve"]


@dataclass(frozen=True, slots=True)
class Gone:
    """A row of numpy_names.toml and pillow_names.toml.

    Attributes:
        name: it.
        gone: the first release of the package without the name.
        was: the path of what it stood for.
    """

    name: str
    gone: str
    was: str


def serve(module: ModuleType, package: str, rows: str) -> None:
    """Serve the names of the table `rows` that `module` no longer has, and say so once of each.

    Installed packages, which ask to learn of the release, get none.
    """
    today = vars(module).get("__getattr__")

    def served(name: str) -> Any:
        row = table(rows, Gone).get(name)
        asking = sys._getframe(1).f_code.co_filename
        if row is None or "site-packages" in asking or "dist-packages" in asking:
            if today is None:
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            return today(name)
        if is_first(f"{module.__name__}.{name}"):
            now = row.was.removeprefix("builtins.")
            warnings.warn(
                f"{package} has no `{name}` since {row.gone}; `msbridge run` takes {now}.", UserWarning, stacklevel=2
            )
        return pydoc.locate(row.was)

    vars(module)["__getattr__"] = served
