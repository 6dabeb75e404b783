"""Optimizers with `param_groups`: what their records do not show. Values: tests/oracle/cases/grouped_optimizers.py."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Parameter, Tensor, nn
from msbridge.nn.optim.experimental import SGD, Adam, AdamW, NAdam, Rprop, lr_scheduler


def parameter(name: str, dtype: ms.dtype.Type = ms.float32) -> Parameter:
    return Parameter(Tensor([1.0, 2.0], dtype), name=name)


def test_adamw_is_torchs() -> None:
    """Judge: torch.optim.AdamW."""
    ours, theirs = parameter("w"), torch.tensor([1.0, 2.0], requires_grad=True)
    here = AdamW([ours], 0.1, amsgrad=True, eps=0.1)
    there = torch.optim.AdamW([theirs], 0.1, amsgrad=True, eps=0.1)
    for gradient in ([0.5, -1.0], [0.1, 0.2], [-0.3, 0.0]):
        here((Tensor(gradient),))
        theirs.grad = torch.tensor(gradient)
        there.step()
    assert np.allclose(ours.asnumpy(), theirs.detach(), atol=1e-6)


def test_a_group_that_is_added_has_state() -> None:
    optimizer = Adam([parameter("a")], 0.1)
    optimizer.add_param_group({"params": parameter("b"), "lr": 0.5})
    names = [p.name for p in optimizer.get_parameters()]
    assert {"b", "exp_avg.b", "exp_avg_sq.b", "max_exp_avg_sq.b"} < set(names)
    optimizer((Tensor([1.0, 1.0]), Tensor([1.0, 1.0])))
    assert np.allclose([p.asnumpy() for p in optimizer.parameters], [[0.9, 1.9], [0.5, 1.5]], atol=1e-6)


def test_parameters_of_two_dtypes_stand_in_one_group() -> None:
    for kind in (SGD, NAdam, Rprop):
        mixed = [parameter("a"), parameter("b", ms.float16)]
        optimizer = kind(mixed, 0.125)
        for _ in range(2):
            optimizer((Tensor([0.5, -0.5]), Tensor([0.5, -0.5])))
        assert [p.dtype for p in mixed] == [ms.float32, ms.float16]
        assert np.allclose(mixed[0].asnumpy(), mixed[1].asnumpy(), atol=2e-3)  # float16: 10 bits of mantissa


def test_all_gradients_are_needed() -> None:
    with pytest.raises(RuntimeError, match="one gradient per parameter is needed: 2, got 1"):
        SGD([parameter("a"), parameter("b")], 0.1)((Tensor([1.0, 1.0]),))


def test_a_parameter_stands_in_one_group() -> None:
    one = parameter("a")
    with pytest.raises(ValueError, match="more than one parameter group: a"):
        SGD([{"params": [one]}, {"params": [one]}], 0.1)
    with pytest.raises(TypeError, match="must have an order"):
        SGD([{"params": {one}}], 0.1)


def test_state_that_is_loaded_goes_on() -> None:
    """The first step of momentum takes the whole gradient, dampened or not; later ones do not."""
    one, other = parameter("a"), parameter("a")
    first, second = (SGD([p], 0.1, momentum=0.9, dampening=0.5) for p in (one, other))
    first((Tensor([1.0, 1.0]),))
    ms.load_param_into_net(second, {p.name: p for p in first.get_parameters()})
    for optimizer in (first, second):
        optimizer((Tensor([1.0, 1.0]),))
    assert np.array_equal(one, other)


def test_milestones_are_found_from_anywhere() -> None:
    optimizer = SGD([parameter("a")], 1.0)
    schedule = lr_scheduler.MultiStepLR(optimizer, [2, 4], 0.5)
    schedule.step(3)
    assert float(schedule.get_last_lr()[0]) == 0.5
    schedule.step(4)
    assert float(schedule.get_last_lr()[0]) == 0.25


def test_warm_restarts_from_anywhere() -> None:
    """Judge: torch.optim.lr_scheduler.CosineAnnealingWarmRestarts."""
    optimizer = SGD([parameter("a")], 0.5)
    ours = lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 2, 2, 0.1)
    torch_optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], 0.5)
    torch_optimizer.step()
    theirs = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(torch_optimizer, 2, 2, 0.1)
    for epoch in (1, 3, 7.5, 0.5):
        assert ours.step(epoch) is None  # as in 2.10; those of the others are True
        theirs.step(epoch)
        assert float(ours.get_last_lr()[0]) == pytest.approx(theirs.get_last_lr()[0], abs=1e-6)
    with pytest.raises(ValueError, match="must >= 0"):
        ours.step(-1)


def test_training_takes_them() -> None:
    net = nn.Dense(2, 1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), SGD(net.trainable_params(), 0.1))
    data, label = Tensor([[1.0, 2.0]]), Tensor([[3.0]])
    losses = [float(step(data, label)) for _ in range(5)]
    assert losses[-1] < losses[0] / 2 or losses[-1] < 1e-3
