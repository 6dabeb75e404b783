"""ResNet-50 as scripts write it, for MindSpore and for torch."""

import torch
from torch import nn as torch_nn

from msbridge import Tensor, nn

STAGES = (3, 4, 6, 3)  # of ResNet-50


class _Bottleneck(nn.Cell):
    def __init__(self, inputs: int, width: int, stride: int, layout: str) -> None:
        super().__init__()
        outputs = 4 * width
        self.conv1 = nn.Conv2d(inputs, width, 1, data_format=layout)
        self.bn1 = nn.BatchNorm2d(width, data_format=layout)
        self.conv2 = nn.Conv2d(width, width, 3, stride, pad_mode="pad", padding=1, data_format=layout)
        self.bn2 = nn.BatchNorm2d(width, data_format=layout)
        self.conv3 = nn.Conv2d(width, outputs, 1, data_format=layout)
        self.bn3 = nn.BatchNorm2d(outputs, data_format=layout)
        self.relu = nn.ReLU()
        self.down: nn.Cell | None = None
        if stride != 1 or inputs != outputs:
            convolution = nn.Conv2d(inputs, outputs, 1, stride, data_format=layout)
            self.down = nn.SequentialCell(convolution, nn.BatchNorm2d(outputs, data_format=layout))

    def construct(self, x: Tensor) -> Tensor:
        shortcut = x if self.down is None else self.down(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.relu(self.bn2(self.conv2(x)))
        return self.relu(self.bn3(self.conv3(x)) + shortcut)


class ResNet(nn.Cell):
    """ResNet of bottlenecks.

    Args:
        layout: "NCHW" or "NHWC".
        stages: blocks of each stage.
        classes: outputs.
    """

    def __init__(self, layout: str = "NCHW", stages: tuple[int, ...] = STAGES, classes: int = 1000) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, pad_mode="pad", padding=3, data_format=layout)
        self.bn1 = nn.BatchNorm2d(64, data_format=layout)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(3, 2, pad_mode="pad", padding=1, data_format=layout)
        blocks, inputs = [], 64
        for stage, count in enumerate(stages):
            for index in range(count):
                blocks.append(_Bottleneck(inputs, 64 << stage, 2 if stage and not index else 1, layout))
                inputs = 256 << stage
        self.blocks = nn.SequentialCell(blocks)
        self.axes = (2, 3) if layout == "NCHW" else (1, 2)
        self.head = nn.Dense(inputs, classes)

    def construct(self, x: Tensor) -> Tensor:
        """Return the logits."""
        x = self.pool(self.relu(self.bn1(self.conv1(x))))
        return self.head(self.blocks(x).mean(self.axes))


class _TorchBottleneck(torch_nn.Module):
    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        outputs = 4 * width
        self.conv1 = torch_nn.Conv2d(inputs, width, 1, bias=False)
        self.bn1 = torch_nn.BatchNorm2d(width)
        self.conv2 = torch_nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = torch_nn.BatchNorm2d(width)
        self.conv3 = torch_nn.Conv2d(width, outputs, 1, bias=False)
        self.bn3 = torch_nn.BatchNorm2d(outputs)
        self.relu = torch_nn.ReLU(inplace=True)
        self.down: torch_nn.Module | None = None
        if stride != 1 or inputs != outputs:
            convolution = torch_nn.Conv2d(inputs, outputs, 1, stride, bias=False)
            self.down = torch_nn.Sequential(convolution, torch_nn.BatchNorm2d(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shortcut = x if self.down is None else self.down(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.relu(self.bn2(self.conv2(x)))
        return self.relu(self.bn3(self.conv3(x)) + shortcut)


class TorchResNet(torch_nn.Module):
    """The same in torch.

    Args:
        stages: blocks of each stage.
        classes: outputs.
    """

    def __init__(self, stages: tuple[int, ...] = STAGES, classes: int = 1000) -> None:
        super().__init__()
        self.conv1 = torch_nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = torch_nn.BatchNorm2d(64)
        self.relu = torch_nn.ReLU(inplace=True)
        self.pool = torch_nn.MaxPool2d(3, 2, 1)
        blocks, inputs = [], 64
        for stage, count in enumerate(stages):
            for index in range(count):
                blocks.append(_TorchBottleneck(inputs, 64 << stage, 2 if stage and not index else 1))
                inputs = 256 << stage
        self.blocks = torch_nn.Sequential(*blocks)
        self.head = torch_nn.Linear(inputs, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        x = self.pool(self.relu(self.bn1(self.conv1(x))))
        return self.head(self.blocks(x).mean((2, 3)))
