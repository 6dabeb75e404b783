"""Primitives of caches: of embeddings on a device, and of keys and values of attention."""

from msbridge.contrib.ops.embedding_caches import primitives
from msbridge.ops.contents import published_names

globals().update(published_names(primitives))
__all__ = sorted(published_names(primitives))
