"""Tiny data in the formats of those who mark each pixel, for the jobs of the acceptance run."""

from pathlib import Path

import numpy as np
from data import Maker, boxes, save, voc

__all__ = ["vocaug"]


def vocaug(images: int = 6, size: int = 96) -> Maker:
    """PASCAL VOC 2012 in `VOCdevkit`, and SBD's pictures and classes in `benchmark_RELEASE`, as in the archives."""

    def make(at: Path) -> None:
        from scipy.io import savemat

        voc(images, size)(at / "VOCdevkit" / "VOC2012")
        rng = np.random.default_rng(1)
        folder = at / "benchmark_RELEASE" / "dataset"
        names = [f"2008_{number:06}" for number in range(images)]
        (folder / "cls").mkdir(parents=True)
        for name in names:
            pixels = rng.integers(0, 60, (size, size, 3)).astype(np.uint8)
            classes = np.zeros((size, size), np.uint8)
            for x, y, width, height in boxes(rng, size):
                pixels[y : y + height, x : x + width] = 220
                classes[y : y + height, x : x + width] = 7
            save(folder / "img" / f"{name}.jpg", pixels)
            savemat(folder / "cls" / f"{name}.mat", {"GTcls": {"Segmentation": classes}})
        for part in ("train", "val"):
            chosen = names[: images // 2] if part == "train" else names[images // 2 :]
            (folder / f"{part}.txt").write_text("\n".join(chosen) + "\n")

    return make
