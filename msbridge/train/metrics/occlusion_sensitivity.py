"""Occlusion sensitivity: the parts of an image that a classification rests on."""

import itertools
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import instance
from msbridge.core.runtime import device_to_host
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.train.metrics.metric import Metric, as_data, rearrange_inputs

__all__ = ["OcclusionSensitivity"]


class OcclusionSensitivity(Metric):
    """The fall of a class's score when a part of the image is hidden, for each place of it.

    Args:
        pad_val: what is in a hidden part.
        margin: how far it reaches from its middle, along every axis, that of channels too.
        n_batch: how many images are evaluated at once.
        b_box: the first and the last place along each axis, one after the other; a negative one is the axis's end.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.train.OcclusionSensitivity (2.10).
    """

    def __init__(
        self,
        pad_val: float = 0.0,
        margin: int | list[int] = 2,
        n_batch: int = 128,
        b_box: list[int] | None = None,
    ) -> None:
        super().__init__()
        self.pad_val = instance(pad_val, "pad_val", None, float)
        self.margin = instance(margin, "margin", None, (int, list))
        self.n_batch = instance(n_batch, "n_batch", None, int)
        self.b_box = None if b_box is None else instance(b_box, "b_box", None, list)
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._sensitivity: np.ndarray | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take a network, an image with a batch axis of 1, and the number of a class.

        Raises:
            RuntimeError: there are several images, or several classes.
            TypeError: the network is not a Cell.
            ValueError: there are not three inputs, or `b_box` does not go with the image.
        """
        if len(inputs) != 3:
            raise ValueError(
                "For 'OcclusionSensitivity.update', it needs 3 inputs (classification model, predicted value, label), "
                f"but got {len(inputs)}."
            )
        image, label = (device_to_host.to_numpy(as_data(given)) for given in inputs[1:])
        model: Cell = instance(inputs[0], "model", None, Cell)
        if image.shape[0] > 1:
            raise RuntimeError(
                "For 'OcclusionSensitivity.update', the shape at index 0 of the predicted value (input[1]) must be 1, "
                f"but got {image.shape[0]}."
            )
        if label.size != image.shape[0]:
            raise RuntimeError(
                "For 'OcclusionSensitivity.update', there must be one label (input[2]) for each image, "
                f"but got {label.size} for {image.shape[0]}."
            )
        number = int(label.reshape(-1)[0])
        first, last = self._box(image.shape[1:])
        places = list(itertools.product(*(range(low, high + 1) for low, high in zip(first, last, strict=True))))
        scores = []
        for start in range(0, len(places), self.n_batch):
            hidden = np.concatenate([self._hide(image, place) for place in places[start : start + self.n_batch]])
            scores.append(model(Tensor(hidden)).asnumpy()[:, number])
        baseline = model(Tensor(image)).asnumpy()[0, number].item()
        shape = [high - low + 1 for low, high in zip(first, last, strict=True)]
        self._sensitivity = baseline - np.concatenate(scores).reshape(shape).squeeze()

    def eval(self) -> np.ndarray:
        """Return by how much the score falls, for each place; axes of length 1 are left out.

        Returns:
            An array of float32.

        Raises:
            RuntimeError: there was no update.
        """
        if self._sensitivity is None:
            raise RuntimeError("Please call the 'update' method before calling 'eval' method.")
        return self._sensitivity

    def _hide(self, image: np.ndarray, place: tuple[int, ...]) -> np.ndarray:
        margins = self.margin if isinstance(self.margin, list) else [self.margin] * len(place)
        hidden = image.copy()
        around = zip(place, margins, strict=True)
        window: Any = (..., *(slice(max(0, at - margin), at + margin) for at, margin in around))
        hidden[window] = self.pad_val
        return hidden

    def _box(self, shape: tuple[int, ...]) -> tuple[list[int], list[int]]:
        ends = [size - 1 for size in shape]
        if self.b_box is None:
            return [0] * len(shape), ends
        if len(self.b_box) != 2 * len(shape):
            raise ValueError(
                "For 'OcclusionSensitivity', 'b_box' must have two numbers for each axis of the image, "
                f"{2 * len(shape)}, but got {len(self.b_box)}."
            )
        first = [max(0, low) for low in self.b_box[::2]]
        last = [end if high < 0 else high for high, end in zip(self.b_box[1::2], ends, strict=True)]
        if any(high > end for high, end in zip(last, ends, strict=True)):
            raise ValueError("For 'OcclusionSensitivity', 'b_box' must lie in the image.")
        if any(low > high for low, high in zip(first, last, strict=True)):
            raise ValueError("For 'OcclusionSensitivity', the first place of 'b_box' must not be after the last one.")
        return first, last
