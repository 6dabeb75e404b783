"""Random numbers: shapes, dtypes, ranges and moments; sequences under seeds as the real MindSpore 2.10 keeps them."""

import copy

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops


@pytest.mark.parametrize(
    ("draw", "shape", "dtype"),
    [
        (lambda: ops.rand(2, 3), (2, 3), ms.float32),
        (lambda: ops.rand((2, 3), dtype=ms.float16), (2, 3), ms.float16),
        (lambda: ops.randn(4), (4,), ms.float32),
        (lambda: ops.randint(0, 5, (2,)), (2,), ms.int64),
        (lambda: ops.randint(0, 5, (2,), dtype=ms.int32), (2,), ms.int32),
        (lambda: ops.randint_like(Tensor([1], ms.int32), 0, 5), (1,), ms.int32),
        (lambda: ops.rand_like(Tensor([1.0])), (1,), ms.float32),
        (lambda: ops.randperm(5), (5,), ms.int64),
        (lambda: ops.standard_normal((2, 2)), (2, 2), ms.float32),
        (lambda: ops.normal((2, 3), Tensor([0.0, 1.0, 2.0]), 1.0), (2, 3), ms.float32),
        (lambda: ops.laplace((3,), Tensor(0.0), Tensor(1.0)), (3,), ms.float32),
        (lambda: ops.uniform((3,), Tensor(0.0), Tensor(1.0)), (3,), ms.float32),
        (lambda: ops.uniform((3,), Tensor(0, ms.int32), Tensor(9, ms.int32), dtype=ms.int32), (3,), ms.int32),
        (lambda: ops.gamma((3, 1, 2), Tensor([[3.0, 4.0], [5.0, 6.0]]), Tensor([1.0])), (3, 2, 2), ms.float32),
        (lambda: ops.random_gamma(Tensor([2], ms.int32), Tensor([1.0, 2.0])), (2, 2), ms.float32),
        (lambda: ops.random_poisson(Tensor([2], ms.int32), Tensor([1.0, 2.0])), (2, 2), ms.float32),
        (lambda: ops.poisson((2, 1), Tensor([5.0, 6.0])), (2, 2), ms.float32),
        (lambda: ops.bernoulli(Tensor([1, 2]), 0.5), (2,), ms.int64),
        (lambda: ops.UniformInt()((2,), Tensor(0), Tensor(5)), (2,), ms.int32),
        (lambda: ops.Randperm(4)(Tensor([3])), (4,), ms.int32),
        (lambda: ops.TruncatedNormal()(Tensor([3])), (3,), ms.float32),
    ],
)
def test_shapes_and_dtypes(draw, shape, dtype) -> None:
    got = draw()
    assert (got.shape, got.dtype) == (shape, dtype)


@pytest.mark.parametrize(
    ("draw", "mean", "deviation"),
    [
        (lambda: ops.rand(20000), 0.5, 12**-0.5),
        (lambda: ops.randn(20000), 0.0, 1.0),
        (lambda: ops.standard_laplace((20000,)), 0.0, 2**0.5),
        (lambda: ops.normal((20000,), 3.0, 2.0), 3.0, 2.0),
        (lambda: ops.gamma((20000,), Tensor([4.0]), Tensor([2.0])), 2.0, 1.0),
        (lambda: ops.poisson((20000,), Tensor(4.0)), 4.0, 2.0),
        (lambda: ops.bernoulli(ops.zeros(20000), 0.25), 0.25, 0.433),
        (lambda: ops.TruncatedNormal()((20000,)), 0.0, 0.88),
    ],
)
def test_moments(draw, mean, deviation) -> None:
    values = draw().asnumpy()
    assert values.mean() == pytest.approx(mean, abs=0.05)
    assert values.std() == pytest.approx(deviation, abs=0.05)


def test_truncated_normal_stays_within_two_deviations() -> None:
    assert np.abs(ops.TruncatedNormal()((5000,)).asnumpy()).max() <= 2.0


def test_set_seed_repeats_every_sequence() -> None:
    def draw() -> list:
        return [ops.rand(2).tolist(), ops.rand(2, seed=1).tolist(), ops.shuffle(ops.arange(9)).tolist()]

    ms.set_seed(3)
    first, second = draw(), draw()
    ms.set_seed(3)
    assert draw() == first
    assert first != second


def test_a_seed_goes_on_in_its_sequence() -> None:
    assert ops.rand(2, seed=11).tolist() != ops.rand(2, seed=11).tolist()


def test_a_primitive_with_seeds_starts_its_own_sequence() -> None:
    draw = ops.StandardNormal(seed=1, seed2=2)
    first, second = draw((3,)).tolist(), draw((3,)).tolist()
    assert first != second
    assert ops.StandardNormal(seed=1, seed2=2)((3,)).tolist() == first
    assert ops.UniformReal(seed=1)((3,)).tolist() != first


def test_primitives_can_be_copied() -> None:
    draw = ops.StandardNormal(seed=1)
    assert copy.deepcopy(draw)((2,)).shape == (2,)


def test_choice_with_mask_fills_up_with_zeros() -> None:
    indices, mask = ops.RandomChoiceWithMask(count=3)(Tensor([[True, False], [True, False]]))
    assert mask.tolist() == [True, True, False]
    assert sorted(indices.tolist()[:2]) == [[0, 0], [1, 0]]
    assert indices.tolist()[2] == [0, 0]
    assert indices.dtype == ms.int32


def test_probabilities_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="p must be in"):
        ops.bernoulli(Tensor([1.0]), 1.5)


def test_drawing_in_place() -> None:
    x = ops.zeros(100)
    assert x.uniform_(2, 3) is x
    assert 2 <= x.min().item() <= x.max().item() <= 3
    assert x.normal_(0, 1).std().item() == pytest.approx(1, abs=0.3)
    assert set(x.bernoulli_(0.5).tolist()) == {0.0, 1.0}
