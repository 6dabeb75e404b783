"""Functions that are computed again in the backward pass."""

import contextlib
import gc
import weakref
from contextlib import contextmanager

import torch

import msbridge as ms
from benchmarks.live_memory import LiveBytes
from msbridge import Tensor, nn, ops
from msbridge.core.autograd.recompute import set_early_stop


def test_a_block_is_run_again_with_the_same_random_numbers() -> None:
    net = nn.Dropout(p=0.5).set_train()
    x = ops.ones(64, ms.float32)
    value, gradient = ms.value_and_grad(lambda x: (ms.recompute(net, x) * x).sum())(x)
    assert value.item() * 2 == gradient.sum().item()


def test_the_contexts_stand_around_the_first_run_and_the_second() -> None:
    seen: list[str] = []

    @contextmanager
    def noting(name: str):
        seen.append(name)
        yield

    def block(x: Tensor) -> Tensor:
        return ops.exp(x)

    x = Tensor([1.0], ms.float32)
    ms.recompute(block, x, use_reentrant=False, context_fn=lambda: (noting("first"), noting("second")))
    assert seen == ["first"]
    ms.grad(
        lambda x: ms.recompute(block, x, use_reentrant=False, context_fn=lambda: (noting("first"), noting("second")))
    )(x)
    assert seen == ["first", "first", "second"]


def test_a_block_runs_to_its_end_where_that_is_asked_for() -> None:
    ends: list[int] = []

    def block(x: Tensor) -> Tensor:
        y = ops.exp(x)
        ends.append(1)
        return y

    def counted(early_stop: bool) -> int:
        ends.clear()
        ms.grad(lambda x: ms.recompute(block, x, use_reentrant=False, early_stop=early_stop))(Tensor([1.0], ms.float32))
        return len(ends)

    assert (counted(True), counted(False)) == (1, 2)
    with set_early_stop(False):
        assert counted(True) == 2


def test_what_was_computed_again_goes_without_the_garbage_collector() -> None:
    class Block(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.dense, self.norm = nn.Dense(8, 8), nn.LayerNorm((8,))

        def construct(self, x: Tensor) -> Tensor:
            return ops.relu(self.norm(self.dense(x)))

    block = Block()
    block.recompute()
    compute = ms.grad(lambda x: block(x).sum())
    x = ops.ones((4, 8), ms.float32)
    compute(x)
    gc.collect()
    gc.disable()
    try:
        with LiveBytes([x._data]) as live:
            for _ in range(3):
                compute(x)
            assert live.now < 1024  # each of the three computes more than that
    finally:
        gc.enable()


def test_want_of_memory_that_is_caught_lets_go_of_the_tensors_of_its_frames() -> None:
    class Failing(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            y = x + 1
            kept.append(weakref.ref(y._data))
            raise torch.OutOfMemoryError

    kept: list[weakref.ref[object]] = []
    gc.disable()
    try:
        with contextlib.suppress(torch.OutOfMemoryError):
            Failing()(ops.ones((2, 2), ms.float32))
        assert kept[0]() is None
    finally:
        gc.enable()


class _Squared(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Dense(3, 4)
        self.last = nn.Dense(4, 1)

    def construct(self, x: Tensor) -> Tensor:
        return (self.last(ops.tanh(self.first(x))) ** 2).sum()


def _second_derivatives(net: nn.Cell, x: Tensor) -> list[list[float]]:
    of_gradient = ms.grad(lambda x: (ms.grad(net)(x) ** 2).sum(), None, net.trainable_params())
    return [gradient.asnumpy().tolist() for gradient in of_gradient(x)]


def test_a_gradient_of_the_gradient_of_layers_that_are_computed_again() -> None:
    """The aliases of the inner gradient function are no longer lent when the outer one computes the layer again."""
    net, x = _Squared(), Tensor([[1.0, -2.0, 0.5]])
    plain = _second_derivatives(net, x)
    net.first.recompute()
    assert _second_derivatives(net, x) == plain


def test_layers_inside_a_cell_of_half_precision_are_computed_again_in_it() -> None:
    net, x = _Squared().to_float(ms.float16), Tensor([[1.0, -2.0, 0.5]])
    plain = [gradient.asnumpy().tolist() for gradient in ms.grad(net, None, net.trainable_params())(x)]
    net.first.recompute()
    assert [gradient.asnumpy().tolist() for gradient in ms.grad(net, None, net.trainable_params())(x)] == plain
