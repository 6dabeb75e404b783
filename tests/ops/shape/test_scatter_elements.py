"""Values placed at indices of a copy: recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import pytest

from msbridge import Parameter, Tensor, ops
from tests.tensors import b, f, i, v

VALUES = [
    (lambda: f(2, 2).masked_scatter(b([True, False]), v([8, 9])), "Float32", [[8, 1], [9, 3]]),
    (lambda: ops.tensor_scatter_elements(f(2, 2), i([[1, 0]]), v([[9, 8]]), 1, "add"), "Float32", [[8, 10], [2, 3]]),
    (lambda: ops.scatter(f(2, 3), 1, i([[1, 0, 2]]), v([[9, 8, 7]])), "Float32", [[8, 9, 7], [3, 4, 5]]),
    (lambda: f(3).scatter(0, i([1, 2]), v([5, 4]), reduce="multiply"), "Float32", [0, 5, 8]),  # the documentation
    (lambda: f(3).scatter_add(i([[0], [0]]), v([1, 2])), "Float32", [3, 1, 2]),
    (lambda: f(2, 3).scatter_add(0, i([[1, 0, 1]]), v([[9, 8, 7]])), "Float32", [[0, 9, 2], [12, 4, 12]]),
    (lambda: ops.index_fill(f(3, 2), 1, i([0]), Tensor(9.0)), "Float32", [[9, 1], [9, 3], [9, 5]]),
    (lambda: f(3, 2).index_put((i([0, 1]), i([1, 0])), v([9, 8])), "Float32", [[0, 9], [8, 3], [4, 5]]),
    (lambda: ops.slice_scatter(f(2, 2), v([[9, 9]]), 0, 1, 2), "Float32", [[0, 1], [9, 9]]),
    (lambda: ops.select_scatter(f(2, 2), v([9, 9]), 0, 1), "Float32", [[0, 1], [9, 9]]),
    (lambda: ops.inplace_update(f(3, 2), v([[9, 8]]), (0,)), "Float32", [[9, 8], [2, 3], [4, 5]]),
    (lambda: ops.InplaceAdd((0,))(f(3, 2), v([[9, 8]])), "Float32", [[9, 9], [2, 3], [4, 5]]),
]


@pytest.mark.parametrize(("call", "dtype", "values"), VALUES)
def test_values(call: Callable[[], Tensor], dtype: str, values: list) -> None:
    result = call()
    assert str(result.dtype) == dtype
    assert result.asnumpy().tolist() == values


WRITES = [
    (lambda p: ops.index_add(p, i([0, 2]), v([1, 2]), 0), [1, 1, 4]),
    (lambda p: ops.IndexAdd(axis=0)(p, i([0]), v([7])), [7, 1, 2]),
    (lambda p: p.index_add(0, i([1]), p[:1]), [0, 1, 2]),
]


@pytest.mark.parametrize(("write", "values"), WRITES)
def test_write_changes_the_parameter_and_gives_its_values(write: Callable, values: list) -> None:
    parameter = Parameter(f(3), name="p")
    result = write(parameter)
    assert type(result) is Tensor
    assert result.asnumpy().tolist() == parameter.asnumpy().tolist() == values


MISTAKES = [
    (lambda: ops.tensor_scatter_elements(f(2), i([0]), v([1]), 0, "foo"), ValueError, "reduction must be"),
]


@pytest.mark.parametrize(("call", "error", "says"), MISTAKES)
def test_mistake(call: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()
