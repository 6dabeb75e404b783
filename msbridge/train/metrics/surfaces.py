"""Distances between the surfaces of two segmentations."""

from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import in_range, instance, one_of
from msbridge.core.runtime import device_to_host
from msbridge.train.metrics.metric import Metric, as_data, rearrange_inputs

__all__ = ["HausdorffDistance", "MeanSurfaceDistance", "RootMeanSquareDistance"]

NORMS = {"euclidean": 2.0, "chessboard": float("inf"), "taxicab": 1.0}
_ROWS = 1024  # pairs are compared in blocks: all pairs of large surfaces would not fit into memory


def edges_of(mask: np.ndarray) -> np.ndarray:
    """Return the edge of a mask: where it is true beside a neighbour that is not, or beside the border of the image."""
    padded = np.pad(mask, 1)
    inner = mask.copy()
    for axis in range(mask.ndim):
        for start in (0, 2):
            window = tuple(
                slice(start, start + size) if other == axis else slice(1, 1 + size)
                for other, size in enumerate(mask.shape)
            )
            inner &= padded[window]
    edges: np.ndarray = mask & ~inner
    return edges


def distances(edges: np.ndarray, others: np.ndarray, metric: str) -> np.ndarray:
    """Return the distance of each point of a surface to the nearest one of another: infinite where that has none."""
    points, other = (torch.from_numpy(np.argwhere(mask).astype(np.float64)) for mask in (edges, others))
    if not len(points):
        return np.empty(0)
    if not len(other):
        return np.full(len(points), np.inf)
    exact = "donot_use_mm_for_euclid_dist"
    nearest = [torch.cdist(rows, other, NORMS[metric], exact).amin(1) for rows in points.split(_ROWS)]
    return torch.cat(nearest).numpy()


class _Surfaces(Metric):
    """Base of the metrics of two surfaces: keeps those of the last update."""

    def __init__(self, distance_metric: str) -> None:
        super().__init__()
        instance(distance_metric, "distance_metric", None, str)
        self.distance_metric = one_of(distance_metric, "distance_metric", None, list(NORMS))
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._edges: tuple[np.ndarray, np.ndarray] | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take the predicted image, the true image of the same shape, and the number that marks what is segmented.

        Raises:
            TypeError: the number is not one (RootMeanSquareDistance).
            ValueError: there are not three inputs, the images are empty, differ in shape or do not have the number, or
                it is not one.
        """
        name = type(self).__name__
        if len(inputs) != 3:
            raise ValueError(
                f"For '{name}.update', it needs 3 inputs (predicted value, true value, label index), "
                f"but got {len(inputs)}."
            )
        images = [device_to_host.to_numpy(as_data(image)) for image in inputs[:2]]
        label = inputs[2]
        if not isinstance(label, int | float):
            raise self._not_a_number(f"For '{name}.update', the label index (input[2]) must be int or float, but got ")
        if not any((image == label).any() for image in images):
            raise ValueError(
                f"For '{name}.update', the label index (input[2]) must be in predicted value (input[0]) or true value "
                f"(input[1]), but {label} is not."
            )
        predicted, true = images
        if predicted.size == 0 or predicted.shape != true.shape:
            raise ValueError(
                f"For '{name}.update', predicted value (input[0]) and true value (input[1]) must not be empty, and of "
                f"the same shape, but got {predicted.shape} and {true.shape}."
            )
        self._edges = self._surfaces(self._mask(predicted, label), self._mask(true, label))

    def _not_a_number(self, start: str) -> Exception:
        return ValueError(f"{start}another type.")

    def _mask(self, image: np.ndarray, label: float) -> np.ndarray:
        return image if image.dtype == bool else image == label

    def _surfaces(self, predicted: np.ndarray, true: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return edges_of(predicted), edges_of(true)

    def _both(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the distances from the predicted surface to the true one, and back.

        Raises:
            RuntimeError: there was no update.
        """
        if self._edges is None:
            raise RuntimeError("Please call the 'update' method before calling 'eval' method.")
        predicted, true = self._edges
        return distances(predicted, true, self.distance_metric), distances(true, predicted, self.distance_metric)


_NO_SURFACES = (np.zeros(1, bool), np.zeros(1, bool))


