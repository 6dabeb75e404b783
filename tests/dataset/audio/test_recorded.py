"""Audio transforms: MindSpore's recorded results, and the rules of random ones."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import audio
from tests.dataset.audio.audio_cases import CASES, INPUTS, VALID, constructions
from tests.dataset.pipelines import in_pipeline

ROWS = np.abs(np.random.default_rng(1).random((12, 6, 9)))
RANDOM = [
    audio.Dither(audio.DensityFunction.RPDF),
    audio.Dither(audio.DensityFunction.GPDF, True),
    audio.MaskAlongAxisIID(3, 9.0, 1),
    audio.FrequencyMasking(True, 3, 0, 9.0),
    audio.TimeMasking(True, 3, 0, 9.0),
    audio.InverseMelScale(4, 6, max_iter=2),
    audio.GriffinLim(10, 2),
]
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


def transform_of(expression: str) -> str:
    """The transform, function or choice that an expression names."""
    return expression.partition("(")[0].partition(".")[0]


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


def assert_recorded(expression: str, name: str | None) -> None:
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


@pytest.mark.parametrize("transform", sorted({transform_of(expression) for expression, _ in CASES}))
def test_results_equal_mindspores(transform: str) -> None:
    for expression, name in CASES:
        if transform_of(expression) == transform:
            assert_recorded(expression, name)


def in_pipelines() -> dict[str, tuple[str, str]]:
    """One case of each transform."""
    return {
        transform: (expression, name)
        for expression, name in reversed(CASES)
        if name in ("wave", "spec", "complex")
        and issubclass(NAMES[transform := transform_of(expression)], audio.AudioTensorOperation)
    }


@pytest.mark.parametrize("transform", in_pipelines())
def test_rows_of_a_pipeline_equal_single_calls(transform: str) -> None:
    expression, name = in_pipelines()[transform]
    operation = eval(expression, NAMES)
    rows = np.stack([INPUTS[name], INPUTS[name] * 0.5, -INPUTS[name]])
    with np.errstate(invalid="ignore", divide="ignore"):
        np.testing.assert_array_equal(in_pipeline(operation, rows), np.stack([operation(row) for row in rows]))


def refusal(expression: str) -> str:
    try:
        eval(expression, NAMES)
    except Exception as error:
        return type(error).__name__
    return ""


@pytest.mark.parametrize("transform", VALID)
def test_wrong_arguments_raise_mindspores_classes(transform: str) -> None:
    differing = {
        expression: (ours, theirs)
        for expression, theirs in zip(constructions(transform), recorded()[1][transform], strict=True)
        if (ours := refusal(expression)) != theirs and expression not in OTHER_CLASSES_HERE
    }
    assert not differing


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("operation", RANDOM, ids=lambda operation: type(operation).__name__)
def test_a_seed_fixes_the_numbers(operation: object) -> None:
    first = in_pipeline(operation, ROWS)
    ds.config.set_seed(11)
    np.testing.assert_array_equal(in_pipeline(operation, ROWS), first)
    ds.config.set_seed(12)
    assert (in_pipeline(operation, ROWS) != first).any()


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("operation", RANDOM, ids=lambda operation: type(operation).__name__)
def test_a_batch_gets_the_numbers_of_its_rows(operation: object) -> None:
    together = in_pipeline(operation, ROWS)
    np.testing.assert_array_equal(in_pipeline(operation, ROWS, batched=False).reshape(together.shape), together)
