"""What MindSpore 2.10 says to fails or leaves open; the rest is recorded in tests/oracle/cases/sliced.py."""

import pytest
import torch

import msbridge as ms
from msbridge.converters import open_checkpoint
from msbridge.train.sliced.transforming import (
    _transform_safetensors,
    transform_safetensors_by_rank,
    transform_safetensors_by_stage,
)
from tests.train.helpers_slices import WHOLE, saved, strategy_file


def test_safetensors_of_one_rank_are_those_of_checkpoints(tmp_path):
    source, target = strategy_file(tmp_path / "four.ckpt", 4), strategy_file(tmp_path / "two.ckpt", 2)
    for suffix, transform in (
        ("ckpt", ms.transform_checkpoint_by_rank),
        ("safetensors", transform_safetensors_by_rank),
    ):
        files = {rank: saved(tmp_path / suffix, 4, suffix) / f"rank_{rank}" / f"net.{suffix}" for rank in range(4)}
        needed = {rank: files[rank] for rank in ms.rank_list_for_transform(1, source, target)}
        transform(1, needed, str(tmp_path / f"one.{suffix}"), source, target)
    with open_checkpoint(tmp_path / "one.ckpt") as one, open_checkpoint(tmp_path / "one.safetensors") as other:
        assert torch.equal(one["w"], other["w"])
        assert torch.equal(one["w"], WHOLE.chunk(2)[1])


@pytest.mark.parametrize(
    ("suffix", "transform"), [("ckpt", ms.transform_checkpoints), ("safetensors", _transform_safetensors)]
)
def test_four_parts_become_two_and_four_again(tmp_path, suffix, transform):
    four, two = strategy_file(tmp_path / "four.ckpt", 4), strategy_file(tmp_path / "two.ckpt", 2)
    transform(saved(tmp_path / "in", 4, suffix), str(tmp_path / "half"), "net", four, two)
    transform(tmp_path / "half", str(tmp_path / "back"), "net", two, four)
    for count, folder in ((2, "half"), (4, "back")):
        for rank, part in enumerate(WHOLE.chunk(count)):
            with open_checkpoint(tmp_path / folder / f"rank_{rank}" / f"net{rank}.{suffix}") as found:
                assert torch.equal(found["w"], part)


def test_safetensors_of_one_stage_become_parts(tmp_path):
    source, target = strategy_file(tmp_path / "four.ckpt", 4, stage=1), strategy_file(tmp_path / "two.ckpt", 2)
    folder = saved(tmp_path / "in", 4, "safetensors", first=4)
    transform_safetensors_by_stage(folder, str(tmp_path / "out"), "net", source, target)
    names = sorted(str(one.relative_to(tmp_path)) for one in tmp_path.glob("out/*/*"))
    assert names == [f"out/rank_{rank}/net{rank}_part1.safetensors" for rank in range(2)]
    with open_checkpoint(tmp_path / names[1]) as found:
        assert torch.equal(found["w"], WHOLE.chunk(2)[1])


def test_a_missing_rank_of_a_stage_is_named(tmp_path):
    source = strategy_file(tmp_path / "four.ckpt", 4, stage=1)
    folder = saved(tmp_path / "in", 3, "safetensors", first=4)
    with pytest.raises(ValueError, match="rank7 is needed"):
        transform_safetensors_by_stage(folder, str(tmp_path / "out"), "net", source)


@pytest.mark.parametrize("prefix", ["../net", "a/../b", "~net"])
def test_prefixes_that_lead_elsewhere_are_refused(tmp_path, prefix):
    source = strategy_file(tmp_path / "four.ckpt", 4)
    with pytest.raises(ValueError, match="not safe"):
        ms.transform_checkpoints(str(saved(tmp_path / "in", 4)), str(tmp_path / "out"), prefix, source)


def test_several_files_are_written_at_once(tmp_path):
    source, target = strategy_file(tmp_path / "four.ckpt", 4), strategy_file(tmp_path / "eight.ckpt", 8)
    ms.convert_checkpoints(str(saved(tmp_path / "in", 4)), str(tmp_path / "out"), "net", source, target, process_num=3)
    for rank in range(8):
        with open_checkpoint(tmp_path / "out" / f"rank_{rank}" / f"net{rank}.ckpt") as found:
            assert torch.equal(found["w"], WHOLE.chunk(8)[rank])


def test_a_strategy_that_was_read_once_is_taken(tmp_path):
    source = ms.build_searched_strategy(strategy_file(tmp_path / "four.ckpt", 4))
    assert ms.rank_list_for_convert(0, source) == [3, 2, 1, 0]
    ms.transform_checkpoints(str(saved(tmp_path / "in", 4)), str(tmp_path / "out"), "net", source)
    with open_checkpoint(tmp_path / "out" / "rank_0" / "net0.ckpt") as found:
        assert torch.equal(found["w"], WHOLE)
