"""Summaries: what is recorded, read back with TensorBoard's own reader, and what is refused."""

import sys
from pathlib import Path

import numpy as np
import pytest

import msbridge as ms
import msbridge.dataset as ds
from msbridge import SummaryCollector, SummaryRecord, Tensor, nn, ops

pytestmark = pytest.mark.needs(package="tensorboard")


def read(folder: Path):
    """Load what a folder of events holds."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder), size_guidance={"scalars": 0, "tensors": 0, "images": 0, "histograms": 0})
    events.Reload()
    return events


class Net(nn.Cell):
    """A layer with summary operators."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 2)
        self.scalar = ops.ScalarSummary()
        self.tensor = ops.TensorSummary()

    def construct(self, x):
        y = self.fc(x)
        self.scalar("mean", y.mean())
        self.tensor("values", y)
        return y


def train(folder: Path, epochs: int = 2, **options):
    rng = np.random.default_rng(0)
    rows = [rng.standard_normal((12, width)).astype(np.float32) for width in (4, 2)]
    data = ds.NumpySlicesDataset(tuple(rows), shuffle=False).batch(2)
    net = Net()
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mse"})
    collector = SummaryCollector(str(folder), **options)
    model.train(epochs, data, callbacks=[collector], dataset_sink_mode=False)
    return model, data


def test_added_values_are_recorded_once_under_their_step(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        assert Path(record.log_dir).is_file()
        record.add_value("scalar", "loss", Tensor(0.5))
        record.add_value("image", "picture", Tensor(np.zeros((2, 3, 4, 4), np.float32)))
        record.add_value("histogram", "weights", Tensor(np.arange(10, dtype=np.float32)))
        record.add_value("tensor", "values", Tensor(np.arange(4, dtype=np.int32)))
        record.add_value("custom_lineage_data", "settings", {"rate": 0.1})
        assert record.record(3)
        assert record.record(4)
    events = read(tmp_path)
    assert [(one.step, one.value) for one in events.Scalars("loss")] == [(3, 0.5)]
    assert [one.step for one in events.Images("picture")] == [3]
    assert events.Histograms("weights")[0].histogram_value.num == 10
    tags = events.Tags()["tensors"]
    assert "values" in tags
    assert "settings/text_summary" in tags


def test_a_plugin_can_be_left_out(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("scalar", "loss", Tensor(0.5))
        record.add_value("histogram", "weights", Tensor(np.ones(3, np.float32)))
        record.record(1, plugin_filter=lambda plugin: plugin != "scalar")
    tags = read(tmp_path).Tags()
    assert tags["scalars"] == []
    assert tags["histograms"] == ["weights"]


def test_operators_of_a_network_reach_the_record_that_is_open(tmp_path):
    net = Net()
    with SummaryRecord(str(tmp_path)) as record:
        net(Tensor(np.ones((1, 4), np.float32)))
        last = net(Tensor(np.zeros((1, 4), np.float32))).mean().asnumpy()
        record.record(7)
    net(Tensor(np.ones((1, 4), np.float32)))
    assert [(one.step, one.value) for one in read(tmp_path).Scalars("mean")] == [(7, pytest.approx(float(last)))]


def test_tensors_are_exported_as_files(tmp_path):
    with SummaryRecord(str(tmp_path), export_options={"tensor_format": "npy"}) as record:
        record.add_value("tensor", "a/b", Tensor(np.arange(3)))
        record.record(5)
    (file,) = tmp_path.glob("export_*/tensor/a%2Fb_5.npy")
    assert np.load(file).tolist() == [0, 1, 2]


def test_nothing_is_recorded_past_the_largest_size(tmp_path):
    with SummaryRecord(str(tmp_path), max_file_size=500) as record:
        done = []
        for step in range(40):
            record.add_value("scalar", "loss", Tensor(float(step)))
            done.append(record.record(step))
    assert done[0]
    assert not done[-1]
    assert len(read(tmp_path).Scalars("loss")) == sum(done)


def test_one_record_at_a_time_and_none_after_close(tmp_path):
    record = SummaryRecord(str(tmp_path))
    with pytest.raises(RuntimeError, match="only one instance"):
        SummaryRecord(str(tmp_path))
    record.close()
    record.close()
    assert not record.record(1)
    SummaryRecord(str(tmp_path)).close()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("foo", "loss", Tensor(1.0)), ValueError),
        (("scalar", 3, Tensor(1.0)), ValueError),
        (("scalar", "", Tensor(1.0)), ValueError),
        (("scalar", "loss", 0.5), TypeError),
        (("scalar", "loss", Tensor([1.0, 2.0])), ValueError),
        (("image", "picture", Tensor(np.ones((3, 4, 4)))), ValueError),
    ],
)
def test_wrong_values_are_refused_as_by_mindspore(tmp_path, arguments, error):
    with SummaryRecord(str(tmp_path)) as record, pytest.raises(error):
        record.add_value(*arguments)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"max_file_size": "a"}, TypeError),
        ({"file_prefix": 3}, TypeError),
        ({"file_prefix": "a/b"}, ValueError),
        ({"raise_exception": 3}, TypeError),
        ({"export_options": {"tensor_format": "foo"}}, ValueError),
        ({"export_options": {"x": "npy"}}, ValueError),
        ({"export_options": 3}, TypeError),
    ],
)
def test_wrong_options_of_a_record_are_refused_as_by_mindspore(tmp_path, options, error):
    with pytest.raises(error):
        SummaryRecord(str(tmp_path), **options)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"collect_freq": 0}, ValueError),
        ({"collect_freq": "a"}, TypeError),
        ({"collect_specified_data": {"foo": True}}, ValueError),
        ({"collect_specified_data": {"collect_metric": 3}}, TypeError),
        ({"collect_specified_data": [1]}, TypeError),
        ({"collect_specified_data": {"collect_landscape": {"landscape_size": 40}}}, TypeError),
        ({"keep_default_action": 3}, TypeError),
        ({"custom_lineage_data": {"a": [1]}}, TypeError),
        ({"collect_tensor_freq": -1}, ValueError),
        ({"max_file_size": 0}, ValueError),
    ],
)
def test_wrong_options_of_a_collector_are_refused_as_by_mindspore(tmp_path, options, error):
    with pytest.raises(error):
        SummaryCollector(str(tmp_path), **options)


