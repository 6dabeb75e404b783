"""What is deleted from containers keeps names; metrics give numpy's numbers; slices with a negative step."""

from collections import OrderedDict

import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import each


def x34():
    return Tensor(np.arange(12).reshape(3, 4).astype("f4"))


def x5():
    return Tensor(np.arange(5).astype("f4"))


def put(t, i, v):
    t[i] = v
    return t


def seq(*names):
    return nn.SequentialCell(OrderedDict((n, nn.Dense(2, 2)) for n in names))


def names(c):
    return [p.name for p in c.get_parameters()]


def deleted(c, i):
    del c[i]
    return (names(c), list(c._cells), [k for k, _ in c.parameters_and_names()])


def seqdo(c, f):
    f(c)
    return (names(c), list(c._cells))


def metric(m, *upd):
    m.clear()
    m.update(*upd)
    r = m.eval()
    return (isinstance(r, np.float64), r.dtype.name if isinstance(r, np.float64) else 0, r)


def metricm(m, *upd):
    m.clear()
    m.update(*upd)
    r = m.eval()
    return (isinstance(r, np.float64), np.asarray(r))


def fresh(m):
    return m.eval()


def fresh2(m):
    m.clear()
    return m.eval()


pr = Tensor(np.array([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]], "f4"))
lb = Tensor(np.array([1, 0, 1], "i4"))
lb2 = Tensor(np.array([[0.25, 0.4], [0.3, 0.2], [0.8, 0.5]], "f4"))
pr3 = Tensor(np.array([[0.2, 0.5, 0.1], [0.3, 0.1, 0.2], [0.9, 0.6, 0.7]], "f4"))


def step(c, f):
    f(c)
    return (names(c), list(c._cells))


def S(n):
    return nn.SequentialCell(*[nn.Dense(2, 2) for _ in range(n)])


def L(n):
    return nn.CellList([nn.Dense(2, 2) for _ in range(n)])


class Net(nn.Cell):
    def __init__(self, c):
        super().__init__()
        self.body = c


def innet(c, f):
    n = Net(c)
    n.parameters_dict()
    f(n.body)
    return (names(n), list(n.body._cells))


def d(*i):

    def f(c):
        for j in i:
            del c[j]

    return f


