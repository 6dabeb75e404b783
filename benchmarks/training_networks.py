"""The networks of `benchmarks.training`, each as a MindSpore script and as idiomatic torch."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

CLASSES = 10
STAGES = (
    (64, 64, 1),
    (64, 64, 1),
    (64, 128, 2),
    (128, 128, 1),
    (128, 256, 2),
    (256, 256, 1),
    (256, 512, 2),
    (512, 512, 1),
)
WIDTH, HEADS, LAYERS, LENGTH = 256, 4, 4, 64
CHANNELS = (16, 32, 64)


@dataclass(frozen=True, slots=True)
class Network:
    """One network twice, with a batch for both.

    Attributes:
        cell: makes the MindSpore network.
        module: makes torch's.
        data: a batch.
        labels: one class for each row of what the network returns.
    """

    cell: Callable[[], Any]
    module: Callable[[], Any]
    data: np.ndarray
    labels: np.ndarray


def resnet() -> Network:
    """ResNet-18 on 16 images of 64 × 64."""
    return _network(_resnet_cell, _resnet_module, (16, 3, 64, 64), 16)


def transformer() -> Network:
    """Four encoder layers of width 256 on 16 sequences of 64."""
    return _network(_transformer_cell, _transformer_module, (16, LENGTH, WIDTH), 16)


def bilstm() -> Network:
    """A bidirectional LSTM of two layers of 128 on 32 sequences of 50."""
    return _network(_bilstm_cell, _bilstm_module, (32, 50, 64), 32)


def unet() -> Network:
    """A U-Net of three scales on 4 images of 64 × 64, with a class for each pixel."""
    return _network(_unet_cell, _unet_module, (4, 3, 64, 64), 4 * 64 * 64)


def _network(cell: Callable[[], Any], module: Callable[[], Any], shape: tuple[int, ...], rows: int) -> Network:
    draw = np.random.default_rng(0)
    return Network(cell, module, draw.standard_normal(shape, np.float32), draw.integers(0, CLASSES, rows, np.int32))


def _resnet_cell() -> Any:
    from mindspore import nn, ops

    def conv(into: int, out: int, size: int, stride: int) -> Any:
        return nn.Conv2d(into, out, size, stride, pad_mode="pad", padding=size // 2)

    class Block(nn.Cell):
        def __init__(self, into: int, out: int, stride: int) -> None:
            super().__init__()
            self.conv1, self.bn1 = conv(into, out, 3, stride), nn.BatchNorm2d(out)
            self.conv2, self.bn2 = conv(out, out, 3, 1), nn.BatchNorm2d(out)
            self.relu = nn.ReLU()
            self.down = None
            if into != out:
                self.down = nn.SequentialCell(conv(into, out, 1, stride), nn.BatchNorm2d(out))

        def construct(self, x: Any) -> Any:
            y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
            return self.relu(y + (x if self.down is None else self.down(x)))

    class ResNet(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.stem = nn.SequentialCell(conv(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU())
            self.pool = nn.MaxPool2d(3, 2, "same")
            self.stages = nn.SequentialCell(*[Block(*stage) for stage in STAGES])
            self.head = nn.Dense(512, CLASSES)

        def construct(self, x: Any) -> Any:
            return self.head(ops.mean(self.stages(self.pool(self.stem(x))), (2, 3)))

    return ResNet()


def _resnet_module() -> Any:
    from torch import nn

    def conv(into: int, out: int, size: int, stride: int) -> nn.Module:
        return nn.Conv2d(into, out, size, stride, size // 2, bias=False)

    class Block(nn.Module):
        def __init__(self, into: int, out: int, stride: int) -> None:
            super().__init__()
            self.conv1, self.bn1 = conv(into, out, 3, stride), nn.BatchNorm2d(out)
            self.conv2, self.bn2 = conv(out, out, 3, 1), nn.BatchNorm2d(out)
            self.relu = nn.ReLU()
            self.down = nn.Sequential(conv(into, out, 1, stride), nn.BatchNorm2d(out)) if into != out else None

        def forward(self, x: Any) -> Any:
            y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
            return self.relu(y + (x if self.down is None else self.down(x)))

    stem = (conv(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
    head = (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, CLASSES))
    return nn.Sequential(*stem, *[Block(*stage) for stage in STAGES], *head)


def _transformer_cell() -> Any:
    from mindspore import nn

    class Classifier(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, dropout=0.1, batch_first=True)
            self.encoder = nn.TransformerEncoder(layer, LAYERS)
            self.head = nn.Dense(WIDTH, CLASSES)

        def construct(self, x: Any) -> Any:
            return self.head(self.encoder(x).mean(1))

    return Classifier()


def _transformer_module() -> Any:
    from torch import nn

    class Classifier(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, dropout=0.1, batch_first=True)
            self.encoder = nn.TransformerEncoder(layer, LAYERS)
            self.head = nn.Linear(WIDTH, CLASSES)

        def forward(self, x: Any) -> Any:
            return self.head(self.encoder(x).mean(1))

    return Classifier()


def _bilstm_cell() -> Any:
    from mindspore import nn

    class Classifier(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.lstm = nn.LSTM(64, 128, 2, batch_first=True, bidirectional=True)
            self.head = nn.Dense(256, CLASSES)

        def construct(self, x: Any) -> Any:
            return self.head(self.lstm(x)[0][:, -1])

    return Classifier()


def _bilstm_module() -> Any:
    from torch import nn

    class Classifier(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lstm = nn.LSTM(64, 128, 2, batch_first=True, bidirectional=True)
            self.head = nn.Linear(256, CLASSES)

        def forward(self, x: Any) -> Any:
            return self.head(self.lstm(x)[0][:, -1])

    return Classifier()


def _unet_cell() -> Any:
    from mindspore import nn, ops

    def double(into: int, out: int) -> Any:
        layers = [
            layer
            for width in (into, out)
            for layer in (nn.Conv2d(width, out, 3, has_bias=True), nn.BatchNorm2d(out), nn.ReLU())
        ]
        return nn.SequentialCell(*layers)

    class UNet(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            first, second, third = CHANNELS
            self.down1, self.down2, self.bottom = double(3, first), double(first, second), double(second, third)
            self.pool = nn.MaxPool2d(2, 2)
            self.raise2 = nn.Conv2dTranspose(third, second, 2, 2, has_bias=True)
            self.raise1 = nn.Conv2dTranspose(second, first, 2, 2, has_bias=True)
            self.up2, self.up1 = double(third, second), double(second, first)
            self.head = nn.Conv2d(first, CLASSES, 1, has_bias=True)

        def construct(self, x: Any) -> Any:
            one = self.down1(x)
            two = self.down2(self.pool(one))
            two = self.up2(ops.concat((two, self.raise2(self.bottom(self.pool(two)))), 1))
            result = self.head(self.up1(ops.concat((one, self.raise1(two)), 1)))
            return result.transpose(0, 2, 3, 1).reshape(-1, CLASSES)

    return UNet()


def _unet_module() -> Any:
    import torch
    from torch import nn

    def double(into: int, out: int) -> nn.Module:
        layers = [
            layer
            for width in (into, out)
            for layer in (nn.Conv2d(width, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU())
        ]
        return nn.Sequential(*layers)

    class UNet(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            first, second, third = CHANNELS
            self.down1, self.down2, self.bottom = double(3, first), double(first, second), double(second, third)
            self.pool = nn.MaxPool2d(2)
            self.raise2, self.raise1 = nn.ConvTranspose2d(third, second, 2, 2), nn.ConvTranspose2d(second, first, 2, 2)
            self.up2, self.up1 = double(third, second), double(second, first)
            self.head = nn.Conv2d(first, CLASSES, 1)

        def forward(self, x: Any) -> Any:
            one = self.down1(x)
            two = self.down2(self.pool(one))
            two = self.up2(torch.cat((two, self.raise2(self.bottom(self.pool(two)))), 1))
            result = self.head(self.up1(torch.cat((one, self.raise1(two)), 1)))
            return result.permute(0, 2, 3, 1).reshape(-1, CLASSES)

    return UNet()


NETWORKS: dict[str, Callable[[], Network]] = {
    "ResNet-18": resnet,
    "Transformer 4 × 256": transformer,
    "BiLSTM": bilstm,
    "U-Net": unet,
}
