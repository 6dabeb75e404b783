"""The update engine: what shares a bucket, what is read when, what one call of a rule gets."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Parameter, Tensor, mint, nn
from msbridge.nn.optim import experimental
from msbridge.nn.optim.engine import Engine
from msbridge.nn.schedules.cells import LearningRateSchedule


def parameters(count: int, dtype: ms.dtype.Type = ms.float32) -> list[Parameter]:
    return [Parameter(Tensor([1.0, 2.0], dtype), name=f"p{index}") for index in range(count)]


def ones(count: int) -> list[Tensor]:
    return [Tensor([1.0, 1.0])] * count


def indices(optimizer: Engine) -> list[list[int] | None]:
    return [bucket.indices for bucket in optimizer._buckets]


def test_all_parameters_of_one_kind_share_a_bucket() -> None:
    assert indices(nn.Adam(parameters(5))) == [None]
    assert indices(experimental.Adam(parameters(5))) == [[0, 1, 2, 3, 4]]
    assert indices(mint.optim.Adam(parameters(5))) == [[0, 1, 2, 3, 4]]


def test_rate_decay_centralization_and_dtype_divide() -> None:
    a, b, c, d, e = parameters(5)
    half = parameters(1, ms.float16)[0]
    half.name = "half"
    groups = [
        {"params": [a, half], "lr": 0.5},
        {"params": [b], "weight_decay": 0.1},
        {"params": [c], "grad_centralization": True},
        {"params": [d, e]},
    ]
    assert indices(nn.SGD(groups, 0.1)) == [[0], [1], [2], [3], [4, 5]]


def test_a_schedule_is_called_once_a_step_with_the_steps_done() -> None:
    seen = []

    class Watched(LearningRateSchedule):
        def construct(self, global_step: Tensor) -> Tensor:
            seen.append((global_step.shape, int(global_step)))
            return Tensor(0.1)

    params = parameters(3)
    optimizer = nn.SGD([{"params": params[:1], "weight_decay": 0.1}, {"params": params[1:]}], Watched())
    assert len(indices(optimizer)) == 2
    for _ in range(3):
        optimizer(ones(3))
    assert seen == [((), 0), ((), 1), ((), 2)]


@pytest.mark.parametrize(
    ("make", "counter"),
    [
        (nn.Momentum, "global_step"),
        (lambda p, *_: experimental.AdamW(p), "state_step"),
        (lambda p, *_: mint.optim.AdamW(p), "state_step"),
        (lambda p, *_: mint.optim.SGD(p, 0.1), "step_t"),
    ],
)
def test_rules_count_from_one_wherever_the_counter_starts(make: object, counter: str) -> None:
    optimizer = make(parameters(2), 0.1, 0.9)
    start = getattr(optimizer, counter).asnumpy().item()
    seen = []
    optimizer._update = lambda bucket, p, g: seen.append(bucket.step)
    for _ in range(3):
        optimizer(ones(2))
    assert seen == [1, 2, 3]
    assert getattr(optimizer, counter).asnumpy().item() == start + 3


def test_a_group_may_stand_still() -> None:
    """A rate of zero is a rate, not the absence of one."""
    params = parameters(2)
    nn.SGD([{"params": params[:1], "lr": 0.0}, {"params": params[1:]}], 0.5)(ones(2))
    assert [p.asnumpy().tolist() for p in params] == [[1.0, 2.0], [0.5, 1.5]]


def test_centralized_gradients_lose_their_mean() -> None:
    weight = Parameter(Tensor(np.zeros((2, 3), np.float32)), name="w")
    nn.SGD([{"params": [weight], "grad_centralization": True}], 1.0)([Tensor([[1.0, 2.0, 3.0], [0.0, 0.0, 6.0]])])
    assert weight.asnumpy().tolist() == [[1.0, 0.0, -1.0], [2.0, 2.0, -4.0]]


@pytest.mark.parametrize(
    "make",
    [
        lambda p: nn.Adam(p, 0.1, use_amsgrad=True),
        lambda p: nn.Adam(p, 0.1, use_nesterov=True),
        lambda p: nn.Lamb(p, 0.1),
        lambda p: nn.FTRL(p),
        lambda p: nn.ASGD(p),
        lambda p: experimental.NAdam(p),
    ],
)
def test_the_number_of_kernels_does_not_grow_with_the_parameters(make: object) -> None:
    """Reductions to scalars and copies of views are counted too; the lists themselves are one call."""

    def kernels(count: int) -> int:
        optimizer = make(parameters(count))
        optimizer(ones(count))
        with torch.profiler.profile() as profile:
            optimizer(ones(count))
        top = [event for event in profile.events() if event.cpu_parent is None]
        return len([event for event in top if event.name.startswith("aten::")])

    assert kernels(8) == kernels(2)


def test_a_gradient_of_another_size_is_refused_in_any_step() -> None:
    weight = Parameter(Tensor([1.0, 2.0, 3.0]), name="weight")
    optimizer = nn.Momentum([weight], 0.1, 0.9)
    optimizer((Tensor([0.1, 0.1, 0.1]),))
    before = weight.asnumpy().copy()
    with pytest.raises(ValueError, match=r"For 'Momentum', the gradient of 'weight' must have its shape \(3,\)"):
        optimizer((Tensor([0.1, 0.1]),))  # torch's fused kernel would read past its end
    assert (weight.asnumpy() == before).all()
