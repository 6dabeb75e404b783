"""The loops that Model runs: training step by step or in sinks, and evaluation.

    Model.train ─► Training.run_steps            for each epoch, for each batch of the DatasetHelper:
                                                     on_train_step_begin ─► network(*batch) ─► on_train_step_end
                   Training.run_sinks            the same, but a call of the network is a sink, or a step of one
                                                 (PyNative mode); the batches are on the device already
    Model.eval  ─► Evaluation.run                for each batch: network, then the metrics

A run has its own state: what callbacks see (`params`), the mode that the model's networks are in (`Phase`), the
modes that graphs were compiled with (`CompiledModes`), where it begins (`Start`), and the loss scale manager. Of the
Model it knows only the `RunStages`: the few methods of MindSpore's names that subclasses in public code override, such
as `_exec_preprocess`. `stages` adapts Model to them.

Nothing in a loop reads a value of the device: the loss is read when a callback prints it, an overflow when a loss scale
manager of a script's asks. `tests/test_frames.py` counts the frames of a step.
"""

import contextlib
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from msbridge.core.runtime import observers
from msbridge.core.runtime.callback import RunContext
from msbridge.core.runtime.device_to_host import link
from msbridge.core.tensor.tensor import Tensor
from msbridge.device import ascend
from msbridge.nn.cell.cell import Cell
from msbridge.train.callbacks.callback import CallbackManager
from msbridge.train.data_sink import (
    Calls,
    DatasetHelper,
    SinkSize,
    SunkNetwork,
    connect_network_with_dataset,
    plan_evaluation,
    plan_sinks,
)
from msbridge.train.loop.compiled_modes import CompiledModes
from msbridge.train.loop.resuming import Start, start_of
from msbridge.train.loss_scale_managers import DynamicLossScaleManager, LossScaleManager
from msbridge.train.metrics import Loss, Metric

__all__ = ["Evaluation", "Phase", "RunStages", "Training", "Validation", "update_metrics"]


class Phase:
    """Whether a model set its networks to training or to inference last."""

    def __init__(self) -> None:
        self._is_train: bool | None = None

    def set(self, network: Cell, is_train: bool) -> None:
        """Set a network and all below it to training or inference."""
        network.set_train(is_train)
        self._is_train = is_train

    def switch(self, network: Cell, is_train: bool) -> None:
        """Set a network and all below it to training or inference, if the model did not do so last."""
        if self._is_train is not is_train:
            self.set(network, is_train)


