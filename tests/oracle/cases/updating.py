"""Optimizer steps as primitives: what they return, and what they leave in weights and state."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor
from mindspore.ops import operations as P  # noqa: F401  used by the expressions
from mindspore.ops.operations import _embedding_cache_ops as embedding_cache
from mindspore.ops.operations import nn_ops  # noqa: F401

from tests.oracle.case import each

VALUES = {
    "w": [[0.6, -0.4], [0.1, 0.5], [-1.2, 0.8]],
    "a": [[0.6, 0.5], [0.2, 0.6], [0.3, 0.1]],
    "b": [[0.1, 0.3], [0.7, 0.4], [0.2, 0.9]],
    "c": [[0.5, 0.2], [0.4, 0.1], [0.8, 0.6]],
    "g": [[0.3, -0.7], [0.1, 0.8], [-0.5, 0.4]],
    "r": [[0.3, -0.7], [-0.5, 0.4]],
}


def step(op: object, *inputs: object, dtype: ms.dtype = ms.float32) -> tuple:
    """Call a primitive twice on Parameters w, a, b, c and gradients g, r: what it returns, and the Parameters then."""
    values = {name: Tensor(np.array(array), dtype) for name, array in VALUES.items()}
    held = {name: Parameter(values[name], name=name) for name in "wabc"}
    given = [held.get(item, values.get(item)) if isinstance(item, str) else item for item in inputs]
    for _ in range(2):
        result = op(*given)
    return result, {name: held[name].asnumpy() for name in inputs if isinstance(name, str) and name in held}


def left(op: object, *inputs: object, **options: object) -> dict:
    """As `step`, where what is given is of no use: the CPU build returns memory as it found it."""
    return step(op, *inputs, **options)[1]


def t(value: object, dtype: ms.dtype = ms.float32) -> Tensor:
    return Tensor(value, dtype)


def cached(indices: Tensor, size: int) -> np.ndarray:
    table = Parameter(Tensor(np.zeros((4, 2)), ms.float32), name="table")
    rows = Tensor(np.arange(8).reshape(4, 2), ms.float32)
    embedding_cache.UpdateCache()(table, indices, rows, size)
    return table.asnumpy()


def factored(op: object, dims: int, *more: object) -> list[np.ndarray]:
    """Call a step of Adafactor twice: the weight, the first moment, and the second ones."""
    shapes = ((2, 3), (2, 3), (2,), (3,), (1,)) if dims == 2 else ((3,), (3,), (1,), (1,), (3,))
    arrays = [np.cos(np.arange(np.prod(shape)) + n).reshape(shape) ** 2 / 4 for n, shape in enumerate(shapes)]
    held = [Parameter(Tensor(array, ms.float32), name=f"p{n}") for n, array in enumerate(arrays)]
    gradient = Tensor(np.sin(np.arange(np.prod(shapes[0]))).reshape(shapes[0]), ms.float32)
    for _ in range(2):
        op(Tensor([1e-30, 1e-3], ms.float32), *map(t, (1.0, 0.9, 0.5, 0.1, 0.2)), gradient, *held, *more)
    return [one.asnumpy() for one in held]


def kept(value: float) -> Parameter:
    return Parameter(Tensor(value, ms.float32), name="kept")


at, twice = Tensor([0, 2], ms.int32), Tensor([1, 1], ms.int32)
ADAM = tuple(Tensor([value], ms.float32) for value in (0.9, 0.999, 0.1, 0.8, 0.9, 1e-3))
SCALARS = tuple(value.reshape(()) for value in ADAM)
every = Tensor([2, 0, 1], ms.int32)


CASES = [
    *each("""
        step(P.ApplyMomentum(), 'w', 'a', 0.1, 'g', 0.9)
        step(P.ApplyMomentum(), 'w', 'a', t(0.1), 'g', kept(0.9))
        step(P.ApplyMomentum(use_locking=True), 'w', 'a', 0.1, 'g', 0.9)
        step(P.ApplyMomentum(), 'w', 'a', 0.1, 'g', 0.9, dtype=ms.float16)
        step(P.ApplyMomentum(), 'w', 'a', t(0.1, ms.float16), 'g', t(0.9, ms.float16))
        left(P.Adam(), 'w', 'a', 'b', 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, 'g')
        left(P.Adam(use_nesterov=True), 'w', 'a', 'b', t(0.81), t(0.998), kept(0.1), 0.9, 0.999, 1e-8, 'g')
        left(P.Adam(), 'w', 'a', 'b', 0.9, 0.999, 0.1, 0.9, 0.999, 1e-4, 'g', dtype=ms.float16)
        left(P.AdamWeightDecay(), 'w', 'a', 'b', 0.1, 0.9, 0.999, 1e-8, 0.0, 'g')
        left(P.AdamWeightDecay(use_locking=True), 'w', 'a', 'b', t(0.1), t(0.9), t(0.999), t(1e-8), t(0.01), 'g')
        step(P.AdamNoUpdateParam(), 'a', 'b', *ADAM, 'g')
        step(P.AdamNoUpdateParam(use_nesterov=True), 'a', 'b', *ADAM, 'g')
        step(P.SGD(), 'w', 'g', t(0.1), 'a', t(0.9), 'b')
        step(P.SGD(nesterov=True), 'w', 'g', t(0.1), 'a', t(0.9), 'b')
        step(P.SGD(dampening=0.1, weight_decay=0.01), 'w', 'g', t(0.1), 'a', t(0.9), 'b')
        step(P.SGD(dampening=0.1), 'w', 'g', kept(0.1), 'a', kept(0.0), 'b')
        step(P.ApplyFtrl(), 'w', 'a', 'b', 'g', 0.1, 0.0, 0.0, -0.5)
        step(P.ApplyFtrl(), 'w', 'a', 'b', 'g', t(0.1), t(0.0), t(0.3), t(-0.5))
        step(P.ApplyFtrl(use_locking=True), 'w', 'a', 'b', 'g', 0.1, 0.0, 0.01, -0.3)
        step(P.ApplyAdaMax(), 'w', 'a', 'b', 0.9, 0.1, 0.9, 0.99, 1e-10, 'g')
        step(P.ApplyAdaMax(), 'w', 'a', 'b', t(0.81), t(0.1), t(0.9), t(0.99), t(1e-2), 'g')
        step(P.ApplyAdadelta(), 'w', 'a', 'b', 0.1, 0.9, 1e-6, 'g')
        step(P.ApplyAdadelta(), 'w', 'a', 'b', t(0.1), kept(0.9), t(1e-2), 'g')
        step(P.ApplyAdagrad(), 'w', 'a', 0.1, 'g')
        step(P.ApplyAdagradV2(1e-6), 'w', 'a', 0.1, 'g')
        step(P.ApplyAdagradV2(epsilon=0.1, update_slots=False), 'w', 'a', t(0.1), 'g')
        step(P.ApplyAdagradDA(), 'w', 'a', 'b', 'g', 0.1, 0.0, 0.0, 2)
        step(P.ApplyAdagradDA(), 'w', 'a', 'b', 'g', t(0.1), t(0.0), t(0.2), t(3, ms.int32))
        step(P.ApplyAdamWithAmsgrad(), 'w', 'a', 'b', 'c', t(0.9), t(0.999), t(0.1), 'g')
        step(P.ApplyAdamWithAmsgrad(beta1=0.8, beta2=0.9, epsilon=1e-3), 'w', 'a', 'b', 'c', *SCALARS[:3], 'g')
        step(P.ApplyAdamWithAmsgradV2(), 'w', 'a', 'b', 'c', 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, 'g')
        step(P.ApplyAdamWithAmsgradV2(use_locking=True), 'w', 'a', 'b', 'c', *SCALARS, 'g')
        step(P.ApplyAddSign(), 'w', 'a', 0.1, 1.0, 0.99, 0.9, 'g')
        step(P.ApplyAddSign(), 'w', 'a', t(0.1), t(0.5), t(0.9), t(0.8), 'g')
        step(P.ApplyPowerSign(), 'w', 'a', 0.1, 1.0, 0.99, 0.9, 'g')
        step(P.ApplyPowerSign(), 'w', 'a', t(0.1), t(2.718), t(0.9), t(0.8), 'g')
        left(P.ApplyRMSProp(), 'w', 'a', 'b', 0.1, 'g', 0.9, 0.5, 1e-6)
        left(P.ApplyRMSProp(use_locking=True), 'w', 'a', 'b', t(0.1), 'g', 0.9, 0.0, 1e-2)
        left(P.ApplyCenteredRMSProp(), 'w', 'a', 'b', 'c', 'g', 0.1, 0.9, 0.5, 1.0)
        left(P.ApplyCenteredRMSProp(), 'w', 'a', 'b', 'c', 'g', t(0.1), 0.9, 0.0, 2.0)
        step(P.ApplyGradientDescent(), 'w', 0.1, 'g')
        step(P.ApplyGradientDescent(), 'w', t(0.1), 'g')
        step(P.ApplyProximalGradientDescent(), 'w', 0.1, 0.1, 0.2, 'g')
        step(P.ApplyProximalGradientDescent(), 'w', t(0.1), t(0.0), t(0.2), 'g')
        step(P.ApplyProximalAdagrad(), 'w', 'a', 0.1, 0.1, 0.2, 'g')
        step(P.ApplyProximalAdagrad(use_locking=True), 'w', 'a', t(0.1), t(0.0), t(0.2), 'g')
        step(P.SparseApplyAdagrad(lr=0.1), 'w', 'a', 'r', at)
        step(P.SparseApplyAdagrad(0.1, update_slots=False), 'w', 'a', 'r', at)
        step(P.SparseApplyAdagradV2(lr=0.1, epsilon=1e-6), 'w', 'a', 'r', at)
        step(P.SparseApplyAdagradV2(lr=0.1, epsilon=0.1, update_slots=False), 'w', 'a', 'r', at)
        step(P.SparseApplyFtrl(lr=0.1, l1=0.0, l2=0.0, lr_power=-0.5), 'w', 'a', 'b', 'r', at)
        step(P.SparseApplyFtrl(0.1, 0.1, 0.2, -0.5), 'w', 'a', 'b', 'r', at)
        step(P.SparseApplyRMSProp(0.9, 0.5, 1e-6), 'w', 'a', 'b', 0.1, 'g', every)
        step(P.SparseApplyRMSProp(rho=0.9, momentum=0.0, epsilon=1e-2), 'w', 'a', 'b', t(0.1), 'g', every)
        left(P.FusedSparseAdam(), 'w', 'a', 'b', 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, 'r', at)
        left(P.FusedSparseAdam(use_nesterov=True), 'w', 'a', 'b', *ADAM, 'g', every)
        left(P.FusedSparseLazyAdam(), 'w', 'a', 'b', 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, 'r', at)
        left(P.FusedSparseLazyAdam(use_nesterov=True), 'w', 'a', 'b', *ADAM, 'r', at)
        left(P.FusedSparseLazyAdam(), 'w', 'a', 'b', 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, 'r', twice)
        left(P.FusedSparseAdam(), 'w', 'a', 'b', 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, 'r', twice)
        left(P.FusedSparseFtrl(lr=0.1, l1=0.0, l2=0.0, lr_power=-0.5), 'w', 'a', 'b', 'r', at)
        left(P.FusedSparseFtrl(0.1, 0.1, 0.2, -0.5), 'w', 'a', 'b', 'r', twice)
        left(P.FusedSparseProximalAdagrad(), 'w', 'a', 0.1, 0.1, 0.2, 'r', at)
        left(P.FusedSparseProximalAdagrad(), 'w', 'a', t(0.1), t(0.0), t(0.2), 'r', twice)
        left(P.FusedCastAdamWeightDecay(), 'w', 'a', 'b', 0.1, 0.9, 0.999, 1e-8, 0.01, 'g', t(1.0))
        P.SubAndFilter()(Tensor([1, 3, 5, 8, 2, 16], ms.int32), 10, 5)
        P.SubAndFilter()(Tensor([1, 3], ms.int64), 10, 5)
        step(nn_ops.SparseApplyMomentum(), 'w', 'a', t(0.1), 'r', at, t(0.9))
        step(nn_ops.SparseApplyMomentum(use_locking=True), 'w', 'a', t(0.1), 'r', at, t(0.0))
        step(nn_ops.SparseApplyAdagradDA(), 'w', 'a', 'b', 'r', at, t(0.1), t(0.1), t(0.2), t(2, ms.int64))
        step(nn_ops.SparseApplyAdagradDA(), 'w', 'a', 'b', 'r', at, t(0.1), t(0.0), t(0.0), t(2, ms.int64))
        step(nn_ops.SparseApplyProximalGradientDescent(), 'w', t(0.1), t(0.1), t(0.2), 'r', at)
        step(nn_ops.SparseApplyProximalGradientDescent(), 'w', t(0.1), t(0.0), t(0.2), 'r', at)
        step(nn_ops.SparseApplyCenteredRMSProp(), 'w', 'a', 'b', 'c', t(0.1), t(0.9), t(0.5), t(1.0), 'r', at)
        step(nn_ops.SparseApplyCenteredRMSProp(), 'w', 'a', 'b', 'c', t(0.1), t(0.9), t(0.0), t(2.0), 'r', at)
        factored(P.FusedAdaFactor(), 2)
        factored(P.FusedAdaFactor(), 1)
        factored(P.FusedAdaFactor(enable_scale_parameter=True, enable_first_moment=True), 2)
        factored(P.FusedAdaFactor(True, True, True), 1)
        factored(P.FusedAdaFactorWithGlobalNorm(enable_first_moment=True), 2, t(2.0))
        factored(P.FusedAdaFactorWithGlobalNorm(enable_weight_decay=True), 2, t(0.5))
        cached(Tensor([0, 5, -1, 2], ms.int32), 4)
        cached(Tensor([3, 1, 0, 2], ms.int64), 3)
    """),
    *each(
        """
        P.ApplyMomentum(use_nesterov=1)
        P.ApplyMomentum(gradient_scale=1)
        P.Adam(use_locking=0)
        P.SGD(nesterov=1)
        P.ApplyAdagradV2(1)
        P.ApplyAdagrad(update_slots=1)
        P.ApplyFtrl(use_locking=1)
        P.ApplyAdamWithAmsgrad(beta1=1)
        P.ApplyKerasMomentum(use_nesterov=1)
        P.LARSUpdate(epsilon=1)
        P.SparseApplyAdagrad(1)
        P.SparseApplyFtrl(0.1, 0.1, 0.1, 0)
        P.FusedSparseAdam(use_nesterov=1)
        P.FusedAdaFactor(enable_weight_decay=1)
        step(P.ApplyMomentum(), 'w', 'a', 0.1, 'g', 'x')
        step(P.Adam(), 'w', 'a', 'b', 0.9, 0.999, 0.1, 0.9, 0.999, 'x', 'g')
    """,
        raises=TypeError,
    ),
    *each(
        """
        P.SGD(nesterov=True, dampening=0.1)
        P.SparseApplyFtrl(-0.1, 0.1, 0.1, -0.5)
        P.SparseApplyFtrl(0.1, -0.1, 0.1, -0.5)
        P.SparseApplyFtrl(0.1, 0.1, 0.1, 0.5)
        P.SparseApplyRMSProp(1.5, 0.1, 0.1)
        P.SparseApplyRMSProp(0.5, 0.1, 0.0)
        P.SparseApplyAdadelta(-0.1)
        step(P.ApplyMomentum(), 'w', 'a', 0.1, 'r', 0.9)
        step(P.Adam(), 'w', 'a', 'b', 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, 'r')
        step(P.ApplyFtrl(), 'w', 'a', 'b', 'r', 0.1, 0.0, 0.0, -0.5)
        step(P.SparseApplyAdagrad(0.1), 'w', 'a', 'r', every)
    """,
        raises=ValueError,
    ),
]
