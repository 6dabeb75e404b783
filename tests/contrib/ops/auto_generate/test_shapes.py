"""Views, copies and new tensors, against torch and numpy."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor
from msbridge.contrib.ops.auto_generate import shapes

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def test_a_view_shares_memory_and_a_copy_does_not() -> None:
    ours = X.copy()
    seen, copied = shapes.view(ours, (3, 2)), shapes.copy(ours)
    ours[0, 0] = 9.0
    assert seen.shape == (3, 2)
    assert seen[0, 0] == 9.0
    assert copied[0, 0] == 0.0


def test_bytes_are_seen_as_another_dtype() -> None:
    assert shapes.view_dtype(X, ms.int32).asnumpy().tolist() == X.asnumpy().view(np.int32).tolist()


def test_strides_and_slices() -> None:
    assert shapes.as_strided(X, (2, 2), (1, 2), 1).asnumpy().tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert shapes.slice_ext(X, 1, 0, 3, 2).asnumpy().tolist() == [[0.0, 2.0], [3.0, 5.0]]


def test_joined_repeated_and_summed_back() -> None:
    assert shapes.sequence_concat((X, X), 1).shape == (2, 6)
    assert np.array_equal(shapes.repeat(X, (2, 1)), np.tile(X.asnumpy(), (2, 1)))
    assert shapes.repeat_interleave_grad(X, Tensor([1, 2]), 1).asnumpy().tolist() == [[0.0, 3.0], [3.0, 9.0]]
    assert shapes.repeat_interleave_grad(X, Tensor(3), 1).asnumpy().tolist() == [[3.0], [12.0]]


def test_a_product_with_axes_permuted() -> None:
    left, right = np.random.default_rng(0).normal(size=(2, 2, 3, 4))[0], np.random.default_rng(1).normal(size=(2, 3, 5))
    found = shapes.transpose_batch_matmul_transpose(Tensor(left), Tensor(right), (0, 2, 1), (1, 0, 2), False, False)
    assert np.allclose(found, (left.transpose(0, 2, 1) @ right).transpose(1, 0, 2))


def test_new_tensors_have_shape_and_dtype() -> None:
    assert shapes.empty((2, 3)).dtype == ms.float32
    assert shapes.empty_like(X, ms.int32).dtype == ms.int32
    assert shapes.new_empty(X, 4).shape == (4,)
    assert shapes.fill((2,), 3).dtype == ms.int64
    assert shapes.fill((2,), Tensor(1.5), ms.float16).dtype == ms.float16
    assert shapes.tuple_to_tensor((1, 2), ms.float32).asnumpy().tolist() == [1.0, 2.0]
    with pytest.raises(RuntimeError, match="memory is pinned"):
        shapes.empty((2,), pin_memory=True)


def test_dtypes_and_devices_of_others() -> None:
    assert shapes.to_dtype(X, ms.float16).dtype == ms.float16
    assert shapes.to_other(X, Tensor([1], ms.int32)).dtype == ms.int32
    assert shapes.to_dtype(X)._data is X._data
    assert shapes.to_dtype(X, copy=True)._data is not X._data
