"""The stubs of `mindspore` in the wheel: what they name is there. mypy reads them in test_types.py."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import mindspore_stubs
import pytest

from msbridge.dropin.importing import module_map

pytestmark = pytest.mark.sources


@pytest.fixture(scope="module")
def files():
    """The stubs by their names."""
    return mindspore_stubs.generate()


def paths(files):
    """The modules that have a stub, without what they share."""
    names = (
        name.removesuffix(".pyi").removesuffix("/__init__") for name in files if name not in ("py.typed", "_top.pyi")
    )
    return [f"mindspore.{name.replace('/', '.')}".removesuffix(".__init__") for name in names]


def test_every_module_with_a_stub_is_served(files):
    rows, found = module_map.rows(), mindspore_stubs.file_of
    parents = module_map.children()
    assert not [path for path in paths(files) if not (path in rows or path in parents or found("msbridge" + path[9:]))]


def test_every_stub_imports_what_stands_in_our_files(files):
    for text in files.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("msbridge"):
                assert mindspore_stubs.file_of(node.module), node.module


def test_no_text_stands_in_two_stubs_and_what_is_shared_is_there(files):
    long = [
        text for text in files.values() if len(text) > mindspore_stubs.LONG and not mindspore_stubs.PRIVATE.search(text)
    ]
    assert len(long) == len(set(long))
    places = {f"mindspore.{name.removesuffix('.pyi').removesuffix('/__init__').replace('/', '.')}" for name in files}
    every = [
        node.module for text in files.values() for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)
    ]
    assert {module for module in every if module.startswith("mindspore.")} <= places


def test_a_name_made_while_running_may_be_anything():
    assert list(mindspore_stubs.renamed("Made", "msbridge.nn.cell.cell.Made")) == [
        "from typing import Any",
        "Made: Any",
    ]


def test_no_name_is_said_to_be_itself(files):
    assert not [text for text in files.values() if re.search(r"^(\w+) = \1$", text, re.MULTILINE)]


@pytest.mark.process
def test_what_is_built_has_them_beside_the_package(tmp_path):
    root = Path(__file__).parent.parent
    options = ["-q", "egg_info", "--egg-base", tmp_path, "build_py", "--build-lib", tmp_path / "lib"]
    subprocess.run([sys.executable, "setup.py", *options], cwd=root, check=True, capture_output=True)
    assert (tmp_path / "lib/mindspore-stubs/py.typed").read_text() == "partial\n"
    assert (tmp_path / "lib/mindspore-stubs/nn/__init__.pyi").is_file()
    assert (tmp_path / "lib/msbridge/api.py").is_file()
