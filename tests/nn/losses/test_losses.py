"""Losses as Cells. Judge: the real MindSpore 2.10 (numbers)."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn
from tests.tensors import arange, close, tensor

SCORES = tensor([[1, 2, 0.5], [0.1, -1, 3]])
ONE_HOT = tensor([[0, 1, 0], [1, 0, 0]])
CLASSES = tensor([1, 0], np.int32)
A, B = tensor([[1, 2], [3, 4]]), tensor([[1, 0], [0, 7.5]])
P, Y, W = tensor([[0.2, 0.9], [0.5, 1.0]]), tensor([[0, 1], [1, 1]]), tensor([[1, 2], [3, 4]])
ROWS = tensor([[0], [1]], np.int32)
SAMPLED = (Tensor([0, 3]), tensor([[0.5], [0.4]]), tensor([0.2, 0.3]))


NUMBERS = [
    (lambda: nn.SoftmaxCrossEntropyWithLogits(True)(SCORES, CLASSES), [0.46437, 2.97077]),
    (lambda: nn.SoftmaxCrossEntropyWithLogits(True, "mean")(SCORES, CLASSES), 1.71757),
    (lambda: nn.SoftmaxCrossEntropyWithLogits(is_grad=False, sparse=True)(SCORES, CLASSES), [0.46437, 2.97077]),
    (lambda: nn.SoftmaxCrossEntropyWithLogits()(SCORES, ONE_HOT), [0.46437, 2.97077]),
    (lambda: nn.SoftmaxCrossEntropyWithLogits(reduction="sum")(SCORES, ONE_HOT), 3.43514),
    (lambda: nn.SoftmaxCrossEntropyWithLogits(True)(SCORES, tensor([1, 5], np.int32)), [0.46437, 0]),
    (lambda: nn.SoftmaxCrossEntropyWithLogits(True, "sum")(SCORES, tensor([-1, 0], np.int64)), 2.97077),
    (lambda: nn.CrossEntropyLoss()(SCORES, CLASSES), 1.71757),
    (lambda: nn.NLLLoss()(nn.LogSoftmax()(SCORES), CLASSES), 1.71757),
    (lambda: nn.MSELoss()(A, B), 6.3125),
    (lambda: nn.RMSELoss()(A, B), 2.51247),
    (lambda: nn.MAELoss()(A, B), 2.125),
    (lambda: nn.L1Loss("none")(A, B), [[0, 2], [3, 3.5]]),
    (lambda: nn.SmoothL1Loss()(A, B), [[0, 1.5], [2.5, 3]]),
    (lambda: nn.HuberLoss()(A, B), 1.75),
    (lambda: nn.BCELoss()(P, Y), 0.25541),
    (lambda: nn.BCELoss(W, "sum")(P, Y), 2.51331),
    (lambda: nn.BCEWithLogitsLoss("sum", W, tensor([1, 2]))(P, Y), 6.09108),
    (lambda: nn.KLDivLoss()(nn.LogSoftmax()(SCORES), ONE_HOT), 0.57252),
    (lambda: nn.CosineEmbeddingLoss()(A, B, tensor([1, -1], np.int32)), 0.67639),
    (lambda: nn.MarginRankingLoss()(tensor([1, 2]), tensor([2, 1.5]), tensor([1, -1])), 0.75),
    (lambda: nn.HingeEmbeddingLoss()(tensor([1, 0.5]), tensor([1, -1])), 0.75),
    (lambda: nn.MultiMarginLoss()(SCORES, CLASSES), 0.65),
    (lambda: nn.MultiLabelSoftMarginLoss()(SCORES, ONE_HOT), 1.07009),
    (lambda: nn.GaussianNLLLoss()(A, B, A), 1.40507),
    (lambda: nn.PoissonNLLLoss()(A, B), 13.44777),
    (lambda: nn.PoissonNLLLoss(False, True)(A, B), 2.28524),
    (lambda: nn.TripletMarginWithDistanceLoss()(A, B, A + 1), 2.89067),
    (lambda: nn.TripletMarginLoss()(A, B, A + 1, Tensor(2.0)), 3.89067),
    (lambda: nn.DiceLoss(1.0)(P, Y), 0.21311),
    (lambda: nn.MultiClassDiceLoss()(P, Y), 0.24318),
    (lambda: nn.MultiClassDiceLoss(W)(P, Y), [0.33233, 0.57551]),
    (lambda: nn.MultiClassDiceLoss(None, 0, None)(P, Y), 0.00131),
    (lambda: nn.FocalLoss(reduction="none")(SCORES, ROWS), [0.86546, 3.93303]),
    (lambda: nn.FocalLoss(tensor([1, 2, 3]))(SCORES, ROWS), 4.36576),
    (lambda: nn.FocalLoss(tensor([1, 2, 3]))(SCORES, ONE_HOT), 0.46702),
    (lambda: nn.FocalLoss()(arange(2, 3, 4), tensor(np.ones((2, 1, 4)), np.int32)), 0.53824),
    (
        lambda: nn.SampledSoftmaxLoss(2, 5, 1, SAMPLED)(arange(5, 3), arange(5), Tensor([[1], [2]]), arange(2, 3)),
        [1.70557, 1.36332],
    ),
    (lambda: nn.LossBase().get_loss(A, 2.0), 5.0),
    (lambda: nn.LossBase("none").get_loss(A, W), [[1, 4], [9, 16]]),
]


@pytest.mark.parametrize(("call", "expected"), NUMBERS)
def test_value(call, expected) -> None:
    close(call(), expected)


def test_half_precision_of_get_loss() -> None:
    assert nn.LossBase().get_loss(A.astype(ms.float16)).dtype == ms.float16


def test_ctc() -> None:
    lengths = (tensor([4, 4], np.int32), tensor([2, 1], np.int32))
    scores = nn.LogSoftmax()(arange(4, 2, 3))
    close(nn.CTCLoss()(scores, tensor([[1, 2], [2, 1]], np.int32), *lengths), 1.46023)


def test_sampling_of_classes() -> None:
    losses = nn.SampledSoftmaxLoss(3, 5, seed=1)(arange(5, 3), arange(5), Tensor([[1], [2]]), arange(2, 3))
    assert losses.shape == (2,)


def test_own_loss() -> None:
    class Largest(nn.LossBase):
        def construct(self, base: Tensor, target: Tensor) -> Tensor:
            return self.get_loss((base - target).abs())

    close(Largest("sum")(A, B), 8.5)


def test_children_of_the_multi_class_loss() -> None:
    assert (
        repr(nn.MultiClassDiceLoss())
        == "MultiClassDiceLoss(\n  (binarydiceloss): DiceLoss()\n  (activation): Softmax()\n)"
    )


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: nn.LossBase("foo"), ValueError, "reduction"),
        (lambda: nn.SoftmaxCrossEntropyWithLogits(reduction=None), ValueError, "reduction"),
        (lambda: nn.SoftmaxCrossEntropyWithLogits(is_grad=True), ValueError, "is_grad"),
        (lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=1), TypeError, "sparse"),
        (
            lambda: nn.SoftmaxCrossEntropyWithLogits(True, "mean")(SCORES, tensor([1, 5], np.int32)),
            RuntimeError,
            "class",
        ),
        (lambda: nn.SoftmaxCrossEntropyWithLogits(True)(SCORES, tensor([1, 0])), TypeError, "labels"),
        (lambda: nn.SoftmaxCrossEntropyWithLogits()(SCORES, ONE_HOT.astype(ms.int32)), TypeError, "dtype"),
        (lambda: nn.SoftmaxCrossEntropyWithLogits(True)(arange(2, 3, 4), CLASSES), ValueError, "shape|axes"),
        (lambda: nn.SoftmaxCrossEntropyWithLogits(True)(SCORES, tensor([1, 0, 1], np.int32)), ValueError, "shape"),
        (lambda: nn.SoftmaxCrossEntropyWithLogits()(SCORES, SCORES[:, :1]), ValueError, "same shape"),
        (lambda: nn.CrossEntropyLoss()(SCORES, tensor([1, 0])), TypeError, "labels"),
        (lambda: nn.DiceLoss()(P, tensor([1, 0])), ValueError, "shape"),
        (lambda: nn.FocalLoss()(SCORES, CLASSES), ValueError, "labels"),
        (lambda: nn.FocalLoss([1, 2]), TypeError, "weight"),
        (lambda: nn.CosineEmbeddingLoss(2.0), ValueError, "margin"),
        (lambda: nn.TripletMarginWithDistanceLoss(margin=0.0), ValueError, "margin"),
        (lambda: nn.SampledSoftmaxLoss(6, 5), ValueError, "num_sampled"),
    ],
)
def test_bad_argument(call, error, says) -> None:
    with pytest.raises(error, match=says):
        call()
