"""Replaces huggingface_hub/dataclasses.py: checks of the types of settings."""


def strict(cls=None, **kwargs):
    return (lambda given: given) if cls is None else cls
