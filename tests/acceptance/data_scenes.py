"""Tiny data in the formats of streets, of clicks and of poses of things, for the jobs of the acceptance run."""

import pickle
import sys
from pathlib import Path

import numpy as np
from data import Maker, save

sys.path.insert(0, str(Path(__file__).parents[1] / "dataset"))

from tfrecords import tfrecord

__all__ = ["cityscapes", "linemod", "outbrain"]


def cityscapes(images: int = 4, height: int = 64, width: int = 128) -> Maker:
    """Cityscapes' folders: pictures, masks of the labels' numbers, and the lists of both, `train.lst` and `val.lst`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        for part in ("train", "val"):
            lines = []
            for number in range(images):
                name = f"aachen_{number:06}_000019"
                labels = np.full((height, width), 7, np.uint8)  # road
                labels[: height // 2] = 23  # sky
                x, y = int(rng.integers(width // 2)), int(rng.integers(height // 2))
                labels[y : y + height // 3, x : x + width // 4] = 26  # car
                levels = {7: 60, 23: 200, 26: 130}
                pixels = np.vectorize(levels.get)(labels)[..., None] + rng.integers(0, 40, (height, width, 3))
                picture = f"leftImg8bit/{part}/aachen/{name}_leftImg8bit.png"
                mask = f"gtFine/{part}/aachen/{name}_gtFine_labelIds.png"
                save(at / picture, pixels.astype(np.uint8))
                save(at / mask, labels)
                lines.append(f"{picture}\t{mask}")
            (at / f"{part}.lst").write_text("\n".join(lines) + "\n")

    return make


def linemod(images: int = 2, height: int = 120, width: int = 160, thing: str = "cat") -> Maker:
    """LINEMOD's pictures and masks of a thing, with where its nine points are seen, and the lists of the parts."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        (at / "LINEMOD" / "posedb").mkdir(parents=True)
        for kind in ("render", "real", "fuse"):
            rows = []
            for number in range(images):
                pixels = rng.integers(0, 60, (height, width, 3)).astype(np.uint8)
                mask = np.zeros((height, width), np.uint8)
                x, y = int(rng.integers(width // 3)), int(rng.integers(height // 3))
                inside = (slice(y, y + height // 2), slice(x, x + width // 2))
                pixels[inside], mask[inside] = (200, 120, 80), 3 if kind == "fuse" else 255
                rgb, depth = (f"{thing}/{kind}/{number:06}{end}" for end in (".jpg", "_depth.png"))
                save(at / "LINEMOD" / rgb, pixels)
                save(at / "LINEMOD" / depth, np.repeat(mask[..., None], 3, 2) if kind == "real" else mask)
                corners = [[x + width * a / 2, y + height * b / 2] for a in (0, 0.3, 0.6, 1) for b in (0, 1)]
                row = {"rgb_pth": rgb, "dpt_pth": depth, "rnd_typ": kind, "cls_typ": thing, "RT": np.eye(3, 4)}
                rows.append(
                    row | {"center": np.array([[x + width / 4, y + height / 4]]), "farthest": np.array(corners)}
                )
            (at / "LINEMOD" / "posedb" / f"{thing}_{kind}.pkl").write_bytes(pickle.dumps(rows))
        listed = "".join(f"LINEMOD/{thing}/JPEGImages/{number:06}.jpg\n" for number in range(images))
        for part in ("train", "test", "val"):
            (at / "LINEMOD" / thing / f"{part}.txt").write_text(listed if part == "train" else "")

    return make


def outbrain(records: int = 2, lines: int = 4096) -> Maker:
    """Outbrain's clicks as TensorFlow records, of `lines` rows each, and the shapes of their columns."""
    columns = {
        "label": 0, "continue_val": 32, "indicator_id": 2, "emb_128_id": 3, "emb_64_single_id": 2, "ad_id": 0,
        "display_ad_and_is_leak": 0, "display_id": 0, "is_leak": 0,
    }  # fmt: skip
    kinds = [f"multi_doc_{of}_{what}_id" for of in ("event", "ad") for what in ("category", "entity", "topic")]
    columns |= dict.fromkeys([*kinds, *(f"{kind}_mask" for kind in kinds)], 3)

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        (at / "dataformat").mkdir(parents=True)
        shapes = {name: [-1, width] if width else [-1] for name, width in columns.items()}
        (at / "dataformat" / "input_shape_dict.pkl").write_bytes(pickle.dumps(shapes))
        for part in ("train", "eval"):
            rows = []
            for _ in range(records):
                clicked = rng.integers(0, 2, lines)
                row = {name: rng.integers(0, 8, (lines, width or 1)) for name, width in columns.items()}
                row |= {f"{kind}_mask": np.ones((lines, 3), np.int64) for kind in kinds}
                row["label"], row["indicator_id"] = clicked, np.stack([clicked, 2 + clicked], 1)
                row["continue_val"] = rng.random((lines, 32)) + clicked[:, None]
                row["display_id"] = np.arange(lines) // 4
                floats = ("label", "continue_val")
                rows.append(
                    {name: np.ravel(row[name]).astype(float if name in floats else int).tolist() for name in columns}
                )
            (at / f"{part}_0.tfrecord").write_bytes(tfrecord(rows))

    return make
