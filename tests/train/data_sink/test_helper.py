"""What a loop over a dataset goes over. Judge: the code of MindSpore 2.10, and what its helper does on the CPU."""

import pytest

from msbridge import nn
from msbridge.core.runtime.callback import RunContext
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype
from msbridge.train import DatasetHelper, connect_network_with_dataset, data_sink
from tests.train.helpers_model import data, numbers

pytestmark = pytest.mark.usefixtures("all_threads_end")


@pytest.mark.usefixtures("ascend")
def test_helper_without_sink_size_sinks_the_whole_dataset():
    helper = DatasetHelper(numbers(5))
    assert helper.sink_size() == 5
    assert len(list(helper)) == 1
    types, shapes = helper.types_shapes()
    assert (types, shapes) == ([dtype.float32], [[1]])


@pytest.mark.usefixtures("ascend_pynative")
def test_helper_in_pynative_mode_gives_a_call_per_step():
    helper = DatasetHelper(numbers(5), sink_size=3)
    assert (helper.sink_size(), len(list(helper))) == (3, 3)


@pytest.mark.usefixtures("ascend")
def test_loop_size_must_divide_the_dataset():
    dataset = numbers(5)
    dataset.__loop_size__ = 2
    with pytest.raises(ValueError, match="divisible"):
        DatasetHelper(dataset)


def test_helper_without_sink_gives_batches():
    helper = DatasetHelper(data(3), dataset_sink_mode=False, epoch_num=2)
    for _ in range(2):
        batches = list(helper)
        assert [(type(batch), len(batch), type(batch[0])) for batch in batches] == [(list, 2, Tensor)] * 3


@pytest.mark.parametrize("method", ["sink_size", "types_shapes", "stop_send", "release", "continue_send"])
def test_helper_without_sink_has_none_of_its_methods(method):
    with pytest.raises(AttributeError, match="no sink"):
        getattr(DatasetHelper(data(1), dataset_sink_mode=False), method)()


@pytest.mark.parametrize(
    ("action", "error", "words"),
    [
        (lambda: DatasetHelper(data(1)), RuntimeError, "device target is CPU"),
        (lambda: DatasetHelper(data(1), 1), TypeError, "bool"),
        (lambda: DatasetHelper(data(1), True, 0), ValueError, "sink_size"),
        (lambda: DatasetHelper(data(1), True, 1.5), TypeError, "int"),
        (lambda: connect_network_with_dataset(nn.Cell(), DatasetHelper(data(1), False)), RuntimeError, "sink mode"),
        (lambda: data_sink(lambda x: x, data(1)), ValueError, "device target is CPU"),
        (lambda: data_sink(lambda x: x, data(1), 0), ValueError, "sink_size"),
    ],
)
def test_bad_argument(action, error, words):
    with pytest.raises(error, match=words):
        action()


@pytest.mark.usefixtures("ascend")
def test_helper_is_an_ordinary_iterator():
    dataset = numbers(6)
    dataset.__loop_size__ = 2
    helper = DatasetHelper(dataset)
    assert (helper.iter.dataset, helper.iter.sink_size, helper.iter.sink_count) == (dataset, 2, 3)
    calls = iter(helper)
    assert [next(calls, None) for _ in range(4)] == [(), (), (), None]
    assert list(helper) == [()] * 3


def test_helper_without_sink_is_an_ordinary_iterator():
    helper = DatasetHelper(data(3), dataset_sink_mode=False, epoch_num=1)
    assert next(iter(helper))[0].shape == (2, 3)
    assert len([*helper.iter]) == 2


@pytest.mark.usefixtures("ascend")
def test_helper_knows_how_long_the_data_took():
    helper = DatasetHelper(numbers(4), sink_size=6, epoch_num=3)
    params = {"batch_num": 6, "train_dataset": numbers(4)}
    assert helper.get_send_info(RunContext(params)).epoch(0.5)["fetch_data_num"] == 0
    connect_network_with_dataset(nn.ReLU(), helper)()
    info = helper.get_send_info(RunContext(params))
    assert (info.info_[1]["fetch_data_num"], info.epoch(1)["fetch_data_num"]) == (4, 2)
    assert 0 < info.info_[1]["fetch_data_time"] < 1e4
    assert helper.get_mbuf_queue_size() == 0
    helper.release()
