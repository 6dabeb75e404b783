"""Audio transforms on small inputs. `record_audio.py` asks MindSpore, `test_recorded.py` msbridge.

A case is an expression over the names of `mindspore.dataset.audio` and `np`, and the name of its input.
"""

import numpy as np

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
    "complex": _floats(2, 5, 9, 2),
    "single": _floats(5, 9, 2),
    "pair": _floats(2),
    "codes": _random.randint(0, 256, (2, 30)),
    "zeros": np.zeros((2, 20), np.float32),
    "scalar": np.array(0.5, np.float32),
    "words": np.array([["a", "b"], ["c", "d"]]),
    "one": np.array([-0.5], np.float32),
    "empty": np.zeros((2, 0), np.float32),
}
for _name in ("wave", "long", "spec", "complex"):
    INPUTS[f"{_name}16"] = INPUTS[_name].astype(np.float16)
    INPUTS[f"{_name}64"] = INPUTS[_name].astype(np.float64)
INPUTS["ints"] = (INPUTS["wave"] * 9).astype(np.int16)
INPUTS["bytes"] = np.abs(INPUTS["spec"] * 99).astype(np.uint8)
INPUTS["bools"] = INPUTS["complex"] > 0

WAVES = ("wave", "wave16", "wave64", "mono", "deep", "ints", "zeros", "scalar", "words", "empty")
SPECTROGRAMS = ("spec", "spec16", "spec64", "plane", "specs", "bytes", "mono", "words")
COMPLEX = ("complex", "complex16", "complex64", "single", "bools", "pair", "wave")
LONG = ("long", "long16", "long64", "tone", "scalar", "words")

BIQUADS = (
    "AllpassBiquad(44100, 200.0)",
    "AllpassBiquad(16000, 3000, 0.3)",
    "BandBiquad(44100, 200.0)",
    "BandBiquad(16000, 1000.0, 0.5, True)",
    "BandpassBiquad(44100, 200.0)",
    "BandpassBiquad(16000, 1000.0, 0.5, True)",
    "BandrejectBiquad(44100, 200.0)",
    "BassBiquad(44100, 50.0)",
    "BassBiquad(16000, -7.5, 300, 0.4)",
    "Biquad(0.01, 0.02, 0.13, 1, 0.12, 0.3)",
    "Biquad(0.5, -0.25, 0.1, 2, -1.9, 0.9)",
    "DeemphBiquad(44100)",
    "DeemphBiquad(48000)",
    "EqualizerBiquad(44100, 1500, 5.5)",
    "EqualizerBiquad(16000, 500, -9, 0.3)",
    "HighpassBiquad(44100, 1500)",
    "LowpassBiquad(4000, 1500, 0.7)",
    "LowpassBiquad(44100, 40.0)",
    "RiaaBiquad(44100)",
    "RiaaBiquad(48000)",
    "RiaaBiquad(88200)",
    "RiaaBiquad(96000)",
    "TrebleBiquad(44100, 20.0)",
    "TrebleBiquad(16000, -12.5, 500, 0.9)",
    "LFilter([1.0, 0.1, 0.3], [0.4, 0.2, 0.9])",
    "LFilter([2.0], [0.5])",
    "LFilter([1.0, -0.99], [0.5, 0.5], False)",
    "LFilter([1.0, 0.1, 0.2, 0.3, 0.05], [0.4, 0.2, 0.9, 0.1, 0.6], False)",
    "Filtfilt([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])",
    "Filtfilt([1.0, 0.2, -0.3], [0.4, 0.2, 0.3], clamp=False)",
)
LEVELS = (
    "Contrast()",
    "Contrast(10)",
    "DBToAmplitude(0.5, 0.5)",
    "DBToAmplitude(2, 1)",
    "DCShift(0.5, 0.02)",
    "DCShift(-0.5, 0.02)",
    "DCShift(0.8)",
    "DCShift(-1.2, 0.6)",
    "DCShift(0)",
    "Fade(3, 5)",
    "Gain()",
    "Gain(-12.5)",
    "MuLawDecoding()",
    "MuLawEncoding()",
    "MuLawEncoding(16)",
    "Vol(0.5)",
    "Vol(4, GainType.POWER)",
    "Vol(-6, GainType.DB)",
    "Vol(0, GainType.DB)",
    "Vol(0)",
    "Dither()",
    "Dither(DensityFunction.TPDF, True)",
    "Overdrive()",
    "Overdrive(0, 100)",
    "Phaser(44100)",
    "Phaser(2000, 0.9, 0.5, 4.5, 0.8, 2.0, False)",
)
FLANGERS = (
    "Flanger(44100)",
    "Flanger(1000, 3.0, 4.0, 0.0, 50, 10, 30)",
    "Flanger(1000, 3.0, 4.0, 60.0, 50, 10, 30)",
    "Flanger(1000, 0.0, 6.0, -60.0, 100, 8, 50, Modulation.TRIANGULAR)",
    "Flanger(1000, 2.0, 5.0, 40.0, 71, 9, 25, Modulation.SINUSOIDAL, Interpolation.QUADRATIC)",
    "Flanger(2000, 1.0, 3.0, 0.0, 71, 10, 25, Modulation.TRIANGULAR, Interpolation.QUADRATIC)",
)
ON_SPECTROGRAMS = (
    "AmplitudeToDB()",
    "AmplitudeToDB(ScaleType.MAGNITUDE, 0.5, 0.01, 20)",
    "ComputeDeltas()",
    "MaskAlongAxis(1, 2, 0.5, 1)",
    "MaskAlongAxis(0, 4, 7, 2)",
    "FrequencyMasking(False, 2, 1, 0.25)",
    "FrequencyMasking()",
    "TimeMasking(False, 2, 1, 3)",
    "MaskAlongAxisIID(0, 1.0, 2)",
    "MelScale(3, 16000, n_stft=5)",
    "SlidingWindowCmn()",
    "SlidingWindowCmn(3, 2)",
    "GriffinLim(8, 2, rand_init=False)",
)

