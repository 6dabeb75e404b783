"""Each recipe of mappings/torch_names.toml: torch's call and the call that is written in its place return the same.

Judge: torch. A row is called twice, with the arguments that it has to have and with all that it knows.
"""

import itertools

import numpy as np
import pytest
import torch

import msbridge
from msbridge.scan.torch_names.rows import rows
from msbridge.translate import translate
from msbridge.translate.recipes import recipe_of

ROWS = {name: recipe_of(name) for name, row in rows().items() if "(" in row.write and not row.hand}
# What is given for an argument, by its name.
VALUES = {
    "dim": "1",
    "dim0": "1",
    "dim1": "2",
    "axis0": "1",
    "axis1": "2",
    "keepdim": "True",
    "dims": "(1,)",
    "diagonal": "1",
    "exponent": "2.0",
    "condition": "x > 0",
    "mask": "x > 0",
    "value": "2.0",
    "min": "-0.5",
    "max": "0.5",
    "k": "2",
    "fill_value": "1.5",
    "n": "3",
    "m": "4",
    "start": "0",
    "end": "1",
    "steps": "5",
    "dtype": "torch.float32",
    "chunks": "2",
    "split_size_or_sections": "2",
    "split_size": "2",
    "tensors": "[x, x]",
    "source": "1",
    "destination": "2",
    "repeats": "2",
    "shifts": "1",
    "p": "2",
    "num_features": "4",
    "eps": "0.01",
    "momentum": "0.3",
    "affine": "True",
    "in_channels": "4",
    "out_channels": "6",
    "kernel_size": "3",
    "stride": "2",
    "padding": "1",
    "dilation": "1",
    "groups": "2",
    "bias": "True",
    "in_features": "8",
    "out_features": "3",
    "normalized_shape": "8",
    "num_groups": "2",
    "num_channels": "4",
    "num_embeddings": "9",
    "embedding_dim": "3",
    "approximate": "'tanh'",
    "alpha": "1.0",
    "negative_slope": "0.2",
    "output_size": "2",
    "upscale_factor": "2",
    "downscale_factor": "2",
    "num_parameters": "4",
    "init": "0.3",
    "min_val": "-0.3",
    "max_val": "0.3",
    "ceil_mode": "True",
    "count_include_pad": "False",
    "output_padding": "1",
    "input": "x",
    "self": "x",
    "other": "y",
    "target": "y",
    "x1": "x",
    "x2": "y",
    "tensor": "x",
    "reduction": "'sum'",
    "beta": "0.7",
    "threshold": "10",
    "rounding_mode": "'floor'",
    "start_dim": "1",
    "end_dim": "2",
    "training": "False",
    "mode": "'nearest'",
    "align_corners": "True",
    "padding_mode": "'border'",
    "largest": "False",
    "sorted": "True",
    "descending": "True",
    "index": "index",
    "rtol": "0.1",
    "atol": "0.1",
    "ndarray": "x.numpy()",
    "size": "(2, 4, 8, 8)",
    "hidden_size": "5",
    "input_size": "8",
    "num_layers": "2",
    "batch_first": "True",
    "bidirectional": "True",
    "obj": "x",
    "upper": "True",
    "decimals": "1",
}
# Calls whose arguments go together otherwise.
CALLS = """\
torch.Tensor.gather: x.gather(1, index % 4)
torch.Tensor.norm: x.norm(2, dim=-1, keepdim=True)
torch.Tensor.roll: x.roll(1, 2)
torch.Tensor.squeeze: x[:1].squeeze(0)
torch.acosh: torch.acosh(x.abs() + 1.5)
torch.addbmm: torch.addbmm(x[0, 0], x[0], y[0])
torch.addmm: torch.addmm(x[0, 0], x[0, 1], y[0, 0], beta=2, alpha=3)
torch.addmv: torch.addmv(x[0, 0, 0], y[0, 0], x[0, 0, 1])
torch.all: torch.all(x > 0, dim=1)
torch.any: torch.any(x > 0, dim=1)
torch.arccos: torch.arccos(x.tanh() / 2)
torch.arccosh: torch.arccosh(x.abs() + 1.5)
torch.arcsin: torch.arcsin(x.tanh() / 2)
torch.arcsinh: torch.arcsinh(x)
torch.arctan2: torch.arctan2(x, y)
torch.arctan: torch.arctan(x)
torch.arctanh: torch.arctanh(x.tanh() / 2)
torch.argmin: torch.argmin(x, 1)
torch.asinh: torch.asinh(x)
torch.atanh: torch.atanh(x.tanh() / 2)
torch.bincount: torch.bincount(index[0, 0, 0])
torch.bmm: torch.bmm(x[0], y[0])
torch.broadcast_to: torch.broadcast_to(x[:1], (2, 4, 8, 8))
torch.cdist: torch.cdist(x[0], y[0])
torch.clamp: torch.clamp(x, min=-0.5)
torch.clip: torch.clip(x, -0.5, 0.5)
torch.clone: torch.clone(x)
torch.cross: torch.cross(x[:, :3], y[:, :3], dim=1)
torch.cummin: torch.cummin(x, 1)
torch.diag: torch.diag(x[0, 0, 0])
torch.erfinv: torch.erfinv(x.tanh() / 2)
torch.exp2: torch.exp2(x)
torch.flip: torch.flip(x, (1,))
torch.frac: torch.frac(x)
torch.gather: torch.gather(x, 1, index % 4)
torch.histc: torch.histc(x, bins=5, min=-1, max=1)
torch.index_select: torch.index_select(x, 1, index[0, 0, 0] % 4)
torch.inverse: torch.inverse(x[0, 0])
torch.linalg.inv: torch.linalg.inv(x[0, 0])
torch.linalg.norm: torch.linalg.norm(x, dim=-1)
torch.logaddexp: torch.logaddexp(x, y)
torch.logical_and: torch.logical_and(x > 0, y > 0)
torch.logical_not: torch.logical_not(x > 0)
torch.logical_or: torch.logical_or(x > 0, y > 0)
torch.mm: torch.mm(x[0, 0], y[0, 0])
torch.mv: torch.mv(x[0, 0], y[0, 0, 0])
torch.nn.AdaptiveAvgPool1d: nn.AdaptiveAvgPool1d(2)(x[0])
torch.nn.AdaptiveAvgPool3d: nn.AdaptiveAvgPool3d(2)(x)
torch.nn.AdaptiveMaxPool1d: nn.AdaptiveMaxPool1d(2)(x[0])
torch.nn.BCELoss: nn.BCELoss()(x.sigmoid(), y.sigmoid())
torch.nn.BatchNorm1d: nn.BatchNorm1d(4, eps=0.1, momentum=0.2)(x[..., 0])
torch.nn.BatchNorm3d: nn.BatchNorm3d(4, eps=0.1)(x[..., None])
torch.nn.ChannelShuffle: nn.ChannelShuffle(2)(x)
torch.nn.ConstantPad1d: nn.ConstantPad1d(1, 2.0)(x[0])
torch.nn.ConstantPad2d: nn.ConstantPad2d(1, 2.0)(x)
torch.nn.Conv1d: nn.Conv1d(4, 6, 3, 2, padding=1)(x[..., 0])
torch.nn.Conv3d: nn.Conv3d(4, 6, 1, bias=False)(x[..., None])
torch.nn.ConvTranspose2d: nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1)(x)
torch.nn.Dropout1d: nn.Dropout1d(p=0.3)(x[0])
torch.nn.Dropout2d: nn.Dropout2d(p=0.3)(x)
torch.nn.Dropout3d: nn.Dropout3d(0.3)(x)
torch.nn.Dropout: nn.Dropout(0.3)(x)
torch.nn.Embedding: nn.Embedding(9, 3)(index[0, 0])
torch.nn.Flatten: nn.Flatten()(x)
torch.nn.GRU: nn.GRU(8, 5, bidirectional=True)(x[0])[0]
torch.nn.LSTM: nn.LSTM(8, 5, 2, batch_first=True)(x[0])[0]
torch.nn.LogSoftmax: nn.LogSoftmax(dim=1)(x)
torch.nn.PReLU: nn.PReLU(4)(x)
torch.nn.ReflectionPad1d: nn.ReflectionPad1d(1)(x[0])
torch.nn.ReplicationPad1d: nn.ReplicationPad1d(1)(x[0])
torch.nn.ZeroPad1d: nn.ZeroPad1d(1)(x[0])
torch.nn.functional.adaptive_avg_pool1d: F.adaptive_avg_pool1d(x[0], 2)
torch.nn.functional.cosine_similarity: F.cosine_similarity(x, y, dim=1)
torch.nn.functional.dropout2d: F.dropout2d(x, 0.3, False)
torch.nn.functional.dropout: F.dropout(x, p=0.3, training=False)
torch.nn.functional.elu: F.elu(x)
torch.nn.functional.embedding: F.embedding(index[0, 0], y[0, 0])
torch.nn.functional.grid_sample: F.grid_sample(x, x[:, :2].permute(0, 2, 3, 1), align_corners=True)
torch.nn.functional.linear: F.linear(x, y[0, 0], y[0, 0, 0])
torch.nn.functional.softplus: F.softplus(x)
torch.nonzero: torch.nonzero(x > 0)
torch.norm: torch.norm(x, 2, dim=-1)
torch.outer: torch.outer(x[0, 0, 0], y[0, 0, 0])
torch.permute: torch.permute(x, (0, 2, 3, 1))
torch.prod: torch.prod(x, 1)
torch.reshape: torch.reshape(x, (2, -1))
torch.roll: torch.roll(x, (1, 2), (2, 3))
torch.scatter_add: torch.scatter_add(x, 1, index % 4, y)
torch.searchsorted: torch.searchsorted(torch.sort(x[0, 0, 0])[0], y[0, 0, 0])
torch.special.exp2: torch.special.exp2(x)
torch.squeeze: torch.squeeze(x[:1], 0)
torch.tile: torch.tile(x, (1, 2, 1, 1))
torch.trace: torch.trace(x[0, 0])
"""
# What is written by a helper, or by a form of its own.
HELPED = """\
F.interpolate(x, scale_factor=2)
F.interpolate(x, size=(5, 3), mode="nearest")
F.interpolate(x, size=(5, 3), mode="bilinear", align_corners=False)
F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=True)
F.interpolate(x, size=12, mode="bicubic")
F.scaled_dot_product_attention(x, y, x)
F.scaled_dot_product_attention(x, y, x, is_causal=True, scale=0.3)
F.scaled_dot_product_attention(x, y, x, attn_mask=(y @ y.transpose(-2, -1)) > -3)
F.layer_norm(x, (8, 8), eps=0.1)
F.group_norm(x, 2, x[0, :, 0, 0], x[0, :, 0, 1])
F.batch_norm(x, x[0, :, 0, 0], x[0, :, 0, 1].abs() + 1)
F.batch_norm(x, None, None, training=True)
F.rms_norm(x, (8,))
F.conv2d(x, y[:, :, :3, :3], padding=1, stride=2)
F.conv2d(x, y[:, :2, :3, :5], padding="same", groups=2)
F.avg_pool2d(x, 3, 2, padding=1)
F.avg_pool2d(x, 3, 2, 1, count_include_pad=False)
F.avg_pool2d(x, (2, 3), ceil_mode=True)
F.pad(x, (1, 2))
F.pad(x, (1, 2, 0, 3), value=2.0)
F.pad(x, (1, 2, 1, 1), mode="reflect")
F.pad(x, (1, 2, 1, 1), mode="circular")
F.normalize(x)
F.normalize(x, p=1, dim=-1)
F.one_hot(index, 8)
F.one_hot(index)
F.unfold(x, 3, padding=1, stride=2)
F.cross_entropy(x[0, 0], index[0, 0, 0], label_smoothing=0.1)
F.nll_loss(x[0, 0].log_softmax(-1), index[0, 0, 0])
F.binary_cross_entropy_with_logits(x, y.sigmoid())
torch.einsum("bchw,bcvw->bhv", x, y)
torch.einsum("bchw,bdhw->bcd", [x, y])
torch.einsum("...hw,...vw->...hv", x, y)
torch.einsum("i,j->ij", x[0, 0, 0], y[0, 0, 0])
torch.arange(7)
torch.arange(1, 7, 2, dtype=torch.float32)
torch.meshgrid(x[0, 0, 0], y[0, 0, 0, :3], indexing="xy")
torch.baddbmm(x[0], y[0], x[1], beta=0.5, alpha=2)
torch.var(x, dim=1, unbiased=False, keepdim=True)
torch.std(x, -1)
x.var(dim=(2, 3), keepdim=True)
x.std()
x.var(1, unbiased=False)
torch.finfo(x.dtype).min
torch.max(x)
torch.max(x, 1)
torch.max(x, dim=1, keepdim=True)[0]
torch.max(x, y)
torch.min(x, dim=2).values
x.max(dim=1).indices
x.size()
x.size(-1)
x.repeat(1, 2, 1, 1)
x[0, 0, 0].repeat(3)
x.flip(1, 2)
x.new_zeros(2, 3)
x.new_full((2,), 4.0)
x.to(torch.float64)
x.to(index)
x.type_as(index)
x.clone().clamp_(-1, 1)
torch.zeros(2, 3, device="cpu")
torch.ones((2, 3), dtype=torch.int64)
torch.full((2, 3), 1.5)
torch.full((), 1.5)
torch.full((2,), 3)
torch.tensor([[1, 2], [3, 4]])
torch.tensor(2.5)
torch.linalg.vector_norm(x, dim=-1)
x.unflatten(1, (2, 2))
x.mean([2, 3])
x.transpose(1, 2).reshape(2, -1)
x.permute(0, 2, 3, 1).flatten(2)
x.masked_fill(y > 0, float("-inf")).softmax(-1)
x.unbind(1)
x.chunk(2, dim=1)
x.split([1, 3], dim=1)
x[:1].expand(3, -1, -1, -1)
x[:, :, ::2].contiguous().view(2, -1)
nn.Conv2d(4, 4, (3, 1), padding=(1, 0), groups=4)(x)
nn.Conv2d(4, 6, 3, padding="same", dilation=2)(x)
nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1)(x)
nn.LayerNorm([8, 8])(x)
nn.LayerNorm(8, elementwise_affine=False)(x)
nn.InstanceNorm2d(4, affine=True)(x)
nn.GroupNorm(2, 4)(x[..., 0])
nn.RMSNorm(8)(x)
nn.Upsample(scale_factor=2, mode="bilinear")(x)
nn.ZeroPad2d((1, 0, 2, 1))(x)
nn.Flatten(2)(x)
nn.Unflatten(1, (2, 2))(x)
nn.Softplus()(x)
nn.CrossEntropyLoss(label_smoothing=0.1)(x[0, 0], index[0, 0, 0])
nn.MultiheadAttention(8, 2, batch_first=True)(x[0], x[0], y[0], need_weights=False)[0]
nn.MultiheadAttention(8, 2)(x[0], x[0], y[0])
nn.Sequential(nn.Conv2d(4, 4, 1), nn.GELU(), nn.Identity(3))(x)
torch.allclose(x, x)
torch.bitwise_and(index, index)
torch.bitwise_or(index, index)
torch.bitwise_xor(x > 0, y > 0)
torch.bitwise_and(x > 0, y > 0)
torch.bitwise_or(x > 0, y > 0)
torch.cummax(x, 1)
torch.diff(x)
torch.divide(x, y)
torch.count_nonzero(x > 0, dim=1)
torch.count_nonzero(x)
torch.dot(x[0, 0, 0], y[0, 0, 0])
torch.equal(x, y)
torch.erfc(x)
torch.float_power(x.abs(), 2.0)
torch.greater(x, y)
torch.greater_equal(x, y)
torch.isneginf(x)
torch.lerp(x, y, 0.3)
torch.less(x, y)
torch.less_equal(x, y)
torch.linalg.matrix_norm(x[0, 0])
torch.logical_xor(x > 0, y > 0)
torch.masked_select(x, y > 0)
torch.nan_to_num(x)
torch.narrow(x, 1, 0, 2)
torch.negative(x)
nn.Hardshrink()(x)
nn.Softshrink()(x)
nn.NLLLoss()(x[0, 0].log_softmax(-1), index[0, 0, 0])
F.binary_cross_entropy(x.sigmoid(), y.sigmoid())
F.hardshrink(x)
F.prelu(x, y[0, 0, 0, :1])
F.softshrink(x)
torch.ravel(x)
torch.scatter(x, 1, index % 4, y)
torch.select(x, 1, 2)
torch.sinc(x)
torch.special.erfc(x)
torch.special.expm1(x)
torch.special.log1p(x.abs())
torch.std_mean(x, 1)
torch.t(x[0, 0])
torch.unique_consecutive(index[0, 0, 0])
torch.var_mean(x, 1)
torch.xlogy(x.abs(), y.abs() + 0.1)
"""
# Random, or not of values.
RANDOM = {
    f"torch.{name}"
    for name in ["bernoulli", "empty_like", "manual_seed", "multinomial", "rand_like", "randn_like", "randperm"]
}
BEGIN = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n"
FUNCTION = "def compute(x: torch.Tensor, y: torch.Tensor, index: torch.Tensor):\n"


