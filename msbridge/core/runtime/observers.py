"""Observers of the work submitted to the device; without one, an operator pays for a single check.

What happens is reported to every observer in `active`, in the thread in which it happens.
"""

from collections.abc import Sequence
from typing import Any

import torch

__all__ = ["Observer", "add", "call_out", "communicated", "remove"]


class Observer:
    """Base of observers: a subclass overrides the events that it needs."""

    def begin_gradients(self, inputs: Sequence[Any], weights: Sequence[Any]) -> None:
        """An outermost gradient function begins.

        Args:
            inputs: what its function is called with.
            weights: the Parameters that are differentiated.
        """

    def end_gradients(self, gradients: Sequence[torch.Tensor] | None) -> None:
        """Notify that the gradient function has ended; None means gradients that it failed to compute."""

    def update(self, optimizer: Any) -> None:
        """An optimizer is about to update its parameters."""

    def begin_step(self) -> None:
        """A step of a Model or of a sink begins."""

    def end_step(self) -> None:
        """Notify that the step was submitted to the device."""

    def begin_sink(self) -> None:
        """A sink begins: steps between which the host does not wait."""

    def end_sink(self, capture: str) -> None:
        """A sink has ended, and the host has waited for the device.

        Args:
            capture: whether its steps were replayed as a graph, in words.
        """

    def read(self, data: torch.Tensor, is_waiting: bool) -> None:
        """The host reads a value; it waits, if steps are under way."""

    def call_out(self, what: str) -> None:
        """A network does more than compute: it calls a hook of the script's, or hands a value out to a summary."""

    def communicated(self, kind: str, size: int, seconds: float, behind: int) -> None:
        """The processes of a group have exchanged tensors.

        Args:
            kind: of the operation, such as "AllReduce".
            size: the bytes that this process sent.
            seconds: how long the host waited for it.
            behind: bytes of all operations that were under way while the backward pass computed, if it was one; else 0.
        """

    def wait_for_data(self, seconds: float) -> None:
        """Whoever takes batches had to wait for one."""

    def wait_for_device(self, seconds: float) -> None:
        """The host waited for the device at the end of a sink."""


active: tuple[Observer, ...] = ()


def add(observer: Observer) -> None:
    """Register an observer."""
    global active
    if observer not in active:
        active = (*active, observer)


def remove(observer: Observer) -> None:
    """Remove an observer; one that was never added may be removed, too."""
    global active
    active = tuple(one for one in active if one is not observer)


def communicated(kind: str, size: int, seconds: float, behind: int = 0) -> None:
    """Notify the observers of an operation between processes."""
    for observer in active:
        observer.communicated(kind, size, seconds, behind)


def call_out(what: str) -> None:
    """Notify the observers that a network does more than compute: what it does, in words."""
    for observer in active:
        observer.call_out(what)
