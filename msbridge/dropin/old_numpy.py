"""Names that numpy had when a script was written: under `msbridge run` the script finds them, and is told once of each.

Scripts of MindSpore 1.x take `np.int` and the like for given; their releases of numpy do not run with today's torch.
"""

import pydoc
import sys
import warnings
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from msbridge.core.notices import is_first
from msbridge.mappings import table

__all__ = ["begin"]


@dataclass(frozen=True, slots=True)
class Gone:
    """A row of numpy_names.toml.

    Attributes:
        name: it.
        gone: the first release of numpy without the name.
        was: the path of what it stood for.
    """

    name: str
    gone: str
    was: str


def begin(module: ModuleType = np) -> None:
    """Serve the names that `module` no longer has; installed packages, which ask to learn of numpy, get none."""
    today = vars(module)["__getattr__"]

    def served(name: str) -> Any:
        row = table("numpy_names.toml", Gone).get(name)
        asking = sys._getframe(1).f_code.co_filename
        if row is None or "site-packages" in asking or "dist-packages" in asking:
            return today(name)
        if is_first(f"numpy.{name}"):
            now = row.was.removeprefix("builtins.")
            warnings.warn(
                f"numpy has no `{name}` since {row.gone}; `msbridge run` takes {now}.", UserWarning, stacklevel=2
            )
        return pydoc.locate(row.was)

    vars(module)["__getattr__"] = served
