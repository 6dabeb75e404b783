"""Tiny data in the formats of clouds of points, for the jobs of the acceptance run."""

import json
from pathlib import Path

import numpy as np
from data import Maker

__all__ = ["modelnet", "shapenet"]

SHAPES = (
    "bathtub", "bed", "chair", "desk", "dresser", "monitor", "night_stand", "sofa", "table", "toilet",
)  # fmt: skip


def shapenet(shapes: int = 8, points: int = 300, category: str = "Chair", offset: str = "03001627") -> Maker:
    """ShapeNet's parts: a file of points and a file of their parts' numbers, 1 to 4 from the bottom, for each shape."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        names = [f"shape{number:03}" for number in range(shapes)]
        for folder in ("points", "points_label"):
            (at / offset / folder).mkdir(parents=True)
        for name in names:
            cloud = rng.uniform(-0.5, 0.5, (points, 3))
            part = np.digitize(cloud[:, 1], [-0.25, 0.0, 0.25]) + 1
            part[:4] = 1, 2, 3, 4
            np.savetxt(at / offset / "points" / f"{name}.pts", cloud, "%.5f")
            np.savetxt(at / offset / "points_label" / f"{name}.seg", part, "%d")
        (at / "synsetoffset2category.txt").write_text(f"{category}\t{offset}\n")
        (at / "train_test_split").mkdir()
        for part_of in ("train", "val", "test"):
            files = json.dumps([f"shape_data/{offset}/{name}" for name in names])
            (at / "train_test_split" / f"shuffled_{part_of}_file_list.json").write_text(files)

    return make


def modelnet(shapes: int = 4, points: int = 1100, kinds: int = 10) -> Maker:
    """ModelNet10, resampled: a file of points and normals for each shape, whose extents tell its class; the lists."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        (at).mkdir(parents=True, exist_ok=True)
        (at / "modelnet10_shape_names.txt").write_text("\n".join(SHAPES) + "\n")
        for part, first in (("train", 1), ("test", 1 + shapes)):
            listed = []
            for kind, shape in enumerate(SHAPES[:kinds]):
                (at / shape).mkdir(exist_ok=True)
                for number in range(first, first + shapes):
                    extent = 1 + np.array([kind % 2, kind // 2 % 3, kind % 5])
                    cloud = rng.uniform(-1, 1, (points, 3)) * extent
                    normals = cloud / np.linalg.norm(cloud, axis=1, keepdims=True)
                    name = f"{shape}_{number:04}"
                    np.savetxt(at / shape / f"{name}.txt", np.hstack([cloud, normals]), "%.6f", delimiter=",")
                    listed.append(name)
            (at / f"modelnet10_{part}.txt").write_text("\n".join(listed) + "\n")

    return make
