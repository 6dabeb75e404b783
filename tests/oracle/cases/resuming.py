"""Runs that continue where an earlier one ended: which rows come, what checkpoints and callbacks receive."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, train
from mindspore import dataset as ds

from tests.oracle.case import Case, each


def plain(count: int = 10) -> ds.Dataset:
    """The numbers 0, 1, 2 …, in order."""
    return ds.NumpySlicesDataset(np.arange(count).astype(np.int32), column_names=["x"], shuffle=False)


def shuffled() -> ds.Dataset:
    return ds.NumpySlicesDataset(np.arange(10).astype(np.int32), column_names=["x"], shuffle=True)


def set_below(step: int) -> ds.Dataset:
    data = plain()
    data.set_init_step(step)
    return data


def zipped(step: int) -> ds.Dataset:
    other = ds.NumpySlicesDataset(np.arange(10), column_names=["y"], shuffle=False)
    return set_below(step).zip(other)


def generated() -> ds.Dataset:
    def numbers() -> Iterable[tuple[np.int32]]:
        for number in range(5):
            yield (np.int32(number),)

    return ds.GeneratorDataset(numbers, ["x"])


def passes(data: ds.Dataset, count: int, step: int | None = None) -> list[list[object]]:
    """Read the rows of several passes, from a step on; endless ones up to 20 rows."""
    if step is not None:
        data.set_init_step(step)
    iterator = data.create_tuple_iterator(num_epochs=count, output_numpy=True)
    size = data.get_dataset_size()
    left = count - data.get_init_step() // size
    return [[row[0].tolist() for row, _ in zip(iterator, range(20), strict=False)] for _ in range(left)]


def continues(make: object, step: int) -> bool:
    """Whether the rows from a step on are those that the whole run has there."""
    ds.config.set_seed(3)
    whole = [row for rows in passes(make(), 3) for row in rows]
    return [row for rows in passes(make(), 3, step) for row in rows] == whole[step:]


def calls(step: int, fast: bool) -> int:
    """How often a function of `map` is called when a run of two passes of four rows resumes."""
    count = [0]

    def counted(value: np.ndarray) -> np.ndarray:
        count[0] += 1
        return value

    ds.config.set_fast_recovery(fast)
    try:
        data = plain(4).map(counted, "x", num_parallel_workers=1, python_multiprocessing=False).batch(2)
        passes(data, 2, step)
    finally:
        ds.config.set_fast_recovery(True)
    return count[0]


class Seen(train.Callback):
    """Notes what a run tells callbacks."""

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[object] = []

    def on_train_begin(self, run_context: train.RunContext) -> None:
        params = run_context.original_args()
        self.notes.append((params.epoch_num, params.cur_step_num, params.batch_num))

    def on_train_step_end(self, run_context: train.RunContext) -> None:
        params = run_context.original_args()
        rows = params.train_dataset_element[0].asnumpy()[:, 0].astype(int).tolist()
        self.notes.append((params.cur_epoch_num, params.cur_step_num, rows))


def trained(
    epochs: int, initial_epoch: int = 0, step: int | None = None, *, shuffle: bool = False, callbacks: object = None
) -> list[object]:
    """Train on batches of 4, 4 and 2 rows, and return what callbacks saw."""
    ds.config.set_seed(3)
    numbers = np.arange(10, dtype=np.float32)[:, None]
    data = ds.NumpySlicesDataset((numbers, numbers), ["x", "y"], shuffle=shuffle).batch(4)
    if step is not None:
        data.set_init_step(step)
    network = nn.Dense(1, 1)
    model = train.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.001))
    seen = Seen()
    given = [seen] if callbacks is None else [seen, callbacks]
    model.train(epochs, data, given, dataset_sink_mode=False, initial_epoch=initial_epoch)
    return seen.notes


def rows_of(notes: list[object]) -> list[object]:
    return [rows for _, _, rows in notes[1:]]


def saved(info: list[object], steps: int, *run: int) -> list[object]:
    """Return the names of a run's checkpoints, and the epochs and steps that they hold."""
    with tempfile.TemporaryDirectory() as folder:
        config = train.CheckpointConfig(save_checkpoint_steps=steps, keep_checkpoint_max=50, append_info=info)
        trained(*run, callbacks=train.ModelCheckpoint("c", folder, config))
        found = []
        for path in sorted(Path(folder).glob("*.ckpt")):
            loaded = ms.load_checkpoint(str(path))
            found.append((path.name, [(key, loaded[key]) for key in ("epoch_num", "step_num") if key in loaded]))
        return found


