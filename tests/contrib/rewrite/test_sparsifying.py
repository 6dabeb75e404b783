"""Judge: MindSpore's documentation of 2.0 and the dense network; classes of exceptions are those of 2.0 and 2.10."""

from typing import Any

import numpy as np
import pytest

from msbridge import CSRTensor, Tensor, nn, ops
from msbridge.contrib.rewrite import ArgType, SparseFunc, sparsify

CSR, NONSPARSE = ArgType.CSR, ArgType.NONSPARSE
DENSE = Tensor(np.array([[1.0, 2.0], [0.0, -3.0]], np.float32))
SPARSE = DENSE.to_csr()
COLUMN = Tensor(np.array([[1.0], [2.0]], np.float32))


class Multiply(nn.Cell):
    def construct(self, a: Tensor, b: Tensor) -> Tensor:
        return ops.matmul(a, b)


def doubled(a: Tensor) -> Tensor:
    return ops.mul(a, DENSE)


class Longer(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Multiply()
        self.dense = nn.Dense(1, 3)

    def construct(self, a: Tensor, b: Tensor) -> Tensor:
        c = doubled(a)
        c = ops.relu(c)
        y = self.inner(c, b)
        return self.dense(y) + ops.reduce_sum(a, 1).sum()


def ten_times(a: CSRTensor, b: Tensor) -> Tensor:
    return ops.csr_mv(a, b) * 10


def unannotated(a, b):  # type: ignore[no-untyped-def]
    return ops.csr_mv(a, b)


def values(tensor: Any) -> list:
    return tensor.asnumpy().tolist()


@pytest.mark.parametrize("kinds", [(CSR, NONSPARSE), {0: CSR}, {"a": CSR}])
def test_a_product_takes_a_sparse_matrix(kinds: Any) -> None:
    assert values(sparsify(Multiply(), kinds)(SPARSE, COLUMN)) == values(Multiply()(DENSE, COLUMN))


def test_sparse_tensors_are_followed_through_functions_and_networks() -> None:
    net = Longer()
    found = sparsify(net, (CSR, NONSPARSE))(SPARSE, COLUMN)
    np.testing.assert_allclose(found.asnumpy(), net(DENSE, COLUMN).asnumpy(), rtol=1e-6)


def test_dense_arguments_change_nothing() -> None:
    assert values(sparsify(Multiply(), (NONSPARSE, NONSPARSE))(DENSE, COLUMN)) == values(Multiply()(DENSE, COLUMN))


@pytest.mark.parametrize("rule", [ten_times, [SparseFunc(unannotated, (CSR, NONSPARSE), NONSPARSE)], "csr_mv"])
def test_rules_come_before_those_that_are_there(rule: Any) -> None:
    factor = 10 if rule is ten_times else 1
    found = sparsify(Multiply(), (CSR, NONSPARSE), {ops.matmul: rule})(SPARSE, COLUMN)
    assert values(found) == values(Multiply()(DENSE, COLUMN) * factor)


@pytest.mark.parametrize(
    ("kinds", "says"),
    [
        ((CSR,), "must have one for each"),
        (3, "must be a tuple or a dict"),
        ({0: CSR, "b": NONSPARSE}, "must all be int or all be str"),
        ((ArgType.COO, NONSPARSE), "no rule says"),
    ],
)
def test_what_fits_no_argument_or_rule_is_an_error(kinds: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        sparsify(Multiply(), kinds)


@pytest.mark.parametrize("rule", [unannotated, "nothing", 3])
def test_a_rule_says_what_it_takes(rule: Any) -> None:
    with pytest.raises(ValueError, match="For 'sparsify'"):
        sparsify(Multiply(), (CSR, NONSPARSE), {ops.matmul: rule})


def test_a_network_is_needed() -> None:
    with pytest.raises(TypeError, match="network"):
        sparsify(3, (CSR,))  # type: ignore[arg-type]
