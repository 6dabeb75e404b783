"""Whole folders resharded. What MindSpore makes of them is recorded in tests/oracle; here is how it is done."""

import weakref

import pytest
import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.messages.node_strategy import ParallelLayouts
from msbridge.converters.shards.resharding import Transform, open_checkpoints, write
from msbridge.converters.tensors.entry import entry

COUNT, ROWS = 8, 1 << 16


def strategy(devices: int, axis: int = 0) -> dict[str, ParallelLayouts]:
    found = {}
    for number in range(COUNT):
        one = ParallelLayouts(field=0, opt_weight_shard_step=0, opt_weight_shard_size=0)
        one.dev_matrix.add(dim=[devices])
        one.tensor_map.add(dim=[-1, 0] if axis else [0, -1])
        found[f"w{number}"] = one
    return found


def save(folder, ranks: int) -> dict:
    files = {}
    for rank in range(ranks):
        files[rank] = folder / f"{rank}.ckpt"
        values = [torch.arange(ROWS * 8).reshape(ROWS, 8).chunk(ranks, 0)[rank] + number for number in range(COUNT)]
        write(files[rank], [entry(f"w{number}", value) for number, value in enumerate(values)])
    return files


def test_one_tensor_at_a_time_is_in_memory(tmp_path, monkeypatch):
    made: list[weakref.ref] = []
    alive: list[int] = []
    original = torch.empty

    def counted(*shape, **options):
        value = original(*shape, **options)
        made.append(weakref.ref(value))
        alive.append(sum(one() is not None for one in made))
        return value

    with open_checkpoints(save(tmp_path, 4)) as checkpoints:
        monkeypatch.setattr("torch.empty", counted)
        entries = Transform(strategy(4), strategy(2, 1)).entries(1, checkpoints)
        assert made == []
        write(tmp_path / "new.ckpt", entries)
    assert max(alive) <= 2  # a tensor, and a slice of it where that is not aligned in its file


def test_a_folder_comes_back_bit_for_bit(tmp_path):
    files = save(tmp_path, 4)
    middle, back = {}, {}
    for made, sources, one, other, count in (
        (middle, files, strategy(4), strategy(2, 1), 2),
        (back, middle, strategy(2, 1), strategy(4), 4),
    ):
        work = Transform(one, other)
        for rank in range(count):
            made[rank] = tmp_path / f"{count}-{rank}-new.ckpt"
            with open_checkpoints({number: sources[number] for number in work.list_source_ranks(rank)}) as checkpoints:
                write(made[rank], work.entries(rank, checkpoints))
    assert all(back[rank].read_bytes() == files[rank].read_bytes() for rank in files)


def test_a_missing_slice_leaves_the_old_file(tmp_path):
    files = save(tmp_path, 4)
    del files[3]
    target = tmp_path / "whole.ckpt"
    target.write_bytes(b"old")
    work = Transform(strategy(4), None)
    with open_checkpoints(files) as checkpoints, pytest.raises(CheckpointError, match="rank \\[3\\] is missing"):
        write(target, work.entries(0, checkpoints))
    assert target.read_bytes() == b"old"


def test_strategies_of_other_networks_are_refused(tmp_path):
    other = {f"x{number}": one for number, one in enumerate(strategy(4).values())}
    with (
        open_checkpoints(save(tmp_path, 4)) as checkpoints,
        pytest.raises(CheckpointError, match="None of the parameters"),
    ):
        Transform(other, None).entries(0, checkpoints)


def test_an_empty_strategy_is_refused():
    with pytest.raises(CheckpointError, match="names no parameter"):
        Transform({}, None)
