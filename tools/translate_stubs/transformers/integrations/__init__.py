"""Replaces transformers/integrations/__init__.py: kernels and engines of others."""

from ..utils.generic import INERT


def use_kernelized_func(function):
    return lambda layer: layer


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return (lambda *args, **kwargs: False) if name.startswith("is_") else INERT
