"""Reading and writing parts: what goes straight to torch means the same. Values are judged by the oracle replay."""

from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor

INDICES = [
    1,
    slice(1, 3),
    slice(None, None, 2),
    (slice(1, 3), 0),
    (..., 0),
    (slice(None), None, 1),
    None,
    ...,
    (),
    [0, 2],
    (slice(None), [0, 2]),
    (0, slice(None), [0, 1]),
]
TENSORS = [
    Tensor([0, 2]),
    Tensor([0, 2], ms.int32),
    Tensor([2, 0], ms.uint8),
    (slice(None), Tensor([0, 2], ms.int32)),
    (..., Tensor([0, 1])),
    (0, Tensor([0, 2])),
    Tensor([True, False, True]),
    (slice(Tensor(0), Tensor(2)), Tensor([1, 0])),
]


def _cube() -> tuple[Tensor, np.ndarray]:
    array = np.arange(27, dtype=np.float32).reshape(3, 3, 3)
    return Tensor(array), array


def _numpy(index: Any) -> Any:
    if isinstance(index, tuple):
        return tuple(map(_numpy, index))
    return index.asnumpy() if isinstance(index, Tensor) else index


@pytest.mark.parametrize("index", INDICES + TENSORS, ids=repr)
def test_parts_are_numpys(index: Any) -> None:
    tensor, array = _cube()
    expected = array[_numpy(index)]
    assert np.array_equal(tensor[index].asnumpy(), expected)
    tensor[index] = -1.0
    array[_numpy(index)] = -1.0
    assert np.array_equal(tensor.asnumpy(), array)


@pytest.mark.parametrize("index", [1, slice(1, 3), (slice(1, 3), 0), (..., 0), (..., None)], ids=repr)
def test_basic_indices_give_views(index: Any) -> None:
    tensor, _ = _cube()
    tensor[index][...] = 5
    assert (tensor[index].asnumpy() == 5).all()


@pytest.mark.parametrize("index", [(..., ...), (..., 0, ...), (0, 0, 0, 0), 3, (0, 5), "a", 1.0], ids=repr)
def test_what_cannot_index_is_an_index_error(index: Any) -> None:
    tensor, _ = _cube()
    with pytest.raises(IndexError):
        tensor[index]
    with pytest.raises(IndexError):
        tensor[index] = 0


def test_gradients_flow_through_parts_and_writes() -> None:
    def network(x: Tensor) -> Tensor:
        y = x * 1
        y[0, 1:] = 0.0
        return (y[:, 1] * 2).sum() + y[Tensor([0, 0])].sum()

    gradient = ms.grad(network)(Tensor(np.ones((2, 3), np.float32)))
    assert gradient.tolist() == [[2, 0, 0], [0, 2, 0]]


@pytest.mark.parametrize(
    ("value", "expected"), [(2.7, 2), (True, 1), (Tensor([7.9]), 7), (Tensor(3, ms.int32), 3), ([4, 4], 4)], ids=repr
)
def test_a_written_value_takes_the_dtype_of_the_tensor(value: Any, expected: int) -> None:
    tensor = Tensor(np.zeros((2, 2), np.int64))
    tensor[0] = value
    assert tensor.tolist() == [[expected, expected], [0, 0]]


@pytest.mark.parametrize("index", [slice(1, None), [1, 2], slice(1, 3), Tensor([1, 2], ms.int32)])
def test_what_is_written_over_itself_is_read_first(index: Any) -> None:
    numbers = np.arange(12.0, dtype=np.float32).reshape(3, 4)
    x = Tensor(numbers.copy())
    x[index] = x[:2]
    assert np.array_equal(x.asnumpy(), numbers[[0, 0, 1]])  # 2.0.0, and 2.10 in graph mode


def test_gradients_of_what_is_written_over_itself() -> None:
    def shifted(x: Tensor) -> Tensor:
        y = x * 1.0
        y[1:] = y[:-1]
        return (y * Tensor([1.0, 10.0, 100.0])).sum()

    assert shifted(Tensor([1.0, 2.0, 3.0])).item() == 211.0
    assert ms.grad(shifted)(Tensor([1.0, 2.0, 3.0])).asnumpy().tolist() == [11.0, 100.0, 0.0]


LISTS = [
    ([0, slice(1, 3)], (0, slice(1, 3))),
    ([slice(0, 1), None], (slice(0, 1), None)),
    ([Ellipsis, 0], (Ellipsis, 0)),
    ([0, [1, 2]], (0, [1, 2])),
    ([Tensor([0, 1]), Tensor([1, 2])], (Tensor([0, 1]), Tensor([1, 2]))),
    ([(0, 1), (1, 2)], ([0, 1], [1, 2])),
    ((Tensor(0), 1), (0, 1)),
    ((Tensor(0), slice(None), 1), (0, slice(None), 1)),
    ((0, slice(None), Tensor(1)), (0, slice(None), 1)),
]


@pytest.mark.parametrize(("index", "same"), LISTS)
def test_lists_of_parts_and_tensors_of_one_number(index: Any, same: Any) -> None:
    """Shapes recorded from MindSpore 2.10."""
    x = Tensor(np.arange(24.0).reshape(2, 3, 4))
    assert x[index].asnumpy().tolist() == x[same].asnumpy().tolist()


def test_a_list_of_lists_is_a_tuple_where_it_is_written() -> None:
    x = Tensor(np.zeros((2, 3, 4)))
    x[[[0, 0], [1, 1]]] = 1
    assert np.argwhere(x.asnumpy() == 1)[:, :2].tolist() == [[0, 1]] * 4
    x[[slice(0, 1), slice(1, 3)]] = 2
    assert np.argwhere(x.asnumpy() == 2)[:, :2].tolist() == [[0, 1]] * 4 + [[0, 2]] * 4
