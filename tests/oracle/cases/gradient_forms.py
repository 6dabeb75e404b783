"""Every way to write a gradient: positions, weights, switches, kinds of inputs and outputs, and dtypes."""

import collections
from typing import Any

from mindspore import Parameter, Tensor, nn

from tests.oracle.case import each

x = Tensor([1.0, 2.0, 3.0])
y = Tensor([4.0, 5.0, 6.0])
s = Tensor(3.0)
i = Tensor([1, 2, 3])
b = Tensor([True, False, True])
Point = collections.namedtuple("Point", "a b")


class Product(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([1.0]), name="w")
        self.b = Parameter(Tensor([2.0]), name="b")

    def construct(self, x: Any, y: Any) -> Any:
        return x * x * y + self.w * x * y + self.b * x


def cubed(x: Any) -> Any:
    return x * x * x


def mixed(x: Any, y: Any) -> Any:
    return x * x * y


def pair(x: Any, y: Any) -> Any:
    return x * y, x + y


def three(x: Any, y: Any) -> Any:
    return x * y, x + y, x - 1


def dicts(d: Any) -> Any:
    return d["a"] * d["b"] * d["b"]


def lists(items: Any) -> Any:
    return items[0] * items[1] * items[1]


def nested(t: Any) -> Any:
    return t[0] * t[1][0] * t[1][1]


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


def keywords(x: Any, **kw: Any) -> Any:
    return x * x * kw["a"]


