import numpy as np
import pytest
from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset import audio
from msbridge.dataset.audio import resampling


class TestResampling(RecordedTests, RefusalTests):
    module = resampling


def test_both_ways_to_apply_the_filters_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    wave = np.random.default_rng(0).random((2, 200))
    whole = audio.Resample(100, 63)(wave)
    monkeypatch.setattr(resampling, "LARGEST_MATRIX", 0)
    np.testing.assert_allclose(audio.Resample(100, 63)(wave), whole, rtol=1e-12)
