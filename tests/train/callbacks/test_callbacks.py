"""Callbacks. Judge: MindSpore 2.10 on CPU (lines and orders recorded there), except where a test says otherwise."""

import re
import time

import numpy as np
import pytest

from msbridge import nn
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases import release
from msbridge.core.tensor.tensor import Tensor
from msbridge.dataset import NumpySlicesDataset
from msbridge.device import ledger
from msbridge.train import (
    Callback,
    EarlyStopping,
    History,
    LambdaCallback,
    LearningRateScheduler,
    LossMonitor,
    Model,
    ReduceLROnPlateau,
    RunContext,
    TimeMonitor,
)
from msbridge.train.callbacks import InternalCallbackParam
from tests.train.helpers_model import data, dense, model, momentum

HOOKS = [
    f"on_{phase}_{moment}"
    for phase in ("train", "eval")
    for moment in ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end")
]


class Journal(Callback):
    """Notes each call of the names of 2.x."""

    def __init__(self):
        self.calls = []


for hook in HOOKS:
    setattr(Journal, hook, lambda self, run_context, hook=hook: self.calls.append(hook.removeprefix("on_")))


class Old(Callback):
    """Notes each call of the names of 1.x."""

    def __init__(self):
        self.calls = []

    def begin(self, run_context):
        self.calls.append("begin")

    def epoch_begin(self, run_context):
        self.calls.append(f"epoch_begin {run_context.original_args().cur_epoch_num}")

    def epoch_end(self, run_context):
        self.calls.append(f"epoch_end {run_context.original_args().cur_epoch_num}")

    def step_begin(self, run_context):
        self.calls.append(f"step_begin {run_context.original_args().cur_step_num}")

    def step_end(self, run_context):
        self.calls.append(f"step_end {run_context.original_args().cur_step_num}")

    def end(self, run_context):
        self.calls.append("end")


def lines(capsys):
    return capsys.readouterr().out.splitlines()


def losses(capsys):
    return [(line.split(",")[0], float(line.split()[-1])) for line in lines(capsys)]


def test_order_of_the_names_of_1x():
    journal = Old()
    model().train(2, data(2), callbacks=journal)
    assert journal.calls == [
        "begin",
        *("epoch_begin 1", "step_begin 1", "step_end 1", "step_begin 2", "step_end 2", "epoch_end 1"),
        *("epoch_begin 2", "step_begin 3", "step_end 3", "step_begin 4", "step_end 4", "epoch_end 2"),
        "end",
    ]


def test_order_of_the_names_of_2x_in_fit():
    journal = Journal()
    model(metrics={"mse"}).fit(1, data(1), data(2), callbacks=journal)
    assert journal.calls == [
        *("train_begin", "train_epoch_begin", "train_step_begin", "train_step_end"),
        *("eval_begin", "eval_epoch_begin", "eval_step_begin", "eval_step_end"),
        *("eval_step_begin", "eval_step_end", "eval_epoch_end", "eval_end"),
        *("train_epoch_end", "train_end"),
    ]


def test_new_name_goes_before_old():
    calls = []

    class Both(Callback):
        def step_end(self, run_context):
            calls.append("old")

        def on_train_step_end(self, run_context):
            calls.append("new")

    model().train(1, data(1), callbacks=Both())
    assert calls == ["new"]


def test_old_names_are_called_in_evaluation():
    calls = []

    class Begin(Callback):
        def begin(self, run_context):
            calls.append(run_context.original_args().mode)

    model(metrics={"mse"}).eval(data(1), callbacks=Begin())
    assert calls == ["eval"]


def test_callbacks_are_entered_and_left_together():
    calls = []

    class Door(Callback):
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            calls.append(f"in {self.name}")
            return self

        def __exit__(self, *error):
            calls.append(f"out {self.name} {error[0] and error[0].__name__}")

        def on_train_end(self, run_context):
            raise KeyError("at the end")

    with pytest.raises(KeyError, match="at the end"):
        model().train(1, data(1), callbacks=[Door(1), Door(2)])
    assert calls == ["in 1", "in 2", "out 2 KeyError", "out 1 KeyError"]