def named(name: str, given: list[str]) -> str:
    """Return a call of a name of torch with some arguments."""
    inside = ", ".join(f"{one}={VALUES[one]}" if one in ROWS[name].defaults else VALUES[one] for one in given)
    if name.startswith("torch.Tensor."):
        return f"x.{name.rpartition('.')[2]}({inside})"
    call = f"{name}({inside})"
    is_layer = name.startswith("torch.nn.") and name.rpartition(".")[2][:1].isupper()
    return f"{call}(x{', y' if name.endswith('Loss') else ''})" if is_layer else call


def calls() -> list[tuple[str, str]]:
    found = []
    own = dict(line.split(": ", 1) for line in CALLS.splitlines())
    for name, recipe in ROWS.items():
        if name in own:
            found.append((name, own[name]))
        elif name not in RANDOM and name.startswith("torch."):
            needed = [one for one in recipe.arguments if one not in recipe.defaults]
            taken = {one.source for one in recipe.entries}
            every = [one for one in recipe.arguments if one in needed or (one in taken and one in VALUES)]
            found += [(name, one) for one in dict.fromkeys((named(name, needed), named(name, every)))]
    return found + [(one, one) for one in HELPED.splitlines()]


def arrays() -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    x, y = (random.normal(size=(2, 4, 8, 8)).astype(np.float32) for _ in range(2))
    return {"x": x, "y": y, "index": random.integers(0, 8, (2, 4, 8, 8))}


