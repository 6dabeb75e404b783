"""SummaryRecord: values of a run, kept until they are recorded under the number of a step."""

import logging
import re
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.ops.framework.summaries import kernels as summaries
from msbridge.train.summary.tensorboard import EventFile

_log = logging.getLogger(__name__)
OF_TENSORS = ("tensor", "scalar", "image", "histogram")
PLUGINS = (*OF_TENSORS, "train_lineage", "eval_lineage", "dataset_graph", "custom_lineage_data", "graph", "landscape")
CHANNELS = (1, 3)


class SummaryRecord:
    """Records values that are added, and those that summary operators in a network report.

    The file is TensorBoard's, so that `tensorboard --logdir` shows it; MindInsight, which read MindSpore's own, is no
    longer made. Texts and dicts (lineage, graphs) are recorded as text.

    Args:
        log_dir: folder of the file; created when it is missing.
        file_prefix: begins the file's name in MindSpore; here it is part of the suffix unless it is "events".
        file_suffix: ends the file's name.
        num_process: MindSpore's number of writing processes; here one thread writes.
        network: whose printed form is recorded at the first step, where MindSpore records its graph.
        max_file_size: no more is recorded once the file has so many bytes; None for no limit.
        raise_exception: raise what fails in `record`, instead of logging it.
        export_options: {"tensor_format": "npy"} writes the Tensors of plugin "tensor" as files as well.

    Raises:
        ImportError: TensorBoard is not installed.
        RuntimeError: another SummaryRecord is open.
        TypeError: an argument has the wrong type.
        ValueError: an argument has a value that is not allowed.

    Follows: mindspore.SummaryRecord (2.10).
    """

    count = 0  # of open ones

    def __init__(
        self,
        log_dir: str,
        file_prefix: str = "events",
        file_suffix: str = "_MS",
        num_process: int = 32,
        network: Cell | None = None,
        max_file_size: int | None = None,
        raise_exception: bool = False,
        export_options: dict[str, str | None] | None = None,
    ) -> None:
        folder = check_folder(log_dir, "log_dir")
        _check_names(file_prefix, file_suffix)
        if max_file_size is not None and (isinstance(max_file_size, bool) or not isinstance(max_file_size, int)):
            raise TypeError(
                f"For 'SummaryRecord', the 'max_file_size' should be int type, but got type {type(max_file_size)}"
            )
        self._raises = instance(raise_exception, "raise_exception", None, bool)
        exports = check_export_options(export_options)
        if SummaryRecord.count:
            raise RuntimeError(
                "For 'SummaryRecord', only one instance is supported in a training process, you are trying to create "
                "a new one when the existing instance number is 1. Please check your scripts."
            )
        suffix = file_suffix if file_prefix == "events" else f".{file_prefix}{file_suffix}"
        limit = max_file_size if max_file_size and max_file_size > 0 else None
        self._file = EventFile(folder, suffix, limit, exports)
        self._network = network
        self._mode = "train"
        self._added: list[tuple[str, str, Any]] = []
        self._handed: dict[tuple[str, str], Tensor] = {}  # by operators in networks: the last value of each
        self._is_closed = self._is_full = self._has_failed = False
        SummaryRecord.count += 1
        summaries.add_recorder(self._hand)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def log_dir(self) -> str:
        """The path of the file."""
        return str(self._file.path)

    def set_mode(self, mode: str) -> None:
        """Set the phase of what follows, "train" or "eval"; the network is recorded in the first.

        Args:
            mode: "train" or "eval".

        Raises:
            ValueError: `mode` is another word.

        Follows: mindspore.SummaryRecord.set_mode (2.10).
        """
        one_of(mode, "mode", "SummaryRecord.set_mode", ("train", "eval"))
        self._mode = mode

    def add_value(self, plugin: str, name: str, value: Any) -> None:
        """Keep a value until the next `record`.

        Args:
            plugin: "scalar", "image", "tensor" or "histogram" for a Tensor; "train_lineage", "eval_lineage",
                "dataset_graph", "custom_lineage_data", "graph" or "landscape" for anything else.
            name: what it is called.
            value: the value; an image has the shape (n, c, h, w), c being 1 or 3.

        Raises:
            TypeError: a value that should be a Tensor is not one.
            ValueError: there is no such plugin, the name is not a string, or the Tensor has the wrong shape.

        Follows: mindspore.SummaryRecord.add_value (2.10).
        """
        one_of(plugin, "plugin", "SummaryRecord.add_value", PLUGINS)
        if not name or not isinstance(name, str):
            raise ValueError(f'For "SummaryRecord", the parameter "name" type should be str, but got {type(name)}.')
        if plugin in OF_TENSORS:
            _check_tensor(plugin, name, value)
        if not self._is_closed:
            self._added.append((plugin, name, value))

    def record(
        self, step: int, train_network: Cell | None = None, plugin_filter: Callable[[str], bool] | None = None
    ) -> bool:
        """Write the values that were added, and those that the network's summary operators returned last.

        Args:
            step: the number they are recorded under.
            train_network: whose printed form is recorded once, where MindSpore records its graph.
            plugin_filter: is given a plugin's name; what it refuses is left out.

        Returns:
            Whether they were written.

        Raises:
            TypeError: `step` is not an int, or `train_network` not a Cell.

        Follows: mindspore.SummaryRecord.record (2.10).
        """
        instance(step, "step", None, int)
        instance(train_network, "train_network", None, (Cell, type(None)))
        if self._is_closed:
            _log.error("For 'SummaryRecord', the record writer is closed: close() was called.")
            return False
        network, self._network = self._network or train_network, None
        if isinstance(network, Cell) and self._mode == "train":
            self._added.append(("graph", "network", repr(network)))
        values, self._added = self._added, []
        values += [(plugin, name, value) for (plugin, name), value in self._handed.items()]
        self._handed.clear()
        if self._is_full or (bool(values) and self._file.is_full):
            if not self._is_full:
                _log.warning("For 'SummaryRecord', %s is as large as max_file_size: no more is recorded.", self.log_dir)
            self._is_full = True
            return False
        try:
            for plugin, name, value in values:
                if plugin_filter is None or plugin_filter(plugin):
                    self._file.write(plugin, name, value, step)
        except (OSError, RuntimeError) as error:
            if self._raises:
                raise
            if not self._has_failed:
                text = "For 'SummaryRecord', the values of step %d and those after it are not recorded in %s: %s"
                _log.error(text, step, self.log_dir, error)
            self._has_failed = True
            return False
        return True

    def flush(self) -> None:
        """Wait until all that was recorded is in the file.

        Follows: mindspore.SummaryRecord.flush (2.10).
        """
        if not self._is_closed:
            self._file.flush()

    def close(self) -> None:
        """Write what is left, and close the file; a second call does nothing.

        Follows: mindspore.SummaryRecord.close (2.10).
        """
        if self._is_closed:
            return
        self._is_closed = True
        SummaryRecord.count -= 1
        summaries.remove_recorder(self._hand)
        try:
            self._file.close()
        except OSError as error:
            if self._raises:
                raise
            if not self._has_failed:
                _log.error("For 'SummaryRecord', %s is not complete: %s", self.log_dir, error)

    def _hand(self, plugin: str, name: str, value: Tensor) -> None:
        self._handed[plugin, name] = Tensor(value._data.detach())