class HausdorffDistance(_Surfaces):
    """The largest distance of a point of one surface to the other surface.

    Args:
        distance_metric: "euclidean", "chessboard" or "taxicab".
        percentile: of the distances, in [0, 100], instead of the largest one.
        directed: from the predicted surface to the true one only.
        crop: cut the images to what is segmented in either of them; an axis of length 1 then counts for none.

    Raises:
        TypeError: an argument is of another type.
        ValueError: another `distance_metric`; in `eval`, `percentile` is out of range.

    Follows: mindspore.train.HausdorffDistance (2.10).
    """

    def __init__(
        self,
        distance_metric: str = "euclidean",
        percentile: float | None = None,
        directed: bool = False,
        crop: bool = True,
    ) -> None:
        super().__init__(distance_metric)
        self.percentile = None if percentile is None else instance(percentile, "percentile", None, float)
        self.directed = None if directed is None else instance(directed, "directed", None, bool)
        self.crop = None if crop is None else instance(crop, "crop", None, bool)

    def _mask(self, image: np.ndarray, label: float) -> np.ndarray:
        found: np.ndarray = image == label
        return found

    def _surfaces(self, predicted: np.ndarray, true: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self.crop:
            box = tuple(slice(where.min(), where.max() + 1) for where in np.nonzero(predicted | true))
            predicted, true = predicted[box].squeeze(), true[box].squeeze()
        return super()._surfaces(predicted, true)

    def eval(self) -> float:
        """Return the distance, infinite where one of the surfaces is empty.

        Returns:
            A float.

        Raises:
            RuntimeError: there was no update.
            ValueError: `percentile` is out of range.
        """
        there, back = (self._largest(found) for found in self._both())
        return there if self.directed else max(there, back)

    def _largest(self, distances: np.ndarray) -> float:
        if not distances.size:
            return np.inf
        if not self.percentile:
            return np.float64(distances.max())
        in_range(self.percentile, "percentile", "HausdorffDistance", 0, 100, "[]")
        return np.float64(np.percentile(distances, self.percentile))


class MeanSurfaceDistance(_Surfaces):
    """The mean distance of the points of the predicted surface to the true one.

    Args:
        symmetric: the mean of both directions.
        distance_metric: "euclidean", "chessboard" or "taxicab".

    Raises:
        TypeError: an argument is of another type.
        ValueError: another `distance_metric`.

    Follows: mindspore.train.MeanSurfaceDistance (2.10).
    """

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean") -> None:
        super().__init__(distance_metric)
        self.symmetric = instance(symmetric, "symmetric", None, bool)
        self._edges = _NO_SURFACES  # only after `clear` it is an error to have had no update

    def eval(self) -> float:
        """Return the mean, infinite where a surface is empty.

        Returns:
            A float.

        Raises:
            RuntimeError: there was no update.
        """
        there, back = self._both()
        if not there.size or (self.symmetric and not back.size):
            return np.inf
        return np.float64((there.mean() + back.mean()) / 2 if self.symmetric else there.mean())


class RootMeanSquareDistance(_Surfaces):
    """The mean square distance of the points of the predicted surface to the true one.

    Args:
        symmetric: the root of the mean of both directions; a single direction is not rooted.
        distance_metric: "euclidean", "chessboard" or "taxicab".

    Raises:
        TypeError: an argument is of another type.
        ValueError: another `distance_metric`.

    Follows: mindspore.train.RootMeanSquareDistance (2.10).
    """

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean") -> None:
        super().__init__(distance_metric)
        self.symmetric = instance(symmetric, "symmetric", None, bool)
        self._edges = _NO_SURFACES  # only after `clear` it is an error to have had no update

    def _not_a_number(self, start: str) -> Exception:
        return TypeError(f"{start}another type.")

    def eval(self) -> float:
        """Return the mean square, or the root of both; infinite where a surface is empty.

        Returns:
            A float.

        Raises:
            RuntimeError: there was no update.
        """
        there, back = (found**2 for found in self._both())
        if not there.size or (self.symmetric and not back.size):
            return np.inf
        return np.float64(np.sqrt((there.mean() + back.mean()) / 2) if self.symmetric else there.mean())
