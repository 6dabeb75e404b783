"""Draws from a seed and an offset: shapes, dtypes, distributions, and that they repeat."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor
from msbridge.contrib.ops import auto_generate as gen

SIZE = (100, 200)
LIKE = Tensor(torch.full(SIZE, 0.25))
SEEDS = Tensor(3), Tensor(8)
ROWS: list[tuple[str, tuple, type, float, float]] = [
    ("RandExt", (SIZE,), ms.float32, 0.5, 12**-0.5),
    ("RandLikeExt", (LIKE,), ms.float32, 0.5, 12**-0.5),
    ("Randn", (SIZE,), ms.float32, 0, 1),
    ("RandnLike", (LIKE,), ms.float32, 0, 1),
    ("RandInt", (2, 7, SIZE), ms.int64, 4, 2**0.5),
    ("RandIntLike", (LIKE, 2, 7), ms.float32, 4, 2**0.5),
    ("UniformExt", (LIKE, 1.0, 3.0), ms.float32, 2, 3**-0.5),
    ("BernoulliExt", (LIKE,), ms.float32, 0.25, 0.1875**0.5),
    ("NormalFloatFloat", (1.0, 2.0, SIZE), ms.float32, 1, 2),
    ("NormalFloatTensor", (1.0, LIKE), ms.float32, 1, 0.25),
    ("NormalTensorFloat", (LIKE, 2.0), ms.float32, 0.25, 2),
    ("NormalTensorTensor", (LIKE, LIKE), ms.float32, 0.25, 0.25),
    ("InplaceUniform", (LIKE, 1.0, 3.0), ms.float32, 2, 3**-0.5),
    ("InplaceNormal", (LIKE, 1.0, 2.0), ms.float32, 1, 2),
    ("InplaceRandom", (LIKE, 2, 7), ms.float32, 4, 2**0.5),
    ("InplaceExponential", (LIKE, 2.0), ms.float32, 0.5, 0.5),
    ("InplaceBernoulliScalar", (LIKE, 0.25), ms.float32, 0.25, 0.1875**0.5),
    ("InplaceBernoulliTensor", (LIKE, LIKE), ms.float32, 0.25, 0.1875**0.5),
]


@pytest.mark.parametrize(("name", "given", "dtype", "mean", "spread"), ROWS, ids=[row[0] for row in ROWS])
def test_a_distribution(name: str, given: tuple, dtype: type, mean: float, spread: float) -> None:
    def drawn(*seeds: object) -> Tensor:
        own = tuple(one.copy() if isinstance(one, Tensor) else one for one in given)
        found = getattr(gen, name)()(*own, *seeds)
        assert not name.startswith("Inplace") or found is own[0]
        return found

    found = drawn(*SEEDS)
    assert (found.shape, found.dtype) == (SIZE, dtype)
    values = found.asnumpy().astype(float)
    assert abs(values.mean() - mean) < 0.03
    assert abs(values.std() - spread) < 0.03
    assert np.array_equal(drawn(3, 8), found)
    assert not np.array_equal(drawn(3, 9), found)


def test_an_order_and_places() -> None:
    order = gen.RandpermExt()(50, *SEEDS)
    assert (sorted(order.asnumpy()), order.dtype) == ([*range(50)], ms.int64)
    assert gen.RandpermExt()(50, *SEEDS, ms.int32).dtype == ms.int32
    rows = gen.MultinomialExt()(Tensor([[0.0, 1.0, 3.0]] * 500), 2, True, *SEEDS).asnumpy()
    assert rows.shape == (500, 2)
    assert abs((rows == 2).mean() - 0.75) < 0.05
    assert (rows > 0).all()
    assert gen.MultinomialExt()(Tensor([1.0, 1.0]), 2, False, *SEEDS).asnumpy().sum() == 1


DROPS: list[Callable[[Tensor], Tensor]] = [
    lambda x: gen.DropoutExt()(x, 0.25, *SEEDS)[0],
    lambda x: gen.FuncDropoutExt()(x, 0.25, True, False, *SEEDS),
    lambda x: gen.DropoutDoMaskExt()(x, gen.DropoutGenMaskExt()(SIZE, 0.25, *SEEDS, ms.float32), 0.25),
]


@pytest.mark.parametrize("drop", DROPS)
def test_elements_drop(drop: Callable[[Tensor], Tensor]) -> None:
    found = drop(LIKE + 0.5).asnumpy()
    assert abs((found == 0).mean() - 0.25) < 0.02
    assert set(np.round(np.unique(found), 5)) == {0.0, 1.0}


def test_the_mask_of_dropping_serves_its_gradient() -> None:
    found, mask = gen.DropoutExt()(LIKE, 0.5, *SEEDS)
    assert (mask.dtype, mask.shape) == (ms.uint8, (157 * 16,))
    assert np.array_equal(gen.DropoutGradExt()(LIKE, mask, 0.5), found)


def test_channels_drop() -> None:
    data = Tensor(torch.ones(20, 30, 4, 4))
    found = gen.Dropout2dExt()(data, 0.5, True, False, *SEEDS).asnumpy()
    assert ((found == 0).all((2, 3)) | (found == 2).all((2, 3))).all()
    assert 0.4 < (found == 0).mean() < 0.6
    assert gen.Dropout2dExt()(data, 0.5, False, False, *SEEDS) is data
    assert gen.Dropout2dExt()(data, 0.5, True, True, *SEEDS) is data
    assert np.array_equal(data, found)
