"""Sinks: how often callbacks are called and with which numbers, what they print and save, and what is refused."""

import contextlib
import io
import re
import tempfile
import warnings
from pathlib import Path
from unittest import mock

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, train
from mindspore import dataset as ds

from tests.oracle.case import Case, each
from tests.oracle.cases._device import device


def numbers(count: int = 8) -> ds.NumpySlicesDataset:
    """The numbers 0, 1, 2 …, a batch each, and labels of 0."""
    rows = np.arange(count, dtype=np.float32)[:, None]
    return ds.NumpySlicesDataset((rows, np.zeros_like(rows)), ["x", "y"], shuffle=False).batch(1)


class Scale(nn.Cell):
    """Multiplies by a weight of 1, and keeps in which mode it was called."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = ms.Parameter(Tensor([1.0], ms.float32), name="weight")
        self.modes: list[bool] = []

    def construct(self, x: Tensor) -> Tensor:
        self.modes.append(self.training)
        return x * self.weight


class First(nn.Cell):
    """Gives the prediction as loss: the number of the batch, unless a weight has changed."""

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return (x + y).mean()


def model(rate: float = 0.0, **options: object) -> train.Model:
    network = Scale()
    return train.Model(network, First(), nn.SGD(network.trainable_params(), rate), **options)


class Numbers(train.Callback):
    """Notes what it is told at each of its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def note(self, name: str, run_context: train.RunContext) -> None:
        told = run_context.original_args()
        names = ("cur_epoch_num", "cur_step_num", "batch_num", "epoch_num", "sink_size", "dataset_sink_mode", "mode")
        values = [str(told.get(one)) for one in names]
        kinds = [type(told.get(one)).__name__ for one in ("train_dataset_element", "eval_dataset_element")]
        result = told.get("net_outputs")
        result = result if not isinstance(result, tuple) else result[0]
        loss = "-" if result is None else f"{float(result.asnumpy().mean()):.1f}"
        has_helper = "helper" if "dataset_helper" in told else "none"
        is_plain = "plain" if told.get("train_network") is told.get("network") else "wrapped"
        self.seen.append(" ".join([name, *values, *kinds, loss, has_helper, is_plain, str("metrics" in told)]))


def _noting(name: str) -> object:
    return lambda self, run_context: self.note(name, run_context)


for _phase in ("train", "eval"):
    for _hook in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"):
        setattr(Numbers, f"on_{_phase}_{_hook}", _noting(f"{_phase}_{_hook}"))


def told(mode: str, epochs: int, count: int, **options: object) -> list[str]:
    """What callbacks are told by `train`."""
    callback = Numbers()
    with device(mode):
        model().train(epochs, numbers(count), callback, dataset_sink_mode=True, **options)
    return callback.seen


def told_by_fit(mode: str, sinks: bool, **options: object) -> list[str]:
    callback = Numbers()
    with device(mode):
        model(metrics={"mse"}).fit(
            2,
            numbers(4),
            numbers(2),
            callbacks=callback,
            dataset_sink_mode=True,
            valid_dataset_sink_mode=sinks,
            **options,
        )
    return callback.seen


def told_by_eval(mode: str) -> tuple:
    callback = Numbers()
    with device(mode):
        result = model(metrics={"mse", "mae"}).eval(numbers(3), callback, dataset_sink_mode=True)
    return callback.seen, sorted(result.items())


def stopped(mode: str, hook: str) -> list[str]:
    """A callback asks for a stop in the first epoch."""
    callback = Numbers()
    stop = train.LambdaCallback(**{hook: lambda run_context: run_context.request_stop()})
    with device(mode):
        model(metrics={"mse"}).fit(3, numbers(4), numbers(2), callbacks=[stop, callback], dataset_sink_mode=True)
    return [line.partition(" ")[0] for line in callback.seen]


def printed(mode: str, epochs: int, count: int, *callbacks: object, fits: bool = False, **options: object) -> list[str]:
    """Lines printed by callbacks, with times hidden."""
    with device(mode), contextlib.redirect_stdout(io.StringIO()) as text:
        if fits:
            trained = model(0.1, metrics={"mse"})
            trained.fit(epochs, numbers(count), numbers(2), callbacks=[*callbacks], dataset_sink_mode=True, **options)
        else:
            model().train(epochs, numbers(count), [*callbacks], dataset_sink_mode=True, **options)
    hidden = re.sub(r"\d+\.\d{3} ms", "T ms", text.getvalue())
    return re.sub(r"(': )([0-9.e-]+)", lambda found: f"{found[1]}{float(found[2]):.4f}", hidden).splitlines()


