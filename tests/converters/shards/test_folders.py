"""Folders of ranks as one checkpoint. Judge: the tensors that were cut."""

from pathlib import Path

import pytest
import torch

from msbridge.converters import CheckpointError, convert, open_checkpoint
from msbridge.converters.formats import ckpt
from msbridge.converters.messages.node_strategy import ParallelStrategyMap
from msbridge.converters.shards.folders import last_numbers, open_slices, rank_files
from msbridge.converters.tensors.entry import entry

WHOLE = {"fc.weight": torch.arange(32.0).reshape(4, 8), "fc.bias": torch.arange(8).to(torch.bfloat16)}
AXES = {"fc.weight": [1, 0], "fc.bias": [0]}


@pytest.fixture
def run(tmp_path):
    """Return a folder of four ranks, and its strategy file."""
    strategy = ParallelStrategyMap(current_stage=0)
    for name, axes in AXES.items():
        one = strategy.parallel_layout_item.add(param_name=name).parallel_layouts
        one.dev_matrix.add(dim=[2, 2])
        one.tensor_map.add(dim=axes)
        one.field = one.opt_weight_shard_step = one.opt_weight_shard_size = 0
    (tmp_path / "strategy.ckpt").write_bytes(strategy.SerializeToString())
    for rank in range(4):
        row, column = divmod(rank, 2)
        values = {
            "fc.weight": WHOLE["fc.weight"].chunk(2, 0)[row].chunk(2, 1)[column],
            "fc.bias": WHOLE["fc.bias"].chunk(2)[column],
            "step": torch.tensor([7]),
        }
        folder = tmp_path / "run" / f"rank_{rank}"
        folder.mkdir(parents=True)
        ckpt.write(folder / "net-1_20.ckpt", [entry(name, value) for name, value in values.items()])
        ckpt.write(folder / "net-1_3.ckpt", [entry("old", torch.zeros(1))])
    return tmp_path / "run", tmp_path / "strategy.ckpt"


def test_slices_are_one_checkpoint(run):
    with open_slices(*run) as found:
        assert list(found) == ["fc.weight", "fc.bias", "step"]
        assert all(torch.equal(found[name], value) for name, value in WHOLE.items())
        assert found["fc.bias"].dtype is torch.bfloat16
        assert len(found.shards) == 4


def test_slices_are_converted(run, tmp_path):
    convert(run[0], tmp_path / "whole.safetensors", strategy=run[1])
    with open_checkpoint(tmp_path / "whole.safetensors") as found:
        assert torch.equal(found["fc.weight"], WHOLE["fc.weight"])


def test_without_a_strategy_it_is_asked_for(run, tmp_path):
    with pytest.raises(CheckpointError, match="strategy joins the slices"):
        convert(run[0], tmp_path / "whole.ckpt")


def test_missing_ranks_are_named(run):
    for file in (run[0] / "rank_2").iterdir():
        file.unlink()
    with pytest.raises(CheckpointError, match=r"ranks \[2\] are missing"):
        open_slices(*run)


def test_a_damaged_slice_leaves_no_file_open(run):
    (run[0] / "rank_0" / "net-1_20.ckpt").chmod(0o600)
    (run[0] / "rank_0" / "net-1_20.ckpt").write_bytes(b"\x0a\xff")
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(CheckpointError):
        open_slices(*run)
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


def test_a_folder_of_no_ranks_is_refused(tmp_path, run):
    with pytest.raises(CheckpointError, match="no folders rank_0"):
        open_slices(tmp_path / "strategies", run[1])


def test_of_several_files_the_last_step_is_taken(run):
    assert rank_files(run[0], "ckpt", order=last_numbers)[0].name == "net-1_20.ckpt"
    assert rank_files(run[0], "ckpt")[0].name == "net-1_3.ckpt"  # by name, as MindSpore does for .ckpt
    assert list(rank_files(run[0], "ckpt")) == [0, 1, 2, 3]


def test_other_folders_are_passed_over(run):
    for name in ("rank_x", "rank_1a", "rank_²", "rank_12345678901"):
        (run[0] / name).mkdir()
        ckpt.write(run[0] / name / "net.ckpt", [entry("x", torch.zeros(1))])
    assert len(rank_files(run[0], "ckpt")) == 4
