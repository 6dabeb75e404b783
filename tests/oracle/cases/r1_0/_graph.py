"""Networks of 1.0.0: they run in graph mode; operators are in a Cell, and weights are the same on both sides."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, context, nn
from mindspore.ops import composite as C

from tests.oracle.case import GAP


class Call(nn.Cell):
    """An operator with the constants behind its tensors."""

    def __init__(self, op, constants=()):
        super().__init__()
        self.op = op
        self.constants = constants

    def construct(self, *tensors):
        return self.op(*(tensors + self.constants))


class CallTuple(nn.Cell):
    """An operator that takes its tensors as one tuple."""

    def __init__(self, op):
        super().__init__()
        self.op = op

    def construct(self, *tensors):
        return self.op(tensors)


class First(nn.Cell):
    """The first of several results."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, *tensors):
        return self.net(*tensors)[0]


class Backward(nn.Cell):
    """Gradients of a network with respect to its inputs, for given gradients of its result."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        self.grad = C.GradOperation(get_all=True, sens_param=True)

    def construct(self, *tensors):
        return self.grad(self.net)(*tensors)


class WeightGradients(nn.Cell):
    """Gradients of a network with respect to its weights."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        self.weights = ms.ParameterTuple(net.trainable_params())
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)

    def construct(self, *tensors):
        return self.grad(self.net, self.weights)(*tensors)


def in_graph_mode():
    """1.0.0 has no other mode on a CPU."""
    context.set_context(mode=context.GRAPH_MODE)


def run(op, *tensors, constants=()):
    """The result of an operator in a Cell."""
    in_graph_mode()
    return Call(op, constants)(*tensors)


def both(op, *tensors, constants=()):
    """The result of an operator, and the gradients of its tensors."""
    in_graph_mode()
    result = Call(op, constants)(*tensors)
    return result, unless_lacking(lambda: Backward(Call(op, constants))(*tensors, sens_of(result)))


def sens_of(result):
    """Gradients of a result: a weight of its own for every element."""
    weights = np.cos(np.arange(int(np.prod(result.shape))) + 1.0)
    return Tensor(weights.reshape(result.shape).astype(np.float32))


def unless_lacking(action):
    """The result of the action; a gap where 1.0.0 has no kernel, which it says in many words."""
    try:
        return action()
    except RuntimeError:
        return GAP


def fixed(cell):
    """Fill every Parameter with numbers that its position and shape decide; variances and scales stay positive."""
    for position, parameter in enumerate(cell.get_parameters()):
        count = int(np.prod(parameter.shape))
        numbers = np.sin(np.arange(count) * 0.7 + position + 1).reshape(parameter.shape) * 0.5
        if parameter.name.split(".")[-1] in ("gamma", "variance", "moving_variance"):
            numbers = np.abs(numbers) + 0.5
        parameter.set_data(Tensor(numbers.astype(np.float32)))
    return cell


def forward(cell, *tensors, train=False):
    """The result of a layer with fixed weights."""
    in_graph_mode()
    return fixed(cell).set_train(train)(*tensors)


def layer(cell, *tensors, train=False):
    """Names and shapes of weights, result, gradients of inputs and weights, buffers after the first call."""
    in_graph_mode()
    fixed(cell).set_train(train)
    weights = cell.trainable_params()
    found = {p.name: (p.shape, p.requires_grad) for p in cell.get_parameters()}
    result = cell(*tensors)
    buffers = {p.name: p.asnumpy().copy() for p in cell.get_parameters() if not p.requires_grad}
    sens = sens_of(result)
    of_inputs = unless_lacking(lambda: Backward(cell)(*tensors, sens))
    of_weights = unless_lacking(lambda: WeightGradients(cell)(*tensors, sens)) if weights else ()
    return found, result, of_inputs, of_weights, buffers


def parameters(cell):
    """Names, shapes, dtypes of a Cell's Parameters, and which are trained."""
    return [(p.name, tuple(p.shape), str(p.dtype), p.requires_grad) for p in cell.get_parameters()]
