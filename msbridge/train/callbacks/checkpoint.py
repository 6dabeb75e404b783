"""A callback that saves checkpoints, and its settings."""

import os
import re
import time
import warnings
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any

from msbridge.converters.files.temporary_files import remove_leftovers
from msbridge.core.checks.arguments import boolean, instance, non_negative_int, one_of
from msbridge.core.checks.no_effect_warnings import without_meaning
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.train.callbacks.manager import CheckpointManager
from msbridge.train.checkpoint import background_saving
from msbridge.train.checkpoint.saving import writing
from msbridge.train.loop.resuming import ENTRY, RandomState

BREAKPOINT = "_breakpoint"  # how the names end of what an exception has saved; such files all stay
_RUN_VALUES = {"epoch_num": "cur_epoch_num", "step_num": "cur_step_num"}
Named = str | Callable[[Any], str]


def _setting(name: str, doc: str) -> Any:
    """Return the property that reads what is kept under this name with an underscore."""
    return property(attrgetter(f"_{name}"), doc=doc)


class CheckpointConfig:
    """The settings of checkpoints: when they are saved, how many are kept, and what is in them.

    Args:
        save_checkpoint_steps: save every so many steps.
        save_checkpoint_seconds: save every so many seconds; counts only without `save_checkpoint_steps`.
        keep_checkpoint_max: how many are kept, the newest. An older one goes when the new one is complete.
        keep_checkpoint_per_n_minutes: of those of the last so many minutes before a save, keep the oldest; counts only
            without `keep_checkpoint_max`. With neither, one is kept.
        integrated_save: MindSpore's parallel modes save whole parameters; only they are here.
        async_save: write in a thread; what fails there is raised at the next save or at the end of the training.
        saved_network: what to save instead of the train network.
        append_info: what else goes in: "epoch_num", "step_num", and at most one dict of numbers, texts and Tensors. The
            run's epoch and step are added to what the dict has under these names. With one of them the checkpoint holds
            the random state, too, so that training continues exactly (see docs/resume.md).
        enc_key: encrypt with this key.
        enc_mode: how to encrypt.
        exception_save: save when the training ends by an error, too.
        crc_check: append a checksum.
        remove_redundancy: MindSpore's parallel modes leave out doubles; a single process has none.
        format: "ckpt" or "safetensors".
        kwargs: nothing; MindSpore takes every further keyword, a warning names them here.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is negative, all four conditions are None or 0, `async_save` is another text, or
            `append_info` asks for something else.

    Examples:
        >>> config = ms.CheckpointConfig(save_checkpoint_steps=100, keep_checkpoint_max=3)
        >>> config.save_checkpoint_steps, config.keep_checkpoint_max
        (100, 3)

    Follows: mindspore.train.CheckpointConfig (2.10).
    """

    def __init__(
        self,
        save_checkpoint_steps: int | None = 1,
        save_checkpoint_seconds: int | None = 0,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_per_n_minutes: int | None = 0,
        integrated_save: bool = True,
        async_save: bool | str = False,
        saved_network: Cell | None = None,
        append_info: list[Any] | None = None,
        enc_key: bytes | None = None,
        enc_mode: str = "AES-GCM",
        exception_save: bool = False,
        crc_check: bool = False,
        remove_redundancy: bool = False,
        format: str = "ckpt",
        **kwargs: Any,
    ) -> None:
        without_meaning("CheckpointConfig", kwargs)
        conditions = {
            "save_checkpoint_steps": save_checkpoint_steps,
            "save_checkpoint_seconds": save_checkpoint_seconds,
            "keep_checkpoint_max": keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": keep_checkpoint_per_n_minutes,
        }
        for name, value in conditions.items():
            if value is not None:
                non_negative_int(value, name, "CheckpointConfig")
        if not any(conditions.values()):
            raise ValueError(
                f"For 'CheckpointConfig', the input arguments {', '.join(map(repr, conditions))} "
                "can't be all None or 0."
            )
        instance(async_save, "async_save", "save_checkpoint", (bool, str))
        instance(saved_network, "saved_network", "CheckpointConfig", (Cell, type(None)))
        if enc_key is not None and not isinstance(enc_key, bytes):
            raise ValueError(f"The parameter 'enc_key' must be bytes or None, but got {enc_key!r}.")
        if isinstance(async_save, str) and async_save not in ("process", "thread"):
            raise ValueError(
                f"For 'CheckpointConfig', async_save must be a bool, 'process' or 'thread', got {async_save!r}."
            )
        self._save_checkpoint_steps = save_checkpoint_steps
        self._save_checkpoint_seconds = None if save_checkpoint_steps else save_checkpoint_seconds
        self._keep_checkpoint_max = keep_checkpoint_max if keep_checkpoint_max or keep_checkpoint_per_n_minutes else 1
        self._keep_checkpoint_per_n_minutes = None if keep_checkpoint_max else keep_checkpoint_per_n_minutes
        self._integrated_save = boolean(integrated_save, "integrated_save", "CheckpointConfig")
        self._async_save = async_save
        self._saved_network = saved_network
        self._enc_key = enc_key
        self._enc_mode = enc_mode
        self.exception_save = boolean(exception_save, "exception_save", "CheckpointConfig")
        self.enable_redundance = False  # of MindSpore's exchange of slices between devices
        self._crc_check = boolean(crc_check, "crc_check", "CheckpointConfig")
        self.remove_redundancy = boolean(remove_redundancy, "remove_redundancy", "CheckpointConfig")
        self._format = format
        self._append_dict = self._handle_append_info(append_info)

    @staticmethod
    def _handle_append_info(append_info: Any) -> dict[str, Any] | None:
        return _read_append_info(append_info)

    save_checkpoint_steps = _setting("save_checkpoint_steps", "After how many steps a checkpoint is saved, or None.")
    save_checkpoint_seconds = _setting("save_checkpoint_seconds", "After how many seconds one is saved, or None.")
    keep_checkpoint_max = _setting("keep_checkpoint_max", "How many files are kept, or None.")
    keep_checkpoint_per_n_minutes = _setting(
        "keep_checkpoint_per_n_minutes", "Of how many minutes one file is kept, or None."
    )
    integrated_save = _setting("integrated_save", "Whether parameters are saved whole.")
    async_save = _setting("async_save", "Whether a thread writes: a bool, 'process' or 'thread'.")
    saved_network = _setting("saved_network", "What is saved instead of the train network, or None.")
    enc_key = _setting("enc_key", "The key of the encryption, or None.")
    enc_mode = _setting("enc_mode", "How files are encrypted.")
    crc_check = _setting("crc_check", "Whether files end with a checksum.")
    format = _setting("format", "What files are written: 'ckpt' or 'safetensors'.")
    append_dict = _setting("append_dict", "What is saved besides parameters, by name, or None.")

    @property
    def map_param_inc(self) -> bool:
        """Whether hash tables are saved by their changes: they are saved whole."""
        return False

    def get_checkpoint_policy(self) -> dict[str, Any]:
        """Return the conditions by name.

        Returns:
            A dict: the numbers of steps, seconds and files that the constructor was given.

        Follows: mindspore.train.CheckpointConfig.get_checkpoint_policy (2.10).
        """
        return {
            "save_checkpoint_steps": self.save_checkpoint_steps,
            "save_checkpoint_seconds": self.save_checkpoint_seconds,
            "keep_checkpoint_max": self.keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": self.keep_checkpoint_per_n_minutes,
            "saved_network": self.saved_network,
        }

    def append_values(self, cb_params: Any) -> dict[str, Any] | None:
        """Return the values of a checkpoint besides parameters; with the position of the run, its random state.

        Args:
            cb_params: the parameters of the run.

        Returns:
            A dict of what `append_info` names, or None.
        """
        if not self.append_dict:
            return None
        values = dict(self.append_dict)
        position = values.keys() & _RUN_VALUES.keys()
        for name in position:
            values[name] += cb_params[_RUN_VALUES[name]]
        return values | {ENTRY: RandomState.now(getattr(cb_params, "data_seed", None)).entry()} if position else values


