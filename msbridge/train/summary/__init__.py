"""Summaries: what a run records for looking at it in TensorBoard."""

from msbridge.train.summary.collector import SummaryCollector
from msbridge.train.summary.landscape import SummaryLandscape
from msbridge.train.summary.summary_record import SummaryRecord

__all__ = ["SummaryCollector", "SummaryLandscape", "SummaryRecord"]
