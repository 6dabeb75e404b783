"""vjp, jvp, Jacobians, Taylor series: kinds of inputs and outputs, auxiliary values, positions, and what is refused."""

from typing import Any

import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.oracle.case import each

x = Tensor([1.0, 2.0, 3.0])
y = Tensor([4.0, 5.0, 6.0])
s = Tensor(3.0)
i = Tensor([1, 2, 3])
m = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
ones = Tensor([1.0, 1.0, 1.0])
v2 = Tensor([1.0, 0.0, 2.0])


class Dense(nn.Cell):
    def __init__(self, n: Any = 3) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.arange(n, dtype=np.float32) + 1), name="w")

    def construct(self, x: Any) -> Any:
        return x * self.w


def cubed(x: Any) -> Any:
    return x * x * x


def mixed(x: Any, y: Any) -> Any:
    return x * x * y


def defaulted(x: Any, y: Any = 2.0, *rest: Any, k: Any = 3.0) -> Any:
    out = x * x * y * k
    for r in rest:
        out = out * r
    return out


def varargs(*xs: Any) -> Any:
    out = xs[0]
    for x in xs[1:]:
        out = out * x
    return out


def sq(a: Any) -> Any:
    return a * a


def two(a: Any) -> Any:
    return a * a, a * 3


def dot(a: Any, c: Any) -> Any:
    return (a * c).sum()


def aux1(a: Any) -> Any:
    return a * a, a


def aux2(a: Any) -> Any:
    return a * a, a, a + 1


def aux_t(a: Any, c: Any) -> Any:
    return a * c, (a, [c])


def f2(a: Any, c: Any) -> Any:
    return a * c, a + c


def lst(a: Any) -> Any:
    return [a * a, a]


def dct(a: Any) -> Any:
    return {"k": a * a}


def nest(a: Any) -> Any:
    return a * a, (a, a * 2)


def scal(a: Any) -> Any:
    return a.sum()


def con(a: Any) -> Any:
    return a * 0 + 1, 3


def mat(a: Any) -> Any:
    return ops.matmul(a, a.T)


class Sq(nn.Cell):
    def construct(self, a: Any) -> Any:
        return a * a


class Mix(nn.Cell):
    def construct(self, a: Any, c: Any) -> Any:
        return a * a * c


