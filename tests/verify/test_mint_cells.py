"""Networks of mint's layers beside torch's: the same names on both sides, for conversion and for comparison."""

from collections.abc import Callable

import pytest
import torch

import msbridge as ms
from msbridge import mint
from msbridge.converters import convert, open_checkpoint
from msbridge.converters.names.by_model.cells import pairs_of_cell
from msbridge.converters.names.by_model.modules import pairs_of_module
from msbridge.verify import compare

WIDTH, HEADS = 8, 2


class TorchBlock(torch.nn.Module):
    """A transformer block with a convolution, batch and group normalisation behind it."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(11, WIDTH)
        self.norm1 = torch.nn.LayerNorm(WIDTH)
        self.query, self.key, self.value = (torch.nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out = torch.nn.Linear(WIDTH, WIDTH, bias=False)
        self.norm2 = torch.nn.LayerNorm(WIDTH)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(WIDTH, 16), torch.nn.GELU(), torch.nn.Linear(16, WIDTH))
        self.dropout = torch.nn.Dropout(0.1)
        self.conv = torch.nn.Conv1d(WIDTH, WIDTH, 3, padding=1)
        self.bn = torch.nn.BatchNorm1d(WIDTH)
        self.gn = torch.nn.GroupNorm(2, WIDTH)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.embedding(ids)
        y = self.norm1(x)
        query, key, value = (
            part(y).reshape(*y.shape[:2], HEADS, -1).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        scores = torch.softmax(torch.matmul(query, key.transpose(-1, -2)) / 2, -1)
        x = x + self.dropout(self.out(torch.matmul(scores, value).transpose(1, 2).reshape(*x.shape)))
        x = x + self.mlp(self.norm2(x))
        return self.gn(self.bn(self.conv(x.transpose(1, 2))))


class MintBlock(ms.nn.Cell):
    """The same with mint's layers."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = mint.nn.Embedding(11, WIDTH)
        self.norm1 = mint.nn.LayerNorm(WIDTH)
        self.query, self.key, self.value = (mint.nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out = mint.nn.Linear(WIDTH, WIDTH, bias=False)
        self.norm2 = mint.nn.LayerNorm(WIDTH)
        self.mlp = ms.nn.SequentialCell(mint.nn.Linear(WIDTH, 16), mint.nn.GELU(), mint.nn.Linear(16, WIDTH))
        self.dropout = mint.nn.Dropout(0.1)
        self.conv = mint.nn.Conv1d(WIDTH, WIDTH, 3, padding=1)
        self.bn = mint.nn.BatchNorm1d(WIDTH)
        self.gn = mint.nn.GroupNorm(2, WIDTH)

    def construct(self, ids: ms.Tensor) -> ms.Tensor:
        x = self.embedding(ids)
        y = self.norm1(x)
        query, key, value = (
            mint.transpose(part(y).reshape(*y.shape[:2], HEADS, -1), 1, 2)
            for part in (self.query, self.key, self.value)
        )
        scores = mint.softmax(mint.matmul(query, mint.transpose(key, -1, -2)) / 2, dim=-1)
        x = x + self.dropout(self.out(mint.transpose(mint.matmul(scores, value), 1, 2).reshape(*x.shape)))
        x = x + self.mlp(self.norm2(x))
        return self.gn(self.bn(self.conv(mint.transpose(x, 1, 2))))


def inputs() -> list[torch.Tensor]:
    return [torch.randint(0, 11, (2, 5), generator=torch.Generator().manual_seed(1))]


def module() -> TorchBlock:
    torch.manual_seed(1)
    made = TorchBlock()
    made.bn.running_var.uniform_(0.5, 2)
    return made


def test_a_block_of_mint_passes_with_all_weights_paired_by_name() -> None:
    theirs = module()
    found = compare(theirs, MintBlock(), inputs(), grad=True, train_steps=2)
    assert (found.verdict, found.findings, found.notes) == ("PASS", (), ())
    assert {one.by for one in found.weights.pairs} == {"name"}
    assert [one.torch for one in found.weights.pairs] == list(theirs.state_dict())


def set_to(path: str, value: object) -> Callable[[MintBlock], None]:
    def change(cell: MintBlock) -> None:
        layer, _, name = path.rpartition(".")
        setattr(getattr(cell, layer), name, value)

    return change


def narrow(cell: MintBlock) -> None:
    cell.conv = mint.nn.Conv1d(WIDTH, WIDTH, 3, padding=2, dilation=2)


FAULTS = [
    ("norm2", "epsilon", set_to("norm2.eps", 0.1)),
    ("bn", "eps", set_to("bn.eps", 0.1)),
    ("gn", "eps", set_to("gn.eps", 0.1)),
    ("conv", "dilation", narrow),
]


@pytest.mark.parametrize(("layer", "cause", "change"), FAULTS)
def test_a_fault_in_a_layer_of_mint_is_named(layer: str, cause: str, change: Callable[[MintBlock], None]) -> None:
    cell = MintBlock()
    change(cell)
    first = compare(module(), cell, inputs()).first
    assert (first.layer, first.kind) == (layer, cause)


def test_layers_of_mint_under_other_paths_are_paired_by_order() -> None:
    class Renamed(ms.nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.first = mint.nn.Conv1d(3, 4, 3)
            self.second = mint.nn.BatchNorm1d(4)

        def construct(self, x: ms.Tensor) -> ms.Tensor:
            return self.second(self.first(x))

    theirs = torch.nn.Sequential(torch.nn.Conv1d(3, 4, 3), torch.nn.BatchNorm1d(4))
    found = compare(theirs, Renamed(), [torch.randn(2, 3, 6)])
    assert (found.verdict, found.weights.only_torch) == ("PASS", [])


def test_a_cell_of_mint_has_torchs_names_in_both_tables() -> None:
    theirs, cell = module(), MintBlock()
    names = [(name, name, None) for name in theirs.state_dict()]
    assert [(one.torch, one.mindspore, one.axes) for one in pairs_of_module(theirs, cell)] == names
    found = [(one.torch, one.mindspore, one.axes) for one in pairs_of_cell(cell)]
    assert sorted(found) == sorted(names)


def test_a_subclass_of_a_layer_of_mint_has_torchs_names_too() -> None:
    class BatchNorm1d(mint.nn.BatchNorm1d):
        pass

    class LayerNorm(mint.nn.LayerNorm):
        pass

    cell = ms.nn.SequentialCell(BatchNorm1d(3), LayerNorm(3))
    assert all(one.torch == one.mindspore for one in pairs_of_cell(cell))
    assert len(pairs_of_cell(cell)) == 7


@pytest.mark.parametrize("model", [None, TorchBlock], ids=["Cell", "Cell and module"])
def test_a_checkpoint_for_a_cell_of_mint_keeps_all_names(tmp_path, model) -> None:
    theirs = module()
    torch.save(theirs.state_dict(), tmp_path / "block.pth")
    convert(tmp_path / "block.pth", tmp_path / "block.ckpt", cell=MintBlock(), torch_model=model and model())
    assert list(open_checkpoint(tmp_path / "block.ckpt")) == list(theirs.state_dict())
    cell = MintBlock()
    assert ms.load_param_into_net(cell, ms.load_checkpoint(str(tmp_path / "block.ckpt"))) == ([], [])
    torch.testing.assert_close(ms.to_torch(cell(ms.Tensor(inputs()[0]))), theirs.eval()(*inputs()))
