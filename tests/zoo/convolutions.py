"""A U-Net, a MobileNet and a generator of images, as in torch and as rewritten by hand, with what can go wrong.

`FAULTS` says of each fault that a Cell takes where it is (patterns) and which causes are right; `HARMLESS` lists other
ways to write it, which give the same.
"""

import torch
from torch.nn import functional as F

from msbridge import nn, ops
from msbridge.ops import operations as P
from tests.zoo.pairs import image


class TorchUNetBlock(torch.nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.double_conv = torch.nn.Sequential(
            torch.nn.Conv2d(inner, outer, 3, padding=1, bias=False), torch.nn.BatchNorm2d(outer),
            torch.nn.ReLU(inplace=True),
            torch.nn.Conv2d(outer, outer, 3, padding=1, bias=False), torch.nn.BatchNorm2d(outer),
            torch.nn.ReLU(inplace=True),
        )  # fmt: skip

    def forward(self, x):
        return self.double_conv(x)


class TorchUNetFull(torch.nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.inc = TorchUNetBlock(3, width)
        self.down1 = TorchUNetBlock(width, 2 * width)
        self.down2 = TorchUNetBlock(2 * width, 4 * width)
        self.pool = torch.nn.MaxPool2d(2)
        self.up1 = torch.nn.ConvTranspose2d(4 * width, 2 * width, 2, stride=2)
        self.conv1 = TorchUNetBlock(4 * width, 2 * width)
        self.up2 = torch.nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
        self.conv2 = TorchUNetBlock(3 * width, width)
        self.outc = torch.nn.Conv2d(width, 2, 1)

    def forward(self, x):
        x1 = self.inc(x)
        x2 = self.down1(self.pool(x1))
        x3 = self.down2(self.pool(x2))
        x = self.up1(x3)
        x = F.pad(x, [0, x2.shape[3] - x.shape[3], 0, x2.shape[2] - x.shape[2]])
        x = self.conv1(torch.cat([x2, x], dim=1))
        return self.outc(self.conv2(torch.cat([x1, self.up2(x)], dim=1)))


class UNetBlock(nn.Cell):
    def __init__(self, inner, outer, fault=""):
        super().__init__()
        first = nn.Conv2d(inner, outer, 3, pad_mode="valid" if fault == "valid" else "pad",
                          padding=0 if fault == "valid" else 1)  # fmt: skip
        if fault == "dilated":
            first = nn.Conv2d(inner, outer, 3, pad_mode="pad", padding=2, dilation=2)
        if fault == "reflected":
            first = nn.SequentialCell(nn.ReflectionPad2d(1), nn.Conv2d(inner, outer, 3, pad_mode="valid"))
        norm = nn.BatchNorm2d(outer, eps=1e-3 if fault == "eps" else 1e-5)
        if fault == "instance":
            norm = nn.InstanceNorm2d(outer)
        layers = [first, norm, nn.ReLU(), nn.Conv2d(outer, outer, 3, pad_mode="pad", padding=1),
                  nn.BatchNorm2d(outer), nn.ReLU()]  # fmt: skip
        if fault == "relu before norm":
            layers[1], layers[2] = layers[2], layers[1]
        if fault == "no last relu":
            layers = layers[:-1]
        if fault == "batch norm for training":
            layers[1] = nn.BatchNorm2d(outer, use_batch_statistics=True)
        self.double_conv = nn.SequentialCell(layers)

    def construct(self, x):
        return self.double_conv(x)


class UNetFull(nn.Cell):
    def __init__(self, fault="", width=24):
        super().__init__()
        self.fault = fault
        self.inc = UNetBlock(3, width)
        self.down1 = UNetBlock(width, 2 * width, fault)
        self.down2 = UNetBlock(2 * width, 4 * width)
        self.pool = nn.MaxPool2d(2, 2, pad_mode="same" if fault == "pool same" else "valid")
        if fault == "average":
            self.pool = nn.AvgPool2d(2, 2)
        if fault == "ceil":
            self.pool = nn.MaxPool2d(2, 2, pad_mode="pad", ceil_mode=True)
        self.up1 = nn.Conv2dTranspose(
            4 * width, 2 * width, 2, stride=2, pad_mode="valid", has_bias=fault != "no bias up"
        )
        self.conv1 = UNetBlock(4 * width, 2 * width)
        self.conv2 = UNetBlock(3 * width, width)
        self.outc = nn.Conv2d(width, 2, 1, has_bias=fault != "no bias out")

    def enlarge(self, x):
        height, width = 2 * x.shape[2], 2 * x.shape[3]
        if self.fault == "nearest":
            return P.ResizeNearestNeighbor((height, width))(x)
        if self.fault == "corners":
            return ops.interpolate(x, size=(height, width), mode="bilinear", align_corners=False)
        if self.fault == "legacy resize":
            return P.ResizeBilinear((height, width), align_corners=False)(x)
        return P.ResizeBilinear((height, width), align_corners=True)(x)

    def construct(self, x):
        x1 = self.inc(x)
        x2 = self.down1(self.pool(x1))
        x3 = self.down2(self.pool(x2))
        x = self.up1(x3)
        dy, dx = x2.shape[2] - x.shape[2], x2.shape[3] - x.shape[3]
        x = ops.pad(x, (dx, 0, dy, 0) if self.fault == "padded in front" else (0, dx, 0, dy))
        x = self.conv1(ops.concat((x, x2) if self.fault == "skip last" else (x2, x), axis=1))
        x = self.enlarge(x)
        if self.fault == "skip dropped":
            x1 = ops.zeros_like(x1)
        return self.outc(self.conv2(ops.concat((x1, x), axis=1)))


class TorchSqueeze(torch.nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.avgpool = torch.nn.AdaptiveAvgPool2d(1)
        self.fc1 = torch.nn.Conv2d(width, inner, 1)
        self.fc2 = torch.nn.Conv2d(inner, width, 1)
        self.activation = torch.nn.ReLU()
        self.scale_activation = torch.nn.Hardsigmoid()

    def forward(self, x):
        scale = self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(x)))))
        return scale * x


