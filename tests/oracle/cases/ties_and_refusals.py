"""Gradients at the bounds of piecewise functions, factors that are Tensors, and the classes of what is refused."""

import mindspore as ms
import mindspore.dataset as ds
import mindspore.dataset.vision as vision
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops  # noqa: F401
from mindspore.common.initializer import Zero, initializer  # noqa: F401

from tests.oracle.case import Case, each

X = Tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
V = Tensor([1.0, -1.0, 2.0])
B = X.reshape(2, 1, 3)
SCORES, LABELS = Tensor([[0.2, 0.8], [0.6, 0.4], [0.1, 0.9]]), Tensor([1, 0], ms.int32)
WHOLE = Tensor([[1, 4, 2], [3, 0, 6]], ms.int32)
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


def names_around_a_call():
    net = Pair()
    before = [one.name for one in net.get_parameters()]
    net(Tensor([[1.0]]))
    return before, [one.name for one in net.get_parameters()]


class Pair(nn.Cell):
    def __init__(self):
        super().__init__()
        for number in range(2):
            self.insert_child_to_cell(f"m{number}", nn.Dense(1, 1))

    def construct(self, x):
        return self.m1(self.m0(x))


def resized(*size):
    image = (np.arange(72).reshape(4, 6, 3) * 3 % 256).astype(np.uint8)
    data = ds.NumpySlicesDataset({"image": np.stack([image, image[::-1]])}, shuffle=False)
    rows = data.map([vision.Resize(size), vision.HWC2CHW()], "image").batch(2)
    return [row["image"] for row in rows.create_dict_iterator(output_numpy=True)]


def conditions(*values):
    config = ms.train.CheckpointConfig(*values)
    return (
        config.save_checkpoint_steps,
        config.save_checkpoint_seconds,
        config.keep_checkpoint_max,
        config.keep_checkpoint_per_n_minutes,
    )


def history():
    net, kept = nn.Dense(2, 1, "ones", "zeros"), ms.train.History()
    values = np.arange(12, dtype=np.float32).reshape(6, 2) / 10
    data = ds.NumpySlicesDataset({"x": values, "y": values[:, :1] * 2}, shuffle=False).batch(2)
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01), metrics={"mse"})
    model.eval(data, callbacks=kept)
    evaluated = dict(kept.epoch), {name: len(values) for name, values in kept.history.items()}
    model.fit(2, data, data, callbacks=kept, dataset_sink_mode=False)
    return evaluated, dict(kept.epoch), {name: len(values) for name, values in sorted(kept.history.items())}


CASES = [
    *(
        Case(f"ms.grad(lambda a: {one}.sum())(Tensor({at})), {one.replace('(a', f'(Tensor({at})')}")
        for one, at in PIECES.items()
    ),
    *each(
        """
        mint.add(Tensor([1, 2], ms.int32), 2, alpha=Tensor(2)), mint.sub(Tensor([1, 2], ms.int32), 2, alpha=Tensor(2))
        mint.add(Tensor([1.0, 2]), 2, alpha=Tensor(2.5)), Tensor([1, 2], ms.int32).add(2, alpha=Tensor(2))
        [ops.norm(WHOLE, ord) for ord in (1, -1, 2, float('inf'), -float('inf'), 'fro', None)], WHOLE.norm(1)
        [ops.norm(WHOLE[0], ord) for ord in (0, 2, float('inf'))], ops.norm(WHOLE, float('inf'), 1)
        [initializer(name, 5).shape for name in ('xavier_uniform', 'he_normal', 'orthogonal', 'dirac', 'identity')]
        nn.NLLLoss()(X, Tensor([1], ms.int32)), nn.NLLLoss(weight=W3)(X, Tensor([1], ms.int32))
        nn.NLLLoss(reduction='sum')(X, Tensor([[1, 2]], ms.int32)), ops.nll_loss(X, Tensor([[1, 2]], ms.int32))
        nn.NLLLoss(reduction='none')(X, Tensor([[1, 2], [0, 1]], ms.int32))
        repr(Tensor([0.5 - 1j, 2 + 0j])), repr(Tensor([[1.5 + 2j, 3], [4j, 1]], ms.complex64))
        str(Tensor([1e10 + 1j, 2]))
        names_around_a_call(), history()
        resized(2, 3), resized(3, 5)
        [conditions(*values) for values in ((), (0,), (5, 10), (0, 10), (0, 0, 5, 3), (2, 0, 0, 3), (None, 3))]
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
        initializer('xavier_uniform', 5).init_data()
        Parameter(initializer('xavier_uniform', 5))
        nn.PoissonNLLLoss()(X, X[:, :2])
        ops.poisson_nll_loss(X, X[:, :2])
        """,
        may_raise=True,
    ),
]
