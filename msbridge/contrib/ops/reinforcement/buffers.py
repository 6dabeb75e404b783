"""Replay buffers in Parameters, returns, and weights written over others.

Follows: mindspore.ops.operations.rl_ops, mindspore.ops.operations._rl_inner_ops (2.0, CPU; `DiscountedReturn` by its
documentation).
"""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.checks.arguments import boolean, positive_int
from msbridge.core.random.seeds import sequence
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.primitive.primitive import Primitive, derive


class _Buffer(Primitive):
    """Base: a buffer is a sequence of Parameters (capacity, …), beside its count and the place of its first entry."""

    def __init__(self, capacity: int, buffer_shape: Sequence[Sequence[int]], buffer_dtype: Sequence[Type]) -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr("capacity", positive_int(capacity, "capacity", self.name))
        self.add_prim_attr("buffer_shape", buffer_shape)
        self.add_prim_attr("buffer_dtype", buffer_dtype)


class BufferAppend(_Buffer):
    """Write an entry, or a batch of them, behind the last; a full buffer loses its first ones.

    Follows: mindspore.ops.BufferAppend (2.0).
    """

    def __call__(self, data: Sequence[Tensor], exp: Sequence[Tensor], count: Tensor, head: Tensor) -> None:
        if len(data) != len(exp):
            raise ValueError(f"For 'BufferAppend', an entry must have {len(data)} Tensors, got {len(exp)}.")
        is_batch = exp[0].ndim == data[0].ndim
        entries = exp[0].shape[0] if is_batch else 1
        (held,), (first,), capacity = plain_shape(count), plain_shape(head), self.attrs["capacity"]
        places = [(first + held + number) % capacity for number in range(entries)]
        for one, new in zip(data, exp, strict=True):
            one._data[places] = new._data if is_batch else new._data.unsqueeze(0)
        lost = max(held + entries - capacity, 0)
        count._data.fill_(min(held + entries, capacity))
        head._data.fill_((first + lost) % capacity)


class BufferGetItem(_Buffer):
    """Return the entry of an index, counted from the first, or from behind the last when it is negative.

    Raises:
        ValueError: (when called) there is no such entry.

    Follows: mindspore.ops.BufferGetItem (2.0).
    """

    def __call__(self, data: Sequence[Tensor], count: Tensor, head: Tensor, index: Any) -> tuple[Tensor, ...]:
        (held,), (first,), (place,) = map(plain_shape, (count, head, index))
        if not -held <= place < held:
            raise ValueError(f"For 'BufferGetItem', the index must be in [-{held}, {held}), got {place}.")
        where = (first + place % held) % self.attrs["capacity"]
        return tuple(wrap(one._data[where].clone()) for one in data)


class BufferSample(_Buffer):
    """Draw a batch of entries, without repetition if `unique`.

    Raises:
        ValueError: `batch_size` is larger than the capacity.

    Follows: mindspore.ops.BufferSample (2.0).
    """

    def __init__(
        self,
        capacity: int,
        batch_size: int,
        buffer_shape: Sequence[Sequence[int]],
        buffer_dtype: Sequence[Type],
        seed: int = 0,
        unique: bool = False,
    ) -> None:
        super().__init__(capacity, buffer_shape, buffer_dtype)
        if positive_int(batch_size, "batch_size", self.name) > capacity:
            raise ValueError(f"For 'BufferSample', batch_size must be at most {capacity}, got {batch_size}.")
        self.add_prim_attr("batch_size", batch_size)
        self.add_prim_attr("unique", boolean(unique, "unique", self.name))
        self.add_prim_attr("seed", seed)
        self._generator = sequence(seed, torch.device("cpu")) if seed else None

    def __call__(self, data: Sequence[Tensor], count: Tensor, head: Tensor) -> tuple[Tensor, ...]:
        (held,), size = plain_shape(count), self.attrs["batch_size"]
        if self.attrs["unique"]:
            places = torch.randperm(held, generator=self._generator)[:size]
        else:
            places = torch.randint(held, (size,), generator=self._generator)
        places = (places + plain_shape(head)[0]) % self.attrs["capacity"]
        return tuple(wrap(one._data[places.to(one._data.device)]) for one in data)


def _returns(reward: Tensor, done: Tensor, last_state_value: Tensor, gamma: float) -> Tensor:
    """Return the discounted sums of rewards from each step (T, N, …) to the end of its episode.

    Behind the last step comes `last_state_value`, unless the episode ends there.

    Follows: mindspore.ops.operations._rl_inner_ops.DiscountedReturn (2.0).
    """

    def run(rewards: torch.Tensor, ends: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
        returns, later = [], last
        for gain, end in zip(rewards.flip(0), ends.flip(0), strict=True):
            going = (~end).to(later.dtype).reshape(end.shape + (1,) * (later.dim() - end.dim()))
            later = gain + gamma * later * going
            returns.append(later)
        return torch.stack(returns[::-1])

    return call_kernel(run, "DiscountedReturn", reward, done, last_state_value)  # type: ignore[no-any-return]


def _assign_all(dst_model: Sequence[Tensor], source_model: Sequence[Tensor], lock: bool = True) -> None:
    """Write the weights of one model over those of another.

    Raises:
        ValueError: the numbers or the shapes differ.

    Follows: mindspore.ops.operations._rl_inner_ops.BatchAssign (2.0).
    """
    shapes = [[tuple(one.shape) for one in model] for model in (dst_model, source_model)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"For 'BatchAssign', both models must have the same shapes, got {shapes[0]} and {shapes[1]}.")
    with torch.no_grad():
        for written, read in zip(dst_model, source_model, strict=True):
            written._data.copy_(read._data)


DERIVED = (derive("BatchAssign", _assign_all, "lock"), derive("DiscountedReturn", _returns, "gamma"))
