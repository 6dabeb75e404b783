"""Checkpoints: named tensors read, converted and written, whatever the format and whatever the size."""

from msbridge.converters.checkpoint import Checkpoint, open_checkpoint
from msbridge.converters.conversion import convert
from msbridge.converters.errors import CheckpointError
from msbridge.converters.loading import load_into
from msbridge.converters.report import Report
from msbridge.converters.tensors.entry import Entry

__all__ = ["Checkpoint", "CheckpointError", "Entry", "Report", "convert", "load_into", "open_checkpoint"]
