"""Tiny data in the formats of detectors of things and of texts, for the jobs of the acceptance run."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from data import Maker, coco, save

__all__ = ["texts", "yolo"]

WORDS = ("STOP", "exit", "open", "Cafe", "42nd", "hotel", "PARK", "left", "100", "books", "way", "Rome")


def yolo(parts: tuple[str, ...] = ("train2017", "val2017"), images: int = 8, size: int = 96) -> Maker:
    """COCO as detectors of the YOLO kind read it: pictures, a text file of polygons for each, and lists of pictures."""

    def make(at: Path) -> None:
        coco(parts, images, size)(at)
        for part in parts:
            (at / "images").mkdir(exist_ok=True)
            (at / part).rename(at / "images" / part)
            content = json.loads((at / "annotations" / f"instances_{part}.json").read_text())
            kinds = {kind["id"]: place for place, kind in enumerate(content["categories"])}
            (at / "labels" / part).mkdir(parents=True)
            lines = []
            for listed in content["images"]:
                extent = (listed["width"], listed["height"])
                marks = [mark for mark in content["annotations"] if mark["image_id"] == listed["id"]]
                labels = "".join(
                    f"{kinds[mark['category_id']]} {scaled(mark['segmentation'][0], extent)}\n" for mark in marks
                )
                (at / "labels" / part / f"{Path(listed['file_name']).stem}.txt").write_text(labels)
                lines.append(f"./images/{part}/{listed['file_name']}\n")
            (at / f"{part}.txt").write_text("".join(lines))

    return make


def scaled(corners: list[int], extent: tuple[int, int]) -> str:
    """Corners x, y, x, y … as parts of the width and the height."""
    return " ".join(f"{value / extent[place % 2]:.6f}" for place, value in enumerate(corners))


def texts(images: int = 8, words: int = 48) -> Maker:
    """ICDAR 2015's folders and files of labels for finding, reading and turning words; the words in LMDB, too."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        for part, found in (("train", "ch4_training"), ("test", "ch4_test")):
            scenes = at / "ic15" / "det" / part
            lines = []
            for number in range(1, images + 1):
                pixels, marks = scene(rng)
                save(scenes / f"{found}_images" / f"img_{number}.jpg", pixels)
                lines.append(f"img_{number}.jpg\t{json.dumps(marks)}\n")
            (scenes / "det_gt.txt").write_text("".join(lines))
            read = at / "ic15" / "rec" / part
            named = [(f"word_{number}.png", WORDS[number % len(WORDS)]) for number in range(1, words + 1)]
            for name, text in named:
                save(read / f"{found}_word_images_gt" / name, written(rng, text))
            (read / "rec_gt.txt").write_text("".join(f"{name}\t{text}\n" for name, text in named))
            turned = [(f"{part}_{number}.png", ("0", "180")[number % 2]) for number in range(words)]
            for number, (name, angle) in enumerate(turned):
                save(at / "all_images" / name, np.rot90(written(rng, WORDS[number % len(WORDS)]), int(angle) // 90))
            (at / f"{'val' if part == 'test' else part}_cls_gt.txt").write_text(
                "".join(f"{name}\t{angle}\n" for name, angle in turned)
            )
            folder = {"train": "training", "test": "validation"}[part]
            bytes_of = (read / f"{found}_word_images_gt" / name for name, _ in named)
            lmdb(at / folder, zip((path.read_bytes() for path in bytes_of), (text for _, text in named), strict=True))

    return make


def written(rng: np.random.Generator, text: str) -> np.ndarray:
    """A picture (32, 100, 3) of a word, dark on light noise."""
    from PIL import Image, ImageDraw, ImageFont

    page = Image.fromarray(rng.integers(200, 250, (32, 100, 3)).astype(np.uint8))
    ImageDraw.Draw(page).text((6, 4), text, fill=(20, 20, 60), font=ImageFont.load_default(22))
    return np.asarray(page)


def scene(rng: np.random.Generator) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """A picture (360, 640, 3) with three words, and their texts and corners."""
    pixels = rng.integers(90, 150, (360, 640, 3)).astype(np.uint8)
    marks = []
    for place in range(3):
        text = WORDS[int(rng.integers(len(WORDS)))]
        x, y = int(rng.integers(10, 320)), 20 + 110 * place
        pixels[y : y + 64, x : x + 200] = written(rng, text).repeat(2, 0).repeat(2, 1)
        corners = [[x, y], [x + 200, y], [x + 200, y + 64], [x, y + 64]]
        marks.append({"transcription": text, "points": corners})
    return pixels, marks


def lmdb(at: Path, pairs: Iterator[tuple[bytes, str]]) -> None:
    """Write pictures and their texts into a database, as readers of words have it."""
    import lmdb as database

    at.mkdir(parents=True)
    with database.open(str(at), map_size=1 << 26) as store, store.begin(write=True) as changes:
        number = 0
        for number, (picture, text) in enumerate(pairs, 1):
            changes.put(f"image-{number:09}".encode(), picture)
            changes.put(f"label-{number:09}".encode(), text.encode())
        changes.put(b"num-samples", str(number).encode())
