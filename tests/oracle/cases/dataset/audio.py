"""Audio transforms, called with small arrays; functions of audio."""

# ruff: noqa: E501

from typing import Any

import numpy as np
from mindspore.dataset import audio

from tests.oracle.case import Case, OfLargest, each, under_headings, words

_random = np.random.RandomState(11)  # the legacy generator: the same numbers in every release of numpy


def _floats(*shape: int) -> np.ndarray:
    """Numbers of float32 in [-1, 1] with few digits, which a compressed file holds in little space."""
    return (_random.randint(-128, 129, shape) / 128).astype(np.float32)


INPUTS = {
    "wave": _floats(2, 40),
    "mono": _floats(40),
    "deep": _floats(2, 1, 3, 12),
    "long": _floats(2, 260),
    "tone": (np.sin(np.arange(700) * 0.31) * np.linspace(0, 1, 700)).astype(np.float32),
    "spec": np.abs(_floats(2, 5, 9)),
    "plane": np.abs(_floats(5, 9)),
    "specs": np.abs(_floats(2, 3, 5, 4)),
    "frame": _floats(1, 6),
    "spectra": _floats(2, 5, 9, 2),
    "single": _floats(5, 9, 2),
    "pair": _floats(2),
    "codes": _random.randint(0, 256, (2, 30)),
    "zeros": np.zeros((2, 20), np.float32),
    "scalar": np.array(0.5, np.float32),
    "strings": np.array([["a", "b"], ["c", "d"]]),
    "one": np.array([-0.5], np.float32),
    "empty": np.zeros((2, 0), np.float32),
}
for _name in ("wave", "long", "spec", "spectra"):
    INPUTS[f"{_name}16"] = INPUTS[_name].astype(np.float16)
    INPUTS[f"{_name}64"] = INPUTS[_name].astype(np.float64)
INPUTS["ints"] = (INPUTS["wave"] * 9).astype(np.int16)
INPUTS["uint8s"] = np.abs(INPUTS["spec"] * 99).astype(np.uint8)
INPUTS["bools"] = INPUTS["spectra"] > 0

WIDER = {
    "RiaaBiquad": 5e-7,  # coefficients of filters and windows are rounded to float32 there, by steps not repeated here
    "Resample(2, 5, ResampleMethod.KAISER_WINDOW": 2e-6,
    "LFCC(8000, 9, 5, log_lf=True": 1e-4,  # logarithms of what is almost nothing
    "PitchShift": 1e-4,  # phases that add up over all frames
}


def scope() -> dict[str, Any]:
    """What `mindspore.dataset.audio` has, and the inputs."""
    return vars(audio) | {name: value.copy() for name, value in INPUTS.items()}


def form(result: Any) -> Any:
    return str(result.dtype), result.shape


def case(line: str) -> Case:
    wider = [tolerance for start, tolerance in WIDER.items() if line.startswith(start)]
    return Case(line, may_raise=True, tolerance=OfLargest(*wider or [1e-9]))


