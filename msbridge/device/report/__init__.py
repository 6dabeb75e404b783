"""The device report: what the emulated Ascend saw, and what a real one would say. Collecting → judging → rendering."""

from msbridge.device.report.asking import collect, report
from msbridge.device.report.outcome import Report

__all__ = ["Report", "collect", "report"]
