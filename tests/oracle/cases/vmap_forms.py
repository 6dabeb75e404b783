"""vmap: axes of inputs and outputs, nesting, ensembles, gradients inside and outside, and what is refused."""

from typing import Any

import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.oracle.case import each

x = Tensor([1.0, 2.0, 3.0])
y = Tensor([4.0, 5.0, 6.0])
s = Tensor(3.0)
b = Tensor([True, False, True])
m = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
t = Tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
m2 = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2) - 2)


class Dense(nn.Cell):
    def __init__(self, n: Any = 3) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.arange(n, dtype=np.float32) + 1), name="w")

    def construct(self, x: Any) -> Any:
        return x * self.w


def cubed(x: Any) -> Any:
    return x * x * x


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


def add(a: Any, c: Any) -> Any:
    return a + c


def constant(a: Any) -> Any:
    return ops.eye(2)


def second(a: Any, c: Any) -> Any:
    return c * 2


def beside(a: Any) -> Any:
    return a, ops.eye(2)


def sq(a: Any) -> Any:
    return a * a


def two(a: Any) -> Any:
    return a * a, a + 1


def sm(a: Any) -> Any:
    return a.sum()


def dot(a: Any, c: Any) -> Any:
    return (a * c).sum()


def tup(p: Any) -> Any:
    return p[0] + p[1]


def tup2(p: Any, q: Any) -> Any:
    return p[0] * q + p[1]


def nst(p: Any, q: Any) -> Any:
    return p[0] * q[1][0] + p[1]


def dic(d: Any) -> Any:
    return d["a"] + d["b"]


def lstf(a: Any) -> Any:
    return [a * a, a]


def const(a: Any) -> Any:
    return m


def const2(a: Any) -> Any:
    return a, m


def num(a: Any) -> Any:
    return 3


def num2(a: Any) -> Any:
    return a, 3


def branch(a: Any) -> Any:
    if a.sum() > 5:
        return a
    return -a


def boolean(a: Any) -> Any:
    return a > 1


def argm(a: Any) -> Any:
    return a.argmax()


class Lin(nn.Cell):
    def __init__(self, k: Any = 1.0) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.full((3, 2), k, np.float32)), name="w")
        self.b = Parameter(Tensor(np.arange(2, dtype=np.float32)), name="b")

    def construct(self, a: Any) -> Any:
        return ops.matmul(a, self.w) + self.b


class Scaled(nn.Cell):
    def __init__(self, factor: Any = 1.0) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.full((2,), factor, np.float32)), name="w")

    def construct(self, a: Any, c: Any) -> Any:
        return a * self.w + c


def ensemble() -> nn.CellList:
    return nn.CellList([Scaled(1.0), Scaled(2.0)])


q = Tensor([[1.0, 2.0], [3.0, 4.0]])
r = Tensor([1.0, 2.0])


