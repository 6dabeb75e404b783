"""Bijectors and the Transformer's layers of 1.6."""

import functools
from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.nn.legacy.r1_7 import feed_forward_of
from msbridge.nn.probability._base import transforming
from msbridge.nn.transformer import feed_forward


def _construct(self: transforming.Bijector, name: str, *args: Any, **kwargs: Any) -> Any:
    """Evaluate a function of the bijector; one that it does not have is None."""
    return _today_construct(self, name, *args, **kwargs) if name in transforming.FUNCTIONS else None


@functools.wraps(feed_forward_of)
def _feed_forward(self: Any, *args: Any, **kwargs: Any) -> None:
    """Construct the layer, which has a Dropout for three axes, and none for four."""
    feed_forward_of(self, *args, **kwargs)
    del self.dropout_4d


_today_construct = transforming.Bijector.construct
OVERRIDES = {
    "nn.Transformer": Part(feed_forward.FeedForward, "__init__", _feed_forward),
    "nn.probability.bijector.Bijector": Part(transforming.Bijector, "construct", _construct),
}
