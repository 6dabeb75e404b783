"""What a model says about a checkpoint that does not fit: suggestions, other numbers of classes, training state."""

import json

import pytest
import torch
from torch import nn

from msbridge.converters import CheckpointError, convert, load_into, open_checkpoint
from msbridge.converters.names.by_model.matching import suggestions


def network(classes: int = 10, **names: str) -> nn.Module:
    made = nn.Sequential()
    made.add_module(names.get("conv", "conv1"), nn.Conv2d(3, 8, 3, bias=False))
    made.add_module(names.get("bn", "bn1"), nn.BatchNorm2d(8))
    made.add_module(names.get("fc", "fc"), nn.Linear(8, classes))
    return made


@pytest.fixture
def source(tmp_path):
    torch.save(network().state_dict(), tmp_path / "net.pth")
    return tmp_path / "net.pth"


def test_suggestions_are_of_the_same_shape_and_the_nearest_first():
    missing = {"layer.1.weight": (3,), "layer.2.bias": (3,), "layer.1.bias": (3,), "x": (3,), "layer1.weight": (4,)}
    found = suggestions("layer1.weight", (3,), missing)
    assert found == " (missing, of the same shape: 'layer.1.weight', 'layer.1.bias', 'layer.2.bias')"


def test_without_one_of_the_shape_like_names_are_shown_with_theirs():
    missing = {"head.weight": (100, 8), "other": (3,)}
    assert suggestions("heads.weight", (10, 8), missing) == " (missing, of other shapes: 'head.weight' (100, 8))"
    assert suggestions("abc", (1,), {"xyz": (2,)}) == ""


def test_names_that_do_not_fit_get_suggestions(source, tmp_path):
    with pytest.raises(CheckpointError) as caught:
        convert(source, tmp_path / "a.ckpt", torch_model=network(conv="conv_1", fc="classifier"))
    assert "'conv1.weight' is not in the model (missing, of the same shape: 'conv_1.weight')" in str(caught.value)
    assert "'classifier.bias' of the model is missing" in str(caught.value)
    assert ("allow_unmatched",) in [one.options for one in caught.value.remedies]
    assert not (tmp_path / "a.ckpt").exists()


def test_another_number_of_classes_is_left_out_and_listed(source, tmp_path):
    with pytest.raises(CheckpointError, match=r"'fc.weight' has shape \(10, 8\), the model's has \(100, 8\)"):
        convert(source, tmp_path / "a.ckpt", torch_model=network(100))
    report = convert(source, tmp_path / "a.ckpt", torch_model=network(100), allow_unmatched=True)
    assert {one.sources[0] for one in report.outcomes if one.status == "unmatched"} == {"fc.weight", "fc.bias"}
    assert "fc.weight" not in open_checkpoint(tmp_path / "a.ckpt")


def test_module_and_cell_that_do_not_go_together_get_suggestions(source, tmp_path):
    from msbridge import nn as cells

    class Net(cells.Cell):
        def __init__(self):
            super().__init__()
            self.conv_1 = cells.Conv2d(3, 8, 3)
            self.bn1 = cells.BatchNorm2d(8)
            self.fc = cells.Dense(8, 10)

    with pytest.raises(CheckpointError, match=r"'conv1.weight' is not in the Cell \(missing, .*'conv_1.weight'\)"):
        convert(source, tmp_path / "a.ckpt", torch_model=network(), cell=Net())


NORMALISED = [nn.utils.spectral_norm, nn.utils.parametrizations.weight_norm, nn.utils.parametrizations.spectral_norm]


@pytest.mark.parametrize("by", NORMALISED)
def test_a_weight_in_parts_finds_its_place_in_a_cell(tmp_path, by):
    """Judge: the weight that the torch layer computes with."""
    from msbridge import nn as cells

    class Net(cells.Cell):
        def __init__(self):
            super().__init__()
            self.conv = cells.Conv1d(4, 6, 3, has_bias=True)

    module = nn.ModuleDict({"conv": by(nn.Conv1d(4, 6, 3))}).eval()
    module["conv"](torch.zeros(1, 4, 5))
    torch.save(module.state_dict(), tmp_path / "a.pth")
    net = Net()
    report = load_into(net, tmp_path / "a.pth")
    assert not report.guessed
    torch.testing.assert_close(net.conv.weight._data[:, :, 0], module["conv"].weight.detach())


def test_training_state_is_classified_and_left_out_when_asked(tmp_path):
    weights = {"fc.weight": torch.ones(2, 2), "fc.bias": torch.ones(2)}
    state = weights | {f"adam_{m}.{name}": value for m in "mv" for name, value in weights.items()}
    state |= {"global_step": torch.tensor([3]), "learning_rate": torch.tensor(0.1)}
    torch.save(state, tmp_path / "a.pth")
    convert(tmp_path / "a.pth", tmp_path / "a.ckpt", to="mindspore", of="mindspore")
    kept = convert(tmp_path / "a.ckpt", tmp_path / "b.ckpt")
    assert {one.sources[0]: one.reason for one in kept.outcomes}["adam_m.fc.bias"] == "training state (AdamWeightDecay)"
    assert kept.counts == {"kept": 8}
    stripped = convert(tmp_path / "a.ckpt", tmp_path / "c.ckpt", strip_optimizer=True)
    assert set(open_checkpoint(tmp_path / "c.ckpt")) == set(weights)
    assert stripped.counts == {"kept": 2, "dropped": 6}


WORDS = {"kept", "renamed", "reshaped", "transposed", "computed", "cast", "dropped", "unmatched"}


def test_the_report_lists_every_name_and_what_changed(tmp_path):
    module = nn.ModuleDict({"conv": nn.Conv1d(2, 3, 4), "bn": nn.BatchNorm1d(3), "fc": nn.Linear(3, 2, bias=False)})
    torch.save(module.state_dict(), tmp_path / "a.pth")
    report = convert(tmp_path / "a.pth", tmp_path / "a.ckpt", dtype="float16")
    report.write(tmp_path / "report.json")
    rows = json.loads((tmp_path / "report.json").read_text())["tensors"]
    assert {name for row in rows for name in row["from"]} == set(module.state_dict())
    assert all(set(row["outcome"].split("+")) <= WORDS for row in rows)
    changes = {row["from"][0]: row["changes"] for row in rows}
    assert changes["conv.weight"] == ["reshaped", "cast"]
    assert changes["bn.running_var"] == ["renamed", "cast"]
    assert changes["bn.num_batches_tracked"] == ["dropped"]
    assert changes["fc.weight"] == ["cast"]
