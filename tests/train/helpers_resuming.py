"""A training script as MindSpore's users write it: it saves checkpoints, and started again continues from the newest.

    python helpers_resuming.py [FOLDER, SETTINGS, KILLED_AT] …

Each argument is JSON and makes one run, in a process of its own: SETTINGS has fields of `Settings`; at step KILLED_AT,
if it is not null, the process kills itself with SIGKILL. For each run a line of JSON is printed: the exit status, and
the losses by step, in hexadecimal.
"""

import contextlib
import gc
import json
import os
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

import msbridge as ms
import msbridge.dataset as ds
from msbridge import nn, ops, train
from msbridge.core.random import seeds as core_random
from msbridge.dataset import transforms, vision

Note = Callable[[int, str], None]
Load = Callable[[nn.Cell], dict[str, Any]]
ROWS = 20
IMAGES = np.random.RandomState(5).randint(0, 255, (ROWS, 8, 8, 3)).astype(np.uint8)
LABELS = (np.arange(ROWS) % 4).astype(np.int32)


@dataclass(frozen=True)
class Settings:
    """How the script trains."""

    epochs: int = 4
    batch: int = 3
    drop_remainder: bool = False
    repeat: int = 1
    save_steps: int = 3
    seed: int | None = 7
    data: str = "images"
    optimizer: str = "Momentum"
    rate: str = "fixed"
    loss_scale: str = ""
    amp_level: str = "O0"
    sink_size: int = 0
    """0 trains step by step; otherwise on the emulated Ascend."""
    graph: bool = True
    by: str = "step"
    """How the script continues: by "step", with set_init_step; or by "epoch", with initial_epoch alone."""
    format: str = "ckpt"
    options: dict[str, Any] = field(default_factory=dict)
    """More arguments of the optimizer."""


class Network(nn.Cell):
    """A small network with everything that has a state or draws: batch norm, dropout, noise with and without a seed."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.drop = nn.Dropout(p=0.3)
        self.noise = ops.StandardNormal(seed=3)
        self.dense = nn.Dense(4 * 36, 4)
        self.averaged = ms.Parameter(ms.Tensor(np.zeros(4, np.float32)), name="averaged", requires_grad=False)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        x = self.drop(ops.relu(self.norm(self.conv(x))))
        x = x + 0.01 * self.noise(x.shape) + 0.01 * ops.standard_normal(x.shape, seed=2)
        ops.assign(self.averaged, (0.9 * self.averaged + 0.1 * x.mean((0, 2, 3))).astype(self.averaged.dtype))
        return self.dense(x.reshape(x.shape[0], -1) + self.averaged.mean())


def _noisy(image: np.ndarray) -> np.ndarray:
    return (image + image.mean() / 7).astype(np.float32)


def _images() -> ds.Dataset:
    data = ds.NumpySlicesDataset((IMAGES, LABELS), ["image", "label"])
    steps = [vision.RandomCrop(6), vision.RandomHorizontalFlip(), vision.RandomColorAdjust(0.4, 0.4)]
    return data.map(steps, "image").map([_noisy, vision.Rescale(1 / 255, 0.0), vision.HWC2CHW()], "image")


def _python() -> ds.Dataset:
    """Python transforms, rows from a generator with random access, a shuffle buffer, a weighted sampler."""
    sampler = ds.WeightedRandomSampler(np.arange(1, ROWS + 1).tolist())
    data = ds.GeneratorDataset(
        [(image, label) for image, label in zip(IMAGES, LABELS, strict=True)], ["image", "label"]
    )
    data.use_sampler(sampler)
    steps = transforms.Compose(
        [
            vision.ToPIL(),
            vision.RandomCrop(6),
            transforms.RandomApply([vision.RandomVerticalFlip(1.0)]),
            vision.ToTensor(),
        ]
    )
    return data.shuffle(7).map(steps, "image")


DATA: dict[str, Callable[[], ds.Dataset]] = {"images": _images, "python": _python}


def _rate(settings: Settings, size: int) -> Any:
    if settings.rate == "list":
        return [0.05 / (1 + step) for step in range(settings.epochs * size)]
    if settings.rate == "schedule":
        return nn.CosineDecayLR(0.001, 0.05, settings.epochs * size)
    return 0.02


def _model(settings: Settings, size: int) -> train.Model:
    network = Network()
    optimizer = getattr(nn, settings.optimizer)
    more = {"momentum": 0.9} if settings.optimizer == "Momentum" else {}
    made = optimizer(network.trainable_params(), learning_rate=_rate(settings, size), **more | settings.options)
    managers = {
        "fixed": lambda: ms.FixedLossScaleManager(64.0, drop_overflow_update=True),
        "dynamic": lambda: ms.DynamicLossScaleManager(2.0**127, 2, 3),
    }
    kwargs = {"loss_scale_manager": managers[settings.loss_scale]()} if settings.loss_scale else {}
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return train.Model(network, loss, made, amp_level=settings.amp_level, **kwargs)


class Killed(BaseException):
    """Replaces SIGKILL where the run is in the test's own process."""


