import numpy as np
import pytest

from msbridge.dataset import audio
from tests.dataset.pipelines import in_pipeline


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize(("density", "terms"), [(audio.DensityFunction.RPDF, 1), (audio.DensityFunction.GPDF, 7)])
def test_the_noise_of_a_dither_comes_from_the_waveform(density: audio.DensityFunction, terms: int) -> None:
    wave = np.array([-0.5, 0.25, 0.75, 0.5])
    noise = in_pipeline(audio.Dither(density), np.stack([wave] * 2000))[:, 0] * 32768 + 0.5 * 32766
    assert noise.min() >= -0.5 * 64 - 1
    assert noise.max() <= 0.75 * 64 + 1
    if terms == 1:
        assert set(np.unique(noise)) == {-1.0, 0.0, 1.0}  # of -16383 ± a sample, rounded away from zero


def test_noise_shaping_adds_the_error_to_the_next_sample() -> None:
    wave = np.linspace(-0.9, 0.9, 7)
    plain, shaped = (audio.Dither(audio.DensityFunction.TPDF, shaping)(wave) for shaping in (False, True))
    np.testing.assert_allclose(shaped - plain, np.concatenate([[0], (plain - wave)[:-1]]))
