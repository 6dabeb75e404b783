"""How costs grow: of a training step, memory, data pipelines, conversion, scans and gradients, each over its size.

    python -m benchmarks.scaling                prints the table
    python -m benchmarks.scaling --write        also writes docs/scaling.svg, and the table into docs/scaling.md
    python -m benchmarks.scaling gradients …    only these curves

Processor time of one thread, the least of several runs; conversion and workers that wait are by the clock. The exponent
is that of the growth over the upper part of the sizes: 1 is linear.
"""

import argparse
import gc
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

import msbridge as ms
from benchmarks.curves import Curve, Line, draw
from benchmarks.live_memory import LiveBytes
from benchmarks.table import processor
from msbridge import dataset, nn, ops
from msbridge.converters import convert
from msbridge.converters.files.atomic_write import write_text
from msbridge.scan.engine import USUAL, scan
from msbridge.scan.terminal import progress

DOCS = Path(__file__).parents[1] / "docs"
PICTURE, PAGE = DOCS / "scaling.svg", DOCS / "scaling.md"
TABLE = re.compile(r"(<!-- growth -->\n).*?(<!-- end of growth -->)", re.DOTALL)
WIDTH, LENGTH = 128, 32
MIB = 2**20
ROUNDS, ROUND_S = 5, 0.02
Clock = Callable[[], float]


def step_over_batch() -> Curve:
    """Return how a training step of two blocks of a Transformer grows with the batch."""
    sizes = (1, 2, 4, 8, 16, 32, 64)
    points = [(size, _least(_transformer_step(2, size)) * 1e3) for size in sizes]
    reason = "linear from 8 on; below, what a step of any batch costs"
    return Curve("a training step over the batch", "sequences", "ms", [Line("two blocks", points)], reason)


def step_over_depth() -> Curve:
    """Return how a training step grows with the blocks of a Transformer."""
    points = [(depth, _least(_transformer_step(depth, 4)) * 1e3) for depth in (1, 2, 4, 8, 16, 32)]
    return Curve("a training step over the depth", "blocks", "ms", [Line("batch of 4", points)], "linear")


def memory_over_depth() -> Curve:
    """Return how the bytes of tensors that a step makes grow with the depth, as it is and with `recompute`."""
    depths = (1, 2, 4, 8, 16, 32)
    lines = [
        Line(name, [(depth, _peak(depth, computes_again) / MIB) for depth in depths])
        for name, computes_again in (("as it is", False), ("recompute", True))
    ]
    reason = "linear; of a block, `recompute` keeps its input and its gradients"
    return Curve("memory of a step over the depth", "blocks", "MiB", lines, reason)


def pipeline_over_workers() -> Curve:
    """Return how the rate of a map that waits grows with the workers."""
    points = [(count, _rate(count)) for count in (1, 2, 4, 8, 16)]
    return Curve("a pipeline over its workers", "workers", "rows/s", [Line("10 ms a row", points)], "linear")


