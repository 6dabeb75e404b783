"""Loading of `.mindir` files. Judge: MindSpore 2.10.0."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge import nn
from msbridge.converters.files.atomic_write import replacing
from msbridge.converters.formats.encryption import EncryptingSink
from msbridge.converters.messages.mind_ir import ModelProto
from tests.mindir.mindir_files import arrays, content, file

KEY = b"0123456789ABCDEF"


def outputs(graph: Any) -> np.ndarray:
    return nn.GraphCell(graph)(ms.Tensor(arrays("2.10/lenet", "in")[0])).asnumpy()


def test_networks_are_loaded(tmp_path: Path) -> None:
    graph = ms.load(str(file("2.10/lenet", tmp_path)))
    np.testing.assert_allclose(outputs(graph), arrays("2.10/lenet", "out")[0], rtol=1e-5)


@pytest.mark.parametrize("name", [3, "missing.mindir", "network.ckpt"])
def test_bad_names_are_refused(name: Any) -> None:
    with pytest.raises(ValueError, match="For 'load'"):
        ms.load(name)


def test_hidden_structures_are_refused() -> None:
    with pytest.raises(NotImplementedError):
        ms.load("a.mindir", obf_func=print)


def test_unknown_arguments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="key"):
        ms.load(str(file("2.10/lenet", tmp_path)), key=KEY)


@pytest.mark.parametrize("data", [b"", b"garbage" * 10, content("2.10/lenet")[:4000]], ids=["empty", "other", "cut"])
def test_damaged_files_are_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad.mindir"
    path.write_bytes(data)
    with pytest.raises(RuntimeError, match=r"For 'load', .*bad.mindir"):
        ms.load(str(path))


@pytest.mark.parametrize("mode", ["AES-GCM", "AES-CBC", "SM4-CBC"])
def test_encrypted_files_open_with_their_key(mode: str, tmp_path: Path) -> None:
    path = str(tmp_path / "secret.mindir")
    with replacing(path) as target:
        sink = EncryptingSink(target, KEY, mode)
        sink.write(content("2.10/lenet"))
        sink.flush()
    np.testing.assert_allclose(
        outputs(ms.load(path, dec_key=KEY, dec_mode=mode)), arrays("2.10/lenet", "out")[0], rtol=1e-5
    )
    for key in ({}, {"dec_key": b"1" * 16, "dec_mode": mode}):
        with pytest.raises(RuntimeError):
            ms.load(path, **key)


def test_a_function_can_decrypt(tmp_path: Path) -> None:
    path = file("2.10/lenet", tmp_path)
    graph = ms.load(str(path), dec_key=KEY, dec_mode=lambda name, key: Path(name).read_bytes())
    assert outputs(graph).shape == (2, 4)
    with pytest.raises(RuntimeError, match="must return bytes"):
        ms.load(str(path), dec_key=KEY, dec_mode=lambda name, key: 1)


def test_keys_are_bytes(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="dec_key"):
        ms.load(str(file("2.10/lenet", tmp_path)), dec_key="a")


def test_parameters_may_stand_beside_the_file(tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.10/lenet"))
    folder = tmp_path / "big_variables"
    folder.mkdir()
    data = bytearray(64)
    for tensor in model.graph.parameter:
        tensor.external_data.location = "big_variables/data_0"
        tensor.external_data.offset, tensor.external_data.length = len(data), len(tensor.raw_data)
        data += tensor.raw_data
        tensor.ClearField("raw_data")
    (folder / "data_0").write_bytes(data)
    path = tmp_path / "big_graph.mindir"
    path.write_bytes(model.SerializeToString())
    np.testing.assert_allclose(outputs(ms.load(str(path))), arrays("2.10/lenet", "out")[0], rtol=1e-5)
    (folder / "data_0").write_bytes(data[:-8])
    with pytest.raises(RuntimeError, match="should be"):
        ms.load(str(path))
    model.graph.parameter[0].external_data.location = "../../etc/passwd"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(RuntimeError, match="outside of its folder"):
        ms.load(str(path))


def test_messages_are_loaded_and_saved(tmp_path: Path) -> None:
    message = ms.load_mindir(str(file("2.0/lenet", tmp_path)))
    assert message.model_version == "2.0.0"
    message.producer_name = "somebody"
    ms.save_mindir(message, str(tmp_path / "changed"))
    assert ms.load_mindir(str(tmp_path / "changed.mindir")) == message
    with pytest.raises(TypeError, match="ModelProto"):
        ms.save_mindir(b"", str(tmp_path / "changed"))
    with pytest.raises(ValueError, match="cannot be read"):
        ms.load_mindir(str(tmp_path / "missing.mindir"))
