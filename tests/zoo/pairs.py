"""Pairs of networks: a torch module as its author wrote it, and the Cell that someone made of it.

A Cell's `fault` names what its author forgot or mixed up in `construct`; "" for a correct one.
"""

import math

import torch
from torch.nn import functional as F

from msbridge import nn, ops


class TorchLeNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = torch.nn.Conv2d(6, 16, 5)
        self.pool = torch.nn.MaxPool2d(2)
        self.fc1 = torch.nn.Linear(400, 84)
        self.fc2 = torch.nn.Linear(84, 84)
        self.dropout = torch.nn.Dropout(0.3)
        self.fc3 = torch.nn.Linear(84, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = F.relu(self.fc1(x.flatten(1)))
        x = self.dropout(torch.tanh(self.fc2(x)))
        return F.log_softmax(self.fc3(x), dim=-1)


class LeNet(nn.Cell):
    def __init__(self, fault=""):
        super().__init__()
        self.fault = fault
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="pad", padding=2, has_bias=True)
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True)
        self.pool = nn.MaxPool2d(2, 2)
        self.relu = nn.ReLU()
        self.tanh = nn.Tanh()
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(400, 84)
        self.fc2 = nn.Dense(84, 84)
        self.dropout = nn.Dropout(p=0.3)
        self.fc3 = nn.Dense(84, 10)
        self.softmax = nn.LogSoftmax(axis=-1)

    def construct(self, x):
        x = self.relu(self.conv1(x))
        x = self.pool(x)
        x = self.conv2(x)
        if self.fault != "no relu":
            x = self.relu(x)
        x = self.pool(x)
        if self.fault == "flatten order":
            x = x.transpose(0, 2, 3, 1)
        x = self.relu(self.fc1(self.flatten(x)))
        x = self.fc2(x)
        x = self.dropout(self.tanh(x) if self.fault != "no tanh" else x)
        if self.fault == "dropout left on":
            x = ops.dropout(x, p=0.3, training=True)
        x = self.fc3(x)
        return x if self.fault == "no log_softmax" else self.softmax(x)