CALLS = """
[codes]
MuLawDecoding(64)
MuLawDecoding(1)
Contrast(47.2)
DBToAmplitude(-1.6, 1.0)
MuLawDecoding(2)
[spectra]
ComplexNorm(0)
TimeStretch(4, 5, 0.4)
TimeStretch(None, 5)
TimeStretch(None, 5, 1.0)
TimeStretch(7, 3, 2)
TimeStretch(2, 11, 0.9)
PhaseVocoder(1.3, np.linspace(0, 9, 4).reshape(4, 1).astype(np.float32))
PhaseVocoder(1.3, np.linspace(0, 9, 5).reshape(5).astype(np.float32))
PhaseVocoder(1.3, np.linspace(0, 9, 5).reshape(5, 1).astype(np.float64))
[spectra spectra64]
InverseSpectrogram(n_fft=8, length=30)
InverseSpectrogram(n_fft=8, length=50)
InverseSpectrogram(n_fft=8, length=20, pad=3)
InverseSpectrogram(n_fft=8, pad=3)
InverseSpectrogram(n_fft=10)
InverseSpectrogram(n_fft=9)
InverseSpectrogram(n_fft=8, win_length=6, hop_length=2)
InverseSpectrogram(n_fft=8, normalized=True)
InverseSpectrogram(n_fft=8, center=False)
InverseSpectrogram(n_fft=8, hop_length=8)
InverseSpectrogram(n_fft=8, center=False, length=33)
InverseSpectrogram(n_fft=6, onesided=False)
InverseSpectrogram(n_fft=8, win_length=1, hop_length=3)
InverseSpectrogram(n_fft=8, window=WindowType.HAMMING)
[spectra64]
PhaseVocoder(0.7, np.linspace(0, 9, 5).reshape(5, 1).astype(np.float64))
[deep]
Resample(8000, 8000)
[long]
PitchShift(16000, 12, n_fft=16, win_length=12, hop_length=3)
Resample(44100, 16000)
Resample(3, 2, ResampleMethod.KAISER_WINDOW)
SpectralCentroid(16000, 32, 24, 6, 5)
SpectralCentroid(16000, 16, window=WindowType.KAISER)
MelSpectrogram(8000, 32, 20, 7, 50.0, 3000.0, 2, 5, WindowType.HAMMING, 1.5, True)
MelSpectrogram(n_fft=16, n_mels=3, mel_scale=MelType.SLANEY)
MelSpectrogram(n_fft=16, n_mels=3, norm=NormType.SLANEY)
MelSpectrogram(n_fft=16, n_mels=3, center=False)
MelSpectrogram(n_fft=1000, n_mels=3)
LFCC(speckwargs=dict(n_fft=32, win_length=20, hop_length=5, pad=3, window=WindowType.BLACKMAN, power=1.0, normalized=True, center=True, pad_mode=BorderType.EDGE, onesided=True))
MFCC(8000, 2, melkwargs=dict(n_fft=35, win_length=8, hop_length=20, window=WindowType.KAISER, pad=0, n_mels=3, power=2.0, normalized=True, center=True, pad_mode=BorderType.SYMMETRIC, onesided=True, norm=NormType.NONE, f_min=0.0, f_max=4000.0, mel_scale=MelType.HTK))
MFCC(8000, 2, melkwargs=dict(n_fft=35, win_length=8, hop_length=20, window=WindowType.KAISER, pad=0, n_mels=3, power=2.0, normalized=True, center=True, pad_mode=BorderType.EDGE, onesided=True, norm=NormType.NONE, f_min=0.0, f_max=4000.0, mel_scale=MelType.HTK))
SpectralCentroid(0, 16)
[long tone scalar strings long16 long64]
Spectrogram(16)
SpectralCentroid(44100, 16)
Vad(16000)
[long tone strings long16]
MFCC()
LFCC()
MFCC(8000, 5, log_mels=True)
LFCC(8000, 9, 5, log_lf=True, norm=NormMode.NONE)
[long16]
BandrejectBiquad(16000, 8837.0, 0.256)
[mono]
PitchShift(16000, 0, n_fft=16)
Resample(16000, 44100)
Spectrogram(8, power=1.0)
Spectrogram(8, power=0)
Spectrogram(8, power=3.5)
Spectrogram(8, 6, 3)
Spectrogram(8, 5, 4, 3)
Spectrogram(9)
Spectrogram(9, onesided=False)
Spectrogram(8, power=0, onesided=False)
Spectrogram(8, normalized=True)
Spectrogram(8, center=False)
Spectrogram(8, 1)
Spectrogram(8, 2)
Spectrogram(64)
Spectrogram(81, center=False)
Spectrogram(30, center=False, pad=4)
Spectrogram(8, power=0, normalized=True, window=WindowType.BLACKMAN)
Spectrogram(8, window=WindowType.BARTLETT)
Spectrogram(8, window=WindowType.BLACKMAN)
Spectrogram(8, window=WindowType.HAMMING)
Spectrogram(8, window=WindowType.HANN)
Spectrogram(8, pad_mode=BorderType.CONSTANT)
Spectrogram(8, pad_mode=BorderType.EDGE)
Spectrogram(8, pad_mode=BorderType.REFLECT)
Spectrogram(8, pad_mode=BorderType.SYMMETRIC)
Spectrogram(100, pad_mode=BorderType.CONSTANT)
Spectrogram(100, pad_mode=BorderType.EDGE)
Spectrogram(100, pad_mode=BorderType.REFLECT)
Spectrogram(100, pad_mode=BorderType.SYMMETRIC)
LFCC(8000, 6, 3, speckwargs=dict(n_fft=32, win_length=20, hop_length=5, pad=3, window=WindowType.BLACKMAN, power=1.0, normalized=True, center=False, pad_mode=BorderType.SYMMETRIC, onesided=True))
[mono long strings long16]
MelSpectrogram(n_fft=16, n_mels=4)
[mono spec plane specs spectra strings spec16 spec64 uint8s]
GriffinLim(8, 2, rand_init=False)
[mono spec plane specs strings spec16 spec64 uint8s]
AmplitudeToDB()
AmplitudeToDB(ScaleType.MAGNITUDE, 0.5, 0.01, 20)
ComputeDeltas()
MaskAlongAxis(1, 2, 0.5, 1)
MaskAlongAxis(0, 4, 7, 2)
FrequencyMasking(False, 2, 1, 0.25)
FrequencyMasking()
TimeMasking(False, 2, 1, 3)
MaskAlongAxisIID(0, 1.0, 2)
MelScale(3, 16000, n_stft=5)
SlidingWindowCmn()
SlidingWindowCmn(3, 2)
[mono wave64]
Spectrogram(8, window=WindowType.KAISER)
[plane]
AmplitudeToDB(ScaleType.MAGNITUDE, 0.001, 0.1, 900)
[scalar strings]
PitchShift(16000, 5, n_fft=16)
[scalar strings ints]
Resample(3, 2)
[single]
PhaseVocoder(1, np.linspace(0, 9, 5).reshape(5, 1).astype(np.float32))
[spec]
ComputeDeltas(3, BorderType.CONSTANT)
ComputeDeltas(3, BorderType.EDGE)
ComputeDeltas(3, BorderType.REFLECT)
ComputeDeltas(3, BorderType.SYMMETRIC)
ComputeDeltas(6, BorderType.CONSTANT)
ComputeDeltas(6, BorderType.EDGE)
ComputeDeltas(6, BorderType.REFLECT)
ComputeDeltas(6, BorderType.SYMMETRIC)
ComputeDeltas(9, BorderType.CONSTANT)
ComputeDeltas(9, BorderType.EDGE)
ComputeDeltas(9, BorderType.REFLECT)
ComputeDeltas(9, BorderType.SYMMETRIC)
MaskAlongAxis(4, 2, 0.0, 1)
FrequencyMasking(False, 9)
TimeMasking(True, 99)
MaskAlongAxisIID(9, 0.0, 1)
MelScale(4, 16000, 100.0, 7000.0, 5, NormType.SLANEY, MelType.SLANEY)
MelScale(2, 8000, n_stft=5, mel_type=MelType.SLANEY)
MelScale(2, 8000, n_stft=5, norm=NormType.SLANEY)
MelScale(4, 16000, n_stft=6)
GriffinLim(8, 2, momentum=1.0, rand_init=False)
SlidingWindowCmn(0, 4, True, True)
[spec frame spec64]
SlidingWindowCmn(4, 3, True)
SlidingWindowCmn(4, 3, True, True)
SlidingWindowCmn(3, 2, False, True)
SlidingWindowCmn(2, 9, False, True)
SlidingWindowCmn(0, 0)
SlidingWindowCmn(1, 1, True)
[spec single]
Flanger(1000)
[spec64]
GriffinLim(8, 3, rand_init=False)
GriffinLim(8, 3, 6, rand_init=False)
GriffinLim(8, 3, None, 2, rand_init=False)
GriffinLim(8, 3, momentum=0, rand_init=False)
GriffinLim(8, 5, power=1, rand_init=False)
GriffinLim(8, 3, window_type=WindowType.BLACKMAN, momentum=0.3, rand_init=False)
GriffinLim(10, 3, rand_init=False)
AmplitudeToDB(ScaleType.POWER, 1.0, 2, 900)
[tone]
Phaser(1500, 0.9, 0.9, 5.0, 0.9, 2.0)
Overdrive(40, 60)
Vad(600)
Vad(600, 0.0)
Vad(600, -1, search_time=0.2)
Vad(600, -1, pre_trigger_time=0.4)
Vad(600, search_time=0.1)
Vad(400, 0, search_time=0.3, pre_trigger_time=0.1, measure_freq=30, measure_duration=0.08)
Vad(600, hp_filter_freq=900)
Vad(600, hp_lifter_freq=3000)
DetectPitchFrequency(8000)
DetectPitchFrequency(8000, 0.02, 4)
DetectPitchFrequency(8000, 0.02, 5, 100, 900)
DetectPitchFrequency(8000, 0.05, 40)
DetectPitchFrequency(8000, freq_low=200)
Vad(600, search_time=0)
[wave]
Fade(7, 4, FadeShape.QUARTER_SINE)
Fade(7, 4, FadeShape.HALF_SINE)
Fade(7, 4, FadeShape.LINEAR)
Fade(7, 4, FadeShape.LOGARITHMIC)
Fade(7, 4, FadeShape.EXPONENTIAL)
Fade(0, 20, FadeShape.QUARTER_SINE)
Fade(0, 20, FadeShape.HALF_SINE)
Fade(0, 20, FadeShape.LINEAR)
Fade(0, 20, FadeShape.LOGARITHMIC)
Fade(0, 20, FadeShape.EXPONENTIAL)
Fade(40, 40, FadeShape.QUARTER_SINE)
Fade(40, 40, FadeShape.HALF_SINE)
Fade(40, 40, FadeShape.LINEAR)
Fade(40, 40, FadeShape.LOGARITHMIC)
Fade(40, 40, FadeShape.EXPONENTIAL)
Fade(1, 1, FadeShape.QUARTER_SINE)
Fade(1, 1, FadeShape.HALF_SINE)
Fade(1, 1, FadeShape.LINEAR)
Fade(1, 1, FadeShape.LOGARITHMIC)
Fade(1, 1, FadeShape.EXPONENTIAL)
Fade(41, 0)
Fade(0, 41)
LFilter([0.0, 1.0], [1.0, 1.0])
PitchShift(16000, 4, n_fft=16)
Resample(3, 1, ResampleMethod.SINC_INTERPOLATION, 3, 0.5)
Resample(48000.7, 32000.2)
Resample(0.5, 1.0)
BandBiquad(1000, 8750.0, 0.305)
DetectPitchFrequency(-100, 0.1, 5, 9, 25)
DetectPitchFrequency(30, 0.3, 6, 9, 25)
DetectPitchFrequency(30, 0.1, 1, 12, 13)
[wave spectra bools]
PhaseVocoder(1.3, np.linspace(0, 9, 5).reshape(5, 1).astype(np.float32))
[wave spectra single pair spectra16 spectra64 bools]
Angle()
ComplexNorm()
ComplexNorm(2.5)
Magphase(2)
TimeStretch(4, 5, 1.3)
[wave spectra single pair spectra64]
InverseSpectrogram(n_fft=8)
[wave deep long tone wave16]
LowpassBiquad(44100, 40.0)
[wave deep wave16]
AllpassBiquad(16000, 3000, 0.3)
BandBiquad(16000, 1000.0, 0.5, True)
BandpassBiquad(16000, 1000.0, 0.5, True)
BassBiquad(44100, 50.0)
Biquad(0.01, 0.02, 0.13, 1, 0.12, 0.3)
DeemphBiquad(44100)
EqualizerBiquad(44100, 1500, 5.5)
HighpassBiquad(44100, 1500)
RiaaBiquad(48000)
RiaaBiquad(96000)
TrebleBiquad(16000, -12.5, 500, 0.9)
LFilter([2.0], [0.5])
LFilter([1.0, 0.1, 0.2, 0.3, 0.05], [0.4, 0.2, 0.9, 0.1, 0.6], False)
Filtfilt([1.0, 0.2, -0.3], [0.4, 0.2, 0.3], clamp=False)
[wave deep wave64]
Flanger(44100)
Flanger(1000, 3.0, 4.0, 0.0, 50, 10, 30)
Flanger(1000, 0.0, 6.0, -60.0, 100, 8, 50, Modulation.TRIANGULAR)
Flanger(1000, 2.0, 5.0, 40.0, 71, 9, 25, Modulation.SINUSOIDAL, Interpolation.QUADRATIC)
Flanger(2000, 1.0, 3.0, 0.0, 71, 10, 25, Modulation.TRIANGULAR, Interpolation.QUADRATIC)
[wave mono]
Contrast(10)
DBToAmplitude(0.5, 0.5)
DBToAmplitude(2, 1)
DCShift(0.5, 0.02)
DCShift(-0.5, 0.02)
DCShift(0.8)
DCShift(-1.2, 0.6)
DCShift(0)
Fade(3, 5)
Gain(-12.5)
MuLawEncoding(16)
Vol(0.5)
Vol(4, GainType.POWER)
Vol(-6, GainType.DB)
Vol(0, GainType.DB)
Vol(0)
Dither(DensityFunction.TPDF, True)
Overdrive(0, 100)
Phaser(44100)
Phaser(2000, 0.9, 0.5, 4.5, 0.8, 2.0, False)
[wave mono codes]
MuLawDecoding()
[wave mono deep long strings wave16 wave64 ints]
Flanger(1000, 3.0, 4.0, 60.0, 50, 10, 30)
[wave mono deep scalar one wave64 ints]
Dither()
[wave mono deep zeros scalar strings empty wave16 wave64 ints]
LowpassBiquad(4000, 1500, 0.7)
Filtfilt([0.5, 0.2, 0.3], [0.1, 0.2, 0.3])
Contrast()
Gain()
MuLawEncoding()
Overdrive()
Phaser(4410)
Fade(3, 2)
DetectPitchFrequency(30, 0.1, 3, 5, 25)
[wave mono wave64]
AllpassBiquad(44100, 200.0)
BandBiquad(44100, 200.0)
BandpassBiquad(44100, 200.0)
BandrejectBiquad(44100, 200.0)
BassBiquad(16000, -7.5, 300, 0.4)
Biquad(0.5, -0.25, 0.1, 2, -1.9, 0.9)
DeemphBiquad(48000)
EqualizerBiquad(16000, 500, -9, 0.3)
RiaaBiquad(44100)
RiaaBiquad(88200)
TrebleBiquad(44100, 20.0)
LFilter([1.0, 0.1, 0.3], [0.4, 0.2, 0.9])
LFilter([1.0, -0.99], [0.5, 0.5], False)
Filtfilt([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
[wave wave64]
Resample(48000, 32000)
[wave16]
PitchShift(16000, 5, n_fft=16, window=WindowType.HAMMING)
[wave64]
Fade(3, 5, FadeShape.LOGARITHMIC)
PitchShift(16000, -3, n_fft=16)
Resample(2, 5, ResampleMethod.KAISER_WINDOW, 16, 0.85, 8.5)
BandBiquad(1000, 4379.669, 0.435, True)
Spectrogram(9, 7, window=WindowType.BARTLETT, power=3.3)
Vol(3.0, GainType.POWER)
[zeros]
SpectralCentroid(16000, 8)
"""
CASES = [case(f"{line}({name})") for heading, line in under_headings(CALLS) for name in words(heading)]
CASES += each(
    """
# the values are others here: MindSpore reads the memory of the input as that of another dtype, or beyond its end
form(InverseSpectrogram(n_fft=8)(spectra16))
form(InverseSpectrogram(n_fft=8)(bools))
form(GriffinLim(8, 2, length=30, rand_init=False)(spec64))
form(GriffinLim(8, 2, length=18, rand_init=False)(spec64))
# functions, and names of choices
create_dct(5, 9)
create_dct(9, 5, NormMode.ORTHO)
create_dct(1, 1)
create_dct(0, 5)
create_dct(5, -1)
create_dct(5.0, 3)
create_dct(5, 3, 'ortho')
linear_fbanks(9, 0.0, 8000.0, 4, 16000)
linear_fbanks(20, 100, 900, 3, 4000)
linear_fbanks(9, -1.0, 8000.0, 4, 16000)
linear_fbanks(9, 900.0, 800.0, 4, 16000)
linear_fbanks(9, 0, 0, 4, 16000)
linear_fbanks(9.0, 0, 8000, 4, 16000)
linear_fbanks(9, 0, 8000, 0, 16000)
linear_fbanks(9, 0, 8000, 4, 0)
linear_fbanks(0, 0, 8000, 4, 16000)
linear_fbanks(1, 0, 8000, 4, 16000)
melscale_fbanks(9, 0.0, 8000.0, 4, 16000)
melscale_fbanks(20, 100, 1900, 3, 4000)
melscale_fbanks(40, 100, 7900, 6, 16000, NormType.SLANEY)
melscale_fbanks(40, 100, 7900, 6, 16000, mel_type=MelType.SLANEY)
melscale_fbanks(40, 100, 7900, 6, 16000, NormType.SLANEY, MelType.SLANEY)
melscale_fbanks(9, 0, 8000, 4, 16000, 'slaney')
melscale_fbanks(9, 0, 8000, 4, 16000, NormType.NONE, 'htk')
melscale_fbanks(9, 900.0, 800.0, 4, 16000)
melscale_fbanks(9, 0, 8000, 0, 16000)
BorderType.EDGE.value
WindowType.HANN.value
NormMode.ORTHO.value
""",
    may_raise=True,
    tolerance=OfLargest(1e-9),
)
