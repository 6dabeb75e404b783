"""Summaries without a SummaryRecord; names and what PyNative mode returns are those of MindSpore 2.10 and 2.0."""

import numpy as np

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.dropin.private.summaries import get_summary_tensor_data


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.tensor, self.scalar, self.histogram = ops.TensorSummary(), ops.ScalarSummary(), ops.HistogramSummary()

    def construct(self, x):
        y = x * 2
        self.tensor("doubled", y)
        self.histogram("spread", y)
        self.scalar("sum", y.sum())
        return y


def run(mode: int, *values: float) -> dict[str, Tensor]:
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        net = Net()
        for value in values:
            net(Tensor(np.full((2, 2), value, np.float32)))
        return get_summary_tensor_data()
    finally:
        ms.set_context(mode=before)


def test_a_graph_leaves_the_last_value_of_each() -> None:
    values = run(ms.GRAPH_MODE, 1, 4)
    assert list(values) == ["doubled[:Tensor]", "spread[:Histogram]", "sum[:Scalar]"]
    assert values["sum[:Scalar]"].asnumpy() == 32
    np.testing.assert_array_equal(values["doubled[:Tensor]"].asnumpy(), np.full((2, 2), 8))
    assert get_summary_tensor_data() == {}


def test_pynative_mode_leaves_nothing() -> None:
    assert run(ms.PYNATIVE_MODE, 1) == {}


def test_its_name(dropin) -> None:
    from mindspore.train.summary.summary_record import _get_summary_tensor_data

    assert _get_summary_tensor_data is get_summary_tensor_data