def fill(shape) -> np.ndarray:
    return (np.sin(np.arange(np.prod(shape, dtype=int))).reshape(shape) / 3).astype(np.float32)


def with_layer(name: str, call: str) -> str:
    """Return the lines of a call; a layer has a name, so that both sides get the same weights."""
    if not (call.startswith("nn.") or (name.startswith("torch.nn.") and name.rpartition(".")[2][:1].isupper())):
        return f"{BEGIN}{FUNCTION}    return {call}\n\nresult = compute(x, y, index)\n"
    start = call.index("(")
    depths = itertools.accumulate({"(": 1, ")": -1}.get(one, 0) for one in call[start:])
    end = start + [*depths].index(0) + 1
    return f"{BEGIN}layer = {call[:end]}\nset_weights(layer)\nresult = layer{call[end:]}\n"


pytestmark = pytest.mark.usefixtures("mindspore_is_msbridge")


@pytest.mark.parametrize(("name", "call"), calls(), ids=[call for _, call in calls()])
def test_the_written_call_computes_the_same(name, call):
    text = with_layer(name, call)
    theirs = {key: torch.tensor(value) for key, value in arrays().items()}
    theirs["set_weights"] = lambda one: [p.data.copy_(torch.tensor(fill(p.shape))) for p in one.eval().parameters()]
    exec(text, theirs)
    translation = translate(text)
    assert not translation.by_hand, translation.source
    ours = {key: msbridge.Tensor(value) for key, value in arrays().items()}
    ours["set_weights"] = lambda one: [p.set_data(msbridge.Tensor(fill(p.shape))) for p in one.trainable_params()]
    exec(translation.source, ours)
    mine, other = ours["result"], theirs["result"]
    for a, b in zip(mine, other, strict=True) if isinstance(other, tuple | list) else [(mine, other)]:
        value = a.asnumpy() if hasattr(a, "asnumpy") else np.asarray(a)
        expected = b.detach().numpy() if isinstance(b, torch.Tensor) else np.asarray(b)
        assert value.shape == expected.shape
        np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-5)
