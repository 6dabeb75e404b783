"""Hierarchical occlusion: the parts of an image that suffice for a decision, from coarse to fine."""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell

__all__ = ["Finding", "ImagePart", "Searcher", "blur"]

MAX_LAYERS = 3
MIN_WINDOW = 28
PER_SIDE = 2  # windows of a layer along the side of the one above
STEPS_PER_WINDOW = 5
PER_RADIUS = 25  # pixels of the short side for a pixel of blur
BATCH = 64
Box = tuple[int, int, int, int]


@dataclass(slots=True)
class ImagePart:
    """A part of the image that is shown: x, y, width and height; the probability with it, and how much it gained."""

    layer: int
    box: Box
    output: float = 0.0
    change: float = 0.0
    children: list["ImagePart"] = field(default_factory=list)

    def down_to(self, layer: int) -> Iterator["ImagePart"]:
        """Yield the steps of a layer, and those above that have none below."""
        if self.layer == layer or (self.layer < layer and not self.children):
            yield self
        elif self.layer < layer:
            for child in self.children:
                yield from child.down_to(layer)

    def deepest(self) -> int:
        """Return the number of the last layer."""
        return max((child.deepest() for child in self.children), default=self.layer)


@dataclass(frozen=True, slots=True)
class Finding:
    """A layer of a hierarchy: the probability with its boxes only, and the boxes."""

    output: float
    boxes: tuple[Box, ...]


@dataclass(slots=True)
class _Job:
    layer: int
    parent: ImagePart
    before: list[ImagePart]


class Searcher:
    """Looks for the parts of an image that suffice, greedily: the rest of it is blurred.

    Args:
        network: returns probabilities, shape (n, classes).
        threshold: the probability that is enough.

    Follows: mindspore.explainer.ImageClassificationRunner.register_hierarchical_occlusion (1.3).
    """

    def __init__(self, network: Cell, threshold: float = 0.5) -> None:
        self._network = copy.deepcopy(network).set_train(False)
        self.threshold = threshold

    def search(self, image: np.ndarray, label: int) -> list[Finding]:
        """Return the layers, coarse to fine; none if no parts suffice.

        Args:
            image: shape (c, h, w), the shorter side of 56 pixels or more.
            label: the class, whose probability is above the threshold.

        Raises:
            ValueError: the image is too small.
        """
        windows = _windows(min(image.shape[1:]))
        mask = blur(image)
        root = ImagePart(-1, (0, 0, image.shape[2], image.shape[1]))
        jobs = [_Job(0, root, [])]
        while jobs:
            jobs += self._process(jobs.pop(0), image, mask, label, windows)
        findings = []
        for layer in range(root.deepest() + 1):
            boxes = tuple(step.box for step in root.down_to(layer))
            findings.append(Finding(float(self._outputs([_reveal_boxes(image, mask, boxes)], label)[0]), boxes))
        while findings and findings[-1].output < self.threshold:
            findings.pop()
        return findings

    def _process(
        self, job: _Job, image: np.ndarray, mask: np.ndarray, label: int, windows: Sequence[int]
    ) -> list[_Job]:
        """Show windows inside the parent, until the probability is enough; return the jobs of the next layer."""
        leaves = [leaf.box for step in job.before for leaf in step.down_to(len(windows))]
        work = _reveal_boxes(image, mask, leaves)
        last = start = float(self._outputs([work], label)[0])
        left = _places(job.parent.box, windows[job.layer])
        steps: list[ImagePart] = []
        jobs: list[_Job] = []
        while last < self.threshold:
            if not left:
                return []
            best, output = self._best(left, work, image, label)
            box = left.pop(best)
            step = ImagePart(job.layer, box, output, output - last)
            if job.layer + 1 < len(windows) and step.change > 0:
                jobs.append(_Job(job.layer + 1, step, [*job.before, *steps]))
            steps.append(step)
            work, last = _reveal_boxes(image, work, [box]), output
            if job.layer and output - start >= job.parent.change:
                break
        job.parent.children += steps
        return jobs

    def _best(self, boxes: list[Box], work: np.ndarray, image: np.ndarray, label: int) -> tuple[int, float]:
        outputs = np.concatenate(
            [
                self._outputs([_reveal_boxes(image, work, [box]) for box in boxes[first : first + BATCH]], label)
                for first in range(0, len(boxes), BATCH)
            ]
        )
        best = int(outputs.argmax())
        return best, float(outputs[best])

    def _outputs(self, images: list[np.ndarray], label: int) -> np.ndarray:
        found: np.ndarray = self._network(Tensor(np.stack(images).astype(np.float32))).asnumpy()[:, label]
        return found


def blur(image: np.ndarray) -> np.ndarray:
    """Return an image after a Gaussian blur, whose standard deviation is a 25th of its short side, in whole pixels."""
    radius = blur_radius(image)
    reach = np.arange(-4 * radius, 4 * radius + 1)
    weights = np.exp(-0.5 * (reach / radius) ** 2)
    weights /= weights.sum()
    result = image.astype(np.float64)
    for axis in (1, 2):
        borders = [(4 * radius, 4 * radius) if one == axis else (0, 0) for one in range(3)]
        padded = np.pad(result, borders, mode="edge")
        result = np.apply_along_axis(np.convolve, axis, padded, weights, "valid")
    return result.astype(image.dtype)


def blur_radius(image: np.ndarray) -> int:
    """Return the standard deviation of the blur, in pixels."""
    return round(int(min(image.shape[1:])) / PER_RADIUS)


def _windows(side: int) -> list[int]:
    sizes = [side // PER_SIDE ** (layer + 1) for layer in range(MAX_LAYERS)]
    sizes = [size for size in sizes if size >= MIN_WINDOW]
    if not sizes:
        raise ValueError(f"Hierarchical occlusion needs images of {PER_SIDE * MIN_WINDOW} pixels, got {side}.")
    return sizes


def _places(field_box: Box, window: int) -> list[Box]:
    x, y, width, height = field_box
    step = window // STEPS_PER_WINDOW
    rows, columns = (
        [*range(begin, begin + length - window, step), begin + length - window]
        for begin, length in ((y, height), (x, width))
    )
    return [(column, row, window, window) for column in columns for row in rows]


def _reveal_boxes(image: np.ndarray, mask: np.ndarray, boxes: Sequence[Box]) -> np.ndarray:
    """Return the mask with parts of the image in it."""
    result = mask.copy()
    for x, y, width, height in boxes:
        result[:, y : y + height, x : x + width] = image[:, y : y + height, x : x + width]
    return result
