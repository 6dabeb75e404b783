"""A group of one process: every collective is the identity."""

from collections.abc import Sequence

import torch

from msbridge.distributed.communicator import Communicator


class SingleProcess(Communicator):
    """The group that has only this process."""

    rank = 0
    ranks = (0,)

    def all_reduce(self, data: torch.Tensor, op: str) -> torch.Tensor:
        return data.clone()

    def all_gather(self, data: torch.Tensor) -> torch.Tensor:
        return data.clone()

    def all_to_all(
        self, data: torch.Tensor, output_sizes: Sequence[int] | None = None, input_sizes: Sequence[int] | None = None
    ) -> torch.Tensor:
        return data.clone()

    def broadcast(self, data: torch.Tensor, root: int) -> torch.Tensor:
        return data.clone()

    def send(self, data: torch.Tensor, target: int, tag: int) -> None:
        raise RuntimeError(f"For 'Send', rank {target} is not there: the group has one process.")

    def receive(self, like: torch.Tensor, source: int, tag: int) -> torch.Tensor:
        raise RuntimeError(f"For 'Receive', rank {source} is not there: the group has one process.")

    def barrier(self) -> None:
        """Return at once."""

    def close(self) -> None:
        """Do nothing."""
