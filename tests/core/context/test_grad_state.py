"""What a thread notes while and between gradient functions run."""

import copy

import pytest
import torch

import msbridge as ms
from msbridge import Parameter, Tensor, nn
from msbridge.core.context.grad_state import RepeatedCall, recording, repeats, running
from msbridge.core.tensor.thread_local_data import Standpoint
from tests.core.threads import in_thread


class Called:
    def __init__(self) -> None:
        self._repeated_call = RepeatedCall()

    def __call__(self) -> None:
        """A function that keeps a RepeatedCall."""


def test_a_repeated_call_is_recognised_once() -> None:
    fn, x = Called(), Tensor([1.0])
    fn._repeated_call.note((x, 2))
    assert repeats(fn, (x, 2))
    assert not repeats(fn, (x, 2))


def test_other_inputs_are_no_repetition() -> None:
    fn = Called()
    fn._repeated_call.note((Tensor([1.0]),))
    assert not repeats(fn, (Tensor([1.0]),))


def test_calls_inside_a_gradient_function_are_not_noted() -> None:
    fn, x = Called(), Tensor([1.0])
    with recording():
        assert running()
        fn._repeated_call.note((x,))
    assert not running()
    assert not repeats(fn, (x,))


def test_a_copy_was_not_called() -> None:
    fn, x = Called(), Tensor([1.0])
    fn._repeated_call.note((x,))
    assert not repeats(copy.deepcopy(fn), (x,))


def test_nothing_is_recorded_in_no_grad() -> None:
    def half(x: Tensor) -> Tensor:
        with ms._no_grad():
            constant = x * 2
        return x * constant

    @ms._no_grad()
    def square(x: Tensor) -> Tensor:
        return x * x

    assert ms.grad(half)(Tensor([3.0])).asnumpy() == [6.0]
    assert ms.grad(lambda x: square(x) + x)(Tensor([3.0])).asnumpy() == [1.0]
    assert torch.is_grad_enabled()


def test_no_grad_ends_with_an_error() -> None:
    with pytest.raises(ValueError, match="ours"), ms._no_grad():
        raise ValueError("ours")
    assert torch.is_grad_enabled()


def test_the_engine_of_the_backward_pass_sees_what_the_thread_sees() -> None:
    """On an accelerator, layers that are computed again are so in a thread of torch's engine."""
    weight, seen = Parameter(Tensor([2.0]), name="w"), []

    def look(standpoint: Standpoint) -> None:
        with standpoint:
            seen.append((running(), weight._data.requires_grad))
        seen.append((running(), weight._data.requires_grad))

    def fn(x: Tensor) -> Tensor:
        standpoint = Standpoint()
        in_thread(lambda: look(standpoint))
        return x * weight

    ms.grad(fn, None, weight)(Tensor([1.0]))
    assert seen == [(True, True), (False, False)]


def test_vjp_of_layers_that_are_computed_again() -> None:
    layer, x = nn.Dense(3, 2), Tensor([[1.0, 2.0, 3.0]])
    weights = layer.trainable_params()

    def pulled() -> list[list[float]]:
        of_inputs, of_weights = ms.vjp(layer, x, weights=weights)[1](Tensor([[1.0, 1.0]]))
        return [gradient.asnumpy().tolist() for gradient in (*of_inputs, *of_weights)]

    plain = pulled()
    layer.recompute()
    assert pulled() == plain
