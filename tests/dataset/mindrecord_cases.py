"""What both sides write and answer: the rows of the recorded MindRecord files, and expressions with their outcome."""

from dataclasses import dataclass
from typing import Any

import numpy as np

HEADER_BYTES, PAGE_BYTES = 1 << 14, 1 << 15  # the smallest that are allowed

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Written:
    """A file: its schema, and the rows of each call; `appended` is written after the file was complete."""

    schema: dict[str, Any]
    calls: list[Rows]
    index: list[str] | None = None
    shards: int = 1
    appended: list[Rows] | None = None

    @property
    def rows(self) -> Rows:
        return [row for call in self.calls + (self.appended or []) for row in call]


ALL_TYPES = {
    "label": {"type": "int32"},
    "name": {"type": "string"},
    "weight": {"type": "float32"},
    "exact": {"type": "float64"},
    "id": {"type": "int64"},
    "image": {"type": "bytes"},
    "boxes": {"type": "int32", "shape": [-1, 2]},
    "mask": {"type": "float32", "shape": [2, 2]},
    "tokens": {"type": "int64", "shape": [-1]},
    "points": {"type": "float64", "shape": [-1]},
}


def of_all_types(number: int) -> dict[str, Any]:
    return {
        "label": (-1) ** number * 7**number,
        "name": "é" * number + '"\0',
        "weight": number / 3,
        "exact": float("nan") if number == 3 else -(10.0 ** (number * 40)),
        "id": (-1) ** number << (9 * number),
        "image": bytes(range(number)) + b"\0",
        "boxes": (np.arange(2 * number + 2).reshape(-1, 2) * 1000**number % (1 << 31)).astype(np.int32),
        "mask": np.full((2, 2), number / 7, np.float32),
        "tokens": np.array([number, -129, 1 << 40, -(1 << 15), 127, 255][number:], np.int64),
        "points": np.arange(number) / 3,
    }


def numbered(start: int, stop: int, blob: int = 0, text: int = 0) -> Rows:
    return [
        {
            "number": number,
            "text": f"c{number % 3}" + "q" * text,
            "data": bytes([65 + number % 26]) * (blob + number % 7 + 1),
        }
        for number in range(start, stop)
    ]


NUMBERED = {"number": {"type": "int32"}, "text": {"type": "string"}, "data": {"type": "bytes"}}

WRITTEN = {
    "all_types": Written(ALL_TYPES, [[of_all_types(number) for number in range(6)]], ["label"]),
    "scalars_only": Written(
        {"x": {"type": "int64"}, "y": {"type": "string"}}, [[{"x": i << 30, "y": "z" * i} for i in (0, 31, 300)]]
    ),
    "one_blob": Written({"v": {"type": "int64", "shape": [-1]}}, [[{"v": np.arange(i) - 2} for i in (1, 4, 5)]]),
    "indexed": Written(NUMBERED, [numbered(0, 7)], ["text", "number"]),
    "blob_pages": Written(NUMBERED, [numbered(i, i + 10, blob=5000) for i in (0, 10, 20)], ["number"]),
    "raw_pages": Written(
        NUMBERED, [numbered(0, 20, 100, 3000), numbered(20, 25, 12000, 5), numbered(25, 34, 12000, 9000)], ["number"]
    ),
    "appended": Written(NUMBERED, [numbered(0, 3)], appended=[numbered(3, 7), numbered(7, 20, 8000, 4000)]),
    "shards": Written(NUMBERED, [numbered(0, 12)], shards=3),
}

# What stands in a row instead of a fitting value; recorded is which rows are stored then.
CHANGED = {
    "none": "{'label': None}",
    "bool": "{'label': True}",
    "text_for_int": "{'label': '1'}",
    "float_for_int": "{'label': 1.5}",
    "numpy_int": "{'label': np.int32(4)}",
    "long_numpy_int": "{'label': np.int64(4)}",
    "large_int": "{'label': 1 << 40}",
    "int_for_float": "{'weight': 3}",
    "numpy_float": "{'weight': np.float32(0.5)}",
    "long_numpy_float": "{'weight': np.float64(0.5)}",
    "long_float": "{'exact': np.float64(0.5)}",
    "numpy_text": "{'name': np.str_('a')}",
    "bytes_for_text": "{'name': b'a'}",
    "text_for_bytes": "{'image': 'a'}",
    "bytearray": "{'image': bytearray(b'a')}",
    "array_for_bytes": "{'image': np.zeros(2, np.uint8)}",
    "list_for_array": "{'tokens': [1, 2]}",
    "short_array": "{'tokens': np.zeros(2, np.int32)}",
    "other_endian": "{'tokens': np.zeros(2, '>i8')}",
    "float_array": "{'boxes': np.zeros((1, 2), np.float32)}",
    "odd_count": "{'boxes': np.zeros(3, np.int32)}",
    "flat": "{'boxes': np.zeros(4, np.int32)}",
    "other_count": "{'mask': np.zeros((2, 3), np.float32)}",
    "transposed": "{'mask': np.arange(4, dtype=np.float32).reshape(2, 2).T}",
    "empty": "{'tokens': np.zeros(0, np.int64)}",
    "more": "{'unknown': 3}",
}

