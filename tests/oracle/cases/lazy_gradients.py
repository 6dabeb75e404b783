"""Gradients of gradients, and other results that torch leaves for later: they hold their numbers."""

import pathlib
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.oracle.case import each

x = Tensor([1.0, -2.0, 3.0])
m = Tensor([[1.0, -2.0], [3.0, 0.5]])
g = ms.grad


def gg(f):
    return lambda x: ms.grad(lambda x: ms.grad(f)(x).sum())(x)


def gv(f):
    return lambda x: ms.value_and_grad(lambda x: ms.grad(f)(x).sum())(x)


lab = Tensor([0.5, 0.5, 0.5])


def opt(f):
    p = Parameter(Tensor([1.0, -2.0, 3.0]), name="w")
    o = nn.Adam([p], 0.1)
    gr = ms.grad(lambda: ms.grad(lambda y: f(y * p))(x).sum(), None, (p,))()
    o((gr,) if isinstance(gr, Tensor) else gr)
    return p.value() + 0


def optm(f, mk):
    p = Parameter(Tensor([1.0, -2.0, 3.0]), name="w")
    o = mk([p])
    gr = gg(f)(x)
    o((gr,))
    o((gr,))
    return p.value() + 0


def set_after(f):
    r = gg(f)(x)
    r[0] = 5.0
    return r


def add_after(f):
    r = gg(f)(x)
    r += 5.0
    return r


def hooked(f):
    seen = []

    def h(gr):
        seen.append(gr.asnumpy().copy())

    def inner(y):
        z = y * 1
        z.register_hook(h)
        return ms.grad(f)(z).sum()

    out = ms.grad(inner)(x)
    return (out, len(seen))


def saved(t):
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "a.ckpt")
        ms.save_checkpoint([{"name": "a", "data": t}], path)
        return ms.load_checkpoint(path)["a"].asnumpy()


c = Tensor(np.array([1 + 2j, 3 - 1j], np.complex64))
rm = Tensor(np.arange(12).reshape(3, 4).astype("f4"))
_a = np.random.RandomState(0).randn(6, 3, 4)
lp = Tensor((_a - np.log(np.exp(_a).sum(2, keepdims=True))).astype("f4"))
tg = Tensor(np.array([[1, 2, 3], [1, 1, 2], [3, 0, 0]], np.int32))
il = Tensor(np.array([6, 5, 3], np.int32))
tl = Tensor(np.array([3, 2, 1], np.int32))

