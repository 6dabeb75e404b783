"""An epoch of LeNet on MNIST, data included, against idiomatic PyTorch: images per second.

    python -m benchmarks.lenet_epoch [--rounds N]

The tutorials' script: images resized to 32 × 32 and rescaled, batches of 32, cross entropy, momentum, `Model.train`
with data sink, over 20,000 images in IDX files. PyTorch: a Dataset that does the same work on each sample, a DataLoader
with the number of worker processes with which it is fastest, the fused optimizer, the loss printed once an epoch. One
thread for the operators of both, which is the fastest for layers of this size.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.epochs import best, compared, in_turns
from benchmarks.mnist_pipeline import BATCH, write_idx
from benchmarks.table import Row

ROUNDS, WORKERS = 2, (0, 1, 2)
TARGET = 1.5

_OURS = f"""
import sys
import torch
torch.set_num_threads(1)
import msbridge
msbridge.install()
import mindspore as ms
import mindspore.dataset as ds
import mindspore.nn as nn
from mindspore.dataset import transforms, vision
class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid", has_bias=True)
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True)
        self.fc1 = nn.Dense(16 * 5 * 5, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, 10)
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = self.relu(self.fc1(self.flatten(x)))
        return self.fc3(self.relu(self.fc2(x)))
class Epochs(ms.Callback):
    def on_train_begin(self, run_context):
        clock.start()
    def on_train_epoch_end(self, run_context):
        clock.stop(data.get_dataset_size() * {BATCH})
        clock.start()
data = ds.MnistDataset(sys.argv[1])
data = data.map(transforms.TypeCast(ms.int32), "label")
operations = (vision.Resize((32, 32)), vision.Rescale(1 / 255.0, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081))
for operation in (*operations, vision.HWC2CHW()):
    data = data.map(operation, "image")
data = data.shuffle(10000).batch({BATCH}, drop_remainder=True)
network = LeNet5()
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
model = ms.Model(network, loss, nn.Momentum(network.trainable_params(), 0.01, 0.9))
model.train(3, data, callbacks=[Epochs(), ms.LossMonitor()], dataset_sink_mode=True)
"""
_THEIRS = f"""
import sys
from pathlib import Path
import cv2
import numpy as np
import torch
from torch import nn
torch.set_num_threads(1)
class Digits(torch.utils.data.Dataset):
    def __init__(self, folder):
        self.images = np.fromfile(Path(folder) / "train-images-idx3-ubyte", np.uint8, offset=16).reshape(-1, 28, 28)
        self.labels = np.fromfile(Path(folder) / "train-labels-idx1-ubyte", np.uint8, offset=8)
    def __len__(self):
        return len(self.images)
    def __getitem__(self, index):
        image = cv2.resize(self.images[index], (32, 32)).astype(np.float32) * np.float32(1 / 255.0)
        image = image * np.float32(1 / 0.3081) + np.float32(-0.1307 / 0.3081)
        return torch.from_numpy(image[None]), int(self.labels[index])
network = nn.Sequential(
    nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
    nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
)
workers = int(sys.argv[2])
loader = torch.utils.data.DataLoader(
    Digits(sys.argv[1]), {BATCH}, shuffle=True, drop_last=True, num_workers=workers, persistent_workers=workers > 0
)
optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9, fused=True)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(3):
    clock.start()
    for images, labels in loader:
        optimizer.zero_grad()
        loss = loss_fn(network(images), labels)
        loss.backward()
        optimizer.step()
    print("epoch", epoch, loss.item())
    clock.stop(len(loader) * {BATCH})
"""


def run(rounds: int = ROUNDS) -> list[Row]:
    """Measure, and return the rows of the first epoch and of later ones."""
    with tempfile.TemporaryDirectory() as folder:
        write_idx(Path(folder))
        contenders = {f"torch, {count} workers": [sys.executable, _THEIRS, folder, str(count)] for count in WORKERS}
        paces = in_turns({"msbridge": [sys.executable, _OURS, folder]} | contenders, rounds)
    ours = paces.pop("msbridge")
    return compared("LeNet epoch with its data", ours, *best(paces), TARGET, "images/s")


def main() -> None:
    """Measure and print the rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lenet_epoch", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each contender has a turn")
    rows = run(parser.parse_args().rounds)
    for row in rows:
        print(f"{row.name}: {row.ours}; {row.peer}; ratio {row.ratio:.2f}, target {row.target}")
    sys.exit(0 if all(row.is_met for row in rows) else 1)


if __name__ == "__main__":
    main()
