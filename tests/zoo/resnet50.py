"""ResNet-50 on both sides, for figures of cost."""

import torch

from msbridge import nn

STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))


class TorchBottleneck(torch.nn.Module):
    def __init__(self, inner, width, stride):
        super().__init__()
        outer = 4 * width
        self.conv1 = torch.nn.Conv2d(inner, width, 1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(width)
        self.conv2 = torch.nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(width)
        self.conv3 = torch.nn.Conv2d(width, outer, 1, bias=False)
        self.bn3 = torch.nn.BatchNorm2d(outer)
        self.relu = torch.nn.ReLU(inplace=True)
        self.downsample = None
        if inner != outer:
            self.downsample = torch.nn.Sequential(
                torch.nn.Conv2d(inner, outer, 1, stride, bias=False), torch.nn.BatchNorm2d(outer)
            )

    def forward(self, x):
        skip = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += skip
        return self.relu(out)


class Bottleneck(nn.Cell):
    def __init__(self, inner, width, stride):
        super().__init__()
        outer = 4 * width
        self.conv1 = nn.Conv2d(inner, width, 1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, "pad", 1)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, outer, 1)
        self.bn3 = nn.BatchNorm2d(outer)
        self.relu = nn.ReLU()
        self.downsample = None
        if inner != outer:
            self.downsample = nn.SequentialCell(nn.Conv2d(inner, outer, 1, stride), nn.BatchNorm2d(outer))

    def construct(self, x):
        skip = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        return self.relu(self.bn3(self.conv3(out)) + skip)


def _stages(block):
    inner = 64
    for number, (width, count) in enumerate(STAGES):
        for index in range(count):
            yield block(inner, width, 2 if number and not index else 1)
            inner = 4 * width


class TorchResNet50(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(64)
        self.relu = torch.nn.ReLU(inplace=True)
        self.maxpool = torch.nn.MaxPool2d(3, 2, 1)
        self.layers = torch.nn.Sequential(*_stages(TorchBottleneck))
        self.avgpool = torch.nn.AdaptiveAvgPool2d(1)
        self.fc = torch.nn.Linear(2048, 1000)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        return self.fc(self.avgpool(self.layers(x)).flatten(1))


class ResNet50(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, "pad", 3)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)
        self.layers = nn.SequentialCell(list(_stages(Bottleneck)))
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(2048, 1000)

    def construct(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        return self.fc(self.flatten(self.avgpool(self.layers(x))))
