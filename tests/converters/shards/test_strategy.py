"""Strategy files. What MindSpore makes of them is recorded in tests/oracle; here are damaged and hostile ones."""

import contextlib
import json
import random

import pytest

from msbridge.converters.errors import CheckpointError
from msbridge.converters.messages.node_strategy import ParallelStrategyMap
from msbridge.converters.shards import strategy
from msbridge.converters.shards.strategy import StrategyError, layouts, read_strategy, stage_count

ITEM = {"dev_matrix": [2, 2], "tensor_map": [1, 0], "field": 0, "opt_weight_shard_step": 0, "opt_weight_shard_size": 0}


def message(names: tuple[str, ...] = ("w",), stage: int = 0, **values: object) -> ParallelStrategyMap:
    made = ParallelStrategyMap(current_stage=stage)
    made.parallel_strategy_item.add(node_name="op", parallel_strategys={"stage": stage})
    for name in names:
        one = made.parallel_layout_item.add(param_name=name).parallel_layouts
        one.dev_matrix.add(dim=values.get("devices", [2, 2]))
        one.tensor_map.add(dim=values.get("axes", [1, 0]))
        one.field = one.opt_weight_shard_step = one.opt_weight_shard_size = 0
    return made


@pytest.mark.parametrize("seed", range(4))
def test_damaged_protobuf_is_read_or_refused(tmp_path, seed):
    rng, path = random.Random(seed), tmp_path / "s.ckpt"
    whole = message(("0-a.weight", "1-a.weight", "1-b")).SerializeToString()
    for _ in range(100):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data[: rng.choice([len(data), rng.randrange(len(data))])])
        with contextlib.suppress(ValueError):
            assert stage_count(read_strategy(path)) <= len(layouts(read_strategy(path))) + 1


JSONS = [
    "[]",
    "5",
    '{"parallel_layout_item": []}',
    '{"parallel_layout_item": {"w": 5}}',
    '{"parallel_layout_item": {"w": {}}}',
    *(
        json.dumps({"parallel_layout_item": {"w": ITEM | {key: value}}})
        for key in ITEM
        for value in (None, "a", 1 << 70, [[["a"]]])
    ),
    '{"parallel_layout_item": {"w": {}, "w": {}}}',
    "[" * 100_000,
    "\xff",
]


@pytest.mark.parametrize("text", JSONS, ids=range(len(JSONS)))
def test_wrong_json_is_refused(tmp_path, text):
    path = tmp_path / "s.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ValueError):  # noqa: PT011  each says something else
        layouts(read_strategy(path))


def test_what_is_no_protobuf_is_mindspores_error_too(tmp_path):
    path = tmp_path / "s.ckpt"
    path.write_bytes(b"no message")
    with pytest.raises(TypeError, match="not a strategy file") as caught:
        read_strategy(path)
    assert isinstance(caught.value, StrategyError | ValueError)


def test_long_files_are_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(strategy, "MAX_BYTES", 10)
    for name in ("s.ckpt", "s.json"):
        (tmp_path / name).write_bytes(b" " * 11)
        with pytest.raises(CheckpointError, match="at most 10"):
            read_strategy(tmp_path / name)


def test_impossible_layouts_name_the_parameter():
    for values in ({"devices": [1 << 31, 1 << 31]}, {"axes": [7]}, {"devices": []}, {"axes": [0, 0]}):
        found = {one.param_name: one.parallel_layouts for one in message(**values).parallel_layout_item}
        with pytest.raises(CheckpointError, match="'w' is impossible"):
            layouts(found)


def test_a_shared_parameter_is_cut_as_the_ranks_stage_says():
    first, second = message(), message(devices=[4, 1])
    both = {
        "0-w": first.parallel_layout_item[0].parallel_layouts,
        "1-w": second.parallel_layout_item[0].parallel_layouts,
    }
    assert layouts(both)["w"].devices == layouts(both, 0)["w"].devices == (2, 2)
    assert layouts(both, 5)["w"].devices == (4, 1)
    assert layouts(both)["w"].stages == (0, 1)
    assert stage_count(both) == 2


def test_a_missing_stage_is_named():
    with pytest.raises(CheckpointError, match="all stages"):
        stage_count({"1-w": message().parallel_layout_item[0].parallel_layouts})


def test_merging_fails_without_a_trace(tmp_path):
    (tmp_path / "a.ckpt").write_bytes(message().SerializeToString())
    (tmp_path / "b.ckpt").write_bytes(b"\xff")
    with pytest.raises(StrategyError):
        strategy.merge([tmp_path / "a.ckpt", tmp_path / "b.ckpt"], tmp_path / "all.ckpt")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.ckpt", "b.ckpt"]
