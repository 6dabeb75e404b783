"""Deterministic transforms equal MindSpore's recorded results bit for bit, alone and inside of a pipeline."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from transform_cases import CASES, INPUTS, REFUSED

import msbridge.dataset as ds
from msbridge.core import dtype as ms
from msbridge.dataset import transforms, vision

NAMES = {
    "vision": vision,
    "transforms": transforms,
    "Inter": vision.Inter,
    "Border": vision.Border,
    "Relational": transforms.Relational,
    "ms": ms,
    "np": np,
}
# MindSpore refuses these; they have a plain meaning, and nothing relies on the refusal.
ACCEPTED_HERE = {
    ("transforms.Slice(slice(None, None, 2))", "row"),
    ("vision.Pad((1, 2, 3, 0), 7)", "batch"),
    *[
        (expression, "int64")
        for expression in (
            "vision.HWC2CHW()",
            "vision.CenterCrop((4, 3))",
            "vision.CenterCrop(5)",
            "vision.HorizontalFlip()",
            "vision.VerticalFlip()",
            "vision.Pad((1, 2, 3, 0), 7)",
        )
    ],
}
# MindSpore's result does not fit its meaning: the added channel is not put between the pixels, and only the last label
# of
# several is smoothed.
OTHER_VALUES_HERE = {
    ("vision.NormalizePad([120.0, 110.0, 100.0], [50.0, 60.0, 70.0])", "rgb"),
    ("vision.NormalizePad([120.0, 110.0, 100.0], [50.0, 60.0, 70.0], 'float16')", "rgb"),
    ("transforms.OneHot(3, 0.3)", "labels"),
}


@cache
def recorded() -> dict[str, np.ndarray]:
    with np.load(Path(__file__).with_name("transforms.npz")) as file:
        return dict(file)


def input_of(name: str) -> np.ndarray:
    return (INPUTS[name] if name in INPUTS else recorded()[f"input:{name}"]).copy()


def expected_of(number: int) -> list[np.ndarray] | str:
    if (single := recorded().get(f"case:{number}")) is not None:
        return str(single)
    parts = []
    while (part := recorded().get(f"case:{number}:{len(parts)}")) is not None:
        parts.append(part)
    return parts


def assert_same(found: object, expected: np.ndarray) -> None:
    array = np.asarray(found)
    assert (array.dtype, array.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(array, expected)


NUMBERED = [pytest.param(number, *case, id=f"{case[0]}-{case[1]}") for number, case in enumerate(CASES)]


@pytest.mark.parametrize(("number", "expression", "name"), NUMBERED)
def test_an_eager_call_equals_mindspore(number: int, expression: str, name: str) -> None:
    expected = expected_of(number)
    transform = eval(expression, NAMES)
    if isinstance(expected, str):
        if (expression, name) in ACCEPTED_HERE:
            transform(input_of(name))
            return
        with pytest.raises(Exception) as caught:  # noqa: PT011 - the class is compared below
            transform(input_of(name))
        assert type(caught.value).__name__ == expected
        return
    found = transform(input_of(name))
    found = found if isinstance(found, tuple) else (found,)
    assert len(found) == len(expected)
    if (expression, name) in OTHER_VALUES_HERE:
        assert [(part.dtype, part.shape) for part in found] == [(part.dtype, part.shape) for part in expected]
        return
    for part, wanted in zip(found, expected, strict=True):
        assert_same(part, wanted)


@pytest.mark.parametrize(("number", "expression", "name"), NUMBERED)
def test_a_batch_of_rows_equals_single_calls(number: int, expression: str, name: str) -> None:
    expected = expected_of(number)
    if isinstance(expected, str) or len(expected) != 1 or (expression, name) in OTHER_VALUES_HERE:
        return
    value = input_of(name)
    data = ds.GeneratorDataset([(value,), (value,), (value,)], ["x"], shuffle=False)
    if value.dtype.kind not in "US":
        data = ds.NumpySlicesDataset(np.stack([value] * 3), ["x"], shuffle=False)
    (batch,) = next(data.map(eval(expression, NAMES), "x").batch(3).create_tuple_iterator(output_numpy=True))
    assert_same(batch, np.stack([expected[0]] * 3))


@pytest.mark.parametrize("expression", REFUSED)
def test_a_wrong_argument_raises_mindspores_class(expression: str) -> None:
    expected = str(recorded()[f"refused:{expression}"])
    if expected == "accepted":
        eval(expression, NAMES)
        return
    with pytest.raises(Exception) as caught:  # noqa: PT011 - the class is compared below
        eval(expression, NAMES)
    assert type(caught.value).__name__ == expected
