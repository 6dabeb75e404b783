"""Gradients at the bounds of piecewise functions, factors that are Tensors, and the classes of what is refused."""

import mindspore as ms
from mindspore import Tensor, mint, nn, ops  # noqa: F401
from mindspore.common.initializer import Zero, initializer  # noqa: F401

from tests.oracle.case import Case, each

X = Tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
V = Tensor([1.0, -1.0, 2.0])
B = X.reshape(2, 1, 3)
SCORES, LABELS = Tensor([[0.2, 0.8], [0.6, 0.4], [0.1, 0.9]]), Tensor([1, 0], ms.int32)
W3, W2 = Tensor([1.0, 1.0, 1.0]), Tensor([1.0, 1.0])
PIECES = {
    "ops.hardtanh(a)": [-1.0, 1.0, 0.0, 3.0],
    "ops.hardtanh(a, -2, 2)": [-2.0, 2.0, 0.0, 3.0],
    "nn.Hardtanh()(a)": [-1.0, 1.0, 0.0, -3.0],
    "ops.relu6(a)": [0.0, 6.0, 7.0, 3.0],
    "nn.ReLU6()(a)": [0.0, 6.0, -7.0, 3.0],
    "ops.hardswish(a)": [-3.0, 3.0, 0.0, 7.0],
    "nn.HSwish()(a)": [-3.0, 3.0, 1.0, -7.0],
    "ops.hardsigmoid(a)": [-3.0, 3.0, 0.0, 7.0],
    "ops.leaky_relu(a)": [0.0, -1.0, 1.0],
    "ops.leaky_relu(a, 1.5)": [0.0, -1.0, 1.0],
    "nn.LeakyReLU(0.1)(a)": [0.0, -1.0, 1.0],
    "ops.clamp(a, -1, 1)": [-1.0, 1.0, 0.0, 3.0],
    "ops.softshrink(a)": [0.5, -0.5, 1.0],
    "ops.threshold(a, 1.0, 0.0)": [0.5, 1.0, 2.0],
}


def counted(metric, *inputs):
    metric.update(*inputs)
    return metric.eval()


CASES = [
    *(
        Case(f"ms.grad(lambda a: {one}.sum())(Tensor({at})), {one.replace('(a', f'(Tensor({at})')}")
        for one, at in PIECES.items()
    ),
    *each(
        """
        mint.add(Tensor([1, 2], ms.int32), 2, alpha=Tensor(2)), mint.sub(Tensor([1, 2], ms.int32), 2, alpha=Tensor(2))
        mint.add(Tensor([1.0, 2]), 2, alpha=Tensor(2.5)), Tensor([1, 2], ms.int32).add(2, alpha=Tensor(2))
        """
    ),
    *each(
        """
        ops.norm(X, 'bad')
        ops.norm(X, 'bad', (0, 1))
        ops.norm(B, 'bad', (0, 2))
        ops.norm(V, 'bad')
        ops.norm(X, 'bad', 0)
        V.norm('bad')
        ops.matrix_norm(X, 'bad')
        nn.SoftShrink(-1)(X)
        ops.softshrink(X, -1)
        ops.SoftShrink(-1)(X)
        mint.nn.functional.softshrink(X, -1)
        ops.layer_norm(X, (2,), W3, W3)
        ops.layer_norm(X, (3,), W2, W2)
        ops.layer_norm(X, (3,), W3, W2)
        ops.layer_norm(X, (3,), None, W2)
        ms.value_and_grad(lambda a: a.sum(), has_aux=True)(X)
        ms.grad(lambda a: a.sum(), has_aux=True)(X)
        counted(nn.ConfusionMatrix(2), SCORES, LABELS)
        counted(nn.ConfusionMatrix(2), Tensor([1, 0, 1]), Tensor([1, 0]))
        counted(nn.Top1CategoricalAccuracy(), SCORES, LABELS)
        counted(nn.ROC(), SCORES, LABELS)
        mnp.eye(2, 3, 'a')
        mnp.arange(0, 5, 0)
        initializer('zeros', None)
        initializer(Zero())
        """,
        may_raise=True,
    ),
]
