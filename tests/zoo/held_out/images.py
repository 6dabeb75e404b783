"""Networks for images, each as a torch module and as the Cell that somebody made of it.

A builder takes a source of sizes and the name of a fault ("" for a faithful Cell), and returns both and their inputs.
"""

import random

import torch
from torch.nn import functional

import msbridge as ms
from msbridge import mint, nn, ops

Example = tuple[torch.nn.Module, nn.Cell, tuple[torch.Tensor, ...]]


def relu(size: random.Random):
    """Return one of the spellings of ReLU that Cells use."""
    return size.choice([nn.ReLU(), ops.relu, ops.ReLU(), mint.nn.functional.relu, lambda x: ops.maximum(x, 0.0)])


def conv(inputs: int, outputs: int, kernel: int, stride: int = 1, padding: int = 0, **options) -> nn.Conv2d:
    """Return a convolution with torch's defaults."""
    options = {"has_bias": True, "pad_mode": "pad", **options}
    return nn.Conv2d(inputs, outputs, kernel, stride, padding=padding, **options)


def images(size: random.Random, channels: int = 3, side: int = 12, batch: int | None = None) -> torch.Tensor:
    return torch.randn(batch or size.choice([1, 2, 3]), channels, side, side)


class LeNet(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, width, 5, padding=2)
        self.conv2 = torch.nn.Conv2d(width, 2 * width, 3)
        self.fc1 = torch.nn.Linear(2 * width * 4, 20)
        self.fc2 = torch.nn.Linear(20, 10)

    def forward(self, x):
        x = functional.max_pool2d(functional.relu(self.conv1(x)), 2)
        x = functional.max_pool2d(functional.relu(self.conv2(x)), 2)
        return self.fc2(functional.relu(self.fc1(x.flatten(1))))


class LeNetCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 5, pad_mode="valid" if fault == "padding" else "same", has_bias=True)
        self.conv2 = conv(width, 2 * width, 3)
        self.fc1 = nn.Dense(2 * width * 4, 20)
        self.fc2 = nn.Dense(20, 10)
        self.pool = nn.MaxPool2d(2, 2)
        self.relu = relu(size)
        self.flatten = size.choice([nn.Flatten(), lambda x: x.reshape(x.shape[0], -1), lambda x: ops.flatten(x)])
        self.fault = fault

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        if self.fault == "flatten order":
            x = x.transpose(0, 2, 3, 1)
        return self.fc2(self.relu(self.fc1(self.flatten(x))))


def lenet(size: random.Random, fault: str) -> Example:
    width = size.choice([3, 4, 6])
    return LeNet(width), LeNetCell(width, size, fault), (images(size, 1),)


