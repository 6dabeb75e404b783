"""A batch of rows has the result of MindSpore for one: every recorded call of a transform that returns one array.

Rows of sound, which take longer, are of one call of each transform, and differ.
"""

import re
from collections import defaultdict
from importlib import import_module

import mindspore.dataset as ds
import numpy as np
import pytest

from tests.dataset.pipelines import in_pipeline
from tests.oracle.case import Case, load, namespace
from tests.oracle.families import HERE
from tests.oracle.outcome import Json, decode, differences, encode, read

CALL = re.compile(r"(?:arrays\()?((?:vision|transforms)\.[A-Z]\w+)\((?!\[vision\.ToPIL)(.*)\)\((\w+|file\(.*?\))\)\)?")
ROWS = 3


def calls() -> dict[str, list[tuple[str, Case, Json]]]:
    """Return the cases by transform, with the families that they are of and their outcomes."""
    found = defaultdict(list)
    for family in ("dataset.transforms", "dataset.vision"):
        outcomes = read(HERE / "records" / f"{family}.json.gz")[1]
        for case in load(family)[1]:
            call, outcome = CALL.fullmatch(case.name), outcomes[case.name]
            if call and isinstance(outcome, dict) and "array" in outcome:
                found[call[1]].append((family, case, outcome))
    return found


CALLS = calls()


def batch_of(family: str, case: Case) -> np.ndarray:
    """Return a batch of a pipeline whose rows are the input of a case."""
    transform, setting, name = CALL.fullmatch(case.name).groups()
    module = import_module(f"tests.oracle.cases.{family}")
    scope = {**namespace(case.name), **vars(module), **module.scope()}
    operation, value = eval(f"{transform}({setting})", scope), eval(name, scope)
    data = ds.GeneratorDataset([(value,)] * ROWS, ["x"], shuffle=False)
    if value.dtype.kind not in "US":
        data = ds.NumpySlicesDataset(np.stack([value] * ROWS), ["x"], shuffle=False)
    (batch,) = next(data.map(operation, "x").batch(ROWS).create_tuple_iterator(output_numpy=True))
    return batch


@pytest.mark.parametrize("transform", CALLS)
def test_rows_of_a_batch_equal_the_recorded_one(transform: str) -> None:
    for family, case, outcome in CALLS[transform]:
        expected = encode(np.stack([decode(outcome)] * ROWS))
        found = encode(batch_of(family, case))
        assert not list(differences(found, expected, case.tolerance or 0.0, case.name))


def calls_of_audio() -> dict[str, tuple[str, str]]:
    """Return a recorded call of each audio transform that returns one array, and the name of its input."""
    outcomes = read(HERE / "records" / "dataset.audio.json.gz")[1]
    names = [name for name, outcome in outcomes.items() if isinstance(outcome, dict) and "array" in outcome]
    matches = [re.fullmatch(r"(\w+)(\(.*\))\((wave|spec|spectra)\)", name) for name in names]
    return {match[1]: (match[1] + match[2], match[3]) for match in matches if match}


CALLS_OF_AUDIO = calls_of_audio()


@pytest.mark.parametrize("transform", CALLS_OF_AUDIO)
def test_rows_of_sound_equal_single_calls(transform: str) -> None:
    expression, name = CALLS_OF_AUDIO[transform]
    scope = namespace(expression) | import_module("tests.oracle.cases.dataset.audio").scope()
    operation, value = eval(expression, scope), scope[name]
    rows = np.stack([value, value * 0.5, -value])
    with np.errstate(invalid="ignore", divide="ignore"):
        np.testing.assert_array_equal(in_pipeline(operation, rows), np.stack([operation(row) for row in rows]))
