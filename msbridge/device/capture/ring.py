"""The losses of the last steps, kept on the device."""

from typing import Any

import torch


class LossRing:
    """Keeps the losses of the last steps on the device, each in the place that a counter there says.

    A step that is repeated as a graph writes its loss as one that runs eagerly does; and all of them are read at once.

    Args:
        capacity: how many losses are kept; the oldest are overwritten.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._losses: torch.Tensor | None = None
        self._place: torch.Tensor | None = None
        self._count = 0
        self._is_kept = False

    def record(self, result: Any) -> None:
        """Keep the loss of a step's result: itself, or its first element; a loss of several elements is passed over."""
        first = result[0] if isinstance(result, tuple | list) and result else result
        data = getattr(first, "_data", None)
        self._is_kept = data is not None and data.numel() == 1
        if data is None or not self._is_kept:
            return
        if self._losses is None or self._place is None:
            self._losses = torch.zeros(self._capacity, dtype=data.dtype, device=data.device)
            self._place = torch.zeros(1, dtype=torch.int64, device=data.device)
        self._losses.index_copy_(0, self._place, data.detach().reshape(1).to(self._losses.dtype))
        self._place.add_(1)

    def advance(self) -> None:
        """Count a step that has run or was replayed; after the last place comes the first."""
        if self._is_kept:
            self._count += 1
            if self._count % self._capacity == 0:
                self._begin()

    def values(self) -> torch.Tensor:
        """Return the losses that are kept, oldest first."""
        if self._losses is None:
            return torch.empty(0)
        if self._count <= self._capacity:
            return self._losses[: self._count].clone()
        return self._losses.roll(-(self._count % self._capacity))

    def clear(self) -> None:
        """Forget all losses."""
        if self._count % self._capacity:
            self._begin()
        self._count = 0

    def _begin(self) -> None:
        self._place.zero_()  # type: ignore[union-attr]
