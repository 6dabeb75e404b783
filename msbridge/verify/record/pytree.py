"""Nesting: the tensors in nested tuples, lists and mappings, of torch or of ours."""

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.torch_private import no_dispatch

# What holds no tensors, known by the class.
PLAIN = frozenset({type(None), bool, int, float, str, torch.dtype, torch.device, torch.layout, torch.memory_format})


def tensors(value: Any) -> list[torch.Tensor]:
    """Return the tensors, of torch or of ours, in nested tuples, lists and mappings."""
    found: list[torch.Tensor] = []
    _collect(value, found)
    return found


def _collect(value: Any, tensors: list[torch.Tensor]) -> None:
    kind = type(value)
    if kind in PLAIN:
        return
    if kind is tuple or kind is list:
        for item in value:
            if type(item) not in PLAIN:
                _collect(item, tensors)
    elif isinstance(value, torch.Tensor):
        tensors.append(value)
    elif isinstance(value, Tensor):
        tensors.append(value._data)
    elif isinstance(value, PackedSequence):
        with no_dispatch():
            tensors.append(pad_packed_sequence(value, batch_first=True)[0])
    elif isinstance(value, list | tuple):
        _collect(tuple(value), tensors)
    elif isinstance(value, Mapping):
        _collect(tuple(value.values()), tensors)


def replace_tensors(value: Any, data: Iterator[torch.Tensor]) -> Any:
    """Return nested tuples, lists and mappings with their tensors replaced, in order."""
    if isinstance(value, torch.Tensor):
        return next(data)
    if isinstance(value, Tensor):
        return Tensor(next(data))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(replace_tensors(item, data) for item in value))
    if isinstance(value, list | tuple):
        return type(value)([replace_tensors(item, data) for item in value])
    if isinstance(value, dict):
        return {key: replace_tensors(item, data) for key, item in value.items()}
    return value
