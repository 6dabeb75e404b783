"""Inputs from a line of text, or from a file."""

import pytest
import torch

from msbridge.verify.record.inputs import KINDS, make, read, write


@pytest.mark.parametrize("kind", KINDS)
def test_inputs_of_every_kind_are_repeatable(kind):
    one, other = make([f"{kind}:2,3,8"]), make([f"{kind}:2,3,8"])
    assert one[0].shape == (2, 3, 8)
    assert torch.equal(one[0], other[0])


def test_inputs_are_saved_and_read_in_order(tmp_path):
    data = make(["ids<5:2,3", "2,4"])
    write(tmp_path / "in.npz", data)
    assert all(torch.equal(a, b) for a, b in zip(read(tmp_path / "in.npz"), data, strict=True))
