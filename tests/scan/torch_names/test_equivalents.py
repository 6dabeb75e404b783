"""What torch's names are in MindSpore."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from msbridge.dropin.importing import missing_names
from msbridge.scan import scan
from msbridge.scan.names.checking import missing, serve_mindspore
from msbridge.scan.torch_names.equivalents import Counterpart, cell_of, counterpart, differences
from msbridge.scan.torch_names.rows import rows


@pytest.fixture(autouse=True, scope="module")
def _mindspore() -> Iterator[None]:
    with serve_mindspore():
        yield


@pytest.mark.parametrize(
    ("torch", "mindspore"),
    [
        ("torch.cat", "mindspore.mint.cat"),
        ("torch.nn.Linear", "mindspore.mint.nn.Linear"),
        ("torch.nn.functional.softmax", "mindspore.mint.nn.functional.softmax"),
        ("torch.optim.Adam", "mindspore.mint.optim.Adam"),
        ("torch.utils.data.DataLoader", "mindspore.dataset.GeneratorDataset"),
        ("torch.Tensor.cuda", "mindspore.Tensor.move_to"),
        ("torch.cuda.CUDAGraph", None),
        ("torch.Tensor", "mindspore.Tensor"),
        ("torch.load", "mindspore.load_checkpoint"),
        ("torch.dtype", "mindspore.dtype.Type"),
        ("torch.nn.init.zeros_", "mindspore.common.initializer.Zero"),
        ("torch.nn.modules.batchnorm.BatchNorm2d", "mindspore.mint.nn.BatchNorm2d"),
        ("torch.nn.parallel.data_parallel", None),  # what a module of ours has imported
    ],
)
def test_names(torch: str, mindspore: str | None) -> None:
    row = counterpart(torch)
    assert (row.mindspore if row else None) == mindspore


def test_every_row_leads_somewhere_or_says_why_not() -> None:
    known = {name for row in rows().values() for name in (row.mindspore, row.written) if name}
    nowhere = [name for name in known if missing(name) and not missing_names.reason(name)]
    assert nowhere == []


def test_arguments_and_defaults_that_differ_are_told() -> None:
    (rate,) = [one for one in differences(Counterpart("torch.nn.Dropout", "mindspore.nn.Dropout")) if "keep" in one]
    assert rate.startswith("arguments of its own: keep_prob")
    assert "batch_first" not in " ".join(differences(Counterpart("torch.nn.Identity", "mindspore.nn.Identity")))
    unlike = [*differences(Counterpart("torch.nn.LayerNorm", "mindspore.nn.LayerNorm"))]
    assert any(one.startswith("no argument eps") for one in unlike)
    assert cell_of("torch.nn.LayerNorm") == "mindspore.nn.LayerNorm, whose parameters are weight → gamma, bias → beta"


def test_what_needs_no_counterpart_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("import torch\nwith torch.no_grad():\n    torch.classes.no.such\n")
    found = [(one.line, one.rule.id) for one in scan([tmp_path], ["torch"]).findings]
    assert found == [(2, "torch-needless"), (3, "torch-unknown")]


def test_arguments_that_torch_has_given_up_are_no_difference() -> None:
    row = Counterpart("torch.nn.CrossEntropyLoss", "mindspore.mint.nn.CrossEntropyLoss")
    assert [*differences(row)] == []


def test_a_file(tmp_path: Path) -> None:
    text = "import torch\nimport torch.nn.functional as F\n"
    (tmp_path / "net.py").write_text(f"{text}x = torch.cat([])\nF.relu(x)\ntorch.cuda.CUDAGraph()\nx.view(1)\n")
    found = [(one.line, one.rule.id) for one in scan([tmp_path], ["torch"]).findings]
    assert [line for line, _ in found] == [3, 4, 5]
    assert found[2] == (5, "torch-unknown")
