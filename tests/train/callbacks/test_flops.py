"""Operations are counted once, and compared with the peak."""

from pathlib import Path

import numpy as np
import pytest

from msbridge import dataset as ds
from msbridge import nn, train


def run_with(callback: train.Callback) -> None:
    x, y = np.ones((64, 10), np.float32), np.zeros(64, np.int32)
    network = nn.Dense(10, 5)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = train.Model(network, loss, nn.Momentum(network.trainable_params(), 0.01, 0.9))
    data = ds.NumpySlicesDataset({"x": x, "y": y}).batch(32)
    model.train(2, data, callbacks=[callback], dataset_sink_mode=False)


def test_the_operations_of_a_step(capsys: pytest.CaptureFixture[str]) -> None:
    run_with(train.FlopsUtilizationCollector(2, computility=10e6))
    lines = capsys.readouterr().out.splitlines()
    parts = ("Full model", "Full hardware", "Shard model", "Shard hardware")
    assert lines[0] == ", ".join(f"{part} flops is 6400" for part in parts) + "."  # as MindSpore's documentation says
    assert len(lines) == 3  # the first step of each epoch
    assert all(line.startswith("Train per step time: ") and line.count("%") == 2 for line in lines[1:])


def test_files_for_a_cloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("MA_LOG_DIR", str(tmp_path))
    run_with(train.FlopsUtilizationCollector(2, enable_ma_collector=True))
    assert capsys.readouterr().out == ""
    assert 'flops{type="model_flops", rank_id="0"} 6400 ' in (tmp_path / "flops_rank_0.txt").read_text()
    assert "per_step_time" in (tmp_path / "time_step_rank_0.txt").read_text()


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="data_size"):
        train.FlopsUtilizationCollector(0)
    with pytest.raises(TypeError, match="full_flops"):
        train.FlopsUtilizationCollector(1, full_flops=1)
