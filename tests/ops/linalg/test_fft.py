"""Fourier transforms. Judge: numpy, and the real MindSpore 2.10 where it has rules of its own."""

import numpy as np

from msbridge import Tensor, ops


def test_fourier_transforms() -> None:
    signal = np.array([1.0, -2.0, 3.0, 0.5], np.float32)
    np.testing.assert_allclose(ops.fft(Tensor(signal)).asnumpy(), np.fft.fft(signal), rtol=1e-5)
    np.testing.assert_allclose(ops.irfft(ops.rfft(Tensor(signal))).asnumpy(), signal, rtol=1e-5)
    assert ops.fftfreq(4).tolist() == [0.0, 0.25, -0.5, -0.25]
    assert ops.stft(Tensor(np.ones(16, np.float32)), 4).shape == (3, 17, 2)
