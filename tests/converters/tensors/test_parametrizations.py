"""Weights that torch keeps in several tensors. Judge: the weight that the torch layer computes with."""

import pytest
import torch
from torch import nn

from msbridge.converters import CheckpointError, convert, load_into, open_checkpoint

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


WAYS = [nn.utils.spectral_norm, nn.utils.parametrizations.weight_norm, nn.utils.parametrizations.spectral_norm]


@pytest.mark.parametrize("by", WAYS)
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
