"""What numpy had or allowed when a script was written.

Scripts of MindSpore 1.x take `np.int` and the like for given; their releases of numpy do not run with today's torch.
Under `msbridge run` the script finds the names, and is told once of each. What numpy itself refuses stays refused; the
error then names the releases that still allow it.
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

__all__ = ["begin", "refusal"]


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


@dataclass(frozen=True, slots=True)
class Refused:
    """A row of numpy_errors.toml.

    Attributes:
        says: numpy's words.
        since: the first release that refuses it.
        done: what the script does.
    """

    says: str
    since: str
    done: str


def refusal(error: BaseException) -> str | None:
    """Return a sentence on an error of numpy that earlier releases did not raise, or None."""
    row = table("numpy_errors.toml", Refused).get(str(error))
    if row is None:
        return None
    return f"{row.done}, which numpy refuses since {row.since}: pip install 'numpy<{row.since}' lets the script run."


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
