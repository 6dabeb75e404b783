"""The tutorials' MNIST pipeline: batches per second, against MindSpore's own engine and torch's DataLoader.

    python -m benchmarks.mnist_pipeline [--oracle PYTHON]

28 → 32 resize, two rescales, HWC2CHW, labels as int32, shuffle of 10,000, batches of 32, over 8,000 images in IDX
files. PYTHON names an interpreter with the real MindSpore; its engine runs the same lines in a process of its own. The
DataLoader gets a Dataset that does the same work by hand on each sample; it runs in this process, which is its fastest
way here.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import torch

from benchmarks.table import Row, at_least
from msbridge import dataset as ds
from msbridge.core.dtype import int32
from msbridge.dataset import transforms, vision

IMAGES, BATCH, PASSES = 8000, 32, 5
AGAINST_MINDSPORE, AGAINST_TORCH = 5.0, 0.9

_PEER = f"""
import statistics, sys, time
import mindspore as ms, mindspore.dataset as ds
from mindspore.dataset import transforms, vision
data = ds.MnistDataset(sys.argv[1])
data = data.map(transforms.TypeCast(ms.int32), "label")
operations = (vision.Resize((32, 32)), vision.Rescale(1 / 255.0, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081))
for operation in (*operations, vision.HWC2CHW()):
    data = data.map(operation, "image")
data = data.shuffle(10000).batch({BATCH}, drop_remainder=True)
iterator = data.create_tuple_iterator()
rates = []
for _ in range({PASSES}):
    start = time.perf_counter()
    count = sum(1 for _ in iterator)
    rates.append(count / (time.perf_counter() - start))
print("rate", statistics.median(rates))
"""


def run(oracle: str | None = None) -> list[Row]:
    """Measure, and give one row for each peer.

    Args:
        oracle: an interpreter with the real MindSpore; None leaves that row out.
    """
    with tempfile.TemporaryDirectory() as folder:
        write_idx(Path(folder))
        iterator = pipeline(folder).create_tuple_iterator()
        loader = by_hand(folder)
        ours, torchs = measured([lambda: iterator, lambda: loader])
        rows = [at_least("MNIST pipeline", ours, "torch DataLoader", torchs, AGAINST_TORCH, "batches/s")]
        if oracle:
            command = [oracle, "-c", _PEER, folder]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            mindspores = float(done.stdout.rsplit("rate", 1)[1])
            rows.append(at_least("MNIST pipeline", ours, "MindSpore", mindspores, AGAINST_MINDSPORE, "batches/s"))
    return rows


def pipeline(folder: str) -> ds.Dataset:
    """The pipeline as the tutorials write it."""
    data: ds.Dataset = ds.MnistDataset(folder)
    data = data.map(transforms.TypeCast(int32), "label")
    operations = (vision.Resize((32, 32)), vision.Rescale(1 / 255.0, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081))
    for operation in (*operations, vision.HWC2CHW()):
        data = data.map(operation, "image")
    return data.shuffle(10000).batch(BATCH, drop_remainder=True)


class ByHand(torch.utils.data.Dataset):
    """The same work on each sample, written for torch."""

    def __init__(self, folder: str) -> None:
        self.images = np.fromfile(Path(folder) / "train-images-idx3-ubyte", np.uint8, offset=16).reshape(-1, 28, 28)
        self.labels = np.fromfile(Path(folder) / "train-labels-idx1-ubyte", np.uint8, offset=8)

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        import cv2

        image = cv2.resize(self.images[index], (32, 32)).astype(np.float32) * np.float32(1 / 255.0)
        image = image * np.float32(1 / 0.3081) + np.float32(-0.1307 / 0.3081)
        return torch.from_numpy(image[None]), int(self.labels[index])


def by_hand(folder: str) -> torch.utils.data.DataLoader:
    """The DataLoader over `ByHand`."""
    return torch.utils.data.DataLoader(ByHand(folder), batch_size=BATCH, shuffle=True, drop_last=True)


def measured(makers: list[Callable[[], Iterable[object]]]) -> list[float]:
    """Read each of several sources `PASSES` times, in turns; gives the medians of batches per second."""
    rates: list[list[float]] = [[] for _ in makers]
    for _ in range(PASSES):
        for make, found in zip(makers, rates, strict=True):
            start = time.perf_counter()
            count = sum(1 for _ in make())
            found.append(count / (time.perf_counter() - start))
    return [statistics.median(found) for found in rates]


def write_idx(folder: Path) -> None:
    """Write IDX files of random images."""
    random = np.random.default_rng(0)
    images = random.integers(0, 256, (IMAGES, 28, 28), np.uint8)
    head = np.array([2051, IMAGES, 28, 28], ">u4").tobytes()
    (folder / "train-images-idx3-ubyte").write_bytes(head + images.tobytes())
    head = np.array([2049, IMAGES], ">u4").tobytes()
    (folder / "train-labels-idx1-ubyte").write_bytes(head + random.integers(0, 10, IMAGES, np.uint8).tobytes())


def main() -> None:
    """Measure and print the rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mnist_pipeline", description=__doc__.partition("\n")[0])
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter with the real MindSpore, to compare with")
    rows = run(parser.parse_args().oracle)
    for row in rows:
        print(f"{row.name}: {row.ours}; {row.peer}; ratio {row.ratio:.2f}, target {row.target}")
    sys.exit(0 if all(row.is_met for row in rows) else 1)


if __name__ == "__main__":
    main()
