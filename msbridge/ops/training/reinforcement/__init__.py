"""Queues, arrays and replay buffers of Tensors for reinforcement learning, as MindSpore 2.0 has them."""

from msbridge.ops.contents import merge
from msbridge.ops.training.reinforcement import buffers, queues, replay

_PRIMITIVES = merge((buffers, queues, replay))
globals().update(_PRIMITIVES)
__all__ = sorted(_PRIMITIVES)