CASES = [
    *each(
        """
        ms.vmap(ensemble(), 0)(q, q)
        ms.vmap(ensemble(), 0, 1)(q, q)
        ms.vmap(ensemble(), 1)(q, q)
        ms.vmap(ensemble(), (0, None))(q, r)
        ms.vmap(ensemble(), (None, 0), 1)(r, q)
        ms.vmap(ensemble(), (1, 0))(q, q)
        ms.vmap(ensemble(), None)(r, r)
        ms.vmap(sq, 1)(m)
        ms.vmap(sq, -1)(m)
        ms.vmap(sq, 0, 1)(m)
        ms.vmap(sq, 0, -2)(m)
        ms.vmap(sq, 1, 1)(m)
        ms.vmap(sq, 1, 0)(m)
        ms.vmap(sq, (1,), (1,))(m)
        ms.vmap(sq, [1], [1])(m)
        ms.vmap(add)(m, m)
        ms.vmap(add, (0, None))(m, x)
        ms.vmap(add, (0, 1))(m, m2)
        ms.vmap(add, (1, 0))(m2, m)
        ms.vmap(add, [0, 1])(m, m2)
        ms.vmap(add, (-2, -1), -1)(m, m2)
        ms.vmap(two)(m)
        ms.vmap(two, 0, 1)(m)
        ms.vmap(two, 0, (0, 1))(m)
        ms.vmap(two, 0, [0, 1])(m)
        ms.vmap(two, 1, (1, 0))(m)
        ms.vmap(two, 1, (-1, 0))(m)
        ms.vmap(sm)(m)
        ms.vmap(sm, 0, -1)(m)
        ms.vmap(tup)((m, m))
        ms.vmap(tup, ((0, 0),))((m, m))
        ms.vmap(tup, ([0, None],))((m, x))
        ms.vmap(tup, ((0, 1),))((m, m2))
        ms.vmap(tup, ((0, 1),))([m, m2])
        ms.vmap(tup)([m, m])
        ms.vmap(tup2, (0, None))((m, m), x)
        ms.vmap(tup2, ((None, 0), None))((x, m), x)
        ms.vmap(nst, ((0, None), (None, (0, 0))))((m, x), (x, (m, m)))
        ms.vmap(lstf, 0, [0, 1])(m)
        ms.vmap(lstf, 0, (0, 1))(m)
        ms.vmap(const)(m)
        ms.vmap(const2)(m)
        ms.vmap(const2, 0, (0, 2))(m)
        ms.vmap(num)(m)
        ms.vmap(num2)(m)
        ms.vmap(num2, 0, (0, None))(m)
        ms.vmap(boolean)(m)
        ms.vmap(argm)(m)
        ms.vmap(sq)(Tensor([[1, 2], [3, 4]]))
        ms.vmap(sq)(m.astype(ms.float64))
        ms.vmap(ms.vmap(add, (0, None)), (None, 0))(x, y)
        ms.vmap(ms.vmap(sm))(t)
        ms.vmap(ms.vmap(sm, 1), 0)(t)
        ms.vmap(ms.vmap(sm, 0), 1)(t)
        ms.vmap(ms.vmap(sm, -1), -1)(t)
        ms.vmap(ms.grad(sm))(m)
        ms.vmap(ms.grad(cubed))(m)
        ms.vmap(ms.grad(cubed))(x)
        ms.vmap(ms.grad(dot, 1), (0, None))(m, x)
        ms.vmap(ms.value_and_grad(dot))(m, m)
        ms.vmap(ms.grad(ms.grad(cubed)))(x)
        ms.vmap(ops.GradOperation(get_all=True)(dot))(m, m)
        ms.vmap(ops.GradOperation(sens_param=True)(cubed))(m, m)
        ms.grad(ms.vmap(dot), (0, 1))(m, m)
        ms.grad(ms.vmap(ms.grad(cubed)))(x)
        ms.value_and_grad(ms.vmap(two))(m)
        ms.jvp(ms.vmap(sq), m, m)
        ms.vjp(ms.vmap(sq), m)[1](m)
        ms.vmap(ms.jit(sq))(m)
        ms.jit(ms.vmap(sq))(m)
        ms.jit(ms.vmap(dot, (0, None)))(m, x)
        ms.vmap(Lin())(m)
        ms.vmap(nn.ReLU())(m)
        ms.vmap(nn.Dense(3, 2, weight_init="ones", bias_init="ones"))(t[0].T)
        ms.vmap(nn.LayerNorm((3,)))(m)
        ms.vmap(ops.sin)(m)
        ms.vmap(ms.mint.add)(m, m)
        ops.vmap(sq)(m)
        ops.functional.vmap(sq)(m)
        ms.vmap(defaulted)(m)
        ms.vmap(defaulted, (0, None))(m, 3.0)
        ms.vmap(varargs)(m, m, m)
        ms.vmap(varargs, (0, None, 0))(m, x, m)
        ms.vmap(sq)(Tensor(np.zeros((0, 3), np.float32)))
        ms.vmap(constant, 0, 1)(m)
        ms.vmap(constant, 1, 2)(m)
        ms.vmap(constant, -1, -1)(m)
        ms.vmap(second, (0, None), 1)(m, m2)
        ms.vmap(second, (0, None), -1)(m, m2)
        ms.vmap(beside, 1, (1, 1))(m)
    """,
    ),
    *each(
        """
        ms.vmap(sq, 2)(m)
        ms.vmap(sq, -3)(m)
        ms.vmap(sq, 0, 2)(m)
        ms.vmap(sq, 0, None)(m)
        ms.vmap(sq, 0, (None,))(m)
        ms.vmap(sq, True)(m)
        ms.vmap(sq, ("0",))(m)
        ms.vmap(sq, {"a": 0})(m)
        ms.vmap(sq, ())(m)
        ms.vmap(sq, 0, ())(m)
        ms.vmap(add, (None, None))(m, m)
        ms.vmap(add)(m, x)
        ms.vmap(add)(m, m2)
        ms.vmap(add, (0, 1))(m, m)
        ms.vmap(add, (0,))(m, m)
        ms.vmap(add, (0, 0, 0))(m, m)
        ms.vmap(add, (0,))(m)
        ms.vmap(add, (0, 0, 0))(m, m, m)
        ms.vmap(add, "a")(m)
        ms.vmap(sq, (0, 0))(m, m)
        ms.vmap(add, (0, 0))(m, 3.0)
        ms.vmap(add, (0, 0))(m, s)
        ms.vmap(sq)(s)
        ms.vmap(sq)(3.0)
        ms.vmap(two, 0, (0,))(m)
        ms.vmap(two, 0, (0, None))(m)
        ms.vmap(two, 0, (0, 0, 0))(m)
        ms.vmap(sm, 0, 1)(m)
        ms.vmap(tup, ((None, None),))((m, m))
        ms.vmap(dic)({"a": m, "b": m})
        ms.vmap(const, 0, None)(m)
        ms.vmap(3)(m)
        ms.vmap(None)(m)
        ms.vmap("s")(m)
        ms.vmap(sq)(np.ones((2, 3), np.float32))
        ms.vmap(add, (0, 0))(m, c=m)
        ms.vmap(add)(a=m, c=m)
        ms.vmap(ensemble(), 0)(q, m2)
        ms.vmap(ensemble(), 2)(q, q)
    """,
        raises=RuntimeError,
    ),
    *each(
        """
        ms.vmap(sq)()
        ms.vmap(add, (0, 0))(m)
        ms.vmap(add, (0, 0))(m, m, m)
        ms.vmap(add, (0, None))(m)
        ms.vmap(add, 2)(m)
    """,
        raises=TypeError,
    ),
    *each(
        """
        ms.vmap(branch, 1)(m)
        ms.vmap(ensemble(), 0)(m2, m2)
        ms.vmap(ms.vmap(tup, ((0, None),)), ((0, 0),))((t, m))
    """,
        raises=ValueError,
    ),
]
