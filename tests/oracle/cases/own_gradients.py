"""Functions and Cells with a backward pass of their own: what it may give, and what is made of it."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, _Function, nn, ops

from tests.oracle.case import Case, each, rand


class Product(_Function):
    @staticmethod
    def forward(ctx: _Function, x: Tensor, y: Tensor) -> Tensor:
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx: _Function, gradient: Tensor) -> tuple:
        x, y = ctx.saved_tensors
        return gradient * y, gradient * x


class Both(_Function):
    @staticmethod
    def forward(ctx: _Function, x: Tensor, y: Tensor) -> tuple:
        return x + y, x - y

    @staticmethod
    def backward(ctx: _Function, of_sum: Tensor, of_difference: Tensor) -> tuple:
        return of_sum + of_difference, of_sum - of_difference


class Multiplied(nn.Cell):
    def __init__(self, back: Callable) -> None:
        super().__init__()
        self.back = back

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return x * y

    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> object:
        return self.back(x, y, dout)


def grads(fn: Callable, *inputs: Tensor) -> object:
    return ms.grad(fn, tuple(range(len(inputs))))(*inputs)


def own(
    forward: Callable, backward: Callable = lambda first, *rest: first, pick: Callable = lambda out: out
) -> Callable:
    """Return how a function of one Tensor, with this backward pass, is differentiated, and what the pass was given."""
    seen = []

    class Own(_Function):
        @staticmethod
        def forward(ctx: _Function, x: Tensor) -> object:
            return forward(x)

        @staticmethod
        def backward(ctx: _Function, *gradients: Tensor) -> object:
            seen.append([one if one is None else (one.shape, one.dtype) for one in gradients])
            return backward(*gradients)

    return lambda x: (ms.grad(lambda value: pick(Own.apply(value)))(x), seen)


def first(out: tuple) -> Tensor:
    return out[0]


def hooked(hook: Callable, *inputs: Tensor) -> tuple:
    def fn(*values: Tensor) -> Tensor:
        product = 1
        for value in ops.HookBackward(hook)(*values):
            product = product * value
        return product

    return grads(fn, *inputs)


CASES = [
    *each(
        """
        grads(Product.apply, x, b)
        grads(Product.apply, b, x)
        grads(Product.apply, x, Tensor(2.0))
        grads(Product.apply, x.astype(ms.float16), b)
        grads(Product.apply, x, b.astype(ms.float16))
        grads(lambda p, q: Both.apply(p, q)[0], x, b)
        grads(lambda p, q: Both.apply(p, q)[1], x, b)
        grads(lambda p: ms.grad(lambda q: Product.apply(q, q).sum())(p).sum(), x)
        grads(Multiplied(lambda p, q, d: (d * q, d * p)), x, b)
        grads(Multiplied(lambda p, q, d: (d * q, d * p)), b, x)
        grads(Multiplied(lambda p, q, d: (d * q, d * p)), x, Tensor(2.0))
        grads(Multiplied(lambda p, q, d: (d * q, (d * p).astype(ms.float16))), x, x)
        own(lambda p: p * 2, lambda d: d[None])(x)
        own(lambda p: p * 2, lambda d: ops.tile(d, (3, 1, 1)))(x)
        own(lambda p: p * 2, lambda d: d.astype(ms.float64))(x)
        own(lambda p: p * 2, lambda d: d.astype(ms.int32))(x)
        own(lambda p: p.astype(ms.float16))(x)
        own(lambda p: (p * 2, 5), pick=first)(x)
        own(lambda p: (p * 2, None), pick=first)(x)
        own(lambda p: (p * 2, "a", p * 3), pick=first)(x)
        own(lambda p: (p * 2, (p * 3, p * 4)), pick=first)(x)
        own(lambda p: (p * 2, p > 1), pick=first)(x)
        hooked(lambda d: None, x, x)
        hooked(lambda d: tuple(one * 2 for one in d), x, x)
        hooked(lambda d: (d[0], d[1] * 0, d[2] * 5), x, x, x)
        ops.HookBackward(lambda d: None)(x, x), ops.HookBackward(lambda d: None)()
        """,
        x=rand(2, 3),
        b=rand(3),
    ),
    *each(
        """
        own(lambda p: p * 2, lambda d: d[0])(x)
        own(lambda p: p * 2, lambda d: d[:1])(x)
        own(lambda p: p * 2, lambda d: ops.ones((3, 2)))(x)
        own(lambda p: p * 2, lambda d: [d])(x)
        own(lambda p: p * 2, lambda d: d.asnumpy())(x)
        own(lambda p: p * 2, lambda d: ())(x)
        """,
        raises=RuntimeError,
        x=rand(2, 3),
    ),
    Case("ops.HookBackward(3)", raises=TypeError),
    Case("ops.HookBackward(lambda d: None)(x, 3)", raises=TypeError, x=rand(2)),
]
