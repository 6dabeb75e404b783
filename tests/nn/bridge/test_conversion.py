"""Cells as torch modules, torch modules as Cells; the judge is torch: its layers, its optimizers, its state dicts."""

import collections
import copy
import io
import sys
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.nn.bridge.conversion import CellModule, TorchCell, from_torch, to_torch, to_torch_module
from msbridge.train import Model, load_checkpoint, save_checkpoint

Point = collections.namedtuple("Point", "x y")


class Twin(torch.nn.Module):
    """What `Net` is in torch."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv1d(2, 3, 3, padding=1, bias=False)
        self.bn = torch.nn.BatchNorm1d(3)
        self.block = torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(self.bn(self.conv(x)))


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 3, pad_mode="pad", padding=1)
        self.bn = nn.BatchNorm1d(3)
        self.block = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)

    def construct(self, x: Tensor) -> Tensor:
        return self.block(self.bn(self.conv(x)))


class Counter(nn.Cell):
    """Writes to a parameter and assigns a new buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = Parameter(Tensor(0, ms.int32), name="calls", requires_grad=False)
        self.register_buffer("total", Tensor(np.zeros(2, np.float32)))

    def construct(self, x: Tensor) -> Tensor:
        self.calls = self.calls + 1
        self.total = self.total + x
        return self.total


