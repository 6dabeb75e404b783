"""Effects of a studio: Dither, Flanger, Overdrive, Phaser."""

import math
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.audio.arguments import INT32_MIN, flag, nonzero_int, real, single
from msbridge.dataset.audio.base import (
    SPECTROGRAM,
    WAVE,
    AudioTensorOperation,
    RandomAudioOperation,
    import_scipy,
    round_half_away,
)
from msbridge.dataset.audio.enums import DensityFunction, Interpolation, Modulation, WindowType
from msbridge.dataset.audio.windows import WINDOWS
from msbridge.dataset.row_random import RowRandom

__all__ = ["Dither", "Flanger", "Overdrive", "Phaser"]

QUANTA = 1 << 15
GAUSSIAN_TERMS = 6
MAX_CHANNELS = 4

Tap = tuple[np.ndarray, np.ndarray, np.ndarray]  # of a line of delays: where to, where from, how much


class Dither(RandomAudioOperation):
    """Quantize waveforms to 16 bits, with noise added first.

    Args:
        density_function: a triangle over the waveform, a random sample of it, or the sum of seven.
        noise_shaping: add each sample's error to the next.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.dataset.audio.Dither (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = WAVE

    def __init__(self, density_function: DensityFunction = DensityFunction.TPDF, noise_shaping: bool = False) -> None:
        self.density_function = require_type(density_function, "density_function", DensityFunction)
        self.noise_shaping = flag(noise_shaping, "noise_shaping")

    def compute(self, data: np.ndarray, draw: RowRandom) -> np.ndarray:
        kind, time = data.dtype.type, data.shape[-1]
        waves = data.reshape(-1, time)
        scaled = waves * kind(QUANTA - 2)
        if self.density_function == DensityFunction.TPDF:
            triangle = WINDOWS[WindowType.BARTLETT](np.arange(time) / time).astype(np.float32)
            scaled += triangle.astype(data.dtype)
        else:
            noise = waves[self._place(waves, draw)]
            if self.density_function == DensityFunction.GPDF:
                waves = waves.copy()
                for _ in range(GAUSSIAN_TERMS):  # each sum takes the place of the sample that was added last
                    place = self._place(waves, draw)
                    noise = noise + waves[place]
                    waves[place] = noise
            scaled += noise
        dithered = round_half_away(scaled) / kind(QUANTA)
        if self.noise_shaping:
            dithered[:, 1:] += (dithered - waves)[:, :-1]
        return dithered.reshape(data.shape)

    @staticmethod
    def _place(waves: np.ndarray, draw: RowRandom) -> tuple[int, int]:
        """Draw a channel and a time."""
        return draw.integer(0, waves.shape[0] - 1), draw.integer(0, waves.shape[1] - 1)


class Overdrive(AudioTensorOperation):
    """Distort waveforms as an overdriven amplifier does.

    Args:
        gain: in decibels, in [0, 100].
        color: even harmonics, in [0, 100].

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is not a number.
        ValueError: one is out of range.

    Follows: mindspore.dataset.audio.Overdrive (2.10).
    """

    SLOWLY: ClassVar[float] = 0.995  # what is left of the mean after a sample

    def __init__(self, gain: float = 20.0, color: float = 20.0) -> None:
        self.gain, self.color = real(gain, "gain", 0, 100), real(color, "color", 0, 100)

    def compute(self, data: np.ndarray) -> np.ndarray:
        kind = data.dtype.type
        driven = data * kind(single(math.exp(single(self.gain) * math.log(10) / 20)))
        driven += kind(np.float32(self.color) / np.float32(200))
        driven = np.clip(driven, -1, 1)
        driven -= (driven * driven * driven / 3).astype(data.dtype)
        changes = np.diff(driven, axis=-1, prepend=kind(0)).astype(np.float64)
        changes = import_scipy("signal", "Overdrive").lfilter([1.0], [1.0, -self.SLOWLY], changes)
        return np.clip(data * 0.5 + changes * 0.75, -1, 1).astype(data.dtype)


class Phaser(AudioTensorOperation):
    """Add echoes whose delay goes up and down.

    Args:
        sample_rate: in Hz.
        gain_in: factor of the input, in [0, 1].
        gain_out: factor of the output, in [0, 1e9].
        delay_ms: largest delay in ms, in [0, 5].
        decay: factor of an echo, in [0, 0.99].
        mod_speed: frequency of the delay in Hz, in [0.1, 2].
        sinusoidal: the delay follows a sine, not a triangle.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: the delay is shorter than a sample.

    Follows: mindspore.dataset.audio.Phaser (2.10).
    """

    def __init__(
        self,
        sample_rate: int,
        gain_in: float = 0.4,
        gain_out: float = 0.74,
        delay_ms: float = 3.0,
        decay: float = 0.4,
        mod_speed: float = 0.5,
        sinusoidal: bool = True,
    ) -> None:
        self.sample_rate = int_within(sample_rate, "sample_rate", INT32_MIN)
        self.gain_in, self.gain_out = real(gain_in, "gain_in", 0, 1), real(gain_out, "gain_out", 0, 1e9)
        self.delay_ms, self.decay = real(delay_ms, "delay_ms", 0, 5.0), real(decay, "decay", 0, 0.99)
        self.mod_speed = real(mod_speed, "mod_speed", 0.1, 2)
        self.modulation = Modulation.SINUSOIDAL if flag(sinusoidal, "sinusoidal") else Modulation.TRIANGULAR

    def compute(self, data: np.ndarray) -> np.ndarray:
        time = data.shape[-1]
        longest = int(single(self.delay_ms) * 0.001 * self.sample_rate + 0.5)
        period = int(float(np.float32(self.sample_rate) / np.float32(self.mod_speed)) + 0.5)
        line = _phaser_line(self.modulation, period, longest, single(self.decay), room_for(time), data.dtype.char)
        heard = line.run(data.reshape(-1, time) * data.dtype.type(single(self.gain_in)))
        heard *= data.dtype.type(single(self.gain_out))
        limited = np.clip(heard, -1, 1).astype(np.float32)  # in float64, too, as in MindSpore
        return limited.astype(data.dtype).reshape(data.shape)


@lru_cache(maxsize=16)
def _phaser_line(modulation: Modulation, period: int, longest: int, decay: float, time: int, dtype: str) -> "DelayLine":
    """Return the line of delays of a Phaser, for waves of at most `time` samples."""
    table = oscillation(modulation, period, 1.0, float(longest), math.pi / 2, "Phaser")
    if longest < 1:
        raise RuntimeError("Phaser: delay_ms and sample_rate should make a delay of one sample or more.")
    delays = longest + 1 - np.resize((table + np.copysign(0.5, table)).astype(np.int64), time)
    now = np.arange(time)
    return DelayLine((now, now - delays, np.full(time, decay)), time, dtype)


class Flanger(AudioTensorOperation):
    """Add waveforms to themselves, with a delay that goes up and down; shape (..., channel, time).

    Args:
        sample_rate: in Hz; not 0.
        delay: least delay in ms, in [0, 30].
        depth: how far the delay goes up in ms, in [0, 10].
        regen: feedback in percent, in [-95, 95].
        width: part of the delayed signal in percent, in [0, 100].
        speed: frequency of the delay in Hz, in [0.1, 10].
        phase: shift of the delay from channel to channel in percent, in [0, 100].
        modulation: what the delay follows.
        interpolation: between samples.

    Inputs, Outputs: as in every audio filter.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range.
        RuntimeError: when called: there are more than four channels.

    Follows: mindspore.dataset.audio.Flanger (2.10).
    """

    axes: ClassVar[tuple[str, ...]] = SPECTROGRAM

    def __init__(
        self,
        sample_rate: int,
        delay: float = 0.0,
        depth: float = 2.0,
        regen: float = 0.0,
        width: float = 71.0,
        speed: float = 0.5,
        phase: float = 25.0,
        modulation: Modulation = Modulation.SINUSOIDAL,
        interpolation: Interpolation = Interpolation.LINEAR,
    ) -> None:
        self.sample_rate = nonzero_int(sample_rate, "sample_rate")
        self.delay, self.depth = real(delay, "delay", 0, 30), real(depth, "depth", 0, 10)
        self.regen, self.width = real(regen, "regen", -95, 95), real(width, "width", 0, 100)
        self.speed, self.phase = real(speed, "speed", 0.1, 10), real(phase, "phase", 0, 100)
        self.modulation = require_type(modulation, "modulation", Modulation)
        self.interpolation = require_type(interpolation, "interpolation", Interpolation)

    def transform_value(self, value: Any) -> np.ndarray:
        return super().transform_value(value).astype(np.asarray(value).dtype)

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        return self.transform_value(rows) if rows.ndim > len(self.axes) else None

    def compute(self, data: np.ndarray) -> np.ndarray:
        if data.shape[-2] > MAX_CHANNELS:
            raise RuntimeError(f"Flanger: the input should have at most {MAX_CHANNELS} channels, got {data.shape[-2]}.")
        kind = data.dtype.type
        regen, width, phase = (kind(single(value)) / kind(100) for value in (self.regen, self.width, self.phase))
        least, depth = kind(single(self.delay)) / kind(1000), kind(single(self.depth)) / kind(1000)
        in_gain, out_gain = kind(1) / (1 + width), width / (1 + width) * (1 - abs(regen))
        length = int(float((least + depth) * kind(self.sample_rate)) + 0.5) + 2
        period = int(np.float32(self.sample_rate) / np.float32(self.speed))
        low = math.floor(float(least * kind(self.sample_rate)) + 0.5)
        table = oscillation(self.modulation, period, low, length - 2.0, 3 * math.pi / 2, "Flanger")
        heard = np.empty_like(data)
        time = np.arange(data.shape[-1])
        for channel in range(data.shape[-2]):
            shift = int(float(channel * kind(period) * phase) + 0.5)
            delays = table[(time + shift) % period].astype(data.dtype)
            wave = data[..., channel, :].reshape(-1, len(time))
            delayed = self._delay(wave, delays, length, float(regen))
            heard[..., channel, :] = (wave * in_gain + delayed * out_gain).reshape(data[..., channel, :].shape)
        return np.clip(heard, -1, 1)

    def _delay(self, wave: np.ndarray, delays: np.ndarray, length: int, regen: float) -> np.ndarray:
        """Return the delayed signal, which is fed back into the line of delays."""
        whole = np.floor(delays)
        parts = delays - whole
        if self.interpolation == Interpolation.LINEAR:
            weights = [1 - parts, parts]
        else:
            weights = [1 - parts * (3 - parts) / 2, parts * (2 - parts), parts * (parts - 1) / 2]
        now = np.arange(len(delays))
        taps = [(now - (whole.astype(np.int64) + more) % length, weight) for more, weight in enumerate(weights)]
        line = wave
        if regen:
            line = feed_back(wave, [(now[1:], source[:-1], regen * weight[:-1]) for source, weight in taps])
        delayed = np.zeros_like(wave)
        for source, weight in taps:
            delayed += np.where(source >= 0, line[:, np.maximum(source, 0)], 0) * weight
        return delayed


@lru_cache(maxsize=16)
def oscillation(modulation: Modulation, size: int, low: float, high: float, phase: float, op: str) -> np.ndarray:
    """Return one period of a low-frequency oscillation between `low` and `high`, in float32."""
    if size <= 0:
        raise RuntimeError(f"{op}: table_size must be more than 0, but got: {size}.")
    offset = int(single(phase) / math.pi / 2 * size + 0.5)
    point = (np.arange(size) + offset) % size
    if modulation == Modulation.SINUSOIDAL:
        wave = ((np.sin(point * math.pi / size * 2) + 1) / 2).astype(np.float32)
    else:
        wave, quarter = (point * 2.0 / size).astype(np.float32), 4 * point // size
        wave = np.select(
            [quarter == 0, quarter == 3], [wave + np.float32(0.5), wave - np.float32(1.5)], np.float32(1.5) - wave
        )
    wave = wave * (np.float32(high) - np.float32(low)) + np.float32(low)
    wave.flags.writeable = False
    return wave


class DelayLine:
    """A line of delays with one tap, y[t] = x[t] + weight · y[source], for waves of at most its length.

    Its equations do not depend on the wave, and the first of them not on the later ones, so they are factorized once.

    Args:
        tap: (t, source, weight), as of `feed_back`.
        time: samples of the longest wave.
        dtype: of the waves.
    """

    def __init__(self, tap: Tap, time: int, dtype: str) -> None:
        linalg = import_scipy("sparse.linalg", "A line of delays")
        as_it_stands = {"permc_spec": "NATURAL", "diag_pivot_thresh": 0.0, "options": {"Equil": False}}
        self._factors = linalg.splu(_equations([tap], time, dtype).tocsc(), **as_it_stands)
        self._time = time

    def run(self, waves: np.ndarray) -> np.ndarray:
        """Return the output of the line for waves (n, time), in their dtype."""
        entering = np.zeros((len(waves), self._time), waves.dtype)
        entering[:, : waves.shape[1]] = waves
        solved = [self._factors.solve(wave) for wave in entering]  # many at once would be rounded otherwise
        return np.array(solved, waves.dtype).reshape(entering.shape)[:, : waves.shape[1]]


def room_for(time: int) -> int:
    """Return a length of at least `time`, and at most an eighth more: one of few, so that lines are used again."""
    step = 1 << max(time.bit_length() - 4, 0)
    return -(-time // step) * step


def feed_back(waves: np.ndarray, taps: list[Tap]) -> np.ndarray:
    """Return y[t] = x[t] + Σ weight · y[source], for several taps (t, source, weight) with source < t.

    Args:
        waves: shape (n, time).
        taps: where to, where from and how much; a source before the beginning is 0.

    Returns:
        An array of the shape and dtype of `waves`.
    """
    linalg = import_scipy("sparse.linalg", "A line of delays")
    system = _equations(taps, waves.shape[-1], waves.dtype.char)
    return linalg.spsolve_triangular(system, waves.T, lower=True, unit_diagonal=True).T.astype(waves.dtype)


def _equations(taps: list[Tap], time: int, dtype: str) -> Any:
    """Return the equations of a line of delays with feedback: a sparse matrix (time, time) with a lower triangle."""
    sparse = import_scipy("sparse", "A line of delays")
    targets, sources, weights = (np.concatenate(part) for part in zip(*taps, strict=True))
    inside, diagonal = sources >= 0, np.arange(time)
    values = np.concatenate([np.ones(time), -weights[inside]]).astype(dtype)
    places = np.concatenate([diagonal, targets[inside]]), np.concatenate([diagonal, sources[inside]])
    return sparse.csr_matrix((values, places), shape=(time, time))
