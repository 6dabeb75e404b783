"""Networks connected with a sink."""

import numpy as np
import pytest

from msbridge import nn
from msbridge.dataset import NumpySlicesDataset
from msbridge.device import ledger
from msbridge.train import DatasetHelper, connect_network_with_dataset
from tests.train.helpers_model import CountingLoss, numbers

pytestmark = pytest.mark.usefixtures("all_threads_end")


@pytest.mark.usefixtures("ascend")
def test_loop_over_a_helper_runs_one_sink_per_pass():
    network = CountingLoss()
    helper = DatasetHelper(numbers(25), dataset_sink_mode=True, sink_size=10, epoch_num=10)
    connected = connect_network_with_dataset(network, helper)
    results = []
    for _ in range(10):
        for inputs in helper:
            assert inputs == ()
            results.append(connected(*inputs).asnumpy())
    helper.release()
    assert len(results) == 10
    assert network.seen == [float(number % 25) for number in range(100)]
    assert (ledger.steps, ledger.host_syncs) == (100, 10)


@pytest.mark.usefixtures("ascend")
def test_helper_that_is_dropped_ends_its_thread():
    helper = DatasetHelper(numbers(25), sink_size=10)
    connect_network_with_dataset(CountingLoss(), helper)()


@pytest.mark.usefixtures("ascend")
def test_helper_says_when_the_data_has_ended():
    helper = DatasetHelper(numbers(5), sink_size=4, epoch_num=1)
    connected = connect_network_with_dataset(CountingLoss(), helper)
    connected()
    with pytest.raises(RuntimeError, match="epoch_num"):
        connected()
    helper.release()


@pytest.mark.usefixtures("ascend")
def test_connecting_again_gives_the_same_network():
    network, helper = CountingLoss(), DatasetHelper(numbers(4), sink_size=2, epoch_num=3)
    for _ in range(3):
        connect_network_with_dataset(network, helper)()
    connected = connect_network_with_dataset(network, helper)
    assert connect_network_with_dataset(connected, helper) is connected
    assert network.seen == [0, 1, 2, 3, 0, 1]
    with pytest.raises(ValueError, match="connected to other network"):
        connect_network_with_dataset(CountingLoss(), helper)
    helper.release()


@pytest.mark.usefixtures("ascend")
def test_batches_of_changing_shapes():
    seen = []

    class Shapes(nn.Cell):
        def construct(self, x):
            seen.append(x.shape)
            return x.sum()

    rows = NumpySlicesDataset(np.ones((7, 2), np.float32), ["x"], shuffle=False).batch(3)
    connected = connect_network_with_dataset(Shapes(), DatasetHelper(rows, epoch_num=2))
    assert [float(connected()), float(connected())] == [2.0, 2.0]
    assert seen == [(3, 2), (3, 2), (1, 2)] * 2
