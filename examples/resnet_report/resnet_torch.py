"""ResNet-18 in torch, with the names of torchvision; as a script, writes a checkpoint of it.

usage: resnet_torch.py FILE.pth
"""

import sys

import torch
from torch import nn


class Block(nn.Module):
    """Two convolutions of 3×3 and the way around them."""

    def __init__(self, width_in: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(width_in, width, 3, stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.downsample = None
        if stride > 1 or width_in != width:
            self.downsample = nn.Sequential(nn.Conv2d(width_in, width, 1, stride, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Give as many feature maps as the block is wide."""
        around = x if self.downsample is None else self.downsample(x)
        return self.relu(self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x))))) + around)


class ResNet(nn.Module):
    """Images to logits."""

    def __init__(self, depths: tuple[int, ...], classes: int = 1000) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(3, 2, padding=1)
        width = 64
        for number, depth in enumerate(depths):
            first = Block(width, 64 * 2**number, 2 if number else 1)
            width = 64 * 2**number
            setattr(
                self, f"layer{number + 1}", nn.Sequential(first, *[Block(width, width, 1) for _ in range(depth - 1)])
            )
        self.fc = nn.Linear(width, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Give the logits."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(x.mean((2, 3)))


def resnet18() -> ResNet:
    """Give ResNet-18."""
    return ResNet((2, 2, 2, 2))


if __name__ == "__main__":
    torch.manual_seed(0)
    network = resnet18()
    network(torch.randn(8, 3, 64, 64))  # modules begin in training: the moving statistics move
    torch.save(network.state_dict(), sys.argv[1])
