"""Compatibility with numpy as it was when a script was written.

Scripts of MindSpore 1.x take `np.int` and the like for given; their releases of numpy do not run with today's torch.
Under `msbridge run` the script finds the names, with one warning for each. What numpy itself refuses stays refused; the
error then names the releases that still allow it.
"""

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from msbridge.dropin.third_party.package_names import serve
from msbridge.mappings import table

__all__ = ["begin", "refusal"]


@dataclass(frozen=True, slots=True)
class Refused:
    """A row of numpy_errors.toml."""

    says: str  # numpy's words
    since: str  # the first release that refuses it
    done: str  # what the script does


def refusal(error: BaseException) -> str | None:
    """Return a sentence on an error of numpy that earlier releases did not raise, or None."""
    row = table("numpy_errors.toml", Refused).get(str(error))
    if row is None:
        return None
    return f"{row.done}, which numpy refuses since {row.since}: pip install 'numpy<{row.since}' lets the script run."


def begin(module: ModuleType = np) -> None:
    """Serve the names that `module` no longer has; installed packages, which ask to learn of numpy, get none."""
    serve(module, "numpy", "numpy_names.toml")
