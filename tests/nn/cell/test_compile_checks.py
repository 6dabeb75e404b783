"""Compiling Cells ahead of a call, beyond what tests/oracle/cases/compiling.py records."""

import copy
from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops

X = Tensor(np.ones((2, 3)), ms.float32)


class Drawing(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.dropout = nn.Dropout(p=0.5)
        self.calls = 0

    def construct(self, x: Tensor) -> Tensor:
        self.calls += 1
        print("called")
        return self.dropout(self.norm(self.dense(x)))


def test_nothing_is_drawn_printed_or_changed(capsys: pytest.CaptureFixture[str]) -> None:
    net = Drawing().set_train()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
    step.set_train()
    before = {one.name: one.asnumpy().copy() for one in step.get_parameters()}
    ms.set_seed(3)
    first = ops.standard_normal((4,)).asnumpy()
    ms.set_seed(3)
    step.compile(X, Tensor(np.ones((2, 4)), ms.float32))
    with pytest.raises(ValueError, match="For 'MSELoss'"):
        step.compile(X, Tensor(np.ones((2, 5)), ms.float32))
    assert (ops.standard_normal((4,)).asnumpy() == first).all()
    assert all((one.asnumpy() == before[one.name]).all() for one in step.get_parameters())
    assert net.calls == 0
    assert capsys.readouterr().out == ""
    assert isinstance(float(step(X, Tensor(np.ones((2, 4)), ms.float32)).asnumpy()), float)


def test_an_error_that_values_decide_waits_for_the_call() -> None:
    embedding = nn.Embedding(3, 4)
    embedding.compile(Tensor([7]))
    with pytest.raises(RuntimeError, match="row numbers"):
        embedding(Tensor([7]))


def test_an_error_that_torch_does_not_see_without_values_comes_in_the_words_of_the_call() -> None:
    net = nn.Dense(3, 4)
    with pytest.raises(TypeError) as compiled:
        net.compile(Tensor(np.ones((2, 3)), ms.int32))
    with pytest.raises(TypeError) as called:
        net(Tensor(np.ones((2, 3)), ms.int32))
    assert str(compiled.value) == str(called.value)


def test_what_cannot_be_copied_is_not_looked_at() -> None:
    net = nn.Dense(3, 4)
    net.generator = (one for one in ())
    net.compile(Tensor(np.ones((2, 5)), ms.float32))


def test_functions_of_the_script_leave_the_network_as_it_is() -> None:
    net = nn.Dense(3, 4)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)

    class Step(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.net = net
            gradients = ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)
            self.function = lambda x: optimizer(gradients(x)[1])

        def construct(self, x: Any) -> Any:
            return self.function(x)

    weight = net.weight.asnumpy().copy()
    Step().compile(X)
    assert (net.weight.asnumpy() == weight).all()
    Step()(X)
    assert (net.weight.asnumpy() != weight).any()


def test_the_copy_of_a_training_step_trains_the_copy_of_its_network() -> None:
    net = nn.Dense(3, 4)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    weight = net.weight.asnumpy().copy()
    twin = copy.deepcopy(step)
    twin(X, Tensor(np.ones((2, 4)), ms.float32))
    assert (net.weight.asnumpy() == weight).all()
    assert (twin.network.backbone_network.weight.asnumpy() != weight).any()
