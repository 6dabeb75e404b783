import numpy as np
import pytest

from msbridge.dataset import audio
from msbridge.dataset.audio import resampling
from tests.dataset.pipelines import in_pipeline


def test_both_ways_to_apply_the_filters_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    wave = np.random.default_rng(0).random((2, 200))
    whole = audio.Resample(100, 63)(wave)
    monkeypatch.setattr(resampling, "MAX_MATRIX_ELEMENTS", 0)
    np.testing.assert_allclose(audio.Resample(100, 63)(wave), whole, rtol=1e-12)


def test_the_same_rate_leaves_values_and_dtype() -> None:
    wave = np.arange(6, dtype=np.int16).reshape(2, 3)
    for found in (audio.Resample(8000, 8000)(wave), in_pipeline(audio.Resample(8000, 8000), wave)):
        assert found.dtype == np.int16
        np.testing.assert_array_equal(found, wave)
