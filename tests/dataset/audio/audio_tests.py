"""Tests of audio transforms: MindSpore's recorded results, and the rules of random ones.

A test class inherits the kinds of tests that it wants and names its module; it gets the rows of the tables that belong
to the module.
"""

import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.core.runtime.defining_modules import defining_module
from msbridge.dataset import audio
from tests.dataset.audio.audio_cases import CASES, INPUTS, VALID, constructions

NAMES = {**vars(audio), "np": np}
TOLERANCES = {2: 2e-3, 4: 1e-5, 8: 1e-9}  # of the largest value, by the bytes of a float

# MindSpore's filter coefficients and windows are rounded to float32 on the way, by steps that are not repeated here.
ROUNDED = {"RiaaBiquad": 5e-7, "Resample(2, 5, ResampleMethod.KAISER_WINDOW": 2e-6}
# Ill-conditioned in float32: logarithms of what is almost nothing, and phases that add up over all frames.
ILL_CONDITIONED = {"LFCC(8000, 9, 5, log_lf=True": 1e-4, "PitchShift": 1e-4}
# MindSpore reads the input's memory as that of another dtype, or beyond its end.
OTHER_VALUES_HERE = {
    ("InverseSpectrogram(n_fft=8)", "complex16"),
    ("InverseSpectrogram(n_fft=8)", "bools"),
    ("GriffinLim(8, 2, length=30, rand_init=False)", "spec64"),
    ("GriffinLim(8, 2, length=18, rand_init=False)", "spec64"),
}

# Constructions that MindSpore refuses later, when they are called, or that have a plain meaning.
OTHER_CLASSES_HERE = {
    *(f"Resample({VALID['Resample'].replace('beta=3.0', f'beta={value}')})" for value in ("'a'", "[1]", "{}")),
    f"LFCC({VALID['LFCC'].replace('speckwargs=None', 'speckwargs={}')})",
    f"MFCC({VALID['MFCC'].replace('melkwargs=None', 'melkwargs={}')})",
}


def module_of(expression: str) -> str:
    """The module of the transform, function or choice that an expression names."""
    return defining_module(NAMES[expression.partition("(")[0].partition(".")[0]])


@cache
def recorded() -> tuple[dict[str, list[np.ndarray] | str], dict[str, list[str]]]:
    """MindSpore's results, and the classes of its refusals."""
    with np.load(Path(__file__).with_name("audio.npz")) as file:
        index, refused = (json.loads(file[key].tobytes()) for key in ("index", "refused"))
        data, start = file["results"].tobytes(), 0
    results: dict[str, list[np.ndarray] | str] = {}
    for key, parts in index.items():
        if isinstance(parts, str):
            results[key] = parts
            continue
        arrays = []
        for dtype, shape in parts:
            number = int(np.prod(shape))
            arrays.append(np.frombuffer(data, dtype, number, start).reshape(shape))
            start += number * np.dtype(dtype).itemsize
        results[key] = arrays
    return results, refused


def expected_of(expression: str, name: str | None) -> list[np.ndarray] | str:
    return recorded()[0][f"{expression} of {name}"]


def tolerance_of(expression: str, dtype: np.dtype[Any]) -> float:
    if dtype.kind != "f":
        return 0
    tolerance = TOLERANCES[dtype.itemsize]
    for start, wider in (*ROUNDED.items(), *ILL_CONDITIONED.items()):
        if expression.startswith(start):
            tolerance = max(tolerance, wider)
    return tolerance


def assert_close(found: object, expected: np.ndarray, tolerance: float) -> None:
    array = np.asarray(found)
    assert (array.dtype, array.shape) == (expected.dtype, expected.shape)
    if array.dtype.kind != "f":
        np.testing.assert_array_equal(array, expected)
        return
    scale = np.max(np.abs(expected[np.isfinite(expected)].astype(np.float64)), initial=0)
    np.testing.assert_allclose(array.astype(np.float64), expected, rtol=tolerance, atol=tolerance * scale)