# Run in a folder with the recorded files; `writer` is a fresh one with the schema NUMBERED.
ASKED = [
    "FileWriter(3)",
    "FileWriter('')",
    "FileWriter('x/')",
    "FileWriter('a:b')",
    "FileWriter('x', 0)",
    "FileWriter('x', 1001)",
    "FileWriter('x', '1')",
    "FileWriter('x', 1, 1)",
    "FileWriter('x').commit()",
    "FileWriter('x').write_raw_data([{'a': 1}])",
    "FileWriter('no_folder/x').add_schema(NUMBERED)",
    "FileWriter('x').add_schema({})",
    "FileWriter('x').add_schema(3)",
    "FileWriter('x').add_schema({'a': 3})",
    "FileWriter('x').add_schema({'a': {}})",
    "FileWriter('x').add_schema({'a': {'type': 'int8'}})",
    "FileWriter('x').add_schema({'a': {'type': 'int32', 'shape': 3}})",
    "FileWriter('x').add_schema({'a': {'type': 'bytes', 'shape': [2]}})",
    "FileWriter('x').add_schema({'a': {'type': 'int32', 'shape': [-1, -1]}})",
    "FileWriter('x').add_schema({'a': {'type': 'int32', 'shape': [0]}})",
    "FileWriter('x').add_schema({'a': {'type': 'int32', 'shape': (2,)}})",
    "FileWriter('x').add_schema({'a': {'type': 'int32', 'x': 1}})",
    "FileWriter('x').add_schema({'a b': {'type': 'int32'}})",
    "FileWriter('x').add_schema({3: {'type': 'int32'}})",
    "FileWriter('x').add_schema(NUMBERED, 3)",
    "FileWriter('x').add_index(['a'])",
    "writer.add_schema(NUMBERED)",
    "writer.add_index('number')",
    "writer.add_index([])",
    "writer.add_index([3])",
    "writer.add_index(['unknown'])",
    "writer.add_index(['data'])",
    "writer.add_index(['number', 'number'])",
    "writer.set_header_size(1)",
    "writer.set_header_size(32769)",
    "writer.set_header_size(1 << 28)",
    "writer.set_header_size('x')",
    "writer.set_page_size(1 << 14)",
    "writer.set_page_size(32769)",
    "writer.set_page_size(1 << 29)",
    "writer.write_raw_data({})",
    "writer.write_raw_data([])",
    "writer.write_raw_data([3])",
    "writer.write_raw_data([{'number': 1 << 70, 'text': '', 'data': b'x'}])",
    "writer.write_raw_data([{'number': 1, 'text': '\\ud800', 'data': b'x'}])",
    "writer.write_raw_data([{'number': 1, 'text': '', 'data': b'x' * 40000}])",
    "writer.write_raw_data([{'number': 1, 'text': 'x' * 40000, 'data': b'x'}])",
    "FileWriter.open_for_append(3)",
    "FileWriter.open_for_append('')",
    "FileWriter.open_for_append('unknown')",
    "FileReader(3)",
    "FileReader('')",
    "FileReader([3])",
    "FileReader('unknown')",
    "FileReader(['unknown', 'indexed'])",
    "FileReader(['indexed', 'one_blob'])",
    "FileReader('indexed', 0)",
    "FileReader('indexed', 'x')",
    "FileReader('indexed', columns='number')",
    "FileReader('indexed', columns=['unknown'])",
    "FileReader('indexed', columns=['data', 'number']).len()",
    "list(next(FileReader('indexed', columns=['data', 'number']).get_next()))",
    "list(next(FileReader('all_types').get_next()))",
    "FileReader('all_types').schema() == ALL_TYPES",
    "FileReader('shards1').len()",
    "FileReader(['shards1']).len() < 12",
    "MindPage('unknown')",
    "page('indexed').candidate_fields",
    "page('indexed', 'text').read_category_info()",
    "page('indexed', 'number').read_category_info()",
    "page('indexed', 'unknown')",
    "page('indexed', 3)",
    "[row['number'] for row in page('indexed', 'text').read_at_page_by_id(0, 0, 2)]",
    "[row['number'] for row in page('indexed', 'text').read_at_page_by_id(0, 1, 2)]",
    "[row['number'] for row in page('indexed', 'text').read_at_page_by_name('c1', 0, 9)]",
    "[row['number'] for row in page('indexed', 'number').read_at_page_by_name('4', 0, 9)]",
    "page('indexed', 'text').read_at_page_by_id(0, 9, 2)",
    "page('indexed', 'text').read_at_page_by_id(9, 0, 1)",
    "page('indexed', 'text').read_at_page_by_id(-1, 0, 1)",
    "page('indexed', 'text').read_at_page_by_id(0, -1, 1)",
    "page('indexed', 'text').read_at_page_by_id(0, 0, 0)",
    "page('indexed', 'text').read_at_page_by_name('unknown', 0, 1)",
    "page('indexed', 'text').read_at_page_by_name(1, 0, 1)",
    "forms('all_types')",
    "forms('all_types', ['tokens', 'image'])",
    "numbers('indexed', shuffle=False)",
    "numbers('shards1', shuffle=False)",
    "numbers('indexed', columns_list=['number'], shuffle=False, num_samples=3)",
    "numbers('indexed', shuffle=False, num_samples=0)",
    "numbers('indexed', shuffle=False, num_samples=50)",
    "[numbers('indexed', shuffle=False, num_shards=3, shard_id=i) for i in range(3)]",
    "numbers('indexed', shuffle=False, num_shards=2, shard_id=1, num_samples=2)",
    "numbers('indexed', sampler=ds.SequentialSampler(2, 3))",
    "numbers('indexed', sampler=ds.SubsetSampler([3, 1]))",
    "numbers('indexed', sampler=ds.DistributedSampler(2, 1, False))",
    "numbers('indexed', sampler=ds.PKSampler(1))",
    "numbers('indexed', sampler=ds.SequentialSampler(), shuffle=True)",
    "numbers('indexed', sampler=ds.SequentialSampler(), num_samples=3)",
    "numbers('indexed', sampler=ds.SequentialSampler(), num_shards=2, shard_id=0)",
    "numbers('indexed', shuffle=ds.Shuffle.FILES, num_samples=3)",
    "numbers('indexed', shuffle='global')",
    "numbers('indexed', num_shards=2)",
    "numbers('indexed', shard_id=0)",
    "numbers('indexed', num_shards=2, shard_id=2)",
    "numbers('indexed', columns_list='number')",
    "numbers('indexed', columns_list=['unknown'])",
    "numbers('indexed', columns_list=['number', 'number'])",
    "numbers('unknown')",
    "numbers(3)",
    "numbers(['indexed', 'unknown'])",
    "numbers(['indexed', 'one_blob'])",
    "numbers(['indexed', 'indexed'], shuffle=False)",
    "numbers('indexed', ['number'], shuffle=False, padded_sample={'number': -1}, num_padded=2)",
    "[numbers('indexed', ['number'], None, False, 3, i, None, {'number': -1}, 2) for i in range(3)]",
    "numbers('indexed', ['number'], None, False, 3, 0, None, {'number': -1}, 1)",
    "numbers('indexed', padded_sample={'number': -1}, num_padded=2)",
    "numbers('indexed', ['number'], padded_sample={'number': -1})",
    "numbers('indexed', ['number'], num_padded=2)",
    "numbers('indexed', ['number'], padded_sample={'text': 'a'}, num_padded=2)",
    "numbers('indexed', ['number'], padded_sample={'number': -1}, num_padded=-2)",
    "numbers('indexed', ['number'], padded_sample=3, num_padded=2)",
]


