import numpy as np

from msbridge.dataset import audio


def test_filters_above_the_second_order_are_computed_in_float64() -> None:
    wave = np.random.default_rng(0).random(300).astype(np.float32)
    a, b = [1.0, -0.5, 0.2, -0.1], [0.2, 0.1, 0.3, 0.05]
    exact = audio.LFilter(a, b, False)(wave.astype(np.float64))
    np.testing.assert_allclose(audio.LFilter(a, b, False)(wave), exact, rtol=1e-5)
