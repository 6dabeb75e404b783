"""Small networks made of functions, and the cases that a comparison of two makes of them."""

import torch

from msbridge import nn
from msbridge.verify.explain.evidence import Scene
from msbridge.verify.explain.lookup import Outputs
from msbridge.verify.explain.wrong_weights import wrong_weights
from msbridge.verify.judge.status import judge_rows
from msbridge.verify.measure.step_differences import measure_rows
from msbridge.verify.pair.forced_runs import run_both
from msbridge.verify.pair.weights import load, pair_weights
from msbridge.verify.record.arguments import Arguments


class TorchNet(torch.nn.Module):
    """A network of some layers; without any, it is one layer itself."""

    def __init__(self, compute, **layers):
        super().__init__()
        self.compute = compute
        for name, layer in layers.items():
            setattr(self, name, layer)

    def forward(self, *inputs):
        return self.compute(self, *inputs)


class Net(nn.Cell):
    """The same of Cells."""

    def __init__(self, compute, **layers):
        super().__init__()
        self.compute = compute
        for name, layer in layers.items():
            setattr(self, name, layer)

    def construct(self, *inputs):
        return self.compute(self, *inputs)


class Layer(Net):
    """One layer, to be put into a network; torch's is called the same."""


TorchLayer = type("Layer", (TorchNet,), {})


def linears(count):
    """Return torch's layers and the Cell's, as many as asked for, called a, b, c …"""
    names = "abcdef"[:count]
    return {name: torch.nn.Linear(4, 4) for name in names}, {name: nn.Dense(4, 4) for name in names}


def nets(torch_compute, cell_compute, count=2):
    """Return a torch module and a Cell of linear layers."""
    theirs, ours = linears(count)
    return TorchNet(torch_compute, **theirs), Net(cell_compute, **ours)


def layers(torch_compute, cell_compute):
    """Return a torch module and a Cell of one layer each, which compute something of their inputs."""
    run = lambda self, *inputs: self.layer(*inputs)  # noqa: E731
    return TorchNet(run, layer=TorchLayer(torch_compute)), Net(run, layer=Layer(cell_compute))


def cases_of(module, cell, inputs, change=None):
    """Return a case for each row of a comparison, and its scene.

    Args:
        module: the torch module.
        cell: the Cell; it gets torch's weights.
        inputs: of both.
        change: changes the weights of the Cell, which are then checked.
    """
    module.eval()
    cell.set_train(False)
    weights = pair_weights(module, cell)
    load(weights)
    if change is not None:
        with torch.no_grad():
            change({one.cell: one.parameter._data for one in weights.pairs})
    wrong = wrong_weights(weights, {path: type(one).__name__ for path, one in module.named_modules()})
    runs = run_both(module, cell, Arguments(inputs, torch.device("cpu")), 0, weights, change is None)
    scene = Scene(runs, weights, wrong, Outputs(runs.theirs))
    rows = judge_rows(measure_rows(runs, None), other_precision=False)
    return [scene.step(index, row) for index, row in enumerate(rows)], scene
