import numpy as np
import pytest

from msbridge.dataset import audio


@pytest.mark.usefixtures("seeded")
def test_griffin_lim_finds_a_waveform_of_the_spectrogram() -> None:
    wave = np.sin(np.arange(256) * 0.3)
    transform = audio.Spectrogram(32, hop_length=8, power=1.0)
    found = audio.GriffinLim(32, 60, hop_length=8, power=1.0)(transform(wave))
    difference = transform(found)[:, 4:-4] - transform(wave)[:, 4:-4]
    assert np.abs(difference).mean() < 0.2 * transform(wave).mean()


def test_the_inverse_of_a_spectrogram_is_the_waveform() -> None:
    wave = np.random.default_rng(0).random((2, 3, 64))
    spectrum = audio.Spectrogram(16, power=0)(wave)
    np.testing.assert_allclose(audio.InverseSpectrogram(n_fft=16)(spectrum), wave, atol=1e-7)


def test_lists_are_taken_where_mindspore_takes_them() -> None:
    assert audio.Spectrogram(4)([1.0, 2.0, 3.0, 4.0]).dtype == np.float64
    with pytest.raises(TypeError):
        audio.Spectrogram(4)(None)
    with pytest.raises(TypeError, match="NumPy audio"):
        audio.Gain()([1.0, 2.0])
