"""A Swin and a YOLO network, as in torch and as rewritten by hand, with what can go wrong.

`FAULTS` says of each fault that a Cell takes where it is (patterns) and which causes are right; `HARMLESS` lists other
ways to write it, which give the same.
"""

import numpy as np
import torch
from torch.nn import functional as F

from msbridge import Parameter, Tensor, nn, ops
from msbridge.core.parameter.initializer import initializer
from msbridge.core.types import dtype as mstype
from msbridge.ops import operations as P
from tests.zoo.pairs import image


def torch_windows(x, size):
    b, h, w, c = x.shape
    return x.view(b, h // size, size, w // size, size, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, size * size, c)


def torch_whole(windows, size, h, w):
    b = windows.shape[0] // (h * w // size // size)
    x = windows.view(b, h // size, w // size, size, size, -1)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, -1)


def relative_index(size):
    places = torch.stack(torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")).flatten(1)
    gap = (places[:, :, None] - places[:, None, :]).permute(1, 2, 0) + size - 1
    return gap[..., 0] * (2 * size - 1) + gap[..., 1]


class TorchSwinBlock(torch.nn.Module):
    def __init__(self, width, heads, size, shift):
        super().__init__()
        self.heads, self.size, self.shift = heads, size, shift
        self.norm1 = torch.nn.LayerNorm(width)
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.table = torch.nn.Parameter(torch.randn((2 * size - 1) ** 2, heads))
        self.register_buffer("index", relative_index(size), persistent=False)
        self.proj = torch.nn.Linear(width, width)
        self.norm2 = torch.nn.LayerNorm(width)
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(width, 4 * width), torch.nn.GELU(), torch.nn.Linear(4 * width, width)
        )

    def forward(self, x):
        _, h, w, c = x.shape
        y = self.norm1(x)
        if self.shift:
            y = torch.roll(y, (-self.shift, -self.shift), dims=(1, 2))
        y = torch_windows(y, self.size)
        q, k, v = self.qkv(y).reshape(*y.shape[:2], 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        att = (q * (c // self.heads) ** -0.5) @ k.transpose(-2, -1)
        bias = self.table[self.index.view(-1)].view(self.size**2, self.size**2, -1).permute(2, 0, 1)
        att = F.softmax(att + bias.unsqueeze(0), dim=-1)
        y = torch_whole(self.proj((att @ v).transpose(1, 2).reshape(y.shape)), self.size, h, w)
        if self.shift:
            y = torch.roll(y, (self.shift, self.shift), dims=(1, 2))
        x = x + y
        return x + self.mlp(self.norm2(x))


class TorchSwin(torch.nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.embed = torch.nn.Conv2d(3, width, 4, 4)
        self.blocks = torch.nn.Sequential(*[TorchSwinBlock(width, 3, 4, shift) for shift in (0, 2)])
        self.merge_norm = torch.nn.LayerNorm(4 * width)
        self.reduction = torch.nn.Linear(4 * width, 2 * width, bias=False)
        self.head = torch.nn.Linear(2 * width, 10)

    def forward(self, x):
        x = self.blocks(self.embed(x).permute(0, 2, 3, 1))
        x = torch.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)
        return self.head(self.reduction(self.merge_norm(x)).mean((1, 2)))


class SwinBlock(nn.Cell):
    def __init__(self, width, heads, size, shift, fault=""):
        super().__init__()
        self.fault = fault
        self.heads, self.size, self.shift = heads, size, shift
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.qkv = nn.Dense(width, 3 * width)
        self.table = Parameter(initializer("normal", ((2 * size - 1) ** 2, heads)), name="table")
        index = relative_index(size).numpy().reshape(-1)
        self.index = Tensor(index.reshape(size**2, -1).T.copy().reshape(-1) if fault == "index turned" else index)
        self.proj = nn.Dense(width, width)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.mlp = nn.SequentialCell(nn.Dense(width, 4 * width), nn.GELU(approximate=False), nn.Dense(4 * width, width))

    def windows(self, x):
        b, h, w, c = x.shape
        s = self.size
        if self.fault == "windows unpermuted":
            return x.reshape(-1, s * s, c)
        order = (0, 3, 1, 2, 4, 5) if self.fault == "windows by columns" else (0, 1, 3, 2, 4, 5)
        return x.reshape(b, h // s, s, w // s, s, c).transpose(order).reshape(-1, s * s, c)

    def construct(self, x):
        b, h, w, c = x.shape
        s = self.size
        y = self.norm1(x)
        if self.shift and self.fault != "no shift":
            shift = self.shift if self.fault == "shift the other way" else -self.shift
            y = ops.roll(
                y,
                (shift,) if self.fault == "one axis" else (shift, shift),
                (1,) if self.fault == "one axis" else (1, 2),
            )
        y = self.windows(y)
        qkv = self.qkv(y).reshape(y.shape[0], y.shape[1], 3, self.heads, -1).transpose(2, 0, 3, 1, 4)
        q, k, v = qkv[0] * (c // self.heads) ** -0.5, qkv[1], qkv[2]
        att = ops.matmul(q, k.swapaxes(-2, -1))
        bias = ops.gather(self.table, self.index, 0).reshape(s * s, s * s, -1)
        if self.fault != "no position bias":
            att = att + (
                bias.transpose(2, 1, 0) if self.fault == "bias turned" else bias.transpose(2, 0, 1)
            ).expand_dims(0)
        y = self.proj(ops.matmul(ops.softmax(att, -1), v).swapaxes(1, 2).reshape(y.shape))
        y = y.reshape(b, h // s, w // s, s, s, -1).transpose(0, 1, 3, 2, 4, 5).reshape(b, h, w, -1)
        if self.shift and self.fault not in ("not shifted back", "no shift"):
            y = ops.roll(y, (self.shift, self.shift), (1, 2))
        x = x + y
        return x + self.mlp(self.norm2(x))


class Swin(nn.Cell):
    def __init__(self, fault="", width=48):
        super().__init__()
        self.fault = fault
        self.embed = nn.Conv2d(3, width, 4, 4, pad_mode="valid", has_bias=True)
        self.blocks = nn.SequentialCell([SwinBlock(width, 3, 4, shift, fault if shift else "") for shift in (0, 2)])
        self.merge_norm = nn.LayerNorm((4 * width,), epsilon=1e-5)
        self.reduction = nn.Dense(4 * width, 2 * width, has_bias=False)
        self.head = nn.Dense(2 * width, 10)

    def construct(self, x):
        x = self.embed(x)
        x = self.blocks(x.transpose(0, 3, 2, 1) if self.fault == "width first" else x.transpose(0, 2, 3, 1))
        parts = [x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]]
        if self.fault == "merge order":
            parts[1], parts[2] = parts[2], parts[1]
        x = self.reduction(self.merge_norm(ops.concat(parts, -1)))
        return self.head(x.sum((1, 2)) if self.fault == "sum for mean" else x.mean((1, 2)))


def torch_yolo_conv(inner, outer, kernel, stride=1):
    return torch.nn.Sequential(
        torch.nn.Conv2d(inner, outer, kernel, stride, kernel // 2, bias=False),
        torch.nn.BatchNorm2d(outer, eps=1e-3, momentum=0.03), torch.nn.SiLU(),
    )  # fmt: skip


class TorchYolo(torch.nn.Module):
    def __init__(self, width=32, classes=5):
        super().__init__()
        self.classes = classes
        self.stem = torch_yolo_conv(3, width, 3, 2)
        self.down = torch_yolo_conv(width, 2 * width, 3, 2)
        self.cv1 = torch_yolo_conv(2 * width, width, 1)
        self.pool = torch.nn.MaxPool2d(5, 1, 2)
        self.cv2 = torch_yolo_conv(4 * width, 2 * width, 1)
        self.up = torch.nn.Upsample(scale_factor=2, mode="nearest")
        self.fuse = torch_yolo_conv(3 * width, width, 3)
        self.head = torch.nn.ModuleList([torch.nn.Conv2d(c, 3 * (classes + 5), 1) for c in (width, 2 * width)])
        self.register_buffer("anchors", torch.tensor([[10.0, 13, 16, 30, 33, 23], [30, 61, 62, 45, 59, 119]]))

    def forward(self, x):
        a = self.stem(x)
        b = self.cv1(self.down(a))
        p1 = self.pool(b)
        p2 = self.pool(p1)
        b = self.cv2(torch.cat([b, p1, p2, self.pool(p2)], 1))
        a = self.fuse(torch.cat([self.up(b), a], 1))
        found = []
        for level, (y, stride) in enumerate(((a, 2), (b, 4))):
            y = self.head[level](y)
            n, _, h, w = y.shape
            y = y.view(n, 3, self.classes + 5, h, w).permute(0, 1, 3, 4, 2).contiguous().sigmoid()
            rows, columns = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
            grid = torch.stack((columns, rows), 2).float()
            xy = (y[..., 0:2] * 2.0 - 0.5 + grid) * stride
            wh = (y[..., 2:4] * 2) ** 2 * self.anchors[level].view(3, 1, 1, 2)
            found.append(torch.cat((xy, wh, y[..., 4:]), -1).view(n, -1, self.classes + 5))
        return torch.cat(found, 1)


def yolo_conv(inner, outer, kernel, stride=1, fault=""):
    conv = nn.Conv2d(inner, outer, kernel, stride, pad_mode="pad", padding=kernel // 2)
    if fault == "same stride":
        conv = nn.Conv2d(inner, outer, kernel, stride, pad_mode="same")
    if fault == "conv bias":
        conv = nn.Conv2d(
            inner, outer, kernel, stride, pad_mode="pad", padding=kernel // 2, has_bias=True, bias_init=0.3
        )
    act = {"hswish": nn.HSwish(), "relu": nn.ReLU()}.get(fault, nn.SiLU())
    norm = nn.BatchNorm2d(outer, eps=1e-5 if fault == "default eps" else 1e-3, momentum=0.97)
    layers = [conv, act, norm] if fault == "act before norm" else [conv, norm, act]
    return nn.SequentialCell(layers[:1] + layers[2:] if fault == "no norm" else layers)


class Yolo(nn.Cell):
    def __init__(self, fault="", width=32, classes=5):
        super().__init__()
        self.fault = fault
        self.classes = classes
        self.stem = yolo_conv(3, width, 3, 2)
        self.down = yolo_conv(width, 2 * width, 3, 2, fault)
        self.cv1 = yolo_conv(2 * width, width, 1)
        self.pool = nn.MaxPool2d(5, 1, pad_mode="same")
        if fault == "pool three":
            self.pool = nn.MaxPool2d(3, 1, pad_mode="same")
        if fault == "average pool":
            self.pool = nn.AvgPool2d(5, 1, pad_mode="same")
        self.cv2 = yolo_conv(4 * width, 2 * width, 1)
        self.fuse = yolo_conv(3 * width, width, 3)
        self.head = nn.CellList([nn.Conv2d(c, 3 * (classes + 5), 1, has_bias=True) for c in (width, 2 * width)])
        anchors = np.array([[10.0, 13, 16, 30, 33, 23], [30, 61, 62, 45, 59, 119]], np.float32)
        self.anchors = Tensor(anchors[::-1].copy() if fault == "anchors turned" else anchors)
        self.concat, self.sigmoid = P.Concat(1), P.Sigmoid()

    def construct(self, x):
        if self.fault == "channels turned":
            x = ops.flip(x, (1,))
        a = self.stem(x)
        b = self.cv1(self.down(a))
        p1 = self.pool(b)
        p2 = p1 if self.fault == "pooled once less" else self.pool(p1)
        parts = (b, p1, p2, self.pool(p2))
        b = self.cv2(self.concat(parts[::-1] if self.fault == "pyramid order" else parts))
        size = 2 * b.shape[2], 2 * b.shape[3]
        up = P.ResizeBilinear(size)(b) if self.fault == "bilinear up" else P.ResizeNearestNeighbor(size)(b)
        a = self.fuse(self.concat((a, up) if self.fault == "skip order" else (up, a)))
        found = []
        for level, (y, stride) in enumerate(((a, 2), (b, 4))):
            y = self.head[level](y)
            n, _, h, w = y.shape
            if self.fault == "outputs before anchors":
                y = y.reshape(n, self.classes + 5, 3, h, w).transpose(0, 2, 3, 4, 1)
            else:
                y = y.reshape(n, 3, self.classes + 5, h, w).transpose(0, 1, 3, 4, 2)
            if self.fault != "no sigmoid":
                y = self.sigmoid(y)
            rows, columns = ops.meshgrid(ops.arange(h), ops.arange(w), indexing="ij")
            grid = ops.stack((rows, columns) if self.fault == "grid turned" else (columns, rows), 2).astype(
                mstype.float32
            )
            xy = y[..., 0:2] * 2.0 - (0.0 if self.fault == "no half" else 0.5) + grid
            xy = xy if self.fault == "no stride" else xy * (8 if self.fault == "stride eight" and level else stride)
            if self.fault == "exp sizes":
                wh = ops.exp(y[..., 2:4])
            else:
                wh = y[..., 2:4] * 2 if self.fault == "not squared" else (y[..., 2:4] * 2) ** 2
            wh = wh * self.anchors[level].reshape(3, 1, 1, 2)
            parts = (wh, xy, y[..., 4:]) if self.fault == "sizes first" else (xy, wh, y[..., 4:])
            found.append(ops.concat(parts, -1).reshape(n, -1, self.classes + 5))
        return ops.concat(found[::-1] if self.fault == "levels turned" else found, 1)


PAIRS = {
    "Swin": (TorchSwin, Swin, lambda: (image(3, 32),)),
    "YOLO": (TorchYolo, Yolo, lambda: (image(3, 32),)),
}
MISSING = ("missing layer",)
LAYOUT = ("layout",)
ORDER = ("order of inputs",)
S = "blocks.1"
FAULTS = {
    "Swin": {
        "index turned": ((f"* after {S}.qkv",), ("indices", "layout")),
        "windows unpermuted": ((f"{S}.qkv",), LAYOUT),
        "windows by columns": ((f"{S}.qkv",), LAYOUT),
        "no shift": ((f"{S}.qkv",), LAYOUT),
        "shift the other way": ((f"{S}.qkv",), LAYOUT),
        "one axis": ((f"{S}.qkv",), LAYOUT),
        "no position bias": ((f"add after {S}.qkv",), MISSING),
        "bias turned": ((f"add after {S}.qkv",), LAYOUT),
        "not shifted back": ((f"add after {S}.proj",), LAYOUT),
        "width first": (("blocks.0.norm1",), LAYOUT),
        "merge order": (("cat after blocks.1.mlp.2",), ORDER),
        "sum for mean": (("mean after reduction",), ("pooling", "other operator", "scale")),
    },
    "YOLO": {
        "same stride": (("down.0",), ("padding",)),
        "conv bias": (("down.0",), ("has_bias", "extra weight")),
        "hswish": (("down.2",), ("activation",)),
        "relu": (("down.2",), ("activation",)),
        "default eps": (("down.1",), ("eps",)),
        "act before norm": (("down.1", "down.2"), ("order of layers",)),
        "no norm": (("down.1",), ("missing layer", "missing weight")),
        "pool three": (("pool",), ("kernel_size",)),
        "average pool": (("pool",), ("pooling",)),
        "anchors turned": (("mul after head.0",), ("constant", "wiring", "layout")),
        "channels turned": (("stem.0",), LAYOUT),
        "pooled once less": (("pool (call 2)", "pool (call 3)", "cat after pool*"), ("missing layer", "wiring")),
        "pyramid order": (("cat after pool*",), ORDER),
        "bilinear up": (("up",), ("mode", "other operator")),
        "skip order": (("cat after up",), ORDER),
        "outputs before anchors": (("sigmoid after head.0",), LAYOUT),
        "no sigmoid": (("sigmoid after head.0",), MISSING),
        "grid turned": (("add after head.0",), ("layout", "order of inputs", "constant")),
        "no half": (("sub after head.0",), ("constant", "missing layer")),
        "no stride": (("mul after head.0",), MISSING),
        "stride eight": (("mul after head.1",), ("scale",)),
        "not squared": (("pow after head.0",), MISSING),
        "exp sizes": (("* after head.0",), ("other operator",)),
        "sizes first": (("cat after head.0",), ORDER),
        "levels turned": (("cat after head.1",), ORDER),
    },
}  # fmt: skip
HARMLESS = {
    "Swin": ("",),
    "YOLO": ("",),
}
