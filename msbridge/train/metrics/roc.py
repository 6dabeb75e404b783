"""The receiver operating characteristic, and the area under a curve."""

from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.runtime import device_to_host
from msbridge.train.metrics.metric import Metric, check_counts, rearrange_inputs, take_pair

Curve = tuple[np.ndarray, np.ndarray, np.ndarray]


class ROC(Metric):
    """The ROC curve: false positive rates, true positive rates, and the thresholds that returns them.

    Args:
        class_num: number of classes; None for two.
        pos_label: the class that counts as positive, 1 by default; only for two classes.

    Raises:
        TypeError: an argument is not an int.

    Follows: mindspore.train.ROC (2.10).
    """

    def __init__(self, class_num: int | None = None, pos_label: int | None = None) -> None:
        super().__init__()
        for name, value in (("class_num", class_num), ("pos_label", pos_label)):
            if value is not None:
                instance(value, name, None, int)
        self.class_num = class_num
        self.pos_label = pos_label
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._batches: list[tuple[torch.Tensor, torch.Tensor]] = []

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add scores (samples,) or (samples, classes), and classes (samples,).

        Raises:
            ValueError: there are not two inputs, or their shapes do not go together.
        """
        predicted, true = take_pair("ROC", inputs)
        if predicted.dim() == true.dim() + 1:
            if self.pos_label is not None:
                raise ValueError(
                    "For 'ROC', when the dimension of predicted value (input[0]) equals the dimension of true value "
                    f"(input[1]) add 1, the 'pos_label' must be None, but got {self.pos_label}."
                )
            check_counts("ROC", predicted[:, 0], true)
            predicted = predicted.movedim(1, -1).reshape(-1, predicted.shape[1])
        elif predicted.dim() == true.dim():
            predicted = predicted.reshape(-1, 1)
        else:
            raise ValueError(
                "For 'ROC.update', predicted value (input[0]) must have as many axes as true value (input[1]), or one "
                f"more, but got {predicted.dim()} and {true.dim()}."
            )
        self._batches.append((predicted, true.reshape(-1)))

    def eval(self) -> Curve | tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
        """Return the curve; with scores of several classes, lists of one curve per class.

        Returns:
            (false positive rates, true positive rates, thresholds): arrays (points,), or a list of one for each class.

        Raises:
            RuntimeError: there were no samples.
            ValueError: a class has no positive, or no negative sample.
        """
        if not self._batches:
            raise RuntimeError("Please call the 'update' method before calling 'eval' method.")
        scores = device_to_host.to_numpy(torch.cat([scores for scores, _ in self._batches]))
        true = device_to_host.to_numpy(torch.cat([true for _, true in self._batches]))
        if scores.shape[1] == 1:
            return _curve(scores[:, 0], true == (1 if self.pos_label is None else self.pos_label))
        curves = [_curve(scores[:, label], true == label) for label in range(self.class_num or scores.shape[1])]
        return tuple(map(list, zip(*curves, strict=True)))  # type: ignore[return-value]


def _curve(scores: np.ndarray, is_positive: np.ndarray) -> Curve:
    order = np.argsort(scores, kind="stable")[::-1]
    scores, is_positive = scores[order], is_positive[order]
    ends = np.append(np.nonzero(np.diff(scores))[0], len(scores) - 1)
    right = np.cumsum(is_positive)[ends].astype(np.float64)
    wrong = 1 + ends - right
    if not wrong[-1] or not right[-1]:
        kind = "positive" if not right[-1] else "negative"
        raise ValueError(f"For 'ROC', there are no {kind} samples, so the rate of them means nothing.")
    thresholds = np.append(scores[ends][:1] + 1, scores[ends])
    return np.append(0.0, wrong) / wrong[-1], np.append(0.0, right) / right[-1], thresholds


def auc(x: np.ndarray, y: np.ndarray, reorder: bool = False) -> np.float64:
    """Return the area under a curve by the trapezoidal rule.

    Args:
        x: where, 1-d, increasing or decreasing.
        y: the heights, as many.
        reorder: sort by `x` first.

    Returns:
        A float64 number.

    Raises:
        TypeError: `x` or `y` is not an ndarray.
        ValueError: lengths differ, there are fewer than two points, or `x` turns.

    Follows: mindspore.train.auc (2.10).
    """
    if not isinstance(x, np.ndarray) or not isinstance(y, np.ndarray):
        raise TypeError(f"For 'auc', the argument 'x' and 'y' must all be np.ndarray, but got {type(x)}, {type(y)}")
    if x.shape != y.shape or x.ndim != 1 or len(x) < 2:
        raise ValueError(
            f"For 'auc', x and y must have the same number of points, at least 2, got {x.shape}, {y.shape}."
        )
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    steps = np.diff(x)
    if (steps < 0).any() and not (steps <= 0).all():
        raise ValueError(f"For 'auc', x must be increasing or decreasing, or `reorder` True, but got 'x': {x}")
    return np.float64(abs(np.sum(steps * (y[1:] + y[:-1]) / 2)))
