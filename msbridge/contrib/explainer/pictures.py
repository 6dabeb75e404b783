"""Images and maps as files."""

from pathlib import Path

import numpy as np

__all__ = ["Pictures"]

PER_FOLDER = 1000


class Pictures:
    """Saves images and maps below a folder, a thousand samples in a folder each.

    Args:
        folder: where the summaries lie.
        at_s: the time of the run, a part of the name.
    """

    def __init__(self, folder: Path, at_s: int) -> None:
        self._root = folder
        self.folder = folder / f"_explain_{at_s}"
        self.folder.mkdir(parents=True, exist_ok=True)

    def save_image(self, sample: int, image: np.ndarray) -> str:
        """Save an image of shape (c, h, w); return its path from the folder of the summaries."""
        colours = image[:3].transpose(1, 2, 0) if len(image) >= 3 else image[0]
        return self._save(self.folder / "origin_images" / _part(sample) / f"{sample}.jpg", colours)

    def save_map(self, method: str, sample: int, label: int, values: np.ndarray) -> str:
        """Save a map of shape (h, w); return its path from the folder of the summaries."""
        return self._save(self.folder / "heatmap" / method / _part(sample) / f"{sample}_{label}.jpg", values)

    def _save(self, path: Path, values: np.ndarray) -> str:
        try:
            from PIL import Image
        except ImportError as error:
            raise ImportError("images are written with Pillow: pip install 'msbridge[vision]', or pillow") from error
        path.parent.mkdir(parents=True, exist_ok=True)
        least, greatest = values.min(), values.max()
        scaled = (values - least) / max(greatest - least, 1e-10)
        Image.fromarray((scaled * 255).astype(np.uint8)).convert("RGB" if values.ndim == 3 else "L").save(path)
        return str(path.relative_to(self._root))


def _part(sample: int) -> str:
    return str(sample // PER_FOLDER)
