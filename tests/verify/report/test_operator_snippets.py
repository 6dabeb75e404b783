"""What is written for an operator of torch is there, takes these arguments, and computes the same."""

import pytest
import torch
from torch.nn import functional

from msbridge import Tensor, mint, nn, ops
from msbridge.verify import compare, fix_of
from msbridge.verify.report.constructor_snippets import NAMES, ROOMS, constructor, parameters_of
from msbridge.verify.report.operator_snippets import CELLS, FUNCTIONS, MINT_CELLS, MODES, cell_of, format_call

X = torch.randn(2, 4, 8, 8, generator=torch.Generator().manual_seed(1))
POOL = {"kernel_size": [3, 3], "stride": [2, 2], "padding": [1, 1], "ceil_mode": False}
# (what torch runs, its operator and arguments, the Cell that is there, what is written)
CASES = [
    (functional.gelu, "gelu", {"approximate": "none"}, "nn.ReLU", "nn.GELU(approximate=False)"),
    (functional.gelu, "gelu", {"approximate": "none"}, "mint.nn.ReLU", "mint.nn.GELU()"),
    (functional.gelu, "gelu", {"approximate": "none"}, "", "ops.gelu(…)"),
    (functional.hardswish, "hardswish", {}, "nn.ReLU6", "nn.HSwish()"),
    (functional.leaky_relu, "leaky_relu", {"negative_slope": 0.01}, "nn.ReLU", "nn.LeakyReLU(alpha=0.01)"),
    (functional.leaky_relu, "leaky_relu", {"negative_slope": 0.01}, "", "ops.leaky_relu(…, alpha=0.01)"),
    (lambda x: x.softmax(1), "softmax", {"dim": 1}, "nn.LogSoftmax", "nn.Softmax(axis=1)"),
    (lambda x: x.softmax(1), "softmax", {"dim": 1}, "", "ops.softmax(…, axis=1)"),
    (lambda x: x.mean((2, 3)), "mean", {"dim": [2, 3], "keepdim": False}, "", "ops.mean(…, axis=(2, 3))"),
    (lambda x: x.sum(1, True), "sum", {"dim": [1], "keepdim": True}, "Own", "ops.sum(…, dim=1, keepdim=True)"),
    (lambda x: functional.max_pool2d(x, 3, 2, 1), "max_pool2d", {**POOL, "dilation": [1, 1]}, "nn.AvgPool2d",
     "nn.MaxPool2d(kernel_size=3, stride=2, pad_mode='pad', padding=1)"),
    (lambda x: functional.avg_pool2d(x, 2), "avg_pool2d",
     {"kernel_size": [2, 2], "stride": [], "padding": [0, 0], "count_include_pad": True}, "nn.MaxPool2d",
     "nn.AvgPool2d(kernel_size=2, stride=2)"),
    (lambda x: functional.pad(x, (1, 1, 1, 1), "reflect"), "reflection_pad2d", {"padding": [1] * 4}, "nn.Conv2d",
     "nn.ReflectionPad2d(padding=1)"),
    (lambda x: functional.pad(x, (1, 1, 1, 1), "reflect"), "reflection_pad2d", {"padding": [1] * 4}, "",
     "ops.pad(…, padding=[1, 1, 1, 1], mode='reflect')"),
    (lambda x: functional.interpolate(x, (12, 12), mode="bilinear", align_corners=True), "upsample_bilinear2d",
     {"output_size": [12, 12], "align_corners": True}, "", "ops.interpolate(…, mode='bilinear', align_corners=True)"),
    (lambda x: x * 0.5, "mul", {"other": 0.5}, "", "x * 0.5"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("compute", "name", "arguments", "kind", "written"), CASES, ids=[f"{n} {k}" for _, n, _, k, _ in CASES]
)
def test_what_is_written_computes_what_torch_does(compute, name, arguments, kind, written):
    assert format_call(name, arguments, kind) == written
    x = Tensor(X)
    code = written.replace("…", "x, size=(12, 12)" if "interpolate" in written else "x")
    made = eval(code, {"nn": nn, "mint": mint, "ops": ops, "x": x})
    found = made(x) if isinstance(made, nn.Cell) else made
    torch.testing.assert_close(torch.from_numpy(found.asnumpy()), compute(X))


def test_every_cell_and_function_of_the_tables_is_there():
    assert all(hasattr(nn, name) for name in CELLS.values())
    assert all(hasattr(mint.nn, name) for name in MINT_CELLS.values())
    assert all(hasattr(ops, name) for name in FUNCTIONS.values())
    assert {parameter.kind.name for parameter in parameters_of(ops.interpolate).values()}
    assert set(MODES.values()) <= {"bicubic", "bilinear", "linear", "nearest", "trilinear"}


def test_only_the_argument_that_differs_is_written():
    assert format_call("softmax", {"dim": -1}, "nn.Softmax", only="dim") == "nn.Softmax(axis=-1)"
    assert format_call("avg_pool2d", {"count_include_pad": True}, "nn.AvgPool2d", only="count_include_pad") == (
        "nn.AvgPool2d(…, count_include_pad=True)"
    )
    assert format_call("mul", {"other": 0.9}, "nn.CrossEntropyLoss", only="other") == ""  # inside of another layer


def test_an_unknown_operator_is_not_written():
    assert format_call("convolution", {}, "nn.Conv2d") == format_call("native_unheard_of", {}) == ""


def test_a_layer_of_torch_has_a_cell_in_the_room_of_its_neighbours():
    assert [cell_of("Linear"), cell_of("Linear", "mint.nn.Conv2d"), cell_of("Unheard")] == [
        "nn.Dense",
        "mint.nn.Linear",
        "",
    ]


@pytest.mark.parametrize(
    ("kind", "setting", "torch_value", "written"),
    [
        ("mint.nn.GELU", "approximate", "none", "mint.nn.GELU(approximate='none')"),
        ("mint.nn.LayerNorm", "epsilon", 1e-6, "mint.nn.LayerNorm(…, eps=1e-6)"),
        ("mint.nn.Linear", "has_bias", True, "mint.nn.Linear(…, bias=True)"),
        ("nn.Dense", "has_bias", True, "nn.Dense(…, has_bias=True)"),
        ("nn.BatchNorm2d", "has_bias", True, ""),
    ],
)
def test_arguments_have_the_names_of_the_signature(kind, setting, torch_value, written):
    assert constructor(kind, setting, torch_value) == written


def test_what_a_setting_may_be_called_stands_in_some_signature():
    every = {
        name
        for room in ROOMS.values()
        for one in (getattr(room, name) for name in dir(room))
        if isinstance(one, type)
        for name in parameters_of(one)
    }
    assert {name for names in NAMES.values() for name in names} <= every


def test_a_setting_is_written_with_what_it_needs():
    assert constructor("nn.AvgPool2d", "count_include_pad", True, padding=(1, 1, 1, 1)) == (
        "nn.AvgPool2d(…, pad_mode='pad', padding=1, count_include_pad=True)"
    )


PAIRS = [
    (torch.nn.Linear(4, 4), mint.nn.Linear(4, 4, bias=False), X[..., :4], "use `mint.nn.Linear(…, bias=True)`"),
    (torch.nn.Linear(8, 4, bias=False), nn.Dense(8, 4, bias_init="ones"), X, "use `nn.Dense(…, has_bias=False)`"),
    (torch.nn.LayerNorm(4), mint.nn.LayerNorm(4, eps=0.1), X[..., :4], "use `mint.nn.LayerNorm(…, eps=1e-5)`"),
    (torch.nn.Hardswish(), nn.ReLU6(), X, "use `nn.HSwish()`"),
    (torch.nn.Sigmoid(), nn.Tanh(), X, "use `nn.Sigmoid()`"),
    (torch.nn.InstanceNorm2d(4, affine=True), nn.BatchNorm2d(4), X, "use `nn.InstanceNorm2d`"),
    (torch.nn.AvgPool2d(3, 1, 1), nn.AvgPool2d(3, 1, pad_mode="same"), X,
     "use `nn.AvgPool2d(…, pad_mode='pad', padding=1, count_include_pad=True)`"),
    (torch.nn.AdaptiveAvgPool2d(1), nn.AdaptiveMaxPool2d(1), X, "use `nn.AdaptiveAvgPool2d(…)`"),
    (torch.nn.Conv2d(4, 4, 3, padding=1, padding_mode="reflect"), nn.Conv2d(4, 4, 3, has_bias=True), X,
     "pad before the layer as torch does, with `nn.ReflectionPad2d(padding=1)`, and not in the layer"),
]  # fmt: skip


@pytest.mark.parametrize(("module", "cell", "x", "fix"), PAIRS, ids=[fix for *_, fix in PAIRS])
def test_the_fix_is_in_the_words_of_the_script(module, cell, x, fix):
    found = compare(module, cell, x)
    assert fix_of(found.first) == fix


@pytest.mark.parametrize(
    ("torch_compute", "cell_compute", "fix"),
    [
        (lambda x: x.softmax(-1), lambda x: ops.softmax(x, axis=-2), "use `ops.softmax(…, axis=-1)`"),
        (lambda x: x.relu(), lambda x: ops.tanh(x), "use `ops.relu(…)`"),
        (lambda x: x * 2.0, lambda x: x * 3.0, "use `x * 2`"),
        (lambda x: x.clamp(min=0), lambda x: ops.clamp(x, -1), "use `ops.clamp(…, min=0)`"),
        (lambda x: x.exp(), lambda x: x, "add to the Cell what torch computes here: `ops.exp(…)`"),
        (lambda x: x.pow(2).mean(-1) + 0.5, lambda x: (x * x).mean(-1) + 0.25, "use `x + 0.5`"),
    ],
)
def test_the_fix_of_an_operator_is_in_the_words_of_the_script(torch_compute, cell_compute, fix):
    class Theirs(torch.nn.Module):
        def forward(self, x):
            return torch_compute(x)

    class Ours(nn.Cell):
        def construct(self, x):
            return cell_compute(x)

    found = compare(Theirs(), Ours(), X)
    assert fix_of(found.first) == fix