class Losses(train.Callback):
    """Passes on the loss of each step, and dies at one."""

    def __init__(
        self, done: int, note: Callable[[int, str], None], killed_at: int | None, die: Callable[[], None]
    ) -> None:
        super().__init__()
        self.done, self.note, self.killed_at, self.die = done, note, killed_at, die

    def on_train_step_end(self, run_context: train.RunContext) -> None:
        params = run_context.original_args()
        outputs = params.net_outputs
        loss = outputs[0] if isinstance(outputs, tuple) else outputs
        step = self.done + params.cur_step_num
        self.note(step, " ".join(value.hex() for value in map(float, np.atleast_1d(loss.asnumpy()))))
        if self.killed_at is not None and step >= self.killed_at:
            self.die()


def newest(folder: Path, format: str) -> Path | None:
    files = sorted(folder.glob(f"*.{format}"), key=lambda path: path.stat().st_mtime_ns)
    return files[-1] if files else None


def _loaded(path: Path, settings: Settings, network: nn.Cell) -> dict[str, Any]:
    loaded = ms.load_checkpoint(str(path), format=settings.format)
    missing, _ = ms.load_param_into_net(network, loaded)
    assert not missing, missing
    return loaded


def run(
    folder: Path, settings: Settings, note: Note, killed_at: int | None, die: Any, start: Load | None = None
) -> None:
    """Train to the end: from the newest checkpoint in the folder on, or from what `start` loads."""
    sinks = settings.sink_size != 0
    mode = ms.GRAPH_MODE if settings.graph else ms.PYNATIVE_MODE
    ms.set_context(mode=mode, device_target="Ascend" if sinks else "CPU")
    if settings.seed is not None:
        ms.set_seed(settings.seed)
    data = DATA[settings.data]().batch(settings.batch, settings.drop_remainder).repeat(settings.repeat)
    size = data.get_dataset_size()
    if settings.sink_size > 0:
        size = settings.sink_size
    model = _model(settings, size)
    done, epochs = 0, 0
    if (path := newest(folder, settings.format)) is not None or start is not None:
        loaded = start(model.train_network) if start is not None else _loaded(path, settings, model.train_network)
        done, epochs = int(loaded["step_num"]), int(loaded["epoch_num"])
        if settings.by == "step":
            data.set_init_step(done)
            epochs = done // size
    if epochs == settings.epochs:
        return
    config = train.CheckpointConfig(
        save_checkpoint_steps=settings.save_steps,
        keep_checkpoint_max=1000,
        append_info=["epoch_num", {"step_num": done}],
        format=settings.format,
    )
    saver = train.ModelCheckpoint("net", str(folder), config)
    callbacks = [Losses(done, note, killed_at, die), saver]
    options = {"dataset_sink_mode": True, "sink_size": settings.sink_size} if sinks else {"dataset_sink_mode": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the emulated Ascend tells of what it cannot emulate
        model.train(settings.epochs, data, callbacks, initial_epoch=epochs, **options)
    weights = [parameter.asnumpy() for parameter in model.train_network.get_parameters()]
    note(-1, " ".join(float(np.asarray(value, np.float64).sum()).hex() for value in weights))


def losses(folder: Path, settings: Settings, killed_at: int | None = None, start: Load | None = None) -> dict[int, str]:
    """Train in this process, from the newest checkpoint in the folder on; return what the script prints."""
    found: dict[int, str] = {}
    gc.collect()  # generators of networks that are gone would still have their names
    with core_random.without_seed(), contextlib.suppress(Killed):
        run(folder, settings, found.__setitem__, killed_at, _die, start)
    return found


def disturb(seed: int) -> None:
    """Leave the generators as another process would have them."""
    torch.manual_seed(seed)
    np.random.seed(seed)
    random.seed(seed)


def _die() -> None:
    raise Killed


def run_apart(
    folder: Path, settings: Settings, killed_at: int | None = None, killed_after_s: float | None = None
) -> tuple[int, dict[int, str]]:
    """Run in a process of its own, forked where nothing has run; return its exit status and the losses by step."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        disturb(int.from_bytes(os.urandom(4)))
        run(folder, settings, _writer(writing), killed_at, _kill)
        os._exit(0)
    os.close(writing)
    timer = threading.Timer(killed_after_s or 0, os.kill, (child, signal.SIGKILL))
    if killed_after_s is not None:
        timer.start()
    with os.fdopen(reading) as lines:
        losses = dict(json.loads(line) for line in lines)
    if killed_after_s is not None:
        timer.cancel()
        timer.join()  # no thread may run where the next process is forked
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), losses


def main() -> None:
    for argument in sys.argv[1:]:
        folder, settings, killed_at = json.loads(argument)
        print(json.dumps(run_apart(Path(folder), Settings(**settings), killed_at)), flush=True)


def _writer(file: int) -> Note:
    return lambda step, loss: os.write(file, (json.dumps([step, loss]) + "\n").encode()) and None


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
