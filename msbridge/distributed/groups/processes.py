"""A group of several processes, on torch.distributed."""

import atexit
import faulthandler
import itertools
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from typing import Any

import torch
import torch.distributed as dist
from torch.distributed import PrefixStore, TCPStore  # type: ignore[attr-defined]

from msbridge.core.context import context
from msbridge.core.runtime import observers
from msbridge.distributed.groups.communicator import Communicator, Later, Work, fill_now_or_later, listeners
from msbridge.distributed.groups.launches import Launch
from msbridge.distributed.groups.notice_board import Agreement, Board

_REDUCTIONS = {
    "sum": dist.ReduceOp.SUM,
    "max": dist.ReduceOp.MAX,
    "min": dist.ReduceOp.MIN,
    "prod": dist.ReduceOp.PRODUCT,
    "avg": dist.ReduceOp.SUM,  # divided afterwards: gloo has no average
}
_TIMEOUT = timedelta(minutes=30)
_joined = itertools.count()
_boards: list[Board] = []  # that of the world which this process has joined

# What a failure between processes means, by words in what Gloo says of it (torch 2.13); the last row fits all.
_MEANINGS = (
    ("preamble", "The processes of the group passed tensors of different sizes, or called different operations."),
    ("imed out", "Another process of the group did not come to this operation in time."),
    ("timed out!", "Another process of the group did not come to this operation in time."),
    ("wait timeout", "Another process of the group did not come to join it in time."),
    ("", "Another process of the group ended, or cannot be reached; its own output says why."),
)


@contextmanager
def of_others() -> Iterator[None]:
    """Explain a failure between processes; torch (2.13) shows Gloo's file and line."""
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, dist.DistNetworkError | dist.DistStoreError) and not any(
            word in str(error) for word in ("gloo", "timed out", "wait timeout")
        ):
            raise
        meaning = next(meaning for words, meaning in _MEANINGS if words in str(error))
        lost = RuntimeError(" ".join([meaning, *(board.what_of_others() for board in _boards)]).strip())
        lost.explained = True  # type: ignore[attr-defined]
        raise lost from error


