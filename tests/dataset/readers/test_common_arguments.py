"""The sentences of arguments that readers have in common, in the docstrings of all of them."""

import inspect
from pathlib import Path

import pytest

import msbridge.dataset as ds
from msbridge.dataset.readers.common_arguments import INDEXED, STREAMED
from msbridge.dataset.readers.source import SourceDataset

READERS = [reader for reader in vars(ds).values() if inspect.isclass(reader) and issubclass(reader, SourceDataset)]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
def test_no_line_is_left_for_all_readers(reader: type[SourceDataset]) -> None:
    assert "as in every reader" not in (reader.__doc__ or "")


@pytest.mark.parametrize(
    ("reader", "sentences"), [(ds.Food101Dataset, INDEXED), (ds.TextFileDataset, STREAMED)], ids=["indexed", "streamed"]
)
def test_each_argument_has_its_line(reader: type[SourceDataset], sentences: dict[str, str]) -> None:
    lines = [line.strip() for line in (reader.__doc__ or "").splitlines()]
    taken = inspect.signature(reader).parameters.keys() & sentences.keys()
    assert {f"{name}: {sentences[name]}" for name in taken} <= set(lines)


def test_common_arguments_stand_behind_a_readers_own() -> None:
    names = (
        "dataset_dir annotation_file task num_samples num_parallel_workers shuffle decode sampler num_shards shard_id"
    )
    assert [*inspect.signature(ds.CocoDataset).parameters] == [*names.split(), "cache", "extra_metadata", "decrypt"]


def test_common_arguments_may_be_given_by_position(tmp_path: Path) -> None:
    assert ds.OmniglotDataset(tmp_path, False, 7).sampler.num_samples == 7


@pytest.mark.parametrize(("given", "says"), [((), "missing"), ((1,) * 12, "too many"), ((1, "mnist", 1, 2), "int")])
def test_arguments_that_do_not_fit_are_refused(given: tuple[object, ...], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        ds.EMnistDataset(*given)  # type: ignore[arg-type]
