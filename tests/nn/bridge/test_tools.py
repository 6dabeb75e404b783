"""Cells as modules in the hands of torch's own tools, modules as Cells in those of MindSpore's; the judge is torch."""

import copy
import dataclasses
import doctest
import inspect
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.nn.bridge.conversion import from_torch, to_torch_module

PAGE = Path(__file__).parents[3] / "docs" / "torch.md"


class Head(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.act = nn.ReLU()
        self.drop = nn.Dropout(p=0.5)

    def construct(self, x: Tensor, *, scale: Tensor | None = None, times: int = 1) -> dict[str, Any]:
        y = self.drop(self.act(self.norm(self.fc(x=x))))
        return {"y": y * times if scale is None else y * scale, "times": times}


def x() -> torch.Tensor:
    return torch.randn(5, 3)


def blocks() -> nn.SequentialCell:
    return nn.SequentialCell(*(nn.SequentialCell(nn.Dense(8, 8), nn.Tanh(), nn.Dropout(p=0.5)) for _ in range(2)))


@pytest.mark.needs(torch_release="2.13")
def test_the_page_is_true() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 20
    assert not found.failed


LAYERS = [
    (nn.Dense(3, 4), torch.nn.Linear, (2, 3)),
    (nn.Conv1d(2, 4, 3, pad_mode="pad", padding=1, has_bias=True), torch.nn.Conv1d, (2, 2, 6)),
    (nn.Conv2d(2, 4, 3, 1, "same", group=2), torch.nn.Conv2d, (2, 2, 6, 6)),
    (nn.Conv2d(2, 4, 1, 2, "same"), torch.nn.Conv2d, (2, 2, 6, 6)),
    (nn.Conv3d(2, 4, 3, pad_mode="valid"), torch.nn.Conv3d, (1, 2, 4, 4, 4)),
    (nn.Conv1dTranspose(2, 4, 3, 2, "pad", 1), torch.nn.ConvTranspose1d, (2, 2, 6)),
    (nn.Conv2dTranspose(2, 4, 3, 2, "valid", dilation=2), torch.nn.ConvTranspose2d, (2, 2, 6, 6)),
    (nn.Embedding(5, 3, padding_idx=0), torch.nn.Embedding, None),
    (nn.LayerNorm((3,), epsilon=1e-3), torch.nn.LayerNorm, (2, 3)),
    (nn.GroupNorm(2, 4, 1e-3), torch.nn.GroupNorm, (2, 4, 3, 3)),
    (nn.BatchNorm2d(2, 1e-3, 0.7), torch.nn.BatchNorm2d, (2, 2, 3, 3)),
    (nn.InstanceNorm2d(2, 1e-3, 0.7), torch.nn.InstanceNorm2d, (2, 2, 3, 3)),
    (nn.GELU(), torch.nn.GELU, (2, 3)),
]


@pytest.mark.parametrize(("layer", "kind", "shape"), LAYERS, ids=lambda value: getattr(value, "cls_name", ""))
@pytest.mark.parametrize("is_train", [False, True])
def test_layers_are_torchs_own(layer: nn.Cell, kind: type, shape: Any, is_train: bool) -> None:
    """The class itself; the result and the statistics are the Cell's."""
    alone = copy.deepcopy(layer).set_train(is_train)
    module = to_torch_module(nn.SequentialCell(layer)).train(is_train)
    assert type(module.get_submodule("0")) is kind
    given = torch.arange(5) if shape is None else torch.randn(shape)
    torch.testing.assert_close(module(given).detach(), alone(Tensor(given))._data)
    for one, other in zip(layer.get_parameters(), alone.get_parameters(), strict=True):
        assert torch.equal(one._data, other._data)


@pytest.mark.parametrize(
    "layer",
    [
        nn.Dense(3, 4, activation="relu"),
        nn.Conv2d(1, 2, 3, 2, "same"),
        nn.Conv2d(1, 2, 3, pad_mode="pad", padding=(0, 1, 0, 1)),
        nn.BatchNorm2d(2, use_batch_statistics=True),
        nn.Dense(3, 4).to_float(ms.float16),
        type("Dense", (nn.Dense,), {})(3, 4),
    ],
    ids=["activation", "same", "uneven", "batch", "float16", "subclass"],
)
def test_what_torch_has_not_stays_a_cell(layer: nn.Cell) -> None:
    assert type(to_torch_module(nn.SequentialCell(layer)).get_submodule("0")).__module__.startswith("msbridge")


def test_forward_has_the_arguments_of_construct() -> None:
    module = to_torch_module(Head())
    assert list(inspect.signature(module.forward).parameters) == ["x", "scale", "times"]
    result = module(x(), scale=torch.zeros(4), times=3)
    assert result["times"] == 3
    assert not result["y"].any()


def test_hooks_of_inner_modules_run() -> None:
    module, seen = to_torch_module(Head()), []
    for name, inner in module.named_children():
        inner.register_forward_hook(lambda *_, name=name: seen.append(name))
    module(x())
    assert seen == ["fc", "norm", "act", "drop"]


def test_a_replaced_layer_is_called() -> None:
    module = to_torch_module(Head())
    module.drop = torch.nn.Threshold(10.0, -1.0)
    assert (module(x())["y"] == -1).all()


def test_sequences_are_indexed() -> None:
    module: Any = to_torch_module(nn.CellList([nn.Dense(1, 1), nn.ReLU()]))
    assert len(module) == 2
    assert [type(one) for one in module] == [torch.nn.Linear, torch.nn.ReLU]
    assert isinstance(module[-1], torch.nn.ReLU)


def test_the_cell_is_as_before_after_an_error() -> None:
    cell = Head()
    with pytest.raises(RuntimeError):
        to_torch_module(cell)(torch.ones(2, 7))
    assert "construct" not in cell.fc.__dict__
    assert cell(Tensor(x()))["y"].shape == (5, 4)


def test_parameters_of_recurrent_layers_have_torchs_order() -> None:
    settings: dict[str, Any] = {"num_layers": 2, "bidirectional": True}
    module = to_torch_module(nn.LSTM(2, 3, **settings))
    assert list(module.state_dict()) == list(torch.nn.LSTM(2, 3, **settings).state_dict())


def test_recomputation_saves_less_and_changes_nothing() -> None:
    cell = blocks().set_train()
    other = copy.deepcopy(cell)
    for block in other:
        block.recompute()
    saved, gradients = [], []
    given = torch.randn(4, 8)
    for module in (to_torch_module(cell), to_torch_module(other)):
        kept: list[int] = []
        torch.manual_seed(1)
        with torch.autograd.graph.saved_tensors_hooks(
            lambda one, kept=kept: kept.append(one.numel()) or one, lambda one: one
        ):
            loss = module(given).square().sum()
        loss.backward()
        saved.append(sum(kept))
        gradients.append([parameter.grad for parameter in module.parameters()])
    assert saved[1] < saved[0] / 4
    torch.testing.assert_close(gradients[0], gradients[1], rtol=0, atol=0)


@pytest.mark.compiles
@pytest.mark.needs(torch_release="2.13")
def test_compiling_two_modules() -> None:
    for _ in range(2):
        module = to_torch_module(nn.SequentialCell(nn.Dense(3, 2), nn.Softmax()))
        given = x()
        torch.testing.assert_close(torch.compile(module, backend="eager", fullgraph=True)(given), module(given))


@pytest.mark.compiles
@pytest.mark.needs(torch_release="2.13")
def test_compiling_numbers_beside_tensors() -> None:
    class Rest(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return 1.0 - x

    assert not torch.compile(to_torch_module(Rest()), backend="eager", fullgraph=True)(torch.ones(2)).any()


def test_quantisation_finds_linear_layers() -> None:
    module, given = to_torch_module(Head()), x()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch.ao is about to move
        quantised = torch.ao.quantization.quantize_dynamic(module, {torch.nn.Linear})
        found = quantised(given)["y"]
    assert "dynamic" in type(quantised.fc).__module__
    torch.testing.assert_close(found, module(given)["y"].detach(), rtol=0.1, atol=0.1)


def test_gradients_of_each_sample() -> None:
    module, given = to_torch_module(nn.Dense(3, 2)), x()
    weights = {name: one.detach() for name, one in module.named_parameters()}

    def loss(weights: dict[str, torch.Tensor], one: torch.Tensor) -> torch.Tensor:
        return torch.func.functional_call(module, weights, (one[None],)).sum()

    each = torch.func.vmap(torch.func.grad(loss), (None, 0))(weights, given)
    torch.testing.assert_close(each["weight"], given[:, None].expand(5, 2, 3))


def test_a_module_inside_is_itself() -> None:
    inner = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    cell = nn.SequentialCell(from_torch(inner), nn.ReLU())
    module: Any = to_torch_module(cell).train()
    assert module[0] is inner
    cell.set_train(False)
    module(x())
    assert not inner.training
    module.half()
    assert cell.parameters_dict()["0.0.weight"].dtype == ms.float16


# -- a module as a Cell ------------------------------------------------------------------------------------------------


def test_statistics_follow_under_float16() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    cell = from_torch(module).to_float(ms.float16).set_train()
    assert cell(Tensor(x())).dtype == ms.float16
    assert module[1].running_mean.any()
    assert module[1].running_mean.dtype == torch.float32


def test_tensors_that_the_module_got_later_are_taken_over() -> None:
    module = torch.nn.Linear(3, 2)
    cell = from_torch(module)
    module.load_state_dict({name: torch.ones_like(one) for name, one in module.state_dict().items()}, assign=True)
    assert cell(Tensor(torch.ones(1, 3))).asnumpy().tolist() == [[4, 4]]
    module.half()
    assert cell(Tensor(torch.ones(1, 3).half())).dtype == ms.float16
    assert cell.parameters_dict()["weight"].dtype == ms.float16


def test_tensors_replaced_before_gradients_are_an_error() -> None:
    module = torch.nn.Linear(3, 1)
    cell = from_torch(module)
    module.weight = torch.nn.Parameter(torch.ones(1, 3))
    gradient = ms.grad(cell, None, cell.trainable_params())
    with pytest.raises(RuntimeError, match="tensors of Linear were replaced"):
        gradient(Tensor(x()))


def test_dataclasses_hold_tensors() -> None:
    @dataclasses.dataclass(frozen=True)
    class Output:
        first: torch.Tensor
        rest: list[torch.Tensor | None]

    class Outputs(torch.nn.Module):
        def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> Output:
            return Output(x, [mask, None])

    found: Any = from_torch(Outputs())(Tensor(torch.ones(1)), mask=Tensor(torch.ones(2)))
    assert isinstance(found, Output)
    assert isinstance(found.first, Tensor)
    assert isinstance(found.rest[0], Tensor)


@pytest.mark.parametrize("level", ["O0", "O2", "O3"])
def test_model_trains_it_in_sinks_at_every_level(level: str) -> None:
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 3))
    before = copy.deepcopy(module.state_dict())
    cell = from_torch(module)
    samples = [(np.random.randn(3).astype(np.float32), np.int32(one % 3)) for one in range(8)]
    batches = ms.dataset.GeneratorDataset(samples, ["x", "y"], shuffle=False).batch(4)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    scale = ms.FixedLossScaleManager(128, False)
    optimizer = nn.Momentum(cell.trainable_params(), 0.1, 0.9, loss_scale=128)
    model = ms.Model(cell, loss, optimizer, amp_level=level, loss_scale_manager=scale)
    model.train(2, batches, dataset_sink_mode=True)
    after = module.state_dict()
    assert all((after[name] != before[name]).any() for name in ("0.weight", "1.running_mean", "2.weight"))
    assert {one.dtype for one in module.parameters()} == {torch.float32}


def test_gradients_of_gradients() -> None:
    cell = from_torch(torch.nn.Linear(3, 1))
    weight = cell.parameters_dict()["weight"].asnumpy()
    twice = ms.grad(lambda y: (ms.grad(lambda z: ops.square(cell(z)).sum())(y)).sum())
    np.testing.assert_allclose(twice(Tensor(torch.ones(1, 3))).asnumpy(), 2 * weight * weight.sum(), rtol=1e-5)
