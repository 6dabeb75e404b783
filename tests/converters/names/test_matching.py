"""Pairing by order: other names, other nesting, tensors whole here and in parts there, projections of one shape."""

import pytest
import torch

from msbridge import nn, ops
from msbridge.converters import convert, load_into, open_checkpoint
from msbridge.converters.errors import MismatchError
from msbridge.converters.names.by_order.matching import in_order
from msbridge.converters.names.matching import pairs_of_both
from msbridge.converters.names.parameter_table import Pair, Slot
from msbridge.core.parameter.parameter import Parameter


class Block(torch.nn.Module):
    """A residual block in torchvision's names: the shortcut is defined last."""

    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(8, 16, 1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(16)
        self.downsample = torch.nn.Sequential(torch.nn.Conv2d(8, 16, 1, stride=2, bias=False), torch.nn.BatchNorm2d(16))
        self.layer_scale = torch.nn.Parameter(torch.randn(16, 1, 1))


class ShortcutFirst(nn.Cell):
    """The same in other names, with the shortcut defined first and another shape of the scale."""

    def __init__(self):
        super().__init__()
        self.proj = nn.SequentialCell(nn.Conv2d(8, 16, 1, stride=2), nn.BatchNorm2d(16))
        self.main = nn.SequentialCell(nn.Conv2d(8, 16, 1), nn.BatchNorm2d(16))
        self.gamma_ = Parameter(ops.ones((16,)), name="gamma_")


class Fused(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.proj = torch.nn.Linear(4, 12), torch.nn.Linear(4, 4)


class Apart(nn.Cell):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Dense(4, 4) for _ in range(4))


def saved(module, tmp_path):
    torch.save(module.state_dict(), tmp_path / "net.pth")
    return tmp_path / "net.pth"


def test_a_stride_tells_layers_of_one_shape_apart():
    names = {one.torch: one.mindspore for one in pairs_of_both(Block(), ShortcutFirst()).pairs}
    assert names["conv1.weight"] == "main.0.weight"
    assert names["downsample.0.weight"] == "proj.0.weight"
    assert names["bn1.running_var"] == "main.1.moving_variance"
    assert names["downsample.1.weight"] == "proj.1.gamma"
    assert names["layer_scale"] == "gamma_"


def test_names_that_differ_are_refused_until_order_is_asked_for(tmp_path):
    module, cell, source = Block(), ShortcutFirst(), saved(Block(), tmp_path)
    with pytest.raises(MismatchError, match="by_order pairs layers") as caught:
        convert(source, tmp_path / "a.ckpt", torch_model=module, cell=cell)
    assert ("by_order",) in [one.options for one in caught.value.remedies]
    report = convert(source, tmp_path / "a.ckpt", torch_model=module, cell=cell, by_order=True)
    assert {one.reason for one in report.outcomes if one.guessed} == {"by order"}
    with open_checkpoint(tmp_path / "a.ckpt") as made:
        assert {one.name: one.shape for one in made.entries.values()} == {
            one.name: tuple(one.shape) for one in cell.get_parameters()
        }


def test_strict_takes_no_order(tmp_path):
    source = saved(Block(), tmp_path)
    with pytest.raises(MismatchError, match="strict"):
        convert(source, tmp_path / "a.ckpt", torch_model=Block(), cell=ShortcutFirst(), by_order=True, strict=True)


@pytest.mark.parametrize(("module", "cell"), [(Block(), ShortcutFirst()), (Fused(), Apart())])
def test_by_order_there_and_back_gives_the_same_bits(module, cell, tmp_path):
    models = {"torch_model": module, "cell": cell, "by_order": True}
    convert(saved(module, tmp_path), tmp_path / "a.ckpt", **models)
    convert(tmp_path / "a.ckpt", tmp_path / "b.pth", **models)
    back = torch.load(tmp_path / "b.pth")
    wanted = {name: one for name, one in module.state_dict().items() if "num_batches_tracked" not in name}
    assert back.keys() == wanted.keys()
    assert all(torch.equal(back[name], one) for name, one in wanted.items())


@pytest.mark.parametrize("models", [{"torch_model": Fused()}, {}])
def test_parts_are_cut_from_the_whole_in_order(models, tmp_path):
    module = Fused()
    convert(saved(module, tmp_path), tmp_path / "a.ckpt", cell=Apart(), by_order=True, **models)
    with open_checkpoint(tmp_path / "a.ckpt") as made:
        assert torch.equal(made["v.bias"], module.qkv.bias[8:])
        assert torch.equal(made["k.weight"], module.qkv.weight[4:8])
        assert torch.equal(made["out.weight"], module.proj.weight)


def test_parts_become_the_whole(tmp_path):
    class Whole(nn.Cell):
        def __init__(self):
            super().__init__()
            self.c_attn, self.out = nn.Dense(4, 12), nn.Dense(4, 4)

    class Parts(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.q, self.k, self.v, self.o = (torch.nn.Linear(4, 4) for _ in range(4))

    module = Parts()
    convert(saved(module, tmp_path), tmp_path / "a.ckpt", torch_model=module, cell=Whole(), by_order=True)
    with open_checkpoint(tmp_path / "a.ckpt") as made:
        wanted = torch.cat([module.q.weight, module.k.weight, module.v.weight])
        assert torch.equal(made["c_attn.weight"], wanted)


def test_what_the_cell_does_not_train_may_be_left_to_it(tmp_path):
    class Counted(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = nn.Dense(4, 4)
            self.stride = Parameter(ops.ones((3,)), name="stride", requires_grad=False)

    source = saved(torch.nn.Sequential(torch.nn.Linear(4, 4)), tmp_path)
    with pytest.raises(MismatchError, match="it is not trained"):
        convert(source, tmp_path / "a.ckpt", cell=Counted(), by_order=True)
    convert(source, tmp_path / "a.ckpt", cell=Counted(), by_order=True, allow_unmatched=True)
    with open_checkpoint(tmp_path / "a.ckpt") as made:
        assert set(made) == {"net.weight", "net.bias"}


def test_order_without_a_cell_is_refused(tmp_path):
    with pytest.raises(ValueError, match="needs the Cell"):
        convert(saved(Block(), tmp_path), tmp_path / "a.ckpt", torch_model=Block(), by_order=True)


class Shared(torch.nn.Module):
    """One layer under three names."""

    def __init__(self):
        super().__init__()
        self.mix, self.out = torch.nn.Linear(4, 4), torch.nn.Linear(4, 2)
        self.blocks = torch.nn.ModuleList(torch.nn.ModuleDict({"mix": self.mix}) for _ in range(2))


class SharedCell(nn.Cell):
    def __init__(self, copies: int = 1):
        super().__init__()
        self.mixers, self.head = nn.CellList([nn.Dense(4, 4) for _ in range(copies)]), nn.Dense(4, 2)


@pytest.mark.parametrize("copies", [1, 3])
def test_a_shared_layer_is_written_under_the_names_that_the_other_side_has(copies, tmp_path):
    module = Shared()
    models = {"torch_model": module, "cell": SharedCell(copies), "by_order": True}
    report = convert(saved(module, tmp_path), tmp_path / "a.ckpt", **models)
    lost = [one for one in report.outcomes if one.reason == "another name of 'mix.weight'"]
    assert len(lost) == 3 - copies
    with open_checkpoint(tmp_path / "a.ckpt") as made:
        assert all(torch.equal(made[f"mixers.{number}.weight"], module.mix.weight) for number in range(copies))
    convert(tmp_path / "a.ckpt", tmp_path / "b.pth", **models)
    back = torch.load(tmp_path / "b.pth")
    Shared().load_state_dict(back)
    assert all(torch.equal(back[name], one) for name, one in module.state_dict().items())


def test_further_names_that_the_cell_lacks_are_left_out_without_order_too(tmp_path):
    class Cell(nn.Cell):
        def __init__(self):
            super().__init__()
            self.mix, self.out = nn.Dense(4, 4), nn.Dense(4, 2)

    convert(saved(Shared(), tmp_path), tmp_path / "a.ckpt", torch_model=Shared(), cell=Cell())
    with open_checkpoint(tmp_path / "a.ckpt") as made:
        assert set(made) == {"mix.weight", "mix.bias", "out.weight", "out.bias"}


def test_what_rests_on_order_alone_is_counted(tmp_path):
    models = {"torch_model": Shared(), "cell": SharedCell(3), "by_order": True}
    report = convert(saved(Shared(), tmp_path), tmp_path / "a.ckpt", **models)
    assert {one.targets[0] for one in report.ordered} == {
        f"mixers.{number}.{leaf}" for number in range(3) for leaf in ("weight", "bias")
    }


@pytest.mark.parametrize("width", [1, 40])
def test_layers_far_from_the_diagonal_are_found(width):
    """As many layers as there are more on one side come before the first pair: the band has to grow."""
    left = [Pair(f"a.{number}.weight", f"a.{number}.weight", None, (3, number + 1)) for number in range(30)]
    rest = [Slot(f"b.{number}.weight", (5, 5), True) for number in range(width)]
    rest += [Slot(f"c.{number}.weight", (3, number + 1), True) for number in range(30)]
    found = in_order(left, rest + [Slot(f"d.{one}.weight", (5, 5), True) for one in range(width)])
    assert [(pair.torch, slot.key) for pair, slot in found.pairs] == [
        (f"a.{n}.weight", f"c.{n}.weight") for n in range(30)
    ]


class Normalised(torch.nn.Module):
    def __init__(self, tracks: bool = False):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)
        self.norm = torch.nn.InstanceNorm2d(4, affine=True, track_running_stats=tracks)


class NormalisedCell(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3, has_bias=True), nn.InstanceNorm2d(4)


def test_statistics_that_torch_does_not_keep_are_missing_and_no_error(tmp_path):
    module, cell = Normalised(), NormalisedCell()
    report = load_into(cell, saved(module, tmp_path))
    assert report.missing == ["norm.running_mean", "norm.running_var"]
    assert torch.equal(cell.conv.weight._data, module.conv.weight)


@pytest.mark.parametrize("models", [{}, {"cell": NormalisedCell()}, {"cell": NormalisedCell(), "by_order": True}])
def test_statistics_that_torch_does_not_keep_are_dropped_on_the_way_back(models, tmp_path):
    module = Normalised()
    models = models | {"torch_model": module}
    convert(saved(Normalised(tracks=True), tmp_path), tmp_path / "b.ckpt", cell=NormalisedCell())
    convert(tmp_path / "b.ckpt", tmp_path / "c.pth", **models)
    assert torch.load(tmp_path / "c.pth").keys() == module.state_dict().keys()