class Tied(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(5, 3)
        self.first = nn.Dense(3, 3)
        self.second = self.first
        self.head = nn.Dense(3, 5, has_bias=False)
        self.head.weight = self.embedding.embedding_table

    def construct(self, ids: Tensor) -> Tensor:
        return self.head(self.second(self.first(self.embedding(ids))))


def data() -> torch.Tensor:
    return torch.randn(2, 2, 4)


def matched() -> tuple[Any, Any, Twin]:
    """A Cell as a module, the Cell, and its twin with the same weights."""
    cell, twin = Net(), Twin().eval()
    module = to_torch_module(cell)
    module.load_state_dict(twin.state_dict())
    return module, cell, twin


# -- a Cell as a module ------------------------------------------------------------------------------------------------


def test_to_torch_gives_the_tensor_inside() -> None:
    values = torch.zeros(2)
    assert to_torch(Tensor(values)) is values


def test_to_torch_gives_a_module_for_a_cell() -> None:
    assert isinstance(to_torch(nn.Dense(2, 3)), torch.nn.Module)


@pytest.mark.parametrize("convert", [to_torch, to_torch_module, from_torch])
def test_something_else_is_refused(convert: Any) -> None:
    with pytest.raises(TypeError, match=r"the argument must be .* but got list"):
        convert([1])


def test_state_dict_is_torchs() -> None:
    module, _, twin = matched()
    expected = [(name, value.shape, value.dtype) for name, value in twin.state_dict().items()]
    assert [(name, value.shape, value.dtype) for name, value in module.state_dict().items()] == expected


def test_parameters_and_buffers_are_torchs() -> None:
    module, _, twin = matched()
    assert [name for name, _ in module.named_parameters()] == [name for name, _ in twin.named_parameters()]
    assert [name for name, _ in module.named_buffers()] == [name for name, _ in twin.named_buffers()]


def test_twin_loads_the_state_dict() -> None:
    module, _, _ = matched()
    assert str(Twin().load_state_dict(module.state_dict())) == "<All keys matched successfully>"


def test_forward_is_torchs() -> None:
    module, _, twin = matched()
    x = data()
    torch.testing.assert_close(module(x), twin(x))


def test_forward_is_the_cells() -> None:
    module, cell, _ = matched()
    x = data()
    torch.testing.assert_close(module(x).detach(), cell(Tensor(x))._data)  # torch multiplies otherwise when recording


def test_training_is_torchs_and_trains_the_cell() -> None:
    module, cell, twin = matched()
    x = data()
    for net in (module, twin):
        net.train()
        optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
        for _ in range(2):
            optimizer.zero_grad()
            net(x).exp().mean().backward()
            optimizer.step()
    torch.testing.assert_close(cell.conv.weight._data[:, :, 0], twin.conv.weight.detach())
    torch.testing.assert_close(cell.bn.moving_mean._data, twin.bn.running_mean)


def test_the_cell_records_no_gradients_afterwards() -> None:
    module, cell, _ = matched()
    module(data()).sum().backward()
    assert not any(parameter._data.requires_grad for parameter in cell.get_parameters())


def test_the_cells_training_trains_the_module() -> None:
    module, cell, _ = matched()
    before = module.conv.weight.detach().clone()
    step = nn.TrainOneStepCell(nn.WithLossCell(cell, nn.MSELoss()), nn.SGD(cell.trainable_params(), 0.1))
    step(Tensor(data()), Tensor(torch.zeros(2, 3, 4)))
    assert not torch.equal(module.conv.weight, before)


def test_frozen_parameters_stay_parameters() -> None:
    cell = nn.Dense(2, 3)
    cell.weight.requires_grad = False
    weight = dict(to_torch_module(cell).named_parameters())["weight"]
    assert not weight.requires_grad


def test_train_and_eval_are_set_train() -> None:
    module, cell, _ = matched()
    assert not module.training
    module.train()
    assert cell.bn.training
    module.bn.eval()
    module(data())  # a torch layer, and its Cell, agree with the next call
    assert [module.training, cell.bn.training, cell.conv.training] == [True, False, True]
    cell.set_train(False)
    assert not module.training


def test_parts_can_be_called() -> None:
    module, _, twin = matched()
    x = data()
    torch.testing.assert_close(module.conv(x), twin.conv(x))


def test_what_the_cell_writes_is_kept() -> None:
    module = to_torch_module(Counter())
    for _ in range(2):
        module(torch.ones(2))
    assert module.calls == 2
    assert module.total.tolist() == [2, 2]


def test_what_the_cell_alone_writes_is_seen() -> None:
    cell = Counter()
    module = to_torch_module(cell)
    cell(Tensor(np.ones(2, np.float32)))
    assert module(torch.ones(2)).tolist() == [2, 2]


def test_shared_parameters_have_every_name_and_are_trained_once() -> None:
    module = to_torch_module(Tied())
    assert list(module.state_dict()) == [
        *("embedding.weight", "first.weight", "first.bias", "second.weight", "second.bias", "head.weight")
    ]
    assert [name for name, _ in module.named_parameters()] == ["embedding.weight", "first.weight", "first.bias"]


def test_a_layer_that_only_has_the_name_keeps_its_names() -> None:
    class LayerNorm(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.gamma = Parameter(Tensor(np.ones(2, np.float32)))

    assert list(to_torch_module(LayerNorm()).state_dict()) == ["gamma"]


def test_casting_takes_the_cell_along() -> None:
    module, cell, _ = matched()
    module.double()
    assert cell(Tensor(data().double())).dtype == ms.float64
    assert cell.bn.gamma._data.data_ptr() == module.bn.weight.data_ptr()


def test_assigned_state_takes_the_cell_along() -> None:
    module, cell, twin = matched()
    module.load_state_dict(copy.deepcopy(twin).state_dict(), assign=True)
    assert cell.conv.weight._data.data_ptr() == module.conv.weight.data_ptr()


def test_a_copy_has_a_cell_of_its_own() -> None:
    module, cell, _ = matched()
    other = copy.deepcopy(module)
    twin = from_torch(other)
    assert twin.conv.weight._data.data_ptr() == other.conv.weight.data_ptr() != cell.conv.weight._data.data_ptr()  # type: ignore[attr-defined]


def test_a_module_can_be_saved() -> None:
    module = to_torch_module(nn.Dense(2, 3))
    stored = io.BytesIO()
    torch.save(module, stored)
    stored.seek(0)
    x = torch.randn(1, 2)
    assert torch.equal(torch.load(stored, weights_only=False)(x), module(x))


def test_precision_and_recomputation_of_cells() -> None:
    """Float16 within, and no recomputation: the gradients arrive."""
    cell = nn.SequentialCell(nn.Dense(2, 3).to_float(ms.float16), nn.ReLU())
    cell.recompute()
    module = to_torch_module(cell)
    module(torch.ones(1, 2)).sum().backward()
    assert all(parameter.grad is not None for parameter in module.parameters())


def test_own_backward_pass_counts() -> None:
    class Tripled(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            return (dout * 3,)

    x = torch.ones(2, requires_grad=True)
    to_torch_module(Tripled())(x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [3, 3]


@pytest.mark.compiles
@pytest.mark.needs(torch_release="2.9")
def test_export_of_torch() -> None:
    module = to_torch_module(nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3), nn.ReLU()))
    x = torch.randn(4, 2)
    program = torch.export.export(module, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},))
    assert list(program.state_dict) == list(module.state_dict())
    more = torch.randn(7, 2)
    torch.testing.assert_close(program.module()(more), module(more))


