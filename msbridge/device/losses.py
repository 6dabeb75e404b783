"""The losses of the steps of a sink that runs eagerly."""

from typing import Any

import torch

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor

__all__ = ["LossList"]

CHUNK = 1024  # a tensor of its own for each loss of a long epoch would take hundreds of bytes


class LossList:
    """Keeps losses as the steps returned them: nothing is computed until somebody asks, or they are many."""

    def __init__(self) -> None:
        self._chunks: list[torch.Tensor] = []
        self._newest: list[torch.Tensor] = []

    def record(self, result: Any) -> None:
        """Keep the loss of a step's result: itself, or its first element; a loss of several elements is passed over."""
        first = result[0] if isinstance(result, tuple | list) and result else result
        if not isinstance(first, Tensor) or first._data.numel() != 1:
            return
        data = first._data.detach() if first._data.requires_grad else first._data
        data = data.reshape(()) if data.ndim else data
        self._newest.append(data.clone() if isinstance(first, Parameter) else data)
        if len(self._newest) == CHUNK:
            self._join()

    def values(self) -> torch.Tensor:
        """Return the losses, oldest first."""
        if self._newest:
            self._join()
        return torch.cat(self._chunks) if self._chunks else torch.empty(0)

    def clear(self) -> None:
        """Forget all losses."""
        self._chunks.clear()
        self._newest.clear()

    def _join(self) -> None:
        self._chunks.append(torch.stack(self._newest))
        self._newest.clear()
