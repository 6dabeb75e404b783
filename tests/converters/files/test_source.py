"""Files that change while they are read."""

import os

import pytest
import torch

from msbridge.converters import CheckpointError, convert, load_into, open_checkpoint
from msbridge.converters.formats import safetensors
from msbridge.converters.tensors.entry import entry


@pytest.fixture
def shrunk(tmp_path):
    """An open checkpoint whose file became shorter; whoever touched its mapping would be killed."""
    safetensors.write(tmp_path / "x.safetensors", [entry("weight", torch.ones(30_000)), entry("bias", torch.ones(3))])
    with open_checkpoint(tmp_path / "x.safetensors") as found:
        os.truncate(tmp_path / "x.safetensors", 4096)
        yield found


def test_a_tensor_of_a_file_that_became_shorter_is_an_error(shrunk):
    with pytest.raises(CheckpointError, match="became shorter"):
        shrunk["weight"]
    with pytest.raises(CheckpointError, match="became shorter"):
        shrunk.entries["weight"].copy_to(torch.zeros(30_000))


def test_a_conversion_of_a_file_that_became_shorter_is_an_error(shrunk, tmp_path):
    with pytest.raises(CheckpointError, match="became shorter"):
        convert(shrunk, tmp_path / "y.ckpt")
    assert not (tmp_path / "y.ckpt").exists()


@pytest.mark.parametrize("form", ["safetensors", "npz"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_parameters_get_their_values_whatever_their_type_and_order(tmp_path, form, dtype):
    values = torch.arange(12.0).reshape(3, 4)
    torch.save({"weight": values, "bias": torch.ones(3)}, tmp_path / "x.pth")
    convert(tmp_path / "x.pth", tmp_path / f"x.{form}")
    for order in (torch.nn.Linear(4, 3, dtype=dtype), torch.nn.Linear(4, 3, dtype=dtype)):
        order.weight = torch.nn.Parameter(torch.zeros(4, 3, dtype=dtype).T)  # not contiguous
        load_into(order, tmp_path / f"x.{form}")
        assert torch.equal(order.weight.float(), values)
        assert torch.equal(order.bias.float(), torch.ones(3))
