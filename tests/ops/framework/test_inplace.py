"""Methods that write in place do what the real MindSpore 2.10 does."""

import pytest

import msbridge as ms
from msbridge import Parameter, Tensor


def test_writing_in_place() -> None:
    x = Tensor([1.0, 4.0])
    assert x.add_(1, alpha=2) is x
    assert x.tolist() == [3.0, 6.0]
    x.mul_(2).sub_(2).div_(2, rounding_mode="floor")
    assert x.tolist() == [2.0, 5.0]
    assert x.fill_(3).tolist() == [3.0, 3.0]
    assert x.zero_().tolist() == [0.0, 0.0]
    assert x.copy_(Tensor([1, 9])).tolist() == [1.0, 9.0]
    assert x.clamp_(2, 5).tolist() == [2.0, 5.0]


def test_writing_in_place_shows_in_the_parameter_and_its_views() -> None:
    weight = Parameter(Tensor([[1.0, 2.0]]), name="w")
    weight[0].mul_(10)
    assert weight.asnumpy().tolist() == [[10.0, 20.0]]
    weight.add_(1)
    assert isinstance(weight, Parameter)
    assert weight.asnumpy().tolist() == [[11.0, 21.0]]


def test_writing_in_place_is_differentiable() -> None:
    def f(x: Tensor) -> Tensor:
        y = x * 2
        y.mul_(x)
        return y.sum()

    assert ms.grad(f)(Tensor([3.0])).tolist() == [12.0]


def test_writing_to_the_argument_of_a_gradient() -> None:
    x = Tensor([3.0])
    assert ms.grad(lambda t: t.mul_(2).sum() * 1)(x).tolist() == [2.0]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x: x.fill_diagonal_(9.0), [[9.0, 1.0], [2.0, 9.0]]),
        (lambda x: x.index_fill_(0, Tensor([0]), 7), [[7.0, 7.0], [2.0, 3.0]]),
        (lambda x: x.index_add_(0, Tensor([1]), Tensor([[1.0, 1.0]])), [[0.0, 1.0], [3.0, 4.0]]),
        (lambda x: x.scatter_(1, Tensor([[0], [1]]), 8.0), [[8.0, 1.0], [2.0, 8.0]]),
        (lambda x: x.put_(Tensor([3]), Tensor([6.0])), [[0.0, 1.0], [2.0, 6.0]]),
        (lambda x: x.addmm_(x.copy(), x.copy()), [[2.0, 4.0], [8.0, 14.0]]),
    ],
)
def test_writing_parts_in_place(call, expected) -> None:
    x = Tensor([[0.0, 1.0], [2.0, 3.0]])
    assert call(x) is x
    assert x.tolist() == expected


def test_a_failed_write_names_the_method() -> None:
    with pytest.raises(ValueError, match="add_"):
        Tensor([1.0, 2.0]).add_(Tensor([1.0, 2.0, 3.0]))
