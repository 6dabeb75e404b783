"""Names that a package had when a script was written, where today's release of it has them no longer."""

import pydoc
import sys
import warnings
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from msbridge.core.checks.no_effect_warnings import is_first
from msbridge.mappings import table

__all__ = ["Gone", "serve"]


@dataclass(frozen=True, slots=True)
class Gone:
    """A row of numpy_names.toml, pillow_names.toml and python_names.toml."""

    name: str  # it
    gone: str  # the first release of the package without the name
    was: str  # the path of what it meant


def serve(module: ModuleType, package: str, rows: str, prefix: str = "", to_packages: bool = False) -> None:
    """Serve the names of the table `rows` that `module` no longer has, and say so once of each.

    Args:
        module: what scripts import the names from.
        package: who dropped them, as a warning calls it.
        rows: a file of `mappings/`.
        prefix: what comes before a name in the table.
        to_packages: whether installed packages get them as well; they may ask to learn of the release.
    """
    today = vars(module).get("__getattr__")

    def get_attribute(name: str) -> Any:
        row = table(rows, Gone).get(prefix + name)
        if row is None or not (to_packages or _is_script(sys._getframe(1).f_code.co_filename)):
            if today is None:
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            return today(name)
        if is_first(f"{module.__name__}.{name}"):
            now = row.was.removeprefix("builtins.")
            warnings.warn(
                f"{package} has no `{prefix}{name}` since {row.gone}; `msbridge run` takes {now}.",
                UserWarning,
                stacklevel=2,
            )
        return pydoc.locate(row.was)

    vars(module)["__getattr__"] = get_attribute


def _is_script(file: str) -> bool:
    return "site-packages" not in file and "dist-packages" not in file