@pytest.mark.compiles
@pytest.mark.needs(torch_release="2.13")
def test_compile_of_torch() -> None:
    module, _, _ = matched()
    x = data()
    torch.testing.assert_close(torch.compile(module, backend="eager", fullgraph=True)(x), module(x))


def test_functional_call() -> None:
    module, cell, _ = matched()
    zeros = {name: torch.zeros_like(value) for name, value in module.state_dict().items()}
    assert not torch.func.functional_call(module, zeros, (data(),)).any()
    assert cell.conv.weight._data.any()


def test_distributed_data_parallel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # the group puts one of its own there, and leaves it
    module, _, twin = matched()
    torch.distributed.init_process_group("gloo", store=torch.distributed.HashStore(), rank=0, world_size=1)
    try:
        x = data()
        for net in (torch.nn.parallel.DistributedDataParallel(module), twin):
            net(x).exp().mean().backward()
    finally:
        torch.distributed.destroy_process_group()
    torch.testing.assert_close(module.conv.weight.grad, twin.conv.weight.grad)


# -- a module as a Cell ------------------------------------------------------------------------------------------------


def test_parameters_have_the_modules_names() -> None:
    cell, module = from_torch(Twin()), Twin()
    assert [one.name for one in cell.trainable_params()] == [name for name, _ in module.named_parameters()]
    assert [one.name for one in cell.untrainable_params()] == [name for name, _ in module.named_buffers()]


def test_names_begin_with_the_attribute() -> None:
    class Outer(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.inner = from_torch(torch.nn.Linear(2, 3))

    assert list(Outer().parameters_dict()) == ["inner.weight", "inner.bias"]


def test_memory_is_shared() -> None:
    module = torch.nn.Linear(2, 3)
    from_torch(module).parameters_dict()["weight"].set_data(Tensor(torch.zeros(3, 2)))
    assert not module.weight.any()


def test_a_cell_is_in_inference_until_set_train() -> None:
    module = torch.nn.Sequential(torch.nn.Dropout())
    cell = from_torch(module)
    assert not module[0].training
    cell.set_train()
    assert module[0].training


def test_the_module_follows_the_cell_above() -> None:
    module = torch.nn.BatchNorm1d(2)
    net = nn.SequentialCell(from_torch(module))
    net.set_train()
    net(Tensor(torch.randn(4, 2)))
    assert module.training
    assert module.num_batches_tracked == 1


def test_inference_records_no_gradients() -> None:
    assert not from_torch(torch.nn.Linear(2, 3))(Tensor(torch.ones(1, 2)))._data.requires_grad


@pytest.mark.parametrize(
    ("module", "shape"),
    [(Twin(), (2, 2, 4)), (torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.GRU(4, 3)), (2, 1, 4))],
    ids=["layers", "recurrent"],
)
def test_training_is_torchs(module: torch.nn.Module, shape: tuple[int, ...]) -> None:
    twin = copy.deepcopy(module).train()
    cell = from_torch(module).set_train()
    weights = cell.trainable_params()
    x = torch.randn(shape)

    def loss(x: Tensor) -> Tensor:
        output = cell(x)
        return ops.exp(output[0] if isinstance(output, tuple) else output).mean()

    output = twin(x)
    (output[0] if isinstance(output, tuple) else output).exp().mean().backward()
    _, gradients = ms.value_and_grad(loss, None, weights)(Tensor(x))
    for gradient, parameter in zip(gradients, twin.parameters(), strict=True):
        torch.testing.assert_close(gradient._data, parameter.grad)
    for own, other in zip(module.buffers(), twin.buffers(), strict=True):
        torch.testing.assert_close(own, other)


def test_model_trains_it() -> None:
    module = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(4, 3))
    before = module[1].weight.detach().clone()
    cell = from_torch(module)
    samples = [(np.ones((2, 2), np.float32), np.int32(label)) for label in range(3)]
    batches = ms.dataset.GeneratorDataset(samples, ["x", "y"], shuffle=False).batch(3)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    Model(cell, loss, nn.Momentum(cell.trainable_params(), 0.1, 0.9)).train(1, batches)
    assert not torch.equal(module[1].weight, before)


