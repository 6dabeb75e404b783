"""Tiny data in the formats of faces and of bodies, for the jobs of the acceptance run."""

import json
from pathlib import Path

import numpy as np
from data import Maker, save

__all__ = ["persons", "widerface"]


def widerface(images: int = 8, size: int = 160) -> Maker:
    """WIDER FACE with landmarks: `PART/images`, `PART/label.txt`, and the tables of the official evaluation."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        event = "0--Parade"
        found: list[tuple[str, np.ndarray]] = []
        for part in ("train", "val"):
            lines, found = [], []
            for number in range(images):
                name = f"{event.replace('--', '_')}_{number}"
                pixels = rng.integers(0, 60, (size, size, 3)).astype(np.uint8)
                faces = []
                for place in range(2):
                    width = int(rng.integers(size // 4, size // 3))
                    x, y = int(rng.integers(4, size - width - 4)), 6 + place * (size // 2)
                    pixels[y : y + width, x : x + width] = (220, 180, 150)
                    marks = [(0.3, 0.3), (0.7, 0.3), (0.5, 0.5), (0.35, 0.75), (0.65, 0.75)]
                    corners = [f"{x + part_x * width:.3f} {y + part_y * width:.3f}" for part_x, part_y in marks]
                    faces.append([x, y, width, width])
                    end = f" {corners[4]} 0.8" if part == "train" else ""
                    marked = " 0.0 ".join(corners[:4]) + " 0.0" + (f" {corners[4]} 0.8" if end else "")
                    lines.append(f"{x} {y} {width} {width} {marked}" if end else f"{x} {y} {width} {width}")
                lines.insert(len(lines) - len(faces), f"# {event}/{name}.jpg")
                save(at / part / "images" / event / f"{name}.jpg", pixels)
                found.append((name, np.array(faces, np.float64)))
            (at / part / "label.txt").write_text("\n".join(lines) + "\n")
        truth(at / "ground_truth", event, found)

    return make


def persons(images: int = 2, size: int = 128) -> Maker:
    """COCO's persons: pictures, and `person_keypoints_PART.json` with a box, an outline and 17 points of each body."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        for part in ("train2017", "val2017"):
            listed, marks = [], []
            for number in range(1, images + 1):
                pixels = rng.integers(0, 60, (size, size, 3)).astype(np.uint8)
                x, y, width, height = size // 4, size // 8, size // 2, 3 * size // 4
                pixels[y : y + height, x : x + width] = (90, 160, 220)
                points = np.stack([rng.integers(x, x + width, 17), rng.integers(y, y + height, 17), np.full(17, 2)], 1)
                corners = [x, y, x + width, y, x + width, y + height, x, y + height]
                mark = {"id": number, "image_id": number, "category_id": 1, "iscrowd": 0, "area": width * height}
                mark |= {"bbox": [x, y, width, height], "segmentation": [corners], "num_keypoints": 17}
                marks.append(mark | {"keypoints": points.ravel().tolist()})
                save(at / part / f"{number:012}.jpg", pixels)
                listed.append({"id": number, "file_name": f"{number:012}.jpg", "height": size, "width": size})
            content = {"images": listed, "annotations": marks, "categories": [{"id": 1, "name": "person"}]}
            (at / "annotations").mkdir(exist_ok=True)
            (at / "annotations" / f"person_keypoints_{part}.json").write_text(json.dumps(content))

    return make


def truth(at: Path, event: str, found: list[tuple[str, np.ndarray]]) -> None:
    """Write MATLAB's cells of events, files and boxes, and which boxes count for each of the three grades."""
    from scipy.io import savemat

    at.mkdir(parents=True)

    def cells(values: list[object]) -> np.ndarray:
        column = np.empty((len(values), 1), object)
        column[:, 0] = values
        return column

    def nested(values: list[object]) -> np.ndarray:
        return cells([cells(values)])

    tables = {
        "event_list": cells([event]),
        "file_list": nested([name for name, _ in found]),
        "face_bbx_list": nested([faces for _, faces in found]),
    }
    savemat(at / "wider_face_val.mat", tables)
    for grade in ("easy", "medium", "hard"):
        counting = nested([np.arange(1, len(faces) + 1)[:, None].astype(np.uint8) for _, faces in found])
        savemat(at / f"wider_{grade}_val.mat", {**tables, "gt_list": counting})