def test_missing_parameter_is_both_errors():
    params = InternalCallbackParam(a=1)
    assert not hasattr(params, "b")
    with pytest.raises(KeyError):
        params.b
    params.b = 2
    assert params["b"] == 2


def test_run_context_takes_a_dict():
    with pytest.raises(TypeError, match="dict"):
        RunContext(1)


def test_loss_monitor_prints_every_step(capsys):
    model().train(2, data(2), callbacks=LossMonitor())
    found = losses(capsys)
    assert [where for where, _ in found] == [f"epoch: {epoch} step: {step}" for epoch in (1, 2) for step in (1, 2)]
    assert [loss for _, loss in found[:2]] == pytest.approx([7.365286827087402, 1.2468584775924683], rel=1e-6)


def test_loss_monitor_counts_over_epochs(capsys):
    model().train(2, data(4), callbacks=LossMonitor(3))
    assert [where for where, _ in losses(capsys)] == ["epoch: 1 step: 3", "epoch: 2 step: 2"]


def test_loss_monitor_counts_again_in_each_run(capsys):
    monitor, trained = LossMonitor(2), model()
    trained.train(1, data(3), callbacks=monitor)
    trained.train(1, data(3), callbacks=monitor)
    assert [where for where, _ in losses(capsys)] == ["epoch: 1 step: 2"] * 2


def test_loss_monitor_reads_only_what_it_prints():
    model().train(1, data(7), callbacks=LossMonitor(3))
    assert ledger.host_syncs == 2  # two lines; the losses in between lie in the memory of the CPU


@pytest.mark.parametrize("every", [0, 1, 8])
def test_loss_monitor_stops_at_the_step_of_a_nan(every):
    batches = np.ones((6, 2, 2), "f4")
    batches[3] = np.nan
    seen = []
    steps = LambdaCallback(on_train_step_end=lambda context: seen.append(context.original_args().cur_step_num))
    rows = NumpySlicesDataset((batches.reshape(12, 2), np.zeros((12, 1), "f4")), ["x", "y"], shuffle=False).batch(2)
    net = nn.Dense(2, 1)
    trained = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0))
    with pytest.raises(ValueError, match="In epoch: 1 step: 4, loss is NAN or INF"):
        trained.train(1, rows, callbacks=[steps, LossMonitor(every)], dataset_sink_mode=False)
    assert seen == [1, 2, 3, 4]


@pytest.mark.parametrize(("version", "text"), [("1.5", "7.365287"), ("1.8", "7.365286827087402")])
def test_loss_monitor_value_by_release(version, text, capsys):
    release.set_release(version)
    model().train(1, data(2), callbacks=LossMonitor())
    assert lines(capsys)[0] == f"epoch: 1 step: 1, loss is {text}"


def test_loss_monitor_prints_first_of_several_outputs_as_numpy_does(capsys):
    class Two(nn.Cell):
        def construct(self, x, y):
            loss = Tensor(np.float32(0.1))
            return loss, loss

    Model(Two()).train(1, data(1), callbacks=LossMonitor())
    assert lines(capsys) == ["epoch: 1 step: 1, loss is 0.1"]


