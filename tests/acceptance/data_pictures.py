"""Tiny pictures of faces and in two sizes, for the jobs of the acceptance run."""

import io
import pickle
from pathlib import Path

import numpy as np
from data import Maker, image_folder, picture, save

__all__ = ["div2k", "faces"]


def faces(people: int = 3, images: int = 4, pairs: int = 8) -> Maker:
    """MS1M's folders of faces (112, 112) in `train`, and pairs to verify in `lfw.bin`."""

    def make(at: Path) -> None:
        from PIL import Image

        image_folder(("train",), tuple(f"person{number}" for number in range(people)), images, 112)(at)
        for path in (at / "train").glob("*/*.jpg"):
            save(path, np.asarray(Image.open(path))[:112, :112])
        rng = np.random.default_rng(1)
        shots, same = [], []
        for number in range(pairs):
            same.append(number % 2 == 0)
            for kind in (number % people, (number + number % 2) % people):
                held = io.BytesIO()
                Image.fromarray(picture(rng, 112, 112, kind)).save(held, "jpeg")
                shots.append(held.getvalue())
        (at / "lfw.bin").write_bytes(pickle.dumps((shots, same)))

    return make


def div2k(images: int = 4, size: int = 64, scale: int = 2) -> Maker:
    """DIV2K's folders of pictures in PNG files, and of the same in a `scale`-th of their size."""

    def make(at: Path) -> None:
        from PIL import Image

        rng = np.random.default_rng(0)
        for part in ("train", "valid"):
            for number in range(1, images + 1):
                coarse = Image.fromarray(rng.integers(0, 256, (6, 6, 3)).astype(np.uint8))
                whole = coarse.resize((size, size), Image.Resampling.BICUBIC)
                small = whole.resize((size // scale, size // scale), Image.Resampling.BICUBIC)
                save(at / f"DIV2K_{part}_HR" / f"{number:04}.png", np.asarray(whole))
                save(at / f"DIV2K_{part}_LR_bicubic" / f"X{scale}" / f"{number:04}x{scale}.png", np.asarray(small))

    return make
