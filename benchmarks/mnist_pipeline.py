"""The tutorials' MNIST pipeline: batches per second, against MindSpore's own engine and torch's DataLoader.

    python -m benchmarks.mnist_pipeline [--oracle PYTHON]

28 → 32 resize, two rescales, HWC2CHW, labels as int32, shuffle of 10,000, batches of 32, over 20,000 images in IDX
files. The first epoch reads and resizes the images; later ones find the resized images in memory, which MindSpore and
the DataLoader do not keep. PYTHON names an interpreter with the real MindSpore, whose engine runs the same lines. The
DataLoader gets a Dataset that does the same work itself on each sample, without worker processes, which is its fastest
way here. Each runs in a process of its own.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.epochs import compared, in_turns
from benchmarks.table import Row

IMAGES, BATCH, ROUNDS = 20000, 32, 2
AGAINST_MINDSPORE, AGAINST_TORCH = 5.0, 0.9

_COUNTED = """
data = None
for _ in range(3):
    clock.start()
    data = data or made()
    clock.stop(sum(1 for _ in data))
"""
_PIPELINE = f"""
import sys
if sys.argv[1] == "mindspore":
    import mindspore as ms, mindspore.dataset as ds
    from mindspore.dataset import transforms, vision
else:
    import msbridge as ms
    from msbridge import dataset as ds
    from msbridge.dataset import transforms, vision
int32 = ms.int32
def made():
    data = ds.MnistDataset(sys.argv[2])
    data = data.map(transforms.TypeCast(int32), "label")
    operations = (vision.Resize((32, 32)), vision.Rescale(1 / 255.0, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081))
    for operation in (*operations, vision.HWC2CHW()):
        data = data.map(operation, "image")
    return data.shuffle(10000).batch({BATCH}, drop_remainder=True).create_tuple_iterator()
{_COUNTED}
"""
_LOADER = f"""
import sys
from pathlib import Path
import cv2
import numpy as np
import torch
class ByHand(torch.utils.data.Dataset):
    def __init__(self, folder):
        self.images = np.fromfile(Path(folder) / "train-images-idx3-ubyte", np.uint8, offset=16).reshape(-1, 28, 28)
        self.labels = np.fromfile(Path(folder) / "train-labels-idx1-ubyte", np.uint8, offset=8)
    def __len__(self):
        return len(self.images)
    def __getitem__(self, index):
        image = cv2.resize(self.images[index], (32, 32)).astype(np.float32) * np.float32(1 / 255.0)
        image = image * np.float32(1 / 0.3081) + np.float32(-0.1307 / 0.3081)
        return torch.from_numpy(image[None]), int(self.labels[index])
def made():
    return torch.utils.data.DataLoader(ByHand(sys.argv[1]), batch_size={BATCH}, shuffle=True, drop_last=True)
{_COUNTED}
"""


def run(oracle: str | None = None) -> list[Row]:
    """Measure, and return two rows for each peer.

    Args:
        oracle: an interpreter with the real MindSpore; None leaves its rows out.
    """
    with tempfile.TemporaryDirectory() as folder:
        write_idx(Path(folder))
        contenders = {
            "msbridge": [sys.executable, _PIPELINE, "msbridge", folder],
            "torch DataLoader": [sys.executable, _LOADER, folder],
        }
        if oracle:
            contenders["MindSpore"] = [oracle, _PIPELINE, "mindspore", folder]
        paces = in_turns(contenders, ROUNDS)
    ours, loader = paces.pop("msbridge"), "torch DataLoader"
    rows = compared("MNIST pipeline", ours, loader, paces.pop(loader), AGAINST_TORCH, "batches/s")
    for peer, theirs in paces.items():
        rows += compared("MNIST pipeline", ours, peer, theirs, AGAINST_MINDSPORE, "batches/s")
    return rows


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
