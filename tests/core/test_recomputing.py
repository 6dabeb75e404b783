"""Functions that are computed again in the backward pass."""

from contextlib import contextmanager

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.core.recomputing import set_early_stop


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
