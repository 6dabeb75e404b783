"""Large tensors are measured block by block, as small ones are at once."""

import pytest
import torch

from msbridge.verify import compare_tensors


def test_large_tensors_are_measured_as_small_ones_are():
    expected = torch.randn(300, 1000)
    actual = expected + 1e-3 * torch.randn(300, 1000)
    found = compare_tensors(actual, expected, expected.double())
    gap = (actual.double() - expected.double()).abs()
    assert found.max_abs == gap.max().item()
    assert gap[found.index] == gap.max()
    assert found.p50 == pytest.approx(gap.median().item(), rel=0.1)
    assert found.cosine == pytest.approx(
        torch.cosine_similarity(actual.double().flatten(), expected.double().flatten(), 0).item(), abs=1e-6
    )
    size = expected.double().abs().clamp_min(1e-3 * expected.double().square().mean().sqrt())
    assert found.max_rel == pytest.approx((gap / size).max().item(), rel=0.1)  # the floor is that of a sample


def test_nan_in_a_large_tensor_is_seen():
    expected = torch.randn(300, 1000)
    actual = expected.clone()
    actual[7, 7] = torch.nan
    found = compare_tensors(actual, expected)
    assert (found.index, found.nans, found.is_noise) == ((7, 7), (1, 0), False)
