"""Summaries of values while training."""

from msbridge import Tensor, ops
from msbridge.ops.framework.summaries import kernels as summaries


def test_summaries_go_to_the_recorder() -> None:
    """Judge: the documentation; without a recorder nothing happens."""
    seen: list[tuple] = []

    def record(kind: str, name: str, value: Tensor) -> None:
        seen.append((kind, name, float(value)))

    summaries.add_recorder(record)
    ops.ScalarSummary()("loss", Tensor(1.5))
    summaries.remove_recorder(record)
    ops.TensorSummary()("ignored", Tensor(2.0))
    assert seen == [("scalar", "loss", 1.5)]
