"""Metrics by name, as `Model(metrics={...})` takes them."""

from collections.abc import Iterable, Mapping
from typing import Any

from msbridge.core.checks.suggestions import did_you_mean
from msbridge.train.metrics.accuracy import Accuracy
from msbridge.train.metrics.bleu_score import BleuScore
from msbridge.train.metrics.confusion_matrix import ConfusionMatrix
from msbridge.train.metrics.cosine_similarity import CosineSimilarity
from msbridge.train.metrics.counts import F1, Precision, Recall
from msbridge.train.metrics.dice import Dice
from msbridge.train.metrics.error import MAE, MSE
from msbridge.train.metrics.loss import Loss
from msbridge.train.metrics.metric import Metric
from msbridge.train.metrics.occlusion_sensitivity import OcclusionSensitivity
from msbridge.train.metrics.perplexity import Perplexity
from msbridge.train.metrics.rates import ConfusionMatrixMetric
from msbridge.train.metrics.roc import ROC, auc
from msbridge.train.metrics.surfaces import HausdorffDistance, MeanSurfaceDistance, RootMeanSquareDistance
from msbridge.train.metrics.topk import Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy

_METRICS: dict[str, Any] = {
    "F1": F1,
    "acc": Accuracy,
    "accuracy": Accuracy,
    "auc": auc,
    "bleu_score": BleuScore,
    "confusion_matrix": ConfusionMatrix,
    "confusion_matrix_metric": ConfusionMatrixMetric,
    "hausdorff_distance": HausdorffDistance,
    "mean_surface_distance": MeanSurfaceDistance,
    "occlusion_sensitivity": OcclusionSensitivity,
    "root_mean_square_distance": RootMeanSquareDistance,
    "cosine_similarity": CosineSimilarity,
    "dice": Dice,
    "loss": Loss,
    "mae": MAE,
    "mse": MSE,
    "perplexity": Perplexity,
    "precision": Precision,
    "recall": Recall,
    "roc": ROC,
    "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy,
    "topk": TopKCategoricalAccuracy,
}


def names() -> list[str]:
    """Return the names that metrics have.

    Returns:
        A list of strings, such as "accuracy" and "loss".

    Follows: mindspore.train.names (2.10).
    """
    return sorted(_METRICS)


def get_metric_fn(name: str, *args: Any, **kwargs: Any) -> Any:
    """Return a new metric of that name.

    Args:
        name: one of `names()`.
        args: what the metric's class takes.
        kwargs: what the metric's class takes by keyword.

    Returns:
        A metric, with nothing in it.

    Raises:
        KeyError: there is no such metric.

    Follows: mindspore.train.get_metric_fn (2.10).
    """
    if name not in _METRICS:
        raise KeyError(
            f"For 'get_metric_fn', unsupported metric {name}, please choose one of {', '.join(names())}."
            f"{did_you_mean(name, _METRICS)}"
        )
    return _METRICS[name](*args, **kwargs)


def get_metrics(metrics: Mapping[str, Metric] | Iterable[str] | None) -> dict[str, Metric]:
    """Return metrics by name, for what `Model(metrics=...)` takes.

    Args:
        metrics: None, a set of names, or a dict of metrics.

    Returns:
        name → metric; an empty dict for None.

    Raises:
        TypeError: it is something else.
        KeyError: there is no metric of that name.
    """
    if metrics is None:
        return {}
    if isinstance(metrics, set):
        return {name: get_metric_fn(name) for name in sorted(metrics, key=str)}
    if not isinstance(metrics, dict):
        raise TypeError(f"For 'get_metrics', the argument 'metrics' must be None, dict or set, but got {metrics}")
    for name, metric in metrics.items():
        if not isinstance(name, str) or not isinstance(metric, Metric):
            raise TypeError(
                "For 'get_metrics', if 'metrics' is dict, the key in 'metrics' must be string and value in 'metrics' "
                f"must be Metric, but got key:{type(name)}, value:{type(metric)}."
            )
    return dict(metrics)
