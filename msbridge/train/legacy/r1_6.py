"""Model of 1.6, and names of checkpoint files."""

from typing import Any

from msbridge.core.checks.arguments import instance as checked_instance
from msbridge.core.releases.overrides import Part
from msbridge.train import model
from msbridge.train.checkpoint import saving


def _instance(value: Any, name: str, *others: Any) -> Any:
    """Check the class of an argument of Model; the network is looked at when it is used."""
    return value if name == "network" else checked_instance(value, name, *others)


def _as_given(path: str, format: str) -> str:
    """Return the path of a checkpoint, which gets no suffix."""
    return path


OVERRIDES = {
    "train.Model": Part(model, "instance", _instance),
    "train.save_checkpoint": Part(saving, "_with_suffix", _as_given),
}
