"""The cost of a comparison layer by layer, against one forward of both networks.

    python -m benchmarks.verify

ResNet-50 on one image of 224×224, without the float64 run; what that run costs is beside it. Processor time.
"""

import statistics
import sys
import time
from collections.abc import Callable

import torch
from torch import nn as torch_nn

import msbridge as ms
from benchmarks.table import Row, at_most
from msbridge import nn
from msbridge.verify import compare

STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))
LIMIT, ROUNDS = 1.5, 7


def run() -> list[Row]:
    """Measure an equal pair, and one with a wrong `eps` in the first stage, on one thread."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    module, cell, wrong = TorchResNet50().eval(), ResNet50(), ResNet50()
    image = torch.randn(1, 3, 224, 224)
    wrong.layers[0].bn1.eps = 1e-2
    tensor = ms.Tensor(image)

    def both() -> object:
        with torch.no_grad():
            return module(image), cell(tensor)

    rows = []
    for name, own in (("equal", cell), ("fault in layer1", wrong)):
        lean, peer, whole = _timed(
            lambda own=own: compare(module, own, image, reference=False),
            both,
            lambda own=own: compare(module, own, image),
        )
        extra = max(0.0, whole - lean) / peer
        peer_name = f"forward of both (float64 + {extra:.1f} ×)"
        rows.append(at_most(f"verify ResNet-50, {name}", lean, peer_name, peer, LIMIT))
    return rows


def _timed(*functions: Callable[[], object]) -> list[float]:
    """Return the median processor time of each function, run in turns after one turn to warm up."""
    times: list[list[float]] = [[] for _ in functions]
    for _ in range(ROUNDS + 1):
        for function, measured in zip(functions, times, strict=True):
            began = time.process_time()
            function()
            measured.append(time.process_time() - began)
    return [statistics.median(measured[1:]) for measured in times]


class TorchBottleneck(torch_nn.Module):
    """A residual block as torchvision writes it."""

    def __init__(self, inner: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = torch_nn.Conv2d(inner, width, 1, bias=False)
        self.bn1 = torch_nn.BatchNorm2d(width)
        self.conv2 = torch_nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = torch_nn.BatchNorm2d(width)
        self.conv3 = torch_nn.Conv2d(width, 4 * width, 1, bias=False)
        self.bn3 = torch_nn.BatchNorm2d(4 * width)
        self.relu = torch_nn.ReLU(inplace=True)
        self.downsample = None
        if inner != 4 * width:
            self.downsample = torch_nn.Sequential(
                torch_nn.Conv2d(inner, 4 * width, 1, stride, bias=False), torch_nn.BatchNorm2d(4 * width)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        skip = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn3(self.conv3(self.relu(self.bn2(self.conv2(out)))))
        out += skip
        return self.relu(out)


class Bottleneck(nn.Cell):
    """The same as a Cell."""

    def __init__(self, inner: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inner, width, 1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, "pad", 1)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, 4 * width, 1)
        self.bn3 = nn.BatchNorm2d(4 * width)
        self.relu = nn.ReLU()
        self.downsample = None
        if inner != 4 * width:
            self.downsample = nn.SequentialCell(nn.Conv2d(inner, 4 * width, 1, stride), nn.BatchNorm2d(4 * width))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        skip = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        return self.relu(self.bn3(self.conv3(out)) + skip)


def _sizes() -> list[tuple[int, int, int]]:
    found, inner = [], 64
    for number, (width, count) in enumerate(STAGES):
        for index in range(count):
            found.append((inner, width, 2 if number and not index else 1))
            inner = 4 * width
    return found


class TorchResNet50(torch_nn.Module):
    """ResNet-50 in torch."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = torch_nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = torch_nn.BatchNorm2d(64)
        self.relu = torch_nn.ReLU(inplace=True)
        self.maxpool = torch_nn.MaxPool2d(3, 2, 1)
        self.layers = torch_nn.Sequential(*(TorchBottleneck(*sizes) for sizes in _sizes()))
        self.avgpool = torch_nn.AdaptiveAvgPool2d(1)
        self.fc = torch_nn.Linear(2048, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        return self.fc(self.avgpool(self.layers(x)).flatten(1))


class ResNet50(nn.Cell):
    """The same as a Cell."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, "pad", 3)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)
        self.layers = nn.SequentialCell([Bottleneck(*sizes) for sizes in _sizes()])
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(2048, 1000)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        return self.fc(self.flatten(self.avgpool(self.layers(x))))


def main() -> None:
    """Measure and print the rows."""
    rows = run()
    for row in rows:
        print(f"{row.name}: {row.ours}; {row.peer}; ratio {row.ratio:.2f}, target {row.target}")
    sys.exit(0 if all(row.is_met for row in rows) else 1)


if __name__ == "__main__":
    main()
