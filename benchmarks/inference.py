"""Prepared inference (`msbridge.optimize`) against eager torch in inference mode, on networks of both kinds.

    python -m benchmarks.inference                 seven networks, batches of 1 and 8

The same class is a Cell and a module, by what it is made of. Both are called in turns in one process; the processor's
time of one thread is compared.
"""

import statistics
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

import msbridge as ms
from benchmarks import training_networks
from benchmarks.peer import main
from benchmarks.table import Row, at_most
from msbridge import nn, ops
from msbridge.nn.inference import preparations

LIMIT = 1 / 1.3
ROUNDS = 15
IMAGE = (3, 224, 224)
# Of MobileNetV2: by how much a block widens, its channels, how many there are, stride of the first.
STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))

cells = SimpleNamespace(
    Base=nn.Cell,
    sequence=nn.SequentialCell,
    conv=lambda into, out, size, stride, groups: nn.Conv2d(
        into, out, size, stride, "pad", size // 2, group=groups, has_bias=False
    ),
    norm=nn.BatchNorm2d,
    relu=nn.ReLU,
    relu6=nn.ReLU6,
    pool=lambda: nn.MaxPool2d(3, 2, "pad", 1),
    dense=nn.Dense,
    layer_norm=lambda width: nn.LayerNorm((width,)),
    softmax=ops.softmax,
)
modules = SimpleNamespace(
    Base=torch.nn.Module,
    sequence=torch.nn.Sequential,
    conv=lambda into, out, size, stride, groups: torch.nn.Conv2d(
        into, out, size, stride, size // 2, groups=groups, bias=False
    ),
    norm=torch.nn.BatchNorm2d,
    relu=torch.nn.ReLU,
    relu6=torch.nn.ReLU6,
    pool=lambda: torch.nn.MaxPool2d(3, 2, 1),
    dense=torch.nn.Linear,
    layer_norm=torch.nn.LayerNorm,
    softmax=torch.softmax,
)


def run() -> list[Row]:
    """Measure every network."""
    ms.install()  # the networks of `training_networks` are scripts for MindSpore
    torch.set_num_threads(1)
    small, large = (2, 2, 2, 2), (3, 4, 6, 3)
    networks: dict[str, tuple[Callable[[], Any], Callable[[], Any], tuple[int, ...]]] = {
        "ResNet-18": (lambda: _resnet(cells, small, False), lambda: _resnet(modules, small, False), IMAGE),
        "ResNet-50": (lambda: _resnet(cells, large, True), lambda: _resnet(modules, large, True), IMAGE),
        "MobileNetV2": (lambda: _mobilenet(cells), lambda: _mobilenet(modules), IMAGE),
    }
    networks["encoder with attention written out"] = lambda: _encoder(cells), lambda: _encoder(modules), (64, 256)
    for name, network in (("encoder", training_networks.transformer()), ("BiLSTM", training_networks.bilstm())):
        networks[name] = network.cell, network.module, network.data.shape[1:]
    rows = []
    for name, (cell, module, shape) in networks.items():
        pair = cell().set_train(False), module().eval()
        rows += [_row(f"inference of {name}, {count}", *pair, (count, *shape)) for count in (1, 8)]
    return rows


def _row(name: str, cell: nn.Cell, module: torch.nn.Module, shape: tuple[int, ...]) -> Row:
    values = np.random.default_rng(0).standard_normal(shape, np.float32)
    ours, theirs = ms.Tensor(values), torch.from_numpy(values)
    ms.optimize(cell, ours)
    with torch.inference_mode():
        times: list[tuple[float, float]] = [
            (_time(lambda: cell(ours)), _time(lambda: module(theirs))) for _ in range(ROUNDS)
        ]
    mine, peer = map(statistics.median, zip(*times, strict=True))
    is_used = preparations(cell)[-1].is_used
    return at_most(name + ("" if is_used else ", left as it was"), mine, "eager torch", peer, LIMIT)


