"""Random correct pairs whose Cells are written in other ways than torch's modules, in other dtypes and magnitudes."""

import math
import random

import torch
from torch.nn import functional as F

from msbridge import nn, ops
from msbridge.core.types import dtype as mstype
from msbridge.ops import operations as P
from tests.verify.random_pairs import random_pair
from tests.zoo.pairs import settled


class TorchCall(torch.nn.Module):
    """Layers, and what is made of them."""

    def __init__(self, fn, **layers):
        super().__init__()
        self.fn = fn
        for name, layer in layers.items():
            setattr(self, name, layer)

    def forward(self, *args):
        return self.fn(self, *args)


class Call(nn.Cell):
    """The same of ours."""

    def __init__(self, fn, **layers):
        super().__init__()
        self.fn = fn
        for name, layer in layers.items():
            setattr(self, name, layer)

    def construct(self, *args):
        return self.fn(self, *args)


def _both(theirs, ours, **layers):
    return (
        TorchCall(theirs, **{name: one for name, (one, _) in layers.items()}),
        Call(ours, **{name: one for name, (_, one) in layers.items()}),
    )


def _conv(inner, outer, size=3, bias=True):
    return (
        torch.nn.Conv2d(inner, outer, size, padding=size // 2, bias=bias),
        nn.Conv2d(inner, outer, size, pad_mode="pad", padding=size // 2, has_bias=bias),
    )


def _dense(inner, outer):
    return torch.nn.Linear(inner, outer), nn.Dense(inner, outer)


def squeeze(c):
    return _both(
        lambda m, x: x * F.hardsigmoid(m.b(F.relu(m.a(F.adaptive_avg_pool2d(x, 1))))),
        lambda m, x: ops.relu6(m.b(ops.relu(m.a(x.mean((2, 3), True)))) + 3) / 6 * x,
        a=_conv(c, 4, 1), b=_conv(4, c, 1),
    )  # fmt: skip


def branches(c):
    return _both(
        lambda m, x: torch.cat([m.a(x), F.max_pool2d(x, 3, 1, 1), F.relu(m.b(x))], 1)[:, :c],
        lambda m, x: _branches(m, x)[:, :c],
        a=_conv(c, c), b=_conv(c, c, 1),
    )  # fmt: skip


def _branches(m, x):
    b = ops.relu(m.b(x))
    pooled = nn.MaxPool2d(3, 1, pad_mode="same")(x)
    return P.Concat(1)((m.a(x), pooled, b))


def enlarged(c):
    return _both(
        lambda m, x: F.avg_pool2d(F.interpolate(m.a(x), scale_factor=2, mode="bilinear", align_corners=True), 2),
        lambda m, x: ops.avg_pool2d(P.ResizeBilinear((2 * x.shape[2], 2 * x.shape[3]), True)(m.a(x)), 2, 2),
        a=_conv(c, c),
    )


def padded(c):
    return _both(
        lambda m, x: m.a(x),
        lambda m, x: m.a(ops.pad(x, (1, 1, 1, 1))),
        a=(torch.nn.Conv2d(c, c, 3, padding=1), nn.Conv2d(c, c, 3, pad_mode="valid", has_bias=True)),
    )


def hand_norm(c):
    return _both(
        lambda m, x: F.silu(m.n(x)),
        lambda m, x: _silu(m.n(x)),
        n=(torch.nn.BatchNorm2d(c, eps=1e-3), nn.BatchNorm2d(c, eps=1e-3)),
    )


def _silu(x):
    return x * ops.sigmoid(x)


def normalized(c):
    return _both(
        lambda m, x: F.normalize(m.a(x), dim=1),
        lambda m, x: ops.L2Normalize(axis=1, epsilon=1e-24)(m.a(x)),
        a=_conv(c, c),
    )


def shuffled(c):
    return _both(
        lambda m, x: F.channel_shuffle(m.a(x), 2),
        lambda m, x: _shuffled(m.a(x)),
        a=_conv(c, c),
    )


def _shuffled(x):
    n, c, h, w = x.shape
    return x.reshape(n, 2, c // 2, h, w).transpose(0, 2, 1, 3, 4).reshape(n, c, h, w)


def attention(c):
    return _both(
        _torch_attention, _attention, q=_dense(c, c), k=_dense(c, c), v=_dense(c, c), o=_dense(c, c),
    )  # fmt: skip


def _torch_attention(m, x):
    q, k, v = (one(x).view(*x.shape[:2], 2, -1).transpose(1, 2) for one in (m.q, m.k, m.v))
    return x + m.o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(x.shape))


def _attention(m, x):
    v, k, q = (one(x).reshape(x.shape[0], x.shape[1], 2, -1).swapaxes(1, 2) for one in (m.v, m.k, m.q))
    score = ops.matmul(q, k.swapaxes(2, 3)) / math.sqrt(q.shape[-1])
    seen = ops.tril(ops.ones((x.shape[1], x.shape[1]), mstype.float32)) == 0
    weights = ops.softmax(score.masked_fill(seen, -10000.0), -1)
    return m.o(ops.matmul(weights, v).swapaxes(1, 2).reshape(x.shape)) + x


def gated(c):
    return _both(
        lambda m, x: F.silu(m.a(x)) * m.b(x) + x,
        lambda m, x: x + m.b(x) * _silu(m.a(x)),
        a=_dense(c, c), b=_dense(c, c),
    )  # fmt: skip


def pre_norm(c):
    return _both(
        lambda m, x: x + m.b(F.gelu(m.a(m.n(x)))),
        lambda m, x: x + m.b(_gelu(m.a(m.n(x)))),
        n=(torch.nn.LayerNorm(c), nn.LayerNorm((c,), epsilon=1e-5)), a=_dense(c, 2 * c), b=_dense(2 * c, c),
    )  # fmt: skip


def _gelu(x):
    return x * 0.5 * (1.0 + ops.erf(x / math.sqrt(2.0)))


def doubled(c):
    return _both(
        lambda m, x: torch.tanh(m.a(x)) * 2 - 1,
        lambda m, x: 2.0 * (ops.tanh(m.a(x)) - 0.5),
        a=_dense(c, c),
    )


def turned(c):
    return _both(
        lambda m, x: m.a(x).permute(0, 2, 1).softmax(1).permute(0, 2, 1),
        lambda m, x: ops.softmax(m.a(x), -1),
        a=_dense(c, c),
    )


IMAGES = (squeeze, branches, enlarged, padded, hand_norm, normalized, shuffled)
SEQUENCES = (attention, gated, pre_norm, doubled, turned)


def other_ways(seed):
    """Return (torch module, Cell, inputs) of a random correct pair of parts that are written in other ways."""
    draw = random.Random(seed)
    torch.manual_seed(seed)
    kinds, shape = draw.choice(((IMAGES, (2, 8, 12, 12)), (SEQUENCES, (2, 7, 8))))
    parts = [draw.choice(kinds)(8) for _ in range(draw.randint(2, 5))]
    module, cell = torch.nn.Sequential(*(one for one, _ in parts)), nn.SequentialCell([one for _, one in parts])
    return settled(module), cell, (torch.randn(shape),)


def varied(seed):
    """Return a random correct pair whose inputs are huge, tiny or zero, or whose weights are of half precision."""
    module, cell, inputs = (random_pair, other_ways)[seed % 2](seed)
    draw = random.Random(seed)
    is_large = False
    if inputs[0].is_floating_point():
        size = draw.choice((1.0, 1e3, 1e-3, 0.0))
        is_large = size > 1
        inputs = tuple(size * one for one in inputs)
    kinds = (
        (None, None, torch.bfloat16) if is_large else (None, None, torch.bfloat16, torch.float16)
    )  # squares overflow
    if (kind := draw.choice(kinds)) is not None:
        module = module.to(kind)
        inputs = tuple(one.to(kind) if one.is_floating_point() else one for one in inputs)
        for one in cell.get_parameters():
            one.set_dtype(mstype.bfloat16 if kind is torch.bfloat16 else mstype.float16)
    return module, cell, inputs