CASES = [
    *each(
        """
        deleted(seq("a", "b", "c"), 1)
        deleted(seq("a", "b", "c"), 0)
        deleted(seq("a", "b", "c"), -1)
        deleted(seq("a", "b", "c", "d"), slice(1, 3))
        deleted(nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2), nn.Dense(2, 2)), 1)
        deleted(nn.SequentialCell([nn.Dense(2, 2), nn.ReLU(), nn.Dense(2, 2)]), 1)
        deleted(nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2), nn.Dense(2, 2)]), 1)
        deleted(nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2), nn.Dense(2, 2)]), slice(0, 2))
        seqdo(seq("a", "b"), lambda c: c.append(nn.Dense(2, 2)))
        seqdo(seq("a", "b", "c"), lambda c: c.__setitem__(1, nn.Dense(2, 2)))
        names(seq("a", "b", "c")[1:])
        list(seq("a", "b", "c")[1:]._cells)
        list(seq("a", "b", "c")[::2]._cells)
        names(nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2), nn.Dense(2, 2))[1:])
        seqdo(nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2)]), lambda c: c.insert(0, nn.Dense(2, 2)))
        seqdo(nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2)]), lambda c: c.extend([nn.Dense(2, 2)]))
        metric(nn.Accuracy(), pr, lb)
        metric(nn.Accuracy("multilabel"), Tensor(np.array([[1, 0], [0, 1]])), Tensor(np.array([[1, 0], [1, 1]])))
        metric(nn.MAE(), pr, lb2)
        metric(nn.MSE(), pr, lb2)
        metric(nn.Loss(), Tensor(0.5))
        metricm(nn.Precision(), pr, lb)
        metricm(nn.F1(), pr, lb)
        metricm(nn.Fbeta(2), pr, lb)
        metric(nn.TopKCategoricalAccuracy(2), pr3, Tensor([0, 1, 2]))
        metric(nn.Top1CategoricalAccuracy(), pr3, Tensor([0, 1, 2]))
        metric(nn.Top5CategoricalAccuracy(), Tensor(np.random.rand(3, 6).astype("f4")), Tensor([0, 1, 2]))
        metric(nn.Perplexity(), Tensor(np.array([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]])), Tensor(np.array([0, 1, 1])))
        metricm(nn.ConfusionMatrix(2), Tensor(np.array([0, 1, 1])), Tensor(np.array([0, 1, 0])))
        type(nn.auc(np.array([0., .5, 1.]), np.array([0., .7, 1.]))).__name__
        fresh(nn.MeanSurfaceDistance())
        fresh(nn.RootMeanSquareDistance())
        fresh(nn.ConfusionMatrixMetric())
        fresh2(nn.ConfusionMatrixMetric())
        put(x34(), (slice(2, 0, -1), 0), Tensor([10., 20.]))
        put(x34(), (slice(2, 0, -1), 0), 7.0)
        put(x5(), slice(3, 0, -1), Tensor([10., 20., 30.]))
        put(x5(), slice(3, 0, -1), [10., 20., 30.])
        put(x5(), slice(3, 0, -1), (10., 20., 30.))
        put(x5(), slice(3, 0, -1), 5)
        put(x5(), slice(0, 3, -1), 5)
        put(x34(), (slice(2, 0, -1), Tensor([0, 1])), 3.0)
        put(x34().astype(ms.int32), (slice(2, 0, -1), 0), 7.5)
        x34()[:, 3:1:-1]
        x34()[::-1]
        x34()[2:0:-1, 0]
        x34()[::-1, ::-1]
        x34()[0, ::-1]
        x34()[..., ::-2]
        x34()[None, ::-1]
        x5()[3:0:-1]
        x5()[::-1]
        x5()[4:10:-1]
        x5()[-1:-4:-1]
        x34()[:, -1:0:-1]
        x34()[::-1, 0]
        x34()[1, 3:1:-1]
        deleted(S(3), 0)
        deleted(S(4), slice(0, 2))
        deleted(seq("x", "1", "y"), 0)
        innet(S(3), d(0))
        innet(seq("a", "b", "c"), d(1))
        innet(L(3), d(0))
        innet(S(3), lambda c: c.append(nn.Dense(2, 2)))
        innet(seq("a", "b"), lambda c: c.append(nn.Dense(2, 2)))
        innet(seq("a", "b"), lambda c: c.__setitem__(0, nn.Dense(2, 2)))
        step(seq("a", "b"), lambda c: c.extend([nn.Dense(2, 2)]) if hasattr(c, "extend") else 0)
        deleted(L(3), slice(None))
        deleted(S(3), slice(None, None, 2))
        """,
    ),
    *each(
        """
        seqdo(seq("a", "b"), lambda c: c.insert(1, nn.Dense(2, 2)))
        innet(S(2), lambda c: c.insert(0, nn.Dense(2, 2)))
        innet(seq("a", "b"), lambda c: c.insert(1, nn.Dense(2, 2)))
        """,
        raises=AttributeError,
    ),
    *each(
        """
        fresh(nn.Accuracy())
        fresh(nn.MAE())
        fresh(nn.MSE())
        fresh(nn.Loss())
        fresh(nn.Precision())
        fresh(nn.Recall())
        fresh(nn.F1())
        fresh(nn.Fbeta(1))
        fresh(nn.TopKCategoricalAccuracy(1))
        fresh(nn.Top1CategoricalAccuracy())
        fresh(nn.Dice())
        fresh(nn.CosineSimilarity())
        fresh(nn.Perplexity())
        fresh(nn.HausdorffDistance())
        fresh(nn.ConfusionMatrix(2))
        fresh(nn.BleuScore())
        fresh(nn.ROC())
        fresh(nn.OcclusionSensitivity())
        fresh2(nn.Accuracy())
        fresh2(nn.Precision())
        fresh2(nn.ConfusionMatrix(2))
        fresh2(nn.BleuScore())
        fresh2(nn.ROC())
        fresh2(nn.MeanSurfaceDistance())
        """,
        raises=RuntimeError,
    ),
    *each(
        """
        put(x5(), slice(3, 0, -1), Tensor([1., 2.]))
        """,
        raises=ValueError,
    ),
    *each(
        """
        deleted(seq("a", "b", "c"), 5)
        deleted(L(3), 5)
        """,
        raises=IndexError,
    ),
    *each(
        """
        deleted(seq("a", "b", "c"), "a")
        deleted(S(3), 1.0)
        """,
        raises=TypeError,
    ),
]
