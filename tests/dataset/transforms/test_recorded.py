"""Transforms of images and arrays: MindSpore's recorded results, bit for bit, and the rules of random ones."""

import json
import lzma
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.core.runtime.defining_modules import defining_module
from msbridge.core.types import dtype as ms
from msbridge.dataset import transforms, vision
from tests.dataset.pipelines import images
from tests.dataset.transform_cases import CASES, INPUTS, REFUSED, WARPS

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
    ("transforms.Compose([vision.ToPIL(), vision.Solarize(100)])", "rgba"),
    *[(f"vision.Solarize({ends})", name) for ends in ("100", "(50, 180)") for name in ("rgba", "batch", "int64")],
    *[(f"vision.{name}", "batch") for name in ("Posterize(3)", "AdjustBrightness(1.7)")],
    *[(f"vision.{name}", "int64") for name in ("Invert()", "AdjustBrightness(1.7)")],
    ("vision.AdjustBrightness(1.7)", "rgba"),
    *[(expression, "five") for expression in WARPS if "BICUBIC" in expression],
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
# MindSpore's result does not fit its meaning: only the last label of several is smoothed.
OTHER_VALUES_HERE = {
    ("transforms.OneHot(3, 0.3)", "labels"),
}


NOT_MAPPED = ("vision.get_image", "vision.encode", "transforms.Compose([vision.ToPIL()")
# One level beside MindSpore's: OpenCV 4.11 cuts off where it converts 32 pixels of a row at once from HSV to RGB, and
# rounds the rest; OpenCV 5 rounds all.
ONE_LEVEL = {(f"vision.AdjustHue({turn})", "wide") for turn in (0.2, -0.45)}
# MindSpore turns the hue of float pixels into numbers of 1e30, here they are refused.
REFUSED_HERE = {(f"vision.AdjustHue({turn})", "float32") for turn in (0.2, -0.45)}
RANDOM = [
    vision.RandomHorizontalFlip(),
    vision.RandomVerticalFlip(0.3),
    vision.RandomCrop((4, 5)),
    vision.RandomCrop((6, 8), 2),
    vision.RandomResizedCrop(5),
    vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1),
    vision.RandomSolarize(),
    vision.RandomPosterize((2, 7)),
    vision.RandomResize((4, 4)),
    vision.CutOut(3),
    vision.RandomInvert(),
    vision.AutoAugment(),
    vision.RandAugment(),
    vision.TrivialAugmentWide(),
    vision.RandomAffine(20, (-0.2, 0.2, -0.1, 0.1), (0.5, 2.0), 10),
    vision.RandomRotation(90),
    vision.RandomLighting(1.0),
    vision.RandomSharpness(),
    vision.RandomAdjustSharpness(2.0),
    vision.RandomColor(),
    vision.RandomErasing(0.9, (0.1, 0.3)),
    vision.UniformAugment([vision.VerticalFlip(), vision.HorizontalFlip(), vision.Invert()]),
    vision.RandomSelectSubpolicy([[(vision.Invert(), 0.5)], [(vision.VerticalFlip(), 0.9), (vision.Invert(), 1.0)]]),
    transforms.RandomApply([vision.VerticalFlip()]),
    transforms.RandomChoice([vision.VerticalFlip(), vision.HorizontalFlip(), vision.Invert()]),
    transforms.RandomOrder([vision.RandomHorizontalFlip(), vision.RandomVerticalFlip()]),
]


ROUNDED = dict.fromkeys(("adjust", "affine", "gamma", "perspective", "sharpness"), 1e-5) | {"hsv": 1e-6}


def module_of(expression: str) -> str:
    """The module of the transform that an expression constructs."""
    room, name = expression.partition("(")[0].split(".")
    return defining_module(getattr(NAMES[room], name))


@cache
def recorded() -> dict[str, np.ndarray]:
    index, _, values = lzma.decompress((Path(__file__).parent.parent / "transforms.xz").read_bytes()).partition(b"\n")
    found, start = {}, 0
    for key, (dtype, shape) in json.loads(index).items():
        count = int(np.prod(shape))
        found[key] = np.frombuffer(values, dtype, count, start).reshape(shape)
        start += found[key].nbytes
    return found


def input_of(name: str) -> np.ndarray:
    return (INPUTS[name] if name in INPUTS else recorded()[f"input:{name}"]).copy()


def inputs_of(names: str) -> list[np.ndarray]:
    return [input_of(name) for name in names.split("+")]


