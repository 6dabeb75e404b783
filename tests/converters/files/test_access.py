"""Who may use a file that was replaced: whoever could before."""

import os
import stat

import pytest
import torch

import msbridge
from msbridge.converters import convert, open_checkpoint
from msbridge.converters.files import access
from msbridge.converters.files.atomic_write import copy, replacing, replacing_path, write_text

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
MODES = [0o600, 0o640, 0o644, 0o664, 0o400]
as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can change the owner of a file"
)


def mode_of(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def source(tmp_path):
    torch.save({"a": torch.ones(2), "b": torch.ones(3)}, tmp_path / "source.pth")
    return tmp_path / "source.pth"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("suffix", [".ckpt", ".safetensors", ".pth", ".npz"])
def test_convert_leaves_the_mode_of_what_it_replaces(tmp_path, source, suffix, mode):
    target = tmp_path / f"x{suffix}"
    target.write_bytes(b"old")
    target.chmod(mode)
    convert(source, target, force=True)
    assert list(open_checkpoint(target)) == ["a", "b"]
    assert mode_of(target) == mode


@pytest.mark.parametrize("mode", MODES)
def test_all_that_replaces_files_leaves_their_mode(tmp_path, mode):
    target = tmp_path / "x"
    target.write_bytes(b"old")
    target.chmod(mode)

    def into(path):
        path.write_bytes(b"new")

    def through_path():
        with replacing_path(target) as partial:
            assert mode_of(partial) == 0o600  # nobody else reads it before
            into(partial)

    def through_sink():
        with replacing(target, 0o444) as sink:
            sink.write(b"new")

    (tmp_path / "other").write_bytes(b"new")
    for write in (
        through_path,
        through_sink,
        lambda: write_text(target, "new"),
        lambda: copy(tmp_path / "other", target),
    ):
        write()
        assert target.read_bytes() == b"new"
        assert mode_of(target) == mode


def test_what_save_checkpoint_replaces(tmp_path):
    network = msbridge.nn.Dense(2, 3)
    target = tmp_path / "x.ckpt"
    msbridge.save_checkpoint(network, str(target))
    assert mode_of(target) == 0o400  # as MindSpore leaves its files
    target.chmod(0o640)
    msbridge.save_checkpoint(network, str(target))
    assert mode_of(target) == 0o640


def test_a_link_leaves_the_mode_of_the_file_that_it_leads_to(tmp_path):
    (tmp_path / "x").write_bytes(b"old")
    (tmp_path / "x").chmod(0o600)
    (tmp_path / "link").symlink_to("x")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "x").read_bytes() == b"new"
    assert mode_of(tmp_path / "x") == 0o600


@pytest.mark.parametrize("form", ["safetensors", "ckpt"])
def test_a_private_set_of_shards_stays_private(tmp_path, source, form):
    folder = tmp_path / "out"
    options = {"format": form, "force": True}
    convert(source, folder, max_shard_bytes=8, **options)
    fresh = {one.name: mode_of(one) for one in folder.iterdir()}
    for one in folder.iterdir():
        one.chmod(0o600)
    convert(source, folder, max_shard_bytes=8, **options)
    assert {mode_of(one) for one in folder.iterdir()} == {0o600}
    convert(source, folder, max_shard_bytes=1000, **options)  # under other names, which nothing represents
    assert all(mode_of(one) & 0o077 == 0 for one in folder.iterdir())
    assert len(fresh) > len(list(folder.iterdir()))


@as_root
def test_the_owner_stays(tmp_path, source):
    target = tmp_path / "x.pth"
    target.write_bytes(b"old")
    os.chown(target, 1234, 5678)
    target.chmod(0o640)
    convert(source, target, force=True)
    assert (target.stat().st_uid, target.stat().st_gid, mode_of(target)) == (1234, 5678, 0o640)


def test_a_group_that_cannot_be_kept_gets_no_more_than_all_others(tmp_path, monkeypatch):
    target = tmp_path / "x"
    target.write_bytes(b"old")
    target.chmod(0o664)

    def refuse(path, owner, group):
        raise PermissionError

    monkeypatch.setattr(os, "chown", refuse)
    state = os.stat_result([*target.stat()[:5], target.stat().st_gid + 1, *target.stat()[6:10]])
    (tmp_path / "fresh").write_bytes(b"new")
    monkeypatch.setattr(access, "_state", lambda path: state)
    access.settle_access(tmp_path / "fresh", target)
    assert mode_of(tmp_path / "fresh") == 0o644