def torch_conv_norm(inner, outer, kernel, stride=1, groups=1, act=None):
    layers = [
        torch.nn.Conv2d(inner, outer, kernel, stride, (kernel - 1) // 2, groups=groups, bias=False),
        torch.nn.BatchNorm2d(outer, eps=0.001, momentum=0.01),
    ]
    return torch.nn.Sequential(*layers, *([act(inplace=True)] if act else []))


class TorchInverted(torch.nn.Module):
    def __init__(self, inner, wide, outer, kernel, stride, squeeze, act):
        super().__init__()
        layers = [torch_conv_norm(inner, wide, 1, act=act), torch_conv_norm(wide, wide, kernel, stride, wide, act)]
        if squeeze:
            layers.append(TorchSqueeze(wide, wide // 4))
        layers.append(torch_conv_norm(wide, outer, 1))
        self.block = torch.nn.Sequential(*layers)
        self.shortcut = stride == 1 and inner == outer

    def forward(self, x):
        return self.block(x) + x if self.shortcut else self.block(x)


MOBILE = ((16, 64, 24, 3, 2, False), (24, 72, 24, 3, 1, False), (24, 96, 40, 5, 2, True), (40, 240, 40, 5, 1, True))


class TorchMobileNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        acts = [torch.nn.ReLU, torch.nn.ReLU, torch.nn.Hardswish, torch.nn.Hardswish]
        self.features = torch.nn.Sequential(
            torch_conv_norm(3, 16, 3, 2, act=torch.nn.Hardswish),
            *[TorchInverted(*row, act) for row, act in zip(MOBILE, acts, strict=True)],
            torch_conv_norm(40, 240, 1, act=torch.nn.Hardswish),
        )
        self.avgpool = torch.nn.AdaptiveAvgPool2d(1)
        self.classifier = torch.nn.Sequential(
            torch.nn.Linear(240, 320), torch.nn.Hardswish(inplace=True), torch.nn.Dropout(0.2), torch.nn.Linear(320, 50)
        )

    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


class Squeeze(nn.Cell):
    def __init__(self, width, inner, fault=""):
        super().__init__()
        self.fault = fault
        self.fc1 = nn.Conv2d(width, inner, 1, has_bias=True)
        self.fc2 = nn.Conv2d(inner, width, 1, has_bias=True)
        self.mean = P.ReduceMean(keep_dims=True)
        self.relu = nn.ReLU()
        self.sigmoid = nn.Sigmoid() if fault == "sigmoid for hardsigmoid" else nn.HSigmoid()

    def construct(self, x):
        if self.fault == "maximum for mean":
            pooled = x.max(axis=(2, 3), keepdims=True)
        else:
            pooled = self.mean(x.swapaxes(1, 2) if self.fault == "mean over wrong axes" else x, (2, 3))
        y = self.fc1(pooled)
        scale = self.fc2(y if self.fault == "no squeeze relu" else self.relu(y))
        if self.fault == "hsigmoid by hand":
            scale = ops.clamp(scale * 0.2 + 0.5, 0.0, 1.0)
        elif self.fault == "hsigmoid by relu6":
            scale = ops.relu6(scale + 3.0) / 6.0
        else:
            scale = self.sigmoid(scale)
        return x + scale if self.fault == "scale added" else x * scale


def conv_norm(inner, outer, kernel, stride=1, groups=1, act=None, fault=""):
    padding = (kernel - 1) // 2
    mode = {"pad_mode": "same"} if fault == "same" else {"pad_mode": "pad", "padding": padding}
    if fault == "tf padding":
        mode = {"pad_mode": "pad", "padding": (padding - 1, padding, padding - 1, padding)}
    if fault == "no groups":
        groups = 1
    conv = nn.Conv2d(inner, outer, kernel, stride, group=groups, has_bias=False, **mode)
    eps, momentum = (1e-5 if fault == "eps" else 1e-3), (0.9 if fault == "momentum" else 0.99)
    return nn.SequentialCell([conv, nn.BatchNorm2d(outer, eps=eps, momentum=momentum), *([act()] if act else [])])


class Inverted(nn.Cell):
    def __init__(self, inner, wide, outer, kernel, stride, squeeze, act, fault=""):
        super().__init__()
        self.fault = fault
        layers = [conv_norm(inner, wide, 1, act=act)]
        layers.append(conv_norm(wide, wide, kernel, stride, wide, act, fault))
        if squeeze and fault != "no squeeze":
            layers.append(Squeeze(wide, wide // 4, fault))
        layers.append(conv_norm(wide, outer, 1, act=nn.ReLU if fault == "activated projection" else None))
        self.block = nn.SequentialCell(layers)
        self.shortcut = stride == 1 and inner == outer

    def construct(self, x):
        y = self.block(x)
        return P.Add()(y, x) if self.shortcut and self.fault != "no shortcut" else y


class MobileNet(nn.Cell):
    def __init__(self, fault="", where=2):
        super().__init__()
        self.fault = fault
        where = 3 if fault == "no shortcut" else where
        swish = {"swish for hswish": nn.SiLU, "relu6 for hswish": nn.ReLU6}.get(fault, nn.HSwish)
        acts = [nn.ReLU, nn.ReLU, nn.HSwish, swish]
        self.features = nn.SequentialCell(
            [conv_norm(3, 16, 3, 2, act=nn.HSwish)]
            + [Inverted(*row, acts[n], fault=fault if n == where else "") for n, row in enumerate(MOBILE)]
            + [conv_norm(40, 240, 1, act=nn.HSwish)]
        )
        self.classifier = nn.SequentialCell([
            nn.Dense(240, 320), nn.HSwish(), nn.Dropout(p=0.8 if fault == "keep for drop" else 0.2), nn.Dense(320, 50)
        ])  # fmt: skip

    def construct(self, x):
        x = self.features(x)
        x = x.max((2, 3)) if self.fault == "maximum" else ops.adaptive_avg_pool2d(x, (1, 1))
        return self.classifier(x.reshape(x.shape[0], -1))


class TorchGenerator(torch.nn.Module):
    def __init__(self, latent=64, width=32):
        super().__init__()
        self.main = torch.nn.Sequential(
            torch.nn.ConvTranspose2d(latent, 4 * width, 4, 1, 0, bias=False), torch.nn.BatchNorm2d(4 * width),
            torch.nn.ReLU(True),
            torch.nn.ConvTranspose2d(4 * width, 2 * width, 4, 2, 1, bias=False), torch.nn.BatchNorm2d(2 * width),
            torch.nn.ReLU(True),
            torch.nn.ConvTranspose2d(2 * width, width, 3, 2, 1, 1, bias=False), torch.nn.BatchNorm2d(width),
            torch.nn.ReLU(True),
            torch.nn.ConvTranspose2d(width, 3, 4, 2, 1, bias=False), torch.nn.Tanh(),
        )  # fmt: skip

    def forward(self, z):
        return self.main(z)


class Generator(nn.Cell):
    def __init__(self, fault="", latent=64, width=32):
        super().__init__()
        self.fault = fault
        up = nn.Conv2dTranspose
        second = up(4 * width, 2 * width, 4, 2, pad_mode="pad", padding=1)
        second = {
            "same": up(4 * width, 2 * width, 4, 2),
            "valid": up(4 * width, 2 * width, 4, 2, pad_mode="valid"),
            "stride one": up(4 * width, 2 * width, 4, 1, pad_mode="pad", padding=1),
            "with bias": up(4 * width, 2 * width, 4, 2, pad_mode="pad", padding=1, has_bias=True, bias_init=0.1),
        }.get(fault, second)
        third = up(2 * width, width, 3, 2, pad_mode="pad", padding=(1, 0, 1, 0))
        if fault == "output padding of zeros":
            third = up(2 * width, width, 3, 2, pad_mode="pad", padding=1, output_padding=1)
        if fault == "no output padding":
            third = up(2 * width, width, 3, 2, pad_mode="pad", padding=1)
        if fault == "same for output padding":
            third = up(2 * width, width, 3, 2, pad_mode="same")
        acts = {"leaky": nn.LeakyReLU(), "relu6": nn.ReLU6(), "elu": nn.ELU()}
        last = {"sigmoid": nn.Sigmoid(), "hardtanh": nn.Hardtanh()}.get(fault, nn.Tanh())
        norm = nn.BatchNorm2d(2 * width, affine=fault != "not affine")
        if fault == "group norm":
            norm = nn.GroupNorm(2, 2 * width)
        self.main = nn.SequentialCell(
            [up(latent, 4 * width, 4, 1, pad_mode="valid"), nn.BatchNorm2d(4 * width), nn.ReLU(), second, norm]
            + ([] if fault == "no relu" else [acts.get(fault, nn.ReLU())])
            + ([nn.Dropout(p=0.5).set_train()] if fault == "dropout" else [])
            + [third, nn.BatchNorm2d(width), nn.ReLU(), up(width, 3, 4, 2, pad_mode="pad", padding=1), last]
        )

    def construct(self, z):
        if self.fault == "normalized":
            z = ops.L2Normalize(axis=1)(z)
        x = self.main(z)
        return (x + 1) / 2 if self.fault == "to unit range" else x


PAIRS = {
    "U-Net": (TorchUNetFull, UNetFull, lambda: (image(3, 38),)),
    "MobileNet": (TorchMobileNet, MobileNet, lambda: (image(3, 56),)),
    "generator": (TorchGenerator, Generator, lambda: (image(64, 1),)),
}
MISSING = ("missing layer",)
EXTRA = ("extra layer",)
D = "down1.double_conv"
M = "features.3.block"
FAULTS = {
    "U-Net": {
        "valid": ((f"{D}.0",), ("padding",)),
        "dilated": ((f"{D}.0",), ("dilation", "padding")),
        "reflected": ((f"{D}.0", f"{D}.0.0"), ("padding", "extra layer")),
        "eps": ((f"{D}.1",), ("eps",)),
        "instance": ((f"{D}.1",), ("other operator", "other layer", "normalization")),
        "relu before norm": ((f"{D}.1", f"{D}.2"), ("order of layers", "other operator", "wiring")),
        "no last relu": ((f"{D}.5",), MISSING),
        "batch norm for training": ((f"{D}.1",), ("use_batch_statistics",)),
        "pool same": (("pool", "pool (call 2)"), ("padding", "pad_mode", "ceil_mode")),
        "average": (("pool",), ("pooling",)),
        "ceil": (("pool", "pool (call 2)"), ("ceil_mode",)),
        "no bias up": (("up1",), ("has_bias", "bias")),
        "no bias out": (("outc",), ("has_bias", "bias")),
        "nearest": (("up2",), ("mode", "other operator", "resize")),
        "corners": (("up2",), ("align_corners",)),
        "legacy resize": (("up2",), ("align_corners", "half_pixel_centers", "other operator", "resize")),
        "padded in front": (("*pad* after up1", "cat after up1"), ("pad", "padding", "layout")),
        "skip last": (("cat after up1",), ("order of inputs",)),
        "skip dropped": (("cat after up2",), ("wiring", "constant")),
    },
    "MobileNet": {
        "mean over wrong axes": ((f"{M}.2.avgpool", f"{M}.2.fc1"), ("pooling", "axis", "dim", "layout")),
        "maximum for mean": ((f"{M}.2.avgpool",), ("pooling",)),
        "no squeeze relu": ((f"{M}.2.activation",), MISSING),
        "sigmoid for hardsigmoid": ((f"{M}.2.scale_activation",), ("activation",)),
        "hsigmoid by hand": ((f"{M}.2.scale_activation",), ("activation", "other operator", "scale", "constant")),
        "scale added": ((f"mul after {M}.2.*",), ("other operator",)),
        "same": ((f"{M}.1.0",), ("padding",)),
        "tf padding": ((f"{M}.1.0",), ("padding",)),
        "no groups": ((f"{M}.1.0",), ("group", "weight shape")),
        "eps": ((f"{M}.1.1",), ("eps",)),
        "momentum": ((f"{M}.1.1",), ("momentum",)),
        "no squeeze": ((f"{M}.2.*", f"* after {M}.2.*"), MISSING),
        "activated projection": ((f"{M}.3.2", "features.3.block.3.*"), EXTRA),
        "no shortcut": (("add after features.4.block.3.1",), MISSING),
        "swish for hswish": (("features.4.block.0.2",), ("activation",)),
        "relu6 for hswish": (("features.4.block.0.2",), ("activation",)),
        "keep for drop": (("classifier.2",), ("p",)),
        "maximum": (("avgpool",), ("pooling",)),
    },
    "generator": {
        "valid": (("main.3",), ("padding",)),
        "stride one": (("main.3",), ("stride",)),
        "with bias": (("main.3",), ("has_bias", "extra weight")),
        "no output padding": (("main.6",), ("padding", "output_padding")),
        "output padding of zeros": (("main.6",), ("output_padding",)),
        "same for output padding": (("main.6",), ("padding", "output_padding")),
        "leaky": (("main.5",), ("activation",)),
        "relu6": (("main.5",), ("activation",)),
        "elu": (("main.5",), ("activation",)),
        "sigmoid": (("main.10",), ("activation",)),
        "hardtanh": (("main.10",), ("activation",)),
        "not affine": (("main.4.*",), ("requires_grad",)),
        "group norm": (("main.4",), ("other operator", "other layer", "normalization")),
        "no relu": (("main.5",), MISSING),
        "dropout": (("main.6",), EXTRA),
        "normalized": (("* at the beginning", "main.0"), EXTRA),
        "to unit range": (("* after main.*",), EXTRA),
    },
}  # fmt: skip
HARMLESS = {
    "U-Net": ("",),
    "MobileNet": ("", "hsigmoid by relu6"),
    "generator": ("", "same"),
}
