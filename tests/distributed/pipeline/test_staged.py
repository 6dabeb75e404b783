"""Tensors of stages."""

from types import SimpleNamespace
from typing import Any

import pytest

from msbridge.distributed.pipeline.staged import send_to_stage


def test_what_would_wait_for_ever_is_refused() -> None:
    later: Any = SimpleNamespace(
        members=SimpleNamespace(tag=3, stages=2), stage=1, requires_grad=True, shape=(4, 2)
    )  # the forward pass of the second micro batch
    with pytest.raises(ValueError, match=r"stage 0 computes with a tensor of shape \(4, 2\) of stage 1"):
        send_to_stage(later, 0)
