"""What gradient functions may be asked for."""

import pytest

import msbridge as ms
from msbridge import Tensor
from msbridge.core.autograd.grad_spec import Inputs

X = Tensor([1.0, 2.0])


def test_inputs_by_name_come_after_the_others() -> None:
    inputs = Inputs((X, 3), {"y": X})
    assert inputs.tensors() == (0, 2)
    assert inputs.arguments() == ((X, 3), {"y": X})


@pytest.mark.parametrize("position", [-1, (0, 0), (0, -1)])
def test_positions_are_not_negative_and_named_once(position: object) -> None:
    with pytest.raises(ValueError, match="position"):
        ms.grad(lambda x: x, position)


def test_inputs_without_gradients_are_left_out() -> None:
    assert ms.grad(lambda x, y: x * y)(3.0, X) == ()
    assert ms.grad(lambda x, y: x * y, (0, 1))(3.0, X).asnumpy().tolist() == [3.0, 3.0]


def test_a_container_has_gradients_in_a_graph() -> None:
    @ms.jit
    def gradients(x: Tensor) -> tuple[Tensor, Tensor]:
        return ms.grad(lambda pair: pair[0] * pair[1])((x, x + 1))

    assert [each.asnumpy().tolist() for each in gradients(X)] == [[2.0, 3.0], [1.0, 2.0]]


def test_the_same_tensor_twice_is_one() -> None:
    first, second = ms.grad(lambda x, y: x * y * y, (0, 1))(X, X)
    assert first.asnumpy().tolist() == second.asnumpy().tolist() == [3.0, 12.0]
