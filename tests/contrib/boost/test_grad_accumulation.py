"""Gradient accumulation of mindspore.boost."""

import numpy as np

from msbridge import Tensor, nn, ops
from msbridge.contrib.boost.grad_accumulation import GradientAccumulation, gradient_accumulation_op, gradient_clear_op


def test_the_mean_of_the_gradients_makes_one_update():
    layer = nn.Dense(3, 1, weight_init="ones")
    accumulate = GradientAccumulation(2, nn.SGD(layer.trainable_params(), 0.5))
    first = layer.weight.asnumpy().copy()
    grads = [Tensor(np.full((1, 3), 1.0, np.float32)), Tensor(np.zeros(1, np.float32))]
    assert accumulate(Tensor(7.0), grads).asnumpy() == 7
    assert np.array_equal(layer.weight.asnumpy(), first)
    assert accumulate._accumulation_step.asnumpy() == 1
    accumulate(Tensor(7.0), [grads[0] * 3, grads[1]])
    assert np.array_equal(layer.weight.asnumpy(), first - 0.5 * 2)
    assert accumulate._accumulation_step.asnumpy() == 0
    assert not accumulate._grad_accumulation[0].asnumpy().any()


def test_a_script_can_map_the_operators_over_its_own_totals():
    totals = (Tensor(np.ones(2, np.float32)), Tensor(np.ones(3, np.float32)))
    grads = (Tensor(np.full(2, 4.0, np.float32)), Tensor(np.full(3, 8.0, np.float32)))
    ops.HyperMap()(ops.Partial()(gradient_accumulation_op, 4), totals, grads)
    assert [total.asnumpy().tolist() for total in totals] == [[2, 2], [3, 3, 3]]
    ops.HyperMap()(ops.Partial()(gradient_clear_op), totals)
    assert not any(total.asnumpy().any() for total in totals)
