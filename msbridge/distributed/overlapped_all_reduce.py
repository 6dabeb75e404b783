"""Gradients that are reduced over processes while the backward pass still computes others."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
import torch.distributed as dist

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.gradient_buckets import BUCKET_BYTES, buckets
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.processes import of_others

__all__ = ["OverlappedReduction"]

_FIRST_BYTES = 2**20  # the last layers' gradients are there first: a small message of them starts early
_MAX_PENDING_BUCKETS = (
    2  # buckets of other processes' gradients that are kept until they have gone; more take memory only
)


class OverlappedReduction:
    """Adds up the gradients of parameters over processes, a bucket of them as soon as all of its are there.

    Autograd calls a hook of a leaf as soon as its gradient is there; a function around the weights, called before all
    others, it would call last. Buckets go in the order of the parameters from the last on, in any order of arrival, so
    that all processes send the same.

    Args:
        parameters: what is differentiated.
        members: the processes.
        mean: whether the sums are divided by their number.
        owners: the only process, by its number in the group, that gets the sum of each; the others get zeros that
            take no memory. None: all processes get all.
    """

    def __init__(
        self,
        parameters: Sequence[Parameter],
        members: Communicator,
        mean: bool,
        owners: Sequence[int] | None = None,
    ) -> None:
        self._parameters, self._members, self._divisor = tuple(parameters), members, members.size if mean else 1
        datas = [parameter._data for parameter in reversed(self._parameters)]
        last = len(datas) - 1
        groups = buckets(datas, BUCKET_BYTES, _FIRST_BYTES, None if owners is None else owners[::-1])
        self._places = [[last - place for place in group] for group in groups]
        self._owners = None if owners is None else [owners[places[0]] for places in self._places]
        self._flats: list[torch.Tensor | None] = []
        self._parts: list[Sequence[torch.Tensor]] = []
        self._missing: list[set[int]] = []
        self._works: list[Any] = []
        members.agree("a training step with gradients", *datas)
        self._hooks: list[Any] = []

    def around(self, network: Callable[..., Any]) -> Callable[..., Any]:
        """Return `network` with its gradients observed; a gradient function of these parameters may call it."""

        def run_overlapped(*args: Any, **kwargs: Any) -> Any:
            if torch.compiler.is_compiling():
                return network(*args, **kwargs)
            self._start_recording()
            for number, places in enumerate(self._places):
                for index, place in enumerate(places):
                    data = self._parameters[place]._data
                    if data.requires_grad and data.is_leaf:
                        self._hooks.append(data.register_hook(partial(self.take, number, index)))
            return network(*args, **kwargs)

        return run_overlapped

    @property
    def has_begun(self) -> bool:
        """Whether `network` has run since the last `finish`."""
        return bool(self._missing)

    def finish(self, gradients: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Return the gradients of all processes, of those that a gradient function returned for the parameters."""
        results = [gradient._data for gradient in gradients]
        for number, places in enumerate(self._places):
            for index in sorted(self._missing[number]):  # nothing that was computed depends on these
                results[places[index]] = self.take(number, index, results[places[index]])
        for number in range(len(self._works)):
            self._wait_for_bucket(number)
        for number, (flat, places) in enumerate(zip(self._flats, self._places, strict=True)):
            if flat is None or not self._is_wanted(number):
                continue
            if self._divisor != 1:
                torch.div(flat, self._divisor, out=flat)
            for place, part in zip(places, self._parts[number], strict=True):
                results[place] = part
        self._stop_recording()
        return tuple(map(wrap, results))

    def take(self, number: int, index: int, gradient: torch.Tensor) -> torch.Tensor:
        """Put a gradient into its bucket, which goes when it is full, and return where the sum will be."""
        if index not in self._missing[number]:  # a gradient of a gradient: it is not for the update
            return gradient
        if (flat := self._flats[number]) is None:
            models = [self._parameters[place]._data for place in self._places[number]]
            flat = self._flats[number] = gradient.new_empty(
                sum(model.numel() for model in models), dtype=models[0].dtype
            )
            pieces = flat.split([model.numel() for model in models])
            self._parts[number] = [piece.view(model.shape) for piece, model in zip(pieces, models, strict=True)]
        part = self._parts[number][index]
        part.copy_(gradient.detach())
        self._missing[number].discard(index)
        self._send_full_bucket()
        return part if self._is_wanted(number) else gradient.new_zeros(()).expand(gradient.shape)

    def _start_recording(self) -> None:
        self._stop_recording()
        self._flats, self._works = [None] * len(self._places), []
        self._parts = [()] * len(self._places)
        self._missing = [set(range(len(places))) for places in self._places]

    def _stop_recording(self) -> None:
        for hook in self._hooks:
            hook.remove()
        self._flats, self._parts, self._missing, self._hooks = [], [], [], []

    def _send_full_bucket(self) -> None:
        group = self._members.torch_group
        while (number := len(self._works)) < len(self._flats) and not self._missing[number]:
            flat: torch.Tensor = self._flats[number]  # type: ignore[assignment]  # it is full, and so it is there
            if self._owners is None:
                self._works.append(dist.all_reduce(flat, group=group, async_op=True))
                continue
            root = self._members.ranks[self._owners[number]]
            self._works.append(dist.reduce(flat, root, group=group, async_op=True))
            self._let_go(number - _MAX_PENDING_BUCKETS)

    def _let_go(self, number: int) -> None:
        """Free a bucket that another process wanted, once it has gone."""
        if number >= 0 and not self._is_wanted(number):
            self._wait_for_bucket(number)
            self._flats[number], self._parts[number], self._works[number] = None, (), None

    def _wait_for_bucket(self, number: int) -> None:
        """Wait for a bucket's transfer, if it was not waited for before."""
        if (work := self._works[number]) is None:
            return
        start = time.perf_counter() if observers.active else 0.0
        with of_others():
            if self._flats[number].is_cpu:  # type: ignore[union-attr]
                work.wait(self._members.timeout)  # Gloo's own timeout is not for what is awaited later (torch 2.13)
            else:
                work.wait()
        if observers.active:
            flat: torch.Tensor = self._flats[number]  # type: ignore[assignment]  # it has been under way
            kind = "AllReduce" if self._owners is None else "Reduce"
            behind = sum(one.nbytes for one in self._flats if one is not None)
            observers.communicated(kind, flat.nbytes, time.perf_counter() - start, behind)

    def _is_wanted(self, number: int) -> bool:
        """Whether this process gets the sums of a bucket."""
        return self._owners is None or self._owners[number] == self._members.rank
