"""The runner: which files it writes, what is in them, and what it refuses."""

import json

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge import nn
from msbridge.contrib.explainer import ImageClassificationRunner
from msbridge.contrib.explainer.benchmark import ClassSensitivity, Faithfulness, Localization
from msbridge.contrib.explainer.explanation import RISE, Gradient, GuidedBackprop
from tests.contrib.explainer.helpers_explainer import IMAGES, Net

pytestmark = [pytest.mark.needs(package="tensorboard"), pytest.mark.needs(package="PIL")]
IMAGES = IMAGES.repeat(2, axis=1)[:, :3]  # three channels
NAMES = ["a", "b", "c"]


class ColourNet(Net):
    """The same network, of three channels."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, pad_mode="valid")


def dataset(boxes=False):
    columns = {"image": IMAGES, "label": np.array([0, 2], np.int32)}
    if boxes:
        columns["box"] = np.array([[[0, 0, 4, 4]], [[2, 2, 4, 4]]], np.int32)
    return ds.NumpySlicesDataset(columns, shuffle=False).batch(2)


def texts(folder):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder), size_guidance={"tensors": 0})
    events.Reload()
    return {
        tag: [one.tensor_proto.string_val[0].decode() for one in events.Tensors(tag)]
        for tag in events.Tags()["tensors"]
    }


@pytest.mark.needs(package="scipy")
def test_maps_scores_and_spread(tmp_path, capsys):
    net = ColourNet()
    runner = ImageClassificationRunner(str(tmp_path), (dataset(boxes=True), NAMES), net, nn.Sigmoid())
    rise = RISE(net, nn.Sigmoid())
    rise._num_masks = 8
    measures = [Faithfulness(3, nn.Sigmoid()), ClassSensitivity(), Localization(3)]
    runner.register_saliency([Gradient(net), rise], measures)
    runner.register_uncertainty()
    runner.run()
    (folder,) = tmp_path.glob("_explain_*")
    assert json.loads((folder / "manifest.json").read_text()) == {
        "saliency_map": True,
        "benchmark": True,
        "uncertainty": True,
        "hierarchical_occlusion": False,
    }
    assert len(list(folder.glob("origin_images/0/*.jpg"))) == 2
    maps = {path.name for path in folder.glob("heatmap/Gradient/0/*.jpg")}
    assert maps == {path.name for path in folder.glob("heatmap/RISE/0/*.jpg")}
    assert {"0_0.jpg", "1_2.jpg"} <= maps
    written = texts(tmp_path)
    tags = ("metadata", "sample", "inference", "explanation", "benchmark")
    assert {tag.split("/")[1] for tag in written} == set(tags)
    inference = next(value for tag, value in written.items() if tag.startswith("explainer/inference"))
    assert "ground_truth_prob_itl95_low" in inference[0]
    benchmark = next(value for tag, value in written.items() if tag.startswith("explainer/benchmark"))
    assert "Localization" in benchmark[0]
    assert "Finish" in capsys.readouterr().out


class Bright(nn.Cell):
    """Its logit of class 1 grows with the brightness of a part."""

    def construct(self, x):
        return nn.Dense(1, 3, weight_init="zeros")(x[:, 0, :30, :30].mean((1, 2)).reshape(-1, 1)) + 1


def test_hierarchical_occlusion(tmp_path):
    data = ds.NumpySlicesDataset({"image": np.zeros((1, 3, 60, 60), np.float32)}, shuffle=False).batch(1)
    runner = ImageClassificationRunner(str(tmp_path), (data, NAMES), Bright(), nn.Sigmoid())
    runner.register_hierarchical_occlusion()
    with pytest.raises(RuntimeError, match="before"):
        runner.register_hierarchical_occlusion()
    with pytest.raises(RuntimeError, match="no parts"):
        runner.run()  # the blurred image has the same probabilities, so that no part is needed


def make(folder, net=None, data=None, names=NAMES):
    return ImageClassificationRunner(str(folder), (data or dataset(), names), net or ColourNet(), nn.Softmax())


@pytest.mark.parametrize(
    ("register", "error", "words"),
    [
        (lambda runner, net: runner.run(), ValueError, "register_saliency"),
        (lambda runner, net: runner.register_saliency([]), ValueError, "explainer"),
        (lambda runner, net: runner.register_saliency([Gradient(net), Gradient(net)]), ValueError, "differ"),
        (lambda runner, net: runner.register_saliency([Gradient(ColourNet())]), ValueError, "network"),
        (lambda runner, net: runner.register_saliency([net]), TypeError, "explainers"),
        (lambda runner, net: runner.register_saliency([Gradient(net)], [Localization(3)]), ValueError, "boxes"),
        (lambda runner, net: runner.register_saliency([Gradient(net)], [Localization(4)]), ValueError, "num_labels"),
        (lambda runner, net: runner.register_hierarchical_occlusion(), ValueError, "56"),
    ],
)
def test_bad_registration(register, error, words, tmp_path):
    net = ColourNet()
    with pytest.raises(error, match=words):
        register(make(tmp_path, net), net)


def test_bad_data(tmp_path):
    with pytest.raises(ValueError, match="classes"):
        make(tmp_path, names=["a", "b"])
    with pytest.raises(ValueError, match="differ"):
        make(tmp_path, names=["a", "a", "b"])
    with pytest.raises(TypeError, match="data"):
        ImageClassificationRunner(str(tmp_path), (1, NAMES), ColourNet(), nn.Softmax())
    runner, net = make(tmp_path), ColourNet()
    runner = make(tmp_path, net)
    runner.register_saliency([GuidedBackprop(net)])
    with pytest.raises(RuntimeError, match="before"):
        runner.register_saliency([GuidedBackprop(net)])
