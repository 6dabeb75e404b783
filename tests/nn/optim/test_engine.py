"""The update engine: what shares a bucket, what is read when, what one call of a rule gets."""

from contextlib import nullcontext

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

import msbridge as ms
from msbridge import Parameter, Tensor, mint, nn
from msbridge.core.parameter.step_scalars import on_device
from msbridge.nn.optim import experimental
from msbridge.nn.optim.engine import Engine
from msbridge.nn.optim.skipping import update_unless
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


class Recorder(TorchDispatchMode):
    """Repeats what torch was told to do, on the same memory: what a captured graph does."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple] = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        assert function.name() not in ("aten::_local_scalar_dense", "aten::item"), "a value was read while recording"
        result = function(*args, **(kwargs or {}))
        self.calls.append((function, args, kwargs or {}, result))
        return result

    def replay(self) -> None:
        for function, args, kwargs, result in self.calls:
            again = function(*args, **kwargs)
            for old, new in zip(tree_leaves(result), tree_leaves(again), strict=True):
                if isinstance(old, torch.Tensor) and old.data_ptr() != new.data_ptr():
                    old.copy_(new)


class Halving(LearningRateSchedule):
    def construct(self, global_step: Tensor) -> Tensor:
        return 0.25 * 0.5 ** global_step.astype(ms.float32)


class Growing(nn.Cell):
    def construct(self, global_step: Tensor) -> Tensor:
        return 0.01 * global_step.astype(ms.float32)


EVERY = {
    "Momentum": lambda p: nn.Momentum(p, 0.1, 0.9, 0.01),
    "Momentum nesterov": lambda p: nn.Momentum(p, [0.1, 0.2, 0.3, 0.4, 0.5], 0.9, use_nesterov=True),
    "Momentum of zero": lambda p: nn.Momentum(p, Halving(), 0.0, Growing()),
    "SGD": lambda p: nn.SGD(p, Halving(), 0.9, 0.5, 0.01),
    "SGD without momentum": lambda p: nn.SGD(p, [0.1, 0.2, 0.3, 0.4, 0.5]),
    "Adam": lambda p: nn.Adam(p, 0.1, weight_decay=0.1),
    "Adam nesterov": lambda p: nn.Adam(p, Halving(), use_nesterov=True, weight_decay=Growing(), loss_scale=8.0),
    "Adam amsgrad": lambda p: nn.Adam(p, 0.1, use_amsgrad=True),
    "LazyAdam": lambda p: nn.LazyAdam([{"params": p[:1], "lr": 0.2}, {"params": p[1:]}], Halving()),
    "AdamWeightDecay": lambda p: nn.AdamWeightDecay(p, Halving(), weight_decay=Growing()),
    "AdaMax": lambda p: nn.AdaMax(p, 0.1),
    "Lamb": lambda p: nn.Lamb(p, Halving(), weight_decay=Growing()),
    "RMSProp": lambda p: nn.RMSProp(p, Halving(), momentum=0.5, centered=True),
    "Adagrad": lambda p: nn.Adagrad(p, learning_rate=Halving()),
    "ProximalAdagrad": lambda p: nn.ProximalAdagrad(p, learning_rate=Halving(), l1=0.1, l2=0.1),
    "Adadelta": lambda p: nn.Adadelta(p, Halving()),
    "FTRL": lambda p: nn.FTRL(p, learning_rate=0.1, l1=0.1, l2=0.1),
    "LARS": lambda p: nn.LARS(nn.Momentum(p, Halving(), 0.9, Growing(), 8.0), coefficient=0.5),
    "LARS clipped": lambda p: nn.LARS(nn.Momentum(p, [0.1, 0.2, 0.3, 0.4, 0.5], 0.9), 1e-3, 0.2, use_clip=True),
    "Rprop": lambda p: nn.Rprop(p),
    "ASGD": lambda p: nn.ASGD(p, Halving(), t0=2.0),
    "experimental.SGD": lambda p: experimental.SGD(p, 0.1, 0.9, 0.5, 0.01),
    "experimental.Adam": lambda p: experimental.Adam(p, 0.1),
    "experimental.AdamW": lambda p: experimental.AdamW(p, 0.1, amsgrad=True),
    "experimental.Adamax": lambda p: experimental.Adamax(p, 0.1),
    "experimental.NAdam": lambda p: experimental.NAdam(p, 0.1),
    "experimental.RAdam": lambda p: experimental.RAdam(p, 0.1, betas=(0.9, 0.9)),
    "experimental.RMSprop": lambda p: experimental.RMSprop(p, 0.1, momentum=0.5),
    "experimental.Adagrad": lambda p: experimental.Adagrad(p, 0.1, lr_decay=0.5),
    "experimental.Adadelta": lambda p: experimental.Adadelta(p, 0.1),
    "experimental.Rprop": lambda p: experimental.Rprop(p),
    "experimental.ASGD": lambda p: experimental.ASGD(p, t0=2.0),
    "mint.SGD": lambda p: mint.optim.SGD(p, 0.1, 0.9, 0.5),
    "mint.Adam": lambda p: mint.optim.Adam(p, 0.1, amsgrad=True),
    "mint.AdamW": lambda p: mint.optim.AdamW(p, 0.1),
}


def same_state(left: nn.Cell, right: nn.Cell, where: str, tolerance: float) -> None:
    for a, b in zip(left.get_parameters(), right.get_parameters(), strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), tolerance, tolerance, err_msg=f"{a.name}, {where}")


def rows() -> list[list[np.ndarray]]:
    draw = np.random.default_rng(0)
    return [[draw.normal(size=2).astype(np.float32) for _ in range(2)] for _ in range(5)]


@pytest.mark.parametrize("name", EVERY)
def test_a_step_recorded_with_scalars_on_the_device_can_be_repeated(name: str) -> None:
    """Steps on numbers are the judge; two go before the recording, as they do before a graph is captured."""
    plain, recorded = EVERY[name](parameters(2)), EVERY[name](parameters(2))
    gradients = [Tensor(np.zeros(2, np.float32)) for _ in range(2)]
    recorder = Recorder()
    for count, row in enumerate(rows()):
        plain([Tensor(value) for value in row])
        for gradient, value in zip(gradients, row, strict=True):
            gradient.copy_(Tensor(value))
        if count < 2:
            with on_device():
                recorded(gradients)
        elif count > 2:
            recorder.replay()
        else:
            with on_device(), recorder:
                recorded(gradients)
        same_state(plain, recorded, f"step {count}", 2e-6)


@pytest.mark.parametrize("name", EVERY)
def test_a_step_that_overflowed_changes_nothing_and_the_next_goes_on_from_there(name: str) -> None:
    """The judge is the optimizer that never saw the gradients that overflowed."""
    plain, skipping = EVERY[name](parameters(2)), EVERY[name](parameters(2))
    for count, row in enumerate(rows()):
        gradients = [Tensor(value) for value in row]
        with Recorder():
            update_unless(Tensor(True), skipping, [gradient * np.inf for gradient in gradients])
            update_unless(Tensor(False), skipping, gradients)
        with on_device():
            plain(gradients)
        same_state(plain, skipping, f"step {count}", 0.0)


def test_lars_scales_each_gradient_to_its_parameter() -> None:
    """The judge is the formula of the documentation; the wrapped optimizer passes its weight decay."""
    weight, bias = (Parameter(Tensor([3.0, 4.0]), name=name) for name in ("weight", "bias"))
    optimizer = nn.LARS(nn.SGD([weight, bias], 1.0, weight_decay=0.1, loss_scale=2.0), 1e-3, 0.5)
    optimizer([Tensor([2.0, 0.0])] * 2)
    decay = 0.1 / 2.0
    ratio = 0.5 * 5.0 / (1.0 + decay * 5.0 + 1e-3)
    wanted = np.array([3.0, 4.0]) - ratio * (np.array([1.0, 0.0]) + decay * np.array([3.0, 4.0]))
    np.testing.assert_allclose(weight.asnumpy(), wanted, 1e-6)
    np.testing.assert_allclose(bias.asnumpy(), [2.0, 4.0], 1e-6)
    assert optimizer.global_step.asnumpy().tolist() == [1]


@pytest.mark.parametrize("ask", [nullcontext, on_device])
def test_a_list_of_rates_that_has_ended_says_so_on_the_cpu(ask):
    optimizer = nn.SGD(parameters(1), [0.1])
    with ask():
        optimizer(ones(1))
        with pytest.raises(RuntimeError, match="has 1 entries, but step 1 was reached"):
            optimizer(ones(1))


@pytest.mark.compiles
@pytest.mark.needs(torch_release="2.9")
def test_a_compiled_step_is_one_graph_that_goes_on_counting():
    """Nothing of it is a number that the compiler would freeze, or read."""
    plain, compiled = (nn.Adam(parameters(1), [0.1, 0.2, 0.3]) for _ in range(2))
    step = torch.compile(lambda gradient: compiled.construct([gradient]), backend="eager", fullgraph=True)
    for gradient in ones(3):
        plain([gradient])
        step(gradient)
    same_state(plain, compiled, "three steps", 2e-6)


@pytest.mark.parametrize("make", [lambda p: nn.SGD(p, 0.5), lambda p: nn.Momentum(p, 0.5, 0.9), nn.Adam, nn.Adagrad])
def test_gradients_of_other_strides_are_taken_as_they_read(make: object) -> None:
    """Those of a transposed or broadcast weight; torch's fused kernels would take their memory for the weight's."""
    array = np.arange(6, dtype=np.float32).reshape(3, 2).T
    views = [torch.from_numpy(array), torch.ones(1, 1).expand(2, 3), torch.from_numpy(array.copy()).T.contiguous().T]
    for view in views:
        weights = [Parameter(Tensor(np.ones((2, 3), np.float32)), name="w") for _ in range(2)]
        make(weights[:1])((Tensor(view),))
        make(weights[1:])((Tensor(view.contiguous()),))
        assert np.array_equal(weights[0].asnumpy(), weights[1].asnumpy())


def test_a_transposed_weight_is_trained_by_its_gradient() -> None:
    weight, other = Parameter(Tensor(np.ones((2, 3), np.float32)), name="w"), Tensor(np.arange(6.0).reshape(3, 2))
    _, gradients = ms.value_and_grad(lambda: (weight.T * other).sum(), None, [weight])()
    nn.SGD([weight], 1.0)(gradients)
    np.testing.assert_allclose(weight.asnumpy(), 1 - other.asnumpy().T)
