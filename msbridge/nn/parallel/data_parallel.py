"""DistributedDataParallel: a network whose gradients are averaged over the processes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from msbridge.core.checks.arguments import one_of, require_type
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import wrap
from msbridge.core.tensor.thread_local_data import lend, take_back
from msbridge.distributed.gradient_buckets import BUCKET_BYTES, all_reduce_mean
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator
from msbridge.nn.cell.cell import Cell

__all__ = ["DistributedDataParallel"]


class _Synchronized(torch.autograd.Function):
    """The weights as they are; all their gradients together go to the network's `_reduce`."""

    @staticmethod
    def forward(ctx: Any, network: "DistributedDataParallel", *weights: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ctx.network = network
        return tuple(weight.view_as(weight) for weight in weights)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[Any, ...]:
        return None, *ctx.network._reduce(grads)


class DistributedDataParallel(Cell):
    """A network whose gradients are averaged over the processes of a group.

    Gradients are added to the parameters' `grad`, and gradient functions return these sums; `zero_grad` begins again.
    They are reduced together when the last of them is there, in buckets; a parameter that a step does not use takes
    part with zeros, so all the ways to find such parameters come to the same.

    Args:
        module: the network.
        init_sync: broadcast the parameters of the group's first process.
        process_group: the group's name; None for all processes.
        bucket_cap_mb: MiB that are reduced in one message; None for 32.
        find_unused_parameters: kept for scripts that set it.
        average_in_collective: divide by the number of processes after the sum; else before it.
        static_graph: kept for scripts that set it.
        reducer_mode: "CppReducer" or "PythonReducer"; they do the same here.

    Raises:
        TypeError: `module` is not a Cell.

    Follows: mindspore.parallel.distributed.DistributedDataParallel (2.10), by its Python source: the CPU build of
    MindSpore cannot reduce.
    """

    def __init__(
        self,
        module: Cell,
        init_sync: bool = True,
        process_group: str | None = None,
        bucket_cap_mb: int | None = None,
        find_unused_parameters: bool = False,
        average_in_collective: bool = False,
        static_graph: bool = False,
        reducer_mode: str = "CppReducer",
    ) -> None:
        super().__init__(auto_prefix=False)
        self.module = require_type(module, "module", Cell)
        self.init_sync = init_sync
        self.process_group = process_group or HCCL_WORLD_COMM_GROUP
        self.bucket_cap_mb = bucket_cap_mb
        self.find_unused_parameters = find_unused_parameters
        self.average_in_collective = average_in_collective
        self.static_graph = static_graph
        self.reducer_mode = one_of(
            reducer_mode, "reducer_mode", "DistributedDataParallel", ("CppReducer", "PythonReducer")
        )
        self.sync_enabled = True
        self._bucket_bytes = BUCKET_BYTES if bucket_cap_mb is None else int(bucket_cap_mb * 2**20)
        self._reduced: tuple[Parameter, ...] = tuple(module.trainable_params())
        if init_sync:
            self.broadcast_coalesced()

    def construct(self, *inputs: Any, **inputs_dict: Any) -> Any:
        """Run the network."""
        weights = [parameter._data for parameter in self._reduced]
        if not any(weight.requires_grad for weight in weights):
            return self.module(*inputs, **inputs_dict)
        seen = _Synchronized.apply(self, *weights)  # type: ignore[no-untyped-call]
        before = lend(self._reduced, seen)
        try:
            return self.module(*inputs, **inputs_dict)
        finally:
            left = take_back(self._reduced, before)
            for parameter, given, found in zip(self._reduced, seen, left, strict=True):
                if found is not given:  # the network replaced it
                    parameter._data = found

    def zero_grad(self) -> None:
        """Forget the gradients that were added."""
        for parameter in self._reduced:
            parameter.grad = None  # type: ignore[attr-defined]

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Add gradients without reducing them, for several steps before one that does."""
        self.sync_enabled = False
        try:
            yield
        finally:
            self.sync_enabled = True

    def broadcast_coalesced(self) -> None:
        """Broadcast all parameters of the group's first process to the others."""
        members = communicator(self.process_group, "DistributedDataParallel")
        if members.size > 1:
            for parameter in self.module.get_parameters():
                parameter._data.copy_(members.broadcast(parameter._data, members.ranks[0]))

    def _reduce(self, grads: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        sums = []
        for parameter, grad in zip(self._reduced, grads, strict=True):
            before = getattr(parameter, "grad", None)
            sums.append(grad if before is None else grad + before._data)
        if self.sync_enabled:
            size = communicator(self.process_group, "DistributedDataParallel").size
            if size > 1 and not self.average_in_collective:
                sums = [grad / size for grad in sums]
            sums = all_reduce_mean(sums, self.average_in_collective, self.process_group, self._bucket_bytes)
        for parameter, grad in zip(self._reduced, sums, strict=True):
            parameter.grad = wrap(grad)  # type: ignore[attr-defined]
        return sums
