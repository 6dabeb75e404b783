"""Gradients of networks that assign Parameters: of values that are read before and after, in both modes."""

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from tests.oracle.case import each


class Stateful(nn.Cell):
    """A weight, a state, and what is done with them."""

    def __init__(self):
        super().__init__()
        self.h = Parameter(Tensor([2.0, 3.0]), name="h", requires_grad=False)
        self.w = Parameter(Tensor([1.0, 1.0]), name="w")


class Doubling(Stateful):
    def construct(self, x):
        y = x * self.h * self.w
        ops.assign(self.h, self.h * 2)
        return y


class Counting(Stateful):
    def construct(self, x):
        y = x * self.h * self.w
        ops.assign_add(self.h, Tensor([1.0, 1.0]))
        return y + self.h * x


class Remembering(Stateful):
    def construct(self, x):
        y = x * self.h * self.w
        self.h = y
        return y


class Queueing(Stateful):
    def construct(self, x):
        y = x * self.h * self.w
        self.h[0] = 7.0
        return y


class Looping(Stateful):
    def construct(self, x):
        y = x
        for i in range(3):
            ops.assign(self.h, self.h + i)
            y = y + x * self.h * self.w
        return y


class WeightFirst(Stateful):
    def construct(self, x):
        h = self.h + 0
        ops.assign(self.w, self.w * 2)
        return x * self.w * h


class WeightLast(Stateful):
    def construct(self, x):
        y = x * self.w
        ops.assign(self.w, self.w * 2)
        return y * y


class WeightBoth(Stateful):
    def construct(self, x):
        y = x * self.w
        ops.assign_sub(self.w, self.w * 0.5)
        return y + self.w * x * x


def trained(kind, mode):
    """Outputs, gradients of input and weight, and the state, of two calls."""
    ms.set_context(mode=mode)
    net = kind()
    found = []
    for _ in range(2):
        value, (of_x, (of_w,)) = ms.value_and_grad(net, 0, net.trainable_params())(Tensor([1.0, 2.0]))
        found += [value, of_x, of_w]
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return found, net.h.asnumpy().tolist(), net.w.asnumpy().tolist()


KINDS = "Doubling Counting Remembering Queueing Looping WeightFirst WeightLast WeightBoth"
CASES = each("\n".join(f"trained({kind}, {mode})" for kind in KINDS.split() for mode in (0, 1)))
