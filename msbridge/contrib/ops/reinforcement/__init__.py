"""Queues, arrays and replay buffers of Tensors for reinforcement learning, as MindSpore 2.0 has them."""

from msbridge.contrib.ops.reinforcement import buffers, queues, replay
from msbridge.ops.contents import merge

_PRIMITIVES = merge((buffers, queues, replay))
globals().update(_PRIMITIVES)
__all__ = sorted(_PRIMITIVES)
