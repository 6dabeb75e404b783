"""Cells of modules and modules of Cells, called by threads that would cross inside: in, in, out, out."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
import torch

import msbridge as ms
from msbridge import Tensor, nn

CROSS_S = 0.2  # how long the first waits for the second to come in, which it must not


class Crossing:
    """A call of which the first stays inside until the second is in, and the second until the first is out."""

    def __init__(self) -> None:
        self.entries = 0
        self.second_in, self.first_out = threading.Event(), threading.Event()

    def __call__(self, *_: Any) -> None:
        self.entries += 1
        if self.entries == 1:
            self.second_in.wait(CROSS_S)
        elif self.entries == 2:
            self.second_in.set()
            self.first_out.wait(120)

    def run(self, first: Callable[[], Any], second: Callable[[], Any]) -> list[Any]:
        found: list[Any] = [None, None]

        def call(index: int, fn: Callable[[], Any]) -> None:
            found[index] = fn()
            if index == 0:
                self.first_out.set()

        threads = [threading.Thread(target=call, args=pair) for pair in enumerate((first, second))]
        threads[0].start()
        while not self.entries:
            threads[0].join(0.001)
        threads[1].start()
        for thread in threads:
            thread.join(30)
        return found


@pytest.mark.parametrize("kind", ["gradient", "inference"])
def test_threads_take_turns_in_a_cell_of_a_module(kind: str) -> None:
    module, crossing = torch.nn.Linear(3, 2), Crossing()
    cell, x = ms.from_torch(module), Tensor([[1.0, 2.0, 3.0]])
    gradient = ms.grad(cell, None, cell.trainable_params())
    serial = [one.asnumpy().tolist() for one in gradient(x)]
    own = dict(module._parameters)
    module.register_forward_hook(crossing)
    second = (lambda: gradient(x)) if kind == "gradient" else (lambda: cell(x))
    first, other = crossing.run(lambda: gradient(x), second)
    assert [one.asnumpy().tolist() for one in first] == serial
    if kind == "gradient":
        assert [one.asnumpy().tolist() for one in other] == serial
    else:
        assert not other._data.requires_grad
    assert all(module._parameters[name] is one for name, one in own.items())


def test_threads_take_turns_in_a_module_of_a_cell() -> None:
    class Pausing(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.weight = ms.Parameter(Tensor([1.0, 2.0]), name="w")
            self.pause: Any = lambda: None

        def construct(self, x: Tensor) -> Tensor:
            self.pause()
            return (x * self.weight).sum()

    cell, x = Pausing(), torch.tensor([3.0, 4.0])
    module = ms.to_torch(cell)
    (weight,) = module.parameters()
    cell.pause = crossing = Crossing()
    found = crossing.run(lambda: torch.autograd.grad(module(x), weight)[0], lambda: module(x).detach())
    assert [one.tolist() for one in found] == [[3.0, 4.0], 11.0]
    assert not cell.weight._data.requires_grad
