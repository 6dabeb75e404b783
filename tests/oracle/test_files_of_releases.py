"""Files that the real 1.0.0 to 2.10.0 wrote load under each release; those releases read what is written here."""

import lzma
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch

import msbridge
from msbridge import nn
from msbridge.cli.main import main
from msbridge.converters import open_checkpoint
from msbridge.core.releases.release import parse
from msbridge.dataset import MindDataset
from tests.oracle import written_files
from tests.oracle.cases._exported import NETWORKS, network
from tests.oracle.recorded import answers

RELEASES = ["1.0.0", "1.1.1", "1.3.0", "1.5.2", "1.7.0", "1.8.1", "1.10.0", "2.0.0", "2.10.0"]
EXPORTERS = ["1.1.1", "1.3.0", "1.5.2", "1.6.2", "1.7.0", "1.8.1", "1.10.0"]  # of 2.0.0 and 2.10.0: tests/mindir
PAGE_BYTES = 1 << 16
KEPT = ["--of", "mindspore", "--to", "mindspore"]
SHAPES = {"fc.weight": (3, 2), "fc.bias": (3,), "step": (1,), "flag": (2,), "scalar": ()}
DTYPES = ["Float32", "Float16", "Int32", "Bool", "Float32"]


@pytest.fixture(scope="module", params=RELEASES)
def release(request: pytest.FixtureRequest) -> Iterator[str]:
    """Follow a release for all tests of it, one after the other: to choose one takes longer than most of them."""
    msbridge.set_release(request.param)
    yield request.param
    msbridge.set_release(None)


def family(topic: str, release: str) -> tuple[str, str]:
    """Return the family of a topic that a release has of its own, and the folder of its record."""
    if release == RELEASES[-1]:
        return topic, ""
    major, minor, _ = release.split(".")
    return f"r{major}_{minor}.{topic}", release


def saved(release: str) -> dict[str, Any]:
    return answers(*family("saved_files", release))


def read(release: str) -> dict[str, Any]:
    return answers(*family("written_files", release))


def written(kind: str, release: str, folder: Path) -> Path:
    """Return a checkpoint that a release wrote, in a folder."""
    path = folder / "written.ckpt"
    path.write_bytes(saved(release)[f"{kind}()"])
    return path


def test_names_types_and_values(release: str, tmp_path: Path) -> None:
    found = msbridge.load_checkpoint(str(written("checkpoint", release, tmp_path)))
    assert {name: each.shape for name, each in found.items()} == SHAPES
    assert [str(each.dtype) for each in found.values()] == DTYPES
    assert found["fc.weight"].asnumpy().tolist() == [[1, 2], [3, 4], [5, 6]]


def test_a_recurrent_layer_takes_its_weights(release: str, tmp_path: Path) -> None:
    found = msbridge.load_checkpoint(str(written("recurrent", release, tmp_path)))
    layer = nn.LSTM(2, 3)
    left_out = msbridge.load_param_into_net(layer, found)
    assert not any(left_out)
    for name, each in found.items():
        assert (layer.parameters_dict()[name].asnumpy() == each.asnumpy()).all()


@pytest.mark.parametrize("writer", RELEASES)
@pytest.mark.parametrize("kind", ["checkpoint", "recurrent"])
def test_a_checkpoint_loads_under_each_release(kind: str, writer: str, release: str, tmp_path: Path) -> None:
    path = written(kind, writer, tmp_path)
    found = msbridge.load_checkpoint(str(path))
    with open_checkpoint(path) as file:
        assert list(found) == list(file)
        assert all((found[name].asnumpy() == value.numpy()).all() for name, value in file.items())


