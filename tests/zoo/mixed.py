"""A DenseNet, a WaveNet, a volume network and one that shuffles channels, as in torch and as rewritten by hand.

`FAULTS` says of each fault that a Cell takes where it is (patterns) and which causes are right; `HARMLESS` lists other
ways to write it, which give the same.
"""

import math

import torch
from torch.nn import functional as F

from msbridge import nn, ops
from msbridge.core.types import dtype as mstype
from tests.zoo.pairs import image


class TorchDenseLayer(torch.nn.Module):
    def __init__(self, inner, growth):
        super().__init__()
        self.norm1, self.relu1 = torch.nn.BatchNorm2d(inner), torch.nn.ReLU(inplace=True)
        self.conv1 = torch.nn.Conv2d(inner, 4 * growth, 1, bias=False)
        self.norm2, self.relu2 = torch.nn.BatchNorm2d(4 * growth), torch.nn.ReLU(inplace=True)
        self.conv2 = torch.nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False)

    def forward(self, features):
        x = self.conv1(self.relu1(self.norm1(torch.cat(features, 1))))
        return self.conv2(self.relu2(self.norm2(x)))


class TorchDenseNet(torch.nn.Module):
    def __init__(self, width=32, growth=16, depth=4):
        super().__init__()
        self.conv0 = torch.nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.norm0 = torch.nn.BatchNorm2d(width)
        self.layers = torch.nn.ModuleList([TorchDenseLayer(width + i * growth, growth) for i in range(depth)])
        total = width + depth * growth
        self.norm = torch.nn.BatchNorm2d(total)
        self.conv = torch.nn.Conv2d(total, total // 2, 1, bias=False)
        self.pool = torch.nn.AvgPool2d(2, 2)
        self.norm5 = torch.nn.BatchNorm2d(total // 2)
        self.classifier = torch.nn.Linear(total // 2, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm0(self.conv0(x))), 3, stride=2, padding=1)
        features = [x]
        for layer in self.layers:
            features.append(layer(features))
        x = self.pool(self.conv(F.relu(self.norm(torch.cat(features, 1)))))
        x = F.relu(self.norm5(x), inplace=True)
        return self.classifier(torch.flatten(F.adaptive_avg_pool2d(x, (1, 1)), 1))


class DenseLayer(nn.Cell):
    def __init__(self, inner, growth, fault=""):
        super().__init__()
        self.fault = fault
        self.norm1 = nn.BatchNorm2d(inner)
        self.conv1 = nn.Conv2d(inner, 4 * growth, 1)
        self.norm2 = nn.BatchNorm2d(4 * growth)
        self.conv2 = nn.Conv2d(4 * growth, growth, 3, pad_mode="same")
        self.relu = nn.ReLU()

    def construct(self, features):
        x = ops.concat(features[::-1] if self.fault == "newest first" else features, 1)
        x = self.norm1(x)
        x = self.conv1(x if self.fault == "no first relu" else self.relu(x))
        x = self.norm2(x)
        return self.conv2(ops.sigmoid(x) if self.fault == "second sigmoid" else self.relu(x))


class DenseNet(nn.Cell):
    def __init__(self, fault="", width=32, growth=16, depth=4):
        super().__init__()
        self.fault = fault
        kernel = 3 if fault == "small stem" else 7
        self.conv0 = nn.Conv2d(3, width, kernel, 2, "pad", kernel // 2)
        self.norm0 = nn.BatchNorm2d(width)
        self.layers = nn.CellList(
            [DenseLayer(width + i * growth, growth, fault if i == 2 else "") for i in range(depth)]
        )
        total = width + depth * growth
        self.norm = nn.BatchNorm2d(total)
        self.conv = nn.Conv2d(total, total // 2, 1)
        self.pool = nn.MaxPool2d(2, 2) if fault == "transition maximum" else nn.AvgPool2d(2, 2)
        self.norm5 = nn.BatchNorm2d(total // 2)
        self.classifier = nn.Dense(total // 2, 10)
        mode = {"pool valid": "valid", "pool same": "same"}.get(fault)
        self.maxpool = nn.MaxPool2d(3, 2, pad_mode=mode) if mode else nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)

    def construct(self, x):
        x = self.maxpool(ops.relu(self.norm0(self.conv0(x))))
        features = [x]
        for layer in self.layers:
            features.append(layer(features))
        if self.fault == "input left out":
            features[0] = ops.zeros_like(features[0])
        x = self.norm(ops.concat(features, 1))
        x = self.pool(self.conv(x if self.fault == "no transition relu" else ops.relu(x)))
        x = self.norm5(x)
        x = x if self.fault == "no last relu" else ops.relu(x)
        return self.classifier(x.max((2, 3)) if self.fault == "maximum for mean" else x.mean((2, 3)))


class TorchWaveNet(torch.nn.Module):
    def __init__(self, width=32, depth=4):
        super().__init__()
        self.front = torch.nn.Conv1d(1, width, 1)
        self.gates = torch.nn.ModuleList([torch.nn.Conv1d(width, 2 * width, 2, dilation=2**i) for i in range(depth)])
        self.mixes = torch.nn.ModuleList([torch.nn.Conv1d(width, 2 * width, 1) for i in range(depth)])
        self.end1, self.end2 = torch.nn.Conv1d(width, width, 1), torch.nn.Conv1d(width, 16, 1)

    def forward(self, x):
        x, total = self.front(x), 0
        for i, (gate, mix) in enumerate(zip(self.gates, self.mixes, strict=True)):
            a, b = gate(F.pad(x, (2**i, 0))).chunk(2, dim=1)
            residual, skip = mix(torch.tanh(a) * torch.sigmoid(b)).chunk(2, dim=1)
            x, total = (x + residual) * math.sqrt(0.5), total + skip
        return self.end2(F.relu(self.end1(F.relu(total))))


class WaveNet(nn.Cell):
    def __init__(self, fault="", width=32, depth=4):
        super().__init__()
        self.fault = fault
        self.front = nn.Conv1d(1, width, 1, has_bias=True)
        gates = []
        for i in range(depth):
            dilation = 2 * i + 1 if fault == "linear dilation" and i == 3 else 2**i
            gates.append(nn.Conv1d(width, 2 * width, 2, pad_mode="valid", dilation=dilation, has_bias=True))
        self.gates = nn.CellList(gates)
        self.mixes = nn.CellList([nn.Conv1d(width, 2 * width, 1, has_bias=True) for i in range(depth)])
        self.end1, self.end2 = nn.Conv1d(width, width, 1, has_bias=True), nn.Conv1d(width, 16, 1, has_bias=True)

    def construct(self, x):
        x, total = self.front(x), 0
        for i in range(4):
            fault = self.fault if i == 2 else ""
            mode = "replicate" if fault == "padded by edge" else "constant"
            y = ops.pad(x, (0, 2**i) if fault == "padded behind" else (2**i, 0), mode=mode)
            a, b = ops.chunk(self.gates[i](y), 2, 1)
            a, b = (b, a) if fault == "gates turned" else (a, b)
            a, b = ops.sigmoid(a) if fault == "no tanh" else ops.tanh(a), ops.sigmoid(b)
            y = a + b if fault == "gate added" else a * b
            residual, skip = ops.split(self.mixes[i](y), 32, axis=1)
            residual, skip = (skip, residual) if fault == "skip turned" else (residual, skip)
            x = residual if fault == "no residual" else x + residual
            x = x if fault == "no root" else x * math.sqrt(0.5)
            total = skip if fault == "skips dropped" else total + skip
        total = total if self.fault == "no end relu" else ops.relu(total)
        return self.end2(ops.relu(self.end1(total)))


class TorchVolume(torch.nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.conv1, self.bn1 = torch.nn.Conv3d(1, width, 3, padding=1, bias=False), torch.nn.BatchNorm3d(width)
        self.pool = torch.nn.MaxPool3d(2)
        self.conv2, self.bn2 = torch.nn.Conv3d(width, 2 * width, 3, padding=1), torch.nn.BatchNorm3d(2 * width)
        self.up = torch.nn.ConvTranspose3d(2 * width, width, 2, 2)
        self.conv3, self.gn = torch.nn.Conv3d(2 * width, width, 3, padding=1), torch.nn.GroupNorm(4, width)
        self.out = torch.nn.Conv3d(width, 2, 1)

    def forward(self, x):
        a = F.relu(self.bn1(self.conv1(x)))
        b = F.relu(self.bn2(self.conv2(self.pool(a))))
        y = torch.cat([self.up(b), a], dim=1)
        return torch.softmax(self.out(F.leaky_relu(self.gn(self.conv3(y)))), dim=1)


class Volume(nn.Cell):
    def __init__(self, fault="", width=8):
        super().__init__()
        self.fault = fault
        self.conv1 = nn.Conv3d(1, width, 3, pad_mode="pad", padding=1)
        self.bn1 = nn.BatchNorm3d(width, eps=1e-3 if fault == "eps" else 1e-5)
        self.pool = nn.AvgPool3d(2, 2) if fault == "average" else nn.MaxPool3d(2, 2)
        self.conv2 = nn.Conv3d(width, 2 * width, 3, pad_mode="pad", padding=1, has_bias=fault != "no bias")
        self.bn2 = nn.BatchNorm3d(2 * width)
        self.up = nn.Conv3dTranspose(2 * width, width, 2, 2, pad_mode="valid", has_bias=True)
        self.conv3 = nn.Conv3d(2 * width, width, 3, pad_mode="pad", padding=1, has_bias=True)
        self.gn = nn.GroupNorm(2 if fault == "two groups" else 4, width)
        self.out = nn.Conv3d(width, 2, 1, has_bias=True)
        self.act = nn.LeakyReLU() if fault == "default slope" else nn.LeakyReLU(0.01)
        self.softmax = nn.Softmax(axis=-1 if fault == "last axis" else 1)

    def construct(self, x):
        a = ops.relu(self.bn1(self.conv1(x)))
        b = self.bn2(self.conv2(self.pool(a)))
        b = ops.gelu(b) if self.fault == "gelu" else ops.relu(b)
        y = (a, self.up(b)) if self.fault == "skip first" else (self.up(b), a)
        y = self.conv3(ops.concat(y, axis=1))
        if self.fault == "half":
            y = self.gn(y.astype(mstype.float16).astype(mstype.float32))
        else:
            y = y if self.fault == "no norm" else self.gn(y)
        y = self.out(self.act(y))
        return ops.sigmoid(y) if self.fault == "sigmoid" else self.softmax(y)


class TorchShuffle(torch.nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, width, 3, 2, 1)
        self.branch = torch.nn.Sequential(
            torch.nn.Conv2d(width // 2, width // 2, 1, bias=False), torch.nn.BatchNorm2d(width // 2), torch.nn.ReLU(),
            torch.nn.Conv2d(width // 2, width // 2, 3, 1, 1, groups=width // 2, bias=False),
            torch.nn.BatchNorm2d(width // 2), torch.nn.Conv2d(width // 2, width // 2, 1), torch.nn.PReLU(width // 2),
        )  # fmt: skip
        self.super = torch.nn.Sequential(torch.nn.Conv2d(width, 12, 3, padding=1), torch.nn.PixelShuffle(2))
        self.embed = torch.nn.Linear(3, 8)

    def forward(self, x):
        x = self.stem(x / 255.0)
        a, b = x.chunk(2, dim=1)
        x = torch.cat((a, self.branch(b)), 1)
        n, c, h, w = x.shape
        x = x.view(n, 2, c // 2, h, w).transpose(1, 2).reshape(n, c, h, w)
        y = self.super(x).clamp(0, 1)
        z = F.normalize(self.embed(y.mean((2, 3))), dim=1)
        return y, z, z @ z.t()


class Shuffle(nn.Cell):
    def __init__(self, fault="", width=24):
        super().__init__()
        self.fault = fault
        half = width // 2
        self.stem = nn.Conv2d(3, width, 3, 2, "pad", 1, has_bias=True)
        self.branch = nn.SequentialCell(
            nn.Conv2d(half, half, 1), nn.BatchNorm2d(half), nn.ReLU(),
            nn.Conv2d(half, half, 3, 1, pad_mode="pad", padding=1, group=half),
            nn.BatchNorm2d(half), nn.Conv2d(half, half, 1, has_bias=True), nn.PReLU(half),
        )  # fmt: skip
        self.super = nn.SequentialCell(
            nn.Conv2d(width, 12, 3, pad_mode="pad", padding=1, has_bias=True), nn.PixelShuffle(2)
        )
        self.embed = nn.Dense(3, 8)

    def construct(self, x):
        x = self.stem(x if self.fault == "not divided" else x / (256.0 if self.fault == "divided by 256" else 255.0))
        a, b = ops.chunk(x, 2, axis=1)
        a, b = (b, a) if self.fault == "halves turned" else (a, b)
        x = ops.concat((a, self.branch(b)), axis=1)
        n, c, h, w = x.shape
        if self.fault == "shuffle of twelve":
            x = x.reshape(n, c // 2, 2, h, w).swapaxes(1, 2).reshape(n, c, h, w)
        elif self.fault != "no shuffle":
            x = x.reshape(n, 2, c // 2, h, w).swapaxes(1, 2).reshape(n, c, h, w)
        y = self.super[0](x)
        if self.fault == "depth to space":
            y = y.reshape(n, 2, 2, 3, h, w).transpose(0, 3, 4, 1, 5, 2).reshape(n, 3, 2 * h, 2 * w)
        else:
            y = self.super[1](y)
        y = y if self.fault == "not clamped" else ops.clamp(y, 0.0, 0.5 if self.fault == "clamped to half" else 1.0)
        z = self.embed(y.mean((2, 3)))
        if self.fault == "norm over batch":
            z = z / ops.sqrt((z * z).sum(0, keepdims=True))
        elif self.fault == "norm of ones":
            z = z / z.abs().sum(1, keepdims=True)
        elif self.fault != "not normalized":
            z = ops.L2Normalize(axis=1, epsilon=1e-12)(z)
        product = ops.matmul(z, z.T)
        return y, z, product / 0.5 if self.fault == "temperature" else product


PAIRS = {
    "DenseNet": (TorchDenseNet, DenseNet, lambda: (image(3, 34),)),
    "WaveNet": (TorchWaveNet, WaveNet, lambda: (image(1, 12).flatten(2),)),
    "volume": (TorchVolume, Volume, lambda: (torch.randn(1, 1, 8, 8, 8, generator=torch.Generator().manual_seed(5)),)),
    "shuffle": (TorchShuffle, Shuffle, lambda: (100 * image(3, 16),)),
}
MISSING = ("missing layer",)
LAYOUT = ("layout",)
ORDER = ("order of inputs",)
FAULTS = {
    "DenseNet": {
        "newest first": (("cat after layers.1.conv2",), ORDER),
        "no first relu": (("layers.2.relu1",), MISSING),
        "second sigmoid": (("layers.2.relu2",), ("activation",)),
        "small stem": (("conv0",), ("weight shape", "kernel_size")),
        "transition maximum": (("pool",), ("pooling",)),
        "pool valid": (("max_pool2d after norm0",), ("padding",)),
        "input left out": (("cat after layers.3.conv2",), ("constant", "layout")),
        "no transition relu": (("relu after norm",), MISSING),
        "no last relu": (("relu after norm5",), MISSING),
        "maximum for mean": (("mean after norm5", "adaptive_avg_pool2d after norm5"), ("pooling",)),
    },
    "WaveNet": {
        "linear dilation": (("gates.3",), ("dilation",)),
        "padded behind": (("constant_pad_nd after mixes.1", "gates.2"), ("pad", "padding", "layout")),
        "padded by edge": (("constant_pad_nd after mixes.1",), ("padding", "other operator", "pad")),
        "gates turned": (("tanh after gates.2",), ("layout", "wiring")),
        "no tanh": (("tanh after gates.2",), ("activation",)),
        "gate added": (("mul after gates.2",), ("other operator",)),
        "skip turned": (("add after mixes.2",), ("layout", "wiring")),
        "no residual": (("add after mixes.2",), MISSING),
        "no root": (("mul after mixes.2",), MISSING),
        "skips dropped": (("add after mixes.2",), MISSING),
        "no end relu": (("relu after mixes.3",), MISSING),
    },
    "volume": {
        "eps": (("bn1",), ("eps",)),
        "average": (("pool",), ("pooling",)),
        "no bias": (("conv2",), ("has_bias", "bias")),
        "two groups": (("gn",), ("num_groups",)),
        "default slope": (("leaky_relu after gn",), ("alpha",)),
        "last axis": (("softmax after out",), ("axis",)),
        "gelu": (("relu after bn2",), ("activation",)),
        "skip first": (("cat after up",), ORDER),
        "half": (("gn",), ("dtype",)),
        "no norm": (("gn",), MISSING),
        "sigmoid": (("softmax after out",), ("activation",)),
    },
    "shuffle": {
        "not divided": (("div at the beginning",), MISSING),
        "divided by 256": (("div at the beginning",), ("scale",)),
        "halves turned": (("branch.0",), ("layout", "wiring")),
        "shuffle of twelve": (("super.0",), LAYOUT),
        "no shuffle": (("super.0",), LAYOUT),
        "depth to space": (("super.1", "clamp after super.*"), LAYOUT),
        "not clamped": (("clamp after super.1",), MISSING),
        "clamped to half": (("clamp after super.1",), ("max", "constant")),
        "norm over batch": (("* after embed",), ("axis", "other operator")),
        "norm of ones": (("* after embed",), ("other operator",)),
        "not normalized": (("* after embed",), MISSING),
        "temperature": (("div after embed", "* after embed"), ("extra layer", "scale")),
    },
}  # fmt: skip
HARMLESS = {
    "DenseNet": ("", "pool same"),
    "WaveNet": ("",),
    "volume": ("",),
    "shuffle": ("",),
}
