"""A group of one process: every collective is the identity."""

from collections.abc import Sequence

import torch

from msbridge.distributed.groups.communicator import Communicator, Later, Work


class SingleProcess(Communicator):
    """The group that has only this process."""

    rank = 0
    ranks = (0,)

    def all_reduce(self, data: torch.Tensor, op: str, later: Later = None) -> torch.Tensor:
        return data.clone()

    def all_gather(self, data: torch.Tensor, later: Later = None) -> torch.Tensor:
        return data.clone()

    def all_to_all(
        self,
        data: torch.Tensor,
        output_sizes: Sequence[int] | None = None,
        input_sizes: Sequence[int] | None = None,
        later: Later = None,
    ) -> torch.Tensor:
        return data.clone()

    def broadcast(self, data: torch.Tensor, root: int, later: Later = None) -> torch.Tensor:
        return data.clone()

    def send(self, data: torch.Tensor, target: int, tag: int) -> None:
        raise RuntimeError(f"For 'Send', rank {target} is not there: the group has one process.")

    def receive(self, like: torch.Tensor, source: int, tag: int) -> torch.Tensor:
        raise RuntimeError(f"For 'Receive', rank {source} is not there: the group has one process.")

    def begin_send(self, data: torch.Tensor, target: int, tag: int) -> Work:
        raise RuntimeError(f"For 'isend', rank {target} is not there: the group has one process.")

    def begin_receive(self, data: torch.Tensor, source: int, tag: int) -> Work:
        raise RuntimeError(f"For 'irecv', rank {source} is not there: the group has one process.")

    def exchange(
        self, sent: Sequence[tuple[torch.Tensor, int]], received: Sequence[tuple[torch.Tensor, int]]
    ) -> Sequence[Work]:
        if len(sent) != len(received) or {rank for _, rank in (*sent, *received)} - {0}:
            raise RuntimeError("The group has one process: it can only send to itself what it receives.")
        for (data, _), (place, _) in zip(sent, received, strict=True):
            place.copy_(data)
        return []

    def barrier(self, later: Later = None) -> None:
        """Return at once."""

    def close(self) -> None:
        """Do nothing."""
