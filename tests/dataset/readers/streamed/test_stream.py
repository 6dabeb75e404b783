"""What readers of streams share: shards, random order, memory, and continuing in the middle."""

import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import msbridge.dataset as ds
from msbridge.dataset.engine.nodes import prepare
from tests.dataset.pipelines import column


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, count in (("a", 50), ("b", 20), ("c", 70)):
        (tmp_path / name).write_text("".join(f"{name}{number}\n" for number in range(count)))
    return [str(tmp_path / name) for name in "abc"]


def texts(data: Any) -> list[str]:
    return column(data, "text")


def test_each_epoch_has_an_order_of_its_own_and_a_seed_repeats_them(files: list[str], seeded: None) -> None:
    def epochs() -> list[list[str]]:
        iterator = ds.TextFileDataset(files).create_tuple_iterator(num_epochs=2, output_numpy=True)
        return [[str(row[0]) for row in iterator] for _ in range(2)]

    first, second = epochs()
    assert first != second != sorted(second)
    assert sorted(first) == sorted(second)
    assert epochs() == [first, second]


@pytest.mark.parametrize("shuffle", [ds.Shuffle.GLOBAL, ds.Shuffle.FILES])
def test_shards_that_are_shuffled_have_all_rows_together(files: list[str], shuffle: Any) -> None:
    shards = [ds.TextFileDataset(files, shuffle=shuffle, num_shards=4, shard_id=shard) for shard in range(4)]
    assert [shard.get_dataset_size() for shard in shards] == [35] * 4
    assert Counter(text for shard in shards for text in texts(shard)) == Counter(texts(ds.TextFileDataset(files)))


def test_files_in_random_order_keep_their_rows_in_order(files: list[str], seeded: None) -> None:
    found = texts(ds.TextFileDataset(files, shuffle=ds.Shuffle.FILES, num_parallel_workers=1).repeat(9))
    passes = [found[start : start + 140] for start in range(0, len(found), 140)]
    assert len({"".join(dict.fromkeys(text[0] for text in each)) for each in passes}) > 2
    assert [text for text in found[:140] if text[0] == "c"] == [f"c{number}" for number in range(70)]


def test_a_pass_can_go_on_anywhere(files: list[str]) -> None:
    for shuffle in (False, True):
        data = ds.TextFileDataset(files, shuffle=shuffle)
        run = prepare(data._node, 5)
        whole = [str(text) for block in data._node.stream(run, 0) for text in block.columns["text"].rows(None)]
        for start in (0, 1, 139, 140):
            blocks = data._node.stream_from(run, 0, start)
            assert [str(text) for block in blocks for text in block.columns["text"].rows(None)] == whole[start:]


def test_a_large_file_is_never_in_memory(tmp_path: Path) -> None:
    line = b"x" * 999 + b"\n"
    (tmp_path / "large").write_bytes(line * 20_000)
    data = ds.TextFileDataset(str(tmp_path / "large"), shuffle=False)
    tracemalloc.start()
    assert sum(1 for _ in data.create_tuple_iterator(num_epochs=1, output_numpy=True)) == 20_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6  # a text of 20 MB, whose characters would take four times as much


def test_paths_are_mapped(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSBRIDGE_PATHS", f"/no/such/data={Path(files[0]).parent}")
    assert len(texts(ds.TextFileDataset("/no/such/data/*"))) == 140


def test_shuffle_states(files: list[str]) -> None:
    data = ds.TextFileDataset(files, num_shards=2, shard_id=1)
    assert data.is_shuffled()
    assert data.is_sharded()
    assert not ds.TextFileDataset(files, shuffle=False).is_shuffled()
