"""Judge: the recorded names and shapes of MindSpore's Cells (tests/oracle/checkpoints/records/cells.json)."""

import json
from itertools import pairwise
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from msbridge.converters import CheckpointError, convert, open_checkpoint
from msbridge.converters.factories import factory
from msbridge.converters.names.by_model.cells import pairs_of_cell
from msbridge.converters.names.by_model.modules import pairs_of_module
from msbridge.converters.names.pairs import layers
from msbridge.converters.tensors.axes import axes

MODULES = {
    "BatchNorm1d": lambda: nn.BatchNorm1d(3),
    "BatchNorm2d": lambda: nn.BatchNorm2d(3),
    "BatchNorm3d": lambda: nn.BatchNorm3d(3),
    "BiDense": lambda: nn.Bilinear(3, 4, 5),
    "Conv1d": lambda: nn.Conv1d(4, 6, 3, groups=2),
    "Conv1dTranspose": lambda: nn.ConvTranspose1d(4, 6, 3, groups=2),
    "Conv2d": lambda: nn.Conv2d(4, 6, (3, 5), groups=2),
    "Conv2dTranspose": lambda: nn.ConvTranspose2d(4, 6, (3, 5), groups=2),
    "Conv3d": lambda: nn.Conv3d(4, 6, (2, 3, 5)),
    "Conv3dTranspose": lambda: nn.ConvTranspose3d(4, 6, (2, 3, 5)),
    "Dense": lambda: nn.Linear(3, 4),
    "Embedding": lambda: nn.Embedding(5, 3),
    "GRU": lambda: nn.GRU(3, 5, 1),
    "GRUCell": lambda: nn.GRUCell(3, 5),
    "GroupNorm": lambda: nn.GroupNorm(2, 4),
    "InstanceNorm1d": lambda: nn.InstanceNorm1d(3, affine=True, track_running_stats=True),
    "InstanceNorm2d": lambda: nn.InstanceNorm2d(3, affine=True, track_running_stats=True),
    "InstanceNorm3d": lambda: nn.InstanceNorm3d(3, affine=True, track_running_stats=True),
    "LSTM": lambda: nn.LSTM(3, 5, 2, bidirectional=True),
    "LSTMCell": lambda: nn.LSTMCell(3, 5),
    "LayerNorm": lambda: nn.LayerNorm((3, 4)),
    "MultiheadAttention": lambda: nn.MultiheadAttention(4, 2),
    "PReLU": lambda: nn.PReLU(3),
    "RNN": lambda: nn.RNN(3, 5, 1),
    "RNNCell": lambda: nn.RNNCell(3, 5),
    "SyncBatchNorm": lambda: nn.SyncBatchNorm(3),
    "TransformerDecoderLayer": lambda: nn.TransformerDecoderLayer(4, 2, 8),
    "TransformerEncoderLayer": lambda: nn.TransformerEncoderLayer(4, 2, 8),
}


@pytest.fixture(scope="session")
def cells(records):
    return json.loads((records / "cells.json").read_text())


@pytest.mark.parametrize("cell", MODULES)
def test_names_and_shapes_are_those_of_the_cell(cells, cell):
    pairs = pairs_of_module(nn.ModuleDict({"m": MODULES[cell]()}))
    found = {pair.mindspore: list(pair.mindspore_shape) for pair in pairs if pair.mindspore}
    assert found == cells[cell]["as m"]


@pytest.mark.parametrize("cell", MODULES)
def test_names_of_a_layer_alone(cells, cell):
    found = {pair.mindspore: list(pair.mindspore_shape) for pair in pairs_of_module(MODULES[cell]()) if pair.mindspore}
    assert found == cells[cell]["alone"]


def test_every_row_has_a_case_and_names_a_torch_class():
    assert {row.cell.rpartition(".")[2] for row in layers().values()} == set(MODULES)
    assert all(issubclass(factory_class(name), nn.Module) for name in layers())


def factory_class(name: str) -> type:
    return getattr(nn, name.rpartition(".")[2])


def test_every_rename_and_every_reshape_inverts():
    for row in layers().values():
        assert len(set(row.rename.values())) == len(row.rename)
        for pattern in row.reshape.values():
            assert axes(pattern).inverse.inverse == axes(pattern)


