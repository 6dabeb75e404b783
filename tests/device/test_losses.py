"""Losses of eager steps. Judge: what the steps returned."""

import numpy as np
import torch

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.device import losses
from msbridge.device.losses import LossList


def test_losses_are_those_that_were_returned():
    kept = LossList()
    kept.record(Tensor(np.float32(1)))
    kept.record((Tensor(np.array([2], np.float32)), Tensor(np.float32(9))))
    kept.record(Tensor(np.ones(4, np.float32)))
    kept.record(None)
    kept.record(Tensor(np.float16(3)))
    assert kept.values().tolist() == [1, 2, 3]
    assert kept.values().dtype == torch.float32


def test_many_losses_are_joined(monkeypatch):
    monkeypatch.setattr(losses, "CHUNK", 4)
    kept = LossList()
    for number in range(10):
        kept.record(Tensor(np.float32(number)))
    assert len(kept._newest) == 2
    assert kept.values().tolist() == list(range(10))
    kept.clear()
    assert kept.values().tolist() == []


def test_history_is_let_go_and_parameters_are_copied():
    kept = LossList()
    weight = torch.ones((), requires_grad=True)
    kept.record(wrap(weight * 2))
    parameter = Parameter(Tensor(np.float32(5)), name="p")
    kept.record(parameter)
    parameter.set_data(Tensor(np.float32(6)))
    assert not kept._newest[0].requires_grad
    assert kept.values().tolist() == [2, 5]
