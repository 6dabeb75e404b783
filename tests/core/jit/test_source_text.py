"""Source text from a code object. Judge: `inspect.getsource`."""

import ast
import inspect
import linecache
import sys
import textwrap
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from msbridge.core.jit.source_text import source_text


def decorated(function: Callable[..., object]) -> Callable[..., object]:
    return function


@decorated
def several_lines(
    x: int,
    y: int = 2,
) -> int:
    def inner() -> int:
        return x

    return inner() + y


class Holder:
    def method(self) -> str:
        """Text."""
        return "value"


@pytest.mark.parametrize("function", [decorated, several_lines, Holder.method, lambda x: x + 1, ast.parse])
def test_it_is_what_inspect_says(function: Callable[..., object]) -> None:
    assert source_text(function.__code__) == textwrap.dedent(inspect.getsource(function))


def test_a_module_in_an_archive_has_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
        archive.writestr("in_archive.py", "def f(x):\n    return x\n")
    monkeypatch.syspath_prepend(tmp_path / "archive.zip")
    import in_archive

    assert source_text(in_archive.f.__code__) == "def f(x):\n    return x\n"
    del sys.modules["in_archive"]


def test_the_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    for text in ("def f(x):\n    return x\n", "def f(x):\n    return x + 10\n"):
        path.write_text(f"\n\n{text}")
        names: dict = {}
        exec(compile(path.read_text(), path, "exec"), names)
        assert source_text(names["f"].__code__) == text
    path.write_text("")  # of which linecache of Python 3.13 says that it is one empty line
    with pytest.raises(OSError, match=r"could not get source|not to be had"):
        source_text(names["f"].__code__)


def test_what_was_made_of_a_text_has_its_source_where_it_was_kept() -> None:
    text = "def f(x):\n    return x\n"
    names: dict = {}
    exec(compile(text, "<a text>", "exec"), names)
    with pytest.raises(OSError, match="The source of f is not to be had"):
        source_text(names["f"].__code__)
    linecache.cache["<a text>"] = (len(text), None, text.splitlines(keepends=True), "<a text>")
    assert source_text(names["f"].__code__) == text
    del linecache.cache["<a text>"]