def result_of(expression: str, name: str | None) -> Any:
    made = eval(expression, NAMES)
    return made if name is None else made(INPUTS[name].copy())


def in_pipeline(operation: Any, rows: np.ndarray, batched: bool = True) -> np.ndarray:
    data = ds.NumpySlicesDataset(rows, ["x"], shuffle=False).map(operation, "x")
    data = data.batch(len(rows)) if batched else data
    return np.concatenate([np.atleast_1d(row[0]) for row in data.create_tuple_iterator(output_numpy=True)])


class RecordedTests:
    """Results equal MindSpore's."""

    module: ModuleType

    def test_results_equal_mindspore(self) -> None:
        for expression, name in CASES:
            if module_of(expression) == self.module.__name__:
                self.check(expression, name)

    def check(self, expression: str, name: str | None) -> None:
        expected = expected_of(expression, name)
        if isinstance(expected, str):
            with pytest.raises(Exception) as caught:  # noqa: PT011 - the class is compared below
                result_of(expression, name)
            assert type(caught.value).__name__ == expected, f"{expression} of {name}"
            return
        found = result_of(expression, name)
        found = found if isinstance(found, tuple) else (found,)
        assert len(found) == len(expected)
        for part, wanted in zip(found, expected, strict=True):
            if (expression, name) in OTHER_VALUES_HERE:
                assert (part.dtype, part.shape) == (wanted.dtype, wanted.shape)
                continue
            try:
                assert_close(part, wanted, tolerance_of(expression, wanted.dtype))
            except AssertionError as error:
                raise AssertionError(f"{expression} of {name}") from error

    def test_rows_of_a_pipeline_equal_single_calls(self) -> None:
        done = set()
        for expression, name in CASES:
            kind = expression.partition("(")[0]
            if module_of(expression) != self.module.__name__ or kind in done or name not in ("wave", "spec", "complex"):
                continue
            operation = eval(expression, NAMES)
            if not isinstance(operation, audio.AudioTensorOperation):
                continue
            done.add(kind)
            rows = np.stack([INPUTS[name], INPUTS[name] * 0.5, -INPUTS[name]])
            with np.errstate(invalid="ignore", divide="ignore"):
                found = in_pipeline(operation, rows)
                np.testing.assert_array_equal(found, np.stack([operation(row) for row in rows]), expression)


class RefusalTests:
    """Wrong arguments raise MindSpore's classes."""

    module: ModuleType

    def test_wrong_arguments_raise_mindspores_classes(self) -> None:
        for transform in VALID:
            if module_of(transform) != self.module.__name__:
                continue
            found = [refusal(each) for each in constructions(transform)]
            differing = {
                expression: (ours, theirs)
                for expression, ours, theirs in zip(
                    constructions(transform), found, recorded()[1][transform], strict=True
                )
                if ours != theirs and expression not in OTHER_CLASSES_HERE
            }
            assert not differing


def refusal(expression: str) -> str:
    try:
        eval(expression, NAMES)
    except Exception as error:
        return type(error).__name__
    return ""


class RandomTests:
    """The numbers of random transforms follow from the seed and the row."""

    random: tuple[Any, ...]

    @pytest.mark.usefixtures("seeded")
    def test_a_seed_fixes_the_numbers(self) -> None:
        for operation in self.random:
            ds.config.set_seed(11)
            first = in_pipeline(operation, ROWS)
            np.testing.assert_array_equal(in_pipeline(operation, ROWS), first)
            ds.config.set_seed(12)
            assert (in_pipeline(operation, ROWS) != first).any()

    @pytest.mark.usefixtures("seeded")
    def test_a_batch_gets_the_numbers_of_its_rows(self) -> None:
        for operation in self.random:
            together = in_pipeline(operation, ROWS)
            np.testing.assert_array_equal(in_pipeline(operation, ROWS, batched=False).reshape(together.shape), together)


ROWS = np.abs(np.random.default_rng(1).random((12, 6, 9)))