def expected_of(expression: str, name: str) -> list[np.ndarray] | str:
    key = f"case:{expression} of {name}"
    if (single := recorded().get(key)) is not None:
        return str(single)
    parts = []
    while (part := recorded().get(f"{key}:{len(parts)}")) is not None:
        parts.append(part)
    return parts


def gives_one_array(expression: str, name: str) -> bool:
    """Whether MindSpore's result is one array, and ours equals it."""
    expected = expected_of(expression, name)
    if isinstance(expected, str) or "+" in name or (expression, name) in OTHER_VALUES_HERE | ONE_LEVEL | REFUSED_HERE:
        return False
    return len(expected) == 1 and not expression.startswith(NOT_MAPPED)


def assert_same(found: object, expected: np.ndarray, rounding: float = 0.0, levels: int = 0) -> None:
    array = np.asarray(found)
    assert (array.dtype, array.shape) == (expected.dtype, expected.shape)
    if levels:
        assert np.abs(array.astype(np.int64) - expected).max() <= levels
    elif rounding and array.dtype.kind == "f":
        np.testing.assert_allclose(array, expected, rtol=rounding, atol=rounding)
    else:
        np.testing.assert_array_equal(array, expected)


def rounding_of(expression: str) -> float:
    """To which floats equal MindSpore's, where sums are computed in another order."""
    return ROUNDED.get(module_of(expression).rpartition(".")[2], 0.0)


@pytest.mark.parametrize(("expression", "name"), CASES)
def test_an_eager_call_equals_mindspore(
    expression: str, name: str, record_property: Callable[[str, object], None]
) -> None:
    expected = expected_of(expression, name)
    if (expression, name) in ACCEPTED_HERE | OTHER_VALUES_HERE:
        record_property("gaps", ["transforms", 1, 1, 1])
    transform = eval(expression, NAMES)
    if (expression, name) in REFUSED_HERE:
        record_property("gaps", ["transforms", 1, 1, 1])
        with pytest.raises(RuntimeError, match="must be of uint8"):
            transform(*inputs_of(name))
        return
    if isinstance(expected, str):
        if (expression, name) in ACCEPTED_HERE:
            transform(*inputs_of(name))
            return
        with pytest.raises(Exception) as caught:  # noqa: PT011 - the class is compared below
            transform(*inputs_of(name))
        assert type(caught.value).__name__ == expected
        return
    found = transform(*inputs_of(name))
    found = found if isinstance(found, tuple) else (found,)
    assert len(found) == len(expected)
    if (expression, name) in OTHER_VALUES_HERE:
        assert [(part.dtype, part.shape) for part in found] == [(part.dtype, part.shape) for part in expected]
        return
    for part, wanted in zip(found, expected, strict=True):
        assert_same(part, wanted, rounding_of(expression), levels=(expression, name) in ONE_LEVEL)


@pytest.mark.parametrize(("expression", "name"), [case for case in CASES if gives_one_array(*case)])
def test_a_batch_of_rows_equals_single_calls(expression: str, name: str) -> None:
    (expected,) = expected_of(expression, name)
    value = input_of(name)
    data = ds.GeneratorDataset([(value,), (value,), (value,)], ["x"], shuffle=False)
    if value.dtype.kind not in "US":
        data = ds.NumpySlicesDataset(np.stack([value] * 3), ["x"], shuffle=False)
    (batch,) = next(data.map(eval(expression, NAMES), "x").batch(3).create_tuple_iterator(output_numpy=True))
    assert_same(batch, np.stack([expected] * 3), rounding_of(expression))


@pytest.mark.parametrize("refused", REFUSED)
def test_a_wrong_argument_raises_mindspores_class(refused: str) -> None:
    expected = str(recorded()[f"refused:{refused}"])
    if expected == "accepted":
        eval(refused, NAMES)
        return
    with pytest.raises(Exception) as caught:  # noqa: PT011 - the class is compared below
        eval(refused, NAMES)
    assert type(caught.value).__name__ == expected


@pytest.mark.parametrize("operation", RANDOM, ids=lambda operation: type(operation).__name__)
@pytest.mark.usefixtures("seeded")
def test_a_seed_fixes_the_numbers(operation: object) -> None:
    first, second = images(operation, epochs=2)
    np.testing.assert_array_equal(images(operation)[0], first)
    assert (first != second).any()
    ds.config.set_seed(12)
    assert (images(operation)[0] != first).any()


@pytest.mark.parametrize("operation", RANDOM, ids=lambda operation: type(operation).__name__)
@pytest.mark.usefixtures("seeded")
def test_a_batch_gets_the_numbers_of_its_rows(operation: object) -> None:
    np.testing.assert_array_equal(images(operation)[0], images(operation, batched=False)[0])
