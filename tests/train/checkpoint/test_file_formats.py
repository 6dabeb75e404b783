"""Judge: what MindSpore 2.10 does with the same calls, and, where MSBRIDGE_ORACLE names one, MindSpore itself."""

import os
import stat
import subprocess
import textwrap
from pathlib import Path

import pytest
import torch

import msbridge as ms
from msbridge.converters import open_checkpoint
from msbridge.converters.formats import ckpt, encryption
from msbridge.converters.tensors.entry import entry
from msbridge.converters.tensors.lazy_bytes import as_bytes

ORACLE = os.environ.get("MSBRIDGE_ORACLE", "")
VALUES = {
    "fc.weight": torch.arange(6.0).reshape(2, 3),
    "half": torch.ones(2, dtype=torch.float16),
    "bits": torch.tensor([1, -2], dtype=torch.int8),
    "flag": torch.tensor([True, False]),
    "scalar": torch.tensor(3.5),
    "empty": torch.zeros(0, 3),
    "größe": torch.tensor([7], dtype=torch.int64),
}
TRAINED = {"brain": torch.ones(2, 2, dtype=torch.bfloat16)}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder as a distributed run leaves it, as the current one."""
    monkeypatch.chdir(tmp_path)
    for name in ("run/rank_0/net-1.ckpt", "run/rank_0/net-2.ckpt", "run/rank_1/net-1.ckpt", "run/rank_0/in/a.ckpt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write(name, VALUES | TRAINED)
    write("run/net.ckpt", VALUES)
    return tmp_path


def write(name: str, values: dict) -> None:
    ckpt.write(name, [entry(key, value) for key, value in values.items()])


def files(suffix: str, below: str = ".") -> set[str]:
    return {str(one) for one in Path(below).rglob(f"*{suffix}") if one.is_file()}


def same(file: str, values: dict) -> bool:
    with open_checkpoint(file) as found:
        return set(found) == set(values) and all(
            found[name].dtype == value.dtype and torch.equal(found[name], value) for name, value in values.items()
        )


def test_a_file_becomes_the_other_format_beside_it_and_back(folder):
    assert ms.ckpt_to_safetensors("run/net.ckpt") is None
    assert files(".safetensors") == {"run/net.safetensors"}
    assert same("run/net.safetensors", VALUES)
    assert stat.S_IMODE(Path("run/net.safetensors").stat().st_mode) == 0o400
    ms.safetensors_to_ckpt("run/net.safetensors", "back")
    assert same("back/net.ckpt", VALUES)
    assert list(open_checkpoint("back/net.ckpt")) == sorted(VALUES)


@pytest.mark.parametrize("processes", [1, 3])
def test_the_files_of_all_ranks_keep_their_folders(folder, processes):
    ms.ckpt_to_safetensors("run", "out", processes_num=processes)
    assert files(".safetensors") == {f"out/rank_{name}.safetensors" for name in ("0/net-1", "0/net-2", "1/net-1")}
    assert same("out/rank_1/net-1.safetensors", VALUES | TRAINED)


def test_a_regular_expression_chooses_files(folder):
    ms.ckpt_to_safetensors("run", file_name_regex=r"-1\.ckpt$")
    assert files(".safetensors") == {"run/rank_0/net-1.safetensors", "run/rank_1/net-1.safetensors"}
    ms.ckpt_to_safetensors("run", "none", file_name_regex="nothing")
    assert not files(".safetensors", "none")


def test_a_map_renames(folder):
    ms.ckpt_to_safetensors("run/net.ckpt", name_map={"fc.weight": "head.weight", "unknown": "x"})
    assert set(open_checkpoint("run/net.safetensors")) == {"head.weight"} | set(VALUES) - {"fc.weight"}


def test_texts_come_through(folder):
    write("t.ckpt", {"a": torch.ones(1), "note": "naïve"})
    ms.ckpt_to_safetensors("t.ckpt", "there")
    ms.safetensors_to_ckpt("there/t.safetensors", "back")
    assert open_checkpoint("back/t.ckpt")["note"] == "naïve"


WRONG = [
    (("nope.ckpt",), {}, "must be a valid path or file, but got nope.ckpt"),
    ((3,), {}, "must be a valid path or file, but got 3"),
    (("run/other.txt",), {}, "the input file must be a .ckpt file"),
    (("run/net.ckpt", "run/other.txt"), {}, "the save_path must be a directory"),
    (("run/net.ckpt", "x.safetensors"), {}, "the save_path must be a directory"),
    (("run/net.ckpt",), {"name_map": [1]}, "the type of 'name_map'"),
    (("run/net.ckpt",), {"processes_num": 0}, "at least 1"),
    (("run/net.ckpt",), {"file_name_regex": "zzz"}, "does not match the regular expression"),
    (("run/net.ckpt",), {"name_map": {"half": "bits"}}, "would both be called 'bits'"),
    (("out",), {}, "no directories starting with 'rank' found in out"),
    (("locked.ckpt",), {}, "encrypted"),
    (("damaged.ckpt",), {}, "damaged.ckpt"),
]


@pytest.mark.needs(package="cryptography")
@pytest.mark.parametrize(("arguments", "options", "says"), WRONG)
def test_what_does_not_go_is_refused_and_nothing_is_written(folder, arguments, options, says):
    (folder / "run/other.txt").write_text("")
    (folder / "out").mkdir()
    (folder / "damaged.ckpt").write_bytes((folder / "run/net.ckpt").read_bytes()[:-3])
    key = b"0" * 16
    ckpt.write(
        "locked.ckpt", [entry("a", torch.ones(1))], wrap=lambda sink: encryption.EncryptingSink(sink, key, "AES-GCM")
    )
    with pytest.raises(ValueError, match=says) as caught:
        ms.ckpt_to_safetensors(*arguments, **options)
    assert "ckpt_to_safetensors" in str(caught.value)
    assert not files(".safetensors")


@pytest.mark.process
@pytest.mark.skipif(not ORACLE, reason="MSBRIDGE_ORACLE names no interpreter with the real MindSpore")
def test_files_are_those_of_the_real_mindspore(folder):
    plain = {name: value for name, value in VALUES.items() if name != "empty"}
    write("one.ckpt", plain)
    ms.ckpt_to_safetensors("one.ckpt", "ours")
    ms.safetensors_to_ckpt("ours/one.safetensors", "ours")
    ms.ckpt_to_safetensors("run", "ours")
    script = """
        import mindspore as ms
        ms.ckpt_to_safetensors("one.ckpt", "theirs")
        ms.safetensors_to_ckpt("theirs/one.safetensors", "theirs")
        ms.ckpt_to_safetensors("run", "theirs")
        for name in ("one.ckpt", "one.safetensors"):
            ms.load_checkpoint("ours/" + name, format=name.partition(".")[2])
    """
    environment = os.environ | {"GLOG_v": "4", "PYTHONPATH": ""}
    subprocess.run([ORACLE, "-c", textwrap.dedent(script)], env=environment, check=True, capture_output=True)
    assert files("", "ours") == {name.replace("theirs", "ours", 1) for name in files("", "theirs")}
    for name in files("", "ours"):
        theirs = folder / name.replace("ours", "theirs", 1)
        ours, found = open_checkpoint(name), open_checkpoint(theirs)
        assert list(ours) == list(found)
        for one in ours.entries.values():
            other = found.entries[one.name]
            assert (one.type, one.shape) == (other.type, other.shape)
            assert bytes(as_bytes(one.tensor())) == bytes(as_bytes(other.tensor()))
        assert stat.S_IMODE(Path(name).stat().st_mode) == stat.S_IMODE(theirs.stat().st_mode)
    assert (folder / "ours/one.ckpt").read_bytes() == (folder / "theirs/one.ckpt").read_bytes()
