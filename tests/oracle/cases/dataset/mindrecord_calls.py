"""Calls of FileWriter, FileReader, MindPage and MindDataset, right and wrong, beside the files that MindSpore wrote."""

import contextlib
from collections.abc import Iterator
from typing import Any

import mindspore.dataset as ds
from mindspore.mindrecord import FileReader, FileWriter, MindPage

from tests.dataset.mindrecord_cases import ALL_TYPES, NUMBERED, of_all_types, set_smallest_sizes
from tests.dataset.recorded_mindrecords import extract
from tests.oracle.case import each
from tests.oracle.cases.dataset import _files


@contextlib.contextmanager
def case_context() -> Iterator[None]:
    with _files.case_context():
        extract()
        yield


class Writer:
    """A fresh FileWriter with the schema NUMBERED."""

    def __getattr__(self, name: str) -> Any:
        made = set_smallest_sizes(FileWriter("fresh", overwrite=True))
        made.add_schema(NUMBERED, "fresh")
        return getattr(made, name)


writer = Writer()


def page(name: str, field: Any = None) -> Any:
    made = MindPage(name)
    if field is not None:
        made.category_field = field
    return made


def numbers(*arguments: Any, **options: Any) -> list[int]:
    data = ds.MindDataset(*arguments, **options)
    found = [int(row["number"]) for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
    assert data.get_dataset_size() == len(found)
    return found


def forms(name: str, columns: Any = None) -> list[Any]:
    data = ds.MindDataset(name, columns, shuffle=False)
    rows = data.create_dict_iterator(num_epochs=1, output_numpy=True)
    return [{key: [str(value.dtype), list(value.shape)] for key, value in row.items()} for row in rows][1:]


def stored(change: dict[str, Any]) -> list[int]:
    """Return which rows are stored of three whose middle one is changed; the labels tell."""
    made = set_smallest_sizes(FileWriter("changed"))
    made.add_schema(ALL_TYPES, "changed")
    made.write_raw_data([of_all_types(1), of_all_types(2) | change, of_all_types(4)])
    made.commit()
    return [row["label"] for row in FileReader("changed").get_next()]


CASES = each(
    r"""
    FileWriter(3)
    FileWriter("")
    FileWriter("x/")
    FileWriter("a:b")
    FileWriter("x", 0)
    FileWriter("x", 1001)
    FileWriter("x", "1")
    FileWriter("x", 1, 1)
    FileWriter("x").commit()
    FileWriter("x").write_raw_data([{"a": 1}])
    FileWriter("no_folder/x").add_schema(NUMBERED)
    FileWriter("x").add_schema({})
    FileWriter("x").add_schema(3)
    FileWriter("x").add_schema({"a": 3})
    FileWriter("x").add_schema({"a": {}})
    FileWriter("x").add_schema({"a": {"type": "int8"}})
    FileWriter("x").add_schema({"a": {"type": "int32", "shape": 3}})
    FileWriter("x").add_schema({"a": {"type": "bytes", "shape": [2]}})
    FileWriter("x").add_schema({"a": {"type": "int32", "shape": [-1, -1]}})
    FileWriter("x").add_schema({"a": {"type": "int32", "shape": [0]}})
    FileWriter("x").add_schema({"a": {"type": "int32", "shape": (2,)}})
    FileWriter("x").add_schema({"a": {"type": "int32", "x": 1}})
    FileWriter("x").add_schema({"a b": {"type": "int32"}})
    FileWriter("x").add_schema({3: {"type": "int32"}})
    FileWriter("x").add_schema(NUMBERED, 3)
    FileWriter("x").add_index(["a"])
    writer.add_schema(NUMBERED)
    writer.add_index("number")
    writer.add_index([])
    writer.add_index([3])
    writer.add_index(["unknown"])
    writer.add_index(["data"])
    writer.add_index(["number", "number"])
    writer.set_header_size(1)
    writer.set_header_size(32769)
    writer.set_header_size(1 << 28)
    writer.set_header_size("x")
    writer.set_page_size(1 << 14)
    writer.set_page_size(32769)
    writer.set_page_size(1 << 29)
    writer.write_raw_data({})
    writer.write_raw_data([])
    writer.write_raw_data([3])
    writer.write_raw_data([{"number": 1 << 70, "text": "", "data": b"x"}])
    writer.write_raw_data([{"number": 1, "text": "\ud800", "data": b"x"}])
    writer.write_raw_data([{"number": 1, "text": "", "data": b"x" * 40000}])
    writer.write_raw_data([{"number": 1, "text": "x" * 40000, "data": b"x"}])
    FileWriter.open_for_append(3)
    FileWriter.open_for_append("")
    FileWriter.open_for_append("unknown")
    FileReader(3)
    FileReader("")
    FileReader([3])
    FileReader("unknown")
    FileReader(["unknown", "indexed"])
    FileReader(["indexed", "one_blob"])
    FileReader("indexed", 0)
    FileReader("indexed", "x")
    FileReader("indexed", columns="number")
    FileReader("indexed", columns=["unknown"])
    FileReader("indexed", columns=["data", "number"]).len()
    list(next(FileReader("indexed", columns=["data", "number"]).get_next()))
    list(next(FileReader("all_types").get_next()))
    FileReader("all_types").schema() == ALL_TYPES
    FileReader("shards1").len()
    FileReader(["shards1"]).len() < 12
    MindPage("unknown")
    page("indexed").candidate_fields
    page("indexed", "text").read_category_info()
    page("indexed", "number").read_category_info()
    page("indexed", "unknown")
    page("indexed", 3)
    [row["number"] for row in page("indexed", "text").read_at_page_by_id(0, 0, 2)]
    [row["number"] for row in page("indexed", "text").read_at_page_by_id(0, 1, 2)]
    [row["number"] for row in page("indexed", "text").read_at_page_by_name("c1", 0, 9)]
    [row["number"] for row in page("indexed", "number").read_at_page_by_name("4", 0, 9)]
    page("indexed", "text").read_at_page_by_id(0, 9, 2)
    page("indexed", "text").read_at_page_by_id(9, 0, 1)
    page("indexed", "text").read_at_page_by_id(-1, 0, 1)
    page("indexed", "text").read_at_page_by_id(0, -1, 1)
    page("indexed", "text").read_at_page_by_id(0, 0, 0)
    page("indexed", "text").read_at_page_by_name("unknown", 0, 1)
    page("indexed", "text").read_at_page_by_name(1, 0, 1)
    forms("all_types")
    forms("all_types", ["tokens", "image"])
    numbers("indexed", shuffle=False)
    numbers("shards1", shuffle=False)
    numbers("indexed", columns_list=["number"], shuffle=False, num_samples=3)
    numbers("indexed", shuffle=False, num_samples=0)
    numbers("indexed", shuffle=False, num_samples=50)
    [numbers("indexed", shuffle=False, num_shards=3, shard_id=i) for i in range(3)]
    numbers("indexed", shuffle=False, num_shards=2, shard_id=1, num_samples=2)
    numbers("indexed", sampler=ds.SequentialSampler(2, 3))
    numbers("indexed", sampler=ds.SubsetSampler([3, 1]))
    numbers("indexed", sampler=ds.DistributedSampler(2, 1, False))
    numbers("indexed", sampler=ds.PKSampler(1))
    numbers("indexed", sampler=ds.SequentialSampler(), shuffle=True)
    numbers("indexed", sampler=ds.SequentialSampler(), num_samples=3)
    numbers("indexed", sampler=ds.SequentialSampler(), num_shards=2, shard_id=0)
    numbers("indexed", shuffle=ds.Shuffle.FILES, num_samples=3)
    numbers("indexed", shuffle="global")
    numbers("indexed", num_shards=2)
    numbers("indexed", shard_id=0)
    numbers("indexed", num_shards=2, shard_id=2)
    numbers("indexed", columns_list="number")
    numbers("indexed", columns_list=["unknown"])
    numbers("indexed", columns_list=["number", "number"])
    numbers("unknown")
    numbers(3)
    numbers(["indexed", "unknown"])
    numbers(["indexed", "one_blob"])
    numbers(["indexed", "indexed"], shuffle=False)
    numbers("indexed", ["number"], shuffle=False, padded_sample={"number": -1}, num_padded=2)
    [numbers("indexed", ["number"], None, False, 3, i, None, {"number": -1}, 2) for i in range(3)]
    numbers("indexed", ["number"], None, False, 3, 0, None, {"number": -1}, 1)
    numbers("indexed", padded_sample={"number": -1}, num_padded=2)
    numbers("indexed", ["number"], padded_sample={"number": -1})
    numbers("indexed", ["number"], num_padded=2)
    numbers("indexed", ["number"], padded_sample={"text": "a"}, num_padded=2)
    numbers("indexed", ["number"], padded_sample={"number": -1}, num_padded=-2)
    numbers("indexed", ["number"], padded_sample=3, num_padded=2)
    # What is in a row instead of a fitting value
    stored({"label": None})
    stored({"label": True})
    stored({"label": "1"})
    stored({"label": 1.5})
    stored({"label": np.int32(4)})
    stored({"label": np.int64(4)})
    stored({"label": 1 << 40})
    stored({"weight": 3})
    stored({"weight": np.float32(0.5)})
    stored({"weight": np.float64(0.5)})
    stored({"exact": np.float64(0.5)})
    stored({"name": np.str_("a")})
    stored({"name": b"a"})
    stored({"image": "a"})
    stored({"image": bytearray(b"a")})
    stored({"image": np.zeros(2, np.uint8)})
    stored({"tokens": [1, 2]})
    stored({"tokens": np.zeros(2, np.int32)})
    stored({"tokens": np.zeros(2, ">i8")})
    stored({"boxes": np.zeros((1, 2), np.float32)})
    stored({"boxes": np.zeros(3, np.int32)})
    stored({"boxes": np.zeros(4, np.int32)})
    stored({"mask": np.zeros((2, 3), np.float32)})
    stored({"mask": np.arange(4, dtype=np.float32).reshape(2, 2).T})
    stored({"tokens": np.zeros(0, np.int64)})
    stored({"unknown": 3})
    """,
    may_raise=True,
)
