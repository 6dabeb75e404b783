"""Networks in `.mindir` files: loading, and inference through the loaded graph."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

import msbridge as ms
from benchmarks.networks import lenet
from benchmarks.table import Row, at_most, paired
from msbridge import nn

WIDTH = 8192  # of a layer with 268 MB of weights
LAYERS = 2
ROUNDS = 7
ORACLE = """
import json, sys, time
import numpy as np
import mindspore as ms
from mindspore import Tensor, nn
ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
graph = nn.GraphCell(ms.load(sys.argv[1]))
x = Tensor(np.load(sys.argv[2]))
graph(x).asnumpy()
times = []
for _ in range(60):
    start = time.perf_counter()
    graph(x).asnumpy()
    times.append(time.perf_counter() - start)
print(json.dumps(sorted(times)[len(times) // 2]))
"""


def run(oracle: str | None) -> list[Row]:
    """Measure on one thread; with the real MindSpore too, where its interpreter is given."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        return [loading(Path(folder)), inference(Path(folder)), *([real(Path(folder), oracle)] if oracle else [])]


def loading(folder: Path) -> Row:
    """Compare the load of a file of 500 MB, with its parameters in memory, with reading its bytes."""
    network = nn.SequentialCell([nn.Dense(WIDTH, WIDTH, has_bias=False) for _ in range(LAYERS)])
    path = _exported(network, ms.ops.ones((1, WIDTH)), folder / "large")
    ours, peer = _medians(lambda: nn.GraphCell(ms.load(str(path))), path.read_bytes)
    size = path.stat().st_size / 1e6
    path.unlink()
    return at_most(f"load a .mindir of {size:.0f} MB", ours, "reading its bytes", peer, 1.5)


def inference(folder: Path) -> Row:
    """Compare LeNet from a file with the Cell that was exported."""
    network, x = lenet().set_train(False), ms.Tensor(torch.randn(1, 1, 32, 32))
    graph = nn.GraphCell(ms.load(str(_exported(network, x, folder / "lenet"))))
    ours, peer = paired(lambda: graph(x), lambda: network(x), clock=time.thread_time)
    return at_most("LeNet from a .mindir, batch of 1", ours, "the Cell by hand", peer, 1.02)


def real(folder: Path, oracle: str) -> Row:
    """Compare LeNet from a file with the real GraphCell on it; the ratio is shown, it has no target."""
    x = torch.randn(1, 1, 32, 32)
    path = _exported(lenet().set_train(False), ms.Tensor(x), folder / "compared")
    np.save(folder / "x.npy", x.numpy())
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"GLOG_v": "4"}
    command = [oracle, "-c", ORACLE, str(path), str(folder / "x.npy")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    graph, data = nn.GraphCell(ms.load(str(path))), ms.Tensor(x)
    ours, _ = paired(lambda: graph(data).asnumpy(), lambda: None)
    peer = float(json.loads(done.stdout.splitlines()[-1]))
    return at_most("LeNet from a .mindir, batch of 1", ours, "MindSpore's GraphCell", peer, float("inf"))


def _exported(network: nn.Cell, x: ms.Tensor, target: Path) -> Path:
    ms.export(network, x, file_name=str(target), file_format="MINDIR")
    return target.with_suffix(".mindir")


def _medians(ours: Callable[[], object], peer: Callable[[], object]) -> tuple[float, float]:
    """Return the median seconds of calls in turns, whose results are dropped at once."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for function, measured in ((ours, times[0]), (peer, times[1])):
            start = time.perf_counter()
            function()
            measured.append(time.perf_counter() - start)
    return sorted(times[0])[ROUNDS // 2], sorted(times[1])[ROUNDS // 2]
