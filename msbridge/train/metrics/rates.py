"""Rates of right and wrong decisions, from counts of true and false positives and negatives."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.runtime import device_to_host
from msbridge.train.metrics.metric import Metric, as_data, no_samples, rearrange_inputs

__all__ = ["ConfusionMatrixMetric"]

Counts = np.ndarray


def _over(numerator: Counts, denominator: Counts) -> Counts:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator != 0, numerator / denominator, np.nan)


def _threshold(tp: Counts, fp: Counts, tn: Counts, fn: Counts) -> Counts:
    hits, passes = _over(tp, tp + fn), _over(tn, tn + fp)
    return _over(np.sqrt(hits * (1.0 - passes)) + passes - 1.0, hits + passes - 1.0)


def _correlation(tp: Counts, fp: Counts, tn: Counts, fn: Counts) -> Counts:
    return _over(tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


# Each rate of (true positives, false positives, true negatives, false negatives), and the names that it goes by.
RATES: Mapping[str, tuple[Callable[..., Counts], str]] = {
    "tpr": (lambda tp, fp, tn, fn: _over(tp, tp + fn), "sensitivity recall hit_rate true_positive_rate"),
    "tnr": (lambda tp, fp, tn, fn: _over(tn, tn + fp), "specificity selectivity true_negative_rate"),
    "ppv": (lambda tp, fp, tn, fn: _over(tp, tp + fp), "precision positive_predictive_value"),
    "npv": (lambda tp, fp, tn, fn: _over(tn, tn + fn), "negative_predictive_value"),
    "fnr": (lambda tp, fp, tn, fn: _over(fn, tp + fn), "miss_rate false_negative_rate"),
    "fpr": (lambda tp, fp, tn, fn: _over(fp, tn + fp), "fall_out false_positive_rate"),
    "fdr": (lambda tp, fp, tn, fn: _over(fp, tp + fp), "false_discovery_rate"),
    "for": (lambda tp, fp, tn, fn: _over(fn, tn + fn), "false_omission_rate"),
    "pt": (_threshold, "prevalence_threshold"),
    "ts": (lambda tp, fp, tn, fn: _over(tp, tp + fn + fp), "threat_score critical_success_index csi"),
    "acc": (lambda tp, fp, tn, fn: _over(tp + tn, tp + fp + tn + fn), "accuracy"),
    "ba": (lambda tp, fp, tn, fn: (_over(tp, tp + fn) + _over(tn, tn + fp)) / 2.0, "balanced_accuracy"),
    "f1": (lambda tp, fp, tn, fn: _over(2.0 * tp, 2.0 * tp + fn + fp), "f1_score"),
    "mcc": (_correlation, "matthews_correlation_coefficient"),
    "fm": (lambda tp, fp, tn, fn: np.sqrt(_over(tp, tp + fp) * _over(tp, tp + fn)), "fowlkes_mallows_index"),
    "bm": (
        lambda tp, fp, tn, fn: _over(tp, tp + fn) + _over(tn, tn + fp) - 1.0,
        "informedness bookmaker_informedness",
    ),
    "mk": (lambda tp, fp, tn, fn: _over(tp, tp + fp) + _over(tn, tn + fn) - 1.0, "markedness deltap"),
}
NAMES = {name: rate for rate, (_, others) in RATES.items() for name in (rate, *others.split())}
# The axes of a decrease: over (batch, channel), one after the other for a mean of means.
DECREASES = {
    "none": (),
    "mean": (1, 0),
    "sum": (0, 1),
    "mean_batch": (0,),
    "sum_batch": (0,),
    "mean_channel": (1,),
    "sum_channel": (1,),
}


def rate_of(name: str, counts: np.ndarray) -> np.ndarray:
    """Return a rate by one of its names, of counts along the last axis; NaN where it is not defined.

    Raises:
        NotImplementedError: there is no such rate.
    """
    known = NAMES.get(name.replace(" ", "_").lower())
    if known is None:
        raise NotImplementedError(f"The metric {name!r} is not implemented; there are {', '.join(sorted(NAMES))}.")
    return RATES[known][0](*np.moveaxis(counts, -1, 0))


class ConfusionMatrixMetric(Metric):
    """A rate of right or wrong decisions about one-hot classes, of shape (batch, channel, ...).

    Args:
        skip_channel: MindSpore's name; False leaves the first channel, the background, out.
        metric_name: such as "sensitivity", "precision" or "f1 score".
        calculation_method: evaluate the rate of each image and channel, and average; otherwise of the counts of all.
        decrease: how the rates of an update become one number: "mean" or "sum"; the others yield several numbers,
            unless there is one image or one channel.

    Raises:
        TypeError: an argument is of another type.
        ValueError: another `decrease`.

    Follows: mindspore.train.ConfusionMatrixMetric (2.10).
    """

    def __init__(
        self,
        skip_channel: bool = True,
        metric_name: str = "sensitivity",
        calculation_method: bool = False,
        decrease: str = "mean",
    ) -> None:
        super().__init__()
        self.skip_channel = instance(skip_channel, "skip_channel", None, bool)
        self.calculation_method = instance(calculation_method, "calculation_method", None, bool)
        self.metric_name = instance(metric_name, "metric_name", None, str)
        instance(decrease, "decrease", None, str)
        self.decrease = one_of(decrease, "decrease", None, list(DECREASES))
        self.clear()

    def clear(self) -> None:
        """Reset the state."""
        self._counts = np.zeros(4)
        self._total, self._images = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add predicted and true classes, one-hot, of shape (batch, channel, ...).

        Raises:
            NotImplementedError: there is no rate of that name.
            ValueError: there are not two inputs, they differ in shape, have less than two axes (three, to average
                rates), the true ones are not binary, or `decrease` yields several numbers.
        """
        if len(inputs) != 2:
            raise ValueError(
                "For 'ConfusionMatrixMetric.update', it needs 2 inputs (predicted value, true value), "
                f"but got {len(inputs)}."
            )
        counts = self._count_confusions(*(device_to_host.to_numpy(as_data(given)) for given in inputs))
        if not self.calculation_method:
            self._counts += counts.sum((0, 1))
            return
        rates, known = _reduce_rates(rate_of(self.metric_name, counts), self.decrease)
        if rates.size != 1:
            raise ValueError(
                f"For 'ConfusionMatrixMetric.update', decrease={self.decrease!r} makes {rates.size} numbers; "
                "'mean' and 'sum' yield one."
            )
        self._total += rates.item() * int(known.item())
        self._images += int(known.item())

    def eval(self) -> Any:
        """Return the rate: an array of one number of the counts, or the average as a float.

        Returns:
            An array of one number, or a float.

        Raises:
            NotImplementedError: there is no rate of that name.
            RuntimeError: rates are to be averaged, and there are none.
        """
        if not self.calculation_method:
            return rate_of(self.metric_name, self._counts[None])
        if not self._images:
            raise no_samples("ConfusionMatrixMetric")
        return self._total / self._images

    def _count_confusions(self, predicted: np.ndarray, true: np.ndarray) -> np.ndarray:
        owner = "For 'ConfusionMatrixMetric.update'"
        if not np.all(true.astype(np.uint8) == true):
            raise ValueError(f"{owner}, the true value (input[1]) must be a binarized ndarray.")
        least = 3 if self.calculation_method else 2
        if predicted.ndim < least:
            raise ValueError(
                f"{owner}, the predicted value (input[0]) must have at least {least} axes, but got {predicted.ndim}."
            )
        if not self.skip_channel:
            predicted, true = (image[:, 1:] if image.shape[1] > 1 else image for image in (predicted, true))
        if predicted.shape != true.shape:
            raise ValueError(f"{owner}, the shapes must be equal, but got {predicted.shape} and {true.shape}.")
        flat = (*predicted.shape[:2], -1)
        guess, truth = predicted.reshape(flat).astype(float), true.reshape(flat).astype(float)
        tp = (guess + truth == 2).sum(2).astype(float)
        tn = (guess + truth == 0).sum(2).astype(float)
        positives = truth.sum(2)
        return np.stack([tp, truth.shape[-1] - positives - tn, tn, positives - tp], axis=-1)


def _reduce_rates(rates: np.ndarray, decrease: str) -> tuple[np.ndarray, np.ndarray]:
    """Return rates decreased along their axes, NaN left out, and of how many that is."""
    known = (~np.isnan(rates)).astype(float)
    rates = np.where(known > 0, rates, 0.0)
    axes = DECREASES[decrease]
    if not decrease.startswith("mean"):
        return rates.sum(axes) if axes else rates, known.sum(axes) if axes else known
    for axis in axes:
        count = known.sum(axis)
        rates = np.divide(rates.sum(axis), count, out=np.zeros_like(count), where=count > 0)
        known = (count > 0).astype(float) if len(axes) > 1 and axis == axes[0] else count
    return rates, known
