"""Flags of overflow."""

import numpy as np
import pytest
import torch

from msbridge import ops
from msbridge.core.autograd import backward
from tests.tensors import v


@pytest.mark.parametrize(("values", "flag"), [([1, 2], [0]), ([1, np.inf], [1]), ([np.nan, 1], [1])])
def test_float_status(values: list, flag: list) -> None:
    """Judge: the documentation; the CPU build has no kernel."""
    assert ops.FloatStatus()(v(values)).asnumpy().tolist() == flag


def test_overflow_status_sees_the_gradients_since_it_was_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge: the documentation; the CPU build has no kernel."""
    monkeypatch.setattr(backward, "observers", [], raising=False)
    status = ops.NPUAllocFloatStatus()()
    assert (status.shape, status.asnumpy().sum()) == ((8,), 0)
    ops.NPUClearFloatStatus()(status)
    backward.observers[0]([torch.ones(2), torch.tensor([1, torch.inf])])
    ops.NPUGetFloatStatus()(status)
    assert status.asnumpy().tolist() == [1] * 8
    assert backward.observers == []
    ops.NPUClearFloatStatus()(status)
    assert ops.NPUGetFloatStatus()(status).asnumpy().tolist() == [0] * 8
