"""Compatibility with Python's library as it was when a script was written, under `msbridge run`.

MindSpore 1.x ran on Python 3.7. Packages of that time get `collections.Mapping` and its like too: what is served is the
very object that the name meant. `random.seed` took anything that has a hash, such as numpy's integers, until 3.11.
"""

import collections
import fractions
import random
import time
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

from msbridge.core.checks.no_effect_warnings import is_first
from msbridge.dropin.third_party.package_names import serve

__all__ = ["begin"]


def begin() -> None:
    """Serve the names that modules of Python's library no longer have, and seeds of any kind."""
    for module in (collections, fractions, time):
        serve(module, "Python", "python_names.toml", f"{module.__name__}.", to_packages=True)
    random.seed = _seeding(random.seed)


def _seeding(seed: Callable[..., None]) -> Callable[..., None]:
    @wraps(seed)
    def seed_any(a: Any = None, version: int = 2) -> None:
        try:
            seed(a, version)
        except TypeError:
            seed(hash(a), version)
            if is_first("random.seed"):
                text = (
                    f"random.seed refuses {type(a).__name__} since Python 3.11; `msbridge run` takes its hash, as 3.10."
                )
                warnings.warn(text, UserWarning, stacklevel=2)

    return seed_any
