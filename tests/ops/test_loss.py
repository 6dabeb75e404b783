"""Functional losses and their primitives. Judge: the real MindSpore 2.10 (numbers), torch."""

import numpy as np
import pytest
from torch.nn import functional as F

import msbridge as ms
from msbridge import Tensor, ops


def tensor(values, dtype=np.float32) -> Tensor:
    return Tensor(np.array(values, dtype))


SCORES = tensor([[1, 2, 0.5], [0.1, -1, 3]])
ONE_HOT = tensor([[0, 1, 0], [1, 0, 0]])
CLASSES = tensor([1, 0], np.int32)
A, B = tensor([[1, 2], [3, 4]]), tensor([[1, 0], [0, 7.5]])
P, Y, W = tensor([[0.2, 0.9], [0.5, 1.0]]), tensor([[0, 1], [1, 1]]), tensor([[1, 2], [3, 4]])


def close(result: Tensor, expected) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-4, atol=2e-5)


NUMBERS = [
    (lambda: ops.mse_loss(A, B), 6.3125),
    (lambda: ops.mse_loss(A, B, "none"), [[0, 4], [9, 12.25]]),
    (lambda: ops.mse_loss(A, tensor([1, 0])), 6.0),
    (lambda: ops.mse_loss(A.astype(ms.int32), B.astype(ms.int32)), 5.5),
    (lambda: ops.l1_loss(A, B, "sum"), 8.5),
    (lambda: ops.smooth_l1_loss(A, B), [[0, 1.5], [2.5, 3]]),
    (lambda: ops.smooth_l1_loss(A, B, 2.0), [[0, 1], [2, 2.5]]),
    (lambda: ops.SmoothL1Loss()(A, B), [[0, 1.5], [2.5, 3]]),
    (lambda: ops.huber_loss(A, B), 1.75),
    (lambda: ops.huber_loss(A, B, "none", 2.0), [[0, 2], [4, 5]]),
    (lambda: ops.L2Loss()(A), 15.0),
    (lambda: ops.cross_entropy(SCORES, CLASSES), 1.71757),
    (lambda: ops.cross_entropy(SCORES, ONE_HOT), 1.71757),
    (lambda: ops.cross_entropy(SCORES, CLASSES, tensor([1, 2, 3]), label_smoothing=0.1), 1.38775),
    (lambda: ops.cross_entropy(SCORES, ONE_HOT, tensor([1, 2, 3]), label_smoothing=0.1), 2.08163),
    (lambda: ops.cross_entropy(SCORES, tensor([1, -100], np.int32)), 0.46437),
    (lambda: ops.nll_loss(ops.log_softmax(SCORES), CLASSES, tensor([1, 2, 3]), reduction="sum"), 3.8995),
    (lambda: ops.nll_loss(ops.log_softmax(SCORES), CLASSES, label_smoothing=0.1), 1.72924),
    (lambda: ops.NLLLoss()(ops.log_softmax(SCORES), CLASSES, tensor([1, 2, 3]))[1], 3.0),
    (lambda: ops.binary_cross_entropy(P, Y), 0.25541),
    (lambda: ops.binary_cross_entropy(P, Y, W, "none"), [[0.22314, 0.21072], [2.07944, 0]]),
    (lambda: ops.binary_cross_entropy(tensor([0.0]), tensor([1.0])), 27.63102),
    (lambda: ops.BinaryCrossEntropy()(P, Y, W), 0.62833),
    (lambda: ops.binary_cross_entropy_with_logits(P, Y), 0.48166),
    (
        lambda: ops.binary_cross_entropy_with_logits(P, Y, W, tensor([1, 2]), "none"),
        [[0.79814, 1.36462], [1.42223, 2.50609]],
    ),
    (lambda: ops.BCEWithLogitsLoss()(P, Y, W, W), 2.86041),
    (lambda: ops.SigmoidCrossEntropyWithLogits()(SCORES, ONE_HOT)[0], [1.31326, 0.12693, 0.97408]),
    (lambda: ops.kl_div(ops.log_softmax(SCORES), ONE_HOT), 0.57252),
    (lambda: ops.kl_div(ops.log_softmax(SCORES), ONE_HOT, "batchmean"), 1.71757),
    (lambda: ops.cosine_embedding_loss(A, B, tensor([1, -1], np.int32), 0.2, "none"), [0.55279, 0.6]),
    (lambda: ops.margin_ranking_loss(tensor([1, 2]), tensor([2, 1.5]), tensor([1, -1]), 0.5), 1.25),
    (lambda: ops.hinge_embedding_loss(tensor([1, 0.5]), tensor([1, -1]), 1.0, "none"), [1, 0.5]),
    (lambda: ops.multi_margin_loss(SCORES, CLASSES), 0.65),
    (lambda: ops.multilabel_soft_margin_loss(SCORES, ONE_HOT), 1.07009),
    (lambda: ops.gaussian_nll_loss(A, B, A), 1.40507),
    (lambda: ops.gaussian_nll_loss(A, B, A, True), 2.32401),
]


@pytest.mark.parametrize(("call", "expected"), NUMBERS)
def test_value(call, expected) -> None:
    close(call(), expected)


