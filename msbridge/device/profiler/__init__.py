"""Profilers with MindSpore's interface, on torch's: they see what runs here, not what an Ascend would do."""

from msbridge.device.profiler.dynamic import *
from msbridge.device.profiler.options import *
from msbridge.device.profiler.profiler import *
from msbridge.device.profiler.ranges import *
from msbridge.device.profiler.steps import *
