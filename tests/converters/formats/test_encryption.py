"""Encrypted files of several blocks."""

import pytest
import torch

from msbridge.converters import CheckpointError, open_checkpoint
from msbridge.converters.formats import ckpt, encryption
from msbridge.converters.tensors.entry import entry


@pytest.mark.needs(package="cryptography")
@pytest.mark.parametrize("mode", ["AES-GCM", "AES-CBC", "SM4-CBC"])
def test_encrypted_files_of_several_blocks(tmp_path, monkeypatch, mode):
    monkeypatch.setattr(encryption, "BLOCK_BYTES", 1000)
    data, key = torch.arange(1000), bytes(range(16))
    ckpt.write(
        tmp_path / "x",
        [entry("a", data), entry("b", data)],
        wrap=lambda sink: encryption.EncryptingSink(sink, key, mode),
    )
    found = open_checkpoint(tmp_path / "x", key=key, mode=mode)
    assert torch.equal(found["b"], data)
    raw = bytearray((tmp_path / "x").read_bytes())
    for cut in (raw[:-1], raw[:1100], raw[:2], raw[:30]):
        (tmp_path / "y").write_bytes(cut)
        with pytest.raises(CheckpointError, match="y"):
            open_checkpoint(tmp_path / "y", key=key, mode=mode)
    other = "AES-CBC" if mode == "AES-GCM" else "AES-GCM"
    with pytest.raises(CheckpointError, match=f"the block at offset 0 is {mode}, not {other}"):
        open_checkpoint(tmp_path / "x", key=key, mode=other)
