"""Model of 1.6."""

from typing import Any

from msbridge.core.checks.arguments import instance as checked_instance
from msbridge.core.releases.overrides import Part
from msbridge.train import model


def _instance(value: Any, name: str, *others: Any) -> Any:
    """Check the class of an argument of Model; the network is looked at when it is used."""
    return value if name == "network" else checked_instance(value, name, *others)


OVERRIDES = {"train.Model": Part(model, "instance", _instance)}
