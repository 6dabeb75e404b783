"""What a model says about a checkpoint that does not fit: suggestions, other numbers of classes."""

import pytest
import torch
from torch import nn

from msbridge.converters import CheckpointError, convert, open_checkpoint
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
