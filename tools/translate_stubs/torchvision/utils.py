"""Replaces torchvision/utils.py: pictures of boxes and masks, which no network makes, and a log of uses."""

from collections.abc import Iterable
from itertools import repeat


def _log_api_usage_once(obj):
    pass


def _make_ntuple(x, n):
    return tuple(x) if isinstance(x, Iterable) else tuple(repeat(x, n))
