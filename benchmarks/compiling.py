"""What jit_level "O2" gains on a CPU after warm-up, and what it costs: a small MLP-mixer in training, one thread."""

import time

import numpy as np
import torch

import msbridge as ms
from benchmarks.table import Row, paired
from msbridge import Tensor, nn, ops

AT_LEAST = 1.2


class Block(nn.Cell):
    """LayerNorm and two layers, with three activations between them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm([width])
        self.first, self.second = nn.Dense(width, width), nn.Dense(width, width)

    def construct(self, x: Tensor) -> Tensor:
        """Return the inputs plus what is computed of them."""
        h = self.first(self.norm(x))
        return x + self.second(ops.gelu(h) * ops.sigmoid(h) + ops.tanh(h))


class Mixer(nn.Cell):
    """Four blocks and a head."""

    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.blocks = nn.SequentialCell([Block(width) for _ in range(4)])
        self.head = nn.Dense(width, 10)

    def construct(self, x: Tensor) -> Tensor:
        """Return the logits."""
        return self.head(self.blocks(x).mean(1))


def run() -> list[Row]:
    """Time a training step with and without "O2", in turns; the cost of the first call is in the row's name."""
    torch.set_num_threads(1)
    x = Tensor(np.random.default_rng(0).standard_normal((16, 64, 128), np.float32))
    labels = Tensor(np.arange(16) % 10, ms.int32)
    eager, compiled = _step(), _step()
    compiled.set_jit_config(ms.JitConfig(jit_level="O2"))
    began = time.perf_counter()
    compiled(x, labels)
    first_s = time.perf_counter() - began
    compiled(x, labels)
    ours_s, peer_s = paired(lambda: compiled(x, labels), lambda: eager(x, labels))
    ratio = peer_s / ours_s
    name = f"mixer, a training step at O2 (first call {first_s:.0f} s)"
    times = f"{ours_s * 1e3:.1f} ms", f"O0 {peer_s * 1e3:.1f} ms"
    return [Row(name, *times, ratio, f"≥ {AT_LEAST:g} ×", ratio >= AT_LEAST)]


def _step() -> nn.TrainOneStepCell:
    net = Mixer()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.01, 0.9))
    step.set_train()
    return step


if __name__ == "__main__":
    for row in run():
        print(f"{row.name}: {row.ours}, {row.peer}, {row.ratio:.2f} × (target {row.target})")
