"""Metrics of segmentations and of their surfaces, rates of decisions, and which parts of an image a class rests on."""

import numpy as np
from mindspore import Tensor, nn, train

from tests.oracle.case import Case, each

GRID = np.arange(64).reshape(8, 8)
TRUE = ((GRID // 8 - 3) ** 2 + (GRID % 8 - 3) ** 2 <= 6).astype(np.int32)
GUESS = ((GRID // 8 - 4) ** 2 + (GRID % 8 - 2) ** 2 <= 4).astype(np.int32)
FLAT = (GRID // 8 == 2).astype(np.int32)
SOLID = np.zeros((4, 5, 6), np.int32)
SOLID[1:3, 1:4, :4] = 2
HOLLOW = np.roll(SOLID, 1, 2)
PREDICTED = Tensor(np.array([[[1, 0, 1, 1], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 0, 1, 1]]], np.float32))
LABELS = Tensor(np.array([[[1, 1, 1, 0], [0, 0, 0, 1]], [[1, 1, 0, 0], [0, 0, 1, 1]]], np.float32))
RATES = [
    *("sensitivity", "recall", "hit rate", "true_positive_rate", "TPR", "specificity", "selectivity", "tnr"),
    *("precision", "ppv", "npv", "miss rate", "fnr", "fall_out", "fpr", "fdr", "false omission rate", "for", "pt"),
    *("prevalence_threshold", "threat_score", "csi", "accuracy", "acc", "balanced accuracy", "f1 score", "f1", "mcc"),
    *("matthews_correlation_coefficient", "fowlkes_mallows_index", "fm", "informedness", "bm", "markedness", "mk"),
]


def after(metric: train.Metric, *updates: tuple) -> object:
    """Update, evaluate."""
    for update in updates:
        metric.update(*update)
    return metric.eval()


class Scores(nn.Cell):
    """Scores that rest on different pixels."""

    def construct(self, x: Tensor) -> Tensor:
        rows = x.reshape(x.shape[0], -1)
        return rows @ Tensor(np.cos(np.arange(rows.shape[1] * 3)).reshape(-1, 3).astype(np.float32))


IMAGE = Tensor(np.sin(np.arange(16)).reshape(1, 1, 4, 4).astype(np.float32))
SURFACES = ("HausdorffDistance", "MeanSurfaceDistance", "RootMeanSquareDistance")
NORMS = ("euclidean", "chessboard", "taxicab")
CASES = [
    *[
        Case(f"float(after(train.{name}(distance_metric={norm!r}), {update}))")
        for name in SURFACES
        for norm in NORMS
        for update in ("(GUESS, TRUE, 1)", "(Tensor(TRUE), Tensor(GUESS), 0)", "(SOLID, HOLLOW, 2)", "(FLAT, TRUE, 1)")
    ],
    *[
        Case(f"float(after(train.{name}(symmetric=True), {update}))")
        for name in SURFACES[1:]
        for update in ("(GUESS, TRUE, 1)", "(SOLID, HOLLOW, 2)", "(FLAT, TRUE, 1)")
    ],
    *each(
        """
        float(after(train.HausdorffDistance(percentile=50.0), (GUESS, TRUE, 1)))
        float(after(train.HausdorffDistance(directed=True), (GUESS, TRUE, 1)))
        float(after(train.HausdorffDistance(directed=True), (TRUE, GUESS, 1)))
        float(after(train.HausdorffDistance(crop=False), (FLAT, TRUE, 1)))
        float(after(train.HausdorffDistance(), (FLAT, np.roll(FLAT, 3, 1), 1)))
        float(after(train.HausdorffDistance(), (FLAT[:4], np.roll(FLAT, 1, 1)[:4], 1), (GUESS, TRUE, 1)))
        float(after(train.HausdorffDistance(), (TRUE * 0, TRUE, 1)))
        float(after(train.MeanSurfaceDistance(), (TRUE * 0, TRUE, 1)))
        float(after(train.MeanSurfaceDistance(), (TRUE, TRUE * 0, 1)))
        float(after(train.MeanSurfaceDistance(True), (TRUE, TRUE * 0, 1)))
        float(after(train.RootMeanSquareDistance(), (TRUE, TRUE * 0, 1)))
        float(after(train.MeanSurfaceDistance(), (GUESS == 1, TRUE == 1, True)))
        float(after(train.HausdorffDistance().set_indexes([1, 0, 2]), (GUESS, TRUE, 1)))
        """
    ),
    *[Case(f"after(train.ConfusionMatrixMetric(metric_name={name!r}), (PREDICTED, LABELS))") for name in RATES],
    *[
        Case(f"after(train.ConfusionMatrixMetric(metric_name={name!r}, calculation_method=True), (PREDICTED, LABELS))")
        for name in ("tpr", "tnr", "precision", "npv", "pt", "ts", "acc", "ba", "f1", "mcc", "fm", "bm", "mk")
    ],
    *each(
        """
        after(train.ConfusionMatrixMetric(False), (PREDICTED, LABELS))
        after(train.ConfusionMatrixMetric(False, 'f1', True), (PREDICTED, LABELS), (LABELS, PREDICTED))
        after(train.ConfusionMatrixMetric(True, 'f1', True, 'sum'), (PREDICTED, LABELS))
        after(train.ConfusionMatrixMetric(True, 'f1', True, 'sum_batch'), (PREDICTED[:, :1], LABELS[:, :1]))
        after(train.ConfusionMatrixMetric(True, 'f1', True, 'mean_channel'), (PREDICTED[:1], LABELS[:1]))
        after(train.ConfusionMatrixMetric(), (PREDICTED, LABELS), (LABELS, LABELS))
        after(train.ConfusionMatrixMetric(), (PREDICTED[0], LABELS[0]))
        after(train.ConfusionMatrixMetric(metric_name='fpr'), (LABELS * 0, LABELS * 0 + 1))
        after(train.OcclusionSensitivity(), (Scores(), IMAGE, Tensor(1)))
        after(train.OcclusionSensitivity(margin=1, pad_val=0.5), (Scores(), IMAGE, Tensor(2)))
        after(train.OcclusionSensitivity(n_batch=3), (Scores(), IMAGE, np.array(0)))
        after(train.OcclusionSensitivity(b_box=[0, 0, 1, 2, -1, -1]), (Scores(), IMAGE, Tensor(0)))
        """,
        tolerance=1e-5,
    ),
    *each(
        """
        train.HausdorffDistance('manhattan')
        train.MeanSurfaceDistance(distance_metric='manhattan')
        after(train.HausdorffDistance(), (GUESS, TRUE))
        after(train.HausdorffDistance(), (GUESS, TRUE, '1'))
        after(train.HausdorffDistance(), (GUESS, TRUE, 7))
        after(train.MeanSurfaceDistance(), (GUESS, TRUE[1:], 1))
        after(train.HausdorffDistance(percentile=101.0), (GUESS, TRUE, 1))
        train.ConfusionMatrixMetric(decrease='median')
        after(train.ConfusionMatrixMetric(), (PREDICTED,))
        after(train.ConfusionMatrixMetric(), (PREDICTED, LABELS * 0.5))
        after(train.ConfusionMatrixMetric(), (PREDICTED[0, 0], LABELS[0, 0]))
        after(train.ConfusionMatrixMetric(), (PREDICTED, LABELS[:, :1]))
        after(train.ConfusionMatrixMetric(True, 'f1', True, 'none'), (PREDICTED, LABELS))
        after(train.OcclusionSensitivity(b_box=[0, 0]), (Scores(), IMAGE, Tensor([0])))
        after(train.OcclusionSensitivity(b_box=[0, 0, 1, 7, 0, 0]), (Scores(), IMAGE, Tensor([0])))
        after(train.OcclusionSensitivity(b_box=[0, 0, 2, 1, 0, 0]), (Scores(), IMAGE, Tensor([0])))
        after(train.OcclusionSensitivity(), (Scores(), IMAGE))
        """,
        raises=ValueError,
    ),
    *each(
        """
        train.HausdorffDistance(3)
        train.HausdorffDistance(percentile=50)
        train.HausdorffDistance(crop=1)
        train.MeanSurfaceDistance(1)
        train.RootMeanSquareDistance('yes')
        after(train.RootMeanSquareDistance(), (GUESS, TRUE, '1'))
        after(train.HausdorffDistance(), ('GUESS', TRUE, 1))
        train.ConfusionMatrixMetric(1)
        train.ConfusionMatrixMetric(metric_name=['f1'])
        train.OcclusionSensitivity(pad_val=1)
        train.OcclusionSensitivity(margin=1.5)
        train.OcclusionSensitivity(b_box=(0, 1))
        after(train.OcclusionSensitivity(), (print, IMAGE, Tensor([0])))
        """,
        raises=TypeError,
    ),
    *each(
        """
        after(train.HausdorffDistance())
        after(train.OcclusionSensitivity())
        after(train.ConfusionMatrixMetric(calculation_method=True))
        after(train.OcclusionSensitivity(), (Scores(), np.zeros((2, 1, 4, 4), np.float32), Tensor([0, 1])))
        after(train.OcclusionSensitivity(), (Scores(), IMAGE, Tensor([0, 1])))
        """,
        raises=RuntimeError,
    ),
    Case("after(train.ConfusionMatrixMetric(metric_name='luck'), (PREDICTED, LABELS))", raises=NotImplementedError),
]
