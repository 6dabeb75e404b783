"""Methods about memory and layout do what the real MindSpore 2.10 does."""

import copy

import numpy as np
import pytest

from msbridge import Tensor

X = np.random.default_rng(0).uniform(0.1, 0.9, (2, 3)).astype(np.float32)


def test_itemset_gives_a_copy() -> None:
    x = Tensor([1, 2])
    assert x.itemset(0, 5).tolist() == [5, 2]
    assert Tensor([[1.0, 2.0]]).itemset((0, 1), 9).tolist() == [[1.0, 9.0]]
    assert x.tolist() == [1, 2]
    with pytest.raises(IndexError, match="needs an index"):
        x.itemset(5)


def test_layout() -> None:
    x = Tensor(X)
    assert (x.numel(), x.nelement(), x.ndimension(), x.stride(), x.stride(0)) == (6, 6, 2, [3, 1], 3)
    assert x.is_contiguous()
    assert not x.T.is_contiguous()
    assert x.T.contiguous().is_contiguous()
    assert x[1].storage_offset() == 3
    assert x.get_bytes() == X.tobytes()
    assert x.mT.shape == x.H.shape == (3, 2)


def test_copies_are_tensors_of_their_own() -> None:
    x = Tensor([1.0])
    for twin in (x.clone(), x.copy(), copy.copy(x), copy.deepcopy(x)):
        twin[0] = 2
    assert x.tolist() == [1.0]


def test_data_shares_memory() -> None:
    x = Tensor([1.0])
    x.data[0] = 3
    assert x.tolist() == [3.0]
