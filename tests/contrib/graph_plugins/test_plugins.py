"""Judge: what MindSpore 2.10 answered to files that are no plugins; its own ones are refused."""

from pathlib import Path
from typing import Any

import pytest

from msbridge.contrib.graph_plugins import CustomPassType, register_custom_backend, register_custom_pass


@pytest.fixture
def plugin(tmp_path: Path) -> str:
    path = tmp_path / "plugin.so"
    path.touch()
    return str(path)


def test_plugins_are_refused_with_a_remedy(plugin: str) -> None:
    for register in (register_custom_pass, register_custom_backend):
        with pytest.raises(RuntimeError, match=r"plugin.so is written for MindSpore's compiler.*torch\.compile"):
            register("mine", plugin)


@pytest.mark.parametrize("path", ["/nothing.so", "relative.so", __file__])
def test_a_pass_of_no_library_is_not_registered(path: str) -> None:
    assert register_custom_pass("mine", path) is False
    assert register_custom_pass("mine", path, "npu", CustomPassType.FULL_GRAPH) is False


@pytest.mark.parametrize(
    ("name", "path"), [("a", None), (None, "a"), ("a", "relative.so"), ("a", "/no.so"), ("a", __file__)]
)
def test_a_backend_of_no_library_is_an_error(name: Any, path: Any) -> None:
    with pytest.raises(ValueError, match="backend_path"):
        register_custom_backend(name, path)


def test_the_type_of_a_pass_is_one_of_two(plugin: str) -> None:
    with pytest.raises(TypeError, match=r"CustomPassType.*int"):
        register_custom_pass("mine", plugin, "all", 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="type of 'pass_name' should be 'str'"):
        register_custom_pass(3, plugin)  # type: ignore[arg-type]
    assert [int(one) for one in CustomPassType] == [0, 1]
