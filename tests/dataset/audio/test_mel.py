import numpy as np
import pytest

from msbridge.dataset import audio


@pytest.mark.usefixtures("seeded")
def test_the_inverse_comes_close_to_the_mel_spectrum() -> None:
    scale = {"n_mels": 4, "sample_rate": 8000, "n_stft": 9}
    mels = audio.MelScale(**scale)(np.abs(np.random.default_rng(0).random((2, 9, 6))).astype(np.float32))
    found = audio.InverseMelScale(**scale, tolerance_loss=1e-6, tolerance_change=1e-12)(mels)
    assert found.shape == (2, 9, 6)
    assert found.min() >= 0
    np.testing.assert_allclose(audio.MelScale(**scale)(found), mels, atol=0.02)


@pytest.mark.usefixtures("seeded")
def test_the_inverse_begins_with_uniform_numbers() -> None:
    still = audio.InverseMelScale(400, 4, max_iter=1, sgdargs={"sgd_lr": 0.0, "sgd_momentum": 0.0})
    start = still(np.zeros((4, 50), np.float64))
    assert start.shape == (1, 400, 50)
    np.testing.assert_allclose(np.quantile(start, [0.1, 0.5, 0.9]), [0.1, 0.5, 0.9], atol=0.02)