def test_a_subclass_follows_the_row_of_its_base():
    class Mine(nn.BatchNorm2d):
        pass

    assert pairs_of_module(nn.Sequential(Mine(2)))[0].mindspore == "0.gamma"


def test_a_subclass_is_not_taken_for_a_torch_layer_of_the_same_name():
    class Linear(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(2))

    assert [pair.mindspore for pair in pairs_of_module(nn.Sequential(Linear()))] == ["0.weight"]


def test_tied_weights_are_optional_the_second_time():
    model = nn.Sequential(nn.Embedding(5, 3), nn.Linear(3, 5, bias=False))
    model[1].weight = model[0].weight
    assert [(pair.mindspore, pair.optional) for pair in pairs_of_module(model)] == [
        ("0.embedding_table", False),
        ("1.weight", True),
    ]


def test_a_batch_norm_inside_another_layer_has_no_counter_of_its_own():
    from msbridge import nn as cells

    pairs = pairs_of_cell(cells.SequentialCell(cells.BatchNorm3d(3)))
    assert [pair.torch for pair in pairs if pair.mindspore is None] == ["0.num_batches_tracked"]


def test_the_cells_of_mint_have_torch_names_and_shapes():
    class BatchNorm2d:
        __module__ = "mindspore.mint.nn.layer.normalization"

    class Conv1d:
        __module__ = "mindspore.mint.nn.layer.conv"

    class LayerNormExt:
        __module__ = "mindspore.nn.layer.normalization"

    for kind in (BatchNorm2d, Conv1d, LayerNormExt):
        fake = Fake("Cell", {"m.weight": (3, 4, 5), "m.bias": (3,), "m.num_batches_tracked": ()})
        fake.kind = kind()
        assert [(pair.torch, pair.mindspore, pair.axes) for pair in pairs_of_cell(fake)] == [
            (name, name, None) for name in fake.shapes
        ]


NORMALISED = {
    "old": nn.utils.spectral_norm,
    "parametrization": nn.utils.parametrizations.spectral_norm,
    "weight norm": nn.utils.parametrizations.weight_norm,
}


@pytest.mark.parametrize("by", NORMALISED)
@pytest.mark.parametrize("exact", [True, False], ids=["exact", "guessed"])
def test_a_normalised_weight_becomes_the_weight_that_torch_computes_with(tmp_path, by, exact):
    """Judge: the weight of the torch layer in inference."""
    layers = {
        "conv": nn.Conv1d(4, 6, 3),
        "up": nn.ConvTranspose2d(4, 6, 3),
        "fc": nn.Linear(3, 5),
        "embed": nn.Embedding(7, 3),
    }
    module = nn.ModuleDict({name: NORMALISED[by](layer) for name, layer in layers.items()}).eval()
    torch.save(module.state_dict(), tmp_path / "a.pth")
    report = convert(tmp_path / "a.pth", tmp_path / "a.ckpt", torch_model=module if exact else None)
    found = open_checkpoint(tmp_path / "a.ckpt")
    assert set(found) == {f"{name}.{leaf}" for name in ("conv", "up", "fc") for leaf in ("weight", "bias")} | {
        "embed.embedding_table"
    }
    with torch.no_grad():
        for name, layer in layers.items():
            layer(
                torch.zeros(1, 4, 9, 9)[:, :, 0] if name == "conv" else GIVEN[name]
            )  # computes .weight of the old form
            expected = layer.weight.unsqueeze(2) if name == "conv" else layer.weight
            key = "embed.embedding_table" if name == "embed" else f"{name}.weight"
            torch.testing.assert_close(found[key], expected.detach(), rtol=1e-6, atol=1e-6)
    assert exact != any("folded" in one.reason for one in report.guessed)


GIVEN = {"up": torch.zeros(1, 4, 5, 5), "fc": torch.zeros(1, 3), "embed": torch.zeros(1, dtype=torch.int64)}


def test_spectral_norm_cannot_come_back(tmp_path):
    module = nn.ModuleDict({"fc": nn.utils.spectral_norm(nn.Linear(3, 5))})
    convert_from = tmp_path / "a.pth"
    torch.save(module.state_dict(), convert_from)
    convert(convert_from, tmp_path / "a.ckpt", torch_model=module)
    with pytest.raises(CheckpointError, match=r"'fc\.weight_orig' of the model is under spectral norm"):
        convert(tmp_path / "a.ckpt", tmp_path / "b.pth", torch_model=module)


