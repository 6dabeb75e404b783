"""An interrupted training continues."""

from pathlib import Path

import numpy as np
import pytest

from msbridge import dataset as ds
from msbridge import nn, train
from msbridge.train.callbacks import InternalCallbackParam


class Interruption(train.Callback):
    def on_train_epoch_end(self, run_context: train.RunContext) -> None:
        if run_context.original_args().cur_epoch_num == 2:
            raise KeyboardInterrupt


def model_of(network: nn.Cell) -> train.Model:
    return train.Model(network, nn.MSELoss(), nn.Momentum(network.trainable_params(), 0.1, 0.9))


def data() -> ds.Dataset:
    x = np.linspace(0, 1, 8, dtype=np.float32).reshape(4, 2)
    return ds.NumpySlicesDataset((x, x[:, :1]), ["x", "y"], shuffle=False).batch(2)


def test_what_was_left_is_loaded_and_removed_at_the_end(tmp_path: Path) -> None:
    first = nn.Dense(2, 1)
    with pytest.raises(KeyboardInterrupt):
        model_of(first).train(3, data(), callbacks=[train.BackupAndRestore(tmp_path / "new"), Interruption()])
    callback = train.BackupAndRestore(str(tmp_path / "new"), save_freq=5)
    assert Path(callback.backup_file).exists()
    second = nn.Dense(2, 1, weight_init="zeros")
    told = InternalCallbackParam(train_network=model_of(second).train_network)
    callback.on_train_begin(train.RunContext(told))
    np.testing.assert_array_equal(first.weight.asnumpy(), second.weight.asnumpy())
    model_of(second).train(1, data(), callbacks=callback)
    assert not Path(callback.backup_file).exists()


def test_the_file_stays_where_it_shall(tmp_path: Path) -> None:
    network = nn.Dense(2, 1)
    model_of(network).train(1, data(), callbacks=train.BackupAndRestore(tmp_path, "epoch", False))
    assert (tmp_path / "backup.ckpt").exists()


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="save_freq"):
        train.BackupAndRestore(tmp_path, 0)
    with pytest.raises(TypeError, match="delete_checkpoint"):
        train.BackupAndRestore(tmp_path, 1, 1)
    with pytest.raises(TypeError):
        train.BackupAndRestore(None)
