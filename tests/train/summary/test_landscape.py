"""Loss landscapes. Judge: the losses of the same weights in NumPy, and the components by eigenvectors."""

import json

import numpy as np
import pytest

from msbridge import Model, SummaryLandscape, nn, save_checkpoint
from msbridge import dataset as ds
from msbridge.core.tensor.tensor import Tensor
from msbridge.train import Loss
from msbridge.train.summary import landscape
from msbridge.train.summary.states import write_metadata

RNG = np.random.default_rng(5)
INPUTS, LABELS = RNG.normal(size=(8, 3)).astype(np.float32), RNG.normal(size=(8, 2)).astype(np.float32)
STATES = [{"weight": RNG.normal(size=(2, 3)), "bias": RNG.normal(size=2)} for _ in range(4)]


def squares(weight, bias):
    return np.square(INPUTS @ weight.T + bias - LABELS).mean()


def make():
    net = nn.Dense(3, 2)
    rows = ds.NumpySlicesDataset((INPUTS, LABELS), shuffle=False).batch(4)
    return Model(net, nn.MSELoss(), metrics={"Loss": Loss()}), net, rows, {"Loss": Loss()}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ckpt_dir").mkdir()
    files = {}
    for number, state in enumerate(STATES):
        files[str(number)] = str(tmp_path / "ckpt_dir" / f"{number}.ckpt")
        named = [{"name": name, "data": Tensor(value.astype(np.float32))} for name, value in state.items()]
        save_checkpoint(named, files[str(number)])
    settings = {
        "landscape_size": 3,
        "unit": "epoch",
        "num_samples": 8,
        "create_landscape": {"train": True, "result": True},
    }
    about = {"epoch_group": {"0": [0, 1, 2, 3]}, "model_params_file_map": files, "step_per_epoch": 2}
    write_metadata(tmp_path, about | settings)
    return tmp_path


def read(folder):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder), size_guidance={"tensors": 0})
    events.Reload()
    texts = {tag: events.Tensors(tag)[0].tensor_proto.string_val[0].decode() for tag in events.Tags()["tensors"]}
    return {tag.removesuffix("/text_summary"): json.loads(text.strip("`\n")) for tag, text in texts.items()}


@pytest.mark.needs(package="tensorboard")
def test_planes_and_losses(folder):
    SummaryLandscape(str(folder)).gen_landscapes_with_multi_process(make, device_ids=[0])
    found = read(folder)
    assert found.keys() == {"landscape_[0, 3]", "landscape_[3]"}
    training, result = found["landscape_[0, 3]"], found["landscape_[3]"]
    assert (training["decomposition"], training["unit"], training["step_per_epoch"]) == ("PCA", "epoch", 2)
    np.testing.assert_allclose(training["path"]["z"][-1], squares(**STATES[3]), rtol=1e-4)
    np.testing.assert_allclose([training["path"][axis][-1] for axis in "xy"], 0, atol=1e-6)
    assert np.shape(training["z"]) == (3, 3)
    extent = np.ptp(training["path"]["x"])
    np.testing.assert_allclose(training["x"][0], min(training["path"]["x"]) - 0.2 * extent, rtol=1e-6)
    assert result["x"] == result["y"] == [-1, 0, 1]
    np.testing.assert_allclose(result["convergence_point"]["z"], squares(**STATES[3]), rtol=1e-4)


def test_the_plane_is_that_of_the_principal_components():
    rows = RNG.normal(size=(4, 30)) * np.array([[3], [1], [2], [0.5]])
    found = landscape._principal(rows)
    centred = rows - rows.mean(1, keepdims=True)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    for place in range(2):
        expected = vectors[:, -1 - place] * np.sqrt(values[-1 - place])
        expected *= np.sign(expected[np.abs(expected).argmax()])
        np.testing.assert_allclose(found[:, place], expected, atol=1e-8)


def test_directions_are_as_long_as_the_weights():
    weights = {"a.weight": np.full((2, 2), 3.0), "a.moment_weight": np.ones(7), "b.bias": np.zeros(3)}
    scaled = landscape._scale_direction(np.arange(1.0, 8.0), weights)
    np.testing.assert_allclose(np.linalg.norm(scaled[:4]), 6)
    assert scaled[4:].tolist() == [0, 0, 0]
    moved = landscape._move_weights(weights, np.ones(7))
    assert moved["a.weight"].tolist() == [[4, 4], [4, 4]]
    assert moved["a.moment_weight"].tolist() == [1] * 7


@pytest.mark.needs(package="tensorboard")
def test_settings_are_replaced_and_weights_removed(folder, tmp_path):
    settings = {"landscape_size": 4, "create_landscape": {"train": False, "result": True}, "intervals": [[0, 1, 2]]}
    one = SummaryLandscape(str(folder))
    one.gen_landscapes_with_multi_process(make, settings, output=str(tmp_path / "out"))
    (found,) = read(tmp_path / "out").values()
    assert found["intervals"] == [2]
    assert np.shape(found["z"]) == (4, 4)
    one.clean_ckpt()
    assert not (folder / "ckpt_dir").exists()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"device_ids": [9]}, ValueError),
        ({"device_ids": ["a"]}, TypeError),
        ({"device_ids": 1}, TypeError),
        ({"collect_landscape": {"landscape_size": 1}}, ValueError),
        ({"collect_landscape": {"intervals": [[1, 2, 9]]}}, ValueError),
    ],
)
def test_bad_argument(folder, arguments, error):
    with pytest.raises(error):
        SummaryLandscape(str(folder)).gen_landscapes_with_multi_process(make, **arguments)
