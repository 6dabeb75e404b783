"""Bijectors of 1.6."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.nn.probability._base import transforming


def _construct(self: transforming.Bijector, name: str, *args: Any, **kwargs: Any) -> Any:
    """Evaluate a function of the bijector; one that it does not have is None."""
    return _today_construct(self, name, *args, **kwargs) if name in transforming.FUNCTIONS else None


_today_construct = transforming.Bijector.construct
OVERRIDES = {"nn.probability.bijector.Bijector": Part(transforming.Bijector, "construct", _construct)}