def not_taken() -> tuple[list[str], list[str]]:
    """Return what loading a checkpoint with more than weights says was not loaded, and not taken."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.ckpt"
        ms.save_checkpoint(nn.Dense(1, 1), path, append_dict={"epoch_num": 3, "more": Tensor(np.ones(4, np.uint8))})
        return ms.load_param_into_net(nn.Dense(1, 1), ms.load_checkpoint(path), strict_load=True)


CASES = [
    *each("""
        passes(plain(), 3, 0)
        passes(plain(), 3, 3)
        passes(plain(), 3, 10)
        passes(plain(), 3, 25)
        passes(plain().batch(4), 3, 1)
        passes(plain().batch(4), 3, 3)
        passes(plain().batch(4), 3, 8)
        passes(plain().batch(4, drop_remainder=True), 3, 1)
        passes(plain().batch(4, drop_remainder=True), 3, 3)
        passes(plain().repeat(2).batch(4), 3, 3)
        passes(plain().repeat(2).batch(4), 3, 13)
        passes(plain().batch(4).repeat(2), 3, 4)
        passes(plain().batch(4).repeat(2), 3, 13)
        passes(plain().skip(2).take(5).batch(2), 2, 4)
        passes(plain().take(3), 2, 4)
        passes(plain() + plain(3), 2, 14)
        passes(plain().filter(lambda x: x != 1), 2, 2)
        passes(plain().map(lambda x: x + 1, "x", num_parallel_workers=1, python_multiprocessing=False).batch(4), 2, 4)
        passes(plain().rename("x", "z").project(["z"]).batch(3), 2, 5)
        passes(generated().batch(2), 2, 4)
        passes(plain(4).repeat(-1), 1, 1)
        passes(plain(4).repeat(-1), 2, 6)
        passes(set_below(3).batch(4), 2)
        passes(zipped(3), 1)
        set_below(3).batch(4).get_init_step()
        zipped(3).get_init_step()
        plain().get_init_step()
        set_below(3).get_dataset_size()
        continues(shuffled, 4)
        continues(shuffled, 10)
        continues(shuffled, 23)
        continues(lambda: shuffled().batch(4), 4)
        continues(lambda: plain().shuffle(4).batch(3), 6)
        continues(lambda: plain().shuffle(4).repeat(2).batch(3), 9)
        calls(3, True)
        calls(3, False)
        trained(3)
        trained(3, 2)
        trained(3, 1, 3)
        trained(3, 1, 4)
        trained(3, 2, 8)
        trained(3, 2, 4)
        rows_of(trained(3, 1, 3, shuffle=True)) == rows_of(trained(3, shuffle=True))[3:]
        rows_of(trained(3, 1, 4, shuffle=True)) == rows_of(trained(3, shuffle=True))[4:]
        saved(["epoch_num", "step_num"], 1, 2)
        saved(["epoch_num", "step_num"], 2, 3, 1)
        saved(["epoch_num", "step_num"], 2, 3, 1, 4)
        saved(["step_num"], 4, 3)
        saved(["epoch_num", "step_num", {"epoch_num": 7, "step_num": 100}], 2, 2)
        saved([{"step_num": 100}], 2, 2)
    """),
    *each(
        """
        passes(plain(), 3, 30)
        passes(plain().batch(4), 3, 9)
        passes(plain(), 3, -1)
        """,
        raises=RuntimeError,
        says="Cannot reset the pipeline",
    ),
    *each(
        """
        trained(3, 0, 4)
        trained(3, 2, 9)
        """,
        raises=RuntimeError,
        says="",
    ),
    Case("not_taken()"),
]
