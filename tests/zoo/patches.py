"""A ViT and a ConvNeXt, as in torch and as rewritten by hand, with what can go wrong.

`FAULTS` says of each fault that a Cell takes where it is (patterns) and which causes are right; `HARMLESS` lists other
ways to write it, which give the same.
"""

import torch

from msbridge import Parameter, Tensor, nn, ops
from msbridge.core.parameter.initializer import initializer
from msbridge.core.types import dtype as mstype
from tests.zoo.pairs import image


class TorchViTBlock(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.scale = (width // heads) ** -0.5
        self.norm1 = torch.nn.LayerNorm(width, eps=1e-6)
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.proj = torch.nn.Linear(width, width)
        self.norm2 = torch.nn.LayerNorm(width, eps=1e-6)
        self.fc1 = torch.nn.Linear(width, 4 * width)
        self.act = torch.nn.GELU()
        self.fc2 = torch.nn.Linear(4 * width, width)

    def attention(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        weights = (q * self.scale @ k.transpose(-2, -1)).softmax(dim=-1)
        return self.proj((weights @ v).transpose(1, 2).reshape(b, n, c))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.fc2(self.act(self.fc1(self.norm2(x))))


class TorchViT(torch.nn.Module):
    def __init__(self, size=64, patch=16, width=192, heads=3, depth=3):
        super().__init__()
        self.proj = torch.nn.Conv2d(3, width, patch, patch)
        self.cls_token = torch.nn.Parameter(torch.randn(1, 1, width))
        self.pos_embed = torch.nn.Parameter(torch.randn(1, (size // patch) ** 2 + 1, width))
        self.blocks = torch.nn.Sequential(*[TorchViTBlock(width, heads) for _ in range(depth)])
        self.norm = torch.nn.LayerNorm(width, eps=1e-6)
        self.head = torch.nn.Linear(width, 100)

    def forward(self, x):
        x = self.proj(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(x.shape[0], -1, -1), x], dim=1) + self.pos_embed
        return self.head(self.norm(self.blocks(x))[:, 0])


class ViTBlock(nn.Cell):
    def __init__(self, width, heads, fault=""):
        super().__init__()
        self.fault = fault
        self.heads = heads
        self.scale = (width // heads) ** (0.5 if fault == "scale upside down" else -0.5)
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-6)
        self.qkv = nn.Dense(width, 3 * width, has_bias=fault != "no qkv bias")
        self.proj = nn.Dense(width, width)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-5 if fault == "epsilon" else 1e-6)
        self.fc1 = nn.Dense(width, 4 * width)
        self.act = nn.GELU() if fault == "gelu tanh" else nn.GELU(approximate=False)
        self.fc2 = nn.Dense(4 * width, width)

    def attention(self, x):
        b, n, c = x.shape
        if self.fault == "heads before three":
            qkv = self.qkv(x).reshape(b, n, self.heads, 3, c // self.heads).transpose(3, 0, 2, 1, 4)
        else:
            qkv = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).transpose(2, 0, 3, 1, 4)
        q, k, v = (qkv[1], qkv[0], qkv[2]) if self.fault == "query and key turned" else (qkv[0], qkv[1], qkv[2])
        weights = ops.softmax(ops.matmul(q * self.scale, k.swapaxes(-2, -1)), axis=1 if self.fault == "axis" else -1)
        y = ops.matmul(weights, v)
        y = (y if self.fault == "heads not joined" else y.swapaxes(1, 2)).reshape(b, n, c)
        return y if self.fault == "no projection" else self.proj(y)

    def construct(self, x):
        x = x + self.attention(self.norm1(x))
        y = self.norm2(x)
        if self.fault == "norm on the skip":
            x = y
        y = self.fc2(self.act(self.fc1(y)))
        return y if self.fault == "no residual" else x + y


class ViT(nn.Cell):
    def __init__(self, fault="", size=64, patch=16, width=192, heads=3, depth=3):
        super().__init__()
        self.fault = fault
        self.proj = nn.Conv2d(3, width, patch, patch, pad_mode="valid", has_bias=True)
        self.cls_token = Parameter(initializer("normal", (1, 1, width)), name="cls_token")
        self.pos_embed = Parameter(initializer("normal", (1, (size // patch) ** 2 + 1, width)), name="pos_embed")
        self.blocks = nn.SequentialCell([ViTBlock(width, heads, fault if index == 1 else "") for index in range(depth)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-6)
        self.head = nn.Dense(width, 100)

    def construct(self, x):
        if self.fault == "colors turned":
            x = ops.flip(x, (1,))
        if self.fault == "not scaled":
            x = x / 255.0
        x = self.proj(x)
        b, c = x.shape[:2]
        if self.fault == "patches by reshape":
            x = x.reshape(b, -1, c)
        elif self.fault == "patches by columns":
            x = x.transpose(0, 3, 2, 1).reshape(b, -1, c)
        else:
            x = x.reshape(b, c, -1).transpose(0, 2, 1)
        token = ops.broadcast_to(self.cls_token, (b, 1, c))
        x = ops.concat((x, token) if self.fault == "token last" else (token, x), axis=1)
        if self.fault == "positions without token":
            x = ops.concat((x[:, :1], x[:, 1:] + self.pos_embed[:, 1:]), axis=1)
        elif self.fault != "no positions":
            x = x + self.pos_embed
        x = self.blocks(x)
        if self.fault == "token before norm":
            return self.head(x[:, 0])
        x = self.norm(x)
        return self.head(
            x.mean(axis=1) if self.fault == "mean of tokens" else x[:, 1 if self.fault == "first patch" else 0]
        )


class TorchConvNeXtBlock(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.dwconv = torch.nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm = torch.nn.LayerNorm(width, eps=1e-6)
        self.pwconv1 = torch.nn.Linear(width, 4 * width)
        self.act = torch.nn.GELU()
        self.pwconv2 = torch.nn.Linear(4 * width, width)
        self.gamma = torch.nn.Parameter(torch.randn(width))

    def forward(self, x):
        y = self.norm(self.dwconv(x).permute(0, 2, 3, 1))
        y = self.gamma * self.pwconv2(self.act(self.pwconv1(y)))
        return x + y.permute(0, 3, 1, 2)


class TorchChannelNorm(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))
        self.bias = torch.nn.Parameter(torch.zeros(width))

    def forward(self, x):
        mean = x.mean(1, keepdim=True)
        variance = (x - mean).pow(2).mean(1, keepdim=True)
        x = (x - mean) / torch.sqrt(variance + 1e-6)
        return self.weight[:, None, None] * x + self.bias[:, None, None]


class TorchConvNeXt(torch.nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.stem = torch.nn.Sequential(torch.nn.Conv2d(3, width, 4, 4), TorchChannelNorm(width))
        self.stage1 = torch.nn.Sequential(TorchConvNeXtBlock(width), TorchConvNeXtBlock(width))
        self.down = torch.nn.Sequential(TorchChannelNorm(width), torch.nn.Conv2d(width, 2 * width, 2, 2))
        self.stage2 = TorchConvNeXtBlock(2 * width)
        self.norm = torch.nn.LayerNorm(2 * width, eps=1e-6)
        self.head = torch.nn.Linear(2 * width, 20)

    def forward(self, x):
        x = self.stage2(self.down(self.stage1(self.stem(x))))
        return self.head(self.norm(x.mean([-2, -1])))


class ConvNeXtBlock(nn.Cell):
    def __init__(self, width, fault=""):
        super().__init__()
        self.fault = fault
        self.dwconv = nn.Conv2d(width, width, 7, pad_mode="pad", padding=3, group=width, has_bias=True)
        self.norm = nn.LayerNorm((width,), epsilon=1e-6)
        self.pwconv1 = nn.Dense(width, 4 * width)
        self.act = nn.GELU(approximate=fault == "gelu tanh")
        self.pwconv2 = nn.Dense(4 * width, width)
        self.gamma = Parameter(Tensor([1e-6] * width, mstype.float32), name="gamma")

    def construct(self, x):
        y = self.dwconv(x)
        if self.fault == "channels last by width":
            y = self.norm(y.transpose(0, 3, 2, 1))
        elif self.fault == "act before norm":
            y = self.norm(self.act(y.transpose(0, 2, 3, 1)))
        else:
            y = self.norm(y.transpose(0, 2, 3, 1))
        y = self.pwconv1(y)
        y = self.pwconv2(y if self.fault == "act before norm" else self.act(y))
        if self.fault != "no layer scale":
            y = self.gamma * y
        y = y.transpose(0, 3, 2, 1) if self.fault == "back by width" else y.transpose(0, 3, 1, 2)
        return x - y if self.fault == "subtracted" else x + y


class ChannelNorm(nn.Cell):
    def __init__(self, width, fault=""):
        super().__init__()
        self.fault = fault
        self.weight = Parameter(initializer("ones", (width,)), name="weight")
        self.bias = Parameter(initializer("zeros", (width,)), name="bias")
        self.epsilon = 1e-3 if fault in ("hand epsilon", "epsilon outside") else 1e-6

    def construct(self, x):
        axis = (2, 3) if self.fault == "spatial norm" else 1
        mean = x.mean(axis, keep_dims=True)
        if self.fault == "unbiased":
            variance = x.var(1, ddof=1, keepdims=True)
        else:
            variance = ops.pow(x - mean, 2).mean(axis, keep_dims=True)
        if self.fault == "epsilon outside":
            x = (x - mean) / (ops.sqrt(variance) + self.epsilon)
        elif self.fault == "no root":
            x = (x - mean) / (variance + self.epsilon)
        else:
            x = (x - mean) / ops.sqrt(variance + self.epsilon)
        weight, bias = self.weight.reshape(-1, 1, 1), self.bias.reshape(-1, 1, 1)
        return weight * x if self.fault == "no shift" else weight * x + bias


class ConvNeXt(nn.Cell):
    def __init__(self, fault="", width=48):
        super().__init__()
        self.fault = fault
        self.stem = nn.SequentialCell(nn.Conv2d(3, width, 4, 4, pad_mode="valid", has_bias=True), ChannelNorm(width))
        self.stage1 = nn.SequentialCell(ConvNeXtBlock(width), ConvNeXtBlock(width, fault))
        self.down = nn.SequentialCell(
            ChannelNorm(width, fault),
            nn.Conv2d(width, 2 * width, 3 if fault == "kernel three" else 2, 2,
                      pad_mode="same" if fault == "kernel three" else "valid", has_bias=True),
        )  # fmt: skip
        self.stage2 = ConvNeXtBlock(2 * width)
        self.norm = nn.LayerNorm((2 * width,), epsilon=1e-6)
        self.head = nn.Dense(2 * width, 20)

    def construct(self, x):
        x = self.stage2(self.down(self.stage1(self.stem(x))))
        if self.fault == "maximum for mean":
            return self.head(self.norm(x.max((-2, -1))))
        if self.fault == "norm before mean":
            return self.head(self.norm(x.transpose(0, 2, 3, 1)).mean((1, 2)))
        return self.head(self.norm(x.mean((-2, -1))))


PAIRS = {
    "ViT": (TorchViT, ViT, lambda: (image(3, 64),)),
    "ConvNeXt": (TorchConvNeXt, ConvNeXt, lambda: (image(3, 64),)),
}
MISSING = ("missing layer",)
EXTRA = ("extra layer",)
LAYOUT = ("layout",)
QKV = ("* after blocks.1.qkv",)
FAULTS = {
    "ViT": {
        "scale upside down": (QKV, ("scale", "constant")),
        "no qkv bias": (("blocks.1.qkv",), ("has_bias", "bias")),
        "epsilon": (("blocks.1.norm2",), ("epsilon",)),
        "gelu tanh": (("blocks.1.act",), ("approximate",)),
        "heads before three": (QKV, LAYOUT),
        "query and key turned": (QKV, ("layout", "order of inputs", "wiring")),
        "axis": (QKV, ("axis",)),
        "heads not joined": (("blocks.1.proj",), LAYOUT),
        "no projection": (("blocks.1.proj",), MISSING),
        "norm on the skip": (("add after blocks.1.fc2",), ("wiring",)),
        "no residual": (("add after blocks.1.fc2",), MISSING),
        "colors turned": (("proj",), LAYOUT),
        "not scaled": (("proj", "div at the beginning"), EXTRA),
        "patches by reshape": (("cat after proj",), LAYOUT),
        "patches by columns": (("cat after proj",), LAYOUT),
        "token last": (("cat after proj",), ("order of inputs",)),
        "positions without token": (("* after proj",), ("layout", "other operator", "extra layer", "constant")),
        "no positions": (("add after proj",), MISSING),
        "token before norm": (("norm",), MISSING),
        "mean of tokens": (("head", "mean after norm"), ("extra layer", "layout")),
        "first patch": (("head",), LAYOUT),
    },
    "ConvNeXt": {
        "gelu tanh": (("stage1.1.act",), ("approximate",)),
        "channels last by width": (("stage1.1.norm",), LAYOUT),
        "act before norm": (("stage1.1.act", "stage1.1.norm"), ("order of layers", "extra layer", "wiring")),
        "no layer scale": (("mul after stage1.1.pwconv2",), MISSING),
        "back by width": (("add after stage1.1.pwconv2",), LAYOUT),
        "subtracted": (("add after stage1.1.pwconv2",), ("other operator",)),
        "hand epsilon": (("down.0",), ("constant", "scale", "eps")),
        "spatial norm": (("down.0",), ("axis", "pooling")),
        "unbiased": (("down.0",), ("other operator", "correction", "axis")),
        "epsilon outside": (("down.0",), ("other operator", "order of layers")),
        "no root": (("down.0",), MISSING),
        "no shift": (("down.0",), ("missing layer", "missing weight", "bias")),
        "kernel three": (("down.1",), ("kernel_size", "weight shape", "padding")),
        "maximum for mean": (("mean after stage2.*",), ("pooling", "other operator")),
        "norm before mean": (("norm", "mean after *"), ("order of layers", "layout", "missing layer", "wiring")),
    },
}  # fmt: skip
HARMLESS = {
    "ViT": ("",),
    "ConvNeXt": ("",),
}
