"""The interface of a group of processes that work on torch tensors; one implementation per file."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Protocol

import torch

REDUCTIONS = ("sum", "max", "min", "prod", "avg")
# Who is notified before operations between processes begin: group, operation, the rank of the other, tensors.
listeners: list[Callable[["Communicator", str, int | None, Sequence[torch.Tensor]], None]] = []


class Work(Protocol):
    """An operation that is under way."""

    def wait(self) -> object:
        """Wait until it is done."""


Later = list[Work] | None


class Communicator(ABC):
    """A group of processes; every member calls the same methods in the same order.

    An operation that gets a list, `later`, is begun only: what to wait for is put there, and the tensor that is
    returned has its values after that.

    Attributes:
        rank: the number of this process within the group.
        ranks: the members' numbers in the world, in the order of the group.
        torch_group: the group of torch.distributed; None for that of all processes.
        timeout: how long an operation waits for the other members.
    """

    rank: int
    ranks: tuple[int, ...]
    torch_group: "torch.distributed.ProcessGroup | None" = None
    timeout = timedelta(minutes=30)

    @property
    def size(self) -> int:
        """Number of members."""
        return len(self.ranks)

    @abstractmethod
    def all_reduce(self, data: torch.Tensor, op: str, later: Later = None) -> torch.Tensor:
        """Reduce the members' tensors element by element, for every member; `op` is one of `REDUCTIONS`."""

    @abstractmethod
    def all_gather(self, data: torch.Tensor, later: Later = None) -> torch.Tensor:
        """Gather the members' tensors, concatenated along axis 0, for every member."""

    @abstractmethod
    def all_to_all(
        self,
        data: torch.Tensor,
        output_sizes: Sequence[int] | None = None,
        input_sizes: Sequence[int] | None = None,
        later: Later = None,
    ) -> torch.Tensor:
        """Send the i-th part along axis 0 to member i, and return the parts that came; parts are equal by default."""

    @abstractmethod
    def broadcast(self, data: torch.Tensor, root: int, later: Later = None) -> torch.Tensor:
        """Broadcast the tensor of the member whose rank in the world is `root`."""

    @abstractmethod
    def send(self, data: torch.Tensor, target: int, tag: int) -> None:
        """Send a tensor to another member, by its number in the world."""

    @abstractmethod
    def receive(self, like: torch.Tensor, source: int, tag: int) -> torch.Tensor:
        """Receive the tensor that another member sends; its shape and dtype are those of `like`."""

    @abstractmethod
    def begin_send(self, data: torch.Tensor, target: int, tag: int) -> Work:
        """Begin what `send` does; `data` must not change before the work is done."""

    @abstractmethod
    def begin_receive(self, data: torch.Tensor, source: int, tag: int) -> Work:
        """Begin to fill a contiguous tensor with what another member sends."""

    @abstractmethod
    def exchange(
        self, sent: Sequence[tuple[torch.Tensor, int]], received: Sequence[tuple[torch.Tensor, int]]
    ) -> Sequence[Work]:
        """Begin to send tensors to members, and to fill contiguous tensors with what members send, all at once.

        Tensors between the same two members arrive in the order in which they were sent.
        """

    def agree(self, operation: str, *tensors: torch.Tensor) -> None:  # noqa: B027  # a process alone has nobody to ask
        """Find out whether the members call the same operation next, with tensors of the same shapes and dtypes.

        The methods above do so; torch's own operations on `torch_group` do not.

        Raises:
            ValueError: another one calls something else.
        """

    @abstractmethod
    def barrier(self, later: Later = None) -> None:
        """Wait until every member has called."""

    @abstractmethod
    def close(self) -> None:
        """Leave the group."""

    def all_gather_uneven(self, data: torch.Tensor, sizes: Sequence[int], later: Later = None) -> torch.Tensor:
        """Gather tensors of different lengths along axis 0; `sizes` has the members' lengths."""
        padded = data.new_zeros((max(sizes), *data.shape[1:]))
        padded[: data.shape[0]] = data
        whole = self.all_gather(padded, later)
        parts = [part[:size] for part, size in zip(whole.chunk(self.size), sizes, strict=True)]
        return fill_now_or_later(data.new_empty((sum(sizes), *data.shape[1:])), lambda: torch.cat(parts), later)

    def world_rank(self, group_rank: int, where: str) -> int:
        """Return a member's number in the world.

        Raises:
            ValueError: the group has no such member.
        """
        if not 0 <= group_rank < self.size:
            raise ValueError(f"For '{where}', a rank must be in [0, {self.size}), got {group_rank}.")
        return self.ranks[group_rank]

    def reduce_scatter(self, data: torch.Tensor, op: str, later: Later = None) -> torch.Tensor:
        """Reduce as `all_reduce` does, and return this member's part along axis 0.

        Raises:
            ValueError: the length of axis 0 is not a multiple of the group's size.
        """
        if data.dim() == 0 or data.shape[0] % self.size:
            raise ValueError(
                f"For 'ReduceScatter', the first axis must be a multiple of the group's size {self.size}, "
                f"got shape {tuple(data.shape)}."
            )
        part = self.all_reduce(data, op, later).chunk(self.size)[self.rank]
        return fill_now_or_later(torch.empty_like(part, memory_format=torch.contiguous_format), lambda: part, later)


class After:
    """The completion of an operation, in the list of what is waited for: it runs once.

    Args:
        action: puts a result where it belongs.
    """

    def __init__(self, action: Callable[[], object]) -> None:
        self._action: Callable[[], object] | None = action

    def wait(self) -> None:
        """Do it, the first time."""
        action, self._action = self._action, None
        if action is not None:
            action()


def fill_now_or_later(place: torch.Tensor, compute: Callable[[], torch.Tensor], later: Later) -> torch.Tensor:
    """Return `place`, filled with what `compute` returns: now, or once all that `later` has is done."""
    if later is None:
        place.copy_(compute())
    else:
        target = place.detach()
        later.append(After(lambda: target.copy_(compute())))
    return place
