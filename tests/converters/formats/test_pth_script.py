"""The tensors of TorchScript archives. Judge: torch.jit.load, which runs their code; here nothing does."""

import zipfile
from pathlib import Path

import pytest
import torch
from torch import nn

from msbridge.converters import CheckpointError, convert, open_checkpoint
from msbridge.converters.errors import UnsafeError
from tests.converters.pickled import GOOD, called, text

pytestmark = pytest.mark.filterwarnings(
    "ignore:`torch.jit:DeprecationWarning", "ignore:The TorchScript type system", "ignore:torch.quantize_per_tensor"
)


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.arange(6.0).reshape(2, 3))
        self.register_buffer("mask", torch.ones(3).half())
        self.register_buffer("turned", torch.arange(6.0).reshape(2, 3).T)
        self.register_buffer("spectrum", torch.ones(2, dtype=torch.complex64))
        self.table: dict[str, torch.Tensor] = {"q": torch.ones(2)}
        self.many: list[torch.Tensor] = [torch.zeros(1), torch.ones(2)]
        self.names = ["a", "b"]

    def forward(self, x):
        return x @ self.w + self.mask.float() + self.table["q"].sum() + torch.tensor([1.0, 2.0, 3.0])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.module = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.BatchNorm1d(4))
        self.lstm = nn.LSTM(4, 5)
        self.tied = self.module[0].weight

    def forward(self, x):
        return self.lstm(self.module(self.inner(x)))[0]


def scripted() -> torch.jit.ScriptModule:
    return torch.jit.script(Net().eval())


def agree(path: Path) -> set[str]:
    """Compare with what torch loads; return the names that only we have."""
    judged = torch.jit.load(path).state_dict()
    with open_checkpoint(path) as found:
        for name, value in judged.items():
            assert found[name].dtype == value.dtype
            assert torch.equal(found[name], value)
        return set(found) - set(judged)


def test_scripted_modules(tmp_path):
    torch.jit.save(scripted(), tmp_path / "x.pt")
    assert agree(tmp_path / "x.pt") == {"inner.table.q", "inner.many.0", "inner.many.1"}
    assert open_checkpoint(tmp_path / "x.pt").skipped["inner.names"] == "a list of 2"


@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning")
def test_traced_modules(tmp_path):
    torch.jit.trace(Net().eval(), torch.ones(4, 2)).save(tmp_path / "x.pt")
    more = agree(tmp_path / "x.pt")
    assert more
    assert {one.partition(".")[0] for one in more} == {"constants"}


def test_frozen_modules_have_their_weights_among_the_constants(tmp_path):
    module = nn.Sequential(nn.Linear(2, 3)).eval()
    torch.jit.freeze(torch.jit.script(module)).save(tmp_path / "x.pt")
    with open_checkpoint(tmp_path / "x.pt") as found:
        assert any(value.shape == (3, 2) and torch.equal(value, module[0].weight) for value in found.values())
        assert {name.partition(".")[0] for name in found} == {"constants"}


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_types(tmp_path, dtype):
    torch.jit.script(nn.Sequential(nn.Linear(2, 3), nn.Conv2d(1, 2, 3)).to(dtype)).save(tmp_path / "x.pt")
    assert agree(tmp_path / "x.pt") == set()


def test_files_of_the_users_in_an_archive(tmp_path):
    torch.jit.save(scripted(), tmp_path / "x.pt", _extra_files={"data.pkl": "x", "constants.pkl": "y"})
    assert "inner.w" in open_checkpoint(tmp_path / "x.pt")


def test_a_scripted_module_becomes_a_ckpt(tmp_path):
    module = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    torch.jit.script(module).save(tmp_path / "x.pt")
    convert(tmp_path / "x.pt", tmp_path / "x.ckpt", torch_model=module)
    assert torch.equal(open_checkpoint(tmp_path / "x.ckpt")["1.gamma"], module[1].weight)


def test_an_archive_without_tensors_is_named(tmp_path):
    torch.jit.script(nn.Sequential(nn.ReLU())).save(tmp_path / "x.pt")
    with pytest.raises(CheckpointError, match=r"x\.pt: no tensors in it, a TorchScript archive"):
        open_checkpoint(tmp_path / "x.pt")


def rewritten(path: Path, changed: dict[str, bytes]) -> Path:
    """Return a copy of an archive with other members."""
    target = path.with_name("y.pt")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for one in old.infolist():
            new.writestr(one.filename, changed.get(one.filename.partition("/")[2], old.read(one)), zipfile.ZIP_STORED)
    return target


def test_nothing_of_the_code_is_read(tmp_path):
    torch.jit.script(nn.Sequential(nn.Linear(2, 3))).save(tmp_path / "x.pt")
    with zipfile.ZipFile(tmp_path / "x.pt") as archive:
        code = [one.partition("/")[2] for one in archive.namelist() if "/code/" in one]
    assert code
    assert "0.weight" in open_checkpoint(rewritten(tmp_path / "x.pt", dict.fromkeys(code, b"import os; os.abort()")))


@pytest.mark.parametrize("part", ["data", "constants"])
def test_pickles_that_would_run_code_are_refused(tmp_path, part):
    torch.jit.script(nn.Sequential(nn.Linear(2, 3))).save(tmp_path / "x.pt")
    bad = b"\x80\x02" + called("os.system") + text("touch proof") + b"\x85R."
    with pytest.raises(UnsafeError, match=rf"y\.pt: 'x/{part}\.pkl' at offset \d+: refused"):
        open_checkpoint(rewritten(tmp_path / "x.pt", {f"{part}.pkl": bad}))


def test_a_module_in_itself_ends(tmp_path):
    torch.jit.script(nn.Sequential(nn.Linear(2, 3))).save(tmp_path / "x.pt")
    made = called("__torch__.Net") + b")\x81q\x00}(" + text("a") + b"h\x00" + text("t") + GOOD + b"ub."
    assert list(open_checkpoint(rewritten(tmp_path / "x.pt", {"data.pkl": b"\x80\x02" + made}))) == ["t"]
