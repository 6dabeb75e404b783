"""How readers of several files shuffle.

Follows: mindspore.dataset.Shuffle (2.10).
"""

from enum import Enum


class Shuffle(str, Enum):  # noqa: UP042 - str() names the member, as in MindSpore
    """Which level is shuffled.

    Follows: mindspore.dataset.Shuffle (2.10).
    """

    FALSE = "false"
    ADAPTIVE = "adaptive"
    GLOBAL = "global"
    PARTIAL = "partial"
    FILES = "files"
    INFILE = "infile"
