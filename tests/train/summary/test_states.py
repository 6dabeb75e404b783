"""Weights that are kept for landscapes. Judge of refusals: MindSpore 2.10."""

import json

import numpy as np
import pytest

from msbridge import SummaryCollector, load_checkpoint
from msbridge.train.summary.states import read_metadata
from tests.train.helpers_model import data, model


@pytest.mark.needs(package="tensorboard")
@pytest.mark.parametrize(("unit", "numbers"), [("step", [1, 2, 5]), ("epoch", [1, 2, 3])])
def test_what_a_collector_keeps(tmp_path, unit, numbers):
    settings = {"landscape_size": 4, "unit": unit, "intervals": [numbers]}
    collector = SummaryCollector(str(tmp_path), collect_specified_data={"collect_landscape": settings})
    model().train(3, data(4), callbacks=[collector], dataset_sink_mode=False)
    found = json.loads((tmp_path / "ckpt_dir" / "train_metadata.json").read_text())
    files = found.pop("model_params_file_map")
    assert found == {
        "epoch_group": {"0": numbers},
        "step_per_epoch": 4,
        "unit": unit,
        "num_samples": 2048,
        "landscape_size": 4,
        "create_landscape": {"train": True, "result": True},
    }
    assert list(files) == [str(number) for number in numbers]
    states = [load_checkpoint(path) for path in files.values()]
    assert states[0].keys() == {"weight", "bias"}
    assert not np.array_equal(states[0]["weight"].asnumpy(), states[1]["weight"].asnumpy())
    assert read_metadata(tmp_path)["unit"] == unit


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"landscape_size": 40}, TypeError),
        ({"intervals": [[1, 2, 3]], "landscape_size": 2}, ValueError),
        ({"intervals": [[1, 2]]}, ValueError),
        ({"intervals": [[1, 2, 3]], "unit": "x"}, ValueError),
        ({"intervals": [[1, 2, 3]], "foo": 1}, ValueError),
        ({"intervals": [[1, 2, "a"]]}, TypeError),
        ({"intervals": [[1, 2, 3]], "create_landscape": {"a": True}}, ValueError),
        ({"intervals": [[1, 2, 3]], "num_samples": 1.5}, TypeError),
    ],
)
def test_bad_settings(tmp_path, settings, error):
    with pytest.raises(error):
        SummaryCollector(str(tmp_path), collect_specified_data={"collect_landscape": settings})


def test_missing_states_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="collect_landscape"):
        read_metadata(tmp_path)
    (tmp_path / "ckpt_dir").mkdir()
    metadata = {"epoch_group": {"0": [1, 2, 3]}, "model_params_file_map": {"1": "a"}, "unit": "step"}
    (tmp_path / "ckpt_dir" / "train_metadata.json").write_text(json.dumps(metadata))
    with pytest.raises(ValueError, match=r"\[2, 3\]"):
        read_metadata(tmp_path)
