"""Random correct pairs: nets of all layer kinds, and Cells that compute the same, some of them by other formulas."""

import math
import random

import torch

from msbridge import nn, ops
from tests.zoo.pairs import settled


class HandGELU(nn.Cell):
    def construct(self, x):
        return 0.5 * x * (1.0 + ops.erf(x / math.sqrt(2.0)))


class HandSiLU(nn.Cell):
    def construct(self, x):
        return x / (1.0 + ops.exp(-x))


class HandSoftmax(nn.Cell):
    def construct(self, x):
        powers = ops.exp(x - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)


class HandLayerNorm(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.gamma = nn.LayerNorm((width,)).gamma
        self.beta = nn.LayerNorm((width,)).beta

    def construct(self, x):
        mean = x.mean(-1, keep_dims=True)
        square = ((x - mean) * (x - mean)).mean(-1, keep_dims=True)
        return (x - mean) / ops.sqrt(square + 1e-5) * self.gamma + self.beta


class Swapped(nn.Cell):
    """A Dense layer that multiplies the other way round."""

    def __init__(self, inner, outer):
        super().__init__()
        dense = nn.Dense(inner, outer)
        self.weight, self.bias = dense.weight, dense.bias

    def construct(self, x):
        return ops.matmul(self.weight, x.swapaxes(-1, -2)).swapaxes(-1, -2) + self.bias


class TorchResidual(torch.nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        return x + self.body(x)


class Residual(nn.Cell):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def construct(self, x):
        return self.body(x) + x


class TorchFirst(torch.nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x)[0]


class First(nn.Cell):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def construct(self, x):
        return self.layer(x)[0]


class TorchSelf(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)[0]


class Self(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)

    def construct(self, x):
        return self.attention(x, x, x)[0]


def random_pair(seed):
    """Return (torch module, Cell, inputs) of a random correct pair."""
    draw = random.Random(seed)
    torch.manual_seed(seed)
    make = draw.choice((_images, _sequences, _tokens))
    layers, inputs = make(draw)
    if draw.random() < 0.3:  # the Cell's author used other names
        cell = _Renamed([one for _, one in layers])
    else:
        cell = nn.SequentialCell([one for _, one in layers])
    return settled(torch.nn.Sequential(*(one for one, _ in layers))), cell, inputs


class _Renamed(nn.Cell):
    def __init__(self, layers):
        super().__init__()
        self.stages = nn.CellList(layers)

    def construct(self, x):
        for stage in self.stages:
            x = stage(x)
        return x


def _activation(draw):
    return draw.choice(
        (
            lambda: (torch.nn.ReLU(), nn.ReLU()),
            lambda: (torch.nn.GELU(), nn.GELU(approximate=False)),
            lambda: (torch.nn.GELU(approximate="tanh"), nn.GELU()),
            lambda: (torch.nn.GELU(), HandGELU()),
            lambda: (torch.nn.SiLU(), HandSiLU()),
            lambda: (torch.nn.SiLU(), nn.SiLU()),
            lambda: (torch.nn.Tanh(), nn.Tanh()),
            lambda: (torch.nn.Sigmoid(), nn.Sigmoid()),
            lambda: (torch.nn.LeakyReLU(0.1), nn.LeakyReLU(0.1)),
            lambda: (torch.nn.ELU(), nn.ELU()),
            lambda: (torch.nn.Hardswish(), nn.HSwish()),
            lambda: (torch.nn.PReLU(), nn.PReLU()),
            lambda: (torch.nn.ReLU6(), nn.ReLU6()),
            lambda: (torch.nn.Dropout(0.2), nn.Dropout(p=0.2)),
            lambda: (torch.nn.Identity(), nn.Identity()),
        )
    )()


def _images(draw):
    start = size = draw.choice((8, 12, 16))
    channels = 4
    layers = [(torch.nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(3, 4, 3, pad_mode="same", has_bias=True))]
    layers.append((torch.nn.ReLU(inplace=True), nn.ReLU()))
    for _ in range(draw.randint(2, 6)):
        kind = draw.choice(("conv", "stride", "norm", "act", "act", "pool", "residual", "transpose"))
        outer = draw.choice((4, 8))
        if kind == "conv":
            bias = draw.random() < 0.5
            layers.append(
                (
                    torch.nn.Conv2d(channels, outer, 3, padding=2, dilation=2, groups=2, bias=bias),
                    nn.Conv2d(channels, outer, 3, pad_mode="pad", padding=2, dilation=2, group=2, has_bias=bias),
                )
            )
            channels = outer
        elif kind == "stride" and size >= 8:
            layers.append(
                (
                    torch.nn.Conv2d(channels, outer, 3, 2, 1),
                    nn.Conv2d(channels, outer, 3, 2, pad_mode="pad", padding=1, has_bias=True),
                )
            )
            channels, size = outer, (size + 1) // 2
        elif kind == "norm":
            layers.append(_norm(draw, channels))
        elif kind == "pool" and size >= 8:
            pools = (torch.nn.MaxPool2d(2), nn.MaxPool2d(2, 2)), (torch.nn.AvgPool2d(2), nn.AvgPool2d(2, 2))
            layers.append(draw.choice(pools))
            size //= 2
        elif kind == "residual":
            norm, act = _norm(draw, channels), _activation(draw)
            layers.append(
                (
                    TorchResidual(torch.nn.Sequential(norm[0], act[0])),
                    Residual(nn.SequentialCell(norm[1], act[1])),
                )
            )
        elif kind == "transpose" and size <= 8:
            layers.append(
                (
                    torch.nn.ConvTranspose2d(channels, outer, 2, 2),
                    nn.Conv2dTranspose(channels, outer, 2, 2, pad_mode="valid", has_bias=True),
                )
            )
            channels, size = outer, size * 2
        else:
            layers.append(_activation(draw))
    layers.append((torch.nn.AdaptiveAvgPool2d(1), nn.AdaptiveAvgPool2d(1)))
    layers.append((torch.nn.Flatten(), nn.Flatten()))
    layers.append((torch.nn.Linear(channels, 5), draw.choice((nn.Dense, Swapped))(channels, 5)))
    layers.append((torch.nn.Softmax(-1), draw.choice((lambda: nn.Softmax(-1), HandSoftmax))()))
    return layers, (torch.randn(2, 3, start, start),)


def _norm(draw, channels):
    return draw.choice(
        (
            lambda: (torch.nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)),
            lambda: (torch.nn.GroupNorm(2, channels), nn.GroupNorm(2, channels)),
            lambda: (torch.nn.InstanceNorm2d(channels, affine=True), nn.InstanceNorm2d(channels)),
        )
    )()


def _features(draw, width):
    layers = []
    for _ in range(draw.randint(2, 6)):
        kind = draw.choice(("dense", "norm", "act", "attention", "lstm", "gru", "residual"))
        if kind == "dense":
            layers.append((torch.nn.Linear(width, width), draw.choice((nn.Dense, Swapped))(width, width)))
        elif kind == "norm":
            cell = draw.choice((lambda: nn.LayerNorm((width,), epsilon=1e-5), lambda: HandLayerNorm(width)))()
            layers.append((torch.nn.LayerNorm(width), cell))
        elif kind == "attention":
            layers.append((TorchSelf(width, 2), Self(width, 2)))
        elif kind == "lstm":
            layers.append(
                (
                    TorchFirst(torch.nn.LSTM(width, width // 2, batch_first=True, bidirectional=True)),
                    First(nn.LSTM(width, width // 2, batch_first=True, bidirectional=True)),
                )
            )
        elif kind == "gru":
            layers.append(
                (
                    TorchFirst(torch.nn.GRU(width, width, 2, batch_first=True)),
                    First(nn.GRU(width, width, 2, batch_first=True)),
                )
            )
        elif kind == "residual":
            act = _activation(draw)
            layers.append((TorchResidual(act[0]), Residual(act[1])))
        else:
            layers.append(_activation(draw))
    return layers


def _sequences(draw):
    layers = [layer for layer in _features(draw, 8) if type(layer[0]).__name__ != "PReLU"]
    layers.append((torch.nn.Linear(8, 3), nn.Dense(8, 3)))
    return layers, (torch.randn(2, 6, 8),)


def _tokens(draw):
    layers, _ = _sequences(draw)
    table = torch.nn.Embedding(30, 8), nn.Embedding(30, 8)
    return [table, *layers], (torch.randint(0, 30, (2, 6)),)
