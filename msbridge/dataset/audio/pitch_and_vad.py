"""Pitch and voice activity: DetectPitchFrequency, Vad."""

import math
from typing import ClassVar

import numpy as np

from msbridge.dataset.audio.arguments import count, non_negative, nonzero_int, positive, real, single
from msbridge.dataset.audio.base import AudioTensorOperation

__all__ = ["DetectPitchFrequency", "Vad"]


class DetectPitchFrequency(AudioTensorOperation):
    """Detect the pitch of each frame, in Hz and float32.

    A frame is compared with itself some samples later; the lag at which it is most alike is the period. Medians over
    several frames smooth the result.

    Args:
        sample_rate: in Hz; not 0.
        frame_time: seconds of a frame; positive.
        win_length: frames of a median; positive.
        freq_low: lowest pitch, in Hz; positive.
        freq_high: highest pitch, in Hz; positive.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the sample rate is negative, or the waveform has too few frames.

    Follows: mindspore.dataset.audio.DetectPitchFrequency (2.10).
    """

    keeps_float: ClassVar[bool] = True

    def __init__(
        self,
        sample_rate: int,
        frame_time: float = 0.01,
        win_length: int = 30,
        freq_low: float = 85,
        freq_high: float = 3400,
    ) -> None:
        self.sample_rate = nonzero_int(sample_rate, "sample_rate")
        self.frame_time, self.win_length = positive(frame_time, "frame_time"), count(win_length, "win_length", 1)
        self.freq_low, self.freq_high = positive(freq_low, "freq_low"), positive(freq_high, "freq_high")

    def compute(self, data: np.ndarray) -> np.ndarray:
        if self.sample_rate < 0:
            raise RuntimeError(f"DetectPitchFrequency: sample_rate should be positive, got {self.sample_rate}.")
        likeness = self._likeness(data)
        lags = likeness.shape[-1]
        least = math.ceil(np.float32(self.sample_rate) / np.float32(int(self.freq_high)))
        if least >= lags:  # nothing to choose from
            best = np.full(likeness.shape[:-1], least)
        else:
            best = least + likeness[..., least:].argmax(-1)
            half = least + likeness[..., least : max(lags // 2, least + 1)].argmax(-1)  # a period, rather than two
            values, halves = (np.take_along_axis(likeness, at[..., None], -1)[..., 0] for at in (best, half))
            best = np.where(halves > values * data.dtype.type(0.99), half, best)
        return (self.sample_rate / (1e-9 + self._medians(best + 1))).astype(np.float32)

    def _likeness(self, data: np.ndarray) -> np.ndarray:
        """Return the normalized correlation of each frame with lags 1, 2, …: (..., frame, lag)."""
        lags = math.ceil(np.float32(self.sample_rate) / np.float32(int(self.freq_low)))
        frame = math.ceil(np.float32(self.sample_rate) * np.float32(self.frame_time))
        time = data.shape[-1]
        frames = math.ceil(np.float32(time) / np.float32(frame))
        wide = np.zeros((*data.shape[:-1], frames * frame + lags), data.dtype)
        wide[..., :time] = data
        later = np.lib.stride_tricks.sliding_window_view(wide[..., 1:], lags, axis=-1)
        common = np.zeros((*data.shape[:-1], frames, lags), data.dtype)
        energies, others = np.zeros((*common.shape[:-1], 1), data.dtype), np.zeros_like(common)
        for position in range(frame):  # the sums of MindSpore, in its order: a near tie decides for one of two lags
            here = wide[..., position : frames * frame : frame, None]
            there = later[..., position : frames * frame : frame, :]
            common += here * there
            energies += here * here
            others += there * there
        silent = (energies == 0) | (others == 0)
        return np.where(silent, 0, common / energies / others)

    def _medians(self, periods: np.ndarray) -> np.ndarray:
        """Return the medians of `win_length` frames, the first of which is repeated in front."""
        reach = (self.win_length - 1) // 2
        wide = np.concatenate([np.repeat(periods[..., :1], reach, -1), periods], -1)
        if wide.shape[-1] < self.win_length - 1:
            raise RuntimeError(
                f"DetectPitchFrequency: win_length {self.win_length} is too long for {periods.shape[-1]} frames."
            )
        if wide.shape[-1] < self.win_length:
            return wide[..., :0]
        windows = np.lib.stride_tricks.sliding_window_view(wide, self.win_length, axis=-1)
        return np.sort(windows, -1)[..., reach]


class Vad(AudioTensorOperation):
    """Cut off what is before the voice, as far as MindSpore does.

    MindSpore's measure of a voice is 0 for every waveform (its buffer of magnitudes begins with zeros, and only they
    are read). So a level above 0 never triggers, and the end of the waveform remains, as long as what is kept in
    memory; a level of 0 or below triggers at the first measure. Results follow from lengths and settings only.

    Args:
        sample_rate: in Hz; positive.
        trigger_level: measure that counts as a voice.
        trigger_time: time constant against short sounds, in s.
        search_time: how far back quieter sounds are searched, in s.
        allowed_gap: gap between such sounds, in s.
        pre_trigger_time: what is kept before them, in s.
        boot_time: time of the first estimate of noise, in s.
        noise_up_time: time constant of rising noise, in s; not below `noise_down_time`.
        noise_down_time: time constant of falling noise, in s.
        noise_reduction_amount: factor of the noise that is subtracted.
        measure_freq: measures in a second; positive.
        measure_duration: of a measure, in s; two periods of `measure_freq` by default.
        measure_smooth_time: time constant of the spectra, in s.
        hp_filter_freq: lower end of the spectra, in Hz; positive.
        lp_filter_freq: upper end of the spectra, in Hz; positive.
        hp_lifter_freq: lower end of the cepstra, in Hz; positive.
        lp_lifter_freq: upper end of the cepstra, in Hz; positive.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: spectra or cepstra have no range, or there is no `search_time`.

    Follows: mindspore.dataset.audio.Vad (2.10).
    """

    def __init__(
        self,
        sample_rate: int,
        trigger_level: float = 7.0,
        trigger_time: float = 0.25,
        search_time: float = 1.0,
        allowed_gap: float = 0.25,
        pre_trigger_time: float = 0.0,
        boot_time: float = 0.35,
        noise_up_time: float = 0.1,
        noise_down_time: float = 0.01,
        noise_reduction_amount: float = 1.35,
        measure_freq: float = 20.0,
        measure_duration: float | None = None,
        measure_smooth_time: float = 0.4,
        hp_filter_freq: float = 50.0,
        lp_filter_freq: float = 6000.0,
        hp_lifter_freq: float = 150.0,
        lp_lifter_freq: float = 2000.0,
    ) -> None:
        self.sample_rate = count(sample_rate, "sample_rate", 1)
        self.trigger_level = real(trigger_level, "trigger_level")
        self.search_time, self.pre_trigger_time = search_time, pre_trigger_time
        for name, value in (
            ("trigger_time", trigger_time),
            ("search_time", search_time),
            ("allowed_gap", allowed_gap),
            ("pre_trigger_time", pre_trigger_time),
            ("boot_time", boot_time),
            ("noise_up_time", noise_up_time),
            ("noise_down_time", noise_down_time),
            ("noise_reduction_amount", noise_reduction_amount),
            ("measure_smooth_time", measure_smooth_time),
            ("measure_duration", measure_duration or 0.0),
        ):
            non_negative(value, name)
        if noise_up_time < noise_down_time:
            raise ValueError(
                "Input noise_up_time should be greater than noise_down_time, but got noise_up_time: "
                f"{noise_up_time} and noise_down_time: {noise_down_time}."
            )
        self.measure_freq = positive(measure_freq, "measure_freq")
        self.measure_duration = measure_duration or 2.0 / measure_freq
        self.spectrum = positive(hp_filter_freq, "hp_filter_freq"), positive(lp_filter_freq, "lp_filter_freq")
        self.cepstrum = positive(hp_lifter_freq, "hp_lifter_freq"), positive(lp_lifter_freq, "lp_lifter_freq")

    def compute(self, data: np.ndarray) -> np.ndarray:
        kind, rate, time = data.dtype.type, self.sample_rate, data.shape[-1]
        frequency = kind(single(self.measure_freq))
        measured = int(float(kind(rate) * kind(single(self.measure_duration))) + 0.5)
        self._check_ranges(measured)
        if not self.search_time:
            raise RuntimeError("Vad: the length of measures cannot be zero: see search_time.")
        period = int(float(kind(rate) / frequency) + 0.5)
        searched = math.ceil(kind(single(self.search_time)) * frequency) * period
        kept = int(float(kind(single(self.pre_trigger_time)) * kind(rate)) + 0.5) + searched + measured
        has_triggered = self.trigger_level <= 0 and measured <= time
        begin = (measured + searched if has_triggered else time) - kept
        if begin < -time:
            begin = 0
        return data[..., begin:] if begin < 0 else data[..., min(begin, time) :]

    def _check_ranges(self, measured: int) -> None:
        """Refuse settings with which MindSpore has nothing to measure."""
        rate, size = self.sample_rate, 16
        while size < measured:
            size *= 2
        low, high = (int(single(edge) / rate * size + 0.5) for edge in self.spectrum)
        if min(high, size // 2) <= max(low, 1):
            raise RuntimeError("Vad: the end of spectrum must be greater than the start: see hp_filter_freq.")
        low, high = math.ceil(rate * 0.5 / single(self.cepstrum[1])), math.floor(rate * 0.5 / single(self.cepstrum[0]))
        if min(high, size // 4) <= low:
            raise RuntimeError("Vad: the end of cepstrum must be greater than the start: see hp_lifter_freq.")
