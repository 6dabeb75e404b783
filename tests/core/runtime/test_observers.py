"""Observers are told what happens on the way of a step, and nothing once they are removed."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from msbridge import nn
from msbridge.core.autograd.grad import value_and_grad
from msbridge.core.runtime import observers
from msbridge.core.runtime.device_to_host import link
from msbridge.core.tensor.tensor import Tensor


class Notes(observers.Observer):
    def __init__(self) -> None:
        self.events: list[str] = []

    def begin_gradients(self, inputs: Any, weights: Any) -> None:
        self.events.append(f"gradients of {len(weights)} weights at {len(inputs)} inputs")

    def end_gradients(self, gradients: Any) -> None:
        self.events.append("no gradients" if gradients is None else f"{len(gradients)} gradients")

    def update(self, optimizer: Any) -> None:
        self.events.append(f"update by {type(optimizer).__name__}")

    def read(self, data: Any, is_waiting: bool) -> None:
        self.events.append(f"read of {data.numel()}, {'waiting' if is_waiting else 'done'}")


@pytest.fixture
def notes() -> Iterator[Notes]:
    link.reset()
    notes = Notes()
    observers.add(notes)
    yield notes
    observers.remove(notes)


def test_a_step_written_by_hand_is_told_of(notes: Notes) -> None:
    net = nn.Dense(2, 1)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    compute = value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)
    loss, gradients = compute(Tensor(np.ones((3, 2), np.float32)))
    optimizer(gradients)
    notes.events = [event for event in notes.events if "read" not in event]
    loss.asnumpy()
    loss.asnumpy()
    assert notes.events == [
        "gradients of 2 weights at 1 inputs",
        "2 gradients",
        "update by SGD",
        "read of 1, waiting",
        "read of 1, done",
    ]


def test_a_function_that_fails_gives_no_gradients(notes: Notes) -> None:
    with pytest.raises(ZeroDivisionError):
        value_and_grad(lambda x: x / (1 // 0))(Tensor([1.0]))
    assert notes.events == ["gradients of 0 weights at 1 inputs", "no gradients"]


def test_a_gradient_function_inside_another_is_part_of_it(notes: Notes) -> None:
    value_and_grad(lambda x: value_and_grad(lambda y: y * y)(x)[1])(Tensor(1.0))
    assert notes.events == ["gradients of 0 weights at 1 inputs", "1 gradients"]


def test_who_is_removed_is_told_nothing(notes: Notes) -> None:
    observers.remove(notes)
    observers.remove(notes)
    Tensor(1.0).asnumpy()
    assert notes.events == []
    assert observers.active == ()