def conversion_over_bytes() -> Curve:
    """Return how the time of a conversion grows with the bytes."""
    points = []
    with tempfile.TemporaryDirectory() as folder:
        for size in (4, 16, 64, 256):
            source, target = Path(folder, "a.pth"), Path(folder, "a.ckpt")
            torch.save({f"layer{number}.weight": torch.ones(MIB // 4) for number in range(size)}, source)
            call = partial(convert, source, target, force=True, to="mindspore")
            points.append((float(size), _least(call, time.perf_counter) * 1e3))
    reason = "linear; below, what a conversion of any size costs"
    return Curve("a conversion over its bytes", "MiB", "ms", [Line(".pth to .ckpt", points)], reason)


def scan_over_lines() -> Curve:
    """Return how the time of a scan grows with the lines of a file, and of as many files of a hundred lines."""
    whole, parts = [], []
    for count in (1_000, 4_000, 16_000, 64_000):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "whole.py").write_text(_HEAD + _FUNCTION * (count // 10), encoding="utf-8")
            whole.append((float(count), _least(partial(_scan, folder)) * 1e3))
        with tempfile.TemporaryDirectory() as folder:
            for number in range(count // 100):
                Path(folder, f"part{number}.py").write_text(_HEAD + _FUNCTION * 10, encoding="utf-8")
            parts.append((float(count), _least(partial(_scan, folder)) * 1e3))
    lines = [Line("one file", whole), Line("files of 100 lines", parts)]
    return Curve("a scan over the lines", "lines", "ms", lines, "linear")


def gradients_over_parameters() -> Curve:
    """Return how a gradient call and an update grow with the number of parameters, beside torch's own."""
    ours, theirs, updates = [], [], []
    for count in (1, 10, 100, 1_000, 10_000, 100_000):
        values = [torch.ones(4) for _ in range(count)]
        weights = [ms.Parameter(ms.Tensor(value), name=f"w{number}") for number, value in enumerate(values)]
        gradient = ms.value_and_grad(lambda weights=weights: ops.stack(weights).sum(), None, weights)
        ours.append((float(count), _least(gradient) * 1e3))
        leaves = [value.requires_grad_() for value in values]
        theirs.append((float(count), _least(partial(_torch_gradient, leaves)) * 1e3))
        optimizer = nn.Momentum(weights, 1e-6, 0.9)
        gradients = gradient()[1]
        updates.append((float(count), _least(partial(optimizer, gradients)) * 1e3))
    lines = [Line("a gradient call", ours), Line("torch.autograd.grad", theirs), Line("an update", updates)]
    return Curve("gradients over the parameters", "parameters", "ms", lines, "linear from a hundred on")


CURVES: dict[str, Callable[[], Curve]] = {
    "batch": step_over_batch,
    "depth": step_over_depth,
    "memory": memory_over_depth,
    "pipeline": pipeline_over_workers,
    "conversion": conversion_over_bytes,
    "scan": scan_over_lines,
    "gradients": gradients_over_parameters,
}

_HEAD = "import mindspore as ms\nfrom mindspore import nn, ops\n"
_FUNCTION = """
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 4)

    def construct(self, x):
        y = ops.relu(self.dense(x))
        return y if y.ndim > 1 else y.expand_dims(0)

"""


def _transformer(depth: int, computes_again: bool = False) -> tuple[nn.Cell, nn.Optimizer]:
    blocks = [nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0.0, batch_first=True) for _ in range(depth)]
    for block in blocks if computes_again else ():
        block.recompute()
    network = nn.SequentialCell(*blocks)
    return network, nn.Momentum(network.trainable_params(), 1e-6, 0.9)


def _transformer_step(depth: int, batch: int, computes_again: bool = False) -> Callable[[], object]:
    network, optimizer = _transformer(depth, computes_again)
    step = nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), optimizer).set_train()
    data = ms.Tensor(np.random.default_rng(0).standard_normal((batch, LENGTH, WIDTH), np.float32))
    return lambda: step(data, data)


def _peak(depth: int, computes_again: bool) -> int:
    """Return the most bytes of tensors that are alive in a step, beyond those that it found."""
    step = _transformer_step(depth, 8, computes_again)
    step()
    with LiveBytes() as live:
        step()
    return live.peak


def _rate(workers: int) -> float:
    rows = dataset.NumpySlicesDataset(np.zeros((40 * workers, 4), np.float32), shuffle=False)
    rows = rows.map(_wait, num_parallel_workers=workers)
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        count = sum(1 for _ in rows.create_tuple_iterator(num_epochs=1, output_numpy=True))
        best = max(best, count / (time.perf_counter() - start))
    return best


def _wait(value: Any) -> Any:
    time.sleep(0.01)
    return value


def _scan(folder: str) -> None:
    with progress(False) as advance:
        scan([folder], USUAL, advance)


def _torch_gradient(leaves: Sequence[torch.Tensor]) -> object:
    return torch.autograd.grad(torch.stack(tuple(leaves)).sum(), leaves)


def _least(call: Callable[[], object], clock: Clock = time.process_time) -> float:
    """Return the seconds of a call, the least of several rounds."""
    call()
    number = max(1, int(ROUND_S / _seconds(call, 1, time.perf_counter)))
    gc.collect()
    gc.disable()
    try:
        return min(_seconds(call, number, clock) for _ in range(ROUNDS))
    finally:
        gc.enable()


def _seconds(call: Callable[[], object], number: int, clock: Clock) -> float:
    start = clock()
    for _ in range(number):
        call()
    return (clock() - start) / number


def table(curves: Iterable[Curve]) -> str:
    """Return the table, as Markdown."""
    head = ["| what | sizes | cost | exponent | growth |", "|---|---|---|--:|---|"]
    rows = [row for curve in curves for row in curve.rows()]
    return "\n".join([*head, *rows, "", f"(One thread of an {processor()}; torch {torch.__version__}.)"]) + "\n"


def main() -> None:
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("only", nargs="*", metavar="CURVE", help=f"of {', '.join(CURVES)}; all without one")
    parser.add_argument("--write", action="store_true", help="write docs/scaling.svg and the table of docs/scaling.md")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.only) - set(CURVES)):
        parser.error(f"no such curve: {', '.join(unknown)}")
    torch.set_num_threads(1)
    curves = [CURVES[name]() for name in arguments.only or CURVES]
    print(table(curves), end="")
    if arguments.write:
        write_text(str(PICTURE), draw(curves))
        page = PAGE.read_text(encoding="utf-8")
        write_text(str(PAGE), TABLE.sub(lambda found: f"{found[1]}{table(curves)}{found[2]}", page))


if __name__ == "__main__":
    main()
