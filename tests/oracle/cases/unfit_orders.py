"""Orders and shapes that do not fit: quantiles beyond one, transposes of more than two axes, losses of other dtypes."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, mint, ops  # noqa: F401  # the expressions name them

from tests.oracle.case import arange, each

x = Tensor(np.array([[0.2, 0.7, 0.1], [0.5, 0.3, 0.9]], np.float32))
b = Tensor(np.array([[0.1, 0.9, 0.4], [0.6, 0.2, 0.8]], np.float32))
b1, b2, b3, b24 = (Tensor(np.ones(shape, np.float32)) for shape in ((1, 3), (2,), (3,), (2, 4)))
h, d, c, s = x.astype(ms.float16), x.astype(ms.float64), x.astype(ms.complex64), Tensor(0.5)
bo, e, n = x > 0.4, Tensor(np.zeros((0, 3), np.float32)), np.ones((2, 3), np.float32)
i2, i23, i0 = Tensor([1, 2], ms.int32), Tensor([[1, 0, 1], [0, 1, 1]], ms.int32), Tensor(1, ms.int32)
i5, m1, y2 = Tensor([1, 5], ms.int32), Tensor([1, -1], ms.int32), Tensor([3, 0], ms.int32)
l1, l2, l5, ml1 = Tensor([1]), Tensor([1, 2]), Tensor([1, 5]), Tensor([1, -1])
x4, y4 = Tensor(np.ones((2, 3, 2, 2), np.float32)), Tensor(np.ones((2, 2, 2), np.int32))
A, W = Tensor(np.ones((1, 2, 4, 4), np.float32)), Tensor(np.ones((2, 2, 3, 3), np.float32))
A3, W3 = A[None], W[None]

CASES = [
    *each(
        """
        ops.t(x)
        mint.t(x)
        x.t()
        ops.t(x[0])
        ops.t(x[0, 0])
        """,
        x=arange(2, 3, 4),
    ),
    *each(
        """
        ops.quantile(x, 1.3)
        ops.quantile(x, -0.5)
        ops.nanquantile(x, 1.3)
        x.quantile(1.3)
        """,
        raises=ValueError,
        x=arange(5),
    ),
    *each(
        """
        nn.SoftMarginLoss(reduction=None)(x, b)
        nn.SoftMarginLoss(reduction=1)(x, b)
        nn.BCELoss()(x, i2)
        nn.BCELoss("a")(x, b1)
        nn.MultilabelMarginLoss()(x, b1)
        nn.MultilabelMarginLoss()(x, b24)
        nn.MultilabelMarginLoss()(x, b3)
        nn.MultilabelMarginLoss()(x, s)
        nn.MultilabelMarginLoss()(x, e)
        nn.MultilabelMarginLoss()(x, x4)
        nn.HingeEmbeddingLoss()(x, i2)
        nn.CrossEntropyLoss()(x, l1)
        nn.CrossEntropyLoss()(x, b1)
        nn.CrossEntropyLoss()(x, b24)
        nn.CrossEntropyLoss()(x, l5)
        nn.CrossEntropyLoss()(x, s)
        nn.CrossEntropyLoss()(x, e)
        nn.NLLLoss()(x, s)
        nn.NLLLoss()(x, bo)
        nn.NLLLoss()(x, c)
        nn.MultiMarginLoss()(x, b)
        nn.MultiMarginLoss()(x, b1)
        nn.MultiMarginLoss()(x, b24)
        nn.MultiMarginLoss()(x, i23)
        nn.MultiMarginLoss()(x, i5)
        nn.MultiMarginLoss()(x, m1)
        nn.SoftmaxCrossEntropyWithLogits()(b3, i2)
        nn.SoftmaxCrossEntropyWithLogits()(b3, l2)
        nn.SoftmaxCrossEntropyWithLogits()(i23, i2)
        nn.SoftmaxCrossEntropyWithLogits()(x4, i2)
        nn.SoftmaxCrossEntropyWithLogits()(x4, l2)
        nn.SoftmaxCrossEntropyWithLogits()(s, i2)
        nn.TripletMarginLoss()(x, b, m1)
        nn.TripletMarginLoss()(x, b, ml1)
        nn.TripletMarginLoss()(b1, b, ml1)
        nn.TripletMarginLoss()(b24, b, ml1)
        nn.TripletMarginLoss()(h, b, ml1)
        nn.TripletMarginLoss()(i23, b, ml1)
        nn.MarginRankingLoss()(x, b, m1)
        nn.MarginRankingLoss()(x, b, ml1)
        nn.MarginRankingLoss()(b1, b, ml1)
        nn.MarginRankingLoss()(b24, b, ml1)
        nn.MarginRankingLoss()(h, b, ml1)
        nn.MarginRankingLoss()(i23, b, ml1)
        nn.CosineEmbeddingLoss()(x, h, b)
        nn.CosineEmbeddingLoss()(x, i23, b)
        ops.multilabel_margin_loss(x, b1)
        ops.multilabel_margin_loss(x, b24)
        ops.multilabel_margin_loss(x, s)
        ops.multilabel_margin_loss(x, e)
        ops.cross_entropy(x, b24)
        ops.nll_loss(x, s)
        ops.multi_margin_loss(x, b1)
        ops.multi_margin_loss(x, b24)
        ops.multi_margin_loss(x, i5)
        ops.multi_margin_loss(x, m1)
        ops.multi_margin_loss(x, s)
        ops.multi_margin_loss(x, h)
        ops.margin_ranking_loss(x, b, m1)
        ops.margin_ranking_loss(x, b, ml1)
        ops.margin_ranking_loss(x, b1, ml1)
        ops.margin_ranking_loss(h, b, ml1)
        ops.triplet_margin_loss(x, b, m1)
        ops.triplet_margin_loss(x, b, ml1)
        ops.triplet_margin_loss(x, b1, ml1)
        ops.triplet_margin_loss(h, b, ml1)
        nn.BCELoss("mean")(x, b)
        nn.SmoothL1Loss(-1.0)(x, b1)
        nn.MultiMarginLoss()(h, l2)
        nn.PoissonNLLLoss()(x, d)
        nn.PoissonNLLLoss()(h, b)
        nn.PoissonNLLLoss()(h, h)
        nn.PoissonNLLLoss()(x, i23)
        nn.PoissonNLLLoss(True, True)(h, b)
        nn.MultiLabelSoftMarginLoss()(x, bo)
        nn.MultiLabelSoftMarginLoss()(x, i23)
        nn.MultiLabelSoftMarginLoss()(x, h)
        ops.conv3d(A3, W3)
        mint.nn.functional.conv2d(A, W[:, :1])
        mint.nn.Conv2d(3, 2, 3)(A)
        mint.nn.functional.conv2d(A, W, groups=2)
        mint.nn.functional.conv2d(A, W, stride=0)
        mint.nn.functional.conv2d(A, W, padding=-1)
        mint.nn.functional.conv2d(A, W, padding="a")
        mint.nn.functional.conv2d(A[:, :, :2, :2], W)
        """,
        may_raise=True,
    ),
]
