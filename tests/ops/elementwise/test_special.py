"""Special functions. Judge: Python's math."""

import math

import pytest

from msbridge import Tensor, ops


def test_special_functions() -> None:
    x = Tensor([0.5])
    assert ops.erf(x).item() == pytest.approx(math.erf(0.5))
    assert ops.lgamma(Tensor([4.5])).item() == pytest.approx(math.lgamma(4.5), rel=1e-6)
    assert ops.Polygamma()(Tensor(1), Tensor([1.0])).item() == pytest.approx(math.pi**2 / 6)
    assert ops.igamma(Tensor([1.0]), Tensor([1.0])).item() == pytest.approx(1 - math.exp(-1))
    assert ops.erfinv(ops.erf(x)).item() == pytest.approx(0.5, rel=1e-5)