class TorchBlock(torch.nn.Module):
    def __init__(self, inner, outer, stride):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(inner, outer, 3, stride, 1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(outer)
        self.relu = torch.nn.ReLU(inplace=True)
        self.conv2 = torch.nn.Conv2d(outer, outer, 3, 1, 1, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(outer)
        self.downsample = None
        if stride != 1 or inner != outer:
            self.downsample = torch.nn.Sequential(
                torch.nn.Conv2d(inner, outer, 1, stride, bias=False), torch.nn.BatchNorm2d(outer)
            )

    def forward(self, x):
        skip = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += skip
        return self.relu(out)


class TorchResNet(torch.nn.Module):
    def __init__(self, width=8, blocks=(1, 2, 1)):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(width)
        self.relu = torch.nn.ReLU(inplace=True)
        self.maxpool = torch.nn.MaxPool2d(3, 2, 1)
        layers, inner = [], width
        for stage, count in enumerate(blocks):
            outer = width << stage
            layers += [
                TorchBlock(inner if i == 0 else outer, outer, 2 if stage and i == 0 else 1) for i in range(count)
            ]
            inner = outer
        self.layers = torch.nn.Sequential(*layers)
        self.avgpool = torch.nn.AdaptiveAvgPool2d(1)
        self.fc = torch.nn.Linear(inner, 10)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.avgpool(self.layers(x))
        return self.fc(torch.flatten(x, 1))


class Block(nn.Cell):
    def __init__(self, inner, outer, stride):
        super().__init__()
        self.fault = ""
        self.conv1 = nn.Conv2d(inner, outer, 3, stride, "pad", 1)
        self.bn1 = nn.BatchNorm2d(outer)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(outer, outer, 3, 1, "pad", 1)
        self.bn2 = nn.BatchNorm2d(outer)
        self.downsample = None
        if stride != 1 or inner != outer:
            self.downsample = nn.SequentialCell(
                nn.Conv2d(inner, outer, 1, stride, pad_mode="valid"), nn.BatchNorm2d(outer)
            )

    def construct(self, x):
        skip = x if self.downsample is None else self.downsample(x)
        out = self.bn1(self.conv1(x))
        if self.fault != "no relu":
            out = self.relu(out)
        out = self.bn2(self.conv2(out))
        if self.fault == "relu before add":
            out = self.relu(out)
        if self.fault != "no residual":
            out = out + skip
        return self.relu(out)


class ResNet(nn.Cell):
    def __init__(self, width=8, blocks=(1, 2, 1)):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, 2, "pad", 3)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)
        layers, inner = [], width
        for stage, count in enumerate(blocks):
            outer = width << stage
            layers += [Block(inner if i == 0 else outer, outer, 2 if stage and i == 0 else 1) for i in range(count)]
            inner = outer
        self.layers = nn.SequentialCell(layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(inner, 10)

    def construct(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.avgpool(self.layers(x))
        return self.fc(self.flatten(x))


class TorchAttention(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query = torch.nn.Linear(width, width)
        self.key = torch.nn.Linear(width, width)
        self.value = torch.nn.Linear(width, width)
        self.out = torch.nn.Linear(width, width)
        self.dropout = torch.nn.Dropout(0.1)

    def forward(self, x, mask):
        def split(y):
            return y.view(*y.shape[:2], self.heads, -1).transpose(1, 2)

        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        scores = scores + (1.0 - mask[:, None, None, :]) * -10000.0
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.out((weights @ v).transpose(1, 2).reshape(x.shape))


class TorchEncoderLayer(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = TorchAttention(width, heads)
        self.norm1 = torch.nn.LayerNorm(width, eps=1e-12)
        self.up = torch.nn.Linear(width, 2 * width)
        self.gelu = torch.nn.GELU()
        self.down = torch.nn.Linear(2 * width, width)
        self.norm2 = torch.nn.LayerNorm(width, eps=1e-12)

    def forward(self, x, mask):
        x = self.norm1(x + self.attention(x, mask))
        return self.norm2(x + self.down(self.gelu(self.up(x))))


class TorchBert(torch.nn.Module):
    def __init__(self, words=50, width=16, heads=4, depth=2):
        super().__init__()
        self.word = torch.nn.Embedding(words, width, padding_idx=0)
        self.position = torch.nn.Embedding(32, width)
        self.norm = torch.nn.LayerNorm(width, eps=1e-12)
        self.dropout = torch.nn.Dropout(0.1)
        self.layers = torch.nn.ModuleList(TorchEncoderLayer(width, heads) for _ in range(depth))
        self.pooler = torch.nn.Linear(width, width)

    def forward(self, ids, mask):
        places = torch.arange(ids.shape[1])[None]
        x = self.dropout(self.norm(self.word(ids) + self.position(places)))
        for layer in self.layers:
            x = layer(x, mask)
        return x, torch.tanh(self.pooler(x[:, 0]))


class Attention(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.fault = ""
        self.heads = heads
        self.query = nn.Dense(width, width)
        self.key = nn.Dense(width, width)
        self.value = nn.Dense(width, width)
        self.out = nn.Dense(width, width)
        self.softmax = nn.Softmax(axis=-1)
        self.dropout = nn.Dropout(p=0.1)

    def construct(self, x, mask):
        def split(y):
            return y.reshape(y.shape[0], y.shape[1], self.heads, -1).transpose(0, 2, 1, 3)

        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = ops.matmul(q, k.transpose(0, 1, 3, 2))
        if self.fault != "no scale":
            scores = scores / math.sqrt(q.shape[-1])
        if self.fault != "no mask":
            scores = scores + (1.0 - mask.reshape(mask.shape[0], 1, 1, -1)) * -10000.0
        weights = self.dropout(self.softmax(scores))
        return self.out(ops.matmul(weights, v).transpose(0, 2, 1, 3).reshape(x.shape))


class EncoderLayer(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.fault = ""
        self.attention = Attention(width, heads)
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-12)
        self.up = nn.Dense(width, 2 * width)
        self.gelu = nn.GELU(approximate=False)
        self.down = nn.Dense(2 * width, width)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-12)

    def construct(self, x, mask):
        attended = self.attention(x, mask)
        x = self.norm1(attended if self.fault == "no residual" else x + attended)
        return self.norm2(x + self.down(self.gelu(self.up(x))))


class Bert(nn.Cell):
    def __init__(self, words=50, width=16, heads=4, depth=2):
        super().__init__()
        self.fault = ""
        self.word = nn.Embedding(words, width, padding_idx=0)
        self.position = nn.Embedding(32, width)
        self.norm = nn.LayerNorm((width,), epsilon=1e-12)
        self.dropout = nn.Dropout(p=0.1)
        self.layers = nn.CellList([EncoderLayer(width, heads) for _ in range(depth)])
        self.pooler = nn.Dense(width, width)
        self.tanh = nn.Tanh()

    def construct(self, ids, mask):
        places = ops.arange(ids.shape[1]).reshape(1, -1)
        if self.fault == "positions from one":
            places = places + 1
        x = self.dropout(self.norm(self.word(ids) + self.position(places)))
        for layer in self.layers:
            x = layer(x, mask)
        first = x[:, -1] if self.fault == "last token" else x[:, 0]
        return x, self.tanh(self.pooler(first))


class TorchTagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(40, 12)
        self.lstm = torch.nn.LSTM(12, 10, num_layers=2, batch_first=True, bidirectional=True)
        self.drop = torch.nn.Dropout(0.2)
        self.hidden = torch.nn.Linear(20, 20)
        self.act = torch.nn.LeakyReLU(0.01)
        self.tags = torch.nn.Linear(20, 7)

    def forward(self, ids):
        x, _ = self.lstm(self.embed(ids))
        return self.tags(self.act(self.hidden(self.drop(x))))


class Tagger(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(40, 12)
        self.lstm = nn.LSTM(12, 10, num_layers=2, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(p=0.2)
        self.hidden = nn.Dense(20, 20)
        self.act = nn.LeakyReLU(alpha=0.01)
        self.tags = nn.Dense(20, 7)

    def construct(self, ids):
        x, _ = self.lstm(self.embed(ids))
        return self.tags(self.act(self.hidden(self.drop(x))))


class TorchDouble(torch.nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(inner, outer, 3, padding=1)
        self.norm1 = torch.nn.GroupNorm(2, outer)
        self.conv2 = torch.nn.Conv2d(outer, outer, 3, padding=1)
        self.norm2 = torch.nn.InstanceNorm2d(outer, affine=True)

    def forward(self, x):
        x = F.silu(self.norm1(self.conv1(x)))
        return F.silu(self.norm2(self.conv2(x)))


class TorchUNet(torch.nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.enter = TorchDouble(3, width)
        self.down = torch.nn.AvgPool2d(2)
        self.middle = TorchDouble(width, 2 * width)
        self.up = torch.nn.ConvTranspose2d(2 * width, width, 2, 2)
        self.leave = TorchDouble(3 * width, width)
        self.mask = torch.nn.Conv2d(width, 1, 1)

    def forward(self, x):
        a = self.enter(x)
        b = self.middle(self.down(a))
        wide = F.interpolate(self.up(b)[:, :, ::2, ::2], scale_factor=2, mode="bilinear", align_corners=True)
        narrow = F.interpolate(b, scale_factor=2, mode="nearest")[:, : a.shape[1]]
        return torch.sigmoid(self.mask(self.leave(torch.cat([a, wide, narrow], dim=1))))


class Double(nn.Cell):
    def __init__(self, inner, outer):
        super().__init__()
        self.conv1 = nn.Conv2d(inner, outer, 3, pad_mode="pad", padding=1, has_bias=True)
        self.norm1 = nn.GroupNorm(2, outer)
        self.conv2 = nn.Conv2d(outer, outer, 3, pad_mode="same", has_bias=True)
        self.norm2 = nn.InstanceNorm2d(outer)
        self.act = nn.SiLU()

    def construct(self, x):
        x = self.act(self.norm1(self.conv1(x)))
        return self.act(self.norm2(self.conv2(x)))


class UNet(nn.Cell):
    def __init__(self, width=4):
        super().__init__()
        self.fault = ""
        self.enter = Double(3, width)
        self.down = nn.AvgPool2d(2, 2)
        self.middle = Double(width, 2 * width)
        self.up = nn.Conv2dTranspose(2 * width, width, 2, 2, pad_mode="valid", has_bias=True)
        self.leave = Double(3 * width, width)
        self.mask = nn.Conv2d(width, 1, 1, pad_mode="valid", has_bias=True)
        self.sigmoid = nn.Sigmoid()

    def construct(self, x):
        a = self.enter(x)
        b = self.middle(self.down(a))
        corners = self.fault != "align_corners"
        mode = "bicubic" if self.fault == "mode" else "bilinear"
        wide = ops.interpolate(self.up(b)[:, :, ::2, ::2], scale_factor=2.0, mode=mode, align_corners=corners,
                               recompute_scale_factor=True)  # fmt: skip
        narrow = ops.interpolate(b, scale_factor=2.0, mode="nearest", recompute_scale_factor=True)[:, : a.shape[1]]
        parts = (wide, a, narrow) if self.fault == "concat order" else (a, wide, narrow)
        out = self.mask(self.leave(ops.concat(parts, axis=1)))
        return out if self.fault == "no sigmoid" else self.sigmoid(out)


def settled(module):
    """Put values into a torch module that a trained one could have, so that no fault hides behind zeros."""
    generator = torch.Generator().manual_seed(7)
    for layer in module.modules():
        for name, one in [*layer.named_parameters(recurse=False), *layer.named_buffers(recurse=False)]:
            if not one.is_floating_point():
                continue
            noise = torch.randn(one.shape, generator=generator)
            if "running_var" in name or (name == "weight" and one.dim() == 1):
                one.data = 1 + 0.4 * noise.tanh()
            elif one.dim() == 1:
                one.data = 0.3 * noise
    return module.eval()


def ids(rows, length, words):
    return torch.randint(1, words, (rows, length), generator=torch.Generator().manual_seed(3))


def bert_inputs():
    mask = torch.ones(2, 9)
    mask[1, 6:] = 0
    return ids(2, 9, 50) * mask.long(), mask


def image(channels, size):
    return torch.randn(2, channels, size, size, generator=torch.Generator().manual_seed(5))


PAIRS = {
    "LeNet": (TorchLeNet, LeNet, lambda: (image(1, 28),)),
    "ResNet": (TorchResNet, ResNet, lambda: (image(3, 32),)),
    "Bert": (TorchBert, Bert, bert_inputs),
    "Tagger": (TorchTagger, Tagger, lambda: (ids(3, 8, 40),)),
    "UNet": (TorchUNet, UNet, lambda: (image(3, 16),)),
}


def pair(name):
    """Return (torch module, Cell, inputs)."""
    module, cell, inputs = PAIRS[name]
    torch.manual_seed(11)
    return settled(module()), cell(), inputs()
