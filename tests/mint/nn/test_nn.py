"""The layers of mint against torch's layers of the same names: values, gradients, names, buffers, `to_torch`."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, mint, ops


@dataclass(frozen=True)
class Row:
    """One layer: how it is made on both sides, and the shape of its input; a range makes whole numbers."""

    name: str
    args: tuple = ()
    shape: tuple[int, ...] = (2, 3, 6, 6)
    settings: dict[str, Any] = field(default_factory=dict)
    below: int | None = None

    def input(self) -> torch.Tensor:
        generator = torch.Generator().manual_seed(1)
        if self.below is not None:
            return torch.randint(self.below, self.shape, generator=generator)
        return torch.randn(self.shape, generator=generator)

    def layer(self) -> torch.nn.Module:
        torch.manual_seed(2)
        layer = getattr(torch.nn, self.name)(*self.args, **self.settings).eval()
        for buffer in layer.buffers():
            if buffer.is_floating_point():
                buffer.uniform_(0.5, 1.5)
        return layer

    def cell(self, layer: torch.nn.Module) -> ms.nn.Cell:
        cell = getattr(mint.nn, self.name)(*self.args, **self.settings)
        cell.load_state_dict({name: Tensor(value.clone()) for name, value in layer.state_dict().items()})
        return cell


LINE, CUBE = (2, 3, 7), (2, 3, 4, 5, 4)
ROWS = [
    Row("AdaptiveAvgPool1d", (3,), LINE),
    Row("AdaptiveAvgPool2d", ((2, None),)),
    Row("AdaptiveAvgPool3d", (2,), CUBE),
    Row("AdaptiveMaxPool1d", (3,), LINE),
    Row("AdaptiveMaxPool2d", ((2, 3),)),
    Row("AvgPool1d", (3,), LINE),
    Row("AvgPool1d", (3, 2, 1), LINE, {"ceil_mode": True, "count_include_pad": False}),
    Row("AvgPool2d", (3, 2, 1), settings={"ceil_mode": True}),
    Row("AvgPool2d", ((2, 3),), settings={"divisor_override": 4}),
    Row("AvgPool3d", (2, 1, 1), CUBE, {"count_include_pad": False}),
    Row("BatchNorm1d", (3,), LINE),
    Row("BatchNorm1d", (5,), (4, 5), {"eps": 0.1}),
    Row("BatchNorm2d", (3,)),
    Row("BatchNorm2d", (3,), settings={"affine": False}),
    Row("BatchNorm2d", (3,), settings={"track_running_stats": False}),
    Row("BatchNorm3d", (3,), CUBE),
    Row("ConstantPad1d", ((1, 2), 3.5), LINE),
    Row("ConstantPad2d", (1, 3.5)),
    Row("ConstantPad2d", ((-1, 2, 0, 1), 3.5)),
    Row("ConstantPad3d", (1, 3.5), CUBE),
    Row("Conv1d", (3, 4, 3), LINE),
    Row("Conv1d", (3, 4, 3), LINE, {"padding": "same", "dilation": 2}),
    Row("Conv1d", (3, 4, 2), LINE, {"padding": "same", "padding_mode": "replicate"}),
    Row("Conv2d", (3, 6, 3, 2, 1), settings={"groups": 3, "bias": False}),
    Row("Conv2d", (3, 4, (3, 2), (1, 2), (2, 0), (1, 2))),
    Row("Conv2d", (3, 4, 3), settings={"padding": "valid", "padding_mode": "reflect"}),
    Row("Conv2d", (3, 4, (3, 2)), settings={"padding": "same", "padding_mode": "circular"}),
    Row("Conv2d", (3, 4, 3), settings={"padding": (1, 2), "padding_mode": "reflect"}),
    Row("Conv2d", (3, 4, 3), (3, 6, 6)),
    Row("Conv3d", (3, 4, 2), CUBE, {"padding": 1}),
    Row("ConvTranspose2d", (3, 4, 3, 2, 1, 1)),
    Row("ConvTranspose2d", (4, 6, 3), (2, 4, 5, 5), {"groups": 2, "dilation": 2, "bias": False}),
    Row("Dropout", (0.5,)),
    Row("Dropout2d", (0.5,)),
    Row("ELU", (0.7,)),
    Row("Embedding", (7, 3), (2, 5), below=7),
    Row("Embedding", (7, 3), (2, 5), {"padding_idx": 2, "scale_grad_by_freq": True}, below=7),
    Row("Flatten", (1, 2)),
    Row("Fold", ((4, 5), (2, 2)), (2, 12, 12)),
    Row("GELU"),
    Row("GELU", ("tanh",)),
    Row("GLU", (2,)),
    Row("GroupNorm", (3, 6), (2, 6, 5), {"eps": 0.1}),
    Row("Hardshrink", (0.3,)),
    Row("Hardsigmoid"),
    Row("Hardswish"),
    Row("Hardtanh", (-0.5, 0.7)),
    Row("Identity"),
    Row("LayerNorm", (6,)),
    Row("LayerNorm", ([6, 6],), settings={"eps": 0.1, "bias": False}),
    Row("LayerNorm", (6,), settings={"elementwise_affine": False}),
    Row("Linear", (6, 4)),
    Row("Linear", (6, 4), settings={"bias": False}),
    Row("LogSigmoid"),
    Row("LogSoftmax", (1,)),
    Row("MaxPool2d", (2,)),
    Row("MaxPool2d", (3, 2, 1, 2), (2, 3, 9, 8), {"ceil_mode": True}),
    Row("Mish"),
    Row("PReLU", (3,)),
    Row("PixelShuffle", (2,), (2, 8, 3, 2)),
    Row("ReLU"),
    Row("ReLU6"),
    Row("ReflectionPad1d", ((1, 2),), LINE),
    Row("ReflectionPad2d", ((1, 2, 0, 3),)),
    Row("ReflectionPad3d", (1,), CUBE),
    Row("ReplicationPad1d", (2,), LINE),
    Row("ReplicationPad2d", ((1, 2, 0, 3),)),
    Row("ReplicationPad3d", (1,), CUBE),
    Row("SELU"),
    Row("SiLU"),
    Row("Sigmoid"),
    Row("Softmax", (2,)),
    Row("Softshrink", (0.3,)),
    Row("Tanh"),
    Row("Threshold", (0.2, -3.0)),
    Row("Unfold", ((2, 3),), settings={"padding": 1, "stride": 2}),
    Row("Upsample", (), settings={"scale_factor": 2.0}),
    Row("Upsample", ((4, 9), None, "bicubic", True)),
    Row("Upsample", (), LINE, {"size": 9, "mode": "linear"}),
    Row("UpsamplingBilinear2d", ((3, 8),)),
    Row("UpsamplingNearest2d", (), settings={"scale_factor": 2}),
    Row("ZeroPad1d", (1,), LINE),
    Row("ZeroPad2d", (1,)),
    Row("ZeroPad3d", (1,), CUBE),
]
over_rows = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}{row.args}{row.settings or ''}")


def same(ours: Any, theirs: torch.Tensor, tolerance: float = 1e-6) -> None:
    """Compare with torch: the kernels are the same ones, up to the order of a few sums."""
    data = ms.to_torch(ours) if isinstance(ours, Tensor) else ours
    torch.testing.assert_close(data, theirs, rtol=tolerance, atol=tolerance)


def weighted(result: Any) -> Any:
    """Reduce to one number, each element with a weight of its own."""
    weights = np.cos(np.arange(result.numel() if isinstance(result, torch.Tensor) else result.size, dtype=np.float32))
    if isinstance(result, torch.Tensor):
        return (result * torch.from_numpy(weights).reshape(result.shape)).sum()
    return (result * Tensor(weights).reshape(result.shape)).sum()


@over_rows
def test_layer_has_torchs_names_and_shapes(row: Row) -> None:
    layer = getattr(torch.nn, row.name)(*row.args, **row.settings)
    cell = getattr(mint.nn, row.name)(*row.args, **row.settings)
    shapes = {name: tuple(value.shape) for name, value in layer.state_dict().items()}
    assert {name: value.shape for name, value in cell.state_dict().items()} == shapes
    assert {p.name for p in cell.trainable_params()} == {name for name, _ in layer.named_parameters()}


MODES = [(row, mode) for row in ROWS for mode in (False, True) if not (mode and "Dropout" in row.name)]


@pytest.mark.parametrize(("row", "is_training"), MODES, ids=lambda one: one.name if isinstance(one, Row) else str(one))
def test_layer_computes_what_torchs_does(row: Row, is_training: bool) -> None:
    layer = row.layer().train(is_training)
    cell = row.cell(layer).set_train(is_training)
    data = row.input()
    theirs = layer(data)
    same(cell(Tensor(data)), theirs)
    for name, value in layer.state_dict().items():
        same(cell.state_dict()[name], value)


@over_rows
def test_gradients_are_torchs(row: Row) -> None:
    layer = row.layer()
    cell = row.cell(layer)
    data = row.input()
    weights = cell.trainable_params()
    places = None if row.below is not None else 0
    theirs = data.clone().requires_grad_(places == 0)
    parameters = dict(layer.named_parameters())
    wanted = torch.autograd.grad(weighted(layer(theirs)), [*([theirs] if places == 0 else []), *parameters.values()])
    found = ms.grad(lambda x: weighted(cell(x)), places, weights or None)(Tensor(data))
    of_input, of_weights = (found, ()) if not weights else ((None, found) if places is None else found)
    if places == 0:
        same(of_input, wanted[0], 1e-5)
    by_name = dict(zip(parameters, wanted[len(wanted) - len(parameters) :], strict=True))
    for parameter, gradient in zip(weights, of_weights, strict=True):
        same(gradient, by_name[parameter.name], 1e-5)


@over_rows
def test_to_torch_gives_torchs_own_layer(row: Row) -> None:
    layer = row.layer()
    inside = dict(ms.to_torch(ms.nn.SequentialCell(row.cell(layer))).named_children())["0"]
    assert type(inside) is getattr(torch.nn, row.name)
    assert inside.state_dict().keys() == layer.state_dict().keys()
    same(inside(row.input()), layer(row.input()))


LOSSES = [
    ("MSELoss", {}, "values"),
    ("L1Loss", {"reduction": "none"}, "values"),
    ("SmoothL1Loss", {"beta": 0.3}, "values"),
    ("BCELoss", {"weight": torch.tensor([0.5, 2.0, 1.0])}, "values"),
    ("BCEWithLogitsLoss", {"pos_weight": torch.tensor([0.5, 2.0, 1.0]), "reduction": "sum"}, "values"),
    ("SoftMarginLoss", {}, "signs"),
    ("KLDivLoss", {"reduction": "batchmean"}, "values"),
    ("KLDivLoss", {"reduction": "sum", "log_target": True}, "values"),
    ("CrossEntropyLoss", {"weight": torch.tensor([0.5, 2.0, 1.0]), "label_smoothing": 0.1}, "classes"),
    ("CrossEntropyLoss", {"ignore_index": 1, "reduction": "sum"}, "classes"),
    ("NLLLoss", {"weight": torch.tensor([0.5, 2.0, 1.0]), "reduction": "none"}, "classes"),
]


@pytest.mark.parametrize(("name", "settings", "target"), LOSSES, ids=lambda value: str(value)[:40])
def test_loss_is_torchs(name: str, settings: dict, target: str) -> None:
    generator = torch.Generator().manual_seed(3)
    data = torch.rand((4, 3), generator=generator) * 0.8 + 0.1
    values = torch.rand((4, 3), generator=generator) * 0.8 + 0.1
    targets = {"values": values, "signs": (values > 0.5) * 2.0 - 1.0, "classes": torch.tensor([0, 2, 1, 2])}
    ours = {key: Tensor(value) if isinstance(value, torch.Tensor) else value for key, value in settings.items()}
    found = getattr(mint.nn, name)(**ours)(Tensor(data), Tensor(targets[target]))
    same(found, getattr(torch.nn, name)(**settings)(data, targets[target]))


def test_cosine_embedding_loss_is_torchs() -> None:
    first, second, signs = torch.randn(4, 3), torch.randn(4, 3), torch.tensor([1.0, -1.0, 1.0, -1.0])
    found = mint.nn.CosineEmbeddingLoss(0.2)(Tensor(first), Tensor(second), Tensor(signs))
    same(found, torch.nn.CosineEmbeddingLoss(0.2)(first, second, signs))


def test_unpooling_is_torchs() -> None:
    data = torch.randn(1, 2, 6, 6)
    pooled, places = torch.nn.MaxPool2d(2, return_indices=True)(data)
    found = mint.nn.MaxUnpool2d(2)(*mint.nn.MaxPool2d(2, return_indices=True)(Tensor(data)))
    same(found, torch.nn.MaxUnpool2d(2)(pooled, places))


def test_transposed_convolution_takes_an_output_size() -> None:
    row = Row("ConvTranspose2d", (3, 4, 3, 2, 1))
    layer = row.layer()
    same(row.cell(layer)(Tensor(row.input()), (12, 11)), layer(row.input(), [12, 11]))
    with pytest.raises(ValueError, match="output_size"):
        row.cell(layer)(Tensor(row.input()), (13, 11))


@pytest.mark.parametrize("momentum", [0.3, None])
def test_running_statistics_follow_as_in_torch(momentum: float | None) -> None:
    row = Row("BatchNorm2d", (3,), settings={"momentum": momentum})
    layer = row.layer().train()
    layer.reset_running_stats()
    cell = row.cell(layer).set_train()
    for step in range(3):
        cell(Tensor(row.input() + step))
        layer(row.input() + step)
    assert cell.num_batches_tracked.asnumpy() == 3
    same(cell.running_mean, layer.running_mean)
    same(cell.running_var, layer.running_var)


def test_a_gradient_after_a_call_counts_the_batch_once() -> None:
    cell = mint.nn.BatchNorm2d(3).set_train()
    ms.value_and_grad(lambda x: cell(x).sum(), None, cell.trainable_params())(ops.ones((2, 3, 4, 4)))
    assert cell.num_batches_tracked.asnumpy() == 1


def test_dropout_draws_in_training_only() -> None:
    ms.set_seed(1)
    ones = ops.ones((100, 100))
    for layer in (mint.nn.Dropout(0.25), mint.nn.Dropout2d(0.25)):
        data = ones if type(layer).__name__ == "DropoutExt" else ones.reshape(1, 2500, 2, 2)
        assert (layer(data) == data).all()
        drawn = layer.set_train()(data).asnumpy()
        assert set(np.unique(drawn)) == {0.0, np.float32(1 / 0.75)}
        assert 0.22 < (drawn == 0).mean() < 0.28


def test_synchronised_statistics_of_one_process_are_those_of_its_batch() -> None:
    data = torch.randn(4, 3, 5)
    plain, shared = mint.nn.BatchNorm1d(3).set_train(), mint.nn.SyncBatchNorm(3).set_train()
    same(shared(Tensor(data)), ms.to_torch(plain(Tensor(data))))
    same(shared.running_var, ms.to_torch(plain.running_var))


def test_layers_take_half_precision() -> None:
    cell = mint.nn.Linear(3, 2, dtype=ms.float16)
    assert cell(ops.ones((1, 3), ms.float16)).dtype is ms.float16
    assert mint.nn.Conv2d(1, 1, 1, dtype=ms.bfloat16)(ops.ones((1, 1, 2, 2), ms.bfloat16)).dtype is ms.bfloat16


class Turned(mint.nn.Conv2d):
    """Convolves rows only, by what the layer has for subclasses."""

    def construct(self, input: Tensor) -> Tensor:
        settings = (self.stride, self.padding, self.dilation, self.groups)
        return self.conv2d(input, self.weight, self.bias, *settings)


class Causal(mint.nn.Conv3d):
    """Adds its own border, in front of the first axis."""

    def __init__(self, *args: int, **settings: int) -> None:
        super().__init__(*args, **settings)
        depth, height, width = self.padding
        self.border = (width, width, height, height, 2 * depth, 0)
        self.padding = (0, 0, 0)

    def construct(self, input: Tensor) -> Tensor:
        return super().construct(mint.nn.functional.pad(input, self.border))


def test_what_a_subclass_of_a_convolution_sets_holds_for_the_call() -> None:
    assert Causal(2, 3, 3, padding=1)(ops.ones((1, 2, 4, 5, 6))).shape == (1, 3, 4, 5, 6)


@pytest.mark.parametrize(
    ("name", "value", "shape"),
    [
        ("padding", (0, 0), (1, 4, 6, 6)),
        ("padding", 2, (1, 4, 10, 10)),
        ("padding", "valid", (1, 4, 6, 6)),
        ("stride", (2, 1), (1, 4, 4, 8)),
        ("dilation", 2, (1, 4, 6, 6)),
    ],
)
def test_settings_of_a_convolution_hold_for_the_next_call(name: str, value: object, shape: tuple[int, ...]) -> None:
    layer = mint.nn.Conv2d(4, 4, 3, padding=1)
    setattr(layer, name, value)
    assert layer(ops.ones((1, 4, 8, 8))).shape == shape


def test_subclasses_find_the_operators_of_their_layers() -> None:
    x = Tensor(np.random.default_rng(0).standard_normal((2, 4, 5, 6)), ms.float32)
    layer = Turned(4, 2, 3, padding=1)
    np.testing.assert_array_equal(layer(x).asnumpy(), mint.nn.Conv2d.construct(layer, x).asnumpy())
    assert layer._reversed_padding == (1, 1, 1, 1)
    assert (layer.transposed, layer.output_padding) == (False, (0, 0))
    back = mint.nn.ConvTranspose2d(2, 4, 3, stride=2)
    sizes = (back.stride, back.padding, back.kernel_size, 2, back.dilation)
    assert back.transposed
    assert tuple(back._output_padding(x, None, *sizes)) == (0, 0)
    assert tuple(back._output_padding(x, (2, 4, 12, 14), *sizes)) == (1, 1)
    group = mint.nn.GroupNorm(2, 4)
    np.testing.assert_array_equal(group._cal_output(x).asnumpy(), group(x).asnumpy())


def test_batch_norm_forgets_its_statistics() -> None:
    layer = mint.nn.BatchNorm1d(2).set_train()
    layer.weight.set_data(Tensor([3.0, 4.0]))
    layer(Tensor([[1.0, 2.0], [5.0, 9.0]]))
    layer.reset_running_stats()
    assert layer.running_mean.asnumpy().tolist() == [0, 0]
    assert layer.running_var.asnumpy().tolist() == [1, 1]
    assert int(layer.num_batches_tracked) == 0
    assert layer.weight.asnumpy().tolist() == [3, 4]
    layer.reset_parameters()
    assert layer.weight.asnumpy().tolist() == [1, 1]
