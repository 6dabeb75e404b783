"""Replaces transformers/generation/__init__.py: the search for texts."""


class GenerationMixin:
    pass
