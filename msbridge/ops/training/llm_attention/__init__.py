"""Attention of language models that serve: prompts, single steps, caches in blocks."""
