"""Gradient functions: every way to ask for them, what comes back, and state that changes while they run."""

import contextlib

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops

from tests.oracle.case import Case, each, values

ONE = {"x": values(3.0), "y": values(4.0)}


class Product(nn.Cell):
    """x * x * y + w * x * y + b, with w = 1 and b = 2."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([1.0]), name="w")
        self.b = Parameter(Tensor([2.0]), name="b")

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return x * x * y + self.w * x * y + self.b * x


class Two(Product):
    def construct(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return self.w * x * y, x + self.b


class Gradient(nn.Cell):
    """A gradient function inside a Cell, as r1.x scripts write it."""

    def __init__(self, net: nn.Cell, **options: bool) -> None:
        super().__init__()
        self.net = net
        self.weights = ParameterTuple(net.trainable_params())
        self.grad_op = ops.GradOperation(**options)
        self.by_list = options.get("get_by_list", False)

    def construct(self, *inputs: Tensor) -> Tensor:
        if self.by_list:
            return self.grad_op(self.net, self.weights)(*inputs)
        return self.grad_op(self.net)(*inputs)


class Counter(nn.Cell):
    """Counts its calls in a Parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.count = Parameter(Tensor([0.0]), name="count", requires_grad=False)
        self.w = Parameter(Tensor([2.0]), name="w")

    def construct(self, x: Tensor) -> Tensor:
        self.count = self.count + 1
        return self.w * x * x


class Assigner(Counter):
    def construct(self, x: Tensor) -> Tensor:
        y = self.w * x
        ops.assign_add(self.count, y)
        return ops.depend(y * x, y)


class Custom(nn.Cell):
    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return x * y

    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor, Tensor]:
        return dout * 100, out * dout


