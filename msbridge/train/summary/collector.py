"""A callback that records the loss, weights, images and summaries of a run."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from msbridge.core.checks.arguments import Style
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.tensor.tensor import Tensor
from msbridge.train.callbacks.callback import first_output
from msbridge.train.summary.states import StateKeeper
from msbridge.train.summary.summary_record import CHANNELS, SummaryRecord, check_export_options, check_folder

_STYLE = Style(
    of_type="For `{name}` the type should be a valid type of {names}, but got {kind}.",
    bound='For "SummaryCollector", the value of `{name}` should be {words}, but got `{value}`.',
)
DEFAULT_HISTOGRAMS = 5  # parameters whose histograms are drawn unless a pattern selects others
TENSOR_STEPS = 20  # how often TensorSummary is recorded in a run, at most, by default


@dataclass(slots=True)
class Collected:
    """The settings of a SummaryCollector; the fields are the keys of its `collect_specified_data`.

    `histogram_regular` is a pattern of names; "" means the first few weights, None means none.
    """

    collect_metric: bool = True
    collect_graph: bool = True
    collect_train_lineage: bool = True
    collect_eval_lineage: bool = True
    collect_input_data: bool = True
    collect_dataset_graph: bool = True
    histogram_regular: str | None = ""
    collect_landscape: dict[Any, Any] | None = None


class SummaryCollector(Callback):
    """Records a run for TensorBoard: its loss, histograms of weights, input images, settings, and summary operators.

    Where MindSpore records the graph, the printed form of the network is recorded as text; settings of the run
    ("lineage") are text too.

    Args:
        summary_dir: folder of the file; created when it is missing.
        collect_freq: steps between two records, the first step being recorded always; with a sink, epochs.
        num_process: MindSpore's number of writing processes; here one thread writes.
        collect_specified_data: what to collect: `collect_metric` (the loss), `collect_graph`, `collect_train_lineage`,
            `collect_eval_lineage`, `collect_input_data` (the first column, if it is images), `collect_dataset_graph`
            (bools), `histogram_regular`: a pattern of the names of weights; None takes the first five; and
            `collect_landscape`: at which steps the weights are kept for a SummaryLandscape.
        keep_default_action: collect what `collect_specified_data` does not name as by default; False leaves it out.
        custom_lineage_data: texts and numbers to record beside the settings.
        collect_tensor_freq: steps between two records of TensorSummary; None makes at most twenty of a run.
        max_file_size: no more is recorded once the file has so many bytes; None for no limit.
        export_options: {"tensor_format": "npy"} writes the Tensors of TensorSummary as files as well.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument has a value that is not allowed.

    Follows: mindspore.SummaryCollector (2.10).
    """

    def __init__(
        self,
        summary_dir: str,
        collect_freq: int = 10,
        num_process: int = 32,
        collect_specified_data: Mapping[str, Any] | None = None,
        keep_default_action: bool = True,
        custom_lineage_data: Mapping[str, str | int | float] | None = None,
        collect_tensor_freq: int | None = None,
        max_file_size: int | None = None,
        export_options: dict[str, str | None] | None = None,
    ) -> None:
        super().__init__()
        self._folder = str(check_folder(summary_dir, "summary_dir"))
        for name, number in (("collect_tensor_freq", collect_tensor_freq), ("max_file_size", max_file_size)):
            if number is not None:
                _STYLE.positive_int(number, name)
        _STYLE.positive_int(collect_freq, "collect_freq")
        self._freq, self._tensor_freq, self._max_file_size = collect_freq, collect_tensor_freq, max_file_size
        _STYLE.boolean(keep_default_action, "keep_default_action")
        self._collected = _parse_specified(collect_specified_data, keep_default_action)
        landscape = self._collected.collect_landscape
        self._states = StateKeeper(Path(self._folder), landscape) if landscape else None
        _STYLE.instance(custom_lineage_data, "custom_lineage_data", None, (dict, type(None)))
        for name, value in (custom_lineage_data or {}).items():
            _STYLE.instance(value, f"the value of custom_lineage_data -> {name}", None, (int, str, float))
        self._lineage = dict(custom_lineage_data or {})
        check_export_options(export_options)
        self._export_options = export_options
        self._record: SummaryRecord | None = None
        self._records = 0
        self._tensor_records_due = 0
        self._has_settings = False

    def __enter__(self) -> Self:
        self._record = SummaryRecord(
            self._folder, max_file_size=self._max_file_size, export_options=self._export_options
        )
        self._records = 0
        self._has_settings = False
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._record is not None:
            self._record.close()
            self._record = None

    def begin(self, run_context: RunContext) -> None:
        """Notify the record of the phase that begins.

        Raises:
            ValueError: the callback was not entered, as `Model` does it.
        """
        self._open.set_mode("eval" if run_context.original_args().get("mode") == "eval" else "train")

    def step_end(self, run_context: RunContext) -> None:
        """Record what there is, when it is time."""
        cb_params = run_context.original_args()
        if cb_params.get("mode") == "eval":
            return
        if not cb_params.get("dataset_sink_mode"):
            self._record_values(cb_params, cb_params.cur_step_num)
        elif not self._has_settings:
            self._record_settings(cb_params)
        if self._states is not None:
            self._states.keep("step", cb_params.cur_step_num, cb_params.train_network)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Record what there is, when it is time and the data is sunk: the unit is then an epoch."""
        cb_params = run_context.original_args()
        if cb_params.get("dataset_sink_mode"):
            self._record_values(cb_params, cb_params.cur_epoch_num)
        if self._states is not None:
            self._states.keep("epoch", cb_params.cur_epoch_num, cb_params.train_network)

    def _record_settings(self, cb_params: Any) -> None:
        self._has_settings = True
        self._add_settings(cb_params)
        network = cb_params.get("train_network") if self._collected.collect_graph else None
        self._open.record(cb_params.cur_step_num, train_network=network)

    def _record_values(self, cb_params: Any, position: int) -> None:
        is_first = self._records == 0
        if not is_first and position % self._freq:
            return
        if not self._has_settings:
            self._record_settings(cb_params)
        self._add_values(cb_params)
        takes_tensors = self._is_time_for_tensors(cb_params, position)
        self._open.record(
            cb_params.cur_step_num, plugin_filter=None if takes_tensors else lambda plugin: plugin != "tensor"
        )
        self._records += 1

    def end(self, run_context: RunContext) -> None:
        """Record the result of an evaluation, and what summary operators returned last."""
        cb_params = run_context.original_args()
        if self._states is not None and cb_params.get("mode") != "eval":
            self._states.finish(cb_params.batch_num)
        if cb_params.get("mode") == "eval" and self._collected.collect_eval_lineage:
            metrics = {name: str(value) for name, value in (cb_params.get("metrics") or {}).items()}
            self._open.add_value("eval_lineage", "eval", metrics)
            self._open.record(cb_params.get("cur_step_num", 0))
        self._open.flush()

    @property
    def _open(self) -> SummaryRecord:
        if self._record is None:
            raise ValueError("SummaryCollector must be given to Model as a callback, or entered by a `with` statement.")
        return self._record

    def _is_time_for_tensors(self, cb_params: Any, position: int) -> bool:
        freq = self._tensor_freq
        if freq is None:
            positions = cb_params.get("epoch_num", 1)
            if not cb_params.get("dataset_sink_mode"):
                positions *= cb_params.get("batch_num", 1)
            freq = max(self._freq, -(-positions // TENSOR_STEPS))
        due = self._records == 0 or position >= self._tensor_records_due
        if due:
            self._tensor_records_due = position + freq
        return due

    def _add_settings(self, cb_params: Any) -> None:
        if self._lineage:
            self._open.add_value("custom_lineage_data", "custom_lineage_data", self._lineage)
        dataset = cb_params.get("train_dataset")
        if self._collected.collect_dataset_graph and dataset is not None:
            self._open.add_value("dataset_graph", "dataset", type(dataset).__name__)
        if self._collected.collect_train_lineage:
            kinds = {name: cb_params.get(name) for name in ("network", "loss_fn", "optimizer")}
            settings = {name: type(value).__name__ for name, value in kinds.items() if value is not None}
            counts = {
                name: cb_params.get(name) for name in ("epoch_num", "batch_num", "parallel_mode", "device_number")
            }
            self._open.add_value("train_lineage", "train", settings | counts)

    def _add_values(self, cb_params: Any) -> None:
        loss = first_output(cb_params.get("net_outputs"))
        if self._collected.collect_metric and isinstance(loss, Tensor):
            mean = loss if loss.ndim == 0 else loss.mean()
            self._open.add_value("scalar", "loss/auto", mean)
        batch = first_output(cb_params.get("train_dataset_element"))
        if self._collected.collect_input_data and _is_images(batch):
            images = batch if isinstance(batch, Tensor) else Tensor(batch)
            self._open.add_value("image", "input_data/auto", images)
        for parameter in self._weights(cb_params):
            self._open.add_value("histogram", f"{parameter.name}/auto", parameter)

    def _weights(self, cb_params: Any) -> list[Any]:
        pattern = self._collected.histogram_regular
        if pattern is None:
            return []
        optimizer = cb_params.get("optimizer") or getattr(cb_params.get("train_network"), "optimizer", None)
        found = [] if optimizer is None else list(optimizer.parameters)
        return [one for one in found if re.match(pattern, one.name)] if pattern else found[:DEFAULT_HISTOGRAMS]


def _parse_specified(specified: Any, keeps_defaults: bool) -> Collected:
    _STYLE.instance(specified, "collect_specified_data", None, (dict, type(None)))
    names = [field.name for field in fields(Collected)]
    given: dict[str, Any] = dict(specified or {})
    if unknown := set(given) - set(names):
        raise ValueError(
            f'For "SummaryCollector", the keys {unknown} of `collect_specified_data` are unsupported, '
            f"expect the follow keys: {names}"
        )
    for name, value in given.items():
        kinds = {"histogram_regular": (str, type(None)), "collect_landscape": (dict, type(None))}.get(name, (bool,))
        _STYLE.instance(value, name, None, kinds)
    if given.get("histogram_regular", "") is None:
        given["histogram_regular"] = ""
    if specified is None or keeps_defaults:
        return Collected(**given)
    nothing: dict[str, Any] = {"histogram_regular": None, **dict.fromkeys(names[:6], False)}
    return Collected(**(nothing | given))


def _is_images(batch: Any) -> bool:
    return isinstance(batch, Tensor | np.ndarray) and batch.ndim == 4 and batch.shape[1] in CHANNELS