def test_extra_state_of_a_module_is_dropped(tmp_path):
    class Layer(nn.Linear):
        def get_extra_state(self):
            return torch.ones(3)

        def set_extra_state(self, state):
            pass

    module = nn.Sequential(Layer(3, 2))
    torch.save(module.state_dict(), tmp_path / "a.pth")
    convert(tmp_path / "a.pth", tmp_path / "a.ckpt", torch_model=module)
    assert set(open_checkpoint(tmp_path / "a.ckpt")) == {"0.weight", "0.bias"}


@pytest.mark.parametrize("target", ["nothing", "torch.nn:", ":x", "torch.nn:Nothing", "no_such_module:x"])
def test_a_wrong_factory_is_named(target):
    with pytest.raises(CheckpointError, match=target):
        factory(target)


def test_factory_makes_the_module():
    assert isinstance(factory("torch.nn:Identity"), nn.Identity)


AXES = [
    ("o i k -> o i 1 k", (4, 3, 5), (4, 3, 1, 5)),
    ("o i 1 k -> o i k", (4, 3, 1, 5), (4, 3, 5)),
    ("i o -> o i", (2, 3), (3, 2)),
    ("a b c -> c 1 a b", (2, 3, 4), (4, 1, 2, 3)),
    ("(a 1) b -> b a", (2, 3), (3, 2)),
]


@pytest.mark.parametrize(("pattern", "before", "after"), AXES)
def test_axes_move_as_the_pattern_says_and_back(pattern, before, after):
    tensor = torch.arange(torch.Size(before).numel()).reshape(before)
    there = axes(pattern).apply(tensor, "x")
    assert there.shape == after == axes(pattern).shape(before, "x")
    assert torch.equal(axes(pattern).inverse.apply(there, "x"), tensor)
    assert axes(pattern).keeps_order == torch.equal(there.reshape(-1), tensor.reshape(-1))


def test_axes_name_the_tensor_that_does_not_fit():
    for shape in [(2, 3), (2, 3, 4, 5), (2, 3, 2, 5)]:
        with pytest.raises(CheckpointError, match=r"'w' of shape .* does not fit"):
            axes("o i 1 k -> o i k").shape(shape, "w")


@pytest.mark.parametrize("pattern", ["o i", "o i -> o", "o o -> o o", "o -> i", "->x"])
def test_a_wrong_pattern_is_refused(pattern):
    with pytest.raises(CheckpointError, match="same axes"):
        axes(pattern)


def test_rows_are_sorted():
    assert all(before < after for before, after in pairwise(layers()))


def facts(pairs) -> set:
    return {(one.torch, one.mindspore, one.axes, one.shape) for one in pairs if one.mindspore is not None}


CELLS = {
    "BatchNorm2d": lambda cells: cells.BatchNorm2d(3),
    "Conv2d": lambda cells: cells.Conv2d(4, 6, (3, 5), group=2, has_bias=True),
    "Dense": lambda cells: cells.Dense(3, 4),
    "LayerNorm": lambda cells: cells.LayerNorm((3, 4)),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_gives_the_same_pairs_as_its_torch_layer(name):
    from msbridge import nn as cells

    assert facts(pairs_of_cell(cells.SequentialCell(CELLS[name](cells)))) == facts(
        pairs_of_module(nn.Sequential(MODULES[name]()))
    )


class Fake:
    """A Cell as far as names go: its type's name, and the parameters that MindSpore's has."""

    def __init__(self, kind: str, shapes: dict):
        self.kind = type(kind, (), {})()
        self.shapes = shapes

    def cells_and_names(self):
        yield "", self
        yield "m", self.kind

    def parameters_and_names(self):
        for name, shape in self.shapes.items():
            yield name, SimpleNamespace(name=name, shape=tuple(shape))


@pytest.mark.parametrize("name", [name for name in MODULES if not name.startswith("Transformer")])
def test_the_recorded_cells_give_the_same_pairs_as_their_torch_layers(cells, name):
    fake, module = Fake(name, cells[name]["as m"]), nn.ModuleDict({"m": MODULES[name]()})
    assert facts(pairs_of_cell(fake)) == facts(pairs_of_module(module))
