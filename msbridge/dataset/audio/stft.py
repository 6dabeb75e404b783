"""The short-time Fourier transform and its inverse, which all spectral transforms use."""

from dataclasses import dataclass

import numpy as np
import torch

from msbridge.dataset.audio.enums import BorderType, WindowType
from msbridge.dataset.audio.windows import pad_waves, window_of


@dataclass(frozen=True, slots=True)
class Framing:
    """The framing of a waveform.

    `n_fft` samples each, every `hop_length` samples, under a window of `win_length` samples. `pad` zeros are put at
    both ends; with `center`, half a frame more of what `pad_mode` says.
    """

    n_fft: int
    win_length: int
    hop_length: int
    window: WindowType = WindowType.HANN
    pad: int = 0
    center: bool = True
    pad_mode: BorderType = BorderType.REFLECT
    normalized: bool = False
    onesided: bool = True

    def check(self, op: str) -> None:
        """Refuse frames that all begin at one place: half of a window of one sample is not one."""
        if not self.hop_length:
            raise RuntimeError(f"{op}: hop_length should be greater than 0, got 0.")

    @property
    def weights(self) -> np.ndarray:
        """The window, among zeros up to `n_fft`."""
        return window_of(self.window, self.win_length, self.n_fft)

    @property
    def energy(self) -> float:
        """The root of the sum of the window's squares, by which a normalized spectrum is divided."""
        return float(np.sqrt(np.square(self.weights, dtype=np.float64).sum()))


def spectrum(waves: np.ndarray, framing: Framing, op: str) -> torch.Tensor:
    """Return the spectra of all frames.

    Args:
        waves: shape (..., time), float32 or float64.
        framing: how they are cut.
        op: the transform, for messages.

    Returns:
        A complex tensor of shape (..., freq, frames), transposed in memory.

    Raises:
        RuntimeError: the waveform is shorter than a frame.
    """
    n_fft = framing.n_fft
    framing.check(op)
    waves = pad_waves(waves, framing.pad, framing.pad, BorderType.CONSTANT)
    if framing.center:
        waves = pad_waves(waves, n_fft // 2, n_fft // 2, framing.pad_mode)
    if n_fft > waves.shape[-1]:
        raise RuntimeError(
            f"{op}: n_fft should be more than 0 and less than {waves.shape[-1]}, but got n_fft: {n_fft}."
        )
    frames = torch.from_numpy(np.ascontiguousarray(waves)).unfold(-1, n_fft, framing.hop_length)
    spectra = torch.fft.rfft(frames * torch.tensor(framing.weights)).transpose(-1, -2)
    if framing.normalized:
        spectra = spectra / framing.energy
    if framing.onesided:
        return spectra
    mirrored = [*range(n_fft // 2 + 1), *range(n_fft - n_fft // 2 - 1, 0, -1)]
    return spectra[..., mirrored, :]  # MindSpore mirrors without taking conjugates


def power_of(spectra: torch.Tensor, power: float) -> np.ndarray:
    """Return a power of the absolute values; 0 means the complex numbers, as a last axis of two."""
    if power == 0:
        return torch.view_as_real(spectra.contiguous().resolve_conj()).numpy()
    squares = spectra.real.square() + spectra.imag.square()
    return (squares if power == 2 else squares.sqrt().pow_(power)).contiguous().numpy()


def waves_of(spectra: torch.Tensor, framing: Framing, length: int, op: str) -> torch.Tensor:
    """Return waveforms whose spectra come closest: frames are transformed back, weighted and added up.

    Args:
        spectra: complex128 of shape (..., freq, frames).
        framing: how the frames were cut.
        length: of the waveform; 0 means all that the frames cover.
        op: the transform, for messages.

    Returns:
        A tensor of float64 and shape (..., time).

    Raises:
        RuntimeError: the number of frequencies does not fit `n_fft`.
    """
    n_fft, hop = framing.n_fft, framing.hop_length
    framing.check(op)
    if n_fft != (spectra.shape[-2] - 1) * 2:
        raise RuntimeError(
            f"{op}: the frequency of the input should equal to n_fft / 2 + 1, got {spectra.shape[-2]} for {n_fft}."
        )
    if length:
        covered = length + n_fft if framing.center else length
        spectra = spectra[..., : int(np.ceil(np.float32(covered) / np.float32(hop)))]
    frames = spectra.shape[-1]
    weights = torch.tensor(framing.weights)
    pieces = torch.fft.irfft(spectra, n_fft, dim=-2) * weights.double()[:, None]
    sums = _overlap_add(pieces.reshape(-1, n_fft, frames), hop)
    energies = _overlap_add(weights.square()[None, :, None].expand(1, n_fft, frames), hop)
    sums = torch.where(energies > torch.finfo(torch.float32).tiny, sums / energies.double(), sums)
    start = n_fft // 2 if framing.center else 0
    if length:
        sums = torch.nn.functional.pad(sums[:, start : start + length], (0, max(0, length - sums.shape[-1] + start)))
    else:
        sums = sums[:, start : sums.shape[-1] - start] if framing.center else sums[:, :0]
    return sums.reshape(*spectra.shape[:-2], -1)


def _overlap_add(pieces: torch.Tensor, hop: int) -> torch.Tensor:
    """Add up frames (n, n_fft, frames), each `hop` samples behind the one before: (n, time).

    Back to front, because `fold` adds later frames first; MindSpore adds earlier ones first, in float32 for energies.
    """
    _, n_fft, frames = pieces.shape
    length = n_fft + hop * (frames - 1)
    folded = torch.nn.functional.fold(pieces.flip(1, 2), (1, length), (1, n_fft), stride=(1, hop))
    return folded[:, 0, 0].flip(1)
