"""Losses of class numbers below 0, metrics of booleans, empty blocks, names of windows, callbacks of `fit`."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import Case, each

scores = Tensor([[1.0, 2.0, 0.0], [3.0, 5.0, 1.0]])
last = Tensor([-1, 1], ms.int32)
ones = Tensor(np.ones((0, 4, 4, 4), "f4"))
hits = Tensor([[True, False], [False, True]])
pair = Tensor([1.0, 2.0])


def metric(one, *inputs):
    one.update(*inputs)
    return one.eval()


def scheduled(make, callback):
    """The weight, and how often the rate was asked for, after two epochs of `fit` that evaluate."""
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    optimizer = make(net.trainable_params())
    rows = {"x": np.ones((4, 2), "f4"), "y": np.zeros((4, 1), "f4")}
    data = ds.NumpySlicesDataset(rows, shuffle=False).batch(1)
    model = ms.Model(net, nn.MSELoss(), optimizer, metrics={"l": nn.Loss()})
    model.fit(2, data, data, callbacks=[callback], dataset_sink_mode=False)
    return net.weight.value(), optimizer.learning_rate.value()


class Named(ms.LearningRateScheduler):
    """A callback whose class is not MindSpore's own."""


def halved(rate, step):
    return rate * 0.5


def called():
    seen = []
    notes = {f"on_{when}": lambda _, when=when: seen.append(when) for when in ("train_epoch_end", "eval_end")}
    scheduled(lambda p: nn.SGD(p, 0.1), ms.LambdaCallback(**notes))
    return seen


def pulled(f, sens):
    return ms.vjp(f, pair)[1](sens)


CASES = [
    *each(
        """
        nn.CrossEntropyLoss()(scores, last)
        nn.CrossEntropyLoss(reduction='none')(scores, Tensor([-2, -3], ms.int32))
        nn.CrossEntropyLoss(ignore_index=-1, reduction='none')(scores, last)
        nn.CrossEntropyLoss(weight=Tensor([1.0, 3.0, 2.0]))(scores, last)
        nn.CrossEntropyLoss(weight=Tensor([1.0, 3.0, 2.0]), label_smoothing=0.2)(scores, last)
        nn.CrossEntropyLoss(label_smoothing=0.2, reduction='sum')(scores, last)
        nn.CrossEntropyLoss()(Tensor([1.0, 2.0, 0.0]), Tensor(-1, ms.int32))
        ms.grad(nn.CrossEntropyLoss())(scores, last)
        nn.NLLLoss()(scores, last)
        ops.nll_loss(scores, last, label_smoothing=0.1)
        nn.GaussianNLLLoss()(pair, Tensor([1.0, 1.0]), Tensor([-1.0, 1.0]))
        nn.GaussianNLLLoss(reduction='none', full=True)(pair, Tensor([1.0, 1.5]), Tensor([-1.0, 1.0]))
        nn.GaussianNLLLoss(reduction='none')(scores, scores + 1, Tensor([[2.0], [1.0]]))
        nn.GaussianNLLLoss(reduction='sum')(scores, scores + 1, Tensor([2.0, 1.0]))
        nn.GaussianNLLLoss(reduction='sum')(scores, scores[:1], Tensor([2.0, 1.0, 1.0]))
        ms.grad(lambda v: ops.gaussian_nll_loss(pair, Tensor([1.0, 1.0]), v))(Tensor([-1.0, 1.0]))
        metric(nn.F1(), hits, Tensor([0, 1]))
        metric(nn.F1(), hits, hits)
        metric(nn.Accuracy(), hits, Tensor([0, 1]))
        metric(nn.Precision(), hits, Tensor([0, 1]))
        metric(nn.Recall(), Tensor([[True, True], [False, True]]), Tensor([0, 1]))
        metric(nn.Fbeta(1.0), hits, Tensor([1, 1]))
        metric(nn.ConfusionMatrix(2), hits, Tensor([0, 1]))
        ms.grad(nn.PixelUnshuffle(2))(ones)
        ms.grad(nn.PixelUnshuffle(2))(ones.reshape(4, 0, 4, 4))
        ms.grad(nn.PixelShuffle(2))(ones)
        repr(nn.MaxPool1d(3, 2, 'pad', padding=1))
        repr(nn.AvgPool1d(3, 2, 'pad', padding=1))
        repr(nn.MaxPool1d(3, 2))
        nn.MaxPool1d(3, 2, 'pad', padding=1).kernel_size
        nn.AvgPool1d(3, 2, 'pad', padding=1).stride
        nn.CellList([nn.ReLU()]).set_grad()
        nn.SequentialCell([nn.ReLU()]).set_grad(False)
        type(nn.CellDict({'a': nn.ReLU()}).set_grad()).__name__
        scheduled(lambda p: nn.SGD(p, 0.1), ms.LearningRateScheduler(halved))
        scheduled(lambda p: nn.Momentum(p, 0.1, 0.9), ms.LearningRateScheduler(halved))
        scheduled(lambda p: nn.SGD(p, 0.1), Named(halved))
        called()
        pulled(lambda x: x.sum(), Tensor([1.0, 2.0]))
        pulled(lambda x: x[0], Tensor([[1.0, 2.0], [3.0, 4.0]]))
        pulled(lambda x: x.sum(), Tensor([1, 2]))
        ops.GradOperation(sens_param=True)(lambda x: x.sum())(pair, Tensor([1.0, 2.0]))
        """
    ),
    Case("nn.CrossEntropyLoss()(scores, Tensor([-4, 1], ms.int32))", raises=RuntimeError),
    Case("ops.NLLLoss()(scores, last, Tensor([1.0, 1.0, 1.0]))", raises=ValueError),
    Case("pulled(lambda x: x.sum(keepdims=True), Tensor([1.0, 2.0]))", raises=ValueError),
]
