"""Which parameter of a Cell answers to which tensor of a torch module."""

import torch

from msbridge import nn
from msbridge.verify.pair.weights import pair_weights


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 2, 1)

    def construct(self, x):
        return self.conv(x)


def test_a_path_tells_more_than_a_name_that_another_layer_has_too():
    module = torch.nn.Module()
    module.conv = torch.nn.Conv2d(2, 2, 1, bias=False)
    module.block = torch.nn.Module()
    module.block.conv = torch.nn.Conv2d(2, 2, 1, bias=False)
    cell = Block()
    cell.block = Block()
    cell.block.conv = nn.Conv2d(2, 2, 1)  # its parameter is still called "conv.weight"
    dict(cell.parameters_and_names())["block.conv.weight"].name = "conv.weight"
    found = pair_weights(module, cell)
    assert [(one.torch, one.cell, one.by) for one in found.pairs] == [
        ("conv.weight", "conv.weight", "name"),
        ("block.conv.weight", "block.conv.weight", "name"),
    ]
