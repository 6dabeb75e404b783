"""Tests of text transforms: MindSpore's recorded results. A test class names the module whose cases it replays."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.dataset.text_cases import CASES, outcome


@cache
def recorded() -> dict[str, list[Any]]:
    answers: dict[str, list[Any]] = json.loads(gzip.decompress(Path(__file__).with_name("text.json.gz").read_bytes()))
    return answers


class RecordedTests:
    """Results equal MindSpore's."""

    module: str

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "case" in metafunc.fixturenames:
            cases = CASES[self.module]
            metafunc.parametrize("case", range(len(cases)), ids=[expression for expression, _ in cases])

    def test_results_equal_mindspores(self, case: int, names: dict[str, Any]) -> None:
        expression, inputs = CASES[self.module][case]
        found, expected = outcome(expression, inputs, names), recorded()[self.module][case]
        others = [
            (each, ours, theirs)
            for each, ours, theirs in zip(inputs or [expression], found, expected, strict=True)
            if ours != theirs
        ]
        assert others == []
