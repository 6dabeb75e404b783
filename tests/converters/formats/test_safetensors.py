"""Judge: the safetensors library where it is installed; hand-made headers for what is wrong with a file."""

import importlib
import json
import zlib

import pytest
import torch

from msbridge.converters import CheckpointError, open_checkpoint
from msbridge.converters.files.source import Source
from msbridge.converters.formats import safetensors
from msbridge.converters.tensors.entry import entry

KINDS = [torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.uint8, torch.int16, torch.int32]
KINDS += [torch.int64, torch.bool, torch.float8_e4m3fn, torch.float8_e5m2]
STATE = {f"{i}.{str(kind)[6:]}": torch.arange(6).reshape(2, 3).to(kind) for i, kind in enumerate(KINDS)}
STATE |= {"scalar": torch.tensor(1.5), "empty": torch.zeros(0, 3), "é": torch.ones(1)}


def same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.dtype == other.dtype and one.shape == other.shape and torch.equal(one.double(), other.double())


@pytest.mark.needs(package="safetensors")
def test_the_library_reads_what_is_written_here(tmp_path):
    library = importlib.import_module("safetensors.torch")
    safetensors.write(tmp_path / "x", [entry(name, value) for name, value in STATE.items()], metadata={"format": "pt"})
    found = library.load_file(tmp_path / "x")
    assert found.keys() == STATE.keys()
    assert all(same(found[name], STATE[name]) for name in STATE)


@pytest.mark.needs(package="safetensors")
def test_writes_the_bytes_that_the_library_writes(tmp_path):
    library = importlib.import_module("safetensors.torch")
    state = {name: value for name, value in STATE.items() if "float8" not in name}
    library.save_file(state, tmp_path / "theirs", metadata={"format": "pt"})
    safetensors.write(
        tmp_path / "ours", [entry(name, value) for name, value in state.items()], metadata={"format": "pt"}
    )
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()


def test_texts_and_int4_come_back(tmp_path):
    safetensors.write(tmp_path / "x", [entry("t", "naïve"), entry("q", torch.ones(2, dtype=torch.int8), "Int4")])
    found = open_checkpoint(tmp_path / "x")
    assert found["t"] == "naïve"
    assert found.entries["q"].type == "Int4"


def test_types_without_a_place_are_refused(tmp_path):
    with pytest.raises(CheckpointError, match=r"'c' is Complex128, .* write \.ckpt instead"):
        safetensors.write(tmp_path / "x", [entry("c", torch.ones(1, dtype=torch.complex128))])
    assert not any(tmp_path.iterdir())


def row(**changes) -> dict:
    return {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]} | changes


WRONG = {
    "no JSON": (b"{nope}", "not JSON"),
    "deep": (b"[" * 100_000, "not JSON"),
    "a list": (b"[]", "JSON object"),
    "twice": (b'{"a":1,"a":2}', "'a' occurs twice"),
    "not a row": ({"a": 3}, "row 'a'"),
    "negative": ({"a": row(shape=[-1])}, "row 'a'"),
    "float shape": ({"a": row(shape=[1.0])}, "row 'a'"),
    "bool shape": ({"a": row(shape=[True])}, "row 'a'"),
    "unknown dtype": ({"a": row(dtype="F33")}, "unknown dtype 'F33'"),
    "wrong size": ({"a": row(shape=[2])}, "takes 8 bytes"),
    "backwards": ({"a": row(data_offsets=[4, 0])}, "takes 4 bytes"),
    "absurd": ({"a": row(shape=[1 << 60], data_offsets=[0, 1 << 62])}, "the file ends at"),
    "overlap": ({"a": row(), "b": row(data_offsets=[2, 6])}, "overlaps"),
    "gap": ({"a": row(), "b": row(data_offsets=[8, 12])}, "leaves a gap"),
    "short": ({"a": row(shape=[], data_offsets=[0, 4])}, "it is damaged"),
    "metadata": ({"__metadata__": {"x": 1}}, "texts to texts"),
    "a list as dtype": (
        {"a": row(dtype=["F32"])},
        r"row 'a' is not dtype, .*: \(a list of 1, a list of 1, a list of 2\)",
    ),
    "an object as dtype": ({"a": row(dtype={})}, "row 'a'"),
    "a text as shape": ({"a": row(shape="1")}, "row 'a'"),
    "an object as shape": ({"a": row(shape={"1": 1})}, "row 'a'"),
    "many axes": ({"a": row(shape=[1] * 65)}, "row 'a'"),
    "three offsets": ({"a": row(data_offsets=[0, 4, 8])}, "row 'a'"),
    "a key more": ({"a": row(more=1)}, "row 'a'"),
    "a number of many digits": (b'{"a":' + b"9" * 5000 + b"}", "not JSON"),
    "no number": (b'{"a":{"dtype":"F32","shape":[NaN],"data_offsets":[0,4]}}', "row 'a'"),
    "endless": (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,1e999]}}', "row 'a'"),
    "a row nested": (b'{"a":{"dtype":' + b"[" * 900 + b"]" * 900 + b"}}", "row 'a' is not|not JSON"),
    "half a character": (b'{"__metadata__":{"x":"\\ud800"}}', "the text of 'x' in the header is not valid text"),
    "half a character in a text": (
        b'{"__metadata__":{"text:x":"\\ud800"}}',
        "the text of 'text:x' in the header",
    ),
    "half a character in a name": (
        b'{"\\ud800":{"dtype":"U8","shape":[12],"data_offsets":[0,12]}}',
        "is not valid text",
    ),
    "lists": (b"[" + b"[]," * 1_000_000 + b"0]", "takes more than the"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files_are_refused(tmp_path, case):
    header, says = WRONG[case]
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    (tmp_path / "x").write_bytes(len(text).to_bytes(8, "little") + text + b"\0" * 12)
    with pytest.raises(CheckpointError, match=says):
        list(safetensors.read(Source(tmp_path / "x")))


def test_an_absurd_header_length_is_refused(tmp_path):
    (tmp_path / "x").write_bytes((1 << 39).to_bytes(8, "little") + b"{}")
    with pytest.raises(CheckpointError, match=f"claims a header of {1 << 39} bytes"):
        open_checkpoint(tmp_path / "x")


def test_metadata_with_the_keys_of_a_tensor_are_metadata(tmp_path):
    notes = {"dtype": "a", "shape": "b", "data_offsets": "c"}
    safetensors.write(tmp_path / "x", [entry("a", torch.ones(1))], metadata=notes)
    assert open_checkpoint(tmp_path / "x").metadata == notes


@pytest.mark.parametrize("count", [0, 1, 7, 1000, 65_536, 1_000_003])
def test_the_check_sum_of_zeros_is_that_of_their_bytes(count):
    assert safetensors.crc_of_zeros(count, 0x12345678) == zlib.crc32(bytes(count), 0x12345678)


def test_the_check_sum_of_a_billion_zeros_takes_no_memory(tmp_path):
    """By an accident of Python, MindSpore sums up as many zeros as an integer scalar says."""
    state = {f"n{i}": torch.tensor((1 << 30) - i) for i in range(50)}
    safetensors.write(tmp_path / "x", [entry(name, value) for name, value in state.items()], crc_check=True)
    assert open_checkpoint(tmp_path / "x", crc_check=True).has_crc