def test_softmax_cross_entropy_gives_its_gradient_too() -> None:
    losses, gradient = ops.SoftmaxCrossEntropyWithLogits()(SCORES, ONE_HOT)
    close(losses, [0.46437, 2.97077])
    close(gradient[0], [0.23122, -0.37147, 0.14024])


def test_sparse_softmax_cross_entropy() -> None:
    close(ops.SparseSoftmaxCrossEntropyWithLogits()(SCORES, CLASSES), 1.71757)
    close(ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(SCORES, CLASSES)[0], [0.11561, -0.18573, 0.07012])


@pytest.mark.parametrize(
    "loss",
    [
        lambda x, y: ops.kl_div(ops.log_softmax(x), y),
        lambda x, y: ops.SoftmaxCrossEntropyWithLogits()(x, y)[0].sum(),
        lambda x, y: ops.SigmoidCrossEntropyWithLogits()(x, y).sum(),
    ],
)
def test_labels_get_no_gradient(loss) -> None:
    gradients = ms.grad(loss, (0, 1))(SCORES, ONE_HOT)
    assert gradients[0].asnumpy().any()
    assert not gradients[1].asnumpy().any()


def test_triplet_margin_is_torchs() -> None:
    expected = F.triplet_margin_loss(A._data, B._data, A._data + 1).numpy()
    close(ops.triplet_margin_loss(A, B, A + 1), expected)
    close(ops.TripletMarginLoss()(A, B, A + 1, Tensor(1.0)), expected)


def test_soft_margin_is_torchs() -> None:
    target = tensor([[1, -1], [1, -1]])
    close(ops.soft_margin_loss(A, target), F.soft_margin_loss(A._data, target._data).numpy())


def test_multilabel_margin_primitive_marks_its_targets() -> None:
    loss, marks = ops.MultilabelMarginLoss()(SCORES, tensor([[1, -1, 0], [0, 2, -1]], np.int32))
    np.testing.assert_array_equal(marks.asnumpy(), [[0, 1, 0], [1, 0, 1]])
    assert loss.shape == ()


def ramp(*shape: int) -> Tensor:
    return Tensor((np.arange(np.prod(shape)).reshape(shape) / 10).astype(np.float32))


def test_ctc_loss() -> None:
    lengths = (tensor([4, 4], np.int32), tensor([2, 1], np.int32))
    loss, table = ops.ctc_loss(ops.log_softmax(ramp(4, 2, 3)), tensor([[1, 2], [2, 1]], np.int32), *lengths)
    close(loss, 1.46023)
    assert table.shape == (2, 4, 5)


def test_ctc_primitive() -> None:
    indices = tensor([[0, 0], [0, 1], [1, 0]], np.int64)
    losses, gradient = ops.CTCLoss()(ramp(4, 2, 3), indices, tensor([0, 1, 1], np.int32), tensor([4, 4], np.int32))
    close(losses, [1.71247, 1.90029])
    close(gradient[0, 0], [-0.3469, 0.33222, 0.01468])


def test_ctc_greedy_decoder() -> None:
    indices, values, shape, score = ops.ctc_greedy_decoder(ramp(4, 2, 3), tensor([4, 3], np.int32))
    assert (indices.shape, values.shape) == ((0, 2), (0,))
    np.testing.assert_array_equal(shape.asnumpy(), [2, 0])
    close(score, [[-4.4], [-3.3]])


def test_ctc_greedy_decoder_merges_neighbours() -> None:
    scores = np.zeros((4, 1, 3), np.float32)
    for step, best in enumerate([0, 0, 2, 0]):
        scores[step, 0, best] = 1
    _, values, _, _ = ops.ctc_greedy_decoder(Tensor(scores), tensor([4], np.int32))
    np.testing.assert_array_equal(values.asnumpy(), [0, 0])


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: ops.mse_loss(A, B, "foo"), ValueError, "reduction"),
        (lambda: ops.mse_loss(A, tensor([1, 2, 3])), ValueError, "broadcast"),
        (lambda: ops.smooth_l1_loss(A, tensor([1, 2])), ValueError, "equal"),
        (lambda: ops.huber_loss(A, B, delta=0.0), ValueError, "delta"),
        (lambda: ops.kl_div(A, B, "foo"), ValueError, "reduction"),
        (lambda: ops.binary_cross_entropy(P, tensor([1, 0, 1])), ValueError, "shape"),
        (lambda: ops.binary_cross_entropy(P, Y.astype(ms.float16)), TypeError, "dtype"),
        (lambda: ops.cross_entropy(SCORES, tensor([1, 5], np.int32)), RuntimeError, "class number"),
        (lambda: ops.cross_entropy(SCORES, tensor([1, 0, 1], np.int32)), ValueError, "shape"),
        (lambda: ops.cross_entropy(SCORES, tensor([1, 0])), TypeError, "labels"),
        (lambda: ops.cross_entropy(SCORES, CLASSES, reduction="foo"), ValueError, "reduction"),
        (lambda: ops.CTCLoss(True)(ramp(4, 2, 3), CLASSES, CLASSES, CLASSES), ValueError, "collapse"),
    ],
)
def test_bad_argument(call, error, says) -> None:
    with pytest.raises(error, match=says):
        call()
