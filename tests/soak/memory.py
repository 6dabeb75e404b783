"""Steps, checkpoints, pipelines and failures in one process, again and again: its memory stays flat."""

import contextlib
import random
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

import msbridge

msbridge.install()

import mindspore as ms  # noqa: E402  there from here on
import mindspore.dataset as ds  # noqa: E402
from mindspore import nn, ops  # noqa: E402
from mindspore.train import Accuracy, Callback, Model  # noqa: E402

BATCH = 16
CLASSES = 10


class Network(nn.Cell):
    """A small convolutional network with all that keeps state: statistics, dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.SequentialCell(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2, 2))
        self.dropout = nn.Dropout(p=0.3)
        self.head = nn.Dense(8 * 8 * 8, CLASSES)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.head(self.dropout(self.features(x).reshape(x.shape[0], -1)))


class _Quiet(Callback):
    """A callback that keeps nothing."""


def run(deadline: float, seed: int) -> tuple[int, list[str]]:
    """Repeat the laps in a drawn order until the time has passed."""
    draws = random.Random(seed)
    ms.set_seed(seed)
    cases = 0
    with tempfile.TemporaryDirectory() as folder:
        laps = _laps(Path(folder))
        while time.monotonic() < deadline:
            draws.choice(laps)()
            cases += 1
    return cases, []


def _images() -> ds.GeneratorDataset:
    images = np.random.default_rng(0).random((64, 1, 16, 16), np.float32)
    labels = np.arange(64, dtype=np.int32) % CLASSES
    return ds.NumpySlicesDataset((images, labels), ["image", "label"], shuffle=True)


def _laps(folder: Path) -> list[Callable[[], None]]:
    network = Network()
    optimizer = nn.Adam(network.trainable_params(), 1e-3)
    loss = nn.CrossEntropyLoss()
    batch = ms.Tensor(np.random.default_rng(1).random((BATCH, 1, 16, 16), np.float32))
    labels = ms.Tensor(np.arange(BATCH) % CLASSES, ms.int32)
    gradients = ms.value_and_grad(lambda x, y: loss(network(x), y), None, optimizer.parameters)

    def steps() -> None:
        network.set_train()
        for _ in range(20):
            optimizer(gradients(batch, labels)[1])

    def inference() -> None:
        network.set_train(False)
        for _ in range(50):
            network(batch).asnumpy()

    def training(sink: bool) -> None:
        model = Model(network, loss, optimizer, metrics={"accuracy": Accuracy()})
        model.train(1, _images().batch(BATCH), callbacks=[_Quiet()], dataset_sink_mode=sink)
        model.eval(_images().batch(BATCH))

    def checkpoints() -> None:
        for suffix in ("ckpt", "safetensors"):
            file = str(folder / f"network.{suffix}")
            ms.save_checkpoint(network, file, format=suffix, async_save=suffix == "ckpt")
            ms.save_checkpoint(network, file, format=suffix)
            ms.load_param_into_net(network, ms.load_checkpoint(file, format=suffix))

    def pipelines() -> None:
        pipeline = _images().map(lambda image: image * 2, ["image"], num_parallel_workers=2).batch(BATCH)
        for _ in range(3):
            next(iter(pipeline.create_dict_iterator()))  # left in the middle
            _exhaust(pipeline.create_tuple_iterator())

    def failures() -> None:
        for mistake in (lambda: ops.matmul(batch, labels), lambda: network(labels), lambda: nn.Dense("a", 1)):
            with contextlib.suppress(TypeError, ValueError, RuntimeError):
                mistake()
        (folder / "broken.ckpt").write_bytes(b"\x0a\xff\xff\xff\xff\x0f" * 100)
        with contextlib.suppress(ValueError):
            ms.load_checkpoint(str(folder / "broken.ckpt"))

    def built() -> None:
        Network()(batch)  # and forgotten

    return [steps, inference, lambda: training(False), lambda: training(True), checkpoints, pipelines, failures, built]


def _exhaust(rows: Iterable[object]) -> None:
    for _ in rows:
        pass
