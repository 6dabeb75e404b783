"""Adapter of Model to the loops: the stages of its runs by MindSpore's own names, which public subclasses override.

The loops own the state of a run (`loops`); the private names here are what scripts read, call and replace.

Follows: the protected methods of mindspore.train.Model (2.10).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from msbridge.core.runtime.lazy_names import import_path
from msbridge.distributed import _get_device_num, _get_parallel_mode, _get_parameter_broadcast
from msbridge.nn.cell.cell import Cell
from msbridge.nn.steps.wrappers import WithEvalCell, WithLossCell
from msbridge.train import callbacks
from msbridge.train.amp import build_train_network
from msbridge.train.arguments import check_keywords, check_optimizer
from msbridge.train.callbacks.callback import CallbackManager, as_callbacks, check_named_for_phase
from msbridge.train.data_sink import DatasetHelper
from msbridge.train.data_sink.plan import SinkSize
from msbridge.train.loop.loops import Evaluation, Phase, Training, Validation, update_metrics
from msbridge.train.loss_scale_managers import LossScaleManager
from msbridge.train.metrics import Metric, get_metrics

__all__ = ["Stages"]

_KEPT_IN_FIT = ("mode", "batch_num", "cur_step_num", "dataset_sink_mode", "net_outputs")

# Callbacks that `fit` leaves out of its evaluations; of MindSpore's own only TimeMonitor goes with them.
_OF_TRAINING_ALONE = frozenset({*callbacks.__all__, "SummaryCollector", "SummaryLandscape"}) - {"TimeMonitor"}


class Stages:
    """The parts of a Model, and the stages of its runs; Model has the public methods."""

    _network: Cell
    _loss_fn: Any
    _optimizer: Any
    _amp_level: str
    _boost_level: str
    _phase: Phase
    _train_network: Cell
    _predict_network: Cell
    _eval_network: Any
    _eval_indexes: list[int] | None = None
    _metric_fns: Mapping[str, Metric] | None = None
    _loss_scale_manager: LossScaleManager | None
    _loss_scale_manager_set: bool
    _keep_bn_fp32: bool | None
    _params_of_run: Any = None
    _initial_step: int | None = None
    epoch_iter = 0

    @property
    def _parallel_mode(self) -> str:
        return _get_parallel_mode()

    @property
    def _parameter_broadcast(self) -> bool:
        return _get_parameter_broadcast()

    @property
    def _device_number(self) -> int:
        return _get_device_num()

    @property
    def batch_num(self) -> int:
        """The steps of an epoch of the last training; -1 before the first one."""
        return -1 if self._params_of_run is None else self._params_of_run.batch_num

    @property
    def _current_epoch_num(self) -> int:
        return 0 if self._params_of_run is None else self._params_of_run.get("cur_epoch_num", 0)

    @property
    def _current_step_num(self) -> int:
        steps = 0 if self._params_of_run is None else self._params_of_run.cur_step_num
        return (steps - 1) % self.batch_num + 1 if steps else 0

    # -- construction ------------------------------------------------------------------------------------------------

    def _check_kwargs(self, kwargs: Mapping[str, Any]) -> None:
        """Check the names of further arguments."""
        check_keywords(kwargs)

    def _check_amp_level_arg(self, optimizer: Any, amp_level: str) -> None:
        """Check that there is an optimizer where precisions are mixed."""
        check_optimizer(optimizer, amp_level)

    def _process_amp_args(self, kwargs: Mapping[str, Any]) -> None:
        """Keep what further arguments say about mixed precision."""
        self._keep_bn_fp32 = kwargs.get("keep_batchnorm_fp32")
        self._loss_scale_manager_set = "loss_scale_manager" in kwargs
        self._loss_scale_manager = kwargs.get("loss_scale_manager")
        self._keywords = {
            name: kwargs[name] for name in ("loss_scale_manager", "keep_batchnorm_fp32") if name in kwargs
        }

    def _build_boost_network(self, kwargs: Mapping[str, Any]) -> None:
        """Apply the methods of boost that a script asks for to the network and the optimizer."""
        level, config = kwargs.get("acc_level", self._boost_level), kwargs.get("boost_config_dict")
        self._boost_level = level  # "acc_level" was its name before 1.6
        if level == "O0" and not config:
            return
        boost = import_path("msbridge.contrib.boost.auto.AutoBoost")(level, config)
        if self._optimizer is not None and any(boost.boost_config.values()):
            self._boost_level = "O1" if level == "O0" else level
            self._network, self._optimizer = boost.network_auto_process_train(self._network, self._optimizer)

    def _build_train_network(self) -> Cell:
        """Return the network of a step of training."""
        if self._optimizer is None:
            return self._network if self._loss_fn is None else WithLossCell(self._network, self._loss_fn)
        chosen: dict[str, Any] = {}
        if self._loss_scale_manager_set:
            chosen["loss_scale_manager"] = self._loss_scale_manager
        if self._keep_bn_fp32 is not None:
            chosen["keep_batchnorm_fp32"] = self._keep_bn_fp32
        levels = self._amp_level, self._boost_level
        return build_train_network(self._network, self._optimizer, self._loss_fn, *levels, **chosen)

    def _build_eval_network(
        self, metrics: Mapping[str, Metric] | set[str] | None, eval_network: Cell | None, eval_indexes: list[int] | None
    ) -> None:
        """Set the metrics, the network of a step of evaluation, and what of its outputs the metrics are computed of."""
        self._eval_network = eval_network
        self._metric_fns = get_metrics(metrics) or None
        if not self._metric_fns:
            return
        if eval_network is not None:
            if eval_indexes is not None and not (isinstance(eval_indexes, list) and len(eval_indexes) == 3):
                raise ValueError(
                    "The argument 'eval_indexes' must be a list of three (loss, predicted value, label) or None, "
                    f"but got {eval_indexes}."
                )
            self._eval_indexes = eval_indexes
            return
        if self._loss_fn is None:
            raise ValueError(
                "If `metrics` is set, `eval_network` must not be None: there is no `loss_fn` to make one of. "
                "Do not set `metrics` if you don't want an evaluation."
            )
        is_narrow = self._amp_level in ("O2", "O3", "auto")
        self._eval_network = WithEvalCell(self._network, self._loss_fn, is_narrow)
        self._eval_indexes = [0, 1, 2]

    def _build_predict_network(self) -> None:
        """Set the network of a prediction."""
        self._predict_network = self._network

    def _get_scaling_sens(self) -> Any:
        """Return the loss scale of the manager, 1 without one."""
        return 1 if self._loss_scale_manager is None else self._loss_scale_manager.get_loss_scale()

    # -- runs --------------------------------------------------------------------------------------------------------

    @staticmethod
    def _transform_callbacks(callbacks: Any) -> list[Any]:
        return as_callbacks(callbacks)

    @staticmethod
    def _check_methods_for_custom_callbacks(callbacks: Any, current_mode: str) -> None:
        """Refuse callbacks that define names of 1.x, in "fit"."""
        if current_mode == "fit":
            check_named_for_phase(as_callbacks(callbacks))

    def _exec_preprocess(
        self,
        is_train: bool,
        dataset: Any,
        dataset_sink_mode: bool,
        sink_size: SinkSize = -1,
        epoch_num: int = 1,
        dataset_helper: DatasetHelper | None = None,
    ) -> tuple[DatasetHelper, Any]:
        """Return the iterable over a dataset, and the network of a step."""
        network = self._train_network if is_train else self._eval_network
        if dataset_helper is None:
            dataset_helper = DatasetHelper(dataset, dataset_sink_mode, sink_size, epoch_num)
        return dataset_helper, network

    def _check_network_mode(self, network: Cell, is_train: bool) -> Cell:
        """Set a network to training or to inference, and return it."""
        self._phase.switch(network, is_train)
        return network

    def _check_reuse_dataset(self, dataset: Any) -> None:
        """Do nothing: a dataset may be used by several Models here, which MindSpore refuses."""

    def _flush_from_cache(self, cb_params: Any) -> None:
        """Do nothing: no Parameter is kept in a cache of a server."""

    def _train_process(
        self,
        epoch: int,
        train_dataset: Any,
        list_callback: CallbackManager | None = None,
        cb_params: Any = None,
        initial_epoch: int = 0,
        valid_infos: Validation | None = None,
    ) -> None:
        """Train without a sink."""
        hooks = CallbackManager(None) if list_callback is None else list_callback
        self._training(cb_params, hooks, valid_infos).run_steps(range(initial_epoch + 1, epoch + 1), train_dataset)

    def _train_dataset_sink_process(
        self,
        epoch: int,
        train_dataset: Any,
        list_callback: CallbackManager | None = None,
        cb_params: Any = None,
        sink_size: SinkSize = -1,
        initial_epoch: int = 0,
        valid_infos: Validation | None = None,
    ) -> None:
        """Train with a sink."""
        hooks = CallbackManager(None) if list_callback is None else list_callback
        epochs = range(initial_epoch + 1, epoch + 1)
        self._training(cb_params, hooks, valid_infos).run_sinks(epochs, train_dataset, sink_size)

    @staticmethod
    def _should_eval(epoch: int, validation_freq: int | list[int]) -> bool:
        """Return whether the epoch is one after which to evaluate."""
        return epoch % validation_freq == 0 if isinstance(validation_freq, int) else epoch in validation_freq

    def _eval_during_train(
        self, valid_infos: Validation | None, cb_params: Any, list_callback: CallbackManager
    ) -> None:
        """Evaluate, if `fit` is to do so after this epoch."""
        dataset, frequency, sinks = valid_infos or Validation()
        if dataset is not None and self._should_eval(cb_params.cur_epoch_num, frequency):
            hooks = [one for one in list_callback.callbacks if type(one).__name__ not in _OF_TRAINING_ALONE]
            self._eval_in_fit(dataset, callbacks=hooks, dataset_sink_mode=sinks, cb_params=cb_params)

    def _eval_in_fit(
        self, valid_dataset: Any, callbacks: Any = None, dataset_sink_mode: bool = True, cb_params: Any = None
    ) -> dict[str, Any]:
        """Evaluate between epochs of training, and put the training's parameters back as they were."""
        kept = {name: cb_params[name] for name in _KEPT_IN_FIT}
        cb_params.update(
            eval_network=self._eval_network,
            valid_dataset=valid_dataset,
            mode="eval",
            batch_num=valid_dataset.get_dataset_size(),
            cur_step_num=0,
        )
        self._clear_metrics()
        evaluate = self._eval_dataset_sink_process if dataset_sink_mode else self._eval_process
        results = evaluate(valid_dataset, CallbackManager(callbacks), cb_params, add_eval_loss=True)
        cb_params.update(kept)
        return results

    def _eval_process(
        self,
        valid_dataset: Any,
        list_callback: CallbackManager | None = None,
        cb_params: Any = None,
        add_eval_loss: bool = False,
    ) -> dict[str, Any]:
        """Evaluate without a sink, and return the metrics by name."""
        return self._evaluation(valid_dataset, list_callback, cb_params).run(False, add_eval_loss)

    def _eval_dataset_sink_process(
        self,
        valid_dataset: Any,
        list_callback: CallbackManager | None = None,
        cb_params: Any = None,
        add_eval_loss: bool = False,
    ) -> dict[str, Any]:
        """Evaluate with a sink, and return the metrics by name."""
        return self._evaluation(valid_dataset, list_callback, cb_params).run(True, add_eval_loss)

    def _evaluation(self, dataset: Any, hooks: CallbackManager | None, params: Any) -> Evaluation:
        params.valid_dataset = dataset
        callbacks = CallbackManager(None) if hooks is None else hooks
        return Evaluation(self, params, callbacks, self._phase, self._eval_network, self._eval_indexes)

    def _training(self, params: Any, hooks: CallbackManager, validation: Validation | None) -> Training:
        return Training(self, params, hooks, validation, self._phase, self._loss_scale_manager)

    def _clear_metrics(self) -> None:
        """Reset the metrics."""
        for metric in (self._metric_fns or {}).values():
            metric.clear()

    def _update_metrics(self, outputs: Any) -> None:
        """Add the outputs of a step of evaluation to the metrics."""
        update_metrics(self._metric_fns or {}, self._eval_indexes, outputs)

    def _get_metrics(self) -> dict[str, Any]:
        """Return the metrics by name."""
        results = {name: metric.eval() for name, metric in (self._metric_fns or {}).items()}
        return {name: Plain(result) if type(result) is np.float64 else result for name, result in results.items()}


class Plain(np.float64):
    """numpy's number in the results of a Model, which people print: in a dict too, it shows as under numpy 1."""

    def __repr__(self) -> str:
        return float.__repr__(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return np.float64, (float(self),)


Plain.__name__ = Plain.__qualname__ = np.float64.__name__
