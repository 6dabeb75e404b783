"""Processes with torch's argument names: `mint.distributed.all_reduce(tensor)` changes the tensor itself.

Follows: mindspore.mint.distributed (2.10).
"""

from msbridge.mint.distributed import collectives, groups, objects, transfers
from msbridge.mint.distributed.collectives import *
from msbridge.mint.distributed.groups import *
from msbridge.mint.distributed.objects import *
from msbridge.mint.distributed.transfers import *

__all__ = sorted([*collectives.__all__, *groups.__all__, *objects.__all__, *transfers.__all__])