class TorchProcesses(Communicator):
    """A group of torch.distributed.

    Args:
        ranks: the members' numbers in the world.
        group: torch's group; None is the world.
        timeout: how long an operation waits for the other members.
    """

    def __init__(
        self, ranks: Sequence[int], group: "dist.ProcessGroup | None" = None, timeout: timedelta = _TIMEOUT
    ) -> None:
        self.ranks, self.torch_group, self.timeout = tuple(ranks), group, timeout
        self.rank = self.ranks.index(dist.get_rank())
        self._agreement: Agreement | None = None
        self._device_ids: list[int] | None = None  # for a barrier, which torch would let guess
        if dist.get_backend(group) != "gloo":
            self._device_ids = [context.torch_device().index]
        else:
            name = "world" if group is None else group.group_name
            self._agreement = _boards[-1].agreement(name, self.ranks, timeout)

    def _notify_observers(self, operation: str, other: int | None, *tensors: torch.Tensor) -> None:
        for listener in listeners:
            listener(self, operation, other, tensors)

    def agree(self, operation: str, *tensors: torch.Tensor) -> None:
        self._check_agreement(operation, tensors, waits=True)

    def _check_agreement(self, operation: str, tensors: Sequence[torch.Tensor], waits: bool) -> None:
        self._notify_observers(operation, None, *tensors)
        if self._agreement is not None:
            given = ", ".join(f"{str(one.dtype).removeprefix('torch.')} {tuple(one.shape)}" for one in tensors)
            self._agreement.on(f"{operation} of {given}" if given else operation, waits)

    def _run_collective(
        self,
        kind: str,
        detail: str | None,
        begin: Callable[..., Any],
        data: torch.Tensor | None,
        later: Later,
    ) -> None:
        """Compare what the members pass to an operation, and carry it out, or begin it where `later` is a list.

        Args:
            kind: what it is.
            detail: what has to be the same besides the tensor; None where tensors may differ.
            begin: torch's operation.
            data: what is given to it.
            later: where to put what is to be waited for.
        """
        with of_others():
            compared = () if detail is None or data is None else (data,)
            self._check_agreement(kind + (detail or ""), compared, waits=later is None)
            work = _UnderWay(begin(async_op=True), self, kind, data)
        if later is None:
            work.wait()
        else:
            later.append(work)

    def all_reduce(self, data: torch.Tensor, op: str, later: Later = None) -> torch.Tensor:
        result = data.clone(memory_format=torch.contiguous_format)
        begin = partial(dist.all_reduce, result, _REDUCTIONS[op], self.torch_group)
        self._run_collective("AllReduce", f" ({op})", begin, data, later)
        if op != "avg":
            return result
        return result / self.size if later is None else fill_now_or_later(result, lambda: result / self.size, later)

    def all_gather(self, data: torch.Tensor, later: Later = None) -> torch.Tensor:
        result = data.new_empty((self.size * data.shape[0], *data.shape[1:]))
        begin = partial(dist.all_gather, list(result.chunk(self.size)), data.contiguous(), self.torch_group)
        self._run_collective("AllGather", "", begin, data, later)
        return result

    def all_to_all(
        self,
        data: torch.Tensor,
        output_sizes: Sequence[int] | None = None,
        input_sizes: Sequence[int] | None = None,
        later: Later = None,
    ) -> torch.Tensor:
        length = data.shape[0] if output_sizes is None else sum(output_sizes)
        result = data.new_empty((length, *data.shape[1:]))
        sizes = output_sizes, input_sizes
        begin = partial(dist.all_to_all_single, result, data.contiguous(), *sizes, self.torch_group)
        self._run_collective("AlltoAll", None, begin, data, later)  # lengths may differ
        return result

    def broadcast(self, data: torch.Tensor, root: int, later: Later = None) -> torch.Tensor:
        result = data.clone(memory_format=torch.contiguous_format)
        begin = partial(dist.broadcast, result, root, self.torch_group)
        self._run_collective("Broadcast", f" (from rank {root})", begin, data, later)
        return result

    def send(self, data: torch.Tensor, target: int, tag: int) -> None:
        self.begin_send(data, target, tag).wait()

    def receive(self, like: torch.Tensor, source: int, tag: int) -> torch.Tensor:
        result = torch.empty_like(like, memory_format=torch.contiguous_format)
        self.begin_receive(result, source, tag).wait()
        return result

    def begin_send(self, data: torch.Tensor, target: int, tag: int) -> Work:
        self._notify_observers("Send", target, data)
        self._agree_with(target, True, tag, data)
        return _UnderWay(dist.isend(data.contiguous(), target, self.torch_group, tag), self, "Send", data)

    def begin_receive(self, data: torch.Tensor, source: int, tag: int) -> Work:
        self._notify_observers("Receive", source, data)
        self._agree_with(source, False, tag, data)
        return _UnderWay(dist.irecv(data, source, self.torch_group, tag), self, "Receive", data)

    def _agree_with(self, other: int, is_sent: bool, tag: int, data: torch.Tensor) -> None:
        if self._agreement is not None:
            own = self.ranks[self.rank]
            ends = (own, other) if is_sent else (other, own)
            tensor = f"{data.numel()} elements of {str(data.dtype).removeprefix('torch.')}"
            with of_others():
                self._agreement.on_transfer(*ends, tag, tensor)

    def exchange(
        self, sent: Sequence[tuple[torch.Tensor, int]], received: Sequence[tuple[torch.Tensor, int]]
    ) -> Sequence[Work]:
        own_rank = self.ranks[self.rank]  # torch sends nothing to the process itself
        kept = iter([data for data, rank in sent if rank == own_rank])
        transfers = [
            dist.P2POp(dist.isend, data.contiguous(), rank, self.torch_group) for data, rank in sent if rank != own_rank
        ]
        for data, rank in sent:
            if rank != own_rank:
                self._agree_with(rank, True, 0, data)
        for place, rank in received:
            if rank == own_rank:
                place.copy_(next(kept))
            else:
                self._agree_with(rank, False, 0, place)
                transfers.append(dist.P2POp(dist.irecv, place, rank, self.torch_group))
        return dist.batch_isend_irecv(transfers) if transfers else []

    def barrier(self, later: Later = None) -> None:
        begin = partial(dist.barrier, self.torch_group, device_ids=self._device_ids)
        self._run_collective("Barrier", None, begin, None, later)

    def close(self) -> None:
        if self.torch_group is None:
            _boards.clear()
        dist.destroy_process_group(self.torch_group)


class _UnderWay:
    """An operation of torch.distributed that was begun.

    Args:
        work: torch's; None for a process that is not in the group, which `communicator` names before.
        members: the group.
        kind: what it is, for those who observe.
        data: what is sent, or filled; None for a barrier.
    """

    def __init__(self, work: Any, members: TorchProcesses, kind: str, data: torch.Tensor | None) -> None:
        self._work, self._members, self._kind, self._data = work, members, kind, data

    def wait(self) -> None:
        """Wait until it is done; on a device, until the work that follows there will wait for it."""
        start = time.perf_counter() if observers.active else 0.0
        with of_others():
            if self._data is None or self._data.is_cpu:
                self._work.wait(self._members.timeout)  # Gloo's own timeout is not for what is awaited (torch 2.13)
            else:
                self._work.wait()
        if observers.active and self._data is not None:
            observers.communicated(self._kind, self._data.nbytes, time.perf_counter() - start)


