"""The stages of a Model's runs by MindSpore's own names: public subclasses replace and call them.

Follows: the protected methods of mindspore.train.Model (2.10).
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

from msbridge.distributed import _get_device_num, _get_parallel_mode
from msbridge.nn.cell import Cell
from msbridge.train.callbacks.callback import CallbackManager, as_callbacks
from msbridge.train.loops import Evaluation, Phase, Training, Validation
from msbridge.train.loss_scale import LossScaleManager
from msbridge.train.metrics import Metric
from msbridge.train.sinking import DatasetHelper
from msbridge.train.sinking.plan import SinkSize

__all__ = ["Stages"]


class Stages:
    """What a Model is made of, and what its runs go through; Model has the public methods."""

    _network: Cell
    _train_network: Cell
    _evaluation: Evaluation | None
    _phase: Phase
    _loss_scale_manager: LossScaleManager | None

    @property
    def _eval_network(self) -> Any:
        return None if self._evaluation is None else self._evaluation.network

    @_eval_network.setter
    def _eval_network(self, network: Cell) -> None:
        if self._evaluation is not None:
            self._evaluation = dataclasses.replace(self._evaluation, network=network)

    @property
    def _eval_indexes(self) -> list[int] | None:
        return None if self._evaluation is None else self._evaluation.indexes

    @property
    def _metric_fns(self) -> Mapping[str, Metric]:
        return {} if self._evaluation is None else self._evaluation.metrics

    @property
    def _parallel_mode(self) -> str:
        return _get_parallel_mode()

    @property
    def _device_number(self) -> int:
        return _get_device_num()

    def _transform_callbacks(self, callbacks: Any) -> list[Any]:
        return as_callbacks(callbacks)

    def _exec_preprocess(
        self,
        is_train: bool,
        dataset: Any,
        dataset_sink_mode: bool,
        sink_size: SinkSize = -1,
        epoch_num: int = 1,
        dataset_helper: DatasetHelper | None = None,
    ) -> tuple[DatasetHelper, Any]:
        """Return what iterates over a dataset, and the network of a step."""
        network = self._train_network if is_train else self._eval_network
        if dataset_helper is None:
            dataset_helper = DatasetHelper(dataset, dataset_sink_mode, sink_size, epoch_num)
        return dataset_helper, network

    def _check_network_mode(self, network: Cell, is_train: bool) -> None:
        """Set a network to training or to inference."""
        self._phase.switch(network, is_train)

    def _flush_from_cache(self, cb_params: Any) -> None:
        """Do nothing: no Parameter is kept in a cache of a server."""

    def _train_process(
        self,
        epoch: int,
        train_dataset: Any,
        list_callback: CallbackManager,
        cb_params: Any,
        initial_epoch: int = 0,
        valid_infos: Validation | None = None,
    ) -> None:
        """Train without a sink."""
        training = Training(cb_params, list_callback, self._phase, self._loss_scale_manager, valid_infos)
        training.run_steps(range(initial_epoch + 1, epoch + 1), train_dataset)

    def _train_dataset_sink_process(
        self,
        epoch: int,
        train_dataset: Any,
        list_callback: CallbackManager,
        cb_params: Any,
        sink_size: SinkSize = -1,
        initial_epoch: int = 0,
        valid_infos: Validation | None = None,
    ) -> None:
        """Train with a sink."""
        training = Training(cb_params, list_callback, self._phase, self._loss_scale_manager, valid_infos)
        training.run_sinks(range(initial_epoch + 1, epoch + 1), train_dataset, sink_size)

    def _eval_during_train(
        self, valid_infos: Validation | None, cb_params: Any, list_callback: CallbackManager
    ) -> None:
        """Evaluate, if `fit` is to do so after this epoch."""
        if valid_infos is not None and valid_infos.is_due(cb_params.cur_epoch_num):
            valid_infos.run(cb_params, list_callback)

    def _eval_process(self, valid_dataset: Any, list_callback: CallbackManager, cb_params: Any) -> dict[str, Any]:
        """Evaluate without a sink, and return the metrics by name."""
        return {} if self._evaluation is None else self._evaluation.run(cb_params, list_callback, False)

    def _clear_metrics(self) -> None:
        """Reset the metrics."""
        for metric in self._metric_fns.values():
            metric.clear()

    def _update_metrics(self, outputs: Any) -> None:
        """Add the outputs of a step of evaluation to the metrics."""
        if self._evaluation is not None:
            self._evaluation.update_metrics(outputs)

    def _get_metrics(self) -> dict[str, Any]:
        """Return the metrics by name."""
        return {name: metric.eval() for name, metric in self._metric_fns.items()}
