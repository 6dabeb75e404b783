"""Nested tuples, lists and dicts with Tensors in them: what functions take and return.

Of a sparse tensor the values count, which are a Tensor; the places stay.
"""

import copy
import itertools
from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.sparse.base import SparseBase
from msbridge.core.tensor.tensor import Tensor, wrap


def map_tensors(fn: Callable[[Tensor], Any], value: Any) -> Any:
    """Apply `fn` to every Tensor in nested tuples, lists and dicts; the rest stays."""
    if isinstance(value, Tensor):
        return fn(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(map_tensors(fn, item) for item in value))
    if isinstance(value, tuple | list):
        return type(value)([map_tensors(fn, item) for item in value])
    if type(value) is dict:
        return {key: map_tensors(fn, item) for key, item in value.items()}
    if isinstance(value, dict):
        made = copy.copy(value)  # a class of its own, as of the outputs of a library's models
        for key, item in value.items():
            made[key] = map_tensors(fn, item)
        return made
    return value.map_values(fn) if isinstance(value, SparseBase) else value


def tensors_of(value: Any) -> list[Tensor]:
    """Return the Tensors in nested tuples, lists and dicts, in order."""
    found: list[Tensor] = []
    map_tensors(found.append, value)
    return found


def leaves_like(value: Any, other: Any) -> list[Any]:
    """Return the items of `other`, nested like `value`, in the places of its Tensors; None for missing ones."""
    if isinstance(value, Tensor):
        return [other]
    if isinstance(value, tuple | list | dict):
        items = value.values() if isinstance(value, dict) else value
        of_items = other.values() if isinstance(other, dict) else other if isinstance(other, tuple | list) else ()
        pairs = itertools.zip_longest(items, itertools.islice(of_items, len(value)))
        return [leaf for item, of_item in pairs for leaf in leaves_like(item, of_item)]
    return tensors_of(other) if isinstance(value, SparseBase) else []


def unwrap_tree(value: Any) -> Any:
    """Replace every Tensor by its torch tensor."""
    return map_tensors(lambda tensor: tensor._data, value)


def wrap_tree(value: Any) -> Any:
    """Replace every torch tensor by a Tensor."""
    if isinstance(value, torch.Tensor):
        return wrap(value)
    if isinstance(value, tuple | list):
        return type(value)([wrap_tree(item) for item in value])
    if isinstance(value, dict):
        return {key: wrap_tree(item) for key, item in value.items()}
    return value.map_values(wrap_tree) if isinstance(value, SparseBase) else value
