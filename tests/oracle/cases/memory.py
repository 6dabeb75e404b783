"""Which tensors are the same object or share their memory, what is cut off when a part is written, and `x[i] *= y`."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops

from tests.oracle.case import each, rand


def kept(function) -> tuple:
    """Whether a tensor, and a Parameter, comes back itself; whether the result shares memory; the gradient."""
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    result = function(x)
    result[0, 0] = 9.0
    is_shared = float(x[0, 0]) == 9.0
    gradient = ms.grad(lambda t: (function(t) * t).sum())(x)
    return result is x, function(weight) is weight, is_shared, gradient


def written(dtype: ms.Type, index, value) -> Tensor:
    x = Tensor(np.zeros(4), dtype)
    x[index] = value
    return x


def assigned(target: Tensor, value: Tensor) -> tuple:
    """The dtype after an assignment, and what a change of the value does to the target."""
    is_itself = target.assign_value(value) is target
    value[0] = 99
    return is_itself, target.dtype, target


def given_data(target: Tensor, value: Tensor) -> tuple:
    """What `target.data = value` makes of a tensor and of a view that was taken before."""
    view = target.view(-1)
    target.data = value
    value[0] = 99
    return target, target.dtype, view, target.data is value


def multiplied_in_list(x: Tensor) -> Tensor:
    parts = ops.zeros(2)
    parts[:] = x * 2
    parts[0] *= x[1]
    return parts.sum()


def multiplied_in_part(x: Tensor) -> Tensor:
    y = x * 2
    y[0:1] *= y[1]
    return y.sum()


def squared_in_part(x: Tensor) -> Tensor:
    y = x * 2
    y[0] *= y[0]
    return y.sum()


def divided_in_part(x: Tensor) -> Tensor:
    y = x * 2
    product = y[0]
    product *= y[1]
    y[1] /= product
    return y.sum()


def taken_over(x: Tensor) -> Tensor:
    y = Tensor([1.0, 2.0])
    y.assign_value(x * 2)
    return (y * x).sum()


CASES = [
    *each(
        """
        kept(lambda t: t.to(ms.float32))
        kept(lambda t: t.to('CPU', ms.float32))
        kept(lambda t: t.to(ms.float32, copy=True))
        kept(lambda t: t.astype(ms.float32))
        kept(lambda t: t.astype(ms.float32, copy=False))
        kept(lambda t: t.float())
        kept(lambda t: t.contiguous())
        kept(lambda t: t.type_as(t))
        kept(lambda t: ops.cast(t, ms.float32))
        kept(lambda t: ops.Cast()(t, ms.float32))
        [written(ms.int8, 0, n) for n in (300, -200, 1e5, -1, 1.5)]
        [written(ms.int8, i, 300) for i in (slice(0, 2), Tensor([0, 1]), Ellipsis, [0, 2])]
        written(ms.uint8, 0, 300), written(ms.int16, 0, 70000), written(ms.int32, 0, 2**33), written(ms.bool_, 0, 300)
        given_data(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
        given_data(Tensor([1.0, 2.0]), Tensor([3, 4, 5]))
        given_data(Parameter(Tensor([1.0, 2.0])), Tensor([3.0, 4.0, 5.0]))
        assigned(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
        assigned(Tensor([1.0]), Tensor([[3, 4]]))
        assigned(Tensor([1.0, 2.0, 3.0])[1:], Tensor([3, 4]))
        assigned(Parameter(Tensor([1.0, 2.0]), name='w'), Tensor([3, 4]))[:2]
        ms.value_and_grad(taken_over)(Tensor([1.0, 2.0]))
        ms.value_and_grad(multiplied_in_list)(Tensor([1.0, 2.0]))
        ms.value_and_grad(multiplied_in_part)(Tensor([1.0, 2.0]))
        ms.value_and_grad(squared_in_part)(Tensor([1.0, 2.0]))
        ms.value_and_grad(divided_in_part)(Tensor([1.0, 2.0]))
        x * Tensor(1 / 3), x / Tensor(1 / 3), x * Tensor(70000.0), x / Tensor(70000.0)
    """,
        x=rand(4, dtype="float16"),
    )
]
