"""Scalars of a step: where they lie, and what reads them."""

import numpy as np
import pytest
import torch

from msbridge import Tensor, ops
from msbridge.core.parameter import step_scalars
from msbridge.core.parameter.step_scalars import number, on_device, scalar_parameter


def test_a_number_follows_every_way_of_writing() -> None:
    """Writes that torch does not count are among them: those below autograd, and those through numpy."""
    rate = scalar_parameter(np.float32(0.5), "rate")
    assert number(rate) == 0.5
    ops.assign(rate, Tensor(0.25))
    assert number(rate) == 0.25
    rate.asnumpy()[...] = 0.125
    assert number(rate) == 0.125
    rate.set_data(Tensor([2.0]))
    assert number(rate) == 2.0
    assert number(rate.clone()) == 2.0


@pytest.mark.parametrize("start", [np.int32(3), np.full(1, 3, np.int32)])
def test_both_forms_count_alike(start: np.ndarray) -> None:
    counter = scalar_parameter(start, "counter")
    step_scalars.add(counter, 1)
    with on_device():
        step_scalars.add(counter, torch.tensor(True))
        step_scalars.multiply(counter, 2)
    step_scalars.multiply(counter, 2)
    assert (number(counter), counter.dtype.__str__(), counter.shape) == (20, "Int32", np.shape(start))


def test_tensors_are_asked_for_in_the_block_alone() -> None:
    cpu = torch.device("cpu")
    with on_device():
        with on_device():
            pass
        assert step_scalars.are_tensors(cpu)
    assert not step_scalars.are_tensors(cpu)
    assert step_scalars.are_tensors(torch.device("meta"))
