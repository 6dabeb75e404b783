"""Count the Python frames of everyday calls, and the changes of room in one step of Model.train.

    python tools/frames.py [--step] [NAME …]

Without arguments: the calls with the most frames first, and the numbers of the step. A NAME such as `Tensor.max` prints
the frames of its call one below the other; --step prints those of the step.

A frame is a call of a Python function of msbridge (torch's and the standard library's do not count), on a call that was
made before: what happens at the first one is not counted. A change of room is a frame whose room, the folder of
`msbridge/`, is not that of the frame before it.
"""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import msbridge

PACKAGE = str(Path(msbridge.__file__).parent)
MAX_SHOWN = 45


@dataclass(frozen=True, slots=True)
class Frame:
    """A call of a function of msbridge."""

    path: str  # of its file, from the package
    name: str  # of the function
    depth: int  # how many frames of msbridge are around it

    @property
    def room(self) -> str:
        """The folder of `msbridge/` that it is in."""
        return self.path.split("/")[0]

    def __str__(self) -> str:
        return f"{'  ' * self.depth}{self.path}::{self.name}"


class Recorder:
    """Records the frames of this thread between `start` and `stop`."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self._depth = 0

    def start(self) -> None:
        """Record from now on."""
        gc.disable()  # or frames of finalizers would count
        sys.setprofile(self._note)

    def stop(self) -> None:
        """Record no more."""
        sys.setprofile(None)
        gc.enable()

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        path = frame.f_code.co_filename
        if event not in ("call", "return") or not path.startswith(PACKAGE):
            return
        if event == "call":
            self.frames.append(Frame(path[len(PACKAGE) + 1 :], frame.f_code.co_qualname, self._depth))
        self._depth += 1 if event == "call" else -1


def frames_of(call: Callable[[], Any]) -> list[Frame]:
    """Return the frames of a call, made once before without being counted."""
    call()
    recorder = Recorder()
    recorder.start()
    try:
        call()
    finally:
        recorder.stop()
    return recorder.frames


def room_changes(frames: list[Frame]) -> int:
    """Return how often a frame is in another room than the one before it, the first counted too."""
    rooms = [frame.room for frame in frames]
    return sum(room != before for room, before in zip(rooms, [None, *rooms], strict=False))


@contextmanager
def installed() -> Iterator[Any]:
    """Return `mindspore` as a script imports it."""
    msbridge.install()
    import mindspore

    yield mindspore


def step_frames() -> list[Frame]:
    """Return the frames of one step of Model.train in PyNative mode: Dense, ReLU, Dense, MSELoss, Momentum, no sink."""
    with installed() as ms:
        nn = ms.nn
        network = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))
        optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
        model = ms.Model(network, nn.MSELoss(), optimizer)
        rows = [(np.ones((3, 4), np.float32), np.ones((3, 2), np.float32))] * 6
        recorder, steps = Recorder(), iter(range(len(rows)))

        class Window(ms.Callback):
            def on_train_step_end(self, run_context: Any) -> None:
                step = next(steps)
                if step == 2:
                    recorder.start()
                elif step == 3:
                    recorder.stop()

        model.train(1, ms.dataset.GeneratorDataset(rows, ["x", "y"]), [Window()], dataset_sink_mode=False)
    outermost = min(frame.depth for frame in recorder.frames)  # the window begins inside calls, which end
    return [replace(frame, depth=frame.depth - outermost) for frame in recorder.frames]


def everyday_calls() -> dict[str, Callable[[], Any]]:
    """Return everyday calls by name: Tensor methods, functions of ops and mint, layers."""
    with installed() as ms:
        from mindspore import Tensor, mint, nn, ops

        x, y = (Tensor(np.arange(12, dtype=np.float32).reshape(3, 4) + 1) for _ in range(2))
        index, mask, images = Tensor(np.array([0, 2], np.int32)), x > 3, Tensor(np.ones((2, 3, 8, 8), np.float32))
        labels = Tensor(np.array([0, 1, 2], np.int32))
        tensor_calls = (
            "x + y", "x - y", "x * y", "x / y", "x ** 2", "x @ y.T", "-x", "x > 3", "x == y", "x[0]", "x[:, 1:3]",
            "x[index]", "x[mask]", "x.max()", "x.max(0)", "x.min(0)", "x.sum()", "x.sum(0)", "x.mean()", "x.mean(0)",
            "x.std()", "x.argmax(0)", "x.reshape(4, 3)", "x.view(4, 3)", "x.transpose(1, 0)", "x.swapaxes(0, 1)",
            "x.astype(ms.float16)", "x.expand_dims(0)", "x.squeeze()", "x.abs()", "x.sqrt()", "x.exp()", "x.log()",
            "x.pow(2)", "x.clip(0, 1)", "x.flatten()", "x.asnumpy()", "x.copy()", "x.shape", "x.dtype", "x.size",
            "x.item", "x.repeat(2, 0)", "x.tile((2, 1))", "x.split(2, 1)", "x.topk(2)", "x.sort()", "x.all()",
            "x.any()", "x.cumsum(0)", "x.masked_fill(mask, 0.0)", "x.broadcast_to((2, 3, 4))", "x.norm()",
            "len(x)", "float(x[0, 0])", "Tensor(1.0)", "Tensor([1, 2, 3])",
        )  # fmt: skip
        ops_calls = (
            "ops.zeros((2, 3))", "ops.ones((2, 3))", "ops.full((2, 3), 1.0)", "ops.zeros_like(x)", "ops.arange(5)",
            "ops.add(x, y)", "ops.mul(x, y)", "ops.matmul(x, y.T)", "ops.relu(x)", "ops.gelu(x)", "ops.sigmoid(x)",
            "ops.tanh(x)", "ops.softmax(x)", "ops.log_softmax(x)", "ops.concat((x, y))", "ops.cat((x, y))",
            "ops.stack((x, y))", "ops.reshape(x, (4, 3))", "ops.transpose(x, (1, 0))", "ops.expand_dims(x, 0)",
            "ops.cast(x, ms.float16)", "ops.reduce_mean(x)", "ops.mean(x, 0)", "ops.sum(x, 0)", "ops.max(x, 0)",
            "ops.argmax(x)", "ops.gather(x, index, 0)", "ops.where(mask, x, y)", "ops.maximum(x, y)",
            "ops.clamp(x, 0, 1)",
            "ops.one_hot(labels, 3)", "ops.cross_entropy(x, labels)", "ops.mse_loss(x, y)", "ops.square(x)",
            "ops.exp(x)", "ops.split(x, 2, 1)", "ops.tile(x, (2, 1))", "ops.equal(x, y)", "ops.isnan(x)",
            "ops.dropout(x)",
        )  # fmt: skip
        mint_calls = (
            "mint.add(x, y)", "mint.matmul(x, y.T)", "mint.sum(x, 0)", "mint.max(x)", "mint.cat((x, y))",
            "mint.nn.functional.relu(x)", "mint.softmax(x, 0)", "mint.zeros((2, 3))", "mint.where(mask, x, y)",
        )  # fmt: skip
        layers = {
            "nn.Dense": (nn.Dense(4, 2), x),
            "nn.Conv2d": (nn.Conv2d(3, 4, 3), images),
            "nn.BatchNorm2d": (nn.BatchNorm2d(3), images),
            "nn.LayerNorm": (nn.LayerNorm((4,)), x),
            "nn.ReLU": (nn.ReLU(), x),
            "nn.GELU": (nn.GELU(), x),
            "nn.MaxPool2d": (nn.MaxPool2d(2, 2), images),
            "nn.Dropout": (nn.Dropout(p=0.5).set_train(), x),
            "nn.Embedding": (nn.Embedding(5, 4), labels),
            "nn.Flatten": (nn.Flatten(), images),
            "ops.ReLU": (ops.ReLU(), x),
            "ops.Softmax": (ops.Softmax(), x),
            "ops.ReduceSum": (ops.ReduceSum(), x),
        }
        names = {"ms": ms, "Tensor": Tensor, "mint": mint, "nn": nn, "ops": ops, "x": x, "y": y}
        names |= {"index": index, "mask": mask, "labels": labels}
    calls = {text: eval(f"lambda: {text}", names) for text in (*tensor_calls, *ops_calls, *mint_calls)}
    return calls | {f"{name}(…)": (lambda cell=cell, data=data: cell(data)) for name, (cell, data) in layers.items()}


def main(arguments: list[str]) -> int:
    """Print the numbers, or the frames of what is named."""
    if "--step" in arguments:
        print("\n".join(map(str, step_frames())))
        return 0
    calls = everyday_calls()
    for name in arguments:
        print("\n".join([name, *(f"  {frame}" for frame in frames_of(calls[name]))]))
    if not arguments:
        counts = sorted(((len(frames_of(call)), name) for name, call in calls.items()), reverse=True)
        print("".join(f"{count:4} {name}\n" for count, name in counts[:MAX_SHOWN]), end="")
        print(f"{len(counts)} everyday calls, {sum(count for count, _ in counts) / len(counts):.1f} frames on average")
        frames = step_frames()
        print(f"a step of Model.train: {len(frames)} frames, {room_changes(frames)} changes of room")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
