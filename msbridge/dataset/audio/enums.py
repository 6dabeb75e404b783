"""Choices that audio transforms take."""

from enum import Enum

__all__ = [
    "BorderType",
    "DensityFunction",
    "FadeShape",
    "GainType",
    "Interpolation",
    "MelType",
    "Modulation",
    "NormMode",
    "NormType",
    "ResampleMethod",
    "ScaleType",
    "WindowType",
]


class BorderType(str, Enum):  # noqa: UP042 - str() names the member, as in MindSpore
    """The modes of continuing the ends of a waveform.

    Follows: mindspore.dataset.audio.BorderType (2.10).
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(str, Enum):  # noqa: UP042
    """The noise that a dither adds: a triangle, one number, or a sum of several.

    Follows: mindspore.dataset.audio.DensityFunction (2.10).
    """

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(str, Enum):  # noqa: UP042
    """The curve of a fade.

    Follows: mindspore.dataset.audio.FadeShape (2.10).
    """

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, Enum):  # noqa: UP042
    """The unit of a gain.

    Follows: mindspore.dataset.audio.GainType (2.10).
    """

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, Enum):  # noqa: UP042
    """Interpolation between samples.

    Follows: mindspore.dataset.audio.Interpolation (2.10).
    """

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, Enum):  # noqa: UP042
    """The formula of the mel scale: that of HTK, or that of Slaney's toolbox.

    Follows: mindspore.dataset.audio.MelType (2.10).
    """

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, Enum):  # noqa: UP042
    """The curve of a low-frequency oscillator.

    Follows: mindspore.dataset.audio.Modulation (2.10).
    """

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, Enum):  # noqa: UP042
    """Normalization of a cosine transform.

    Follows: mindspore.dataset.audio.NormMode (2.10).
    """

    ORTHO = "ortho"
    NONE = "none"


class NormType(str, Enum):  # noqa: UP042
    """Normalization of filters: each by its width, or none.

    Follows: mindspore.dataset.audio.NormType (2.10).
    """

    SLANEY = "slaney"
    NONE = "none"


class ResampleMethod(str, Enum):  # noqa: UP042
    """The window of a resampling filter.

    Follows: mindspore.dataset.audio.ResampleMethod (2.10).
    """

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, Enum):  # noqa: UP042
    """The scale of a spectrogram: power, or magnitude.

    Follows: mindspore.dataset.audio.ScaleType (2.10).
    """

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, Enum):  # noqa: UP042
    """A window function.

    Follows: mindspore.dataset.audio.WindowType (2.10).
    """

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"
