"""Model and callbacks: what is printed, in which order things are called, what comes back, what is refused."""

import contextlib
import io
import re

import numpy as np
from mindspore import Tensor, nn, train
from mindspore.dataset import NumpySlicesDataset

from tests.oracle.case import Case, each


def data(samples: int = 4, batch: int = 2) -> NumpySlicesDataset:
    """Rows of [i, 1, -i / 2] with the label i / 4, in order."""
    numbers = np.arange(samples, dtype=np.float32)
    rows = np.stack([numbers, np.ones_like(numbers), -numbers / 2], 1)
    labels = (numbers / 4)[:, None]
    return NumpySlicesDataset((rows, labels), ["data", "label"], shuffle=False).batch(batch)


def three_columns() -> NumpySlicesDataset:
    one = np.ones((2, 3), np.float32)
    return NumpySlicesDataset((one, one, one), ["a", "b", "c"], shuffle=False).batch(1)


def network() -> nn.Cell:
    return nn.Dense(3, 1, weight_init=0.5, bias_init="zeros")


def model(**options: object) -> train.Model:
    net = network()
    optimizer = nn.SGD(net.trainable_params(), 0.05)
    return train.Model(net, nn.MSELoss(), optimizer, **options)


def printed(action: object) -> list[str]:
    """Lines printed meanwhile, with times hidden and losses rounded to five digits."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        action()
    times_hidden = re.sub(r"\d+\.\d{3} ms|(?<=time: )\d+\.\d{3}", "T", text.getvalue())
    rounded = re.sub(r"(loss is |': )([0-9.e-]+)", lambda m: f"{m[1]}{float(m[2]):.4f}", times_hidden)
    return rounded.splitlines()


def first_line(action: object) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as text:
        action()
    return text.getvalue().splitlines()[0]


class Recorder(train.Callback):
    """Notes every call, with the counters that it sees."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def note(self, name: str, run_context: train.RunContext) -> None:
        params = run_context.original_args()
        self.calls.append(f"{name} {params.get('cur_epoch_num')} {params.get('cur_step_num')}")

    def begin(self, run_context: train.RunContext) -> None:
        self.calls.append("begin")

    def epoch_begin(self, run_context: train.RunContext) -> None:
        self.note("epoch_begin", run_context)

    def step_begin(self, run_context: train.RunContext) -> None:
        self.note("step_begin", run_context)

    def step_end(self, run_context: train.RunContext) -> None:
        self.note("step_end", run_context)

    def epoch_end(self, run_context: train.RunContext) -> None:
        self.note("epoch_end", run_context)

    def end(self, run_context: train.RunContext) -> None:
        self.calls.append("end")


