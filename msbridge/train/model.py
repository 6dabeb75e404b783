"""Model: training, evaluation and prediction of a network, with callbacks and metrics.

Follows: mindspore.train.Model (2.10), and release 1.1 for sinks on an Ascend.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from msbridge.core.checks.arguments import boolean, instance, integer, non_negative_int, positive_int
from msbridge.core.context import context
from msbridge.core.runtime.callback import Callback
from msbridge.core.tensor.tensor import Tensor
from msbridge.device.sink import can_sink
from msbridge.distributed import (
    _get_device_num,
    _get_parallel_mode,
    broadcast,
    get_group_size,
)
from msbridge.nn.cell.cell import Cell
from msbridge.nn.parallel.auto_parallel import with_settings_of_network
from msbridge.train.arguments import check_input, check_levels, decide_to_sink
from msbridge.train.callbacks.callback import (
    CallbackManager,
    InternalCallbackParam,
)
from msbridge.train.data_sink import AUTO, SinkSize, check_sink_size
from msbridge.train.loop.loops import Phase, Validation
from msbridge.train.loop.stages import Stages
from msbridge.train.metrics import Metric

Callbacks = Callback | Sequence[Callback] | None


def _check_loss(loss_fn: Any) -> None:
    if loss_fn is not None and not callable(loss_fn):
        raise TypeError(f"The type of 'loss_fn' should be 'Cell', but got type '{type(loss_fn).__name__}'.")


class Model(Stages):
    """A network with all that training and evaluating it needs.

    Args:
        network: the network.
        loss_fn: called with the network's output and the label; without it, the network returns the loss.
        optimizer: updates the parameters; without it, `train` computes the loss and changes nothing.
        metrics: names of metrics, or metrics by name.
        eval_network: returns what `eval_indexes` speak of; without it, one is composed of `network` and `loss_fn`.
        eval_indexes: which outputs of `eval_network` are the loss, the prediction and the label.
        amp_level: mixed precision, "O0" to "O3" or "auto"; see `mindspore.amp.build_train_network`.
        boost_level: "O1" normalizes the last dense layer, centralizes gradients, and trains only the last layers in a
            part of the steps; "O2" is the same on one process.
        kwargs: loss_scale_manager, keep_batchnorm_fp32, and for boost boost_config_dict.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an unknown level or keyword, or arguments that do not go together.

    Examples:
        >>> rows = [(np.float32([x]), np.float32([2 * x])) for x in range(4)]
        >>> data = ds.GeneratorDataset(rows, ["x", "y"], shuffle=False).batch(2)
        >>> net = nn.Dense(1, 1)
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.05))
        >>> model.train(20, data)
        >>> bool(abs(net.weight - 2).item() < 0.5)
        True

    Follows: mindspore.train.Model (2.10).
    """

    def __init__(
        self,
        network: Cell,
        loss_fn: Callable[..., Tensor] | None = None,
        optimizer: Any = None,
        metrics: Mapping[str, Metric] | set[str] | None = None,
        eval_network: Cell | None = None,
        eval_indexes: list[int] | None = None,
        amp_level: str = "O0",
        boost_level: str = "O0",
        **kwargs: Any,
    ) -> None:
        instance(network, "network", None, Cell)
        if optimizer is not None:
            instance(optimizer, "optimizer", None, Cell)
        _check_loss(loss_fn)
        check_levels(amp_level, "O0" if optimizer is None else boost_level)  # it is of training only
        self._check_kwargs(kwargs)
        self._phase = Phase()
        self._built: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self._network = network
        self._loss_fn = loss_fn
        self._optimizer = optimizer
        self._metrics = metrics
        self._amp_level = amp_level
        self._boost_level = boost_level
        self._process_amp_args(kwargs)
        self._check_amp_level_arg(optimizer, amp_level)
        self._build_boost_network(kwargs)
        self._train_network = self._build_train_network()
        self._build_eval_network(metrics, eval_network, eval_indexes)
        self._build_predict_network()

    @property
    def train_network(self) -> Cell:
        """The network of a training step."""
        return self._train_network

    @property
    def eval_network(self) -> Cell | None:
        """The network of an evaluation step; None without metrics, unless one was given."""
        return self._eval_network  # type: ignore[no-any-return]

    @property
    def predict_network(self) -> Cell:
        """The network of a prediction."""
        return self._predict_network

    # -- training ----------------------------------------------------------------------------------------------------

    def train(
        self,
        epoch: int,
        train_dataset: Any,
        callbacks: Callbacks = None,
        dataset_sink_mode: bool | None = None,
        sink_size: SinkSize = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train the network.

        Args:
            epoch: the number of the last epoch.
            train_dataset: yields (data, label), or with no `loss_fn` what the network takes.
            callbacks: called on the way.
            dataset_sink_mode: sink the data into the device; on the CPU this has no effect. None is the default of the
                release that is followed: True in 1.x, False in 2.x.
            sink_size: steps of one sink, which is then an epoch; -1 is the whole dataset. The data continues where the
                last sink ended. "auto", which MindSpore does not know, is the whole dataset, too, in sinks of at most
                100 steps, after each of which callbacks are called.
            initial_epoch: epochs that are done already. The data continues where they ended, unless the dataset's
                `set_init_step` says where; and so do the random numbers, where the network has those of a checkpoint.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: an argument is out of range, or the dataset is empty.
            RuntimeError: the dataset's initial step is beyond the last epoch.

        Follows: mindspore.train.Model.train (2.10).
        """
        sinks = self._check_run("Model.train", epoch, train_dataset, dataset_sink_mode, sink_size, initial_epoch)
        self._train(
            epoch,
            train_dataset,
            callbacks=callbacks,
            dataset_sink_mode=sinks,
            sink_size=sink_size,
            initial_epoch=initial_epoch,
        )

    def fit(
        self,
        epoch: int,
        train_dataset: Any,
        valid_dataset: Any = None,
        valid_frequency: int | list[int] = 1,
        callbacks: Callbacks = None,
        dataset_sink_mode: bool | None = None,
        valid_dataset_sink_mode: bool | None = None,
        sink_size: SinkSize = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train the network, and evaluate it after epochs.

        Args:
            epoch: the number of the last epoch.
            train_dataset: see `train`.
            valid_dataset: what to evaluate on; None evaluates never.
            valid_frequency: after every how many epochs, or after which epochs.
            callbacks: called on the way.
            dataset_sink_mode: see `train`.
            valid_dataset_sink_mode: the same for evaluations.
            sink_size: see `train`.
            initial_epoch: epochs that are done already.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: an argument is out of range, the dataset is empty, there are no metrics, or a callback has
                methods named as in release 1.x.

        Follows: mindspore.train.Model.fit (2.10).
        """
        self._check_methods_for_custom_callbacks(callbacks, "fit")
        valid_sinks = decide_to_sink(valid_dataset_sink_mode)
        instance(valid_frequency, "valid_frequency", "Model.fit", (int, list, bool))
        if valid_dataset is not None and not self._metric_fns:
            raise ValueError(
                "For 'Model.fit', if valid_dataset is not None, the model argument 'metrics' can not be None or "
                "empty, you should set the argument 'metrics' for model."
            )
        sinks = self._check_run("Model.fit", epoch, train_dataset, dataset_sink_mode, sink_size, initial_epoch)
        self._train(
            epoch,
            train_dataset,
            callbacks=callbacks,
            dataset_sink_mode=sinks,
            sink_size=sink_size,
            initial_epoch=initial_epoch,
            valid_dataset=valid_dataset,
            valid_frequency=valid_frequency,
            valid_dataset_sink_mode=valid_sinks,
        )

    def _check_run(
        self, where: str, epoch: int, dataset: Any, sinks: bool | None, sink_size: SinkSize, initial_epoch: int
    ) -> bool:
        """Check the arguments of a training, and return whether it is asked to sink."""
        is_asked_to_sink = decide_to_sink(sinks)
        if sink_size != AUTO:
            integer(sink_size, "sink_size", None)
        positive_int(epoch, "epoch", where)
        non_negative_int(initial_epoch, "initial_epoch", where)
        if initial_epoch >= epoch:
            raise ValueError(
                f"For '{where}', the parameter 'epoch' must bigger than parameter 'initial_epoch', but got the "
                f"parameter 'epoch' is {epoch}, 'initial_epoch' is {initial_epoch}."
            )
        if dataset.get_dataset_size() == 0:
            raise ValueError("There is no valid data in dataset, please check dataset file firstly.")
        self._check_built(where, dataset, epoch)
        check_sink_size(sink_size, f"For '{where}', The argument 'sink_size' must be -1 or positive, but got {{}}.")
        return is_asked_to_sink

    @with_settings_of_network
    def _train(
        self,
        epoch: int,
        train_dataset: Any,
        callbacks: Callbacks = None,
        dataset_sink_mode: bool = True,
        sink_size: SinkSize = -1,
        initial_epoch: int = 0,
        valid_dataset: Any = None,
        valid_frequency: int | list[int] = 1,
        valid_dataset_sink_mode: bool = True,
    ) -> None:
        """Train, and evaluate where there is a `valid_dataset`."""
        size = train_dataset.get_dataset_size()
        sinks = dataset_sink_mode and can_sink()
        validation = Validation(valid_dataset, valid_frequency, valid_dataset_sink_mode and can_sink())
        with CallbackManager(self._transform_callbacks(callbacks)) as hooks:
            params = InternalCallbackParam(
                train_network=self._train_network,
                epoch_num=epoch - initial_epoch,
                batch_num=size if sink_size in (-1, AUTO) or not dataset_sink_mode else sink_size,
                mode="train",
                loss_fn=self._loss_fn,
                optimizer=self._optimizer,
                loss_scale_mananger=self._loss_scale_manager,  # so spelled
                parallel_mode=_get_parallel_mode(),
                device_number=_get_device_num(),
                train_dataset=train_dataset,
                list_callback=hooks.callbacks,
                network=self._network,
                dataset_sink_mode=sinks,
                cur_step_num=0,
                train_dataset_element=None,
                initial_step=None,
                last_save_ckpt_step=None,
                latest_ckpt_file=None,
            )
            self._params_of_run = params
            self._broadcast_parameters()
            if sinks:
                sizes = (sink_size, initial_epoch, validation)
                self._train_dataset_sink_process(epoch, train_dataset, hooks, params, *sizes)
            else:
                self._train_process(epoch, train_dataset, hooks, params, initial_epoch, validation)

    def _broadcast_parameters(self) -> None:
        """Broadcast the first process's parameters, where the parallel context asks for it."""
        if self._parameter_broadcast and get_group_size() > 1:
            for parameter in self._train_network.get_parameters():
                parameter.set_data(broadcast(parameter, 0))

    # -- evaluation --------------------------------------------------------------------------------------------------

    @with_settings_of_network
    def eval(
        self, valid_dataset: Any, callbacks: Callbacks = None, dataset_sink_mode: bool | None = None
    ) -> dict[str, Any]:
        """Evaluate the network; it is left in inference mode.

        Args:
            valid_dataset: yields what the eval network takes.
            callbacks: called on the way.
            dataset_sink_mode: sink the data into the device, with a call of the network for each batch; on the CPU this
                has no effect.

        Returns:
            The metrics by name.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: the model has no metrics.

        Follows: mindspore.train.Model.eval (2.10).
        """
        sinks = decide_to_sink(dataset_sink_mode)
        if not self._metric_fns:
            raise ValueError(
                "For Model.eval, the model argument 'metrics' can not be None or empty, you should set the argument "
                "'metrics' for model."
            )
        with CallbackManager(self._transform_callbacks(callbacks)) as hooks:
            params = InternalCallbackParam(
                eval_network=self._eval_network,
                valid_dataset=valid_dataset,
                batch_num=valid_dataset.get_dataset_size(),
                mode="eval",
                cur_step_num=0,
                list_callback=hooks.callbacks,
                network=self._network,
            )
            self._clear_metrics()
            evaluate = self._eval_dataset_sink_process if sinks and can_sink() else self._eval_process
            return evaluate(valid_dataset, hooks, params)

    # -- prediction, preparation -------------------------------------------------------------------------------------

    @with_settings_of_network
    def predict(self, *predict_data: Any, backend: str | None = None, config: dict[str, Any] | None = None) -> Any:
        """Return the network's outputs, in inference mode.

        Args:
            predict_data: what the network takes: Tensors, numbers, texts, None, and tuples, lists and dicts of them.
            backend: only None.
            config: only None.

        Raises:
            TypeError: an input has the wrong type.
            ValueError: `backend` or `config` is given.

        Follows: mindspore.train.Model.predict (2.10).
        """
        if backend is not None or config is not None:
            raise ValueError(f"Model.predict runs on msbridge only; backend and config must be None, got {backend!r}.")
        for value in predict_data:
            check_input(value)
        self._check_network_mode(self._predict_network, False)
        return self._predict_network(*predict_data)

    def build(
        self,
        train_dataset: Any = None,
        valid_dataset: Any = None,
        sink_size: SinkSize = -1,
        epoch: int = 1,
        sink_mode: bool = True,
    ) -> None:
        """Prepare the networks for a run: here only the arguments are checked, for nothing is compiled ahead.

        Args:
            train_dataset: the dataset of a later `train` or `fit`.
            valid_dataset: the dataset of later evaluations.
            sink_size: see `train`.
            epoch: how many epochs `train` or `fit` is to have on that dataset.
            sink_mode: whether they are to sink.

        Raises:
            TypeError: an argument has the wrong type.
            RuntimeError: the device target is not an Ascend, or there is a valid_dataset and no metrics.
            ValueError: `sink_size` or `epoch` is out of range, or there is no dataset.

        Follows: mindspore.train.Model.build (2.10).
        """
        positive_int(epoch, "epoch", "Model.build")
        self._init(train_dataset, valid_dataset, sink_size, epoch, sink_mode)

    def _init(
        self,
        train_dataset: Any = None,
        valid_dataset: Any = None,
        sink_size: SinkSize = -1,
        epoch: int = 1,
        sink_mode: bool = True,
    ) -> None:
        """Check for a run; scripts of 1.x call this by its private name."""
        if context.device_target() != "Ascend":
            raise RuntimeError("Pre-init process only supports Ascend target currently.")
        if train_dataset is None and valid_dataset is None:
            raise ValueError("The argument 'train_dataset' and 'valid_dataset' can not both be None or empty.")
        for name, dataset in (("train_dataset", train_dataset), ("valid_dataset", valid_dataset)):
            if dataset is not None and not hasattr(dataset, "create_tuple_iterator"):
                raise TypeError(f"The type of '{name}' must be `Dataset`, but got {type(dataset)}.")
        if train_dataset is not None:
            boolean(sink_mode, "sink_mode", "Model.build")
            check_sink_size(sink_size, "The 'sink_size' must be -1 or positive, but got sink_size {}.")
            if sink_mode:
                self._built[train_dataset] = epoch
        if valid_dataset is not None and not self._metric_fns:
            raise RuntimeError(
                "If define `valid_dataset`, metric fn can not be None or empty, you should set the argument 'metrics' "
                "for model."
            )

    def _check_built(self, where: str, dataset: Any, epoch: int) -> None:
        """Refuse another number of epochs than `build` was passed for a dataset."""
        built = self._built.get(dataset, epoch) if self._built else epoch
        if built != epoch:
            raise ValueError(
                "when use Model.build to initialize model, the value of parameter 'epoch' in Model.build should be "
                f"equal to value in {where}, but got the value of epoch in build {built} and the value of epoch in "
                f"train {epoch} separately."
            )

    def infer_train_layout(self, train_dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1) -> None:
        """Refuse: parameters are not split over devices here.

        Args:
            train_dataset: the dataset that `train` would take.
            dataset_sink_mode: as of `train`.
            sink_size: as of `train`.

        Raises:
            RuntimeError: always.
        """
        raise _no_layout("infer_train_layout")

    def infer_predict_layout(self, *predict_data: Any, skip_backend_compile: bool = False) -> None:
        """Refuse: parameters are not split over devices here.

        Args:
            predict_data: as of `predict`.
            skip_backend_compile: not looked at.

        Raises:
            RuntimeError: always.
        """
        raise _no_layout("infer_predict_layout")


def _no_layout(method: str) -> RuntimeError:
    return RuntimeError(
        f"'{method}' only supports 'semi_auto_parallel' and 'auto_parallel' mode, where msbridge settles in the "
        f"first step how parameters are divided; the mode is {_get_parallel_mode()}."
    )
