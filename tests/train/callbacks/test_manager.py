"""Subclasses of ModelCheckpoint as public libraries write them: they replace `_save_ckpt` and use what is below it."""

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

import msbridge as ms
from msbridge import dataset as ds
from msbridge import nn, train
from msbridge.train.callbacks import CheckpointManager


class OwnCheckpoint(train.ModelCheckpoint):
    """Saves the trainable parameters only."""

    def _save_ckpt(self, cb_params: Any, force_to_save: bool = False) -> None:
        if cb_params.cur_step_num == self._last_triggered_step:
            return
        if self._need_flush_from_cache:
            self._flush_from_cache(cb_params)
        save_ckpt = self._check_save_ckpt(cb_params, force_to_save)
        step_num_in_epoch = int((cb_params.cur_step_num - 1) % cb_params.batch_num + 1)
        if save_ckpt:
            name = self._prefix + "-" + str(cb_params.cur_epoch_num) + "_" + str(step_num_in_epoch) + ".ckpt"
            self._manager.update_ckpoint_filelist(self._directory, self._prefix)
            if self._config.keep_checkpoint_max and 0 < self._config.keep_checkpoint_max <= self._manager.ckpoint_num:
                self._manager.remove_oldest_ckpoint_file()
            elif self._config.keep_checkpoint_per_n_minutes and self._config.keep_checkpoint_per_n_minutes > 0:
                self._cur_time_for_keep = time.time()
                if (self._cur_time_for_keep - self._last_time_for_keep) < 60:
                    self._manager.keep_one_ckpoint_per_minutes(1, self._cur_time_for_keep)
            self._last_time_for_keep = time.time()
            self._last_triggered_step = cb_params.cur_step_num
            self._append_dict_content(cb_params.cur_epoch_num, cb_params.cur_step_num)
            network = cb_params.train_network
            rows = [{"name": p.name, "data": p} for p in network.trainable_params()]
            cur_file = os.path.join(self._directory, name)  # noqa: PTH118
            ms.save_checkpoint(rows, cur_file, self._config.integrated_save, append_dict=self._append_dict)
            self._latest_ckpt_file_name = cur_file


def test_a_library_saves_in_its_own_way(tmp_path: Path) -> None:
    network = nn.Dense(2, 1)
    model = train.Model(network, nn.MSELoss(), nn.Momentum(network.trainable_params(), 0.1, 0.9))
    data = ds.NumpySlicesDataset((np.ones((4, 2), np.float32), np.ones((4, 1), np.float32)), ["x", "y"]).batch(1)
    config = train.CheckpointConfig(
        save_checkpoint_steps=2, keep_checkpoint_max=2, append_info=["epoch_num", "step_num"]
    )
    callback = OwnCheckpoint("own", str(tmp_path), config)
    model.train(2, data, callbacks=callback, dataset_sink_mode=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["own-2_2.ckpt", "own-2_4.ckpt"]
    saved = ms.load_checkpoint(callback.latest_ckpt_file_name)
    assert set(saved) >= {"weight", "bias", "epoch_num", "step_num"}
    assert (int(saved["epoch_num"]), int(saved["step_num"])) == (2, 8)
    assert callback._get_last_trigger_step == 8


def test_files_of_a_prefix_are_kept_in_number(tmp_path: Path) -> None:
    for number, name in enumerate(("a-1_1", "a-1_2", "a-2_1", "a_1-1_1", "a-x")):
        (tmp_path / f"{name}.ckpt").write_bytes(b"")
        os.utime(tmp_path / f"{name}.ckpt", (1000 + number, 1000 + number))
    manager = CheckpointManager()
    manager.update_ckpoint_filelist(tmp_path, "a")
    assert sorted(Path(name).stem for name in manager.ckpoint_filelist) == ["a-1_1", "a-1_2", "a-2_1"]
    manager.keep_one_ckpoint_per_minutes(1, 1060.5)  # the first is older than a minute; of the others the oldest stays
    assert sorted(Path(name).stem for name in manager.ckpoint_filelist) == ["a-1_1", "a-1_2"]
    manager.remove_oldest_ckpoint_file()
    assert (manager.ckpoint_num, (tmp_path / "a-1_1.ckpt").exists()) == (1, False)
