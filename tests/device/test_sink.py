"""The sink executor. Judge: the same steps in a plain loop."""

import numpy as np
import pytest

from msbridge.core.context import context
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.device import SinkExecutor, ledger
from msbridge.device.sink import can_sink


def numbers(count: int):
    for number in range(count):
        yield (Tensor(np.array(number, np.float32)),)


class Total:
    """A step that sums what it gets, in place."""

    def __init__(self) -> None:
        self.total = Tensor(np.zeros((), np.float32))

    def __call__(self, number: Tensor) -> Tensor:
        self.total._data.add_(number._data)
        return wrap(self.total._data.clone())


def test_sinks_go_on_where_the_last_one_ended():
    executor = SinkExecutor(Total(), numbers(9), sink_size=3)
    assert [executor.run().item() for _ in range(3)] == [3.0, 15.0, 36.0]


def test_one_host_sync_per_sink():
    executor = SinkExecutor(Total(), numbers(40), sink_size=10)
    for _ in range(4):
        executor.run().asnumpy()
    assert (ledger.steps, ledger.sinks, ledger.host_syncs) == (40, 4, 4)


def test_losses_of_all_steps_of_the_last_sink():
    executor = SinkExecutor(Total(), numbers(8), sink_size=4)
    executor.run()
    assert executor.losses.asnumpy().tolist() == [0, 1, 3, 6]
    executor.run()
    assert executor.losses.asnumpy().tolist() == [10, 15, 21, 28]


def test_data_that_ends_within_a_sink_says_so():
    executor = SinkExecutor(Total(), numbers(5), sink_size=4)
    executor.run()
    with pytest.raises(RuntimeError, match="ended after 5 steps"):
        executor.run()


def test_error_in_the_step_passes_through():
    def step(number: Tensor) -> Tensor:
        raise ZeroDivisionError("in the network")

    executor = SinkExecutor(step, numbers(5), sink_size=4)
    with pytest.raises(ZeroDivisionError, match="in the network"):
        executor.run()


def test_single_steps_wait_for_nothing():
    executor = SinkExecutor(Total(), numbers(5), sink_size=4)
    executor.run_step()
    executor.run_step()
    assert (ledger.steps, ledger.sinks, ledger.host_syncs) == (2, 0, 0)


@pytest.mark.parametrize(("target", "sinks"), [("CPU", False), ("Ascend", True)])
def test_which_targets_sink(target, sinks):
    context.set_context(device_target=target)
    assert can_sink() is sinks


def test_summary_names_every_count():
    executor = SinkExecutor(Total(), numbers(4), sink_size=4)
    executor.run()
    lines = dict(line.rsplit(None, 1) for line in ledger.summary().splitlines())
    assert lines["steps"] == "4"
    assert lines["sinks"] == "1"
    assert lines["steps per host sync"] == "4.0"


def test_summary_as_rich_table():
    assert ledger.__rich__().row_count == 6