class RunStages(Protocol):
    """The stages of a run by MindSpore's own names, which subclasses of Model override."""

    def _exec_preprocess(
        self, is_train: bool, dataset: Any, dataset_sink_mode: bool, sink_size: SinkSize = -1, epoch_num: int = 1
    ) -> tuple[DatasetHelper, Any]: ...

    def _check_network_mode(self, network: Cell, is_train: bool) -> Cell: ...

    def _eval_during_train(self, valid_infos: Any, cb_params: Any, list_callback: CallbackManager) -> None: ...

    def _flush_from_cache(self, cb_params: Any) -> None: ...

    def _update_metrics(self, outputs: Any) -> None: ...

    def _get_metrics(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One run of evaluation.

    Attributes:
        stages: what the run goes through, by MindSpore's own names.
        params: what callbacks see of the run.
        hooks: the callbacks.
        phase: the mode that the model's networks are in.
        network: the network of a step.
        indexes: which of its outputs are the loss, the prediction and the label; None hands all to the metrics.
    """

    stages: RunStages
    params: Any
    hooks: CallbackManager
    phase: Phase
    network: Cell
    indexes: list[int] | None

    def run(self, sinks: bool, adds_loss: bool) -> dict[str, Any]:
        """Evaluate the network on `params.valid_dataset`, and return the metrics by name.

        Args:
            sinks: the data is sunk: the batches go to the network only.
            adds_loss: report the loss of the last batch to callbacks, too.
        """
        stages, params = self.stages, self.params
        params.dataset_sink_mode = sinks
        if not sinks:
            helper, network = stages._exec_preprocess(
                is_train=False, dataset=params.valid_dataset, dataset_sink_mode=False
            )
            return self._run(functools.partial(_step, _in_precision(network)), helper, adds_loss)
        calls = Calls(params.valid_dataset, plan_evaluation(params.valid_dataset), 1)
        sunk = params.eval_network = SunkNetwork(self.network, calls)
        try:
            return self._run(sunk, calls, adds_loss)
        finally:
            calls.release()

    def _run(self, step: Callable[..., Any], batches: Iterable[Sequence[Any]], adds_loss: bool) -> dict[str, Any]:
        stages, params, hooks = self.stages, self.params, self.hooks
        run_context = RunContext(params)
        hooks.call("on_eval_begin", run_context)
        self.phase.set(params.eval_network, False)
        hooks.call("on_eval_epoch_begin", run_context)
        for batch in batches:
            params.cur_step_num += 1
            params.eval_dataset_element = batch
            hooks.call("on_eval_step_begin", run_context)
            stages._check_network_mode(params.eval_network, False)
            outputs = params.net_outputs = step(*batch)
            hooks.call("on_eval_step_end", run_context)
            stages._update_metrics(outputs)
            if run_context._is_stop_requested:
                break
        hooks.call("on_eval_epoch_end", run_context)
        results: dict[str, Any] = stages._get_metrics()
        params.metrics = results
        if adds_loss:
            params.eval_results = results | _loss_of(params.net_outputs, self.indexes)
        hooks.call("on_eval_end", run_context)
        return results


def _loss_of(outputs: Any, indexes: list[int] | None) -> dict[str, float]:
    """Return the loss of the last batch, under the name by which callbacks monitor it."""
    index = 0 if indexes is None else indexes[0]
    loss = outputs if isinstance(outputs, Tensor) else outputs[index]
    return {} if index == -1 or not isinstance(loss, Tensor) else {"eval_loss": float(np.mean(loss.asnumpy()))}


def update_metrics(metrics: Mapping[str, Metric], indexes: list[int] | None, outputs: Any) -> None:
    """Add the outputs of a step of evaluation to metrics.

    Args:
        metrics: by name.
        indexes: which of the outputs are the loss, the prediction and the label; None hands all to the metrics.
        outputs: what the network returned.

    Raises:
        ValueError: they are neither Tensor nor tuple, or fewer than the indexes speak of.
    """
    outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
    if not isinstance(outputs, tuple | list):
        raise ValueError(f"The 'outputs' of the eval network must be a Tensor or tuple, got {type(outputs).__name__}.")
    if indexes is not None and len(outputs) < 3:
        raise ValueError(f"The length of 'outputs' must be >= 3 when there are eval_indexes, got {len(outputs)}.")
    for metric in metrics.values():
        if indexes is None:
            metric.update(*(outputs[:1] if isinstance(metric, Loss) else outputs))
        elif isinstance(metric, Loss):
            metric.update(outputs[indexes[0]])
        else:
            metric.update(outputs[indexes[1]], outputs[indexes[2]])


class Validation(NamedTuple):
    """The validation of `fit`: on which data, after which epochs, and whether that data is sunk."""

    dataset: Any = None
    frequency: int | list[int] = 1
    sinks: bool = False


@dataclass(frozen=True, slots=True)
class Training:
    """One run of training.

    Attributes:
        stages: what the run goes through, by MindSpore's own names.
        params: what callbacks see of the run; the network is its `train_network`.
        hooks: the callbacks.
        validation: what is evaluated after epochs.
        phase: the mode that the model's networks are in.
        loss_scale_manager: is notified after each step whether it overflowed.
    """

    stages: RunStages
    params: Any
    hooks: CallbackManager
    validation: Validation | None
    phase: Phase
    loss_scale_manager: LossScaleManager | None

    def run_steps(self, epochs: range, dataset: Any) -> None:
        """Train with one call of the network for each batch."""
        stages, params, hooks = self.stages, self.params, self.hooks
        helper, network = stages._exec_preprocess(
            is_train=True, dataset=dataset, dataset_sink_mode=False, epoch_num=epochs.stop - 1
        )
        run_context = RunContext(params)
        start = self._start(dataset, epochs, dataset.get_dataset_size())
        self.phase.set(network, True)
        hooks.call("on_train_begin", run_context)
        _begin(start, helper)
        modes = CompiledModes(network)
        for epoch in epochs:
            params.cur_epoch_num = epoch
            hooks.call("on_train_epoch_begin", run_context)
            step = _in_precision(network)
            for batch in helper:
                self._check_columns(batch)
                params["cur_step_num"] += 1  # as an item: an attribute takes ten times as long
                params["train_dataset_element"] = batch
                hooks.call("on_train_step_begin", run_context)
                stages._check_network_mode(network, True)
                with modes.preserve_modes():
                    outputs = params.net_outputs = _step(step, *batch)
                self._update_loss_scale(outputs)
                hooks.call("on_train_step_end", run_context)
                if run_context._is_stop_requested:
                    break
            self._end_epoch(run_context)
            if run_context._is_stop_requested:
                break
        hooks.call("on_train_end", run_context)

    def run_sinks(self, epochs: range, dataset: Any, sink_size: SinkSize) -> None:
        """Train with one call of the network for each sink in graph mode, and for each step in PyNative mode."""
        stages, params, hooks = self.stages, self.params, self.hooks
        plan = plan_sinks(dataset, sink_size)
        helper = DatasetHelper(dataset, True, sink_size, plan.traversals(epochs.stop - 1))
        calls = helper.calls
        start = self._start(dataset, epochs, plan.epoch_steps)
        network = connect_network_with_dataset(params.train_network, helper)
        params.sink_size = calls.sink_size
        run_context = RunContext(params)
        try:
            hooks.call("on_train_begin", run_context)
            _begin(start, helper)
            for epoch in epochs:
                params.cur_epoch_num = epoch
                hooks.call("on_train_epoch_begin", run_context)
                params.update(train_network=network, dataset_helper=helper)
                self.phase.set(network, True)
                for inputs in helper:
                    params.cur_step_num += calls.next_steps
                    params.train_dataset_element = inputs
                    hooks.call("on_train_step_begin", run_context)
                    stages._check_network_mode(network, True)
                    params.net_outputs = network(*inputs)
                    if plan.waits:
                        params.sink_losses = network.losses
                    hooks.call("on_train_step_end", run_context)
                self._end_epoch(run_context)
                if run_context._is_stop_requested:
                    break
            hooks.call("on_train_end", run_context)
        finally:
            helper.release()

    def _start(self, dataset: Any, epochs: range, epoch_size: int) -> Start:
        """Return the start of the first epoch's data, and pass callbacks the seed it is drawn from."""
        start = start_of(self.params.train_network, dataset, epochs.start - 1, epoch_size)
        self.params.note_data_seed(start.data_seed)
        return start

    def _end_epoch(self, run_context: RunContext) -> None:
        self.stages._eval_during_train(self.validation, self.params, self.hooks)
        self.stages._flush_from_cache(self.params)
        self.hooks.call("on_train_epoch_end", run_context)
        self.params.pop("metrics", None)
        self.params.pop("eval_results", None)

    def _check_columns(self, batch: Sequence[Any]) -> None:
        if len(batch) != 2 and self.params.loss_fn is not None:
            raise ValueError(
                f"When 'loss_fn' is not None, 'train_dataset' should return two elements, but got {len(batch)}, please "
                "check the number of elements returned by 'train_dataset'"
            )

    def _update_loss_scale(self, outputs: Any) -> None:
        """Pass to the loss scale manager whether the step overflowed; msbridge's own one reads it later."""
        manager = self.loss_scale_manager
        if manager is None or not isinstance(outputs, tuple) or len(outputs) != 3:
            return
        if isinstance(manager, DynamicLossScaleManager):
            manager.update_loss_scale(outputs[1])
        else:
            manager.update_loss_scale(bool(outputs[1]))


def _in_precision(network: Cell) -> Callable[..., Any]:
    """Return a function that calls the network in the precision that the context asks for now."""
    if isinstance(ascend.precision(), contextlib.nullcontext):
        return network

    def call(*batch: Any) -> Any:
        with ascend.precision():
            return network(*batch)

    return call


def _step(network: Callable[..., Any], *batch: Any) -> Any:
    """Run a step on a batch from the host, outside of any sink."""
    if observers.active:
        link.begin_step()
    outputs = network(*batch)
    link.count_step()
    return outputs


def _begin(start: Start, helper: DatasetHelper) -> None:
    """Begin with the data and the random numbers where a run begins."""
    if start.state is not None:
        start.state.restore()
    helper.begin_at(start)