def test_the_module_can_be_trained_by_torch_too() -> None:
    module = torch.nn.Linear(2, 1)
    cell = from_torch(module)
    module(torch.ones(1, 2)).sum().backward()
    torch.optim.SGD(module.parameters(), 1.0).step()
    assert np.array_equal(cell.parameters_dict()["weight"].asnumpy(), module.weight.detach().numpy())


def test_a_checkpoint_holds_parameters_and_buffers(tmp_path: Any) -> None:
    cell, other = from_torch(Twin()), from_torch(Twin())
    cell.parameters_dict()["bn.running_mean"].set_data(Tensor(torch.ones(3)))
    save_checkpoint(cell, str(tmp_path / "twin.ckpt"))
    load_checkpoint(str(tmp_path / "twin.ckpt"), other)
    x = Tensor(data())
    assert np.array_equal(cell(x).asnumpy(), other(x).asnumpy())


def test_a_buffer_that_is_assigned_again_is_kept() -> None:
    class Sum(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("total", torch.zeros(2))
            self.register_buffer("seen", torch.zeros(0))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.total = self.total + x
            self.seen = torch.cat([self.seen, x])
            return self.total

    cell = from_torch(Sum())
    cell(Tensor(torch.ones(2)))
    assert cell(Tensor(torch.ones(2))).asnumpy().tolist() == [2, 2]
    assert cell.parameters_dict()["total"].asnumpy().tolist() == [2, 2]
    assert cell.parameters_dict()["seen"].shape == (4,)


def test_tied_tensors_are_one_parameter() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(3, 3, bias=False), torch.nn.Linear(3, 3, bias=False))
    module[1].weight = module[0].weight
    cell = from_torch(module)
    assert list(cell.parameters_dict()) == ["0.weight"]
    cell.parameters_dict()["0.weight"].set_data(Tensor(torch.eye(3) * 2))
    assert cell(Tensor(torch.ones(1, 3))).asnumpy().tolist() == [[4, 4, 4]]


def test_a_copied_cell_shares_with_its_own_module() -> None:
    cell = copy.deepcopy(from_torch(torch.nn.Linear(2, 3)))
    assert cell.parameters_dict()["weight"]._data.data_ptr() == cell.module.weight.data_ptr()  # type: ignore[attr-defined]


def test_nested_outputs_keep_their_form() -> None:
    class Nested(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> Point:
            return Point(x, {"twice": [x * 2, None]})

    result = from_torch(Nested())(Tensor(torch.ones(1)))
    assert isinstance(result, Point)
    assert isinstance(result.y["twice"][0], Tensor)


def test_vmap_of_gradients() -> None:
    module = torch.nn.Linear(2, 1)
    cell = from_torch(module)
    each = ms.vmap(ms.grad(lambda x: cell(x).sum(), None, cell.trainable_params()))
    x = torch.randn(3, 2)
    torch.testing.assert_close(each(Tensor(x))[0]._data, x[:, None])


def test_to_float_casts_the_module_for_the_call() -> None:
    module = torch.nn.BatchNorm1d(2)
    cell = from_torch(module).to_float(ms.float16)
    assert cell(Tensor(torch.randn(4, 2))).dtype == ms.float16
    assert module.weight.dtype == torch.float32


def test_there_and_back() -> None:
    cell, module = Net(), torch.nn.Linear(2, 3)
    assert from_torch(to_torch_module(cell)) is cell
    assert to_torch_module(from_torch(module)) is module


def test_a_cell_around_a_module_as_a_module() -> None:
    """Both bridges, one in the other: the gradients reach the inner module's parameters."""
    inner = torch.nn.Linear(2, 3)
    module = to_torch_module(nn.SequentialCell(from_torch(inner), nn.ReLU()))
    x = torch.randn(4, 2)
    module(x).sum().backward()
    torch.testing.assert_close(module(x), F.relu(inner(x)))
    assert dict(module.named_parameters())["0.weight"].grad is not None


def test_kinds() -> None:
    assert isinstance(to_torch_module(Net()), CellModule)
    assert isinstance(from_torch(Twin()), TorchCell)


def test_layers_with_names_of_torch_methods_get_another_name() -> None:
    class Named(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.forward = nn.SequentialCell(nn.Dense(3, 3))

        def construct(self, x: Tensor) -> Tensor:
            return self.forward(x)

    cell = Named()
    module, x = to_torch_module(cell), torch.randn(2, 3)
    assert [*module.state_dict()] == ["forward_.0.weight", "forward_.0.bias"]
    assert torch.equal(module(x), cell(Tensor(x))._data)
