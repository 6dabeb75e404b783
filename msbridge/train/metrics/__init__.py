"""Metrics: how good the outputs of an evaluation are."""

from msbridge.train.metrics.accuracy import Accuracy
from msbridge.train.metrics.bleu_score import BleuScore
from msbridge.train.metrics.confusion_matrix import ConfusionMatrix
from msbridge.train.metrics.cosine_similarity import CosineSimilarity
from msbridge.train.metrics.counts import F1, Fbeta, Precision, Recall
from msbridge.train.metrics.dice import Dice
from msbridge.train.metrics.error import MAE, MSE
from msbridge.train.metrics.loss import Loss
from msbridge.train.metrics.metric import Metric, rearrange_inputs
from msbridge.train.metrics.occlusion_sensitivity import OcclusionSensitivity
from msbridge.train.metrics.perplexity import Perplexity
from msbridge.train.metrics.rates import ConfusionMatrixMetric
from msbridge.train.metrics.registry import get_metric_fn, names
from msbridge.train.metrics.registry import get_metrics as get_metrics
from msbridge.train.metrics.roc import ROC, auc
from msbridge.train.metrics.surfaces import HausdorffDistance, MeanSurfaceDistance, RootMeanSquareDistance
from msbridge.train.metrics.topk import Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy

__all__ = [
    "F1",
    "MAE",
    "MSE",
    "ROC",
    "Accuracy",
    "BleuScore",
    "ConfusionMatrix",
    "ConfusionMatrixMetric",
    "CosineSimilarity",
    "Dice",
    "Fbeta",
    "HausdorffDistance",
    "Loss",
    "MeanSurfaceDistance",
    "Metric",
    "OcclusionSensitivity",
    "Perplexity",
    "Precision",
    "Recall",
    "RootMeanSquareDistance",
    "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy",
    "auc",
    "get_metric_fn",
    "names",
    "rearrange_inputs",
]
