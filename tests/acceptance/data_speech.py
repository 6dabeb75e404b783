"""Tiny recordings in the formats of the model zoo's scripts of speech, for the jobs of the acceptance run."""

import csv
import json
import pickle
from pathlib import Path

import numpy as np
from data import Maker
from data_audio import libri_manifests, save, tone

__all__ = ["libri_lists", "lpc_features", "mels", "speakers"]


def libri_lists(count: int = 4, seconds: float = 1.0) -> Maker:
    """LibriSpeech in WAV and text files, with `train.csv` and `test.csv` that name both of each."""

    def make(at: Path) -> None:
        libri_manifests(count, seconds)(at)
        for part in ("train", "test"):
            samples = json.loads((at / f"{part}.json").read_text())["samples"]
            with (at / f"{part}.csv").open("w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(
                    [at / sample["wav_path"], at / sample["transcript_path"]] for sample in samples
                )

    return make


def mels(count: int = 4, seconds: float = 1.0, rate: int = 22050, hop: int = 256) -> Maker:
    """Recordings in `wav` and logarithms of their spectra in 80 bands, float32 (80, frames), in `mel`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        (at / "mel").mkdir(parents=True)
        for number in range(count):
            sound = tone(rng, 150.0 + 40 * number, seconds, rate)
            save(at / "wav" / f"LJ001-{number:04}.wav", sound, rate)
            frames = np.lib.stride_tricks.sliding_window_view(np.pad(sound, 512), 1024)[::hop] * np.hanning(1024)
            bands = np.abs(np.fft.rfft(frames))[:, 1:481].reshape(len(frames), 80, 6).mean(-1)
            np.save(at / "mel" / f"LJ001-{number:04}.npy", np.log(np.maximum(bands, 1e-5)).T.astype(np.float32))

    return make


def lpc_features(chunks: int = 7, frames: int = 2) -> Maker:
    """LPCNet's features and samples to train on, `train.f32` and `train.u8`, and to say, `test/one.f32` and `.s16`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        (at / "test").mkdir(parents=True)
        features = 0.1 * rng.standard_normal((chunks * 15 + 4, 36))
        features[:, 19], features[:, 20:] = 2.0, 0.0  # a clear voice, and nothing predicted: what is said stays small
        features.astype(np.float32).tofile(at / "train.f32")
        (128 + 6 * rng.standard_normal(chunks * 2400 * 4)).astype(np.uint8).tofile(at / "train.u8")
        features[:frames].astype(np.float32).tofile(at / "test" / "one.f32")
        (3000 * np.sin(np.arange(frames * 160) / 9)).astype(np.int16).tofile(at / "test" / "one.s16")

    return make


def speakers(people: int = 5, batches: int = 4, rows: int = 192, frames: int = 301, bands: int = 80) -> Maker:
    """VoxCeleb's spectra of recordings, as they are prepared: to train on in `merged`, in `single` to verify."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        voices = rng.standard_normal((people, 1, bands))
        (at / "merged").mkdir(parents=True)
        (at / "single").mkdir()
        whose = rng.integers(0, people, (batches, rows))
        spectra = (voices[whose] + 0.3 * rng.standard_normal((batches, rows, frames, bands))).astype(np.float32)
        np.save(at / "merged" / "0.npy", spectra.reshape(-1))
        np.save(at / "merged" / "0_label.npy", whose.reshape(-1))
        for name, length in (("sample", rows * frames * bands), ("label", rows)):
            index = {f"{batch}_fea.npy": (0, batch * length, length) for batch in range(batches)}
            (at / "merged" / f"ind_{name}.p").write_bytes(pickle.dumps(index))
        names = [f"id1{speaker:04}/video/{number:05}" for speaker in range(people) for number in range(2)]
        for number, name in enumerate(names):
            np.save(
                at / "single" / f"{number}_fea.npy", spectra[0, whose[0] == number // 2][number % 2 : number % 2 + 1]
            )
            np.save(at / "single" / f"{number}_id.npy", np.array([name]))
        for kind, listed in (("fea", "fea.lst"), ("id", "label.lst")):
            (at / "single" / listed).write_text("".join(f"{number}_{kind}.npy\n" for number in range(len(names))))
        pairs = [
            f"{int(one // 2 == other // 2)} {names[one]}.wav {names[other]}.wav"
            for one in range(len(names))
            for other in range(one)
        ]
        (at / "veri_test.txt").write_text("\n".join(pairs) + "\n")

    return make