def test_a_collector_records_the_first_step_and_every_nth(tmp_path):
    train(tmp_path, collect_freq=3, custom_lineage_data={"version": 1})
    events = read(tmp_path)
    assert [one.step for one in events.Scalars("loss/auto")] == [1, 3, 6, 9, 12]
    assert [one.step for one in events.Scalars("mean")] == [1, 3, 6, 9, 12]
    assert set(events.Tags()["histograms"]) == {"fc.weight/auto", "fc.bias/auto"}
    texts = {tag for tag in events.Tags()["tensors"] if tag.endswith("/text_summary")}
    assert texts == {f"{name}/text_summary" for name in ("custom_lineage_data", "dataset", "network", "train")}


def test_a_collector_leaves_out_what_is_not_asked_for(tmp_path):
    train(tmp_path, collect_specified_data={"histogram_regular": "^fc.bias"}, keep_default_action=False)
    tags = read(tmp_path).Tags()
    assert tags["scalars"] == ["mean"]
    assert tags["histograms"] == ["fc.bias/auto"]


def test_tensors_of_operators_are_recorded_seldom_in_long_runs(tmp_path):
    train(tmp_path, epochs=10, collect_freq=1)
    events = read(tmp_path)
    assert len(events.Scalars("mean")) == 60
    assert len(events.Tensors("values")) == 20


def test_an_evaluation_records_its_metrics(tmp_path):
    model, data = train(tmp_path / "train")
    model.eval(data, callbacks=[SummaryCollector(str(tmp_path / "eval"))], dataset_sink_mode=False)
    assert "eval/text_summary" in read(tmp_path / "eval").Tags()["tensors"]


def test_without_tensorboard_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "torch.utils.tensorboard", raising=False)
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    with pytest.raises(ImportError, match="pip install"):
        SummaryRecord(str(tmp_path))