class Reciprocal(nn.Cell):
    """Gives an infinite loss where a batch sums to 2."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0]), name="w")

    def construct(self, x):
        return Tensor(1 / (x._data.sum() - 2))


ROWS = np.array([[1.0, 0], [1, 1], [3, 0], [3, 3]], np.float32)


@pytest.mark.parametrize("every", [0, 1, 3, 10])
def test_loss_monitor_stops_at_infinity(every):
    with pytest.raises(ValueError, match="In epoch: 1 step: 2, loss is NAN or INF"):
        Model(Reciprocal()).train(1, NumpySlicesDataset(ROWS, shuffle=False), callbacks=LossMonitor(every))


def test_loss_monitor_of_old_releases_prints_infinity(capsys):
    release.set_release("1.1")
    Model(Reciprocal()).train(1, NumpySlicesDataset(ROWS, shuffle=False), callbacks=LossMonitor())
    assert lines(capsys)[1] == "epoch: 1 step: 2, loss is inf"


@pytest.mark.parametrize(("value", "error"), [(-1, ValueError), ("a", TypeError), (1.5, TypeError)])
def test_loss_monitor_bad_argument(value, error):
    with pytest.raises(error):
        LossMonitor(value)


@pytest.mark.parametrize(
    ("version", "pattern"),
    [
        ("1.0", r"Epoch time: +\d+\.\d{3}, per step time: +\d+\.\d{3}"),
        ("1.1", r"epoch time: +\d+\.\d{3} ms, per step time: +\d+\.\d{3} ms"),
        ("1.8", r"Train epoch time: +\d+\.\d{3} ms, per step time: +\d+\.\d{3} ms"),
    ],
)
def test_time_monitor_line_by_release(version, pattern, capsys):
    release.set_release(version)
    model().train(1, data(1), callbacks=TimeMonitor())
    assert re.fullmatch(pattern, lines(capsys)[0])


def test_time_monitor_measures_from_its_epoch_time(capsys):
    """Subclasses of scripts set it, and read it."""

    class Monitor(TimeMonitor):
        def epoch_begin(self, run_context):
            self.epoch_time = time.time() - 3600

    model().train(1, data(1), callbacks=Monitor())
    assert re.search(r"epoch time: 3\d{6}\.\d+ ms", capsys.readouterr().out)


def test_time_monitor_with_data_time(capsys):
    model().train(1, data(1), callbacks=TimeMonitor(data_time=True))
    assert re.search(r" ms \(data time: +\d+\.\d{3} ms\)$", lines(capsys)[0])


def test_lines_of_fit_stand_in_order(capsys):
    model(metrics={"mse"}).fit(1, data(1), data(1), callbacks=[LossMonitor(), TimeMonitor()])
    assert [line.split()[0] for line in lines(capsys)] == ["epoch:", "Eval", "Eval", "Train"]


def test_evaluation_of_fit_prints_metrics(capsys):
    model(metrics={"mse"}).fit(3, data(1), data(1), valid_frequency=2, callbacks=LossMonitor())
    found = lines(capsys)
    assert len(found) == 4
    assert found[2].startswith("Eval result: epoch 2, metrics: {'mse': ")


def test_learning_rate_scheduler(capsys):
    trained = model(momentum(0.01))
    trained.train(2, data(2), callbacks=LearningRateScheduler(lambda rate, step: rate * 0.5))
    assert trained._optimizer.learning_rate.asnumpy() == np.float32(0.000625)


def test_learning_rate_scheduler_sees_a_short_number():
    seen = []
    model(momentum(0.01)).train(
        1, data(1), callbacks=LearningRateScheduler(lambda rate, step: seen.append((rate, step)) or rate)
    )
    assert seen == [(0.01, 1)]


def test_early_stopping(capsys):
    trained = model(momentum(0.01), metrics={"loss"})
    stopping = EarlyStopping(monitor="eval_loss", patience=1, mode="max", verbose=True)
    trained.fit(6, data(2), data(1), callbacks=stopping)
    assert lines(capsys) == ["Epoch 00002: early stopping"]
    assert stopping.stopped_epoch == 2


def test_early_stopping_restores_the_best_weights(capsys):
    trained = model(momentum(0.01), metrics={"mse"})
    stopping = EarlyStopping("mse", patience=1, mode="max", verbose=True, restore_best_weights=True)
    trained.fit(6, data(2), data(1), callbacks=stopping)
    assert lines(capsys)[0] == "Restoring model weights from the end of the best epoch."
    weight = trained._network.weight.asnumpy()
    assert np.allclose(weight, [[0.7845809, 0.8729887, 0.98877734]], atol=1e-6)


def test_early_stopping_monitors_the_training_loss(capsys):
    model(momentum(0.01)).train(3, data(2), callbacks=EarlyStopping("loss", mode="max", verbose=True))
    assert lines(capsys) == ["Epoch 00001: early stopping"]


def test_value_that_is_not_there_is_warned_of_once():
    with pytest.warns(UserWarning, match="no value 'foo'") as caught:
        model(metrics={"mse"}).fit(3, data(1), data(1), callbacks=EarlyStopping("foo"))
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("name", "is_better"), [("loss", False), ("eval_loss", False), ("mse", False), ("acc", True), ("F1", True)]
)
def test_what_is_better_goes_by_the_metric(name, is_better):
    assert EarlyStopping(name).is_improvement(2.0, 1.0) == is_better


def test_reduce_lr_on_plateau(capsys):
    trained = model(momentum(0.1), metrics={"mse"})
    trained.fit(5, data(2), data(1), callbacks=ReduceLROnPlateau("mse", patience=1, mode="max", verbose=True))
    rates = ["0.010000001", "0.001", "0.000100000005", "1.0000001e-05"]
    assert lines(capsys) == [
        f"Epoch {epoch:05d}: ReduceLROnPlateau reducing learning rate to {rate}."
        for epoch, rate in zip(range(2, 6), rates, strict=True)
    ]


def test_reduce_lr_on_plateau_cools_down(capsys):
    trained = model(momentum(0.1), metrics={"mse"})
    reducing = ReduceLROnPlateau(patience=1, mode="max", verbose=True, factor=0.5, cooldown=2, min_lr=0.02)
    trained.fit(7, data(2), data(1), callbacks=reducing)
    found = [(line.split()[1], line.split()[-1]) for line in lines(capsys)]
    assert found == [("00002:", "0.05."), ("00004:", "0.025."), ("00006:", "0.02.")]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: EarlyStopping(mode="x"), ValueError, "'mode' must be one of"),
        (lambda: EarlyStopping(patience=-1), ValueError, "must >= 0"),
        (lambda: EarlyStopping(min_delta="a"), TypeError, "min_delta"),
        (lambda: EarlyStopping(monitor=1), TypeError, "monitor"),
        (lambda: EarlyStopping(verbose=1), TypeError, "bool"),
        (lambda: ReduceLROnPlateau(factor=1), TypeError, "float"),
        (lambda: ReduceLROnPlateau(factor=1.5), ValueError, "range"),
        (lambda: ReduceLROnPlateau(cooldown=-1), ValueError, "must >= 0"),
    ],
)
def test_bad_argument_of_monitoring_callbacks(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_schedule_cannot_be_lowered():
    rates = nn.Momentum(dense().trainable_params(), [0.1, 0.2], 0.9)
    network = dense()
    trained = Model(network, nn.MSELoss(), rates)
    with pytest.raises(ValueError, match="learning rate is one number"):
        trained.train(1, data(1), callbacks=ReduceLROnPlateau("loss"))


def test_history_keeps_results_of_all_epochs():
    history = History()
    model(metrics={"mse"}).fit(2, data(2), data(1), callbacks=history)
    assert history.epoch == {"epoch": [1, 2]}
    assert sorted(history.history) == ["mse", "net_output"]
    assert len(history.history["net_output"]) == 2


def test_lambda_callback():
    calls = []
    model().train(
        1,
        data(2),
        callbacks=LambdaCallback(
            on_train_begin=lambda run_context: calls.append("begin"),
            on_train_step_end=lambda run_context: calls.append(run_context.original_args().cur_step_num),
        ),
    )
    assert calls == ["begin", 1, 2]
