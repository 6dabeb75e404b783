"""A refused name and the one that was meant."""

import pytest

from msbridge.core.nearest import did_you_mean, nearest

LAYERS = ["AvgPool2d", "BatchNorm1d", "BatchNorm2d", "Conv1d", "Conv2d", "Conv2dTranspose", "Dense", "ReLU", "ReLU6"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Conv2D", "Conv2d"),
        ("Covn2d", "Conv2d"),
        ("BatchNorm2", "BatchNorm2d"),
        ("RELU", "ReLU"),
        ("batch_norm_2d", "BatchNorm2d"),
        ("Conv2dTranspos", "Conv2dTranspose"),
    ],
)
def test_a_slip_of_the_keyboard_is_recognised(written: str, meant: str) -> None:
    assert nearest(written, LAYERS)[0] == meant


def test_a_name_that_is_like_none_has_no_neighbour() -> None:
    assert nearest("Transformer", LAYERS) == []
    assert did_you_mean("Transformer", LAYERS) == ""


def test_the_refused_name_and_private_names_are_never_the_answer() -> None:
    assert nearest("Conv2d", ["Conv2d", "_Conv2d", "Conv1d"]) == ["Conv1d"]


def test_the_words_of_torch_come_first() -> None:
    assert nearest("dim", ["axis", "ndim"]) == ["axis", "ndim"]
    assert nearest("ConvTranspose2d", LAYERS, "nn")[0] == "Conv2dTranspose"


def test_a_synonym_that_is_not_there_is_not_the_answer() -> None:
    assert nearest("dim", ["input", "ndim"]) == ["ndim"]


def test_the_sentence_names_the_likeliest() -> None:
    assert did_you_mean("smae", ("pad", "same", "valid")) == " Did you mean: 'same'?"


@pytest.mark.parametrize("value", [3, None, "", ("same",)])
def test_a_value_that_is_no_text_is_like_none(value: object) -> None:
    assert did_you_mean(value, ("same", 3, None)) == ""