def _read_append_info(append_info: Any) -> dict[str, Any] | None:
    """Return the appended values by name; the run's epoch and step are added to the numbers given for them."""
    if not append_info and isinstance(append_info, list | None):
        return None
    instance(append_info, "append_info", "CheckpointConfig", list)
    numbers: dict[str, Any] = {name: 0 for name in _RUN_VALUES if name in append_info}
    values: dict[str, Any] | None = None
    for element in append_info:
        if isinstance(element, str):
            one_of(element, "element", "CheckpointConfig", _RUN_VALUES)
        elif not isinstance(element, dict):
            raise TypeError(
                "For 'CheckpointConfig', the type of 'append_info' element must be str or dict,"
                f"but got {type(element)}."
            )
        elif values is not None:
            raise TypeError("For 'CheckpointConfig', the element of 'append_info' must has only one dict.")
        else:
            values = element
            for key, value in element.items():
                if not isinstance(key, str) or not isinstance(value, int | float | bool | str | Tensor):
                    raise TypeError(
                        "For 'CheckpointConfig', the key type of the dict 'append_info' must be string, the value type "
                        f"must be int or float or bool, but got key type {type(key)}, value type {type(value)}"
                    )
    return numbers | (values or {})


class ModelCheckpoint(Callback):
    """Saves the train network as `PREFIX-EPOCH_STEP.ckpt`, and the last step always.

    Where the folder has files of the prefix from earlier runs, the prefix becomes `PREFIX_1`, and so on. Only what this
    object has saved is ever removed, and of that only what has a name of this form: names by a function all stay.

    Args:
        prefix: beginning of the files' names, or a function of the run's parameters that returns the whole name.
        directory: where to save, or a function of the run's parameters that returns it; None is the current folder.
        config: when and what; None is `CheckpointConfig()`.

    Raises:
        ValueError: `prefix` has a "/", or is neither string nor function.
        TypeError: `directory` or `config` has the wrong type.
        OSError: `directory` cannot be created.

    Examples:
        >>> rows = [(np.float32([x]), np.float32([x])) for x in range(4)]
        >>> net = nn.Dense(1, 1)
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
        >>> saving = ms.ModelCheckpoint("line", directory="saved", config=ms.CheckpointConfig(2))
        >>> model.train(1, ds.GeneratorDataset(rows, ["x", "y"]).batch(1), [saving])
        >>> sorted(os.listdir("saved"))
        ['line-1_2.ckpt', 'line-1_4.ckpt']

    Follows: mindspore.train.ModelCheckpoint (2.10).
    """

    def __init__(
        self, prefix: Named = "CKP", directory: Named | None = None, config: CheckpointConfig | None = None
    ) -> None:
        super().__init__()
        if not callable(prefix) and (not isinstance(prefix, str) or "/" in prefix):
            raise ValueError(
                "For 'ModelCheckpoint', the argument 'prefix' for checkpoint file name is invalid, it must be callable "
                f"or string that does not contain '/', but got {prefix}."
            )
        if directory is not None and not callable(directory) and not isinstance(directory, str | os.PathLike):
            raise TypeError("The path is invalid, the type should be string.")
        instance(config, "config", "ModelCheckpoint", (CheckpointConfig, type(None)))
        self._given_prefix = self._prefix = prefix
        self._directory = directory if callable(directory) else _folder(directory)
        self._config = config or CheckpointConfig()
        self._saved: list[tuple[Path, float]] = []
        self._last_triggered_step = 0
        self._last_time_s = time.monotonic()
        self._latest_ckpt_file_name = ""
        self._cb_params: Any = None
        self._manager = CheckpointManager(self._config.format)
        self._need_flush_from_cache = True
        self._append_dict: dict[str, Any] = dict(self._config.append_dict or {})
        self._append_epoch_num = self._append_dict.get("epoch_num", 0)
        self._append_step_num = self._append_dict.get("step_num", 0)
        self._init_time = self._last_time = self._last_time_for_keep = time.time()
        if isinstance(self._directory, Path):
            self._directory.mkdir(parents=True, exist_ok=True)
            if isinstance(prefix, str):
                self._prefix = free_prefix(self._directory, prefix)

    @property
    def latest_ckpt_file_name(self) -> str:
        """The absolute path of the file saved last, when it is complete; empty before."""
        return self._latest_ckpt_file_name

    @property
    def _get_save_checkpoint_steps(self) -> Any:
        return self._config.save_checkpoint_steps

    @property
    def _get_last_trigger_step(self) -> int:
        return self._last_triggered_step

    def begin(self, run_context: RunContext) -> None:
        """Start counting steps and seconds, and create the folder, without what killed runs have left there."""
        self._last_triggered_step = 0
        self._last_time_s = time.monotonic()
        if isinstance(self._directory, Path):
            self._directory.mkdir(parents=True, exist_ok=True)
            if isinstance(self._given_prefix, str):
                pattern = _pattern(self._given_prefix)
                remove_leftovers(self._directory, lambda name: pattern.match(name) is not None)

    def step_end(self, run_context: RunContext) -> None:
        """Save when it is time."""
        self._cb_params = run_context.original_args()
        self._save_ckpt(self._cb_params)

    def end(self, run_context: RunContext) -> None:
        """Save the last step, if it is not saved already, and wait until all is written.

        Raises:
            OSError: a file could not be written, this one or an earlier one in a thread.
        """
        cb_params = run_context.original_args()
        self._save_ckpt(cb_params, True)
        self._cb_params = None
        background_saving.wait()
        background_saving.raise_failure()

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Save nothing while evaluating."""

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Save nothing while evaluating."""

    def on_eval_end(self, run_context: RunContext) -> None:
        """Save nothing while evaluating."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None and self._config.exception_save and self._cb_params is not None:
            self._save_breakpoint(self._cb_params)
        self._cb_params = None

    # What follows has MindSpore's names: public subclasses call, read and replace it.

    def _check_save_ckpt(self, cb_params: Any, force_to_save: bool) -> bool:
        """Whether it is time to save."""
        if force_to_save:
            return bool(self._config.save_checkpoint_steps or self._config.save_checkpoint_seconds)
        if self._config.save_checkpoint_steps:
            return bool(cb_params.cur_step_num >= self._last_triggered_step + self._config.save_checkpoint_steps)
        seconds = self._config.save_checkpoint_seconds
        return bool(seconds) and time.monotonic() - self._last_time_s > seconds

    def _append_dict_content(self, epoch_num: int, step_num: int) -> None:
        """Set the epoch and the step of what is appended to a checkpoint."""
        position = {"epoch_num": self._append_epoch_num + epoch_num, "step_num": self._append_step_num + step_num}
        self._append_dict |= {name: value for name, value in position.items() if name in self._append_dict}

    def _flush_from_cache(self, cb_params: Any) -> None:
        """Do nothing: no Parameter is kept in a cache of a server."""
        self._need_flush_from_cache = False

    def _save_ckpt(self, cb_params: Any, force_to_save: bool = False) -> None:
        """Save when it is time, or forced; no step twice."""
        step = cb_params.cur_step_num
        if not step or step == self._last_triggered_step or not self._check_save_ckpt(cb_params, force_to_save):
            return
        folder = self._folder(cb_params)
        name = self._prefix(cb_params) if callable(self._prefix) else f"{self._prefix}-{_step(cb_params)}"
        path, began_s = folder / f"{name}.{self._config.format}", time.monotonic()
        self._last_triggered_step, self._last_time_s = step, began_s
        self._write(path, cb_params, then=lambda: self._remove_surplus(path, began_s))
        background_saving.raise_failure(but_last=bool(self._config.async_save))

    def _save_breakpoint(self, cb_params: Any) -> None:
        folder, prefix = self._folder(cb_params), self._given_prefix
        if callable(prefix):
            name = prefix(cb_params)
        else:
            name = f"{free_prefix(folder, prefix, BREAKPOINT)}-{_step(cb_params)}"
        self._write(folder / f"{name}{BREAKPOINT}.{self._config.format}", cb_params)

    def _write(self, path: Path, cb_params: Any, then: Callable[[], None] | None = None) -> None:
        config = self._config
        _, write = writing(
            config.saved_network or cb_params.train_network,
            path,
            config.integrated_save,
            config.async_save,
            config.append_values(cb_params),
            config.enc_key,
            config.enc_mode,
            None,
            config.crc_check,
            config.format,
        )
        background_saving.perform(str(path), write, in_thread=bool(config.async_save), then=then)

    def _folder(self, cb_params: Any) -> Path:
        folder = self._directory(cb_params) if callable(self._directory) else self._directory
        folder = _folder(folder)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _remove_surplus(self, path: Path, began_s: float) -> None:
        """Remove what is not to be kept beside a file that is complete now. Runs in the thread that has written it."""
        self._latest_ckpt_file_name = str(path)
        if callable(self._prefix):
            return
        others = [(other, at_s) for other, at_s in self._saved if other != path and other.exists()]
        self._saved = [*others, (path, time.monotonic())]
        for surplus in self._surplus([one for one in others if one[0].parent == path.parent], began_s):
            self._saved.remove(surplus)
            try:
                surplus[0].unlink(missing_ok=True)
            except OSError as error:
                warnings.warn(f"An older checkpoint could not be removed: {error}", stacklevel=2)

    def _surplus(self, others: list[tuple[Path, float]], began_s: float) -> list[tuple[Path, float]]:
        """Return those of the older files that are not to be kept beside the one whose saving began at this time."""
        minutes = self._config.keep_checkpoint_per_n_minutes
        if self._config.keep_checkpoint_max:
            return others[: max(len(others) + 1 - self._config.keep_checkpoint_max, 0)]
        if minutes:
            return [one for one in others if began_s - one[1] < minutes * 60][1:]
        return []


def _folder(directory: str | os.PathLike[str] | None) -> Path:
    return Path(resolve(directory) if directory is not None else ".").absolute()


def _step(cb_params: Any) -> str:
    return f"{cb_params.cur_epoch_num}_{(cb_params.cur_step_num - 1) % cb_params.batch_num + 1}"


def _pattern(prefix: str) -> re.Pattern[str]:
    """Return the pattern of the names of a prefix's files, with the number behind the prefix as their group."""
    return re.compile(rf"{re.escape(prefix)}(?:_(\d+))?-\d+_\d+(?:{BREAKPOINT})?\.(?:ckpt|safetensors)$")


def free_prefix(folder: StrPath, prefix: str, ending: str = "") -> str:
    """Return the prefix, with a number behind it where the folder has files of it already.

    Args:
        folder: where to look.
        prefix: the prefix.
        ending: how the names of the files end; those of another ending do not count.
    """
    # As MindSpore: any character but a letter may come before the number, and anything behind it.
    pattern = re.compile(rf"{re.escape(prefix)}(?:(?!-)[\W\d_](\d+))?-.*")
    names = [path.stem for path in Path(folder).iterdir() if path.suffix in (".ckpt", ".safetensors")]
    matches = [pattern.fullmatch(name) for name in names if name.endswith(BREAKPOINT) == (ending == BREAKPOINT)]
    numbers = [int(match[1] or 0) for match in matches if match]
    return f"{prefix}_{max(numbers) + 1}" if numbers else prefix
