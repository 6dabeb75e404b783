"""Judge: the recorded names and shapes of MindSpore's Cells (`cell_parameters`)."""

import re
from itertools import pairwise
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from msbridge.converters import convert, open_checkpoint
from msbridge.converters.names.by_model.cells import pairs_of_cell
from msbridge.converters.names.by_model.modules import pairs_of_module
from msbridge.converters.names.parameter_table import layers
from msbridge.converters.tensors.axes import axes
from tests.oracle.recorded import answers

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
def cells():
    return {re.search(r"nn\.(\w+)", name)[1]: answer for name, answer in answers("cell_parameters").items()}


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