def check_export_options(options: dict[str, str | None] | None) -> bool:
    """Check what a summary exports; return whether it exports Tensors.

    Raises:
        TypeError: it is not a dict.
        ValueError: a key or value is not known.
    """
    if options is not None and not isinstance(options, dict):
        raise TypeError(
            "For `export_options` the type should be a valid type of ['dict', 'NoneType'], "
            f"but got {type(options).__name__}."
        )
    options = options or {}
    if unknown := set(options) - {"tensor_format"}:
        raise ValueError(
            f'For "SummaryRecord", the keys {unknown} of "export_options" are unsupported, expect the follow keys: '
            "['tensor_format']"
        )
    if options.get("tensor_format") not in ("npy", None):
        raise ValueError(
            f'For "SummaryRecord", the export_format {{{options["tensor_format"]!r}}} of "export_options" are '
            "unsupported for tensor_format, expect the follow values: ['npy', None]"
        )
    return options.get("tensor_format") == "npy"


def check_folder(folder: Any, name: str) -> Path:
    """Return the folder that a text names.

    Raises:
        TypeError: it is not a string.
        ValueError: it is blank.
    """
    if not isinstance(folder, str):
        raise TypeError(f"The {name} is invalid, the type should be string.")
    if not folder.strip():
        raise ValueError(f"The {name} is invalid, it should be non-blank.")
    return Path(folder).expanduser().resolve()


def _check_names(prefix: Any, suffix: Any) -> None:
    for part in (prefix, suffix):
        if not isinstance(part, str):
            raise TypeError(
                f"For 'SummaryRecord', `file_prefix` and `file_suffix`  should be str, but got type {type(part)}"
            )
        if not re.fullmatch(r"\w+[0-9a-zA-Z_.]*", part, re.ASCII):
            raise ValueError(f"The {part!r} is illegal, it must be match regular'^\\w+[0-9a-zA-Z\\_\\.]*$'.")


def _check_tensor(plugin: str, name: str, value: Any) -> None:
    instance(value, "value", "SummaryRecord", Tensor)
    if plugin == "scalar" and value.size != 1:
        raise ValueError(
            f'For "SummaryRecord", the scalar {name!r} must hold one number, but its shape is {value.shape}.'
        )
    if plugin == "image" and (value.ndim != 4 or value.shape[1] not in CHANNELS):
        raise ValueError('For "SummaryRecord", the tensor seems not to hold a valid image.')
