"""A callback that continues from where an interrupted training was."""

from pathlib import Path

from msbridge.core.checks.arguments import boolean, positive_int
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.train.checkpoint.loading import load_checkpoint
from msbridge.train.checkpoint.saving import save_checkpoint

__all__ = ["BackupAndRestore"]


class BackupAndRestore(Callback):
    """Saves the train network every `save_freq` epochs, and loads what an interrupted training has left of it.

    Args:
        backup_dir: the folder of `backup.ckpt`; it is made if need be.
        save_freq: "epoch", or how many epochs lie between two saves.
        delete_checkpoint: remove the file when the training has come to its end.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `save_freq` is not positive.

    Follows: mindspore.train.BackupAndRestore (2.10).
    """

    def __init__(self, backup_dir: StrPath, save_freq: str | int = "epoch", delete_checkpoint: bool = True) -> None:
        super().__init__()
        folder = Path(resolve(backup_dir)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        self.backup_file = str(folder / "backup.ckpt")
        self.save_freq = 1 if save_freq == "epoch" else positive_int(save_freq, "save_freq", None)
        self.delete_checkpoint = boolean(delete_checkpoint, "delete_checkpoint", None)

    def on_train_begin(self, run_context: RunContext) -> None:
        """Load the file, if there is one."""
        if Path(self.backup_file).exists():
            load_checkpoint(self.backup_file, net=run_context.original_args().train_network)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Save, when it is time."""
        cb_params = run_context.original_args()
        if cb_params.cur_epoch_num % self.save_freq == 0:
            save_checkpoint(cb_params.train_network, self.backup_file)

    def on_train_end(self, run_context: RunContext) -> None:
        """Remove the file, unless it is to stay."""
        if self.delete_checkpoint:
            Path(self.backup_file).unlink(missing_ok=True)
