"""RandomDataset: dtypes and shapes as the schema says, values that follow from the seed."""

import json
from pathlib import Path

import numpy as np
import pytest

import msbridge.dataset as ds
from tests.dataset.pipelines import rows

SCHEMA = {
    "numRows": 3,
    "columns": [
        {"name": "image", "type": "uint8", "shape": [2, 2]},
        {"name": "label", "type": "int64", "shape": []},
        {"name": "mask", "type": "bool", "shape": [2]},
    ],
}


@pytest.fixture
def schema(tmp_path: Path) -> str:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(SCHEMA))
    return str(path)


def test_columns_of_a_schema(schema: str) -> None:
    data = ds.RandomDataset(schema=schema)
    assert data.get_dataset_size() == 3
    assert data.output_shapes() == [[2, 2], [], [2]]
    assert data.output_types() == [np.uint8, np.int64, np.bool_]
    assert ds.RandomDataset(schema=schema, columns_list=["label", "image"]).get_col_names() == ["label", "image"]


def test_a_row_repeats_one_byte(schema: str) -> None:
    for row in ds.RandomDataset(20, schema).create_dict_iterator(num_epochs=1, output_numpy=True):
        for value in row.values():
            assert len(set(np.ascontiguousarray(value).tobytes())) == 1


@pytest.mark.usefixtures("seeded")
def test_values_follow_from_the_seed(schema: str) -> None:
    assert rows(ds.RandomDataset(5, schema)) == rows(ds.RandomDataset(5, schema))


def test_without_a_schema_columns_are_made_up() -> None:
    data = ds.RandomDataset(2)
    names = data.get_col_names()
    assert names == [f"c{number}" for number in range(len(names))]
    assert len(rows(data)) == 2
