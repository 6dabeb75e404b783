"""Tensor's methods agree with their functions."""

import inspect

import numpy as np
import pytest

from msbridge import Tensor, ops
from msbridge.ops.tensor_api import tensor_methods

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


def code_of(function: object) -> object:
    """Return the bytecode of a function, or the function itself."""
    return getattr(getattr(function, "__code__", None), "co_code", function)


def test_every_method_is_attached() -> None:
    methods = tensor_methods.methods()
    assert methods.keys() > {*UNARY, *BINARY, *REDUCING}
    pairs = ((name, vars(Tensor)[name], method) for name, method in methods.items())
    assert [name for name, attached, method in pairs if code_of(attached) != code_of(method)] == []
    assert list(inspect.signature(Tensor.softmax).parameters) == ["self", "axis", "dtype"]


def test_forms_that_only_the_chip_computes() -> None:
    x = Tensor(X)
    assert x.narrow(dim=1, start=1, length=2).tolist() == X[:, 1:].tolist()
    assert x.count_nonzero(dim=0).tolist() == [2, 2, 2]
    np.testing.assert_allclose(x.nansum(dim=1, keepdim=True).asnumpy(), X.sum(1, keepdims=True), rtol=1e-6)
    assert x.repeat_interleave(2, dim=1, output_size=6).shape == (2, 6)
    with pytest.raises(ValueError, match="output_size"):
        x.repeat_interleave(2, dim=1, output_size=5)
