"""Caches of embeddings, and of the keys and values of attention."""
