"""Losses as Cells: reductions, weights, edge labels, gradients, and what they refuse."""

import mindspore as ms  # noqa: F401
from mindspore import Tensor, nn, ops  # noqa: F401

from tests.oracle.case import Case, each, ints, rand, values, words

PAIRS = words("MSELoss L1Loss SmoothL1Loss HuberLoss")
REDUCTIONS = ["mean", "sum", "none"]


class Squared(nn.LossBase):
    """A user's own loss."""

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return self.get_loss((logits - labels) ** 2)


class Weighted(nn.LossBase):
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return self.get_loss(logits - labels, weights=2.0)


CASES = [
    Case("nn.CrossEntropyLoss(ignore_index=1)(x, y)", x=rand(3, 4), y=rand(3, 4, low=0), grad=True),
    *each(
        """
        nn.CTCLoss(reduction='none')(x, y, n, k)
        nn.CTCLoss()(x, y, n, k)
        ops.ctc_loss(x.expand_dims(1), y.expand_dims(0), n, k - 1)
        """,
        x=rand(5, 3),
        y=values(1, 2, dtype="int32"),
        n=values(5, dtype="int32"),
        k=values(2, dtype="int32"),
    ),
    *(
        Case(expression, x=rand(3, 4), y=ints(3, 4, low=0, high=3, dtype="float32"), grad=True)
        for expression in (
            "nn.SoftmaxCrossEntropyWithLogits()(x, y)",
            "nn.SoftmaxCrossEntropyWithLogits(reduction='mean')(x, y)",
            "ops.SoftmaxCrossEntropyWithLogits()(x, y)",
        )
    ),
    *[Case(f"nn.{name}()(x, y)", x=rand(3, 4), y=rand(3, 4), grad=True) for name in PAIRS],
    *[
        Case(f"nn.{name}(reduction='{r}')(x, y)", x=rand(3, 4), y=rand(3, 4), grad=True)
        for name in PAIRS
        for r in REDUCTIONS
    ],
    *each(
        """
        nn.SmoothL1Loss(beta=0.5)(x, y)
        nn.HuberLoss(delta=0.5)(x, y)
        nn.RMSELoss()(x, y)
        nn.MAELoss()(x, y)
        nn.MAELoss(reduction='none')(x, y)
        nn.MSELoss()(x, y[:, :1])
        nn.L1Loss()(x, y[:1])
        nn.KLDivLoss()(nn.LogSoftmax()(x), nn.Softmax()(y))
        nn.KLDivLoss(reduction='sum')(nn.LogSoftmax()(x), nn.Softmax()(y))
        nn.BCELoss()(nn.Sigmoid()(x), nn.Sigmoid()(y))
        nn.BCELoss(reduction='none')(nn.Sigmoid()(x), nn.Sigmoid()(y))
        nn.BCELoss(reduction='sum')(nn.Sigmoid()(x), nn.Sigmoid()(y))
        nn.BCELoss(weight=Tensor(np.linspace(0, 1, 12).reshape(3, 4), ms.float32))(nn.Sigmoid()(x), nn.Sigmoid()(y))
        nn.BCEWithLogitsLoss()(x, nn.Sigmoid()(y))
        nn.BCEWithLogitsLoss(reduction='none')(x, nn.Sigmoid()(y))
        nn.BCEWithLogitsLoss(reduction='sum')(x, nn.Sigmoid()(y))
        nn.BCEWithLogitsLoss(weight=Tensor([1.0, 2.0, 3.0, 4.0]), pos_weight=Tensor([2.0] * 4))(x, nn.Sigmoid()(y))
        nn.SoftmaxCrossEntropyWithLogits()(x, nn.Softmax()(y))
        nn.SoftmaxCrossEntropyWithLogits(reduction='mean')(x, nn.Softmax()(y))
        nn.SoftmaxCrossEntropyWithLogits(reduction='sum')(x, nn.Softmax()(y))
        nn.CrossEntropyLoss()(x, nn.Softmax()(y))
        nn.CosineEmbeddingLoss(margin=0.1)(x, y, Tensor([1, -1, 1]))
        nn.MarginRankingLoss(margin=0.2)(x, y, Tensor(np.ones((3, 4)), ms.float32))
        nn.PoissonNLLLoss()(x, y * y)
        nn.HingeEmbeddingLoss()(x, Tensor(np.sign(np.arange(12) - 5.5).reshape(3, 4), ms.float32))
        nn.MultiLabelSoftMarginLoss()(x, nn.Sigmoid()(y))
        nn.GaussianNLLLoss()(x, y, y * y + 0.1)
        Squared()(x, y)
        Squared('sum')(x, y)
        Squared(reduction='none')(x, y)
        Weighted()(x, y)
        nn.WithLossCell(nn.ReLU(), nn.MSELoss())(x, y)
    """,
        x=rand(3, 4),
        y=rand(3, 4),
        grad=True,
    ),
    *[
        Case(
            f"nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='{r}')(x, t)",
            x=rand(5, 4),
            t=ints(5, low=0, high=4),
            grad=True,
        )
        for r in REDUCTIONS
    ],
    *[
        Case(f"nn.CrossEntropyLoss(reduction='{r}')(x, t)", x=rand(5, 4), t=ints(5, low=0, high=4), grad=True)
        for r in REDUCTIONS
    ],
    *each(
        """
        nn.SoftmaxCrossEntropyWithLogits(sparse=True)(x, t)
        nn.SoftmaxCrossEntropyWithLogits(True)(x, t.astype(ms.int64))
        nn.CrossEntropyLoss(weight=Tensor([1.0, 2.0, 0.5, 0.0]))(x, t)
        nn.CrossEntropyLoss(weight=Tensor([1.0, 2.0, 0.5, 0.0]), reduction='none')(x, t)
        nn.CrossEntropyLoss(ignore_index=2)(x, t)
        nn.CrossEntropyLoss(label_smoothing=0.2)(x, t)
        nn.CrossEntropyLoss(label_smoothing=0.2, reduction='sum')(x, t)
        nn.NLLLoss()(nn.LogSoftmax()(x), t)
        nn.NLLLoss(weight=Tensor([1.0, 2.0, 0.5, 1.5]))(nn.LogSoftmax()(x), t)
        nn.NLLLoss(reduction='none')(nn.LogSoftmax()(x), t)
        nn.NLLLoss(ignore_index=0, reduction='sum')(nn.LogSoftmax()(x), t)
        nn.MultiMarginLoss()(x, t.astype(ms.int64))
    """,
        x=rand(5, 4),
        t=ints(5, low=0, high=4),
        grad=True,
    ),
    Case("nn.DiceLoss()(nn.Sigmoid()(x), nn.Sigmoid()(x + 1))", x=rand(3, 4), grad=True),
    Case("nn.FocalLoss()(x, t.reshape(5, 1))", x=rand(5, 4), t=ints(5, low=0, high=4), grad=True),
    # labels that are no class
    *each(
        """
        nn.SoftmaxCrossEntropyWithLogits(sparse=True)(x, Tensor([5, 1], ms.int32))
        nn.SoftmaxCrossEntropyWithLogits(sparse=True)(x, Tensor([-1, 1], ms.int32))
        nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='sum')(x, Tensor([-1, 1], ms.int32))
        nn.SoftmaxCrossEntropyWithLogits()(x, x * 0)
        nn.CrossEntropyLoss()(x, Tensor([-100, 1], ms.int32))
        nn.CrossEntropyLoss(reduction='none')(x, Tensor([-100, 1], ms.int32))
    """,
        x=rand(2, 3),
    ),
    *each(
        """
        nn.CrossEntropyLoss()(x, Tensor([[0, 1], [1, 0]], ms.int32))
        nn.CrossEntropyLoss(reduction='none')(x, Tensor([[0, 1], [1, 0]], ms.int32))
    """,
        x=rand(2, 3, 2),
        grad=True,
    ),
    Case("nn.MSELoss()(x, x)", x=rand(2)),
    Case("nn.MSELoss()(x, x * 2)", x=values(1e4, -1e4)),
    Case("nn.BCEWithLogitsLoss()(x, x * 0 + 1)", x=values(100.0, -100.0)),
    Case("nn.SoftmaxCrossEntropyWithLogits(True)(x, Tensor([0, 1], ms.int32))", x=values([1e4, 0.0], [0.0, -1e4])),
    *each(
        """
        nn.SoftmaxCrossEntropyWithLogits(reduction='foo')
        nn.SoftmaxCrossEntropyWithLogits(reduction=None)
        nn.MSELoss('foo')
        nn.L1Loss(reduction='foo')
        Squared('foo')
        nn.SoftmaxCrossEntropyWithLogits(sparse=True)(ops.ones((2, 3, 4)), Tensor([[0, 1]], ms.int32))
        nn.SoftmaxCrossEntropyWithLogits()(Tensor([[1.0, 2.0]]), Tensor([[1.0, 2.0, 3.0]]))
        nn.SoftmaxCrossEntropyWithLogits()(Tensor([[1.0, 2.0]]), Tensor([[1.0, 0.0], [0.0, 1.0]]))
        nn.MSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]))
        nn.CrossEntropyLoss()(Tensor(np.ones((2, 3)), ms.float32), Tensor([0, 1, 2], ms.int32))
    """,
        raises=ValueError,
    ),
    *each(
        """
        nn.SoftmaxCrossEntropyWithLogits(sparse=True)(Tensor([[1.0, 2.0]]), Tensor([0.0]))
        nn.SoftmaxCrossEntropyWithLogits()(Tensor([[1.0, 2.0]]), Tensor([[0, 1]]))
        nn.MSELoss()(Tensor([1.0]))
    """,
        raises=TypeError,
    ),
    Case(
        "nn.SampledSoftmaxLoss(2, 7, 1, (t, a, b))(w, s, y, x)",
        grad=True,
        w=rand(7, 4),
        s=rand(7),
        x=rand(3, 4),
        t=ints(2, low=0, high=7),
        y=ints(3, 1, low=0, high=7),
        a=rand(3, 1, low=0.1, high=1),
        b=rand(2, low=0.1, high=1),
    ),
    *each(
        """
        ops.log_uniform_candidate_sampler(Tensor([[0], [1], [5]], ms.int64), 1, 4, False, 7, 1)[1]
        ops.log_uniform_candidate_sampler(Tensor([[0], [1], [5]], ms.int64), 1, 3, False, 4, 1)[1]
        ops.uniform_candidate_sampler(Tensor([[0], [1], [3]]), 1, 4, False, 7, 1)[1:]
    """
    ),
]

CASES += each(
    "ops.kl_div(x, y), ops.kl_div(x, y, 'none')", x=values(float("inf"), 1.0, -float("inf")), y=values(0.0, 1.0, 0.0)
)
