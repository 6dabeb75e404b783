"""Tiny data in the formats of data sets of words and scenes with words, for the jobs of the acceptance run."""

from pathlib import Path

import numpy as np
from data import Maker, save
from data_detection import WORDS, scene, written

__all__ = ["icdar", "icdar13", "synth_words"]


def synth_words(words: int = 24) -> Maker:
    """Words of MJSynth: `train` with its lists and `lexicon.txt`; and pictures of SVT named by their words, `svt`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        lines = []
        for number in range(words):
            kind = number % len(WORDS)
            save(at / "train" / f"{number}.jpg", written(rng, WORDS[kind]))
            save(at / "svt" / f"{number}_{WORDS[kind]}.jpg", written(rng, WORDS[kind]))
            lines.append(f"{number}.jpg {kind}\n")
        (at / "train" / "lexicon.txt").write_text("\n".join(WORDS) + "\n")
        for part in ("train", "test"):
            (at / "train" / f"annotation_{part}.txt").write_text("".join(lines))

    return make


def icdar(images: int = 6) -> Maker:
    """ICDAR 2015's four folders of pictures (180, 320) and of their words' corners."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        for folder, marked in (
            ("ch4_training_images", "ch4_training_localization_transcription_gt"),
            ("ch4_test_images", "Challenge4_Test_Task1_GT"),
        ):
            (at / marked).mkdir(parents=True)
            for number in range(1, images + 1):
                pixels, marks = scene(rng)
                save(at / folder / f"img_{number}.jpg", pixels[::2, ::2])
                lines = [
                    ",".join([*(str(v // 2) for corner in mark["points"] for v in corner), mark["transcription"]])
                    for mark in marks
                ]
                (at / marked / f"gt_img_{number}.txt").write_text("\r\n".join(lines) + "\r\n", encoding="utf-8-sig")

    return make


def icdar13(images: int = 6) -> Maker:
    """Pictures (180, 320) of ICDAR 2013, `train` and `test`, and corners of their words, `train_gt` and `test_gt`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        for part in ("train", "test"):
            (at / f"{part}_gt").mkdir(parents=True)
            for number in range(1, images + 1):
                pixels, marks = scene(rng)
                save(at / part / f"img_{number}.jpg", pixels[::2, ::2])
                lines = []
                for mark in marks:
                    corners = [value // 2 for place in (0, 2) for value in mark["points"][place]]
                    lines.append(", ".join([*map(str, corners), f'"{mark["transcription"]}"']))
                (at / f"{part}_gt" / f"gt_img_{number}.txt").write_text("\n".join(lines) + "\n")

    return make
