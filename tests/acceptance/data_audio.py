"""Tiny recordings in the formats of real data sets of sound, as `data.py` has pictures and words."""

import csv
import json
import wave
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

__all__ = ["aishell", "libri_manifests", "librimix", "ljspeech", "voxceleb"]

Maker = Callable[[Path], None]


def tone(rng: np.random.Generator, pitch: float, seconds: float, rate: int) -> np.ndarray:
    """Return a tone with overtones, which swells and fades, in a little noise: float64 (samples,) below 0.5."""
    at = np.arange(int(seconds * rate)) / rate
    sound = sum(np.sin(2 * np.pi * pitch * order * at) / order for order in (1, 2, 3))
    return 0.2 * sound * (0.6 + 0.4 * np.sin(2 * np.pi * 3 * at)) + 0.01 * rng.standard_normal(len(at))


def save(path: Path, sound: np.ndarray, rate: int) -> None:
    """Write a WAV file of one channel of 16 bit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())


def librimix(
    parts: Sequence[str] = ("train-360",), mixed: str = "mix_clean", count: int = 4, seconds: float = 1.0
) -> Maker:
    """LibriMix's folders of two speakers and their sum, at 8 kHz: PART/s1, PART/s2, PART/`mixed`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        for part in parts:
            for number in range(count):
                voices = [tone(rng, pitch + 7 * number, seconds, 8000) for pitch in (140.0, 410.0)]
                for folder, sound in zip(("s1", "s2", mixed), (*voices, sum(voices)), strict=True):
                    save(at / part / folder / f"{number:04}-{number:04}.wav", sound, 8000)

    return make


def libri_manifests(count: int = 4, seconds: float = 1.0) -> Maker:
    """LibriSpeech in WAV files, a text file for each, and the manifests `train.json` and `test.json` that name them."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        for part in ("train", "test"):
            samples = []
            for number in range(count):
                names = [f"{part}/{kind}/{number:04}.{kind}" for kind in ("wav", "txt")]
                save(at / names[0], tone(rng, 150.0 + 90 * number, seconds, 16000), 16000)
                (at / names[1]).parent.mkdir(parents=True, exist_ok=True)
                (at / names[1]).write_text(" ".join(["HELLO", "WORLD", "AGAIN"][: 1 + number % 3]))
                samples.append({"wav_path": names[0], "transcript_path": names[1]})
            content = {"root_path": str(at), "samples": samples}
            (at / f"{part}.json").write_text(json.dumps(content))

    return make


def ljspeech(count: int = 6, seconds: float = 2.0) -> Maker:
    """LJSpeech's `metadata.csv` and `wavs`, and the alignment of its phones in `TextGrid/LJSpeech`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        phones, lines = ["sil", "HH", "AH0", "L", "OW1", "sp", "W", "ER1", "L", "D", "sil"], []
        ends = np.linspace(0, seconds, len(phones) + 1)
        grid = at / "TextGrid" / "LJSpeech"
        grid.mkdir(parents=True, exist_ok=True)
        for number in range(count):
            name = f"LJ001-{number + 1:04}"
            save(at / "wavs" / f"{name}.wav", tone(rng, 180.0 + 20 * number, seconds, 22050), 22050)
            lines.append(f"{name}|Hello, world|Hello, world\n")
            marks = "".join(
                f"        intervals [{place}]:\n            xmin = {ends[place - 1]:.4f}\n"
                f'            xmax = {ends[place]:.4f}\n            text = "{phone}"\n'
                for place, phone in enumerate(phones, 1)
            )
            (grid / f"{name}.TextGrid").write_text(
                f'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = {seconds}\n'
                "tiers? <exists>\nsize = 1\nitem []:\n    item [1]:\n"
                f'        class = "IntervalTier"\n        name = "phones"\n        xmin = 0\n        xmax = {seconds}\n'
                f"        intervals: size = {len(phones)}\n{marks}"
            )
        (at / "metadata.csv").write_text("".join(lines), encoding="utf-8")

    return make


def aishell(count: int = 8, seconds: float = 1.3) -> Maker:
    """AISHELL-1's recordings in `train.csv` and `test.csv`; `lang_char.txt` numbers its characters, from 2 on."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        characters = "今天气很好我们去看书"
        at.mkdir(parents=True, exist_ok=True)
        numbered = "".join(f"{word} {number}\n" for number, word in enumerate(characters, 2))
        (at / "lang_char.txt").write_text(numbered, encoding="utf-8")
        for part in ("train", "test"):
            rows = [["ID", "duration", "wav", "transcript"]]
            for number in range(count):
                path = at / "wav" / part / f"BAC009S{number:04}W0001.wav"
                save(path, tone(rng, 130.0 + 60 * number, seconds, 16000), 16000)
                rows.append([str(number), str(seconds), str(path), characters[number : number + 3] or "今天"])
            with (at / f"{part}.csv").open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(rows)

    return make


def voxceleb(speakers: int = 3, count: int = 3, seconds: float = 3.3) -> Maker:
    """VoxCeleb's `wav/SPEAKER/VIDEO/NUMBER.wav`, pairs to verify in `veri_test2.txt`, OpenRIR's noises and rooms."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        pairs = []
        for speaker in range(speakers):
            names = [f"id1{speaker:04}/video/{number:05}.wav" for number in range(count)]
            for name in names:
                save(at / "wav" / name, tone(rng, 120.0 + 80 * speaker, seconds, 16000), 16000)
            if speaker == speakers - 1:
                pairs += [f"1 {names[0]} {names[1]}", f"0 {names[0]} id10000/video/00000.wav"]
        (at / "veri_test2.txt").write_text("\n".join(pairs) + "\n")
        rirs = at / "RIRS_NOISES"
        for folder, listed, sound in (
            ("pointsource_noises", "noise_list", 0.1 * rng.standard_normal(32000)),
            ("real_rirs_isotropic_noises", "rir_list", np.exp(-np.arange(4000) / 400) * rng.standard_normal(4000) / 4),
        ):
            save(rirs / folder / "one.wav", sound, 16000)
            (rirs / folder / listed).write_text(f"--id one RIRS_NOISES/{folder}/one.wav\n")
        (at / "rirs_noises.zip").touch()

    return make