class Hundred(nn.Cell):
    """A custom gradient on the way through a larger net."""

    def __init__(self) -> None:
        super().__init__()
        self.custom = Custom()
        self.w = Parameter(Tensor([2.0]), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return self.custom(x * 2, self.w) * 3


class TooFew(nn.Cell):
    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return x * y

    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
        return (dout,)


class Unused(nn.Cell):
    def __init__(self, learns: bool = True) -> None:
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w", requires_grad=learns)
        self.idle = Parameter(Tensor([[2.0, 3.0]]), name="idle")

    def construct(self, x: Tensor) -> Tensor:
        return x * self.w


def small(train: bool = True) -> nn.Cell:
    """A Dense and a BatchNorm with fixed weights."""
    net = nn.SequentialCell(nn.Dense(2, 2, weight_init="ones", bias_init=0.5), nn.BatchNorm1d(2))
    net.set_train(train)
    return net


def cubed(x: Tensor) -> Tensor:
    return x * x * x


def mixed(x: Tensor, y: Tensor) -> Tensor:
    return x * x * y


def pair(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return x * y, x + y


def auxiliary(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x * y, x + y, x - 1


def keyword(x: Tensor, factor: float = 2.0) -> Tensor:
    return x * x * factor


def scaled(x: Tensor, factor: float) -> Tensor:
    return x * factor


def branching(x: Tensor) -> Tensor:
    return x * 3 if x.sum() > 0 else x * -5


def looping(x: Tensor) -> Tensor:
    for _ in range(3):
        x = x * x
    return x


def writing(x: Tensor) -> Tensor:
    z = x * 1
    z[0] = 5 * x[1]
    return z * z


def added(x: Tensor) -> Tensor:
    x += 1
    x *= x
    return x


def through_numpy(x: Tensor) -> Tensor:
    return x * Tensor(x.asnumpy())


def detached(x: Tensor) -> Tensor:
    return x * ops.stop_gradient(x)


def nested(x: Tensor) -> Tensor:
    return ms.grad(cubed)(x) * x


def dictionary(x: Tensor) -> Tensor:
    parts = {"a": x * 2, "b": [x * 3]}
    return parts["a"] * parts["b"][0]


def raising(x: Tensor) -> Tensor:
    raise KeyError("stop")


def statistics_after(train: bool) -> tuple:
    """Gradients of a net with BatchNorm, and its statistics afterwards."""
    net = small(train)
    x = Tensor([[1.0, 2.0], [3.0, 5.0], [-1.0, 0.0]])

    def loss(x: Tensor) -> Tensor:
        return (net(x) * Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])).sum()

    value, grads = ms.value_and_grad(loss, None, net.trainable_params())(x)
    return value, grads, net[1].moving_mean.asnumpy(), net[1].moving_variance.asnumpy()


def count_after(cell: nn.Cell, **options: object) -> tuple:
    """A gradient of a Cell that changes its own Parameter: gradient, then the count."""
    gradient = ms.grad(cell, **options)(Tensor([3.0]))
    return gradient, cell.count.asnumpy()


def after_raising() -> tuple:
    """A gradient function that fails leaves the Parameters as they were."""
    net = Product()
    with contextlib.suppress(KeyError):
        ms.grad(raising)(Tensor([1.0]))
    return ms.grad(net, None, net.trainable_params())(Tensor([3.0]), Tensor([4.0]))


def trained(steps: int) -> tuple:
    """The functional training loop of the tutorials."""
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    loss_fn = nn.MSELoss()

    def forward(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        logits = net(x)
        return loss_fn(logits, y), logits

    step = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
    x, y = Tensor([[1.0, 2.0], [3.0, -1.0]]), Tensor([[1.0], [0.0]])
    losses = []
    for _ in range(steps):
        (loss, logits), grads = step(x, y)
        optimizer(grads)
        losses.append(loss)
    return losses, logits, [p.asnumpy() for p in net.trainable_params()]


def hooked() -> tuple:
    """What a backward hook of a Cell sees, and the gradient it leaves."""
    cell, seen = nn.ReLU(), []

    def double_gradient(cell: nn.Cell, grad_input: object, grad_output: object) -> tuple:
        seen.append((type(grad_input).__name__, type(grad_output).__name__))
        return (grad_input[0] * 2,) if isinstance(grad_input, tuple) else grad_input * 2

    cell.register_backward_hook(double_gradient)
    gradient = ms.grad(cell)(Tensor([1.0, -2.0, 3.0]))
    return gradient, len(seen)


def train_one_step(**options: object) -> tuple:
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    wrapped = nn.WithLossCell(net, nn.MSELoss())
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    cell = nn.TrainOneStepCell(wrapped, optimizer, **options)
    x, y = Tensor([[1.0, 2.0]]), Tensor([[1.0]])
    losses = [cell(x, y), cell(x, y)]
    names = [parameter.name for parameter in cell.get_parameters()]
    return losses, net.weight.value(), optimizer.global_step.value(), cell.training, names


def with_eval() -> tuple:
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    return nn.WithEvalCell(net, nn.MSELoss())(Tensor([[1.0, 2.0]]), Tensor([[1.0]]))


def forward_value_and_grad(*extra: Tensor, **options: object) -> tuple:
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    cell = nn.ForwardValueAndGrad(nn.WithLossCell(net, nn.MSELoss()), net.trainable_params(), **options)
    return cell(Tensor([[1.0, 2.0]]), Tensor([[1.0]]), *extra)


def vjp_of(net: object, *inputs: Tensor, **options: object) -> tuple:
    out, pull = ms.vjp(net, *inputs, **options)
    return out, pull(Tensor(np.ones(out.shape, np.float32) * 2))


def shift(x: Tensor, y: Tensor) -> Tensor:
    return x + y * 2


def norms(x: Tensor) -> Tensor:
    return (x * x).sum()


def net_vmap(x: Tensor) -> Tensor:
    return ops.matmul(x, Tensor([[1.0, 2.0], [3.0, 4.0]]))


CASES = [
    # GradOperation
    *each(
        """
        ops.GradOperation()(Product())(x, y)
        ops.GradOperation(get_all=True)(Product())(x, y)
        ops.GradOperation(True)(Product())(x, y)
        (lambda net: ops.GradOperation(get_by_list=True)(net, ParameterTuple(net.trainable_params()))(x, y))(Product())
        (lambda net: ops.GradOperation(get_by_list=True)(net, net.trainable_params())(x, y))(Product())
        (lambda net: ops.GradOperation(get_by_list=True)(net)(x, y))(Product())
        (lambda net: ops.GradOperation(get_by_list=True)(net, net.w)(x, y))(Product())
        (lambda net: ops.GradOperation(get_by_list=True)(net, [net.b])(x, y))(Product())
        (lambda net: ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())(x, y))(Product())
        ops.GradOperation(sens_param=True)(Product())(x, y, Tensor([10.0]))
        ops.GradOperation(get_all=True, sens_param=True)(Product())(x, y, Tensor([10.0]))
        (lambda n: ops.GradOperation(get_by_list=True, sens_param=True)(n, n.trainable_params())(x, y, x))(Product())
        (lambda n: ops.GradOperation(True, True, True)(n, n.trainable_params())(x, y, x))(Product())
        ops.GradOperation()(Two())(x, y)
        ops.GradOperation(get_all=True)(pair)(x, y)
        ops.GradOperation(get_all=True, sens_param=True)(pair)(x, y, (x, y))
        ops.GradOperation(get_all=True)(scaled)(x, 3.0)
        ops.GradOperation()(cubed)(x)
        Gradient(Product())(x, y)
        Gradient(Product(), get_all=True)(x, y)
        Gradient(Product(), get_by_list=True)(x, y)
        Gradient(Product(), get_all=True, get_by_list=True)(x, y)
        Gradient(Product(), sens_param=True)(x, y, Tensor([0.5]))
        Gradient(Product(), get_by_list=True, sens_param=True)(x, y, Tensor([0.5]))
        [p.name for p in Gradient(Product()).get_parameters()]
        ops.composite.GradOperation(get_all=True)(mixed)(x, y)
    """,
        **ONE,
    ),
    # grad, value_and_grad
    *each(
        """
        ms.grad(Product())(x, y)
        ms.grad(Product(), 1)(x, y)
        ms.grad(Product(), (0, 1))(x, y)
        ms.grad(Product(), (1, 0))(x, y)
        ms.grad(Product(), (0,))(x, y)
        ms.grad(Product(), grad_position=0)(x, y)
        (lambda net: ms.grad(net, None, net.trainable_params())(x, y))(Product())
        (lambda net: ms.grad(net, None, ParameterTuple(net.trainable_params()))(x, y))(Product())
        (lambda net: ms.grad(net, None, net.w)(x, y))(Product())
        (lambda net: ms.grad(net, None, ParameterTuple([net.w]))(x, y))(Product())
        (lambda net: ms.grad(net, None, [net.w])(x, y))(Product())
        (lambda net: ms.grad(net, None, (net.b, net.w))(x, y))(Product())
        (lambda net: ms.grad(net, 0, net.trainable_params())(x, y))(Product())
        (lambda net: ms.grad(net, (0, 1), weights=net.trainable_params())(x, y))(Product())
        ms.grad(auxiliary, has_aux=True)(x, y)
        ms.grad(auxiliary, (0, 1), has_aux=True)(x, y)
        ms.grad(pair)(x, y)
        ms.grad(mixed, return_ids=True)(x, y)
        ms.grad(mixed, (0, 1), return_ids=True)(x, y)
        (lambda net: ms.grad(net, 0, net.trainable_params(), return_ids=True)(x, y))(Product())
        ops.get_grad(ms.grad(mixed, (0, 1), return_ids=True)(x, y), 1)
        (lambda n: ops.get_grad(ms.grad(n, 0, n.trainable_params(), return_ids=True)(x, y), n.b))(Product())
        ms.value_and_grad(Product())(x, y)
        ms.value_and_grad(Product(), (0, 1))(x, y)
        ms.value_and_grad(Product(), 1)(x, y)
        (lambda net: ms.value_and_grad(net, None, net.trainable_params())(x, y))(Product())
        (lambda net: ms.value_and_grad(net, 0, net.trainable_params())(x, y))(Product())
        (lambda net: ms.value_and_grad(net, None, net.w)(x, y))(Product())
        ms.value_and_grad(auxiliary, has_aux=True)(x, y)
        ms.value_and_grad(auxiliary, (0, 1), has_aux=True)(x, y)
        ms.value_and_grad(pair)(x, y)
        ops.value_and_grad(mixed)(x, y)
        ops.grad(mixed, 1)(x, y)
        ms.grad(keyword)(x)
        ms.grad(keyword)(x, factor=5.0)
        ms.grad(keyword)(x, 3.0)
        ms.grad(lambda a, b: a * b)(x, y)
        ms.grad(lambda a: a * y)(x)
        ms.grad(lambda a: y)(x)
        ms.grad(lambda a: a.sum())(Tensor([[1.0, 2.0]]))
        ms.grad(lambda a: a * Tensor([1.0, 2.0]))(Tensor([3.0, 4.0]))
        ms.grad(lambda a: (a > 0).astype(ms.float32))(x)
        ms.grad(lambda a: a.astype(ms.float16))(x)
        ms.grad(lambda a: a.argmax())(x)
        ms.grad(lambda a, b: a, 1)(x, y)
        ms.grad(dictionary)(x)
        ms.grad(lambda a: ops.reduce_mean(a * a))(Tensor([1.0, 2.0]))
        ms.grad(ops.relu)(x)
        ms.grad(ops.sin)(x)
        ms.grad(nn.Sigmoid())(x)
        ms.grad(cubed)(Tensor(2.0))
        ms.grad(cubed)(Tensor([1.0, 2.0], ms.float16))
        ms.grad(cubed)(Tensor([1.0, 2.0], ms.float64))
        type(ms.grad(mixed, (0, 1))(x, y)).__name__, type(ms.value_and_grad(mixed)(x, y)).__name__
    """,
        **ONE,
    ),
    *each(
        """
        ms.grad(scaled)(Tensor([1, 2]), 3)
        ms.grad(mixed, (0, 1))(x, Tensor([2]))
    """,
        **ONE,
    ),
    # control, state and nesting
    *each("""
        ms.grad(branching)(Tensor([1.0, 2.0])), ms.grad(branching)(Tensor([-1.0, -2.0]))
        ms.grad(looping)(Tensor([1.5]))
        ms.grad(writing)(Tensor([1.0, 2.0, 3.0]))
        ms.grad(added)(Tensor([1.0, 2.0]))
        ms.grad(through_numpy)(Tensor([3.0]))
        ms.grad(detached)(Tensor([3.0]))
        ms.grad(nested)(Tensor([2.0]))
        ms.grad(ms.grad(cubed))(Tensor([3.0]))
        ms.grad(ms.grad(ms.grad(cubed)))(Tensor([3.0]))
        ops.GradOperation()(ops.GradOperation()(cubed))(Tensor([3.0]))
        ms.grad(ms.grad(mixed), 1)(Tensor([3.0]), Tensor([4.0]))
        ms.grad(lambda x: ms.value_and_grad(cubed)(x)[1])(Tensor([2.0]))
        statistics_after(True)
        statistics_after(False)
        count_after(Counter())
        count_after(Assigner())
        (lambda cell: count_after(cell, grad_position=None, weights=cell.trainable_params()))(Counter())
        after_raising()
        ms.grad(Custom(), (0, 1))(Tensor([3.0]), Tensor([5.0]))
        ms.grad(Hundred())(Tensor([3.0]))
        (lambda net: ms.grad(net, 0, net.trainable_params())(Tensor([3.0])))(Hundred())
        Custom()(Tensor([3.0]), Tensor([5.0]))
        (lambda net: ms.grad(net, None, net.trainable_params())(Tensor([3.0])))(Unused())
        (lambda net: ms.grad(net, None, [net.w, net.idle])(Tensor([3.0])))(Unused(False))
        (lambda net: ms.grad(net, 0, net.trainable_params())(Tensor([3.0])))(Unused(False))
        trained(4)
        hooked()
        train_one_step()
        train_one_step(sens=10.0)
        with_eval()
        forward_value_and_grad()
        forward_value_and_grad(get_by_list=True)
        forward_value_and_grad(get_all=True)
        forward_value_and_grad(get_all=True, get_by_list=True)
        forward_value_and_grad(Tensor(3.0), get_by_list=True, sens_param=True)
    """),
    # transformations
    *each("""
        ms.jvp(cubed, Tensor([3.0]), Tensor([2.0]))
        ms.jvp(mixed, (Tensor([3.0]), Tensor([4.0])), (Tensor([1.0]), Tensor([0.5])))
        ms.jvp(pair, (Tensor([3.0]), Tensor([4.0])), (Tensor([1.0]), Tensor([0.5])))
        vjp_of(cubed, Tensor([3.0]))
        vjp_of(mixed, Tensor([3.0]), Tensor([4.0]))
        (lambda net: vjp_of(net, Tensor([3.0]), Tensor([4.0]), weights=net.trainable_params()))(Product())
        ms.vmap(shift)(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
        ms.vmap(shift, in_axes=(0, None))(Tensor([[1.0], [2.0]]), Tensor([3.0]))
        ms.vmap(shift, in_axes=(1, 0), out_axes=1)(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]))
        ms.vmap(norms)(Tensor([[1.0, 2.0], [3.0, 4.0]]))
        ms.vmap(norms, 1)(Tensor([[1.0, 2.0], [3.0, 4.0]]))
        ms.vmap(net_vmap)(Tensor([[1.0, 0.0], [0.0, 1.0]]))
        ms.vmap(ms.vmap(shift, (0, None)), (None, 0))(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
        ms.vmap(ms.grad(norms))(Tensor([[1.0, 2.0], [3.0, 4.0]]))
        ms.jacrev(cubed)(Tensor([1.0, 2.0]))
        ms.jacfwd(cubed)(Tensor([1.0, 2.0]))
        ms.jacrev(mixed, (0, 1))(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
        ms.jacfwd(mixed, 1)(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    """),
    # refused
    Case("ms.grad(Product(), None)(x, y)", **ONE, raises=ValueError),
    Case("ms.grad(cubed, 5)(x)", x=values(3.0), raises=RuntimeError),
    Case("ms.grad(cubed, 'a')(x)", x=values(3.0), raises=TypeError),
    Case("ops.GradOperation(get_all=1)", raises=TypeError, says="get_all"),
    Case("ops.GradOperation(get_by_list='a')", raises=TypeError, says="get_by_list"),
    Case("ms.grad(TooFew(), (0, 1))(x, y)", **ONE, raises=RuntimeError),
    Case("ms.grad(raising)(x)", x=values(1.0), raises=KeyError, says="stop"),
    Case(
        "ops.GradOperation(sens_param=True)(cubed)(x, Tensor([1.0, 2.0, 3.0]))",
        x=values(1.0, 2.0),
        raises=(ValueError, RuntimeError),
    ),
    Case("ops.GradOperation(sens_param=True)(cubed)(x, Tensor([1, 2, 3]))", x=values(1.0, 2.0), raises=ValueError),
    Case("ms.vmap(shift, in_axes=(0, 0))(Tensor([1.0]), Tensor([1.0, 2.0]))", raises=(RuntimeError, ValueError)),
]