def saved(mode: str, epochs: int, count: int, sink_size: int, **config: object) -> list[str]:
    """Names of the files that ModelCheckpoint leaves."""
    with tempfile.TemporaryDirectory() as folder, device(mode):
        checkpoint = train.ModelCheckpoint("p", folder, train.CheckpointConfig(**config))
        model().train(epochs, numbers(count), checkpoint, dataset_sink_mode=True, sink_size=sink_size)
        return sorted(path.name for path in Path(folder).glob("*.ckpt"))


def saved_in_trouble(mode: str, sink_size: int) -> list[str]:
    """Names of the files that are left where the sixth step fails."""

    class Fails(Scale):
        def construct(self, x: Tensor) -> Tensor:
            if len(self.modes) == 5:
                raise ZeroDivisionError("in the sixth step")
            return super().construct(x)

    network = Fails()
    trained = train.Model(network, First(), nn.SGD(network.trainable_params(), 0.1))
    config = train.CheckpointConfig(save_checkpoint_steps=100, exception_save=True)
    with tempfile.TemporaryDirectory() as folder, device(mode):
        checkpoint = train.ModelCheckpoint("p", folder, config)
        with contextlib.suppress(ZeroDivisionError):
            trained.train(3, numbers(8), callbacks=checkpoint, dataset_sink_mode=True, sink_size=sink_size)
        return sorted(path.name for path in Path(folder).glob("*.ckpt"))


def scheduled(mode: str) -> list[int]:
    """The steps at which LearningRateScheduler asks for a rate."""
    steps: list[int] = []

    def rate(lr: float, step: int) -> float:
        steps.append(int(step))
        return lr

    with device(mode):
        model().train(2, numbers(4), train.LearningRateScheduler(rate), dataset_sink_mode=True, sink_size=2)
    return steps


def history(mode: str) -> tuple:
    callback = train.History()
    with device(mode):
        trained = model(metrics={"mse"})
        trained.fit(2, numbers(4), numbers(2), callbacks=callback, dataset_sink_mode=True, sink_size=3)
    outputs = [float(np.mean(one)) for one in callback.history["net_output"]]
    return callback.epoch, sorted(callback.history), outputs


def modes(mode: str) -> list[bool]:
    """The mode of the network in each call, where scripts set another between runs."""
    with device(mode):
        trained = model(metrics={"mse"})
        for _ in range(2):
            trained.train(1, numbers(2), dataset_sink_mode=True)
            trained._network.set_train(False)
        for _ in range(2):
            trained.eval(numbers(1), dataset_sink_mode=True)
            trained._network.set_train()
        trained.predict(Tensor([[1.0]], ms.float32))
        return trained._network.modes


def helper(mode: str, count: int, loop_size: int | None = None, **options: object) -> tuple:
    """What a DatasetHelper with a sink yields and says, twice."""
    dataset = numbers(count)
    if loop_size is not None:
        dataset.__loop_size__ = loop_size
    with device(mode):
        found = train.DatasetHelper(dataset, True, **options)
        yielded = [[type(inputs).__name__ + str(len(inputs)) for inputs in found] for _ in range(2)]
        first = next(iter(found))
        types, shapes = found.types_shapes()
        own = found.iter
        return (
            yielded,
            first,
            found.sink_size(),
            own.sink_count,
            own.dataset is dataset,
            [str(one) for one in types],
            shapes,
        )


def summarized(mode: str, epochs: int, sink_size: int, **options: object) -> list[int]:
    """The steps at which SummaryCollector records."""
    steps = set()
    note = mock.patch.object(train.SummaryRecord, "record", lambda self, step, *_, **__: steps.add(int(step)))
    with tempfile.TemporaryDirectory() as folder, device(mode), note:
        collector = train.SummaryCollector(folder, **options)
        model().train(epochs, numbers(4), collector, dataset_sink_mode=True, sink_size=sink_size)
    return sorted(steps - {0})  # which MindSpore needs to end


def rounded(mode: str, step: int, sink_size: int) -> int:
    """Where the initial step of a dataset is after a sink was made for it."""
    dataset = numbers(8)
    dataset.set_init_step(step)
    with device(mode), warnings.catch_warnings(action="ignore"):  # MindSpore's log tells it
        train.DatasetHelper(dataset, True, sink_size)
    return dataset.get_init_step()


def built(*datasets: object, metrics: set[str] | None = None, **options: object) -> None:
    with device():
        model(metrics=metrics).build(*datasets, **options)


