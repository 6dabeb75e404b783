"""Names that files use and msbridge does not have."""

from pathlib import Path

import pytest

from msbridge.dropin import installed
from msbridge.scan import Report, scan

FILE = """\
import mindspore as ms
from mindspore import nn, ops
from mindspore.nn import Sequential
import mindspore._akg
try:
    from mindspore.nowhere import x
except ImportError:
    x = None

def shadowed(nn):
    return nn.Nothing()

class Net(nn.Cell):
    def construct(self, x, act=nn.Nothing):
        ops = self.table
        return ops.nothing(x) + ms.ops.rellu(x) + ms.nn.Cell.unknown
"""


def scanned(folder: Path, text: str, **others: str) -> Report:
    (folder / "net.py").write_text(text)
    for name, said in others.items():
        (folder / name).write_text(said)
    return scan([folder], ["names"])


def test_places_of_names_that_are_not_here(tmp_path: Path) -> None:
    before = installed()
    found = scanned(tmp_path, FILE)
    assert [(one.line, one.column, one.rule.what) for one in found.findings] == [
        (3, 26, "mindspore.nn.Sequential is not in msbridge"),
        (4, 8, "mindspore._akg is not in msbridge"),
        (14, 32, "mindspore.nn.Nothing is not in msbridge"),
        (16, 33, "mindspore.ops.rellu is not in msbridge"),
        (16, 51, "mindspore.nn.Cell.unknown is not in msbridge"),
    ]
    assert (found.names, found.absent) == (11, 5)
    assert installed() == before


@pytest.mark.parametrize(
    ("use", "why", "fix"),
    [
        ("nn.Sequential", "no attribute 'Sequential'", "write SequentialCell"),
        ("ops.operations._inner_ops.TopKRouter", "no attribute 'TopKRouter'", "look for another way"),
        ("ops.xyzxyz", "no attribute 'xyzxyz'", "look for another way"),
        ("_akg.utils", "graph kernels are compiled by torch", "leave it out"),
    ],
)
def test_reason_and_replacement(tmp_path: Path, use: str, why: str, fix: str) -> None:
    rule = scanned(tmp_path, f"import mindspore\nmindspore.{use}").findings[0].rule
    assert why in rule.why
    assert rule.fix.startswith(fix)


def test_what_a_script_puts_there_itself_is_there(tmp_path: Path) -> None:
    found = scanned(tmp_path, "from mindspore import Tensor\nTensor.mine = len\nTensor.mine\nTensor.yours\n")
    assert [one.line for one in found.findings] == [4]


@pytest.mark.parametrize(
    ("use", "rule", "what"),
    [
        ("mindspore.ms_function", "", ""),
        ("mindspore._checkparam.Validator", "former", "mindspore._checkparam.Validator is of releases up to 1.10"),
        (
            "mindspore.context.set_context(save_graphs=True)",
            "no-effect",
            "save_graphs of mindspore.context.set_context",
        ),
        ("mindspore.set_context(mode=0)", "", ""),
    ],
)
def test_what_is_here_but_otherwise(tmp_path: Path, use: str, rule: str, what: str) -> None:
    found = scanned(tmp_path, f"import mindspore\n{use}")
    assert [one.rule.id for one in found.findings] == [rule] * bool(rule)
    assert all(one.rule.what.startswith(what) for one in found.findings)
    assert found.different == len(found.findings)


def test_a_former_name_with_another_way_is_left_alone(tmp_path: Path) -> None:
    old, new = "from mindspore._checkparam import Validator as v", "import mindspore._checkparam as v"
    text = f"try:\n    {old}\nexcept ImportError:\n    {new}\nv.check_bool\nv.check_nothing\n"
    assert [(one.line, one.rule.id) for one in scanned(tmp_path, text).findings] == [(6, "absent")]


def test_what_stands_behind_a_function_of_its_name_is_looked_up(tmp_path: Path) -> None:
    text = "from mindspore.common.tensor import Tensor\nfrom mindspore.common.tensor import nothing\n"
    assert [one.line for one in scanned(tmp_path, text).findings] == [2]


def test_the_same_is_told_once(tmp_path: Path) -> None:
    text = "from mindspore.nothing import a, b\nfrom mindspore._checkparam import Rel\nRel.EQ\nRel.NE\n"
    assert [(one.line, one.rule.id) for one in scanned(tmp_path, text).findings] == [(1, "absent"), (2, "former")]


def test_a_comment_takes_a_finding_out(tmp_path: Path) -> None:
    found = scanned(tmp_path, "from mindspore import nothing  # msbridge: ignore[absent]")
    assert not found.findings


def test_the_release_is_told_with_what_says_so(tmp_path: Path) -> None:
    found = scanned(tmp_path, "from mindspore import nn", **{"requirements.txt": "mindspore==1.8.1"})
    assert found.release == ("1.8", "requirements.txt: mindspore==1.8.1")
    assert scanned(tmp_path, "from mindspore import nn", **{"requirements.txt": "numpy"}).release is None
