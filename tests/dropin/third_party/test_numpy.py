"""Names of earlier releases of numpy. Judge: numpy 1.23.5, where `np.int is int`, asked once by hand."""

import types
import warnings

import numpy as np
import pytest

from msbridge.dropin.third_party import numpy
from msbridge.dropin.third_party.package_names import Gone
from msbridge.mappings import table


@pytest.fixture
def module() -> types.ModuleType:
    made = types.ModuleType("numpy")
    made.__dict__.update({"__getattr__": np.__getattr__, "pi": np.pi})
    numpy.begin(made)
    return made


def test_a_script_finds_an_old_name_and_is_told_once(module) -> None:
    with pytest.warns(UserWarning, match=r"numpy has no `int` since 1\.24; `msbridge run` takes int\.") as told:
        assert module.int is int
    assert told[0].filename == __file__
    assert module.int is int


@pytest.mark.parametrize("name", table("numpy_names.toml", Gone))
def test_every_old_name_is_there(module, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert getattr(module, name) is not None


def test_a_package_learns_that_the_name_is_gone(module) -> None:
    asked = compile("found = hasattr(np, 'int')", "/x/site-packages/library/compat.py", "exec")
    space = {"np": module}
    exec(asked, space)
    assert not space["found"]


def test_other_names_are_numpy_s(module) -> None:
    assert module.pi == np.pi
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        _ = module.no_such_name


def test_what_numpy_refuses_by_now_names_the_releases_that_allow_it() -> None:
    with pytest.raises(TypeError) as raised:
        float(np.zeros(1))
    assert "pip install 'numpy<2.4'" in numpy.refusal(raised.value)
    with pytest.raises(ValueError, match="fromstring") as raised:
        np.fromstring(b"ab", np.uint8)
    assert "pip install 'numpy<2.3'" in numpy.refusal(raised.value)
    assert numpy.refusal(TypeError("another")) is None
