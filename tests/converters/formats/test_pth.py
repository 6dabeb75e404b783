"""Judge: torch. What must not happen is shown by pickles made by hand."""

import argparse
import pickle
import zipfile

import pytest
import torch
from torch import nn

from msbridge.converters import CheckpointError, open_checkpoint
from msbridge.converters.errors import UnsafeError
from msbridge.converters.formats import pth_writing, zip_writing
from msbridge.converters.tensors.dtypes import ELEMENTS
from msbridge.converters.tensors.entry import entry
from msbridge.converters.tensors.lazy_bytes import as_bytes

MODEL = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))


def same(checkpoint, state) -> bool:
    return list(checkpoint) == list(state) and all(torch.equal(checkpoint[name], state[name]) for name in state)


@pytest.mark.parametrize("zipped", [True, False])
def test_zip_and_legacy(tmp_path, zipped):
    torch.save(MODEL.state_dict(), tmp_path / "x.bin", _use_new_zipfile_serialization=zipped)
    assert same(open_checkpoint(tmp_path / "x.bin"), MODEL.state_dict())


@pytest.mark.parametrize("key", ["state_dict", "model", "module", "ema", "weights of mine"])
def test_nested_state_dicts_are_found_and_the_rest_is_listed(tmp_path, key):
    torch.save({"epoch": 3, key: MODEL.state_dict(), "optimizer": {"lr": 0.1}}, tmp_path / "x.pth")
    found = open_checkpoint(tmp_path / "x.pth")
    assert same(found, MODEL.state_dict())
    assert found.skipped == {"epoch": "int 3", "optimizer": "a dict of 1"}


def test_wrapping_prefixes_are_dropped(tmp_path):
    torch.save({f"module._orig_mod.{name}": value for name, value in MODEL.state_dict().items()}, tmp_path / "x.pth")
    assert same(open_checkpoint(tmp_path / "x.pth"), MODEL.state_dict())


def test_deeper_tensors_get_dotted_names_and_extra_state_is_skipped(tmp_path):
    torch.save(
        {"a": torch.ones(1), "b": {"c": [torch.zeros(2)]}, "d._extra_state": {"x": 1}, "n": 5}, tmp_path / "x.pth"
    )
    found = open_checkpoint(tmp_path / "x.pth")
    assert list(found) == ["a", "b.c.0"]
    assert found.skipped == {"d._extra_state": "a dict of 1", "n": "int 5"}


def test_shared_and_strided_tensors(tmp_path):
    whole = torch.arange(12.0).reshape(3, 4)
    torch.save({"a": whole, "b": whole, "c": whole.T, "d": whole[1:, ::2]}, tmp_path / "x.pth")
    found = open_checkpoint(tmp_path / "x.pth")
    pth_writing.write(tmp_path / "y.pth", found.entries.values())
    written = torch.load(tmp_path / "y.pth", weights_only=True)
    assert torch.equal(written["c"], whole.T)
    assert torch.equal(written["d"], whole[1:, ::2])
    assert all(one.is_contiguous() for one in written.values())
    assert written["d"].untyped_storage().nbytes() == 16


@pytest.mark.parametrize("zipped", [True, False])
def test_objects_of_unknown_classes_are_skipped_not_imported(tmp_path, zipped):
    state = {"args": argparse.Namespace(lr=0.1), "state_dict": MODEL.state_dict()}
    torch.save(state, tmp_path / "x.pth", _use_new_zipfile_serialization=zipped)
    found = open_checkpoint(tmp_path / "x.pth")
    assert same(found, MODEL.state_dict())
    assert found.skipped == {"args": "an object of argparse.Namespace"}


