"""Results of text transforms equal MindSpore's (record_text.py)."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.dataset.text_cases import CASES, outcome

RECORDED = json.loads(gzip.decompress((Path(__file__).parent.parent / "text.json.gz").read_bytes()))


@pytest.mark.parametrize(
    ("topic", "case"),
    [
        pytest.param(topic, case, id=f"{topic}-{cases[case][0]}")
        for topic, cases in CASES.items()
        for case in range(len(cases))
    ],
)
def test_results_equal_mindspores(topic: str, case: int, names: dict[str, Any]) -> None:
    expression, inputs = CASES[topic][case]
    found, expected = outcome(expression, inputs, names), RECORDED[topic][case]
    others = [
        (each, ours, theirs)
        for each, ours, theirs in zip(inputs or [expression], found, expected, strict=True)
        if ours != theirs
    ]
    assert others == []
