"""What a script is told when a MindSpore name is not there."""

import importlib

import pytest

from msbridge.dropin import absence
from msbridge.dropin.absence import Absent, message

pytestmark = pytest.mark.usefixtures("dropin")


def module(path: str) -> object:
    return importlib.import_module(path)


def test_the_attribute_is_named_with_its_neighbours() -> None:
    with pytest.raises(AttributeError) as caught:
        module("mindspore.common.parameter").Parametr
    assert str(caught.value) == (
        "mindspore.common.parameter.Parametr is not available in msbridge (see mappings/absent.toml). "
        "Nearest: common.parameter.Parameter, common.parameter.ParameterTuple."
    )


def test_a_from_import_says_the_same_as_an_import_error() -> None:
    with pytest.raises(
        ImportError, match=r"^mindspore\.common\.parameter\.Parametr is not .* Nearest: common\.par"
    ) as caught:
        from mindspore.common.parameter import Parametr  # noqa: F401
    assert type(caught.value) is ImportError


def test_a_from_import_of_a_module_that_only_forwards_too() -> None:
    with pytest.raises(ImportError, match=r"^mindspore\.common\.nothing_here is not available") as caught:
        from mindspore.common import nothing_here  # noqa: F401
    assert type(caught.value) is ImportError


def test_a_from_import_of_the_top_too() -> None:
    with pytest.raises(ImportError, match=r"^mindspore\.nothing_here is not available"):
        from mindspore import nothing_here  # noqa: F401


def test_a_module_is_named_in_a_module_not_found_error() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"mindspore\.comon is not .* Nearest: common\.") as caught:
        module("mindspore.comon")
    assert caught.value.name == "mindspore.comon"


def test_hasattr_is_false() -> None:
    assert not hasattr(module("mindspore"), "nothing_here")
    assert not hasattr(module("mindspore.common"), "nothing_here")


def test_getattr_takes_its_default() -> None:
    assert getattr(module("mindspore.common"), "nothing_here", 5) == 5


def test_the_reason_and_the_advice_of_the_table_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"mindspore.hub": Absent("mindspore.hub", "it was closed", "load_checkpoint")}
    monkeypatch.setattr(absence, "table", lambda name, row: rows)
    assert message("mindspore.hub.load") == (
        "mindspore.hub.load is not available in msbridge (see mappings/absent.toml): it was closed. "
        "Use instead: load_checkpoint."
    )


def test_case_does_not_hide_a_neighbour() -> None:
    assert message("mindspore.ops.RELU", ["ReLU", "_relu"]).endswith("Nearest: ops.ReLU.")
