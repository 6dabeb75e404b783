"""The device report: what the emulated Ascend saw, and what a real one would say. Collecting → judging → rendering."""

from msbridge.device.report.outcome import Report
from msbridge.device.report.requests import collect, report

__all__ = ["Report", "collect", "report"]