CASES = [
    *each(
        """
        gg(lambda y: ops.abs(y).sum())(x)
        gg(lambda y: ops.L1Loss()(y, lab) if hasattr(ops, "L1Loss") else nn.L1Loss()(y, lab))(x)
        gg(lambda y: nn.L1Loss()(y, lab))(x)
        gg(lambda y: nn.L1Loss(reduction='sum')(y, lab))(x)
        gg(lambda y: ops.norm(y, ord=1))(x)
        gg(lambda y: ops.l1_loss(y, lab))(x)
        gg(lambda y: ops.norm(y, float('inf')))(x)
        gg(lambda y: ops.relu(y).sum())(x)
        gg(lambda y: ops.leaky_relu(y).sum())(x)
        gg(lambda y: ops.hardtanh(y).sum())(x)
        gg(lambda y: ops.clamp(y, -1, 1).sum())(x)
        gg(lambda y: y.abs().sum())(x)
        gg(lambda y: ops.sign(y).sum())(x)
        gg(lambda y: ops.floor(y).sum())(x)
        gg(lambda y: ops.max(y)[0])(x)
        gg(lambda y: y.max())(x)
        gg(lambda y: ops.huber_loss(y, lab))(x)
        gg(lambda y: ops.cumsum(y, 0).sum())(x)
        gg(lambda y: ops.maximum(y, lab).sum())(x)
        gg(lambda y: (ops.abs(y) * y).sum())(x)
        gg(lambda y: ops.margin_ranking_loss(y, lab, ops.ones_like(lab)))(x)
        gg(lambda y: mint.abs(y).sum())(x)
        gg(lambda y: mnp.abs(y).sum())(x)
        gv(lambda y: ops.abs(y).sum())(x)
        str(gg(lambda y: ops.abs(y).sum())(x))
        repr(gg(lambda y: ops.abs(y).sum())(x))
        gg(lambda y: ops.abs(y).sum())(x).asnumpy() + 1
        gg(lambda y: ops.abs(y).sum())(x).tolist()
        opt(lambda y: ops.abs(y).sum())
        opt(lambda y: nn.L1Loss()(y, lab))
        optm(lambda y: ops.abs(y).sum(), lambda p: nn.SGD(p, 0.1))
        optm(lambda y: ops.abs(y).sum(), lambda p: nn.Momentum(p, 0.1, 0.9))
        optm(lambda y: ops.abs(y).sum(), lambda p: nn.Adam(p, 0.1))
        optm(lambda y: ops.abs(y).sum(), lambda p: nn.AdamWeightDecay(p, 0.1))
        optm(lambda y: ops.abs(y).sum(), lambda p: nn.RMSProp(p, 0.1))
        set_after(lambda y: ops.abs(y).sum())
        add_after(lambda y: ops.abs(y).sum())
        hooked(lambda y: ops.abs(y).sum())
        saved(gg(lambda y: ops.abs(y).sum())(x))
        gg(lambda y: ops.abs(y).sum())(x).copy()
        gg(lambda y: ops.abs(y).sum())(x).astype(ms.float16)
        ops.clip_by_global_norm([gg(lambda y: ops.abs(y).sum())(x)], 1.0)
        Parameter(gg(lambda y: ops.abs(y).sum())(x), name='p')
        gg(lambda y: ops.abs(y).sum())(x) == 0
        float(gg(lambda y: ops.abs(y).sum())(x)[0])
        ms.vjp(lambda y: ms.grad(lambda z: ops.abs(z).sum())(y), x)[1](ops.ones_like(x))
        ms.vjp(lambda y: ops.sign(y), x)[1](ops.ones_like(x))
        ms.grad(lambda y: ms.grad(lambda z: ms.grad(lambda w: (ops.abs(w) * w).sum())(z).sum())(y).sum())(x)
        ops.GradOperation()(lambda y: ops.GradOperation()(lambda z: ops.abs(z).sum())(y).sum())(x)
        ms.grad(lambda a, b: ms.grad(lambda z: (ops.abs(z) * b).sum())(a).sum(), (0, 1))(x, lab)
        ms.grad(lambda a: ops.sgn(a).sum())(x)
        ms.grad(lambda a: mint.sign(a).sum())(x)
        ops.ifft(x)
        ops.ifft(x).asnumpy().conj()
        ops.imag(ops.ifft(x)).tolist()
        saved(ops.imag(ops.ifft(x)))
        ms.grad(lambda a: ops.abs(ops.conj(a)).sum())(c)
        ms.grad(lambda a: ops.imag(ops.conj(a)).sum())(c)
        ms.grad(lambda a: ops.real(ops.ifft(a)).sum())(x)
        ms.grad(lambda a: ops.imag(ops.fft(a)).sum())(x)
        ms.grad(lambda a: ops.abs(ops.adjoint(a.reshape(2,1))).sum())(c)
        ms.grad(lambda a: ops.real(ops.matmul(a.reshape(1,2), ops.conj(a).reshape(2,1))).sum())(c)
        ms.grad(lambda a: ops.real(ops.exp(a)).sum())(c)
        ms.grad(lambda a: ops.imag(a).sum())(c)
        ops.ctc_loss(lp, tg, il, tl)
        ops.ctc_loss(lp, tg, il, tl, reduction='none')
        ops.ctc_loss(lp, tg, il, tl, reduction='sum')[1]
        ops.ctc_loss(lp, tg, Tensor([6, 6, 6], ms.int32), tl)[1]
        ops.ctc_loss(lp, tg, il, Tensor([1, 1, 1], ms.int32))[1]
        ops.ctc_loss(lp, tg, il, Tensor([0, 1, 2], ms.int32))[1]
        ops.ctc_loss(lp, tg, il, tl, blank=3, reduction='none')
        P.CTCLossV2()(lp, tg, il, tl)
        P.CTCLossV2(0, 'none', True)(lp, tg, il, tl)[1]
        ops.ctc_loss(lp.astype(ms.float64), tg.astype(ms.int64), il.astype(ms.int64), tl.astype(ms.int64))[1]
        mint.nn.functional.ctc_loss(lp, tg, il, tl) if hasattr(mint.nn.functional, 'ctc_loss') else 0
        """,
    ),
]
