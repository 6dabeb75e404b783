"""Callbacks of map: when they are called, and how they keep step with training. Judge: MindSpore 2.10."""

from typing import Any

import numpy as np
import pytest

import msbridge as ms
import msbridge.dataset as ds
from msbridge import nn
from tests.dataset.pipelines import column, counting


class Told(ds.DSCallback):
    def __init__(self, step_size: int = 1) -> None:
        super().__init__(step_size)
        self.events: list[tuple[Any, ...]] = []

    def _note(self, name: str, told: Any) -> None:
        self.events.append((name, told.cur_epoch_num, told.cur_step_num_in_epoch, told.cur_step_num))

    def ds_begin(self, ds_run_context: Any) -> None:
        self._note("begin", ds_run_context)

    def ds_epoch_begin(self, ds_run_context: Any) -> None:
        self._note("epoch begin", ds_run_context)

    def ds_epoch_end(self, ds_run_context: Any) -> None:
        self._note("epoch end", ds_run_context)

    def ds_step_begin(self, ds_run_context: Any) -> None:
        self._note("step begin", ds_run_context)

    def ds_step_end(self, ds_run_context: Any) -> None:
        self._note("step end", ds_run_context)


def events_of(told: Told, rows: int = 3, epochs: int = 2, repeat: int = 1) -> list[tuple[Any, ...]]:
    iterator = counting(rows).map(lambda a: a, "a", callbacks=told).repeat(repeat).create_dict_iterator(epochs)
    for _ in range(epochs):
        list(iterator)
    return told.events


def test_callbacks_hear_of_epochs_and_steps() -> None:
    assert events_of(Told(2)) == [
        ("begin", 0, 0, 0),
        ("epoch begin", 1, 0, 0),
        *(("step begin", 1, 1, 1), ("step end", 1, 1, 1), ("step begin", 1, 3, 3), ("step end", 1, 3, 3)),
        ("epoch end", 1, 3, 3),
        ("epoch begin", 2, 0, 3),
        *(("step begin", 2, 1, 4), ("step end", 2, 1, 4), ("step begin", 2, 3, 6), ("step end", 2, 3, 6)),
        ("epoch end", 2, 3, 6),
    ]


def test_repetitions_are_one_epoch() -> None:
    events = events_of(Told(), rows=2, epochs=1, repeat=2)
    assert [event for event in events if event[0].startswith("epoch")] == [
        ("epoch begin", 1, 0, 0),
        ("epoch end", 1, 4, 4),
    ]


def test_a_callback_that_fails_ends_the_pipeline() -> None:
    class Failing(ds.DSCallback):
        def ds_step_begin(self, ds_run_context: Any) -> None:
            raise ValueError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        column(counting(2).map(lambda a: a, "a", callbacks=[Failing()]))


def test_callbacks_are_checked() -> None:
    with pytest.raises(TypeError, match=r"callbacks\[0\]"):
        counting(2).map(lambda a: a, "a", callbacks=[1])
    with pytest.raises(AttributeError, match="none of a callback's methods"):
        counting(2).map(lambda a: a, "a", callbacks=ds.WaitedDSCallback())
    with pytest.raises(ValueError, match="step_size"):
        ds.DSCallback(0)


def test_the_pipeline_waits_for_the_training_step_before() -> None:
    events: list[str] = []

    class Waiting(ds.WaitedDSCallback):
        def sync_epoch_begin(self, train_run_context: Any, ds_run_context: Any) -> None:
            events.append(f"data epoch {ds_run_context.cur_epoch_num} {ds_run_context.cur_step_num}")

        def sync_step_begin(self, train_run_context: Any, ds_run_context: Any) -> None:
            trained = train_run_context.original_args().cur_step_num
            events.append(f"data step {ds_run_context.cur_step_num} after {trained}")

    class Training(ms.Callback):
        def step_end(self, run_context: Any) -> None:
            events.append(f"step {run_context.original_args().cur_step_num}")

        def epoch_end(self, run_context: Any) -> None:
            events.append(f"epoch {run_context.original_args().cur_epoch_num}")

    class Net(nn.Cell):
        def construct(self, a: ms.Tensor, b: ms.Tensor) -> ms.Tensor:
            return a

    waiting = Waiting()
    data = ds.NumpySlicesDataset((np.arange(2.0), np.arange(2.0)), ["a", "b"], shuffle=False)
    data = data.map(lambda a: a, "a", callbacks=waiting)
    ms.Model(Net()).train(2, data, callbacks=[Training(), waiting], dataset_sink_mode=False)
    assert events == [
        *("step 1", "data step 2 after 1", "step 2", "epoch 1"),
        *("data epoch 2 2", "data step 3 after 2", "step 3", "data step 4 after 3", "step 4", "epoch 2"),
    ]


def test_waiting_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Waiting(ds.WaitedDSCallback):
        def sync_step_begin(self, train_run_context: Any, ds_run_context: Any) -> None:
            """Never called."""

    monkeypatch.setattr(ds.config, "get_callback_timeout", lambda: 0.05)
    with pytest.raises(RuntimeError, match="timed out after"):
        column(counting(2).map(lambda a: a, "a", callbacks=Waiting()))