def start(launch: Launch, backend: str, timeout: timedelta | None = None, store: Any = None) -> TorchProcesses:
    """Meet the other processes.

    Args:
        launch: what the launcher said.
        backend: torch's name, such as "gloo" or "nccl".
        timeout: how long to wait for the others, now and in every operation; None for 30 minutes.
        store: where they meet; None for the address and port of the launch.

    Raises:
        RuntimeError: the port is in use, or the process 0 cannot be reached.
        ValueError: the process 0 was passed another number of processes.
    """
    timeout, rank = timeout or _TIMEOUT, -1 if launch.rank is None else launch.rank
    if launch.has_scheduler:
        store = TCPStore(launch.address, launch.port, is_master=False, timeout=timeout, wait_for_workers=False)
        rank = store.add("ranks", 1) - 1 if rank < 0 else rank
        atexit.register(store.set, f"left {rank}", "1")
    if store is None:
        store = _meeting_place(launch, rank, timeout)
    # A store of torchrun outlives what was started before, and groups; all processes have joined as often.
    store = PrefixStore(f"msbridge/{os.environ.get('TORCHELASTIC_RESTART_COUNT', '0')}/{next(_joined)}", store)
    _check_members(store, rank, launch.size, timeout)
    _boards[:] = [Board(store, rank, launch.size)]
    with of_others():
        dist.init_process_group(backend, rank=rank, world_size=launch.size, timeout=timeout, store=store)
        if backend == "gloo":
            dist.barrier()  # a process whose script is over at once would leave others that are still connecting
    atexit.register(_destroy_groups)
    _show_where_it_ends()
    return TorchProcesses(range(launch.size), timeout=timeout)


def _meeting_place(launch: Launch, rank: int, timeout: timedelta) -> Any:
    """Return a store that process 0 keeps, or torchrun."""
    is_kept_here = rank == 0 and os.environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True"
    try:
        return TCPStore(launch.address, launch.port, launch.size, is_kept_here, timeout, wait_for_workers=False)
    except (dist.DistNetworkError, dist.DistStoreError) as error:
        at = f"port {launch.port} of {launch.address}"
        if "EADDRINUSE" in str(error):
            raise RuntimeError(
                f"init: {at}, where the processes meet, is in use: another run may not have ended. "
                "Set MASTER_PORT to a free one."
            ) from error
        raise RuntimeError(f"init: the process 0 cannot be reached at {at} in {timeout}: is it running?") from error


def _check_members(store: Any, rank: int, size: int, timeout: timedelta) -> None:
    """Refuse to continue where processes were passed another number of them, or have not come in time.

    Raises:
        RuntimeError: some have not come, which process 0 sees.
        ValueError: process 0 was passed another number.
    """
    if rank:
        store.set(f"here {rank}", "")
        if (wanted := int(store.get("size"))) != size:
            raise ValueError(
                f"init: this process, rank {rank}, was started as one of {size}, but rank 0 as one of {wanted}."
            )
        return
    store.set("size", str(size))
    places = {other: f"here {other}" for other in range(1, size)}
    try:
        store.wait(list(places.values()), timeout)
    except RuntimeError as error:  # what torch raises after the timeout
        missing = [str(other) for other, place in places.items() if not store.check([place])]
        ranks = f"rank{'s' if missing[1:] else ''} {', '.join(missing)}"
        raise RuntimeError(f"init: {ranks} of {size} did not come in {timeout}: are they running?") from error


def _destroy_groups() -> None:
    """End the groups before the interpreter ends: gloo's threads that still run abort it then (torch 2.13)."""
    for board in _boards:
        board.tell_end()
    if dist.is_initialized():
        dist.destroy_process_group()


def _show_where_it_ends() -> None:
    """Print the Python lines where Gloo aborts this process, and where a launcher asks by SIGUSR1 what it does."""
    with suppress(ValueError, AttributeError, OSError, RuntimeError):  # without a stderr, or signals (Windows)
        if not faulthandler.is_enabled():
            faulthandler.enable()
        if signal.getsignal(signal.SIGUSR1) is signal.SIG_DFL:
            faulthandler.register(signal.SIGUSR1, all_threads=False)


def schedule(launch: Launch) -> None:
    """Keep the meeting place of the workers until all of them have left."""
    if launch.size > 1:
        store = TCPStore("0.0.0.0", launch.port, is_master=True, timeout=_TIMEOUT, wait_for_workers=False)
        store.wait([f"left {rank}" for rank in range(launch.size)], timedelta(days=365))


def form(ranks: Sequence[int]) -> TorchProcesses | None:
    """Create a group of some of the world's processes; every process of the world calls this. None for non-members."""
    group = dist.new_group(list(ranks))
    return TorchProcesses(ranks, group) if dist.get_rank() in ranks else None