def unsunk(**options: object) -> list[str]:
    """What callbacks are told on the CPU, where a sink is asked for."""
    callback = Numbers()
    model().train(1, numbers(2), callback, dataset_sink_mode=True, **options)
    model(metrics={"mse"}).fit(1, numbers(2), numbers(1), callbacks=callback, valid_dataset_sink_mode=True)
    return callback.seen


LOSS = "train.LossMonitor"
CASES = [
    *each(f"""
        told("graph", 2, 8)
        told("graph", 3, 8, sink_size=4)
        told("graph", 3, 5, sink_size=3)
        told("graph", 2, 2, sink_size=3)
        told("graph", 3, 4, initial_epoch=1)
        told("pynative", 2, 3)
        told("pynative", 2, 3, sink_size=2)
        told_by_fit("graph", True)
        told_by_fit("graph", False)
        told_by_fit("graph", True, sink_size=2, valid_frequency=2)
        told_by_fit("graph", True, sink_size=2, valid_frequency=[1])
        told_by_fit("pynative", True)
        told_by_eval("graph")
        told_by_eval("pynative")
        stopped("graph", "on_train_step_end")
        stopped("graph", "on_train_epoch_end")
        stopped("pynative", "on_train_step_end")
        stopped("pynative", "on_train_epoch_begin")
        unsunk()
        unsunk(sink_size=3)
        printed("graph", 3, 8, {LOSS}(), sink_size=4)
        printed("graph", 3, 8, {LOSS}(2), sink_size=4)
        printed("graph", 3, 8, {LOSS}(6), sink_size=4)
        printed("graph", 3, 8, {LOSS}(0), sink_size=4)
        printed("graph", 2, 4, {LOSS}(), train.TimeMonitor())
        printed("graph", 2, 4, train.TimeMonitor(3), {LOSS}(), sink_size=6)
        printed("pynative", 2, 4, {LOSS}(2), train.TimeMonitor(), sink_size=3)
        printed("graph", 2, 4, {LOSS}(), train.TimeMonitor(), fits=True, sink_size=2)
        printed("graph", 2, 4, {LOSS}(), fits=True, valid_dataset_sink_mode=True)
        printed("pynative", 2, 4, {LOSS}(3), fits=True, valid_dataset_sink_mode=True)
        printed("graph", 4, 2, train.EarlyStopping("mse", patience=2, mode="max", verbose=True), {LOSS}(), fits=True)
        printed("graph", 4, 2, train.ReduceLROnPlateau("mse", 0.5, 2, True, "max"), {LOSS}(), fits=True)
        printed("graph", 3, 2, train.ReduceLROnPlateau("loss", 0.5, 1, True), fits=True, sink_size=4)
        saved("graph", 3, 8, 4, save_checkpoint_steps=4)
        saved("graph", 3, 8, 4, save_checkpoint_steps=1)
        saved("graph", 3, 8, 4, save_checkpoint_steps=6)
        saved("graph", 5, 8, 4, save_checkpoint_steps=8)
        saved("graph", 3, 8, 4, save_checkpoint_steps=100)
        saved("graph", 5, 4, -1, save_checkpoint_steps=4, keep_checkpoint_max=2)
        saved("pynative", 2, 8, 4, save_checkpoint_steps=3)
        scheduled("graph")
        scheduled("pynative")
        history("graph")
        history("pynative")
        modes("graph")
        modes("pynative")
        helper("graph", 5)
        helper("graph", 5, sink_size=3, epoch_num=2)
        helper("graph", 6, 2)
        helper("graph", 6, 12)
        helper("graph", 6, 2, sink_size=3)
        helper("pynative", 5)
        helper("pynative", 5, sink_size=3)
        helper("pynative", 6, 2)
        helper("pynative", 6, 2, sink_size=4)
        summarized("graph", 5, 4, collect_freq=2)
        summarized("graph", 5, 4, collect_freq=3)
        summarized("graph", 30, 2)
        summarized("pynative", 4, 4, collect_freq=2)
        rounded("graph", 5, 2), rounded("graph", 4, 2), rounded("graph", 7, 8)
    """),
    *each("helper('graph', 5, 2); helper('pynative', 5, 2)".replace("; ", "\n"), raises=ValueError, says="5"),
    *each(
        """
        built(numbers(), epoch=0)
        built()
    """,
        raises=ValueError,
    ),
    *each(
        """
        built(numbers(), epoch=1.5)
        built([1])
        built(None, [1], metrics={"mse"})
    """,
        raises=TypeError,
    ),
    Case("built(None, numbers())", raises=RuntimeError, says="metric"),
    Case("model().build(numbers())", raises=RuntimeError, says="Ascend"),
    Case('saved_in_trouble("graph", 4)'),  # the last one: after an error MindSpore miscounts the steps of other runs
]
