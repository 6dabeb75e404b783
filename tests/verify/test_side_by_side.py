"""A comparison finds nothing between equal networks, and the place and the reason where they differ."""

import json
import re

import numpy as np
import pytest
import torch

from msbridge import Tensor, nn
from msbridge.core.types import dtype as mstype
from msbridge.verify import compare
from tests.zoo.pairs import PAIRS, LeNet, pair


@pytest.mark.parametrize("name", PAIRS)
def test_equal_networks_pass(name):
    found = compare(*pair(name), grad=True, train_steps=2)
    assert (found.verdict, found.findings, found.notes) == ("PASS", (), ())


@pytest.mark.parametrize("name", PAIRS)
def test_every_layer_of_torch_is_matched(name):
    found = compare(*pair(name))
    assert [row.name for row in found.rows if row.status in ("missing", "extra")] == []


def test_functional_calls_are_matched_with_layers():
    found = compare(*pair("LeNet"))
    assert [(row.torch, row.cell) for row in found.rows][:2] == [("conv1", "conv1"), ("relu after conv1", "relu")]


def test_first_layer_and_cause():
    module, cell, inputs = pair("ResNet")
    cell.layers[1].bn2.eps = 1e-3
    found = compare(module, cell, inputs)
    assert (found.verdict, found.first.layer, found.first.kind) == ("FAIL", "layers.1.bn2", "eps")
    assert re.match(r"on torch's own input it differs by up to \d\.\d\de-4 at", found.measured)
    assert found.measured.endswith("17 before it agree")


def test_second_fault_is_seen_behind_the_first():
    module, cell, inputs = pair("ResNet")
    cell.bn1.eps = 1e-3
    cell.layers[3].bn1.eps = 1e-2
    found = compare(module, cell, inputs)
    assert [one.layer for one in found.findings] == ["bn1", "layers.3.bn1"]


def test_layers_behind_a_fault_inherit_it():
    module, cell, inputs = pair("LeNet")
    cell.tanh = nn.Sigmoid()
    found = compare(module, cell, inputs)
    status = {row.torch: row.status for row in found.rows}
    assert (status["tanh after fc2"], status["fc3"], status["fc2"]) == ("differs", "inherited", "equal")


def test_fault_past_an_error_is_seen():
    module, cell, inputs = pair("LeNet")
    cell.conv2 = nn.Conv2d(6, 16, 5, pad_mode="same", has_bias=True)
    cell.tanh = nn.Sigmoid()
    found = compare(module, cell, inputs)
    assert [one.kind for one in found.findings] == ["padding", "activation"]


def test_what_shows_in_training_only_is_a_note():
    module, cell, inputs = pair("ResNet")
    cell.bn1.momentum = 0.9
    found = compare(module, cell, inputs)
    assert (found.verdict, [(one.layer, one.kind) for one in found.notes]) == ("PASS with notes", [("bn1", "momentum")])


def test_training_shows_the_momentum():
    module, cell, inputs = pair("ResNet")
    cell.bn1.momentum = 0.9
    found = compare(module, cell, inputs, train_steps=2)
    assert {name for name, one in found.training.items() if not one.is_noise} == {"bn1.running_mean", "bn1.running_var"}


def test_comparison_leaves_modes_and_training_as_they_were():
    module, cell, inputs = pair("ResNet")
    module.train()
    cell.layers.set_train()
    before = [one.clone() for one in module.state_dict().values()]
    compare(module, cell, inputs, train_steps=1)
    assert module.training
    assert cell.layers.training
    assert not cell.training
    assert all(torch.equal(a, b) for a, b in zip(before, module.state_dict().values(), strict=True))


def test_weights_as_they_are():
    module, cell, inputs = pair("LeNet")
    compare(module, cell, inputs)
    cell.fc2.weight._data.copy_(module.fc2.weight.detach().T)
    found = compare(module, cell, inputs, weights="as is")
    assert (found.first.layer, found.first.kind) == ("fc2", "weight transposed")


def test_layers_of_other_names_are_matched_by_order():
    class Renamed(nn.Cell):
        def __init__(self):
            super().__init__()
            self.features = nn.SequentialCell(nn.Dense(4, 4), nn.ReLU(), nn.Dense(4, 4), nn.BatchNorm1d(4))

        def construct(self, x):
            return self.features(x)

    module = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))
    found = compare(module, Renamed(), torch.randn(3, 4))
    assert (found.verdict, {one.by for one in found.weights.pairs}) == ("PASS", {"order of calls"})


