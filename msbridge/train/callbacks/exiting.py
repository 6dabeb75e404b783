"""A callback that ends a run when the process is asked to."""

import json
import signal
import warnings
from pathlib import Path
from types import FrameType
from typing import Any

from msbridge.core.context.context import get_context
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.nn.cell.cell import Cell
from msbridge.nn.steps.wrappers import TrainOneStepCell
from msbridge.train.checkpoint.loading import load_checkpoint
from msbridge.train.checkpoint.saving import check_parameter, save_checkpoint
from msbridge.train.export import export

__all__ = ["OnRequestExit"]

KEY = "GracefulExit"  # set to 1 in `config_file`, it asks as the signal does


class OnRequestExit(Callback):
    """Ends a training or evaluation after the step in which a signal came, and saves the network for a later run.

    Args:
        save_ckpt: save the network as `DIRECTORY/rank_DEVICE/FILE_train.ckpt`, or `FILE_eval.ckpt`.
        save_mindir: write the network with its loss beside it, in inference mode, as `FILE_train.mindir` or
            `FILE_eval.mindir`; a network that has no such form is warned of.
        file_name: FILE.
        directory: DIRECTORY; None is the current folder.
        config_file: a JSON file, which is looked at before each step of training; with `"GracefulExit": 1` in it, the
            run ends as if by the signal.
        sig: the signal.

    Raises:
        ValueError: an argument is of another type, or `sig` is SIGKILL, which no process hears.

    Follows: mindspore.train.OnRequestExit (2.10), whose training continues to its end unless the environment has
    MS_ENABLE_GRACEFUL_EXIT; here it ends as the documentation says. Its `FILE_train.mindir` holds the whole training
    step, whose updates of parameters are not written here.
    """

    def __init__(
        self,
        save_ckpt: bool = True,
        save_mindir: bool = True,
        file_name: str = "Net",
        directory: StrPath | None = "./",
        config_file: StrPath | None = None,
        sig: int = signal.SIGTERM,
    ) -> None:
        super().__init__()
        for name, value, kind in (
            ("save_ckpt", save_ckpt, bool),
            ("save_mindir", save_mindir, bool),
            ("sig", sig, int),
        ):
            check_parameter(name, value, kind)
        self.save_ckpt, self.save_mindir, self.sig = save_ckpt, save_mindir, sig
        if sig == getattr(signal, "SIGKILL", None):
            raise ValueError("Not support send exit request by signal SIGKILL.")
        self.exit = False
        self.remote_config_file = config_file
        self._before: Any = None
        self.train_name = self.eval_name = ""
        if save_ckpt or save_mindir:
            folder = Path(resolve(directory or ".")) / f"rank_{get_context('device_id')}"
            folder.mkdir(parents=True, exist_ok=True)
            self.train_name, self.eval_name = (str(folder / f"{file_name}_{phase}") for phase in ("train", "eval"))

    def on_train_begin(self, run_context: RunContext) -> None:
        """Listen, and load what an earlier run has saved."""
        self._listen()
        if self.save_ckpt:
            _load(run_context.original_args().train_network, self.train_name)

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Look at the configuration file."""
        self.exit = self.exit or self._is_asked_by_file()

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Stop, if asked to."""
        if self.exit:
            run_context.request_stop()

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Stop, if asked to."""
        self.on_train_step_end(run_context)

    def on_train_end(self, run_context: RunContext) -> None:
        """Save the network, if asked to stop."""
        self._listen_no_more()
        if self.exit:
            cb_params = run_context.original_args()
            self._save(cb_params.train_network, cb_params.get("train_dataset_element"), self.train_name)

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Listen, and load what an earlier run has saved, unless the evaluation is part of a training."""
        cb_params = run_context.original_args()
        if "cur_epoch_num" in cb_params:
            return
        self._listen()
        if self.save_ckpt and not _load(cb_params.eval_network, self.eval_name):
            _load(cb_params.eval_network, self.train_name)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Stop, if asked to."""
        if self.exit:
            run_context.request_stop()

    def on_eval_end(self, run_context: RunContext) -> None:
        """Save the network, if asked to stop an evaluation that is not part of a training."""
        cb_params = run_context.original_args()
        if "cur_epoch_num" in cb_params:
            return
        self._listen_no_more()
        if self.exit:
            self._save(cb_params.eval_network, cb_params.get("eval_dataset_element"), self.eval_name)

    def _save(self, network: Cell, inputs: Any, name: str) -> None:
        if self.save_ckpt:
            save_checkpoint(network, name)
        if self.save_mindir and inputs is not None:
            _write_mindir(network, inputs, name)

    def _handle_signal(self, signum: int, frame: FrameType | None) -> None:
        self.exit = True

    def _listen(self) -> None:
        self._before = signal.signal(self.sig, self._handle_signal)

    def _listen_no_more(self) -> None:
        if self._before is not None:
            signal.signal(self.sig, self._before)
            self._before = None

    def _is_asked_by_file(self) -> bool:
        if self.remote_config_file is None:
            return False
        try:
            found = json.loads(Path(self.remote_config_file).read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):  # it may be written at this moment
            return False
        return isinstance(found, dict) and found.get(KEY) == 1


def _load(network: Cell, name: str) -> bool:
    """Load a file into a network, if there is one; return whether there is."""
    is_there = Path(f"{name}.ckpt").is_file()
    if is_there:
        load_checkpoint(f"{name}.ckpt", net=network)
    return is_there


def _write_mindir(network: Cell, inputs: Any, name: str) -> None:
    """Write what a network returns for a batch; of a training step, its loss."""
    if isinstance(network, TrainOneStepCell):
        network = network.network
    modes = [(cell, cell.training) for _, cell in network.cells_and_names()]
    network.set_train(False)
    try:
        export(network, *inputs, file_name=name, file_format="MINDIR")
    except RuntimeError as error:
        warnings.warn(f"OnRequestExit cannot write {name}.mindir: {error}", stacklevel=2)
    finally:
        for cell, mode in modes:
            cell.training = mode
