"""Checkpoints: named tensors read, converted and written, of any format and size.

A name is imported when it is asked for: the command line reads the options of a conversion without torch.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msbridge.converters.checkpoint import Checkpoint, open_checkpoint
    from msbridge.converters.conversion import convert
    from msbridge.converters.errors import CheckpointError
    from msbridge.converters.loading import load_into
    from msbridge.converters.options import Options
    from msbridge.converters.report import Report
    from msbridge.converters.tensors.entry import Entry

__all__ = ["Checkpoint", "CheckpointError", "Entry", "Options", "Report", "convert", "load_into", "open_checkpoint"]

_FILES = {
    "Checkpoint": "checkpoint",
    "CheckpointError": "errors",
    "Entry": "tensors.entry",
    "Options": "options",
    "Report": "report",
    "convert": "conversion",
    "load_into": "loading",
    "open_checkpoint": "checkpoint",
}


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    return getattr(importlib.import_module(f"{__name__}.{_FILES[name]}"), name)