def test_dense_with_an_activation_answers_to_two_layers():
    module = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    cell = nn.SequentialCell(nn.Dense(4, 4, activation="relu"), nn.Dense(4, 2))
    assert compare(module, cell, torch.randn(3, 4)).verdict == "PASS"


@pytest.mark.parametrize("value", [torch.ones(2, 1, 28, 28), np.ones((2, 1, 28, 28), np.float32)])
def test_inputs_of_any_library(value):
    module, cell, _ = pair("LeNet")
    assert compare(module, cell, (value,)).is_same
    assert compare(module, cell, Tensor(value)).is_same


def test_json_is_complete_and_plain():
    module, cell, inputs = pair("LeNet")
    cell.dropout = nn.Dropout(p=0.5)
    data = json.loads(compare(module, cell, inputs).to_json())
    assert data["verdict"] == "PASS with notes"
    assert data["notes"][0]["kind"] == "p"
    assert len(data["rows"]) == 14


def test_summary_names_the_layer_and_the_reason(capsys):
    module, _, inputs = pair("LeNet")
    compare(module, LeNet("no relu"), inputs).print()
    text = capsys.readouterr().out
    assert "FAIL" in text
    assert "relu after conv2" in text
    assert "missing layer" in text


def test_bad_option():
    with pytest.raises(ValueError, match="weights must be"):
        compare(*pair("LeNet"), weights="guess")


def test_timed_runs_and_sizes():
    found = compare(*pair("LeNet"), timed_runs=2, train_steps=4)
    assert {"torch forward", "cell forward", "torch training step", "cell training step"} <= found.seconds.keys()
    few = compare(*pair("LeNet"), train_steps=1)
    assert not {"torch forward", "torch training step"} & few.seconds.keys()  # neither warm nor a median
    assert found.sizes["torch"] == found.sizes["cell"] == 44246
    assert all(mine > 0 and ours > 0 for row in found.rows if row.name == "conv1" for mine, ours in [row.seconds])


def test_weight_norm_has_no_gradient_to_compare_but_its_neighbours_have():
    module = torch.nn.Sequential(torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(4, 4)))
    found = compare(module, nn.SequentialCell(nn.Dense(4, 4)), torch.randn(2, 4), grad=True, train_steps=1)
    is_noted = torch.__version__ < "2.9"  # the parametrization shows as a layer that the Cell has not
    assert found.verdict == ("PASS with notes" if is_noted else "PASS")
    assert list(found.gradients) == ["0.bias"]


def test_weight_that_is_not_trained_is_a_note():
    module, cell, inputs = pair("LeNet")
    cell.fc2.weight.requires_grad = False
    found = compare(module, cell, inputs)
    assert [(one.layer, one.kind) for one in found.notes] == [("fc2.weight", "requires_grad")]


def test_weights_of_another_shape():
    module, cell, inputs = pair("LeNet")
    cell.fc3 = nn.Dense(84, 11)
    found = compare(module, cell, inputs)
    assert (found.first.layer, found.first.kind) == ("fc3", "weight shape")


def test_layers_in_another_order():
    class Turned(nn.Cell):
        def __init__(self):
            super().__init__()
            self.one, self.two = nn.Dense(4, 4), nn.Dense(4, 4)

        def construct(self, x):
            return self.one(self.two(x))

    module = torch.nn.Sequential()
    module.add_module("one", torch.nn.Linear(4, 4))
    module.add_module("two", torch.nn.Linear(4, 4))
    found = compare(module, Turned(), torch.randn(2, 4))
    assert (found.first.kind, found.first.layer, found.first.where) == ("order of layers", "one", "before")


def test_lower_precision_is_a_fault_unless_allowed():
    module, cell, inputs = pair("LeNet")
    cell.fc3.to_float(mstype.float16)
    cell.softmax.to_float(mstype.float32)
    assert compare(module, cell, inputs).first.kind == "dtype"
    assert compare(module, cell, inputs, other_precision=True).is_same


def test_transformer_layers_of_both_libraries():
    module = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, 16), 2, enable_nested_tensor=False)
    cell = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2)
    found = compare(module, cell, torch.randn(5, 2, 8), grad=True)
    assert found.verdict == "PASS"
    assert "layers.1.linear2" in {row.torch for row in found.rows}


def test_inputs_by_name():
    module, cell, (ids, mask) = pair("Bert")
    found = compare(module, cell, {"mask": mask, "ids": ids}, grad=True)
    assert found.verdict == "PASS"