CASES = [
    *each(
        """
        ms.grad(mixed)(x, y)
        ms.grad(mixed, 1)(x, y)
        ms.grad(mixed, (1,))(x, y)
        ms.grad(mixed, True)(x, y)
        ms.grad(mixed, None, ())(x, y)
        ms.grad(mixed, None, [])(x, y)
        ms.grad(mixed, (0, 1), ms.ParameterTuple([]))(x, y)
        ms.grad(lambda x: (x * x, {"k": x}), has_aux=True)(x)
        ms.value_and_grad(lambda x: (x * x, x), has_aux=True)(x)
        ms.value_and_grad(lambda x: [x * x, x])(x)
        ms.value_and_grad(lambda x: {"a": x * x, "b": x})(x)
        ms.value_and_grad(lambda x: (x * x, None))(x)
        ms.value_and_grad(lambda x: (x * x, "s"))(x)
        ms.grad(lambda x: "s")(x)
        ms.grad(lambda x: (3, 4))(x)
        ms.grad(lambda x: (x * x, 3))(x)
        ms.grad(lambda x: x > 1)(x)
        ms.grad(lambda x: x.astype(ms.int32) * x)(x)
        ms.grad(lambda x: x.shape)(x)
        ms.value_and_grad(lambda x: 3)(x)
        ms.value_and_grad(lambda x: None)(x)
        ms.grad(dicts)({"a": x, "b": y})
        ms.grad(lists)((x, y))
        ms.grad(nested)([x, [y, x]])
        ms.grad(nested)((x, [y, x]))
        ms.grad(lambda p: p.a * p.b)(Point(x, y))
        ms.grad(lambda p, q: p[0] * q, (0, 1))((x, y), y)
        ms.grad(lists)([x, 3.0])
        ms.grad(lists)((x, 3))
        ms.grad(lambda l: l[0] * 2)((x, "a"))
        ms.grad(lambda a: a * x)(ms.mutable(3.0))
        ms.grad(lambda a: a * x)(ms.mutable(3))
        ms.grad(lambda a: a * x)(3.0)
        ms.grad(lambda a: a * x)(True)
        ms.grad(lambda a: x * 2)(None)
        ms.grad(lambda a, c: c * a, 1)(2, x)
        ms.grad(lambda a, c: c * a, (0, 1))(2, x)
        ms.grad(lambda a, c: c * a, (0, 1))(2.0, x)
        ms.grad(lambda a, c: c * 2, (0, 1))(None, x)
        ms.grad(lambda a, c: c * 2, (0, 1))("s", x)
        ms.grad(lambda a: a * 2)(np.ones(3, np.float32))
        ms.grad(lambda a: (a * a).sum())(i)
        ms.grad(lambda a: a * a)(i)
        ms.grad(lambda a: a * 2.5)(i)
        ms.grad(lambda a: a * x)(i)
        ms.grad(lambda a: a.astype(ms.float32) * 2.5)(i)
        ms.grad(lambda a: a * a * a)(Tensor([1, 2], ms.int8))
        ms.grad(lambda a: a * a * a)(Tensor([1, 2], ms.int16))
        ms.grad(lambda a: a * a * a)(Tensor([1, 2], ms.uint8))
        ms.grad(lambda a: a + 1)(i)
        ms.grad(lambda a: a // 2)(i)
        ms.grad(lambda a: ops.gather(x, a - 1, 0))(i)
        ms.grad(lambda a: ops.one_hot(a, 4) * 2.0)(i)
        ms.grad(mixed, (0, 1))(x, i)
        ms.grad(mixed, (0, 1))(i, x)
        ms.grad(mixed, (0, 1))(i, i)
        ms.value_and_grad(mixed, (0, 1))(i, i)
        ms.grad(lambda a: ops.select(a, x, y))(b)
        ms.grad(lambda a: a * x)(b)
        ms.grad(lambda a: ops.logical_not(a))(b)
        ms.grad(lambda a: ops.cast(a, ms.float32) * 3)(b)
        ms.grad(cubed)(x.astype(ms.float16))
        ms.grad(cubed)(x.astype(ms.float64))
        ms.grad(lambda a: a.astype(ms.float64) * a)(x)
        ms.grad(lambda a: ops.abs(a))(Tensor([1 + 2j, 3 - 1j], ms.complex64))
        ms.grad(lambda a: ops.conj(a))(Tensor([1 + 2j, 3 - 1j], ms.complex64))
        ms.grad(lambda a: ops.exp(a))(Tensor([1 + 2j, 3 - 1j], ms.complex64))
        ms.grad(lambda a: a / (a + 1))(Tensor([1 + 2j, 3 - 1j], ms.complex64))
        ms.grad(lambda a: ops.sin(a))(Tensor([1 + 2j, 3 - 1j], ms.complex64))
        ms.grad(lambda a: ops.sqrt(a))(Tensor([1 + 2j, 3 - 1j], ms.complex64))
        ms.grad(lambda a: a + x[:2])(Tensor([1 + 2j, 3 - 1j], ms.complex64))
        ms.grad(defaulted)(x)
        ms.grad(defaulted)(x, y=y)
        ms.grad(defaulted)(x=x)
        ms.grad(defaulted)(x, k=5.0)
        ms.grad(defaulted)(x, k=y)
        ms.grad(varargs, (0, 1, 2))(x, y, x)
        ms.grad(keywords)(x, a=2.0)
        ms.grad(lambda: x * 2, None, Product().trainable_params())()
        ms.value_and_grad(Product(), (0, 1))(x, y)
        ms.grad(cubed, sens_param=True)(x, y)
        ms.grad(cubed, sens_param=True)(x, sens=y)
        ms.grad(lambda x: x.sum(), sens_param=True)(x, 2.0)
        ms.grad(mixed, return_ids=True)(x, y)
        ms.value_and_grad(mixed, (0, 1), return_ids=True)(x, y)
        ops.GradOperation()(mixed)(x, y)
        ops.GradOperation(get_all=True)(mixed)(x=x, y=y)
        ops.GradOperation(get_all=True)(lambda a, c: a * c)(x, 3)
        ops.GradOperation(get_all=True)(lambda a, c: a * 2)(x, None)
        ops.GradOperation(get_all=True)(lambda a, c: a * 2)(x, "s")
        ops.GradOperation(get_all=True)(lambda a, c: a * c)(x, i)
        ops.GradOperation(get_all=True)(lambda c, a: a * c)(2, x)
        ops.GradOperation()(lambda c, a: a * c)(2, x)
        ops.GradOperation()(lambda c: c[0] * c[1])((x, y))
        ops.GradOperation()(lambda c: c[0] * c[1])([x, y])
        ops.GradOperation()(cubed)(i)
        ops.GradOperation()(lambda: x)()
        ops.GradOperation(get_all=True)(cubed)(x)
        ops.GradOperation(get_all=True)(ops.GradOperation()(cubed))(x)
        ops.GradOperation(get_all=True)(ops.mul)(x, y)
        ops.GradOperation()(nn.ReLU())(x)
        ops.grad(ms.mint.mul, (0, 1))(x, y)
        ops.functional.grad(mixed, (0, 1))(x, y)
        ops.functional.value_and_grad(mixed, (0, 1))(x, y)
        ops.composite.GradOperation()(mixed)(x, y)
        ms.ops.get_grad.__name__
        ms.grad(ms.grad(mixed, 0), 1)(x, y)
        ms.grad(ms.grad(mixed, (0, 1)), (0, 1))(x, y)
        ms.grad(ms.value_and_grad(mixed))(x, y)
        ms.grad(lambda a: ops.stop_gradient(a) * a)(x)
        ms.grad(lambda a: ops.stop_gradient((a, a))[0] * a)(x)
        ms.grad(lambda a: ops.stop_gradient({"k": a})["k"] * a)(x)
        ms.grad(lambda a: ops.stop_gradient([a, 3])[0] * a)(x)
        ops.stop_gradient(3)
        ops.stop_gradient("a")
        ops.stop_gradient((x, 3, None))
        ops.stop_gradient([x, [y]])
        ops.stop_gradient({"k": x})
        ops.stop_gradient(np.ones(2))
        ms.grad(lambda a: a.sum() * a.max())(x)
        ms.jit(ms.grad(cubed))(x)
        ms.jit(ms.value_and_grad(mixed, (0, 1)))(x, y)
        ms.jit(ms.grad(ms.grad(cubed)))(x)
        ms.value_and_grad(ms.jit(three), has_aux=True)(x, y)
        ms.grad(ms.jit(Product()), (0, 1))(x, y)
        ms.grad(ms.jit(dicts))({"a": x, "b": y})
        ms.grad(ms.jit(lists))([x, y])
        ms.grad(ms.jit(lists))((x, y))
    """,
    ),
    *each(
        """
        ms.grad(mixed, ())(x, y)
        ms.grad(mixed, 2)(x, y)
        ms.grad(lambda x: ())(x)
        ms.grad(lambda x: [])(x)
        ms.grad(varargs, 3)(x, y, x)
        ms.grad(pair, (0, 1), sens_param=True)(x, y, x)
        ms.grad(pair, (0, 1), sens_param=True)(x, y, (x,))
        ms.grad(cubed, sens_param=True)(x, Tensor(2.0))
        ms.grad(cubed, sens_param=True)(x, 2)
        ms.grad(cubed, sens_param=True)(x, None)
        ms.grad(cubed, sens_param=True)(x, "s")
        ops.GradOperation(sens_param=True)(cubed)(x, Tensor(2.0))
        ops.GradOperation(sens_param=True)(cubed)(x, 2.0)
        ops.GradOperation(get_all=True, sens_param=True)(pair)(x, y, x)
    """,
        raises=RuntimeError,
    ),
    *each(
        """
        ms.grad(mixed, [0, 1])(x, y)
        ms.grad(mixed, "0")(x, y)
        ms.grad(mixed, (0, 1.0))(x, y)
        ms.grad(mixed, (0, None))(x, y)
        ms.grad(3)(x)
        ms.grad(mixed, 0, "abc")(x, y)
        ms.grad(mixed, 0, 3)(x, y)
        ms.grad(mixed, 0, {"a": 1})(x, y)
        ms.grad(mixed, return_ids="a")(x, y)
        ms.grad(mixed)(x)
        ms.grad(mixed)()
        ms.grad(cubed, sens_param=True)(x)
        ops.GradOperation(get_all=None)
        ops.GradOperation("a")
        ops.GradOperation(sens_param=0)
        ops.GradOperation()(None)(x)
    """,
        raises=TypeError,
    ),
    *each(
        """
        ms.grad(mixed, None)(x, y)
        ms.grad(mixed, has_aux=True)(x, y)
        ms.grad(lambda x: [x * x, x], has_aux=True)(x)
        ms.grad(lambda x: (x * x,), has_aux=True)(x)
        ms.grad(lambda x: {"a": x * x}, has_aux=True)(x)
        ms.grad(cubed, sens_param=True)(x, Tensor([2.0]))
        ms.grad(cubed, sens_param=True)(x, Tensor([2.0, 3.0]))
        ms.grad(mixed, -1, return_ids=True)(x, y)
    """,
        raises=ValueError,
    ),
    *each(
        """
        ms.grad(lambda a, c: ops.real(ops.complex(a, c) * ops.complex(c, a)), (0, 1))(x, y)
    """,
        raises=AttributeError,
    ),
    *each(
        """
        ms.grad(keywords)(x, b=2.0)
    """,
        raises=KeyError,
    ),
]