class Attack:
    """Runs code when it is unpickled as usual."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize(
    "function", ["os.system", "builtins.eval", "builtins.exec", "subprocess.Popen", "runpy.run_path"]
)
def test_malicious_pickles_are_refused_and_do_not_run(tmp_path, function, zipped):
    module, _, name = function.rpartition(".")
    proof = tmp_path / "proof"
    code = f"touch {proof}" if "." not in name and module in ("os", "subprocess") else f"open({str(proof)!r}, 'w')"
    found = getattr(__import__(module), name)
    torch.save(
        {"a": torch.ones(1), "b": Attack(found, code)}, tmp_path / "x.pth", _use_new_zipfile_serialization=zipped
    )
    with pytest.raises(UnsafeError, match=rf"x\.pth.* at offset \d+: refused: .*{name}"):
        open_checkpoint(tmp_path / "x.pth")
    assert not proof.exists()


def test_bare_pickles_are_not_read(tmp_path):
    (tmp_path / "x.pkl").write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(CheckpointError, match="bare pickle"):
        open_checkpoint(tmp_path / "x.pkl")


@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9])
def test_files_that_are_cut_short_are_errors(tmp_path, keep, zipped):
    torch.save(MODEL.state_dict(), tmp_path / "x.pth", _use_new_zipfile_serialization=zipped)
    data = (tmp_path / "x.pth").read_bytes()
    (tmp_path / "x.pth").write_bytes(data[: int(keep * len(data))])
    with pytest.raises(CheckpointError, match=r"x\.pth"):
        open_checkpoint(tmp_path / "x.pth")


def test_zip_bombs_are_refused(tmp_path):
    torch.save({"a": torch.zeros(10)}, tmp_path / "x.pth")
    with (
        zipfile.ZipFile(tmp_path / "x.pth") as old,
        zipfile.ZipFile(tmp_path / "y.pth", "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for member in old.infolist():
            new.writestr(member.filename, b"\0" * 10_000_000 if "data/0" in member.filename else old.read(member))
    with pytest.raises(CheckpointError, match="compressed or claims"):
        open_checkpoint(tmp_path / "y.pth")


def test_whole_modules_are_refused_with_advice(tmp_path):
    torch.save(MODEL, tmp_path / "x.pth")
    with pytest.raises(CheckpointError, match="state_dict"):
        open_checkpoint(tmp_path / "x.pth")
    torch.save({"epoch": 3}, tmp_path / "y.pth")
    with pytest.raises(CheckpointError, match="no tensors"):
        open_checkpoint(tmp_path / "y.pth")


@pytest.mark.parametrize("mmap", [True, False])
def test_torch_loads_what_is_written(tmp_path, mmap):
    kinds = {str(one.dtype)[6:]: one.dtype for one in ELEMENTS}
    state = {name: torch.arange(6).reshape(2, 3).to(kind) for name, kind in kinds.items()}
    state |= {
        "scalar": torch.tensor(3),
        "empty": torch.zeros(0, 3),
        "permuted": torch.randn(2, 3, 4).permute(2, 0, 1),
        "t": "x",
    }
    pth_writing.write(tmp_path / "x.pth", [entry(name, value) for name, value in state.items()])
    found = torch.load(tmp_path / "x.pth", weights_only=True, mmap=mmap)
    assert list(found) == list(state)
    assert found.pop("t") == "x"
    for name, value in found.items():
        assert value.dtype == state[name].dtype
        assert value.shape == state[name].shape
        assert value.is_contiguous()
        assert as_bytes(value) == as_bytes(state[name])
        assert value.numel() == 0 or value.data_ptr() % 16 == 0


def test_torch_saves_again_what_is_written(tmp_path):
    pth_writing.write(tmp_path / "x.pth", [entry(name, value) for name, value in MODEL.state_dict().items()])
    other = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    other.load_state_dict(torch.load(tmp_path / "x.pth", weights_only=True))
    assert all(torch.equal(one, two) for one, two in zip(other.parameters(), MODEL.parameters(), strict=True))


def test_the_long_form_of_headers(tmp_path, monkeypatch):
    monkeypatch.setattr(zip_writing, "LARGE", 10)
    pth_writing.write(tmp_path / "x.pth", [entry("a", torch.arange(100)), entry("b", torch.ones(3))])
    found = torch.load(tmp_path / "x.pth", weights_only=True, mmap=True)
    assert torch.equal(found["a"], torch.arange(100))
    assert all(value.data_ptr() % 16 == 0 for value in found.values())
    assert same(open_checkpoint(tmp_path / "x.pth"), found)
