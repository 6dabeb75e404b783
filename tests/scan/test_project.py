"""What names represent, across the files of a project."""

import pytest

from msbridge.scan import scan

NET = """\
{imports}

class Net({base}):
    def construct(self, x):
        return {call}
"""
HELPER = "def helper(x):\n    del x\n"


def found(folder, files):
    """Return the places and ways of what a scan finds in files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [(one.path.removeprefix(f"{folder}/"), one.line, one.reached) for one in scan([folder], ["graph"]).findings]


@pytest.mark.parametrize(
    ("imports", "base"),
    [
        ("from mindspore import nn", "nn.Cell"),
        ("import mindspore as ms", "ms.nn.Cell"),
        ("import mindspore.nn as layers", "layers.Cell"),
        ("from mindspore.nn import Cell as Base", "Base"),
        ("from mindspore.nn.cell import Cell", "Cell"),
        ("import msbridge as ms", "ms.nn.Cell"),
        ("from mindspore import nn", "nn.TrainOneStepCell"),
    ],
)
def test_a_cell_is_known_by_any_name_of_its_base(tmp_path, imports, base):
    net = NET.format(imports=imports, base=base, call="(y := x)")
    assert found(tmp_path, {"net.py": net}) == [("net.py", 5, ("Net.construct",))]


def test_a_base_of_another_file_is_followed(tmp_path):
    base = "from mindspore import nn\nclass Base(nn.Cell):\n    def construct(self, x):\n        return self.step(x)\n"
    net = "from lib import Base as Other\nclass Net(Other):\n    def step(self, x):\n        del x\n"
    assert found(tmp_path, {"lib.py": base, "net.py": net}) == [("net.py", 4, ("Net.construct", "Net.step"))]


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("from tools.helpers import helper", "helper(x)"),
        ("from tools import helpers", "helpers.helper(x)"),
        ("import tools.helpers as h", "h.helper(x)"),
        ("from tools import helper", "helper(x)"),
        ("from tools.everything import *", "helper(x)"),
        ("from .tools.helpers import helper", "helper(x)"),
    ],
)
def test_a_helper_of_another_file_is_followed(tmp_path, imports, call):
    net = NET.format(imports=f"from mindspore import nn\n{imports}", base="nn.Cell", call=call)
    files = {
        "net.py": net,
        "tools/__init__.py": "from tools.helpers import helper\n",
        "tools/helpers.py": HELPER,
        "tools/everything.py": "from .helpers import *\n",
    }
    assert found(tmp_path, files) == [("tools/helpers.py", 2, ("Net.construct", "helper"))]


def test_imports_in_a_circle_end(tmp_path):
    net = NET.format(imports="from mindspore import nn\nfrom b import helper", base="nn.Cell", call="helper(x)")
    files = {"a.py": net, "b.py": "from c import helper\n", "c.py": "from b import helper\n"}
    assert found(tmp_path, files) == []


def test_functions_that_call_each_other_are_walked_once(tmp_path):
    text = """\
import mindspore as ms

def even(n):
    return n == 0 or odd(n - 1)

def odd(n):
    del n
    return even(n - 1)

@ms.jit
def f(x):
    return even(x)
"""
    assert found(tmp_path, {"a.py": text}) == [("a.py", 7, ("f", "even", "odd"))]