CASES = [
    *[(expression, name) for expression in BIQUADS[::2] for name in ("wave", "wave64", "mono")],
    *[(expression, name) for expression in BIQUADS[1::2] for name in ("wave", "wave16", "deep")],
    *[("LowpassBiquad(4000, 1500, 0.7)", name) for name in WAVES],
    *[("Filtfilt([0.5, 0.2, 0.3], [0.1, 0.2, 0.3])", name) for name in WAVES],
    *[("LowpassBiquad(44100, 40.0)", name) for name in ("long", "tone")],
    *[(expression, name) for expression in LEVELS for name in ("wave", "mono")],
    *[
        (expression, name)
        for expression in ("Contrast()", "Gain()", "MuLawEncoding()", "Overdrive()", "Phaser(4410)", "Fade(3, 2)")
        for name in WAVES
    ],
    *[
        (f"Fade({lengths}, FadeShape.{shape})", "wave")
        for lengths in ("7, 4", "0, 20", "40, 40", "1, 1")
        for shape in ("QUARTER_SINE", "HALF_SINE", "LINEAR", "LOGARITHMIC", "EXPONENTIAL")
    ],
    ("Fade(3, 5, FadeShape.LOGARITHMIC)", "wave64"),
    ("Fade(41, 0)", "wave"),
    ("Fade(0, 41)", "wave"),
    ("MuLawDecoding()", "codes"),
    ("MuLawDecoding(64)", "codes"),
    ("MuLawDecoding(1)", "codes"),
    ("LFilter([0.0, 1.0], [1.0, 1.0])", "wave"),
    *[("Dither()", name) for name in ("wave64", "deep", "ints", "scalar")],
    *[(expression, name) for expression in FLANGERS for name in ("wave", "wave64", "deep")],
    *[("Flanger(1000, 3.0, 4.0, 60.0, 50, 10, 30)", name) for name in ("wave16", "ints", "mono", "words", "long")],
    *[(expression, "tone") for expression in ("Phaser(1500, 0.9, 0.9, 5.0, 0.9, 2.0)", "Overdrive(40, 60)")],
    *[(expression, name) for expression in ON_SPECTROGRAMS for name in SPECTROGRAMS],
    *[
        (f"ComputeDeltas({width}, BorderType.{mode})", "spec")
        for width in (3, 6, 9)
        for mode in ("CONSTANT", "EDGE", "REFLECT", "SYMMETRIC")
    ],
    *[
        (f"SlidingWindowCmn({settings})", name)
        for settings in (
            "4, 3, True",
            "4, 3, True, True",
            "3, 2, False, True",
            "2, 9, False, True",
            "0, 0",
            "1, 1, True",
        )
        for name in ("spec", "spec64", "frame")
    ],
    ("MaskAlongAxis(4, 2, 0.0, 1)", "spec"),
    ("FrequencyMasking(False, 9)", "spec"),
    ("TimeMasking(True, 99)", "spec"),
    ("MaskAlongAxisIID(9, 0.0, 1)", "spec"),
    *[
        (f"MelScale({settings})", "spec")
        for settings in (
            "4, 16000, 100.0, 7000.0, 5, NormType.SLANEY, MelType.SLANEY",
            "2, 8000, n_stft=5, mel_type=MelType.SLANEY",
            "2, 8000, n_stft=5, norm=NormType.SLANEY",
            "4, 16000, n_stft=6",
        )
    ],
    *[
        (expression, name)
        for expression in ("Angle()", "ComplexNorm()", "ComplexNorm(2.5)", "Magphase(2)")
        for name in COMPLEX
    ],
    ("ComplexNorm(0)", "complex"),
    *[("TimeStretch(4, 5, 1.3)", name) for name in COMPLEX],
    *[
        (f"TimeStretch({settings})", "complex")
        for settings in ("4, 5, 0.4", "None, 5", "None, 5, 1.0", "7, 3, 2", "2, 11, 0.9")
    ],
    *[
        (f"PhaseVocoder({rate}, np.linspace(0, 9, {number}).reshape({shape}).astype(np.{kind}))", name)
        for rate, number, shape, kind, name in (
            (1.3, 5, "5, 1", "float32", "complex"),
            (0.7, 5, "5, 1", "float64", "complex64"),
            (1, 5, "5, 1", "float32", "single"),
            (1.3, 4, "4, 1", "float32", "complex"),
            (1.3, 5, "5", "float32", "complex"),
            (1.3, 5, "5, 1", "float64", "complex"),
            (1.3, 5, "5, 1", "float32", "bools"),
            (1.3, 5, "5, 1", "float32", "wave"),
        )
    ],
    *[
        (f"PitchShift(16000, {steps}, n_fft=16{more})", name)
        for steps, more, name in (
            (4, "", "wave"),
            (-3, "", "wave64"),
            (12, ", win_length=12, hop_length=3", "long"),
            (0, "", "mono"),
            (5, ", window=WindowType.HAMMING", "wave16"),
            (5, "", "words"),
            (5, "", "scalar"),
        )
    ],
    *[
        (f"Resample({settings})", name)
        for settings, name in (
            ("48000, 32000", "wave"),
            ("48000, 32000", "wave64"),
            ("16000, 44100", "mono"),
            ("8000, 8000", "deep"),
            ("44100, 16000", "long"),
            ("3, 2, ResampleMethod.KAISER_WINDOW", "long"),
            ("3, 2", "ints"),
            ("2, 5, ResampleMethod.KAISER_WINDOW, 16, 0.85, 8.5", "wave64"),
            ("3, 1, ResampleMethod.SINC_INTERPOLATION, 3, 0.5", "wave"),
            ("48000.7, 32000.2", "wave"),
            ("0.5, 1.0", "wave"),
            ("3, 2", "words"),
            ("3, 2", "scalar"),
        )
    ],
    *[("Spectrogram(16)", name) for name in LONG],
    *[
        (f"Spectrogram({settings})", "mono")
        for settings in (
            "8, power=1.0",
            "8, power=0",
            "8, power=3.5",
            "8, 6, 3",
            "8, 5, 4, 3",
            "9",
            "9, onesided=False",
            "8, power=0, onesided=False",
            "8, normalized=True",
            "8, center=False",
            "8, 1",
            "8, 2",
            "64",
            "81, center=False",
            "30, center=False, pad=4",
            "8, power=0, normalized=True, window=WindowType.BLACKMAN",
            *(f"8, window=WindowType.{window}" for window in ("BARTLETT", "BLACKMAN", "HAMMING", "HANN", "KAISER")),
            *(
                f"{size}, pad_mode=BorderType.{mode}"
                for size in (8, 100)
                for mode in ("CONSTANT", "EDGE", "REFLECT", "SYMMETRIC")
            ),
        )
    ],
    *[("SpectralCentroid(44100, 16)", name) for name in LONG],
    *[
        (f"SpectralCentroid({settings})", "long")
        for settings in ("16000, 32, 24, 6, 5", "16000, 16, window=WindowType.KAISER")
    ],
    ("SpectralCentroid(16000, 8)", "zeros"),
    *[("InverseSpectrogram(n_fft=8)", name) for name in COMPLEX],
    *[
        (f"InverseSpectrogram({settings})", name)
        for name in ("complex", "complex64")
        for settings in (
            "n_fft=8, length=30",
            "n_fft=8, length=50",
            "n_fft=8, length=20, pad=3",
            "n_fft=8, pad=3",
            "n_fft=10",
            "n_fft=9",
            "n_fft=8, win_length=6, hop_length=2",
            "n_fft=8, normalized=True",
            "n_fft=8, center=False",
            "n_fft=8, hop_length=8",
            "n_fft=8, center=False, length=33",
            "n_fft=6, onesided=False",
            "n_fft=8, win_length=1, hop_length=3",
            "n_fft=8, window=WindowType.HAMMING",
        )
    ],
    *[
        (f"GriffinLim(8, {settings}, rand_init=False)", "spec64")
        for settings in (
            "3",
            "3, 6",
            "3, None, 2",
            "3, momentum=0",
            "5, power=1",
            "2, length=30",
            "2, length=18",
            "3, window_type=WindowType.BLACKMAN, momentum=0.3",
        )
    ],
    ("GriffinLim(10, 3, rand_init=False)", "spec64"),
    *[("MelSpectrogram(n_fft=16, n_mels=4)", name) for name in ("long", "long16", "mono", "words")],
    *[
        (f"MelSpectrogram({settings})", "long")
        for settings in (
            "8000, 32, 20, 7, 50.0, 3000.0, 2, 5, WindowType.HAMMING, 1.5, True",
            "n_fft=16, n_mels=3, mel_scale=MelType.SLANEY",
            "n_fft=16, n_mels=3, norm=NormType.SLANEY",
            "n_fft=16, n_mels=3, center=False",
            "n_fft=1000, n_mels=3",
        )
    ],
    *[
        (expression, name)
        for name in ("long", "long16", "tone", "words")
        for expression in (
            "MFCC()",
            "LFCC()",
            "MFCC(8000, 5, log_mels=True)",
            "LFCC(8000, 9, 5, log_lf=True, norm=NormMode.NONE)",
        )
    ],
    *[("Vad(16000)", name) for name in LONG],
    *[
        (f"Vad({settings})", "tone")
        for settings in (
            "600",
            "600, 0.0",
            "600, -1, search_time=0.2",
            "600, -1, pre_trigger_time=0.4",
            "600, search_time=0.1",
            "400, 0, search_time=0.3, pre_trigger_time=0.1, measure_freq=30, measure_duration=0.08",
            "600, hp_filter_freq=900",
            "600, hp_lifter_freq=3000",
        )
    ],
    *[("DetectPitchFrequency(30, 0.1, 3, 5, 25)", name) for name in WAVES],
    *[
        (f"DetectPitchFrequency({settings})", "tone")
        for settings in ("8000", "8000, 0.02, 4", "8000, 0.02, 5, 100, 900", "8000, 0.05, 40", "8000, freq_low=200")
    ],
    *[
        (f"create_dct({settings})", None)
        for settings in ("5, 9", "9, 5, NormMode.ORTHO", "1, 1", "0, 5", "5, -1", "5.0, 3", "5, 3, 'ortho'")
    ],
    *[
        (f"linear_fbanks({settings})", None)
        for settings in (
            "9, 0.0, 8000.0, 4, 16000",
            "20, 100, 900, 3, 4000",
            "9, -1.0, 8000.0, 4, 16000",
            "9, 900.0, 800.0, 4, 16000",
            "9, 0, 0, 4, 16000",
            "9.0, 0, 8000, 4, 16000",
            "9, 0, 8000, 0, 16000",
            "9, 0, 8000, 4, 0",
            "0, 0, 8000, 4, 16000",
            "1, 0, 8000, 4, 16000",
        )
    ],
    *[
        (f"melscale_fbanks({settings})", None)
        for settings in (
            "9, 0.0, 8000.0, 4, 16000",
            "20, 100, 1900, 3, 4000",
            "40, 100, 7900, 6, 16000, NormType.SLANEY",
            "40, 100, 7900, 6, 16000, mel_type=MelType.SLANEY",
            "40, 100, 7900, 6, 16000, NormType.SLANEY, MelType.SLANEY",
            "9, 0, 8000, 4, 16000, 'slaney'",
            "9, 0, 8000, 4, 16000, NormType.NONE, 'htk'",
            "9, 900.0, 800.0, 4, 16000",
            "9, 0, 8000, 0, 16000",
        )
    ],
    *[
        (f"{kind}.{member}", None)
        for kind, member in (("BorderType", "EDGE"), ("WindowType", "HANN"), ("NormMode", "ORTHO"))
    ],
]
# What a sweep over random settings, shapes and dtypes found.
CASES += [
    ("AmplitudeToDB(ScaleType.POWER, 1.0, 2, 900)", "spec64"),
    ("AmplitudeToDB(ScaleType.MAGNITUDE, 0.001, 0.1, 900)", "plane"),
    ("BandBiquad(1000, 8750.0, 0.305)", "wave"),
    ("BandBiquad(1000, 4379.669, 0.435, True)", "wave64"),
    ("BandrejectBiquad(16000, 8837.0, 0.256)", "long16"),
    ("Contrast(47.2)", "codes"),
    ("DBToAmplitude(-1.6, 1.0)", "codes"),
    ("DetectPitchFrequency(-100, 0.1, 5, 9, 25)", "wave"),
    ("DetectPitchFrequency(30, 0.3, 6, 9, 25)", "wave"),
    ("DetectPitchFrequency(30, 0.1, 1, 12, 13)", "wave"),
    ("Dither()", "one"),
    ("Flanger(1000)", "single"),
    ("Flanger(1000)", "spec"),
    ("GriffinLim(8, 2, momentum=1.0, rand_init=False)", "spec"),
    ("GriffinLim(8, 2, rand_init=False)", "complex"),
    (
        "LFCC(speckwargs=dict(n_fft=32, win_length=20, hop_length=5, pad=3, window=WindowType.BLACKMAN, power=1.0, "
        "normalized=True, center=True, pad_mode=BorderType.EDGE, onesided=True))",
        "long",
    ),
    (
        "LFCC(8000, 6, 3, speckwargs=dict(n_fft=32, win_length=20, hop_length=5, pad=3, window=WindowType.BLACKMAN, "
        "power=1.0, normalized=True, center=False, pad_mode=BorderType.SYMMETRIC, onesided=True))",
        "mono",
    ),
    (
        "MFCC(8000, 2, melkwargs=dict(n_fft=35, win_length=8, hop_length=20, window=WindowType.KAISER, pad=0, "
        "n_mels=3, power=2.0, normalized=True, center=True, pad_mode=BorderType.SYMMETRIC, onesided=True, "
        "norm=NormType.NONE, f_min=0.0, f_max=4000.0, mel_scale=MelType.HTK))",
        "long",
    ),
    (
        "MFCC(8000, 2, melkwargs=dict(n_fft=35, win_length=8, hop_length=20, window=WindowType.KAISER, pad=0, "
        "n_mels=3, power=2.0, normalized=True, center=True, pad_mode=BorderType.EDGE, onesided=True, "
        "norm=NormType.NONE, f_min=0.0, f_max=4000.0, mel_scale=MelType.HTK))",
        "long",
    ),
    ("MuLawDecoding(2)", "codes"),
    ("SlidingWindowCmn(0, 4, True, True)", "spec"),
    ("SpectralCentroid(0, 16)", "long"),
    ("Spectrogram(8, window=WindowType.KAISER)", "wave64"),
    ("Spectrogram(9, 7, window=WindowType.BARTLETT, power=3.3)", "wave64"),
    ("Vad(600, search_time=0)", "tone"),
    ("Vol(3.0, GainType.POWER)", "wave64"),
]
CASES = list(dict.fromkeys(CASES))

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


def constructions(transform: str) -> list[str]:
    """Return the valid construction of a transform, and those with one argument replaced."""
    valid = arguments(VALID[transform])
    changed = [(at, value) for at in range(len(valid)) for value in VALUES]
    variants = [[*valid[:at], (valid[at][0], value), *valid[at + 1 :]] for at, value in changed]
    return [f"{transform}({', '.join('='.join(pair) for pair in variant)})" for variant in (valid, *variants)]
