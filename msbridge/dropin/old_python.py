"""What Python's library had when a script was written: `collections.Mapping` and its like, under `msbridge run`.

MindSpore 1.x ran on Python 3.7. Packages of that time get the names too: what is served is the very object that the
name stood for.
"""

import collections
import fractions
import time

from msbridge.dropin.old_names import serve

__all__ = ["begin"]


def begin() -> None:
    """Serve the names that modules of Python's library no longer have."""
    for module in (collections, fractions, time):
        serve(module, "Python", "python_names.toml", f"{module.__name__}.", to_packages=True)
