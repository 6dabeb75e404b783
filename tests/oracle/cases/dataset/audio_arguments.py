"""Constructions of audio transforms, and calls of its functions, with one argument after another replaced."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from mindspore.dataset import audio

from tests.oracle.case import Case, words

SAMPLE_RATE, Q, GAIN = "sample_rate=16000", "Q=0.5", "gain=2.0"
FRAMES = "n_fft=16, win_length=12, hop_length=4, pad=1, window=WindowType.HANN"
SPECTRUM = f"{FRAMES}, power=2.0, normalized=True, center=True, pad_mode=BorderType.EDGE, onesided=True"
MELS = f"n_mels=4, {SAMPLE_RATE}, f_min=10.0, f_max=4000.0, norm=NormType.NONE"
# A valid construction of each transform and utility; every argument is then replaced by each of VALUES.
VALID = {
    "AllpassBiquad": f"{SAMPLE_RATE}, central_freq=200.0, {Q}",
    "AmplitudeToDB": "stype=ScaleType.POWER, ref_value=1.0, amin=0.1, top_db=9.0",
    "BandBiquad": f"{SAMPLE_RATE}, central_freq=200.0, {Q}, noise=True",
    "BandpassBiquad": f"{SAMPLE_RATE}, central_freq=200.0, {Q}, const_skirt_gain=True",
    "BandrejectBiquad": f"{SAMPLE_RATE}, central_freq=200.0, {Q}",
    "BassBiquad": f"{SAMPLE_RATE}, {GAIN}, central_freq=200.0, {Q}",
    "Biquad": "b0=0.1, b1=0.2, b2=0.3, a0=1.0, a1=0.1, a2=0.2",
    "ComplexNorm": "power=2.0",
    "ComputeDeltas": "win_length=5, pad_mode=BorderType.EDGE",
    "Contrast": "enhancement_amount=5.0",
    "DBToAmplitude": "ref=1.0, power=2.0",
    "DCShift": "shift=0.5, limiter_gain=0.1",
    "DeemphBiquad": "sample_rate=44100",
    "DetectPitchFrequency": f"{SAMPLE_RATE}, frame_time=0.1, win_length=3, freq_low=85, freq_high=3400",
    "Dither": "density_function=DensityFunction.RPDF, noise_shaping=True",
    "EqualizerBiquad": f"{SAMPLE_RATE}, center_freq=200.0, {GAIN}, {Q}",
    "Fade": "fade_in_len=1, fade_out_len=2, fade_shape=FadeShape.LINEAR",
    "Filtfilt": "a_coeffs=[1.0, 0.1], b_coeffs=[0.5, 0.1], clamp=True",
    "Flanger": f"{SAMPLE_RATE}, delay=1.0, depth=1.0, regen=1.0, width=1.0, speed=1.0, phase=1.0, "
    "modulation=Modulation.SINUSOIDAL, interpolation=Interpolation.LINEAR",
    "FrequencyMasking": "iid_masks=True, freq_mask_param=2, mask_start=1, mask_value=0.5",
    "Gain": "gain_db=1.0",
    "GriffinLim": "n_fft=16, n_iter=2, win_length=12, hop_length=4, window_type=WindowType.HANN, power=2.0, "
    "momentum=0.5, length=20, rand_init=True",
    "HighpassBiquad": f"{SAMPLE_RATE}, cutoff_freq=200.0, {Q}",
    "InverseMelScale": f"n_stft=9, {MELS}, mel_type=MelType.HTK, max_iter=3, tolerance_loss=0.1, tolerance_change=0.1, "
    "sgdargs={'sgd_lr': 0.1, 'sgd_momentum': 0.1}",
    "InverseSpectrogram": f"length=20, {FRAMES}, normalized=True, center=True, pad_mode=BorderType.EDGE, onesided=True",
    "LFCC": f"{SAMPLE_RATE}, n_filter=8, n_lfcc=4, f_min=1.0, f_max=4000.0, dct_type=2, norm=NormMode.ORTHO, "
    "log_lf=True, speckwargs=None",
    "LFilter": "a_coeffs=[1.0, 0.1], b_coeffs=[0.5, 0.1], clamp=True",
    "LowpassBiquad": f"{SAMPLE_RATE}, cutoff_freq=200.0, {Q}",
    "MFCC": f"{SAMPLE_RATE}, n_mfcc=4, dct_type=2, norm=NormMode.ORTHO, log_mels=True, melkwargs=None",
    "Magphase": "power=1.0",
    "MaskAlongAxis": "mask_start=1, mask_width=1, mask_value=1.0, axis=1",
    "MaskAlongAxisIID": "mask_param=1, mask_value=1.0, axis=1",
    "MelScale": f"{MELS}, n_stft=9, mel_type=MelType.HTK",
    "MelSpectrogram": f"{SPECTRUM}, {MELS}, mel_scale=MelType.HTK",
    "MuLawDecoding": "quantization_channels=16",
    "MuLawEncoding": "quantization_channels=16",
    "Overdrive": "gain=1.0, color=1.0",
    "PhaseVocoder": "rate=1.5, phase_advance=np.zeros((3, 1))",
    "Phaser": f"{SAMPLE_RATE}, gain_in=0.1, gain_out=0.1, delay_ms=1.0, decay=0.1, mod_speed=1.0, sinusoidal=True",
    "PitchShift": f"{SAMPLE_RATE}, n_steps=1, bins_per_octave=12, n_fft=16, win_length=12, hop_length=4, "
    "window=WindowType.HANN",
    "Resample": "orig_freq=3, new_freq=2, resample_method=ResampleMethod.KAISER_WINDOW, "
    "lowpass_filter_width=6, rolloff=0.9, beta=3.0",
    "RiaaBiquad": "sample_rate=44100",
    "SlidingWindowCmn": "cmn_window=6, min_cmn_window=1, center=True, norm_vars=True",
    "SpectralCentroid": f"{SAMPLE_RATE}, {FRAMES}",
    "Spectrogram": SPECTRUM,
    "TimeMasking": "iid_masks=True, time_mask_param=2, mask_start=1, mask_value=0.5",
    "TimeStretch": "hop_length=4, n_freq=9, fixed_rate=1.5",
    "TrebleBiquad": f"{SAMPLE_RATE}, {GAIN}, central_freq=200.0, {Q}",
    "Vad": f"{SAMPLE_RATE}, trigger_level=7.0, trigger_time=0.25, search_time=1.0, allowed_gap=0.25, "
    "pre_trigger_time=0.0, boot_time=0.35, noise_up_time=0.1, noise_down_time=0.01, noise_reduction_amount=1.35, "
    "measure_freq=20.0, measure_duration=0.1, measure_smooth_time=0.4, hp_filter_freq=50.0, lp_filter_freq=6000.0, "
    "hp_lifter_freq=150.0, lp_lifter_freq=2000.0",
    "Vol": "gain=0.5, gain_type=GainType.POWER",
    "create_dct": "n_mfcc=3, n_mels=4, norm=NormMode.NONE",
    "linear_fbanks": f"n_freqs=9, f_min=1.0, f_max=4000.0, n_filter=3, {SAMPLE_RATE}",
    "melscale_fbanks": f"n_freqs=9, {MELS}, mel_type=MelType.HTK",
}
VALUES = ("'a'", "None", "True", "-1", "0", "1", "2", "0.5", "-0.5", "1e9", "2**40", "[1]", "{}", "np.float32(0.5)")


def arguments(settings: str) -> list[tuple[str, str]]:
    """Split the arguments of a construction into names and values; commas in brackets and braces do not count."""
    parts, depth = [""], 0
    for letter in settings:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [(name.strip(), value) for name, _, value in (part.partition("=") for part in parts)]


LATER = {
    "Resample(beta": "'a' [1] {}",
    "LFCC(speckwargs": "{}",
    "MFCC(melkwargs": "{}",
}
"""What MindSpore refuses later, when it is called, or has a plain meaning: not compared."""


def scope() -> dict[str, Any]:
    """What `mindspore.dataset.audio` has."""
    return vars(audio)


def refused(form: str, without: str = "") -> dict[str, str]:
    """The classes that a construction raises with each of the values instead of the question mark."""
    found = {}
    for value in VALUES:
        if value not in words(without):
            try:
                eval(form.replace("?", value), vars(audio) | {"np": np})
                found[value] = ""
            except Exception as error:
                found[value] = type(error).__name__
    return found


def variants(transform: str) -> Iterator[Case]:
    """A valid construction, and for each of its arguments those with another value."""
    settings = VALID[transform]
    yield Case(f"{transform}({settings})", may_raise=True)
    for name, value in arguments(settings):
        form = f"{transform}({settings.replace(f'{name}={value}', f'{name}=?', 1)})"
        without = LATER.get(f"{transform}({name}")
        yield Case(f"refused({form!r}, {without!r})" if without else f"refused({form!r})")


CASES = [case for transform in VALID for case in variants(transform)]
