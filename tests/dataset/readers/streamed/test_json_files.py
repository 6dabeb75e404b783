"""Readers of json_files. Judge: what MindSpore 2.10 answered."""

from pathlib import Path

import pytest

import msbridge.dataset as ds


@pytest.mark.parametrize("value", ["null", "true", '{"a": 1}'])
def test_clue_refuses_what_is_no_value(tmp_path: Path, value: str) -> None:
    path = tmp_path / "pairs.json"
    path.write_text(f'{{"sentence1": "a", "sentence2": {value}, "label": "0"}}\n')
    data = ds.CLUEDataset(str(path), task="AFQMC", usage="train", shuffle=False)
    with pytest.raises(AttributeError, match="is not a string, number or list of strings"):
        next(data.create_dict_iterator())