class Modern(train.Callback):
    """Notes calls under the names of release 2."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def on_train_begin(self, run_context: train.RunContext) -> None:
        self.calls.append("train_begin")

    def on_train_epoch_begin(self, run_context: train.RunContext) -> None:
        self.calls.append("train_epoch_begin")

    def on_train_step_begin(self, run_context: train.RunContext) -> None:
        self.calls.append("train_step_begin")

    def on_train_step_end(self, run_context: train.RunContext) -> None:
        self.calls.append("train_step_end")

    def on_train_epoch_end(self, run_context: train.RunContext) -> None:
        self.calls.append("train_epoch_end")

    def on_train_end(self, run_context: train.RunContext) -> None:
        self.calls.append("train_end")

    def on_eval_begin(self, run_context: train.RunContext) -> None:
        self.calls.append("eval_begin")

    def on_eval_epoch_begin(self, run_context: train.RunContext) -> None:
        self.calls.append("eval_epoch_begin")

    def on_eval_step_begin(self, run_context: train.RunContext) -> None:
        self.calls.append("eval_step_begin")

    def on_eval_step_end(self, run_context: train.RunContext) -> None:
        self.calls.append("eval_step_end")

    def on_eval_epoch_end(self, run_context: train.RunContext) -> None:
        self.calls.append("eval_epoch_end")

    def on_eval_end(self, run_context: train.RunContext) -> None:
        self.calls.append("eval_end")


class Parameters(train.Callback):
    """Keeps what a step end finds in the parameters of the run."""

    def step_end(self, run_context: train.RunContext) -> None:
        p = run_context.original_args()
        self.numbers = {k: p[k] for k in ("batch_num", "epoch_num", "cur_epoch_num", "cur_step_num", "device_number")}
        self.more = {k: p[k] for k in ("mode", "dataset_sink_mode")}
        self.types = {
            k: type(p[k]).__name__ for k in ("network", "train_network", "optimizer", "loss_fn", "net_outputs")
        }
        self.element = [type(x).__name__ for x in p.train_dataset_element]
        self.attribute = (p.cur_step_num, p.batch_num)


class Stopper(train.Callback):
    def step_end(self, run_context: train.RunContext) -> None:
        if run_context.original_args().cur_step_num == 3:
            run_context.request_stop()


class OldInEval(train.Callback):
    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def begin(self, run_context: train.RunContext) -> None:
        self.calls.append("begin")

    def step_end(self, run_context: train.RunContext) -> None:
        self.calls.append("step_end")


class BothNames(train.Callback):
    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def step_end(self, run_context: train.RunContext) -> None:
        self.calls.append("old")

    def on_train_step_end(self, run_context: train.RunContext) -> None:
        self.calls.append("new")


class WithLoss(nn.Cell):
    """A network that returns its loss."""

    def __init__(self) -> None:
        super().__init__()
        self.net = network()

    def construct(self, data: Tensor, label: Tensor) -> Tensor:
        return ((self.net(data) - label) ** 2).mean()


class VectorLoss(nn.Cell):
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ((logits - labels) ** 2)[:, 0]


class NanLoss(nn.Cell):
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return (logits * float("nan")).mean()


def called(callback: train.Callback, action: object) -> list[str]:
    action(callback)
    return callback.calls


def seen(sink: bool = False) -> tuple:
    callback = Parameters()
    model().train(2, data(), callbacks=callback, dataset_sink_mode=sink)
    return callback.numbers, callback.more, callback.types, callback.element, callback.attribute


def weights_after(epochs: int = 1, **options: object) -> list[np.ndarray]:
    m = model()
    m.train(epochs, data(), **options)
    return [p.asnumpy() for p in m._network.trainable_params()]


def without_optimizer() -> tuple:
    net = network()
    lines = printed(lambda: train.Model(net, nn.MSELoss()).train(1, data(), callbacks=train.LossMonitor()))
    return lines, net.weight.asnumpy()


def without_loss() -> list[str]:
    net = WithLoss()
    m = train.Model(net, optimizer=nn.SGD(net.trainable_params(), 0.05))
    return printed(lambda: m.train(1, data(), callbacks=train.LossMonitor()))


def with_loss(loss: nn.Cell) -> list[str]:
    net = network()
    m = train.Model(net, loss, nn.SGD(net.trainable_params(), 0.05))
    return printed(lambda: m.train(1, data(), callbacks=train.LossMonitor()))


def modes() -> tuple:
    m = model(metrics={"mse"})
    returned = m.train(1, data())
    trained = m._network.training
    m.eval(data())
    return returned, trained, m._network.training


def history() -> tuple:
    callback = train.History()
    model().train(2, data(), callbacks=callback)
    return callback.epoch, sorted(callback.history)


def scheduled() -> list[float]:
    """LearningRateScheduler: the rate after each step."""
    rates = []
    m = model()

    def rate(lr: float, step: int) -> float:
        rates.append((round(float(lr), 6), int(step)))
        return lr * 0.5

    m.train(2, data(), callbacks=train.LearningRateScheduler(rate))
    return rates


def lambdas() -> list[str]:
    calls: list[str] = []
    callback = train.LambdaCallback(
        on_train_epoch_begin=lambda _: calls.append("epoch"), on_train_step_end=lambda _: calls.append("step")
    )
    model().train(2, data(), callbacks=callback)
    return calls


def stopped_early(**options: object) -> tuple:
    callback = train.EarlyStopping(**options)
    modern = Modern()
    model(metrics={"mse"}).fit(6, data(), data(), callbacks=[callback, modern])
    return modern.calls.count("train_end"), modern.calls.count("train_epoch_end")


def helper(sink: bool = False, **options: object) -> list:
    h = train.DatasetHelper(data(), dataset_sink_mode=sink, **options)
    return [(type(row).__name__, [type(x).__name__ for x in row], [x.shape for x in row]) for row in h]


LOSS = "train.LossMonitor"
CASES = [
    # printed formats
    *each(f"""
        printed(lambda: model().train(2, data(), callbacks={LOSS}()))
        printed(lambda: model().train(2, data(), callbacks=[{LOSS}(1)]))
        printed(lambda: model().train(3, data(8), callbacks={LOSS}(3)))
        printed(lambda: model().train(1, data(), callbacks=[{LOSS}(), train.TimeMonitor()]))
        printed(lambda: model().train(2, data(), callbacks=[train.TimeMonitor(data_size=2), {LOSS}(2)]))
        printed(lambda: model().train(1, data(), callbacks={LOSS}(), dataset_sink_mode=True))
        printed(lambda: model().train(3, data(), callbacks={LOSS}(), initial_epoch=2))
        printed(lambda: model(metrics={{'mse'}}).fit(2, data(), data(), callbacks={LOSS}()))
        printed(lambda: model(metrics={{'mse'}}).fit(3, data(), data(), valid_frequency=2, callbacks={LOSS}()))
        printed(lambda: model(metrics={{'mse'}}).fit(2, data(), data(), callbacks=[{LOSS}(), train.TimeMonitor()]))
        printed(lambda: model().train(1, data()))
        first_line(lambda: model().train(1, data(), callbacks={LOSS}())).startswith('epoch: 1 step: 1, loss is 0.')
        len(first_line(lambda: model().train(1, data(), callbacks={LOSS}()))) > 35
        without_optimizer()
        without_loss()
        with_loss(VectorLoss())
        with_loss(nn.L1Loss())
        train.LossMonitor()._per_print_times, train.LossMonitor(0)._per_print_times
    """),
    # order and counters
    *each("""
        called(Recorder(), lambda c: model().train(2, data(), callbacks=c))
        called(Recorder(), lambda c: model().train(2, data(), callbacks=[c], dataset_sink_mode=False))
        called(Modern(), lambda c: model().train(1, data(), callbacks=c))
        called(Modern(), lambda c: model(metrics={'mse'}).eval(data(), callbacks=c))
        called(Modern(), lambda c: model(metrics={'mse'}).fit(2, data(), data(), callbacks=c))
        called(OldInEval(), lambda c: model(metrics={'mse'}).eval(data(), callbacks=c))
        called(BothNames(), lambda c: model().train(1, data(), callbacks=c))
        called(Recorder(), lambda c: model().train(2, data(), callbacks=[Stopper(), c]))
        seen()
        history()
        scheduled()
        lambdas()
        stopped_early(monitor='mse', patience=1, mode='max')
        stopped_early(monitor='mse', patience=2, mode='min')
        stopped_early(monitor='mse', patience=0, mode='min', min_delta=10.0)
    """),
    # results
    *each("""
        weights_after()
        weights_after(3)
        weights_after(1, dataset_sink_mode=True)
        model(metrics={'mse'}).eval(data())
        sorted(model(metrics={'mse', 'mae', 'loss'}).eval(data()).items())
        sorted(model(metrics={'mse', 'mae', 'loss'}).eval(data(), dataset_sink_mode=True))
        model(metrics={'mine': train.MSE()}).eval(data())
        model().predict(Tensor([[1.0, 2.0, 3.0]]))
        type(model().train_network).__name__, type(model().predict_network).__name__
        type(model(metrics={'mse'}).eval_network).__name__
        modes()
        model(loss_scale_manager=ms.FixedLossScaleManager(8.0, False)).train(1, data())
        helper()
        train.DatasetHelper(data(), dataset_sink_mode=False).iter is not None
        train.CheckpointConfig().save_checkpoint_steps, train.CheckpointConfig().keep_checkpoint_max
        train.CheckpointConfig(5, keep_checkpoint_max=3).keep_checkpoint_max, train.CheckpointConfig().integrated_save
        ms.Model is train.Model, ms.LossMonitor is train.LossMonitor, ms.Callback is train.Callback
        train.callback.LossMonitor is train.LossMonitor, train.serialization.save_checkpoint is ms.save_checkpoint
        isinstance(train.LossMonitor(), train.Callback)
        train.RunContext({'a': 1}).original_args()['a']
        train.RunContext({'a': 1}).get_stop_requested()
    """),
    # refused
    *each(
        """
        model().train(0, data())
        model().train(-1, data())
        model().train(2, data(), initial_epoch=2)
        model().train(1, three_columns())
        model().train(1, data(), sink_size=0)
        model().train(1, data(), sink_size=-2)
        model().eval(data())
        with_loss(NanLoss())
        train.Model(network(), amp_level='O2')
        train.CheckpointConfig(0, 0, 0, 0)
        train.CheckpointConfig(-1)
        train.ModelCheckpoint('a/b')
        train.LossMonitor(-1)
        model(metrics={'mse'}).fit(1, data(), data(), callbacks=Recorder())
        train.EarlyStopping(patience=-1)
    """,
        raises=ValueError,
    ),
    *each(
        """
        model().train(1.5, data())
        model().train(1, data(), callbacks=[3])
        train.Model(1)
        model(metrics=['mse'])
        train.LossMonitor('a')
        train.CheckpointConfig('a')
        model().train(1, data(), valid_dataset=data())
        model().train(1, data(), dataset_sink_mode='a')
        model().train()
    """,
        raises=TypeError,
    ),
    Case("model(metrics={'foo'})", raises=KeyError, says="foo"),
]
