"""Operators, samplers, iterators and settings of pipelines answer what MindSpore answered to the same expressions."""

import gzip
import json
from pathlib import Path

import pytest

import msbridge.dataset as ds
from tests.dataset.operator_cases import CASES, names, outcome

ANSWERS = json.loads(gzip.decompress((Path(__file__).parents[1] / "operators.json.gz").read_bytes()))
KNOWN = names(ds)


def test_every_answer_is_asked_for() -> None:
    assert set(ANSWERS) <= set(CASES)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("case", ANSWERS)
def test_answers(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ds.config._settings, "workers", 1)
    assert json.loads(json.dumps(outcome(case, KNOWN))) == ANSWERS[case]
