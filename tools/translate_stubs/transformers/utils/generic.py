"""Replaces transformers/utils/generic.py: decorators that fill in settings and record layers, and named outputs."""

from collections import OrderedDict
from contextlib import nullcontext
from dataclasses import fields


class Inert:
    """Replaces a decorator, with arguments or without."""

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and not kwargs and callable(args[0]) else self

    def __getattr__(self, name):
        return self


INERT = Inert()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return (lambda *args, **kwargs: False) if name.startswith("is_") else INERT


def maybe_autocast(*args, **kwargs):
    return nullcontext()


def can_return_tuple(function):
    return function


class TransformersKwargs(dict):
    pass


class ModelOutput(OrderedDict):
    """Outputs by name, without those that are None."""

    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                super().__setitem__(field.name, value)

    def __getitem__(self, key):
        return super().__getitem__(key) if isinstance(key, str) else tuple(self.values())[key]

    def to_tuple(self):
        return tuple(self.values())
