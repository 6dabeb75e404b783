"""Tensor's methods: they agree with their functions, and do what the real MindSpore 2.10 does."""

import copy

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, ops
from msbridge.ops import tensor_methods

UNARY = [
    *("abs", "acos", "asin", "atan", "ceil", "cos", "erf", "exp", "expm1", "floor", "log1p", "neg", "round"),
    *("sigmoid", "sign", "sin", "sqrt", "square", "tan", "tanh", "trunc"),
]
BINARY = [
    *("add", "sub", "mul", "div", "pow", "maximum", "minimum", "atan2", "hypot", "fmod", "remainder"),
    *("less", "greater", "equal", "logical_and", "xlogy"),
]
REDUCING = ["sum", "mean", "amax", "amin", "std", "var", "all", "any", "logsumexp", "prod"]
X = np.random.default_rng(0).uniform(0.1, 0.9, (2, 3)).astype(np.float32)


@pytest.mark.parametrize("name", UNARY)
def test_methods_of_one_tensor_are_the_functions(name) -> None:
    assert getattr(Tensor(X), name)().tolist() == getattr(ops, name)(Tensor(X)).tolist()


@pytest.mark.parametrize("name", BINARY)
def test_methods_of_two_tensors_are_the_functions(name) -> None:
    x, y = Tensor(X), Tensor(X[::-1].copy())
    assert getattr(x, name)(y).tolist() == getattr(ops, name)(x, y).tolist()


@pytest.mark.parametrize("name", REDUCING)
def test_reducing_methods_are_the_functions(name) -> None:
    got, expected = getattr(Tensor(X), name)(1), getattr(ops, name)(Tensor(X), 1)
    np.testing.assert_allclose(got.asnumpy(), expected.asnumpy(), rtol=1e-6)


def test_every_method_is_attached() -> None:
    assert not [name for name in tensor_methods.methods() if not hasattr(Tensor, name)]


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (ms.float16, ms.float16),
        ("float16", ms.float16),
        ("bool", ms.bool_),
        ("int", ms.int64),
        (float, ms.float64),
        (int, ms.int64),
        (bool, ms.bool_),
        (np.int8, ms.int8),
        (np.dtype("int16"), ms.int16),
    ],
)
def test_astype_takes_many_names(dtype, expected) -> None:
    assert Tensor([1.5]).astype(dtype).dtype == expected


@pytest.mark.parametrize("dtype", ["foo", "tensor", 3, str])
def test_astype_refuses_other_names(dtype) -> None:
    with pytest.raises(TypeError, match="astype"):
        Tensor([1.5]).astype(dtype)


def test_astype_of_the_same_dtype_shares_memory() -> None:
    x = Tensor([1.0])
    y = x.astype(ms.float32)
    y[0] = 5
    assert x.tolist() == [5.0]
    assert x.astype(ms.float32, copy=False) is x


def test_methods_named_after_dtypes() -> None:
    x = Tensor([1.7])
    assert [str(getattr(x, name)().dtype) for name in ("int", "long", "half", "double", "bool", "byte")] == [
        *("Int32", "Int64", "Float16", "Float64", "Bool", "UInt8")
    ]
    assert x.type() == "Float32"
    assert x.type("int32").tolist() == [1]
    assert x.to(ms.float16).dtype == ms.float16
    assert x.to("CPU").tolist() == x.tolist()
    with pytest.raises(ValueError, match="device"):
        x.to("TPU")


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


def test_itemset_gives_a_copy() -> None:
    x = Tensor([1, 2])
    assert x.itemset(0, 5).tolist() == [5, 2]
    assert Tensor([[1.0, 2.0]]).itemset((0, 1), 9).tolist() == [[1.0, 9.0]]
    assert x.tolist() == [1, 2]
    with pytest.raises(ValueError, match="needs an index"):
        x.itemset(5)


def test_tensors_like_this_one() -> None:
    x = Tensor([1], ms.int32)
    assert x.new_zeros((2,)).dtype == ms.int32
    assert x.new_ones(2, dtype=ms.float32).tolist() == [1.0, 1.0]
    assert x.new_full((1,), 3).tolist() == [3]
    assert x.new_empty((2, 1)).shape == (2, 1)
    assert x.fill(4).tolist() == [4]


def test_layout() -> None:
    x = Tensor(X)
    assert (x.numel(), x.nelement(), x.ndimension(), x.stride(), x.stride(0)) == (6, 6, 2, [3, 1], 3)
    assert x.is_contiguous()
    assert not x.T.is_contiguous()
    assert x.T.contiguous().is_contiguous()
    assert x[1].storage_offset() == 3
    assert x.get_bytes() == X.tobytes()
    assert x.mT.shape == x.H.shape == (3, 2)


def test_outer_flattens() -> None:
    assert Tensor(X).outer(Tensor([1.0, 2.0])).shape == (6, 2)


def test_copies_are_tensors_of_their_own() -> None:
    x = Tensor([1.0])
    for twin in (x.clone(), x.copy(), copy.copy(x), copy.deepcopy(x)):
        twin[0] = 2
    assert x.tolist() == [1.0]


def test_data_shares_memory() -> None:
    x = Tensor([1.0])
    x.data[0] = 3
    assert x.tolist() == [3.0]


def test_value_with_index_methods_give_the_value_first() -> None:
    values, indices = Tensor([[1.0, 4.0]]).argmax_with_value(1)
    assert (values.tolist(), indices.tolist()) == ([4.0], [1])


def test_kthvalue_and_triangular_solve() -> None:
    assert [part.item() for part in Tensor([3.0, 1.0, 2.0]).kthvalue(2)] == [2.0, 2]
    upper = Tensor([[2.0, 1.0], [0.0, 4.0]])
    assert Tensor([[4.0], [4.0]]).triangular_solve(upper)[0].tolist() == [[1.5], [1.0]]
