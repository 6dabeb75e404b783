"""Queues, arrays and replay buffers of Tensors for reinforcement learning, as MindSpore 2.0 has them."""

from msbridge.ops.contents import merge
from msbridge.ops.reinforcement import buffers, queues

_PRIMITIVES = merge((buffers, queues))
globals().update(_PRIMITIVES)
__all__ = sorted(_PRIMITIVES)
