"""Learning rates that change with the step: as Cells, and as lists."""

from msbridge.nn.schedules.cells import *
from msbridge.nn.schedules.lists import *