class BasicBlock(torch.nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(outputs)
        self.relu = torch.nn.ReLU(inplace=True)
        self.conv2 = torch.nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = torch.nn.Sequential(
                torch.nn.Conv2d(inputs, outputs, 1, stride, bias=False), torch.nn.BatchNorm2d(outputs)
            )

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        return self.relu(out + identity)


class ResNet(torch.nn.Module):
    def __init__(self, width: int, blocks: int):
        super().__init__()
        self.stem = torch.nn.Sequential(
            torch.nn.Conv2d(3, width, 3, padding=1, bias=False), torch.nn.BatchNorm2d(width), torch.nn.ReLU()
        )
        self.layer1 = torch.nn.Sequential(*[BasicBlock(width, width, 1) for _ in range(blocks)])
        self.layer2 = torch.nn.Sequential(BasicBlock(width, 2 * width, 2), BasicBlock(2 * width, 2 * width, 1))
        self.avgpool = torch.nn.AdaptiveAvgPool2d(1)
        self.fc = torch.nn.Linear(2 * width, 7)

    def forward(self, x):
        return self.fc(torch.flatten(self.avgpool(self.layer2(self.layer1(self.stem(x)))), 1))


class BasicBlockCell(nn.Cell):
    def __init__(self, inputs: int, outputs: int, stride: int, fault: str = ""):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, pad_mode="pad", padding=1)
        self.bn1 = nn.BatchNorm2d(outputs, eps=1e-3 if fault == "eps" else 1e-5)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, pad_mode="pad", padding=1)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.SequentialCell(
                nn.Conv2d(inputs, outputs, 1, stride, pad_mode="valid"), nn.BatchNorm2d(outputs)
            )
        self.fault = fault

    def construct(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        if self.fault == "no residual":
            return self.relu(out)
        if self.fault == "relu before the sum":
            return self.relu(out) + identity
        return self.relu(out + identity)


class ResNetCell(nn.Cell):
    def __init__(self, width: int, blocks: int, size: random.Random, fault: str):
        super().__init__()
        self.stem = nn.SequentialCell(
            nn.Conv2d(3, width, 3, pad_mode="pad", padding=1), nn.BatchNorm2d(width), nn.ReLU()
        )
        self.layer1 = nn.SequentialCell([BasicBlockCell(width, width, 1) for _ in range(blocks)])
        self.layer2 = nn.SequentialCell(
            BasicBlockCell(width, 2 * width, 2, "eps" if fault == "eps" else ""),
            BasicBlockCell(2 * width, 2 * width, 1, fault if fault != "eps" else ""),
        )
        self.pool = size.choice([nn.AdaptiveAvgPool2d(1), lambda x: ops.mean(x, (2, 3), True)])
        self.fc = nn.Dense(2 * width, 7)

    def construct(self, x):
        return self.fc(self.pool(self.layer2(self.layer1(self.stem(x)))).flatten(start_dim=1))


def resnet(size: random.Random, fault: str) -> Example:
    width, blocks = size.choice([4, 6, 8]), size.choice([1, 2])
    return ResNet(width, blocks), ResNetCell(width, blocks, size, fault), (images(size),)


class Bottleneck(torch.nn.Module):
    def __init__(self, width: int, groups: int):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(width, 2 * width, 1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(2 * width)
        self.conv2 = torch.nn.Conv2d(2 * width, 2 * width, 3, 2, 1, groups=groups, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(2 * width)
        self.conv3 = torch.nn.Conv2d(2 * width, width, 1, bias=False)
        self.bn3 = torch.nn.BatchNorm2d(width)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn3(self.conv3(torch.relu(self.bn2(self.conv2(x))))))


class BottleneckCell(nn.Cell):
    def __init__(self, width: int, groups: int, size: random.Random, fault: str):
        super().__init__()
        first, second = (2, 1) if fault == "stride" else (1, 2)
        self.conv1 = nn.Conv2d(width, 2 * width, 1, first)
        self.bn1 = nn.BatchNorm2d(2 * width)
        same = fault == "same"
        self.conv2 = nn.Conv2d(
            2 * width,
            2 * width,
            3,
            second,
            pad_mode="same" if same else "pad",
            padding=0 if same else 1,
            group=groups,
        )
        self.bn2 = nn.BatchNorm2d(2 * width)
        self.conv3 = nn.Conv2d(2 * width, width, 1)
        self.bn3 = nn.BatchNorm2d(width)
        self.relu = relu(size)

    def construct(self, x):
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.relu(self.bn2(self.conv2(x)))
        return self.relu(self.bn3(self.conv3(x)))


def resnext(size: random.Random, fault: str) -> Example:
    width, groups = size.choice([4, 8]), size.choice([2, 4])
    return Bottleneck(width, groups), BottleneckCell(width, groups, size, fault), (images(size, width, 10),)


class InvertedResidual(torch.nn.Module):
    def __init__(self, width: int, expansion: int):
        super().__init__()
        hidden = width * expansion
        self.expand = torch.nn.Conv2d(width, hidden, 1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(hidden, eps=1e-3)
        self.depthwise = torch.nn.Conv2d(hidden, hidden, 3, 1, 1, groups=hidden, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(hidden, eps=1e-3)
        self.project = torch.nn.Conv2d(hidden, width, 1, bias=False)
        self.bn3 = torch.nn.BatchNorm2d(width, eps=1e-3)
        self.act = torch.nn.ReLU6()

    def forward(self, x):
        out = self.act(self.bn2(self.depthwise(self.act(4 * self.bn1(self.expand(x))))))
        return x + self.bn3(self.project(out))


class InvertedResidualCell(nn.Cell):
    def __init__(self, width: int, expansion: int, size: random.Random, fault: str):
        super().__init__()
        hidden = width * expansion
        self.expand = nn.Conv2d(width, hidden, 1)
        self.bn1 = nn.BatchNorm2d(hidden, eps=1e-3)
        self.depthwise = nn.Conv2d(hidden, hidden, 3, pad_mode="pad", padding=1, group=hidden)
        self.bn2 = nn.BatchNorm2d(hidden, eps=1e-3)
        self.project = nn.Conv2d(hidden, width, 1)
        self.bn3 = nn.BatchNorm2d(width, eps=1e-3)
        self.act = nn.ReLU() if fault == "relu" else size.choice([nn.ReLU6(), ops.relu6, ops.ReLU6()])
        self.order = fault == "activation before norm"

    def construct(self, x):
        out = self.act(4 * self.bn1(self.expand(x)))
        out = self.depthwise(out)
        out = self.bn2(self.act(out)) if self.order else self.act(self.bn2(out))
        return x + self.bn3(self.project(out))


def mobilenet(size: random.Random, fault: str) -> Example:
    width, expansion = size.choice([4, 5, 6]), size.choice([2, 3])
    return (
        InvertedResidual(width, expansion),
        InvertedResidualCell(width, expansion, size, fault),
        (images(size, width),),
    )


class SqueezeExcite(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, width, 3, padding=1)
        self.pool = torch.nn.AdaptiveAvgPool2d(1)
        self.down = torch.nn.Linear(width, width // 2)
        self.up = torch.nn.Linear(width // 2, width)
        self.head = torch.nn.Conv2d(width, 5, 1)

    def forward(self, x):
        x = functional.relu(self.conv(x))
        gate = torch.sigmoid(self.up(functional.relu(self.down(self.pool(x).flatten(1)))))
        return self.head(x * gate[:, :, None, None])


class SqueezeExciteCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.conv = conv(3, width, 3, padding=1)
        self.down = nn.Dense(width, width // 2, activation="relu" if size.random() < 0.5 else None)
        self.up = nn.Dense(width // 2, width)
        self.head = conv(width, 5, 1)
        self.gate = nn.HSigmoid() if fault == "hard sigmoid" else size.choice([nn.Sigmoid(), ops.sigmoid, mint.sigmoid])
        self.pool = (lambda x: x.max((2, 3))) if fault == "max" else (lambda x: ops.mean(x, (2, 3)))
        self.relu = relu(size)

    def construct(self, x):
        x = self.relu(self.conv(x))
        gate = self.gate(self.up(self.relu(self.down(self.pool(x)))))
        return self.head(x * gate.expand_dims(-1).expand_dims(-1))


def squeeze_excite(size: random.Random, fault: str) -> Example:
    width = size.choice([4, 8, 10])
    return SqueezeExcite(width), SqueezeExciteCell(width, size, fault), (images(size),)


class SpatialAttention(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, width, 3)
        self.conv = torch.nn.Conv2d(2, 1, 5, padding=2, bias=False)
        self.out = torch.nn.Conv2d(width, 4, 3)

    def forward(self, x):
        x = self.stem(x)
        seen = torch.cat([x.mean(1, keepdim=True), x.max(1, keepdim=True)[0]], 1)
        return self.out(x * torch.sigmoid(self.conv(seen)))


class SpatialAttentionCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.stem = conv(3, width, 3)
        self.conv = conv(2, 1, 5, padding=2, has_bias=False)
        self.out = conv(width, 4, 3)
        self.cat = size.choice([ops.Concat(1), lambda parts: ops.cat(parts, 1), lambda parts: mint.cat(parts, dim=1)])
        self.swapped = fault == "order"

    def construct(self, x):
        x = self.stem(x)
        parts = (ops.mean(x, 1, True), ops.amax(x, 1, True))
        return self.out(x * ops.sigmoid(self.conv(self.cat(parts[::-1] if self.swapped else parts))))


def spatial_attention(size: random.Random, fault: str) -> Example:
    width = size.choice([4, 6, 8])
    return SpatialAttention(width), SpatialAttentionCell(width, size, fault), (images(size),)


class UNet(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.down1 = torch.nn.Sequential(
            torch.nn.Conv2d(1, width, 3, padding=1), torch.nn.BatchNorm2d(width), torch.nn.ReLU()
        )
        self.pool = torch.nn.MaxPool2d(3, 2, ceil_mode=True)
        self.down2 = torch.nn.Sequential(torch.nn.Conv2d(width, 2 * width, 3, padding=1), torch.nn.ReLU())
        self.up = torch.nn.Upsample(size=(14, 14), mode="bilinear", align_corners=True)
        self.reduce = torch.nn.Conv2d(2 * width, width, 1)
        self.join = torch.nn.Conv2d(2 * width, width, 3, padding=1)
        self.out = torch.nn.Conv2d(width, 2, 1)

    def forward(self, x):
        skip = self.down1(x)
        x = self.reduce(self.up(self.down2(self.pool(skip))))
        return self.out(torch.relu(self.join(torch.cat([skip, x], dim=1))))


class UNetCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.down1 = nn.SequentialCell(conv(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU())
        self.pool = nn.MaxPool2d(3, 2, pad_mode="pad", ceil_mode=fault != "ceil mode")
        self.down2 = nn.SequentialCell(conv(width, 2 * width, 3, padding=1), nn.ReLU())
        self.up = nn.Upsample(size=(14, 14), mode="bilinear", align_corners=fault != "align corners")
        self.reduce = conv(2 * width, width, 1)
        self.join = conv(2 * width, width, 3, padding=1)
        self.out = conv(width, 2, 1)
        self.relu = relu(size)
        self.swapped = fault == "skip order"

    def construct(self, x):
        skip = self.down1(x)
        x = self.reduce(self.up(self.down2(self.pool(skip))))
        parts = (x, skip) if self.swapped else (skip, x)
        return self.out(self.relu(self.join(ops.cat(parts, axis=1))))


def unet(size: random.Random, fault: str) -> Example:
    width = size.choice([3, 4, 5])
    return UNet(width), UNetCell(width, size, fault), (images(size, 1, 14),)


class Pyramid(torch.nn.Module):
    """Dilated branches, as in DeepLab."""

    def __init__(self, width: int, rates: tuple[int, ...]):
        super().__init__()
        self.branches = torch.nn.ModuleList(
            torch.nn.Sequential(
                torch.nn.Conv2d(3, width, 3, padding=rate, dilation=rate, bias=False),
                torch.nn.BatchNorm2d(width),
                torch.nn.ReLU(),
            )
            for rate in rates
        )
        self.project = torch.nn.Conv2d(width * len(rates), 4, 1)
        self.dropout = torch.nn.Dropout(0.5)

    def forward(self, x):
        return self.project(self.dropout(torch.cat([branch(x) for branch in self.branches], 1)))


class PyramidCell(nn.Cell):
    def __init__(self, width: int, rates: tuple[int, ...], fault: str):
        super().__init__()
        ours = (rates[0], rates[1] + 1, *rates[2:]) if fault == "dilation" else rates
        self.branches = nn.CellList(
            [
                nn.SequentialCell(
                    nn.Conv2d(3, width, 3, pad_mode="pad", padding=rate, dilation=rate),
                    nn.BatchNorm2d(width),
                    nn.ReLU(),
                )
                for rate in ours
            ]
        )
        self.project = conv(width * len(rates), 4, 1)
        self.dropout = nn.Dropout(p=0.5)
        self.fault = fault

    def construct(self, x):
        x = ops.cat([branch(x) for branch in self.branches], 1)
        x = ops.dropout(x, p=0.5, training=True) if self.fault == "dropout" else self.dropout(x)
        return self.project(x)


def pyramid(size: random.Random, fault: str) -> Example:
    width, rates = size.choice([3, 4]), size.choice([(1, 2, 3), (1, 2), (1, 3, 4)])
    return Pyramid(width, rates), PyramidCell(width, rates, fault), (images(size),)


class SuperResolution(torch.nn.Module):
    def __init__(self, width: int, factor: int):
        super().__init__()
        self.head = torch.nn.Conv2d(3, width, 3, padding=1, padding_mode="reflect")
        self.act = torch.nn.LeakyReLU()
        self.body = torch.nn.Conv2d(width, width, 3, padding=1)
        self.prelu = torch.nn.PReLU(width)
        self.tail = torch.nn.Conv2d(width, 3 * factor**2, 3, padding=1)
        self.shuffle = torch.nn.PixelShuffle(factor)

    def forward(self, x):
        x = self.act(self.head(x))
        return self.shuffle(self.tail(x + self.prelu(self.body(x))))


class SuperResolutionCell(nn.Cell):
    def __init__(self, width: int, factor: int, size: random.Random, fault: str):
        super().__init__()
        self.pad = nn.ZeroPad2d(1) if fault == "pad mode" else nn.ReflectionPad2d(1)
        self.head = conv(3, width, 3)
        self.act = nn.LeakyReLU() if fault == "slope" else nn.LeakyReLU(0.01)
        self.body = nn.Conv2d(width, width, 3, has_bias=True)
        self.prelu = nn.PReLU(width)
        self.tail = nn.Conv2d(width, 3 * factor**2, 3, has_bias=True)
        self.shuffle = size.choice([nn.PixelShuffle(factor), lambda x: ops.pixel_shuffle(x, factor)])
        self.factor = factor
        self.fault = fault

    def construct(self, x):
        x = self.act(self.head(self.pad(x)))
        x = self.tail(x + self.prelu(self.body(x)))
        if self.fault == "depth to space":
            batch, channels, height, width = x.shape
            factor = self.factor
            x = x.reshape(batch, factor, factor, channels // factor**2, height, width).transpose(0, 3, 4, 1, 5, 2)
            return x.reshape(batch, channels // factor**2, height * factor, width * factor)
        return self.shuffle(x)


def super_resolution(size: random.Random, fault: str) -> Example:
    width, factor = size.choice([4, 6]), size.choice([2, 3])
    return SuperResolution(width, factor), SuperResolutionCell(width, factor, size, fault), (images(size, 3, 8),)


class Generator(torch.nn.Module):
    def __init__(self, latent: int, width: int):
        super().__init__()
        self.main = torch.nn.Sequential(
            torch.nn.ConvTranspose2d(latent, 2 * width, 4, bias=False),
            torch.nn.BatchNorm2d(2 * width),
            torch.nn.ReLU(True),
            torch.nn.ConvTranspose2d(2 * width, width, 4, 2, 1, bias=False),
            torch.nn.BatchNorm2d(width),
            torch.nn.ReLU(True),
            torch.nn.ConvTranspose2d(width, 3, 3, 2, 1, output_padding=1),
            torch.nn.Tanh(),
        )

    def forward(self, x):
        return self.main(x)


class GeneratorCell(nn.Cell):
    def __init__(self, latent: int, width: int, fault: str):
        super().__init__()
        transpose = nn.Conv2dTranspose
        last = {"pad_mode": "pad", "padding": (1, 0, 1, 0)}
        if fault == "same":
            last = {"pad_mode": "same"}
        elif fault == "output padding":  # MindSpore fills the further row with zeros
            last = {"pad_mode": "pad", "padding": 1, "output_padding": 1}
        layers = [
            transpose(latent, 2 * width, 4, pad_mode="valid"),
            nn.BatchNorm2d(2 * width),
            nn.ReLU(),
            transpose(2 * width, width, 4, 2, pad_mode="pad", padding=1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            transpose(width, 3, 3, 2, has_bias=True, **last),
        ]
        self.main = nn.SequentialCell(*layers, *([] if fault == "no tanh" else [nn.Tanh()]))

    def construct(self, x):
        return self.main(x)


def generator(size: random.Random, fault: str) -> Example:
    latent, width = size.choice([5, 8]), size.choice([3, 4])
    return Generator(latent, width), GeneratorCell(latent, width, fault), (torch.randn(2, latent, 1, 1),)


class Discriminator(torch.nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        layers = [torch.nn.Conv2d(3, width, 4, 2, 1), torch.nn.LeakyReLU(0.2, inplace=True)]
        for _ in range(depth):
            layers += [
                torch.nn.Conv2d(width, width, 4, 2, 1),
                torch.nn.InstanceNorm2d(width, affine=True),
                torch.nn.LeakyReLU(0.2, inplace=True),
            ]
        self.model = torch.nn.Sequential(*layers, torch.nn.Conv2d(width, 1, 2))

    def forward(self, x):
        return self.model(x)


class DiscriminatorCell(nn.Cell):
    def __init__(self, width: int, depth: int, fault: str):
        super().__init__()
        layers = [conv(3, width, 4, 2, 1), nn.LeakyReLU(0.01 if fault == "slope" else 0.2)]
        for index in range(depth):
            norm = nn.BatchNorm2d(width) if fault == "batch norm" and index == 0 else nn.InstanceNorm2d(width)
            layers += [conv(width, width, 4, 2, 1), norm, nn.LeakyReLU(0.2)]
        self.model = nn.SequentialCell([*layers, conv(width, 1, 2)])

    def construct(self, x):
        return self.model(x)


def discriminator(size: random.Random, fault: str) -> Example:
    width, depth = size.choice([4, 6]), size.choice([1, 2])
    return Discriminator(width, depth), DiscriminatorCell(width, depth, fault), (images(size, 3, 24),)


class StyleBlock(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.pad = torch.nn.ReflectionPad2d(2)
        self.conv1 = torch.nn.Conv2d(3, width, 5)
        self.in1 = torch.nn.InstanceNorm2d(width, affine=True)
        self.conv2 = torch.nn.Conv2d(width, width, 3, stride=2)
        self.in2 = torch.nn.InstanceNorm2d(width, affine=True)
        self.conv3 = torch.nn.Conv2d(width, 3, 3)

    def forward(self, x):
        x = torch.relu(self.in1(self.conv1(self.pad(x))))
        x = torch.relu(self.in2(self.conv2(x)))
        return self.conv3(functional.interpolate(x, scale_factor=2, mode="nearest"))


class StyleBlockCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        mode = "SYMMETRIC" if fault == "symmetric" else "REFLECT"
        self.pad = nn.Pad(((0, 0), (0, 0), (2, 2), (2, 2)), mode)
        self.conv1 = conv(3, width, 5)
        self.in1 = nn.InstanceNorm2d(width)
        self.conv2 = conv(width, width, 3, 2)
        self.in2 = nn.InstanceNorm2d(width)
        self.conv3 = conv(width, 3, 3)
        self.relu = relu(size)
        self.mode = "bilinear" if fault == "bilinear" else "nearest"

    def construct(self, x):
        x = self.relu(self.in1(self.conv1(self.pad(x))))
        x = self.relu(self.in2(self.conv2(x)))
        side = 2 * x.shape[2]
        if self.mode == "bilinear":
            return self.conv3(ops.interpolate(x, size=(side, side), mode="bilinear"))
        return self.conv3(ops.interpolate(x, size=(side, side), mode="nearest"))


def style_transfer(size: random.Random, fault: str) -> Example:
    width = size.choice([4, 5, 6])
    return StyleBlock(width), StyleBlockCell(width, size, fault), (images(size, 3, 11),)


class FeaturePyramid(torch.nn.Module):
    def __init__(self, width: int, anchors: int):
        super().__init__()
        self.c1 = torch.nn.Conv2d(3, width, 3, 2, 1)
        self.c2 = torch.nn.Conv2d(width, width, 3, 2, 1)
        self.lateral1 = torch.nn.Conv2d(width, width, 1)
        self.lateral2 = torch.nn.Conv2d(width, width, 1)
        self.cls = torch.nn.Conv2d(width, anchors * 4, 3, padding=1)
        self.box = torch.nn.Conv2d(width, anchors * 4, 3, padding=1)

    def forward(self, x):
        first = functional.relu(self.c1(x))
        second = functional.relu(self.c2(first))
        top = self.lateral2(second)
        merged = self.lateral1(first) + functional.interpolate(top, scale_factor=2)
        scores = [self.cls(level).permute(0, 2, 3, 1).reshape(x.shape[0], -1, 4) for level in (merged, top)]
        boxes = [self.box(level).permute(0, 2, 3, 1).reshape(x.shape[0], -1, 4) for level in (merged, top)]
        return torch.cat(scores, 1).sigmoid(), torch.cat(boxes, 1)


class FeaturePyramidCell(nn.Cell):
    def __init__(self, width: int, anchors: int, size: random.Random, fault: str):
        super().__init__()
        self.c1 = conv(3, width, 3, 2, 1)
        self.c2 = conv(width, width, 3, 2, 1)
        self.lateral1 = conv(width, width, 1)
        self.lateral2 = conv(width, width, 1)
        self.cls = conv(width, anchors * 4, 3, padding=1)
        self.box = conv(width, anchors * 4, 3, padding=1)
        self.relu = relu(size)
        self.fault = fault

    def predict(self, layer, levels):
        outs = [layer(level) for level in levels]
        if not (self.fault == "no permute" and layer is self.cls):
            outs = [out.transpose(0, 2, 3, 1) for out in outs]
        return ops.cat([out.reshape(out.shape[0], -1, 4) for out in outs], 1)

    def construct(self, x):
        first = self.relu(self.c1(x))
        second = self.relu(self.c2(first))
        laterals = (self.lateral2, self.lateral1) if self.fault == "swapped" else (self.lateral1, self.lateral2)
        top = laterals[1](second)
        merged = laterals[0](first) + ops.interpolate(top, size=first.shape[2:], mode="nearest")
        return ops.sigmoid(self.predict(self.cls, (merged, top))), self.predict(self.box, (merged, top))


def detector(size: random.Random, fault: str) -> Example:
    width, anchors = size.choice([4, 6]), size.choice([1, 2, 3])
    return FeaturePyramid(width, anchors), FeaturePyramidCell(width, anchors, size, fault), (images(size, 3, 12),)


class Inception(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.one = torch.nn.Conv2d(3, width, 1)
        self.three = torch.nn.Conv2d(3, width, 3, padding=1)
        self.tall = torch.nn.Conv2d(3, width, (5, 1), padding=(2, 0))
        self.pool = torch.nn.AvgPool2d(3, 1, 1, count_include_pad=False)
        self.pooled = torch.nn.Conv2d(3, width, 1)
        self.last = torch.nn.Conv2d(4 * width, 6, 1)

    def forward(self, x):
        parts = [self.one(x), self.three(x), self.tall(x), self.pooled(self.pool(x))]
        return functional.log_softmax(self.last(torch.relu(torch.cat(parts, 1))).mean((2, 3)), dim=1)


class InceptionCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.one = conv(3, width, 1)
        self.three = nn.Conv2d(3, width, 3, has_bias=True)
        self.tall = conv(3, width, (5, 1), padding=(2, 2, 0, 0))
        self.pool = nn.AvgPool2d(3, 1, pad_mode="pad", padding=1, count_include_pad=fault == "count pad")
        self.pooled = conv(3, width, 1)
        self.last = conv(4 * width, 6, 1)
        self.relu = relu(size)
        self.fault = fault

    def construct(self, x):
        parts = [self.one(x), self.three(x), self.tall(x), self.pooled(self.pool(x))]
        if self.fault == "branch order":
            parts[1], parts[2] = parts[2], parts[1]
        x = self.last(self.relu(ops.cat(parts, 1))).mean((2, 3))
        return ops.softmax(x, axis=1) if self.fault == "softmax" else ops.log_softmax(x, axis=1)


def inception(size: random.Random, fault: str) -> Example:
    width = size.choice([3, 4, 5])
    return Inception(width), InceptionCell(width, size, fault), (images(size, 3, 9),)


class DenseBlock(torch.nn.Module):
    def __init__(self, width: int, growth: int):
        super().__init__()
        self.norm1 = torch.nn.BatchNorm2d(width)
        self.conv1 = torch.nn.Conv2d(width, growth, 3, padding=1, bias=False)
        self.norm2 = torch.nn.BatchNorm2d(width + growth)
        self.conv2 = torch.nn.Conv2d(width + growth, growth, 3, padding=1, bias=False)
        self.transition = torch.nn.Conv2d(width + 2 * growth, 5, 1, bias=False)
        self.pool = torch.nn.AvgPool2d(2)

    def forward(self, x):
        x = torch.cat([x, self.conv1(torch.relu(self.norm1(x)))], 1)
        x = torch.cat([x, self.conv2(torch.relu(self.norm2(x)))], 1)
        return self.pool(self.transition(x))


class DenseBlockCell(nn.Cell):
    def __init__(self, width: int, growth: int, size: random.Random, fault: str):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(width)
        self.conv1 = nn.Conv2d(width, growth, 3)
        self.norm2 = nn.BatchNorm2d(width + growth)
        self.conv2 = nn.Conv2d(width + growth, growth, 3)
        self.transition = nn.Conv2d(width + 2 * growth, 5, 1)
        self.pool = nn.MaxPool2d(2, 2) if fault == "max pool" else nn.AvgPool2d(2, 2)
        self.relu = relu(size)
        self.fault = fault

    def construct(self, x):
        x = ops.cat((x, self.conv1(self.relu(self.norm1(x)))), 1)
        normed = self.norm2(x) if self.fault == "no relu" else self.relu(self.norm2(x))
        x = ops.cat((x, self.conv2(normed)), 1)
        return self.pool(self.transition(x))


def densenet(size: random.Random, fault: str) -> Example:
    width, growth = size.choice([4, 6]), size.choice([2, 3])
    return DenseBlock(width, growth), DenseBlockCell(width, growth, size, fault), (images(size, width, 8),)


class Shuffle(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(width, width, 1, groups=2)
        self.gn = torch.nn.GroupNorm(2, width)
        self.conv2 = torch.nn.Conv2d(width, width, 3, padding=1, groups=width)

    def forward(self, x):
        x = functional.hardswish(self.gn(self.conv1(x)))
        batch, channels, height, width = x.shape
        x = x.view(batch, 2, channels // 2, height, width).transpose(1, 2).reshape(batch, channels, height, width)
        return self.conv2(x)


class ShuffleCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.conv1 = conv(width, width, 1, group=2)
        self.gn = nn.GroupNorm(width // 2 if fault == "groups" else 2, width)
        self.conv2 = conv(width, width, 3, padding=1, group=width)
        self.act = nn.SiLU() if fault == "silu" else size.choice([nn.HSwish(), ops.hardswish])
        self.parts = width // 2 if fault == "shuffle" else 2

    def construct(self, x):
        x = self.act(self.gn(self.conv1(x)))
        batch, channels, height, width = x.shape
        x = x.reshape(batch, self.parts, channels // self.parts, height, width).swapaxes(1, 2)
        return self.conv2(x.reshape(batch, channels, height, width))


def shufflenet(size: random.Random, fault: str) -> Example:
    width = size.choice([6, 8, 10])
    return Shuffle(width), ShuffleCell(width, size, fault), (images(size, width, 6),)


class Clip3D(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv1 = torch.nn.Conv3d(3, width, 3, padding=1)
        self.bn1 = torch.nn.BatchNorm3d(width)
        self.pool = torch.nn.MaxPool3d((1, 2, 2), (1, 2, 2))
        self.conv2 = torch.nn.Conv3d(width, 2 * width, (3, 1, 1), padding=(1, 0, 0), bias=False)
        self.fc = torch.nn.Linear(2 * width, 6)

    def forward(self, x):
        x = self.pool(functional.relu(self.bn1(self.conv1(x))))
        return self.fc(functional.relu(self.conv2(x)).mean((2, 3, 4)))


class Clip3DCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.conv1 = nn.Conv3d(3, width, 3, pad_mode="pad", padding=1, has_bias=fault != "no bias")
        self.bn1 = nn.BatchNorm3d(width, eps=1e-5)
        self.pool = nn.MaxPool3d((1, 2, 2), (1, 2, 2))
        self.conv2 = nn.Conv3d(width, 2 * width, (3, 1, 1), pad_mode="pad", padding=(1, 1, 0, 0, 0, 0))
        self.fc = nn.Dense(2 * width, 6)
        self.relu = relu(size)

    def construct(self, x):
        x = self.pool(self.relu(self.bn1(self.conv1(x))))
        return self.fc(self.relu(self.conv2(x)).mean((2, 3, 4)))


def clip3d(size: random.Random, fault: str) -> Example:
    width = size.choice([3, 4])
    return Clip3D(width), Clip3DCell(width, size, fault), (torch.randn(size.choice([1, 2]), 3, 4, 6, 6),)


class SpatialTransformer(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.localise = torch.nn.Linear(64, 6)
        self.conv = torch.nn.Conv2d(1, width, 3)

    def forward(self, x):
        theta = self.localise(x.flatten(1)).view(-1, 2, 3)
        grid = functional.affine_grid(theta, x.shape, align_corners=False)
        return self.conv(functional.grid_sample(x, grid, align_corners=False))


class SpatialTransformerCell(nn.Cell):
    def __init__(self, width: int, fault: str):
        super().__init__()
        self.localise = nn.Dense(64, 6)
        self.conv = conv(1, width, 3)
        self.sampling = fault == "grid sample corners"

    def construct(self, x):
        theta = self.localise(x.reshape(x.shape[0], -1)).reshape(-1, 2, 3)
        grid = ops.affine_grid(theta, x.shape, align_corners=False)
        return self.conv(ops.grid_sample(x, grid, align_corners=self.sampling))


def spatial_transformer(size: random.Random, fault: str) -> Example:
    width = size.choice([3, 4, 5])
    return SpatialTransformer(width), SpatialTransformerCell(width, fault), (images(size, 1, 8),)


class ConvNext(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.dwconv = torch.nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm = torch.nn.LayerNorm(width, eps=1e-6)
        self.pwconv1 = torch.nn.Linear(width, 4 * width)
        self.act = torch.nn.GELU()
        self.pwconv2 = torch.nn.Linear(4 * width, width)
        self.gamma = torch.nn.Parameter(torch.rand(width))

    def forward(self, x):
        out = self.norm(self.dwconv(x).permute(0, 2, 3, 1))
        out = self.gamma * self.pwconv2(self.act(self.pwconv1(out)))
        return x + out.permute(0, 3, 1, 2)


class ConvNextCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.dwconv = conv(width, width, 7, padding=3, group=width)
        self.norm = nn.LayerNorm((width,), epsilon=1e-3 if fault == "eps" else 1e-6)
        self.pwconv1 = nn.Dense(width, 4 * width)
        self.act = nn.GELU(approximate=fault == "tanh")
        self.pwconv2 = nn.Dense(4 * width, width)
        self.gamma = ms.Parameter(ops.ones((width,), ms.float32), name="gamma")
        self.permute = size.choice([ops.transpose, ops.permute, ops.Transpose()])

    def construct(self, x):
        out = self.norm(self.permute(self.dwconv(x), (0, 2, 3, 1)))
        out = self.gamma * self.pwconv2(self.act(self.pwconv1(out)))
        return x + self.permute(out, (0, 3, 1, 2))


def convnext(size: random.Random, fault: str) -> Example:
    width = size.choice([4, 6, 8])
    return ConvNext(width), ConvNextCell(width, size, fault), (images(size, width, 8),)
