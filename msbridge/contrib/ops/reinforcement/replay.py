"""Replay buffers that primitives reach by a handle, and what MindSpore has on a GPU only.

Follows: mindspore.ops.operations._rl_inner_ops (2.0, CPU).
"""

from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

import torch

from msbridge.contrib.ops.reinforcement.queues import Handles
from msbridge.core.checks.arguments import in_range, instance, non_negative_int, positive_int
from msbridge.core.random.seeds import sequence
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, dtype_to_torch
from msbridge.ops.primitive.primitive import Primitive

Shapes = Sequence[Sequence[int]]


class _Entries:
    """The storage of both buffers: the Tensors of at most `capacity` entries, and how many there have been."""

    def __init__(self, capacity: int, shapes: Shapes, dtypes: Sequence[Type], seeds: tuple[int, int]) -> None:
        pairs = zip(shapes, dtypes, strict=True)
        self.columns = [torch.zeros((capacity, *shape), dtype=dtype_to_torch(dtype)) for shape, dtype in pairs]
        self.capacity = capacity
        self.seen = 0
        seed = seeds[0] * 1_000_003 + seeds[1]
        self.generator = sequence(seed, torch.device("cpu")) if seed else None

    @property
    def held(self) -> int:
        """The number of entries."""
        return min(self.seen, self.capacity)

    def write(self, place: int, entry: Sequence[Tensor]) -> None:
        """Write an entry to a place."""
        for column, value in zip(self.columns, entry, strict=True):
            column[place] = value._data.reshape(column.shape[1:])

    def rows(self, places: torch.Tensor) -> tuple[Tensor, ...]:
        """Return the entries of places, a Tensor for each part."""
        return tuple(wrap(column[places]) for column in self.columns)


class _Prioritized(_Entries):
    """Entries with a weight each, by which they are drawn."""

    def __init__(self, alpha: float, *settings: Any) -> None:
        super().__init__(*settings)
        self.alpha = alpha
        self.weights = torch.zeros(self.capacity, dtype=torch.float64)
        self.largest = 1.0


class _OnBuffer(Primitive):
    """Base of the primitives of a buffer that has been made, of the given handle."""

    _of: ClassVar[Handles[Any]]

    def __init__(self, handle: int) -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr("handle", non_negative_int(handle, "handle", self.name))

    def _buffer(self) -> Any:
        return self._of.at(self.attrs["handle"])

    def _handle(self) -> Tensor:
        return Tensor([self.attrs["handle"]])


class _Destroy(_OnBuffer):
    def __call__(self) -> Tensor:
        self._of.drop(self.attrs["handle"])
        return self._handle()


class _Sample(_OnBuffer):
    def __init__(self, handle: int, batch_size: int, shapes: Shapes, dtypes: Sequence[Type]) -> None:
        super().__init__(handle)
        self.add_prim_attr("batch_size", positive_int(batch_size, "batch_size", self.name))
        self.add_prim_attr("shapes", instance(shapes, "shapes", self.name, (tuple, list)))
        self.add_prim_attr("dtypes", instance(dtypes, "dtypes", self.name, (tuple, list)))

    def _require_entries(self) -> Any:
        buffer = self._buffer()
        if not buffer.held:
            raise RuntimeError(f"For '{self.name}', the buffer is empty.")
        return buffer


class _Create(Primitive):
    _of: ClassVar[Handles[Any]]

    def __init__(self, capacity: int, shapes: Shapes, dtypes: Sequence[Type], seed0: int, seed1: int) -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr("capacity", positive_int(capacity, "capacity", self.name))
        self.add_prim_attr("shapes", instance(shapes, "shapes", self.name, (tuple, list)))
        self.add_prim_attr("dtypes", instance(dtypes, "dtypes", self.name, (tuple, list)))
        self.add_prim_attr("seed0", non_negative_int(seed0, "seed0", self.name))
        self.add_prim_attr("seed1", non_negative_int(seed1, "seed1", self.name))
        self._settings = (capacity, shapes, dtypes, (seed0, seed1))

    def __call__(self) -> Tensor:
        return wrap(self._of.keep(self._make_buffer())._data.reshape(1))

    def _make_buffer(self) -> _Entries:
        return _Entries(*self._settings)


_prioritized: Handles[_Prioritized] = Handles("PriorityReplayBuffer")
_reservoirs: Handles[_Entries] = Handles("ReservoirReplayBuffer")


class PriorityReplayBufferCreate(_Create):
    """Make a buffer whose entries are drawn in proportion to priority^alpha, and return its handle, shape (1,).

    Args:
        capacity: how many entries it has; one more takes the place of the oldest.
        alpha: 0 draws all alike, 1 by their priorities.
        shapes: of the Tensors of an entry.
        dtypes: of the Tensors of an entry.
        seed0: with `seed1`, the seed of the draws; 0 and 0 for that of the operators.
        seed1: see `seed0`.

    Follows: mindspore.ops.operations._rl_inner_ops.PriorityReplayBufferCreate (2.0).
    """

    _of = _prioritized

    def __init__(
        self, capacity: int, alpha: float, shapes: Shapes, dtypes: Sequence[Type], seed0: int, seed1: int
    ) -> None:
        super().__init__(capacity, shapes, dtypes, seed0, seed1)
        self.add_prim_attr("alpha", in_range(alpha, "alpha", self.name, 0.0, 1.0, "[]"))

    def _make_buffer(self) -> _Prioritized:
        return _Prioritized(self.attrs["alpha"], *self._settings)


