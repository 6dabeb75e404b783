"""A refused name and the one that was meant."""

from collections.abc import Callable

import pytest

import msbridge as ms
from msbridge import nn, ops
from msbridge.core.checks.suggestions import did_you_mean, nearest

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


SLIPS = {
    "pad_mode": (lambda: nn.Conv2d(1, 2, 3, pad_mode="smae"), "same"),
    "initializer": (lambda: nn.Dense(3, 4, weight_init="normall"), "normal"),
    "reduction": (lambda: nn.MSELoss(reduction="men"), "mean"),
    "reduction of a function": (lambda: ops.mse_loss(ms.Tensor([1.0]), ms.Tensor([1.0]), "non"), "none"),
    "activation": (lambda: nn.get_activation("rellu"), "relu"),
    "metric": (lambda: ms.train.get_metric_fn("accurcy"), "accuracy"),
    "group": (lambda: nn.SGD([{"params": nn.Dense(1, 1).trainable_params(), "weigth_decay": 0.1}]), "weight_decay"),
    "context": (lambda: ms.set_context(devise_target="CPU"), "device_target"),
    "device": (lambda: ms.set_context(device_target="Ascnd"), "Ascend"),
    "parallel mode": (lambda: ms.set_auto_parallel_context(parallel_mode="data-parallel"), "data_parallel"),
    "level": (lambda: ms.amp.auto_mixed_precision(nn.Dense(1, 1), "o2"), "O2"),
}


@pytest.mark.parametrize("option", SLIPS)
def test_a_misspelt_option_is_told_the_one_that_was_meant(option: str) -> None:
    call: Callable[[], object] = SLIPS[option][0]
    with pytest.raises((KeyError, ValueError)) as caught:
        call()
    assert f"Did you mean: '{SLIPS[option][1]}'?" in str(caught.value)
