"""Functions connected with a sink."""

import numpy as np
import pytest

from msbridge.core.jit import JitConfig
from msbridge.core.tensor.tensor import Tensor
from msbridge.device import ledger
from msbridge.train import data_sink
from tests.train.helpers_model import CountingLoss, numbers

pytestmark = pytest.mark.usefixtures("all_threads_end")


@pytest.mark.usefixtures("ascend")
def test_data_sink_runs_so_many_steps_per_call():
    network = CountingLoss()
    run = data_sink(network, numbers(5), sink_size=3)
    assert [float(run()), float(run())] == [2.0, 0.0]
    assert network.seen == [0, 1, 2, 3, 4, 0]
    assert (ledger.steps, ledger.host_syncs) == (6, 2)
    del run


@pytest.mark.usefixtures("ascend")
def test_calls_of_its_own_choice_divide_a_traversal():
    network = CountingLoss()
    run = data_sink(network, numbers(150), sink_size="auto")
    assert [float(run()) for _ in range(3)] == [74.0, 149.0, 74.0]
    assert len(network.seen) == 225


@pytest.mark.usefixtures("ascend_pynative")
def test_function_keeps_its_name_and_takes_what_it_does_not_need():
    def double(x):
        return x * 2

    run = data_sink(double, numbers(3), 2)
    assert (run.__name__, run(1, other=2).asnumpy().tolist()) == ("double", [2.0])


@pytest.mark.usefixtures("ascend")
def test_compiled_as_the_configuration_says():
    compiled = []

    def double(x):
        compiled.append(1)
        return x * 2

    run = data_sink(double, numbers(3), 2, JitConfig(jit_level="O0"))
    assert (run().asnumpy().tolist(), len(compiled)) == ([2.0], 2)


@pytest.mark.usefixtures("ascend")
def test_a_dataset_serves_one_function():
    rows = numbers(3)
    data_sink(CountingLoss(), rows)
    with pytest.raises(ValueError, match="has been used with network"):
        data_sink(CountingLoss(), rows)


@pytest.mark.usefixtures("ascend")
@pytest.mark.parametrize("signature", [Tensor(np.zeros((1,), np.float32)), [Tensor(np.zeros(1, np.float32))], [None]])
def test_signature_that_fits(signature):
    assert float(data_sink(CountingLoss(), numbers(2), 2, None, signature)()) == 1.0


@pytest.mark.usefixtures("ascend")
@pytest.mark.parametrize(
    ("signature", "error", "words"),
    [
        ([Tensor(np.zeros(1, np.int32))], TypeError, "1th input type"),
        ([Tensor(np.zeros((1, 1), np.float32))], ValueError, "1th input dims"),
        ([Tensor(np.zeros(2, np.float32))], ValueError, "1th input shape"),
    ],
)
def test_signature_that_does_not_fit(signature, error, words):
    with pytest.raises(error, match=words):
        data_sink(CountingLoss(), numbers(2), 2, None, signature)
