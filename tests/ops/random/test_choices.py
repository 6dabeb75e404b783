"""Random choices among elements and classes."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops


@pytest.mark.parametrize(
    ("draw", "shape", "dtype"),
    [
        (lambda: ops.multinomial(Tensor([[0.5, 0.5]]), 3), (1, 3), ms.int32),
        (lambda: ops.random_categorical(Tensor([[0.5, 0.5]]), 3), (1, 3), ms.int64),
        (lambda: ops.shuffle(Tensor([[1.0], [2.0]])), (2, 1), ms.float32),
    ],
)
def test_shapes_and_dtypes(draw, shape, dtype) -> None:
    got = draw()
    assert (got.shape, got.dtype) == (shape, dtype)


def test_candidate_samplers() -> None:
    sampled, true_counts, counts = ops.log_uniform_candidate_sampler(Tensor([[1]]), 1, 3, True, 5)
    assert (sampled.shape, true_counts.shape, counts.shape) == ((3,), (1, 1), (3,))
    assert len(set(sampled.tolist())) == 3
    assert ops.UniformCandidateSampler(1, 2, False, 5)(Tensor([[1]]))[2].tolist() == pytest.approx([0.4, 0.4])


@pytest.mark.parametrize("removes", [False, True])
def test_unique_classes_are_those_of_draws_that_go_on_until_there_are_enough(removes) -> None:
    """Judge: such draws by numpy, whose number the expected counts tell."""
    classes, wanted, hits = 7, 4, [0, 1, 3] if removes else []
    draw = np.random.default_rng(0).integers
    found, judge = [], []
    for _ in range(600):
        sampled, _, counts = ops.uniform_candidate_sampler(
            Tensor([[0], [1], [3]]), 1, wanted, True, classes, 0, removes
        )
        assert len(set(sampled.tolist()) - set(hits)) == wanted
        count = counts.tolist()[0]
        plain = count == pytest.approx(wanted / classes)
        found.append(wanted if plain else round(np.log1p(-count) / np.log1p(-1 / classes)))
        seen, tries = set(), 0
        while len(seen) < wanted:
            tries += 1
            seen |= {int(draw(classes))} - set(hits)
        judge.append(tries)
    assert np.mean(found) == pytest.approx(np.mean(judge), abs=5 * np.std(judge) / 600**0.5)
    assert np.std(found) == pytest.approx(np.std(judge), rel=0.25)


def test_nothing_is_removed_where_the_others_are_too_few() -> None:
    sampled, true_counts, _ = ops.uniform_candidate_sampler(Tensor([[0], [1]]), 1, 2, True, 3, 0, True)
    assert len(set(sampled.tolist())) == 2
    assert true_counts.asnumpy().min() > 0.6


def test_multinomial_with_replacement_draws_without_it_where_it_is_not_asked_for() -> None:
    even = Tensor([[1.0, 1.0, 1.0, 1.0]])
    assert sorted(ops.multinomial_with_replacement(even, 3, 2, 4, False).asnumpy()[0]) == [0, 1, 2, 3]
    assert ops.MultinomialWithReplacement(12, True)(even, 3, 2).shape == (1, 12)
    with pytest.raises(ValueError, match="numsamples must be at most the number of classes"):
        ops.multinomial_with_replacement(even, 3, 2, 12, False)


def test_num_sample_is_the_older_name() -> None:
    assert ops.multinomial(Tensor([0.0, 1.0]), num_sample=3).asnumpy().tolist() == [1, 1, 1]
