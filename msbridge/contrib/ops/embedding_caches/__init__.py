"""Primitives of caches: of embeddings on a device, and of keys and values of attention."""

from msbridge.contrib.ops.embedding_caches import primitives
from msbridge.ops.contents import list_published_names

globals().update(list_published_names(primitives))
__all__ = sorted(list_published_names(primitives))
