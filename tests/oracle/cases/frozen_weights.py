"""Gradients of weights whose `requires_grad` is False, in both modes: those of a graph have them all the same."""

# ruff: noqa: F401

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, context, nn, ops

from tests.oracle.case import each


class Line(nn.Cell):
    """x * w + b + x * scale, of which the scale is never trained."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.array([2.0, 3.0], np.float32)), name="w")
        self.b = Parameter(Tensor(np.array([0.5, 0.5], np.float32)), name="b")
        self.scale = Parameter(Tensor(np.array([2.0, 4.0], np.float32)), name="scale", requires_grad=False)

    def construct(self, x):
        return x * self.w + self.b + x * self.scale


class Gradient(nn.Cell):
    def __init__(self, net, weights):
        super().__init__()
        self.net, self.weights, self.gradient = net, weights, ops.GradOperation(get_by_list=True)

    def construct(self, x):
        return self.gradient(self.net, self.weights)(x)


def x():
    return Tensor(np.array([0.1, 0.2], np.float32))


def frozen(names="w"):
    net = Line()
    for name in names.split():
        getattr(net, name).requires_grad = False
    return net


def within(mode, ask):
    before = context.get_context("mode")
    context.set_context(mode=mode)
    try:
        return ask()
    finally:
        context.set_context(mode=before)


def of_all(mode, ask, names="w"):
    """Ask for the gradients of all weights of a network that is frozen in part."""
    net = frozen(names)
    found = within(mode, lambda: ask(net, ParameterTuple([net.w, net.b, net.scale])))
    return [one.asnumpy() for one in found]


def trained(mode, optimizer, before=False, every=True):
    """Return the weights after two steps; w is frozen between them, or before the optimizer is made."""
    net = Line()
    net.w.requires_grad = not before
    kept = optimizer(list(net.get_parameters()) if every else net.trainable_params())
    step = nn.TrainOneStepCell(net, kept)
    within(mode, lambda: step(x()))
    net.w.requires_grad = False
    within(mode, lambda: step(x()))
    return [one.asnumpy() for one in (net.w, net.b, net.scale)], [one.name for one in step.weights]


def sgd(weights):
    return nn.SGD(weights, 0.1)


def momentum(weights):
    return nn.Momentum(weights, 0.1, 0.9)


GRAPH, PYNATIVE = context.GRAPH_MODE, context.PYNATIVE_MODE
CASES = each("""
    of_all(GRAPH, lambda net, weights: ops.GradOperation(get_by_list=True)(net, weights)(x()))
    of_all(PYNATIVE, lambda net, weights: ops.GradOperation(get_by_list=True)(net, weights)(x()))
    of_all(GRAPH, lambda net, weights: ops.GradOperation(get_by_list=True)(net, weights)(x()), "w b")
    of_all(PYNATIVE, lambda net, weights: ops.GradOperation(get_by_list=True)(net, weights)(x()), "w b")
    of_all(GRAPH, lambda net, weights: Gradient(net, weights)(x()))
    of_all(PYNATIVE, lambda net, weights: Gradient(net, weights)(x()))
    of_all(GRAPH, lambda net, weights: ops.value_and_grad(net, None, weights)(x())[1])
    of_all(PYNATIVE, lambda net, weights: ops.value_and_grad(net, None, weights)(x())[1])
    of_all(PYNATIVE, lambda net, weights: ms.jit(ms.value_and_grad(net, None, weights))(x())[1])
    of_all(GRAPH, lambda net, weights: ops.grad(net, 0, weights)(x())[1])
    of_all(PYNATIVE, lambda net, weights: ops.grad(net, 0, weights)(x())[1])
    trained(GRAPH, sgd, every=False)
    trained(PYNATIVE, sgd, every=False)
    trained(GRAPH, momentum, every=False)
    trained(PYNATIVE, momentum, every=False)
    trained(GRAPH, sgd)
    trained(PYNATIVE, sgd)
    trained(GRAPH, sgd, before=True)
    trained(PYNATIVE, sgd, before=True)
""")
