"""Cells as torch modules and torch modules as Cells: same memory, same results, training on both sides."""

import copy

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, nn
from msbridge.nn.torch_bridge import from_torch, module_of


class TorchNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(2, 4, 3)
        self.bn = torch.nn.BatchNorm1d(4)
        self.fc = torch.nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(torch.relu(self.bn(self.conv(x))).mean(-1))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 4, 3, pad_mode="valid", has_bias=True)
        self.bn = nn.BatchNorm1d(4)
        self.fc = nn.Dense(4, 3)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.fc(self.relu(self.bn(self.conv(x))).mean(-1))


@pytest.fixture
def x():
    return torch.randn(5, 2, 8)


def test_state_dict_is_that_of_the_torch_network():
    wanted = {name: tuple(one.shape) for name, one in TorchNet().state_dict().items()}
    assert {name: tuple(one.shape) for name, one in module_of(Net()).state_dict().items()} == wanted


def test_loaded_module_computes_what_the_torch_network_does(x):
    network, module = TorchNet().eval(), module_of(Net())
    module.load_state_dict(network.state_dict())
    assert torch.equal(module(x), network(x))
    assert torch.equal(module.cell(Tensor(x))._data, network(x))


def test_weights_are_the_same_memory():
    cell = Net()
    module = module_of(cell)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.fill_(0.5)
    assert all((parameter.asnumpy() == 0.5).all() for parameter in cell.trainable_params())


def test_module_trains_as_torch_does(x):
    network, module = TorchNet(), module_of(Net())
    module.load_state_dict(network.state_dict())
    for one in (network, module):
        one.train()
        optimizer = torch.optim.SGD(one.parameters(), 0.1)
        for _ in range(3):
            optimizer.zero_grad()
            one(x).square().mean().backward()
            optimizer.step()
    del network.bn.num_batches_tracked
    wanted = network.state_dict()
    found = module.state_dict()
    assert all(torch.allclose(found[name], one, atol=1e-6) for name, one in wanted.items())


def test_train_and_eval_reach_the_cell():
    module = module_of(Net())
    assert not module.training
    assert module.train().cell.bn.training
    assert not module.eval().cell.bn.training


def test_module_in_double_and_functional_call(x):
    module = module_of(Net())
    assert module(x).dtype is torch.float32
    zeros = {name: torch.zeros_like(one) for name, one in module.named_parameters()}
    assert torch.func.functional_call(module, zeros, (x,)).abs().max() == 0
    assert copy.deepcopy(module).double()(x.double()).dtype is torch.float64
    assert module.cell.fc.weight.dtype == ms.float32


def test_module_exports(x):
    module = module_of(Net())
    program = torch.export.export(module, (x,))
    assert torch.allclose(program.module()(x), module(x), atol=1e-6)


def test_from_torch_computes_the_same(x):
    network = TorchNet().eval()
    cell = from_torch(network)
    assert torch.equal(cell(Tensor(x))._data, network(x))
    assert [one.name for one in cell.trainable_params()] == [name for name, _ in network.named_parameters()]


def test_from_torch_inside_a_cell_has_prefixed_names():
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.backbone = from_torch(torch.nn.Sequential(torch.nn.Linear(2, 2)))

    assert [one.name for one in Outer().get_parameters()] == ["backbone.0.weight", "backbone.0.bias"]


def test_from_torch_trains_in_a_mindspore_loop(x):
    network = TorchNet()
    twin = copy.deepcopy(network).train()
    cell = from_torch(network).set_train()
    optimizer = nn.SGD(cell.trainable_params(), learning_rate=0.1)
    step = ms.value_and_grad(lambda data: (cell(data) ** 2).mean(), None, optimizer.parameters)
    theirs = torch.optim.SGD(twin.parameters(), 0.1)
    for _ in range(3):
        _, gradients = step(Tensor(x))
        optimizer(gradients)
        theirs.zero_grad()
        twin(x).square().mean().backward()
        theirs.step()
    for name, wanted in twin.state_dict().items():
        assert torch.allclose(network.state_dict()[name], wanted, atol=1e-6), name


def test_from_torch_takes_and_gives_nested_values():
    class Split(torch.nn.Module):
        def forward(self, pair, scale):
            return {"sum": (pair[0] + pair[1]) * scale, "parts": list(pair)}

    ones = Tensor(np.ones(2, np.float32))
    found = from_torch(Split())((ones, ones), scale=3.0)
    assert found["sum"].asnumpy().tolist() == [6, 6]
    assert isinstance(found["parts"][0], Tensor)


@pytest.mark.parametrize("wrap", [module_of, from_torch])
def test_other_things_are_refused(wrap):
    with pytest.raises(TypeError, match="the argument must be a"):
        wrap(3)
