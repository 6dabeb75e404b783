"""Functions with static forward and backward. Values: the oracle replay."""

from typing import Any

import pytest

import msbridge as ms
from msbridge import Tensor
from msbridge.core.autograd.custom_function import _Function

X = Tensor([1.0, 2.0, 3.0])


class Cube(_Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return 3 * x * x * gradient


class Increment(_Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        x.add_(1.0)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        return gradient * 10


def test_gradient_of_the_gradient_goes_through_backward() -> None:
    assert ms.grad(ms.grad(Cube.apply))(X).asnumpy().tolist() == [6.0, 12.0, 18.0]


def test_an_input_changed_in_place_is_the_output() -> None:
    output, gradient = ms.value_and_grad(lambda x: Increment.apply(x * 1) * 2)(X)
    assert output.asnumpy().tolist() == [4.0, 6.0, 8.0]
    assert gradient.asnumpy().tolist() == [20.0, 20.0, 20.0]


def test_gradients_of_another_shape_are_refused() -> None:
    class Short(Cube):
        @staticmethod
        def backward(ctx: Any, gradient: Tensor) -> Tensor:
            return gradient[:2]

    with pytest.raises(RuntimeError, match="shape"):
        ms.grad(Short.apply)(X)
