"""Differences: the numbers against numpy's formulas, and what counts as rounding."""

import math

import numpy as np
import pytest
import torch

from msbridge.verify import compare_tensors


def test_numbers_against_numpy():
    rng = np.random.default_rng(0)
    expected = rng.normal(size=(40, 50)).astype(np.float32)
    actual = (expected * 1.01 + 1e-3 * rng.normal(size=expected.shape)).astype(np.float32)
    found = compare_tensors(torch.from_numpy(actual), torch.from_numpy(expected))
    gap = np.abs(actual.astype(np.float64) - expected)
    place = np.unravel_index(gap.argmax(), gap.shape)
    assert found.index == place
    assert (found.actual, found.expected) == (actual[place], expected[place])
    assert found.max_abs == gap.max()
    assert found.p50 == pytest.approx(np.quantile(gap, 0.5), rel=1e-2)
    assert found.p99 == pytest.approx(np.quantile(gap, 0.99), rel=1e-2)
    wide = actual.astype(np.float64), expected.astype(np.float64)
    assert found.cosine == pytest.approx((wide[0] * wide[1]).sum() / math.prod(np.linalg.norm(one) for one in wide))
    assert found.norm_ratio == pytest.approx(np.linalg.norm(wide[0]) / np.linalg.norm(wide[1]))
    assert sum(found.histogram) == gap.size


def test_equal_bits():
    one = torch.tensor([1.0, -0.0, torch.inf])
    assert compare_tensors(one, one.clone()).is_equal


def test_nan_in_the_same_places_is_no_difference():
    one = torch.tensor([1.0, torch.nan, torch.inf])
    found = compare_tensors(one, one.clone())
    assert (found.is_noise, found.nans, found.max_abs) == (True, (1, 1), 0)


@pytest.mark.parametrize("value", [torch.nan, torch.inf])
def test_nan_or_infinity_on_one_side_is_a_fault(value):
    found = compare_tensors(torch.tensor([1.0, value]), torch.tensor([1.0, 2.0]))
    assert not found.is_noise
    assert found.index == (1,)


def test_infinity_in_another_place_is_a_fault_with_a_reference_too():
    one = torch.tensor([1.0, -torch.inf, 2.0])
    assert not compare_tensors(torch.tensor([-torch.inf, 1.0, 2.0]), one, one.double()).is_noise
    assert compare_tensors(one.clone(), one, one.double()).is_noise


def test_values_under_a_huge_mask_are_judged_by_themselves():
    expected = torch.randn(50) + torch.tensor([0.0, torch.finfo(torch.float32).min]).repeat(25)
    actual = expected.clone()
    actual[::2] *= 1.01
    assert not compare_tensors(actual, expected, expected.double()).is_noise


def test_last_bit_is_noise():
    one = torch.randn(1000)
    assert compare_tensors(torch.nextafter(one, torch.tensor(torch.inf)), one).is_noise


@pytest.mark.parametrize("relative", [1e-5, 1e-4])
def test_factor_is_no_noise(relative):
    one = torch.randn(1000)
    assert not compare_tensors(one * (1 + relative), one).is_noise


def test_one_wrong_value_among_many_is_no_noise():
    one = torch.randn(100_000)
    other = one.clone()
    other[7] += 1e-3
    assert not compare_tensors(other, one).is_noise


def test_noise_is_measured_against_float64():
    reference = torch.randn(4000, dtype=torch.float64)
    noisy = reference.float() * (1 + 1e-5 * torch.randn(4000))
    other = reference.float() * (1 + 1e-5 * torch.randn(4000))
    assert not compare_tensors(other, noisy).is_noise
    assert compare_tensors(other, noisy, reference).noise_ratio == pytest.approx(1, abs=0.1)


def test_half_precision_is_judged_by_its_own_rounding():
    one = torch.randn(1000)
    found = compare_tensors(one.half(), one)
    assert (found.is_noise, found.is_coarser) == (True, True)
    assert not compare_tensors(one.half() * 1.05, one).is_noise


def test_integers_are_equal_or_not():
    ids = torch.tensor([1, 2, 3])
    assert compare_tensors(ids.int(), ids).is_noise
    assert not compare_tensors(torch.tensor([1, 2, 4]), ids).is_noise


def test_shapes_must_agree():
    found = compare_tensors(torch.ones(2, 3), torch.ones(3, 2))
    assert (found.actual_shape, found.shape, found.is_comparable) == ((2, 3), (3, 2), False)
    assert not found.is_noise


@pytest.mark.parametrize(
    "one", [torch.tensor(2.0), torch.zeros(0, 3), torch.ones(2, dtype=torch.complex64), torch.ones(2) > 0]
)
def test_odd_tensors(one):
    assert compare_tensors(one.clone(), one).is_equal
    assert compare_tensors(one.clone(), one, one).is_noise


def test_plain_values_for_json():
    found = compare_tensors(torch.tensor([torch.inf]), torch.tensor([1.0])).as_dict()
    assert found["max_abs"] == "inf"
