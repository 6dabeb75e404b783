"""Answers of single operators: numpy's faces, infinities, integers, empty and 0-d Tensors, names of Parameters."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.common import dtype as mstype  # noqa: F401 - of the expressions
from mindspore.common.initializer import initializer  # noqa: F401 - of the expressions

from tests.oracle.case import each


def put(t, i, v):
    t[i] = v
    return t


x = Tensor([1.0, 2.0, 3.0])
i = Tensor([1, 2, 3], ms.int32)
e = Tensor(np.zeros((0, 4), "f4"))
e4 = Tensor(np.zeros((2, 0, 2, 2), "f4"))
ep = Tensor(np.zeros((0, 4, 2, 2), "f4"))


def pnames(o):
    return ([p.name for p in o.parameters], [p.name for p in o.moments] if hasattr(o, "moments") else 0)


im = Tensor(np.arange(16).reshape(1, 1, 4, 4), ms.int32)


def imd(d):
    return Tensor(np.arange(16).reshape(1, 1, 4, 4)).astype(d)


@ms.jit
def inn(t):
    return t in (5, 6)


@ms.jit
def notin(t):
    return t not in (5, 6)


@ms.jit
def inlist(t):
    if t in [1, 2, 5]:
        return t + 1
    return t


def P3():
    return [Parameter(Tensor([1.0])), Parameter(Tensor([2.0])), Parameter(Tensor([3.0]))]


def P2():
    return [Parameter(Tensor([1.0])), Parameter(Tensor([2.0]))]


class A(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.ParameterTuple(P2())


class B(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.ParameterTuple(P2())
        self.v = ms.ParameterTuple(P2())


class C(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = P2()


class D(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = P2()[0]
        self.v = ms.ParameterTuple([self.w, Parameter(Tensor([2.0]))])


class E(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = A()
        self.b = B()


def names(c):
    return ([p.name for p in c.get_parameters()], [p.name for p in c.trainable_params()])


def sh():
    p = P2()
    nn.Adam(p, 0.1)
    nn.SGD(p, 0.1)
    return [a.name for a in p]


CASES = [
    *each(
        """
        mnp.take(Tensor([1., 2., 3.]), Tensor(1))
        mnp.take(Tensor([[1., 2.], [3., 4.]]), Tensor(1), 0)
        mnp.take(Tensor([[1., 2.], [3., 4.]]), Tensor(1), axis=1)
        mnp.take(Tensor([[1., 2.], [3., 4.]]), Tensor([[0, 1], [3, 2]]))
        mnp.take(Tensor([1., 2., 3.]), Tensor(5))
        mnp.take(Tensor([1., 2., 3.]), Tensor(5), mode="wrap")
        mnp.take(Tensor([1., 2., 3.]), Tensor(-1))
        mnp.take(Tensor([[1., 2.], [3., 4.]]), Tensor([], ms.int32))
        mnp.take(Tensor(3.0), Tensor(0))
        mnp.piecewise(Tensor([1., 2.]), [Tensor([True, False])], [5.])
        mnp.piecewise(Tensor([1, 2]), [Tensor([True, True]), Tensor([True, True])], [5, 6])
        mnp.choose(Tensor([0, 1]), [Tensor([1, 2]), Tensor([3, 4])])
        P.Inv()(Tensor([1, 2], ms.int32))
        P.Inv()(Tensor([0.5, 2.]))
        P.Inv()(Tensor([1, 0, -3], ms.int32))
        P.Inv()(Tensor([1, 2], ms.int64))
        P.Reciprocal()(Tensor([1, 2], ms.int32))
        ops.reciprocal(Tensor([1, 2], ms.int32))
        ops.inv(Tensor([1, 2], ms.int32))
        ops.gelu(Tensor([float('inf'), -float('inf'), 1e30]), approximate='tanh')
        nn.GELU()(Tensor([float('inf'), -float('inf')]))
        P.GeLU()(Tensor([float('inf'), -float('inf')]))
        ops.silu(Tensor([float('inf'), -float('inf')]))
        ops.softplus(Tensor([float('inf'), -float('inf')]))
        ops.elu(Tensor([float('inf'), -float('inf')]))
        ops.selu(Tensor([float('inf'), -float('inf')]))
        ops.celu(Tensor([float('inf'), -float('inf')]))
        ops.tanhshrink(Tensor([float('inf'), -float('inf')])) if hasattr(ops, 'tanhshrink') else 0
        ops.softsign(Tensor([float('inf'), -float('inf')]))
        ops.logsigmoid(Tensor([float('inf'), -float('inf')]))
        ops.sigmoid(Tensor([float('inf'), -float('inf')]))
        repr(Tensor([True]))
        repr(Tensor([False]))
        repr(Tensor([True, True]))
        repr(Tensor([[True], [True]]))
        repr(Tensor(True))
        str(Tensor([True]))
        repr(Tensor([True, False]))
        repr(Tensor(np.array([[True, True]])))
        repr(Tensor(np.ones((2, 2, 2), bool)))
        ms.grad(lambda a: ops.norm(a.astype(ms.float32)))(Tensor([3, -4], ms.int32))
        ms.grad(lambda a: ops.norm(a, float('inf')))(Tensor([3, -4], ms.int32))
        ms.grad(lambda a: a.astype(ms.int32).sum())(Tensor([1.5, 2.5]))
        ms.grad(lambda a: (a.astype(ms.int32) * 2).sum())(Tensor([1.5, 2.5]))
        ms.grad(lambda a: (a.astype(ms.int32).astype(ms.float32) * 3).sum())(Tensor([1.5, 2.5]))
        ms.grad(lambda a: ops.cast(a, ms.int64).sum())(Tensor([1.5, 2.5]))
        ms.grad(lambda a: a.int().sum())(Tensor([1.5, 2.5]))
        ms.grad(lambda a: a.astype(ms.float32).sum())(Tensor([1, 2], ms.int32))
        ms.grad(lambda a: a.bool().sum())(Tensor([1.5, 2.5]))
        ms.grad(lambda a: ops.floor(a).astype(ms.int32).astype(ms.float32).sum())(Tensor([1.5, 2.5]))
        ms.grad(lambda a: (a * 2).sum())(Tensor([1, 2], ms.int32))
        ms.grad(lambda a: a.astype(ms.int8).sum())(Tensor([1, 2], ms.int32))
        ops.chunk(e, 2)
        ops.chunk(e, 2, 1)
        ops.chunk(e, 3)
        e.chunk(2)
        ops.chunk(Tensor([], ms.float32), 2)
        ops.split(e, 1)
        ops.split(e, 2, 1)
        ops.unbind(Tensor(np.zeros((0, 2), "f4")))
        ops.pixel_unshuffle(ep, 2)
        ops.pixel_shuffle(ep, 2)
        nn.PixelUnshuffle(2)(ep)
        nn.PixelShuffle(2)(ep)
        ops.argmin(Tensor(3.0))
        ops.argmax(Tensor(3.0))
        Tensor(3.0).argmin()
        Tensor(3.0).argmax()
        ops.argmin(Tensor(3.0), axis=0)
        ops.argmin(Tensor(3.0), axis=-1)
        ops.argmin(Tensor(3.0), None)
        ops.argmin(Tensor(3, ms.int32))
        ops.argmin(Tensor(3.0), 0, True)
        P.ArgMinWithValue()(Tensor(3.0))
        mnp.argmin(Tensor(3.0))
        ops.min(Tensor(3.0), 0)
        ops.max(Tensor(3.0), 0)
        pnames(nn.SGD([Parameter(Tensor([1.0])), Parameter(Tensor([2.0]))], 0.1))
        pnames(nn.Adam([Parameter(Tensor([1.0])), Parameter(Tensor([2.0]))], 0.1))
        pnames(nn.Momentum([Parameter(Tensor([1.0]))], 0.1, 0.9))
        pnames(nn.Adam(P3(), 0.1))
        pnames(nn.Adam([{"params": P3()[:2]}, {"params": P3()[:1], "lr": 0.1}], 0.1))
        pnames(nn.Adam([Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2.0]))], 0.1))
        pnames(nn.AdamWeightDecay(P3(), 0.1))
        pnames(nn.RMSProp(P3(), 0.1))
        pnames(nn.SGD((Parameter(Tensor([1.0])),), 0.1))
        notin(Tensor(7))
        inlist(Tensor(9))
        Tensor(5) in (5, 6)
        Tensor(7) in (5, 6)
        ops.max_pool2d(imd(ms.int32), 2)
        nn.MaxPool2d(2, 2)(imd(ms.float64))
        nn.MaxPool2d(2, 2)(imd(ms.float16))
        nn.AvgPool2d(2, 2)(imd(ms.float64))
        nn.AvgPool2d(2, 2)(imd(ms.float16))
        ops.max_pool3d(Tensor(np.arange(8).reshape(1, 1, 2, 2, 2), ms.int32), 2)
        ops.lp_pool2d(imd(ms.int32), 2., 2)
        nn.LPPool2d(2., 2)(imd(ms.int32))
        ops.max_pool2d(imd(ms.int64), 2)
        names(A())
        names(B())
        names(D())
        names(E())
        sh()
        [p.name for p in nn.Adam([Parameter(Tensor([1.0])), Parameter(Tensor([2.0]))], 0.1).moment1]
        [p.name for p in nn.RMSProp([Parameter(Tensor([1.0]))], 0.1).get_parameters()]
        ms.grad(lambda a: a.long().max())(Tensor([1.5, 2.5]))
        ms.grad(lambda a: a.astype(ms.uint8))(Tensor([1.5, 2.5]))
        ms.value_and_grad(lambda a: a.int().sum())(Tensor([1.5, 2.5]))
        ms.grad(lambda a: ops.cast(a * a, ms.int32))(Tensor([1.5, 2.5]))
        ms.grad(lambda a: (a.int(), a * 2))(Tensor([1.5, 2.5]))
        ms.grad(lambda a: a.half().sum())(Tensor([1.5, 2.5]))
        ms.grad(lambda a: a > 1)(Tensor([1.5, 2.5]))
        ms.grad(lambda a: ops.argmax(a))(Tensor([1.5, 2.5]))
        """,
    ),
    *each(
        """
        ops.avg_pool2d(imd(ms.int32), 2)
        nn.AdaptiveAvgPool2d(2)(imd(ms.int32))
        ops.adaptive_avg_pool2d(imd(ms.int32), 2)
        ops.adaptive_avg_pool1d(imd(ms.int32)[0], 2)
        ops.adaptive_max_pool1d(imd(ms.int32)[0], 2)
        """,
        raises=TypeError,
    ),
    # dtypes under the names of Python's numbers, and Tensors that an initializer is to fill
    *each(
        """
        str(ms.int), str(ms.float), ms.int == ms.int32, str(mstype.int), str(mstype.float), str(ms.int_), str(ms.float_)
        x.astype(ms.int), x.astype(ms.float)
        initializer('zeros', [2]).has_init, initializer('normal', [2]).has_init, initializer(1.5, [2]).has_init
        initializer(Tensor([1.0, 2.0]), [2]).has_init, Tensor([1.0]).has_init, Tensor([1.0]).init
        initializer('ones', [2]).init_data().has_init, Parameter(initializer('ones', [2])).has_init
        """
    ),
]
