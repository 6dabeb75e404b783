"""Replaces transformers/utils/__init__.py: documentation, logs, and what generic.py has."""

import logging as _logging

from .generic import INERT, ModelOutput, TransformersKwargs, can_return_tuple

DUMMY_INPUTS = [[7, 6, 0, 0, 1], [1, 2, 3, 0, 0], [0, 0, 0, 4, 5]]
DUMMY_MASK = [[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [0, 0, 0, 1, 1]]


class logging:
    @staticmethod
    def get_logger(name=None):
        logger = _logging.getLogger(name)
        logger.warning_once = logger.warning
        return logger


def torch_int(value):
    return int(value)


def torch_compilable_check(condition, message=""):
    if not condition:
        raise ValueError(message)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return (lambda *args, **kwargs: False) if name.startswith("is_") else INERT