def _time(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def _unit(
    of: SimpleNamespace, into: int, out: int, size: int, stride: int = 1, groups: int = 1, act: Any = None
) -> Any:
    """Return a convolution, its normalization and, perhaps, an activation."""
    return of.sequence(of.conv(into, out, size, stride, groups), of.norm(out), *([] if act is None else [act()]))


def _resnet(of: SimpleNamespace, depths: tuple[int, ...], has_bottlenecks: bool) -> Any:
    class Block(of.Base):  # type: ignore[name-defined,misc]
        def __init__(self, into: int, width: int, out: int, stride: int) -> None:
            super().__init__()
            if has_bottlenecks:
                units = _unit(of, into, width, 1, act=of.relu), _unit(of, width, width, 3, stride, act=of.relu)
                self.body = of.sequence(*units, _unit(of, width, out, 1))
            else:
                self.body = of.sequence(_unit(of, into, out, 3, stride, act=of.relu), _unit(of, out, out, 3))
            self.relu = of.relu()
            self.down = _unit(of, into, out, 1, stride) if stride > 1 or into != out else None

        def forward(self, x: Any) -> Any:
            return self.relu(self.body(x) + (x if self.down is None else self.down(x)))

        construct = forward

    class ResNet(of.Base):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.stem, self.pool = _unit(of, 3, 64, 7, 2, act=of.relu), of.pool()
            blocks, into = [], 64
            for stage, depth in enumerate(depths):
                width = 64 * 2**stage
                out = 4 * width if has_bottlenecks else width
                for index in range(depth):
                    blocks.append(Block(into, width, out, 2 if stage and not index else 1))
                    into = out
            self.blocks, self.head = of.sequence(*blocks), of.dense(into, 1000)

        def forward(self, x: Any) -> Any:
            return self.head(self.blocks(self.pool(self.stem(x))).mean((2, 3)))

        construct = forward

    return ResNet()


def _mobilenet(of: SimpleNamespace) -> Any:
    class Inverted(of.Base):  # type: ignore[name-defined,misc]
        def __init__(self, into: int, out: int, stride: int, factor: int) -> None:
            super().__init__()
            width = into * factor
            units = [] if factor == 1 else [_unit(of, into, width, 1, act=of.relu6)]
            units += [_unit(of, width, width, 3, stride, width, of.relu6), _unit(of, width, out, 1)]
            self.body, self.is_added = of.sequence(*units), stride == 1 and into == out

        def forward(self, x: Any) -> Any:
            return x + self.body(x) if self.is_added else self.body(x)

        construct = forward

    class MobileNet(of.Base):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            stages = (
                (1, 16, 1, 1),
                (6, 24, 2, 2),
                (6, 32, 3, 2),
                (6, 64, 4, 2),
                (6, 96, 3, 1),
                (6, 160, 3, 2),
                (6, 320, 1, 1),
            )
            layers, into = [_unit(of, 3, 32, 3, 2, act=of.relu6)], 32
            for factor, out, depth, stride in stages:
                for index in range(depth):
                    layers.append(Inverted(into, out, 1 if index else stride, factor))
                    into = out
            self.body = of.sequence(*layers, _unit(of, into, 1280, 1, act=of.relu6))
            self.head = of.dense(1280, 1000)

        def forward(self, x: Any) -> Any:
            return self.head(self.body(x).mean((2, 3)))

        construct = forward

    return MobileNet()


if __name__ == "__main__":
    main(run, __doc__)


def _encoder(of: SimpleNamespace, width: int = 256, heads: int = 4, layers: int = 4) -> Any:
    class Layer(of.Base):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.query, self.key, self.value, self.out = (of.dense(width, width) for _ in range(4))
            self.first, self.second = of.dense(width, 4 * width), of.dense(4 * width, width)
            self.before, self.between, self.relu = of.layer_norm(width), of.layer_norm(width), of.relu()

        def forward(self, x: Any) -> Any:
            count, length, _ = x.shape
            y = self.before(x)
            q, k, v = (
                layer(y).reshape(count, length, heads, width // heads).swapaxes(1, 2)
                for layer in (self.query, self.key, self.value)
            )
            weights = of.softmax(q @ k.swapaxes(-1, -2) * (width // heads) ** -0.5, -1)
            x = x + self.out((weights @ v).swapaxes(1, 2).reshape(count, length, width))
            return x + self.second(self.relu(self.first(self.between(x))))

        construct = forward

    return of.sequence(*[Layer() for _ in range(layers)])
