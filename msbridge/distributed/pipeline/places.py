"""Stages of a pipeline: which process computes which, and how they talk.

MindSpore's order: with 8 processes and 2 stages the first 4 are stage 0, and process 1 sends to process 5. The
processes of a stage divide the batch.
"""

import functools
import pickle
from collections import deque
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.context import context
from msbridge.distributed.groups.communicator import Communicator, Work
from msbridge.distributed.groups.group import communicator

__all__ = ["Place", "place"]

_MAX_PENDING_TRANSFERS = 64  # transfers whose tensors are kept alive before the oldest is waited for


class Place:
    """This process's place in the pipeline.

    Attributes:
        stage: the stage that it computes.
        stages: how many there are.
        device: the device of its tensors.
        width: how many processes compute each stage.
        beside: the processes of the same stage; they compute with other parts of the batch.
        tag: separates the transfers of what is computed in another order in each stage from those before and after.
        others: by the weights that this process differentiates, these and those of the processes of other stages.
    """

    def __init__(self, world: Communicator, stages: int, device: torch.device) -> None:
        from msbridge.distributed.groups.processes import form

        if world.size % stages:
            raise ValueError(f"{world.size} processes cannot be divided into {stages} pipeline stages.")
        self._world, self.stages, self.width, self.device = world, stages, world.size // stages, device
        self.stage, self._column = divmod(world.rank, self.width)
        self.beside, self.tag = world, 0
        self.others: dict[tuple[int, ...], tuple[Sequence[Any], list[Any]]] = {}
        for number in range(stages):  # every process takes part in forming every group
            self.beside = form(range(number * self.width, (number + 1) * self.width)) or self.beside
        self._under_way: deque[tuple[Work, torch.Tensor]] = deque()

    def send(self, data: torch.Tensor, stage: int) -> None:
        """Begin to send a tensor to another stage."""
        if len(self._under_way) >= _MAX_PENDING_TRANSFERS:
            self._under_way.popleft()[0].wait()
        data = data.detach().contiguous()
        self._under_way.append((self._world.begin_send(data, self._rank_of_stage(stage), self.tag), data))

    def receive(self, like: torch.Tensor, stage: int) -> torch.Tensor:
        """Receive a tensor of the shape and dtype of `like` from another stage."""
        return self._world.receive(like, self._rank_of_stage(stage), self.tag)

    def wait_for_sends(self) -> None:
        """Wait until what was sent has gone."""
        while self._under_way:
            self._under_way.popleft()[0].wait()

    def broadcast_tensor(self, data: torch.Tensor, stage: int) -> torch.Tensor:
        """Return a tensor of a stage in all of them; elsewhere `data` has its shape and dtype."""
        if stage != self.stage:
            return self.receive(data, stage)
        for other in range(self.stages):
            if other != stage:
                self.send(data, other)
        return data.detach()

    def any(self, value: torch.Tensor) -> torch.Tensor:
        """Return whether a bool tensor is true in one of the processes; all of them call this."""
        return self._world.all_reduce(value.to(torch.int32), "max").to(torch.bool)

    def broadcast_object(self, value: Any, stage: int) -> Any:
        """Return a number or the like that the process of a stage has."""
        if stage == self.stage:
            written = torch.frombuffer(bytearray(pickle.dumps(value)), dtype=torch.uint8).to(self.device)
            self.broadcast_tensor(torch.tensor([len(written)], device=self.device), stage)
            self.broadcast_tensor(written, stage)
            return value
        length = int(self.receive(torch.empty(1, dtype=torch.int64, device=self.device), stage))
        written = self.receive(torch.empty(length, dtype=torch.uint8, device=self.device), stage)
        return pickle.loads(written.cpu().numpy().tobytes())

    def _rank_of_stage(self, stage: int) -> int:
        return stage * self.width + self._column


def place() -> Place:
    """Return this process's place in the pipeline of the parallel context."""
    return _place(communicator(), int(context.get_auto_parallel_context("pipeline_stages")), context.torch_device())


_place = functools.lru_cache(maxsize=1)(Place)  # processes that have left and joined again get another
