"""Devices: the ledger, the data channel, the sink executor, and the emulated Ascend."""

from msbridge.device.ascend import MemorySplit, MemoryUse, limit_memory, measure_step
from msbridge.device.channel import DataChannel
from msbridge.device.ledger import ledger
from msbridge.device.report import Report, collect, report
from msbridge.device.sink import SinkExecutor

__all__ = [
    "DataChannel",
    "MemorySplit",
    "MemoryUse",
    "Report",
    "SinkExecutor",
    "collect",
    "ledger",
    "limit_memory",
    "measure_step",
    "report",
]