class PriorityReplayBufferPush(_OnBuffer):
    """Write an entry with the largest priority that there has been (1 at first), and return the handle.

    Follows: mindspore.ops.operations._rl_inner_ops.PriorityReplayBufferPush (2.0).
    """

    _of = _prioritized

    def __call__(self, transition: Sequence[Tensor]) -> Tensor:
        buffer = self._buffer()
        place = buffer.seen % buffer.capacity
        buffer.write(place, transition)
        buffer.weights[place] = buffer.largest
        buffer.seen += 1
        return self._handle()


class PriorityReplayBufferSample(_Sample):
    """Draw entries, one of each of `batch_size` equal parts of the sum of all weights.

    Returns:
        The places of the entries, Int64; (the smallest weight / theirs)^beta, Float32, which corrects the draws; and
        the Tensors of the entries.

    Raises:
        RuntimeError: (when called) the buffer is empty.

    Follows: mindspore.ops.operations._rl_inner_ops.PriorityReplayBufferSample (2.0).
    """

    _of = _prioritized

    def __call__(self, beta: float | Tensor) -> tuple[Tensor, ...]:
        buffer, count = self._require_entries(), self.attrs["batch_size"]
        weights = buffer.weights[: buffer.held]
        ends = weights.cumsum(0)
        drawn = torch.rand(count, dtype=torch.float64, generator=buffer.generator)
        drawn = (torch.arange(count, dtype=torch.float64) + drawn) * (ends[-1] / count)
        places = torch.searchsorted(ends, drawn, right=True).clamp_max(buffer.held - 1)
        corrections = (weights.min() / weights[places]) ** float(beta)
        return wrap(places), wrap(corrections.float()), *buffer.rows(places)


class PriorityReplayBufferUpdate(_OnBuffer):
    """Set the priorities of entries, and return the handle.

    Follows: mindspore.ops.operations._rl_inner_ops.PriorityReplayBufferUpdate (2.0).
    """

    _of = _prioritized

    def __call__(self, indices: Tensor, priorities: Tensor) -> Tensor:
        buffer = self._buffer()
        weights = priorities._data.reshape(-1).cpu().double() ** buffer.alpha
        buffer.weights[indices._data.reshape(-1).long().cpu()] = weights
        buffer.largest = max(buffer.largest, float(weights.max()))
        return self._handle()


class PriorityReplayBufferDestroy(_Destroy):
    """Remove a buffer, and return its handle.

    Follows: mindspore.ops.operations._rl_inner_ops.PriorityReplayBufferDestroy (2.0).
    """

    _of = _prioritized


class ReservoirReplayBufferCreate(_Create):
    """Make a buffer that holds, of all entries there have been, a sample without bias; return its handle, shape (1,).

    Follows: mindspore.ops.operations._rl_inner_ops.ReservoirReplayBufferCreate (2.0); J. S. Vitter's algorithm R.
    """

    _of = _reservoirs


class ReservoirReplayBufferPush(_OnBuffer):
    """Offer an entry to a buffer; a full one keeps it with a probability of capacity / entries. Returns the handle.

    Follows: mindspore.ops.operations._rl_inner_ops.ReservoirReplayBufferPush (2.0).
    """

    _of = _reservoirs

    def __call__(self, transition: Sequence[Tensor]) -> Tensor:
        buffer = self._buffer()
        place = buffer.seen
        if place >= buffer.capacity:
            place = int(torch.randint(buffer.seen + 1, (), generator=buffer.generator))
        if place < buffer.capacity:
            buffer.write(place, transition)
        buffer.seen += 1
        return self._handle()


class ReservoirReplayBufferSample(_Sample):
    """Draw `batch_size` entries, with repetition.

    Raises:
        RuntimeError: (when called) the buffer is empty.

    Follows: mindspore.ops.operations._rl_inner_ops.ReservoirReplayBufferSample (2.0).
    """

    _of = _reservoirs

    def __call__(self) -> tuple[Tensor, ...]:
        buffer = self._require_entries()
        places = torch.randint(buffer.held, (self.attrs["batch_size"],), generator=buffer.generator)
        return buffer.rows(places)  # type: ignore[no-any-return]


class ReservoirReplayBufferDestroy(_Destroy):
    """Remove a buffer, and return its handle.

    Follows: mindspore.ops.operations._rl_inner_ops.ReservoirReplayBufferDestroy (2.0).
    """

    _of = _reservoirs


class _OnGpu(Primitive):
    """A primitive that MindSpore has kernels for on a GPU only; a call is refused, as on its CPU."""

    def __init__(self, *settings: Any, **more: Any) -> None:
        super().__init__(type(self).__name__)
        self.attrs |= more

    def __call__(self, *inputs: Any) -> NoReturn:
        raise RuntimeError(
            f"'{self.name}' is not supported here: MindSpore has it on a GPU only, in its C++ core, which msbridge "
            f"has not. Use {self._instead}."
        )

    _instead: ClassVar[str]


class EnvCreate(_OnGpu):
    """Replaces the making of an environment of MindSpore's own, which is refused.

    Follows: mindspore.ops.operations._rl_inner_ops.EnvCreate (2.0).
    """

    _instead = "an environment in Python"


class EnvReset(EnvCreate):
    """Replaces the start of an episode in an environment in C++.

    Follows: mindspore.ops.operations._rl_inner_ops.EnvReset (2.0).
    """


class EnvStep(EnvCreate):
    """Replaces a step in an environment in C++.

    Follows: mindspore.ops.operations._rl_inner_ops.EnvStep (2.0).
    """


class MuxSend(_OnGpu):
    """Replaces Tensors sent to a process among several servers, which is refused.

    Follows: mindspore.ops.operations._rl_inner_ops.MuxSend (2.0).
    """

    _instead = "mindspore.ops.Send and Receive, or a collective"


class MuxReceive(MuxSend):
    """Replaces Tensors received from any process among several servers.

    Follows: mindspore.ops.operations._rl_inner_ops.MuxReceive (2.0).
    """