def names(FileWriter: Any, FileReader: Any, MindPage: Any, ds: Any) -> dict[str, Any]:
    """What the expressions may use."""

    def writer() -> Any:
        made = FileWriter("fresh", overwrite=True)
        made.set_header_size(HEADER_BYTES)
        made.set_page_size(PAGE_BYTES)
        made.add_schema(NUMBERED, "fresh")
        return made

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

    known = {"FileWriter": FileWriter, "FileReader": FileReader, "MindPage": MindPage, "ds": ds, "np": np}
    known |= {"writer": writer(), "page": page, "numbers": numbers, "forms": forms}
    return known | {"ALL_TYPES": ALL_TYPES, "NUMBERED": NUMBERED}


def outcome(expression: str, known: dict[str, Any]) -> Any:
    """The value, or the name of the class that was raised."""
    try:
        value = eval(expression, known)
    except Exception as error:
        return {"raises": type(error).__name__}
    return value if isinstance(value, (str, int, list)) else None


def write(FileWriter: Any, name: str, case: Written) -> None:
    """Write the files of a case into the present folder."""
    made = FileWriter(name, case.shards)
    made.set_header_size(HEADER_BYTES)
    made.set_page_size(PAGE_BYTES)
    made.add_schema(case.schema, name)
    if case.index:
        made.add_index(case.index)
    for call in case.calls:
        made.write_raw_data(call)
    made.commit()
    if case.appended:
        made = FileWriter.open_for_append(name)
        for call in case.appended:
            made.write_raw_data(call)
        made.commit()


def stored(FileWriter: Any, FileReader: Any, name: str, change: str) -> Any:
    """Which rows are stored of three whose middle one is changed; the labels tell."""
    rows = [of_all_types(1), of_all_types(2) | eval(change, {"np": np}), of_all_types(4)]
    made = FileWriter(f"changed_{name}")
    made.set_header_size(HEADER_BYTES)
    made.set_page_size(PAGE_BYTES)
    made.add_schema(ALL_TYPES, name)
    made.write_raw_data(rows)
    made.commit()
    return [row["label"] for row in FileReader(f"changed_{name}").get_next()]