CASES = [
    *each(
        """
        ms.jvp(sq, x, ones)
        ms.jvp(sq, (x,), v2)
        ms.jvp(two, x, v2)
        ms.jvp(f2, (x, y), (ones, v2))
        ms.jvp(f2, [x, y], (ones, v2))
        ms.jvp(f2, (x, y), [ones, v2])
        ms.jvp(mat, m, m)
        ms.jvp(aux2, x, v2, has_aux=True)
        ms.jvp(sq, x, Tensor([1.0]))
        ms.jvp(sq, x, Tensor(1.0))
        ms.jvp(sq, i, i)
        ops.jvp(sq, x, v2)
        ms.ops.functional.jvp(sq, x, v2)
        ms.jvp(ops.sin, x, v2)
        ms.jvp(nn.ReLU(), x, v2)
        ms.jvp(ms.grad(cubed), x, v2)
        ms.jvp(ms.jit(sq), x, v2)
        ms.vjp(sq, x)[0]
        ms.vjp(two, x)[1](ones, v2)
        ms.vjp(two, x)[1]((ones, v2))
        ms.vjp(two, x)[1]([ones, v2])
        ms.vjp(f2, x, y)[1](ones, v2)
        ms.vjp(f2, x, y)[0]
        ms.vjp(dot, x, y)[1](Tensor(1.0))
        ms.vjp(dot, x, y)[1](Tensor([1.0]))
        ms.vjp(mixed, x, y)[1](v2)
        ms.vjp(Sq(), x)[1](v2)
        ms.vjp(Mix(), x, y)[1](v2)
        ms.vjp(lst, x)[1](ones, v2)
        ms.vjp(lst, x)[0]
        ms.vjp(nest, x)[1](ones, (v2, v2))
        ms.vjp(aux1, x, has_aux=True)[2]
        ms.vjp(aux1, x, has_aux=True)[1](v2)
        ms.vjp(aux2, x, has_aux=True)[2]
        ms.vjp(aux_t, x, y, has_aux=True)[2]
        ms.vjp(sq, i)[1](i)
        ms.vjp(sq, x.astype(ms.float16))[1](ones.astype(ms.float16))
        ops.vjp(sq, x)[1](v2)
        ms.vjp(ops.sin, x)[1](v2)
        ms.vjp(ms.jit(sq), x)[1](v2)
        ms.vjp(varargs, x, y, ones)[1](v2)
        ms.vjp(defaulted, x)[1](v2)
        ms.jacrev(sq)(x)
        ms.jacfwd(sq)(x)
        ms.jacrev(two)(x)
        ms.jacrev(f2)(x, y)
        ms.jacrev(f2, (0, 1))(x, y)
        ms.jacrev(f2, (1, 0))(x, y)
        ms.jacfwd(f2, (1,))(x, y)
        ms.jacrev(mixed, (0, 1))(x, y)
        ms.jacfwd(mixed, (0, 1))(x, y)
        ms.jacrev(mixed, (0,))(x, y)
        ms.jacfwd(mixed, (0,))(x, y)
        ms.jacfwd(mixed, (True, 0))(x, y)
        ms.jacrev(scal)(x)
        ms.jacfwd(scal)(x)
        ms.jacrev(mat)(m)
        ms.jacrev(sq)(s)
        ms.jacfwd(sq)(s)
        ms.jacrev(dot)(x, y)
        ms.jacfwd(dot)(x, y)
        ms.jacrev(aux1, has_aux=True)(x)
        ms.jacfwd(aux1, has_aux=True)(x)
        ms.jacrev(aux2, has_aux=True)(x)
        ms.jacfwd(aux2, has_aux=True)(x)
        ms.jacrev(aux_t, (0, 1), has_aux=True)(x, y)
        ms.jacfwd(aux_t, (0, 1), has_aux=True)(x, y)
        ms.jacrev(Mix(), (0, 1))(x, y)
        ms.jacfwd(Mix(), (0, 1))(x, y)
        ms.jacrev(ms.jacrev(cubed))(x)
        ms.jacfwd(ms.jacrev(cubed))(x)
        ms.jacrev(ms.jacfwd(cubed))(x)
        ms.jacfwd(ms.grad(cubed))(x)
        ms.jacrev(ms.grad(cubed))(x)
        ms.jacrev(ms.grad(dot, (0, 1)), (0, 1))(x, y)
        ms.jacfwd(ms.grad(dot, (0, 1)), (0, 1))(x, y)
        ms.jacfwd(ops.exp)(x)
        ms.jacrev(nn.Dense(3, 2, weight_init="ones"))(m)
        ms.jacfwd(nn.Dense(3, 2, weight_init="ones"))(m)
        ops.jacrev(sq)(x)
        ops.jacfwd(sq)(x)
        ms.jacfwd(ops.softmax)(x)
        ms.jacrev(ops.softmax)(x)
        ms.vmap(ms.jacrev(sq))(m)
        ms.vmap(ms.jacfwd(sq))(m)
        ms.vmap(ms.grad(sq))(m)
        ops.jet(ops.sin, x, ones)
    """,
    ),
    *each(
        """
        ms.jvp(f2, (x, y), (v2,))
        ms.jvp(sq, x, v2, has_aux=True)
        ms.jvp(lst, x, v2, has_aux=True)
        ms.jvp(sq, x, v2, True)
        ms.jvp(sq, x, m)
        ms.vjp(lst, x, has_aux=True)
        ms.vjp(sq, x)[1](m)
        ms.jacrev(mixed, -1)(x, y)
        ms.jacfwd(mixed, -1)(x, y)
        ms.jacfwd(mixed, 2)(x, y)
        ms.jacrev(mixed, (0, 0))(x, y)
        ms.jacfwd(mixed, (0, 0))(x, y)
        ms.jacrev(sq, has_aux=True)(x)
        ms.jacfwd(sq, has_aux=True)(x)
        ops.jet(ops.Sin(), x, Tensor([1.0, 2.0]))
        ops.jet(ops.Mul(), (x, y), (ones, v2))
        ops.jet(ops.Mul(), (x, y), (Tensor([[1.0, 1, 1]]),))
        ops.derivative(ops.Sin(), x, 0)
    """,
        raises=ValueError,
    ),
    *each(
        """
        ms.jvp(f2, x, v2)
        ms.jvp(dct, x, v2)
        ms.jvp(nest, x, v2)
        ms.jvp(con, x, v2)
        ms.jvp(sq, 3.0, v2)
        ms.jvp(sq, x, 3.0)
        ms.jvp(sq, "a", v2)
        ms.jvp(sq, np.ones(3), v2)
        ms.jvp(sq, (x, x), (v2, v2))
        ms.jvp(sq, (), ())
        ms.vjp(dot, x, y)[1](2.0)
        ms.vjp(sq, x, has_aux=1)
        ms.vjp(sq, x, has_aux=None)
        ms.vjp(sq, x, y)
        ms.vjp(sq, 3.0)
        ms.vjp(sq, (x,))
        ms.vjp(sq, x)[1](Tensor([1, 2, 3]))
        ms.vjp(sq, x)[1](3.0)
        ms.vjp(None, x)
        ms.jacrev(mixed, None)(x, y)
        ms.jacfwd(mixed, None)(x, y)
        ms.jacrev(mixed, 1.0)(x, y)
        ms.jacfwd(mixed, "a")(x, y)
        ms.jacrev(mixed, (0, 1.0))(x, y)
        ms.jacrev(lst)(x)
        ms.jacrev(dct)(x)
        ms.jacfwd(dct)(x)
        ms.jacrev(nest)(x)
        ms.jacfwd(nest)(x)
        ms.jacrev(sq, has_aux=1)(x)
        ms.jacfwd(sq, has_aux=1)(x)
        ms.jacrev(sq)(3.0)
        ms.jacfwd(sq)(3.0)
        ms.jacrev(con)(x)
        ops.jet(ops.Sin(), x, i)
        ops.jet(ops.Sin(), x, v2.astype(ms.float16))
        ops.jet(ops.Sin(), x, (ones,))
        ops.jet(ops.Sin(), [x], [ones])
        ops.jet(ops.Sin(), 3.0, 1.0)
        ops.derivative(ops.Sin(), x, 1.0)
        ops.derivative(ops.Sin(), x, "1")
        ops.derivative(ops.Sin(), [x], 1)
    """,
        raises=TypeError,
    ),
    *each(
        """
        ms.vjp(sq, x)[1]()
        ms.vjp(sq, x)[1](v2, v2)
    """,
        raises=RuntimeError,
    ),
]
