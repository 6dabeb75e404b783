"""Backward passes that scripts write: `bprop` of Cells, `_Function`, hooks of Tensors and Cells."""

from collections.abc import Callable
from typing import Any

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common._grad_function import _Function

from tests.oracle.case import Case, each

x = Tensor([1.0, 2.0, 3.0])
y = Tensor([4.0, 5.0, 6.0])
i = Tensor([1, 2, 3])


class Own(nn.Cell):
    """x * y, with what `given` makes of dout for gradients."""

    def __init__(self, given: Callable[[Tensor], Any]) -> None:
        super().__init__()
        self.given = given

    def construct(self, a: Tensor, c: Any = 2.0) -> Tensor:
        return a * c

    def bprop(self, a: Tensor, c: Any, out: Tensor, dout: Tensor) -> Any:
        return self.given(dout)


class Weighted(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w")

    def construct(self, a: Tensor) -> Tensor:
        return a * self.w

    def bprop(self, a: Tensor, out: Tensor, dout: Tensor) -> Any:
        return (dout * 5,)


class Pair(nn.Cell):
    def construct(self, pair: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        return pair[0] * pair[1], pair[0] + pair[1]

    def bprop(self, pair: Any, out: Any, dout: Any) -> Any:
        return ((dout[0] * 10, dout[1] * 20),)


def checked(given: Callable[[Tensor], Any]) -> Any:
    """Gradients of a Cell whose bprop MindSpore compares with the inputs."""
    ms.set_context(check_bprop=True)
    try:
        return ms.grad(Own(given), (0, 1))(x, y)
    finally:
        ms.set_context(check_bprop=False)


class Multiply(_Function):
    @staticmethod
    def forward(ctx: Any, a: Any, c: Any) -> Any:
        ctx.save_for_backward(a, c)
        return a * c

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        a, c = ctx.saved_tensors
        return g * c * 2, g * a * 3


def function(given: Callable[..., Any], forward: Callable[..., Any] = lambda ctx, a: (a * 2, a * 3)) -> Any:
    """A class whose backward pass is `given`."""
    return type("Made", (_Function,), {"forward": staticmethod(forward), "backward": staticmethod(given)})


class SetUp(_Function):
    @staticmethod
    def forward(a: Any, k: int = 3) -> Any:
        return a * k

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.k = inputs[1]
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.k * ctx.saved_tensors[0], None


def asked(*inputs: Any) -> Any:
    """What a function's context says of the inputs of which the first is differentiated."""
    seen = []

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(ctx.needs_input_grad)
        return g, None

    gradient = ms.grad(lambda a: function(backward, lambda ctx, a, c: a * c).apply(a, *inputs[1:]))(inputs[0])
    return gradient, seen


def unused(materialize: bool) -> Any:
    """What the gradient of an output that is not used is."""
    seen = []

    def forward(ctx: Any, a: Any) -> Any:
        ctx.set_materialize_grads(materialize)
        return a * 2, a * 3

    def backward(ctx: Any, g: Any, h: Any) -> Any:
        seen.append(h is None)
        return g * 10

    return ms.grad(lambda a: function(backward, forward).apply(a)[0])(x), seen


def marked(ctx: Any, a: Any) -> Any:
    out = a > 1
    ctx.mark_non_differentiable(out)
    return a * 2, out


def hooked(*hooks: Any) -> Any:
    """The gradient of a * a * 3 with hooks on a * a."""

    def squared(a: Tensor) -> Tensor:
        c = a * a
        for hook in hooks:
            c.register_hook(hook)
        return c * 3

    return ms.grad(squared)(x)


def hooked_input() -> Any:
    z = x * 1
    z.register_hook(lambda g: g * 2)
    return ms.grad(lambda a: a * a)(z)


class Two(nn.Cell):
    def construct(self, a: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        return a * c, a + c


def hooked_cell(hook: Any) -> Any:
    cell = Two()
    cell.register_backward_hook(hook)
    return ms.grad(cell, (0, 1))(x, y)


def hook_backward(hook: Any) -> Any:
    primitive = ops.HookBackward(hook)
    return ms.grad(lambda a: primitive(a * a) * 3)(x)


CASES = [
    *each("""
        ms.grad(Own(lambda d: (d * 10, d * 100)), (0, 1))(x, y)
        ms.grad(Own(lambda d: (d * 10, d * 100)), (0, 1))(x, i)
        ms.grad(Own(lambda d: (d * 10, d * 100)))(x)
        ms.grad(lambda a: Own(lambda d: (d * 10, d * 100))(a, c=y))(x)
        ms.grad(Own(lambda d: [d, d * 2]), (0, 1))(x, y)
        ms.grad(Own(lambda d: (d, None)), (0, 1))(x, y)
        ms.grad(Own(lambda d: (d, d, d)), (0, 1))(x, y)
        ms.grad(Own(lambda d: (d.astype(ms.float16), d)), (0, 1))(x, y)
        ms.grad(Weighted())(x)
        (lambda net: ms.grad(net, None, net.trainable_params())(x))(Weighted())
        ms.grad(lambda a: Pair()((a, y)))(x)
        ms.jvp(Weighted(), x, y)
        ms.jacrev(Weighted())(x)
        checked(lambda d: (d, d * 2))
        Multiply.apply(x, y)
        ms.grad(Multiply.apply, (0, 1))(x, y)
        ms.grad(lambda a: Multiply.apply(a, a) * 2)(x)
        ms.value_and_grad(function(lambda ctx, g, h: g * 10 + h * 100).apply)(x)
        ms.grad(function(lambda ctx, g, h: None).apply)(x)
        ms.grad(function(lambda ctx, g: g.astype(ms.float16), lambda ctx, a: a * 2).apply)(x)
        ms.value_and_grad(function(lambda ctx, g: g * 10, lambda ctx, a: a).apply)(x)
        ms.value_and_grad(function(lambda ctx, g, h: g * 10, marked).apply)(x)
        function(None, lambda ctx, a: 3).apply(x)
        function(None, lambda ctx, a: [a, a * 2]).apply(x)
        ms.grad(SetUp.apply)(x)
        ms.grad(lambda a: SetUp.apply(a, k=5))(x)
        asked(x, Tensor([1.0, 2.0, 3.0]))
        asked(x, 2)
        unused(True)
        unused(False)
        hooked(lambda g: g * 2)
        hooked(lambda g: None)
        hooked(lambda g: g * 2, lambda g: g + 1)
        hooked_input()
        hooked_cell(lambda cell, gi, go: (gi[0] * 2, gi[1] * 3))
        hook_backward(lambda g: None)
        hook_backward(lambda g: g[0] * 2)
        Tensor(shape=[ms.Symbol(max=4), 3], dtype=ms.float32).symbolic_shape
        Tensor(shape=[None, 3], dtype=ms.float32).symbolic_shape
    """),
    *each(
        """
        ms.grad(Own(lambda d: (d,)), (0, 1))(x, y)
        ms.grad(Own(lambda d: (d, 3.0)), (0, 1))(x, y)
        ms.grad(Own(lambda d: (d.sum(), d)), (0, 1))(x, y)
        ms.grad(Own(lambda d: (ops.concat((d, d)), d)), (0, 1))(x, y)
        ms.grad(function(lambda ctx, g: g, lambda ctx, a, c: a * c).apply, (0, 1))(x, y)
        ms.grad(lambda a: Multiply.apply(a, 3.0))(x)
        hooked(lambda g: 3)
    """,
        raises=RuntimeError,
    ),
    *each(
        """
        ms.grad(Own(lambda d: (d.asnumpy(), d)), (0, 1))(x, y)
        checked(lambda d: (d, d, d))
        checked(lambda d: (d.astype(ms.float16), d))
        Multiply.apply(x)
        Multiply.apply(a=x, c=y)
        hooked_cell(lambda cell, gi, go: (gi[0] * 2,))
    """,
        raises=TypeError,
    ),
    Case("checked(lambda d: (d.sum(), d))", raises=ValueError),
    Case("_Function.apply(x)", raises=NotImplementedError),
]