@pytest.mark.parametrize("kind", ["checkpoint", "recurrent"])
def test_a_checkpoint_goes_to_torch_and_back(kind: str, release: str, tmp_path: Path) -> None:
    path = written(kind, release, tmp_path)
    there, back = tmp_path / "there.pth", tmp_path / "back.ckpt"
    assert main(["convert", str(path), str(there), *KEPT]) == 0
    assert main(["convert", str(there), str(back), *KEPT]) == 0
    before, after = (msbridge.load_checkpoint(str(one)) for one in (path, back))
    assert list(torch.load(there, weights_only=True)) == list(before)
    assert list(after) == list(before)
    assert all((after[name].asnumpy() == before[name].asnumpy()).all() for name in before)


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the MindRecord file that each release wrote, and its index, into a folder of its own."""
    folder = tmp_path_factory.mktemp("rows")
    for writer in RELEASES:
        (folder / writer).mkdir()
        for name, data in saved(writer)["rows()"].items():
            write_sparse(folder / writer / name, lzma.decompress(data))
    return folder


def write_sparse(path: Path, data: bytes) -> None:
    """Write a file whose empty pages, of 50 MB nearly all, take no room: temporary files are kept in memory."""
    with path.open("wb") as file:
        for start in range(0, len(data), PAGE_BYTES):
            if (page := data[start : start + PAGE_BYTES]).strip(b"\0"):
                file.seek(start)
                file.write(page)
        file.truncate(len(data))


@pytest.mark.parametrize("writer", RELEASES)
def test_a_mindrecord_file_is_read_under_each_release(rows: Path, writer: str, release: str) -> None:
    path = min((rows / writer).iterdir())
    found = list(MindDataset(str(path), shuffle=False).create_dict_iterator(num_epochs=1, output_numpy=True))
    text = (lambda index: f"row{index}".encode()) if parse(release) < (1, 9) else "row{}".format
    for index, row in enumerate(found):
        assert (row["label"], row["score"], row["name"]) == (index, index * 0.5, text(index))
        assert row["mask"].tolist() == [0, index, 2 * index]
        assert bytes(row["data"]) == b"abc" * (index + 1)
    assert len(found) == 3


@pytest.fixture(scope="module", params=[None, "1.1", "1.10", "2.0"])
def followed(request: pytest.FixtureRequest) -> Iterator[None]:
    msbridge.set_release(request.param)
    yield
    msbridge.set_release(None)


@pytest.mark.usefixtures("followed")
@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("kind", NETWORKS)
def test_a_network_computes_what_its_release_did(kind: str, exporter: str, tmp_path: Path) -> None:
    answer = saved(exporter)[f"exported({kind!r})"]
    (tmp_path / "network.mindir").write_bytes(answer["file"])
    found = nn.GraphCell(msbridge.load(str(tmp_path / "network.mindir")))(msbridge.Tensor(answer["in"]))
    assert abs(found.asnumpy() - answer["out"]).max() <= 1e-5 * abs(answer["out"]).max()


@pytest.fixture(scope="module")
def here(release: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the files of `written/` under a release."""
    folder = tmp_path_factory.mktemp("here")
    written_files.write(folder)
    return folder


def _kept(name: str) -> bytes:
    return (written_files.FOLDER / name).read_bytes()


@pytest.mark.compiles
def test_each_release_writes_the_files_that_the_real_ones_were_given(here: Path, tmp_path: Path) -> None:
    assert (here / "small.ckpt").read_bytes() == _kept("small.ckpt")
    for path in here.glob("*.mindir"):
        assert path.read_bytes() == _kept(path.name)
    assert (here / "rows.mindrecord").read_bytes() == lzma.decompress(_kept("rows.mindrecord.xz"))
    (tmp_path / "kept.db").write_bytes(lzma.decompress(_kept("rows.mindrecord.db.xz")))
    assert dump(here / "rows.mindrecord.db") == dump(tmp_path / "kept.db")


def dump(path: Path) -> list[str]:
    """Return the statements that make a database."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


@pytest.mark.parametrize("reader", RELEASES)
def test_the_real_releases_read_what_is_written_here(reader: str) -> None:
    found = read(reader)
    values = found["checkpoint()"]
    assert {name: value.tolist() for name, value in values.items()} == {
        name: value.tolist() for name, value in written_files.VALUES.items()
    }
    for got, row in zip(found["rows()"], written_files.ROWS, strict=True):
        text = row["name"] if parse(reader) >= (1, 9) else str(row["name"].encode())
        assert (got[0], got[1], got[2], got[3]) == (row["label"], row["score"], text, row["data"])
        assert got[4].tolist() == row["mask"].tolist()


@pytest.mark.parametrize("kind", NETWORKS)
def test_the_real_releases_compute_what_is_exported_here(kind: str, release: str) -> None:
    net, given = network(kind)
    expected = net(msbridge.Tensor(given)).asnumpy()
    for reader in {"1.0.0": [], "1.1.1": [], "1.5.2": ["1.5.2", "1.6.2"]}.get(release, [release]):  # 1.1 has no reader
        assert abs(read(reader)[f"network({kind!r})"] - expected).max() <= 1e-4


def test_what_releases_before_1_7_cannot_run_is_not_written_under_them(tmp_path: Path) -> None:
    msbridge.set_release("1.5")
    try:
        with pytest.raises(RuntimeError, match=r"of MindSpore before 1\.7 have no primitive LogicalXor"):
            msbridge.export(
                lambda x: msbridge.ops.logical_xor(x, x),
                msbridge.Tensor([True, False]),
                file_name=str(tmp_path / "network"),
                file_format="MINDIR",
            )
        assert not list(tmp_path.iterdir())
    finally:
        msbridge.set_release(None)
