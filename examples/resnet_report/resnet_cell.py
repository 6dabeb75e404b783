"""ResNet-18 as a Cell, with the names of torchvision."""

from mindspore import nn


class Block(nn.Cell):
    def __init__(self, width_in, width, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(width_in, width, 3, stride, pad_mode="pad", padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(width, width, 3, pad_mode="pad", padding=1)
        self.bn2 = nn.BatchNorm2d(width)
        self.downsample = None
        if stride > 1 or width_in != width:
            around = nn.Conv2d(width_in, width, 1, stride, pad_mode="valid")
            self.downsample = nn.SequentialCell(around, nn.BatchNorm2d(width))

    def construct(self, x):
        around = x if self.downsample is None else self.downsample(x)
        return self.relu(self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x))))) + around)


class ResNet(nn.Cell):
    def __init__(self, depths, classes=1000):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, pad_mode="pad", padding=3)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)
        width = 64
        for number, depth in enumerate(depths):
            first = Block(width, 64 * 2**number, 2 if number else 1)
            width = 64 * 2**number
            layer = nn.SequentialCell(first, *[Block(width, width, 1) for _ in range(depth - 1)])
            setattr(self, f"layer{number + 1}", layer)
        self.fc = nn.Dense(width, classes)

    def construct(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(x.mean((2, 3)))


def resnet18():
    return ResNet((2, 2, 2, 2))
