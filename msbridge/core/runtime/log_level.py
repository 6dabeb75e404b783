"""The level of the log: the environment variable GLOG_v, of now or as it was kept."""

import os

VARIABLE = "GLOG_v"
DEFAULT = "2"
_kept: dict[str, str] = {}


def keep() -> None:
    """Keep the level of now; a script that sets the variable later does not change it."""
    _kept[VARIABLE] = os.environ.get(VARIABLE, DEFAULT)


def level() -> str:
    """Return the level that was kept, or that of the environment."""
    return _kept.get(VARIABLE) or os.environ.get(VARIABLE, DEFAULT)
