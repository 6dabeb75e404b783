"""The table of contents."""

import numpy as np

import msbridge.numpy as mnp


def test_every_listed_name_exists() -> None:
    assert mnp.__all__
    assert [name for name in mnp.__all__ if not hasattr(mnp, name)] == []
    assert len(set(mnp.__all__)) == len(mnp.__all__)


def test_real_numpy_is_not_shadowed() -> None:
    assert np.__file__ != mnp.__file__
    assert np.arange(3).dtype == np.int64
