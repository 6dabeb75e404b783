"""Headers of .npy. Judge: numpy."""

import io

import numpy as np
import pytest

from msbridge.converters import CheckpointError
from msbridge.converters.formats import npy, npz

SHAPES = [(), (0,), (5,), (2, 3), (1,) * 32, (2, 0, 3)]


def header_of(data: bytes) -> npy.Header:
    return npy.read_header(lambda at, length: data[at : at + length], len(data), "x")


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["<f4", ">i8", "|b1", "<c16", "|u1"])
def test_headers_are_those_that_numpy_writes(version, shape, kind):
    array = np.zeros(shape, kind, order="F")
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version)
    found = header_of(file.getvalue())
    assert (found.descriptor, found.shape, found.nbytes) == (kind, shape, array.nbytes)
    assert found.is_swapped == (kind[0] == ">")


def made(text: str) -> bytes:
    return npy.MAGIC + b"\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


SOUND = ["{'descr':'<f4','fortran_order':False,'shape':()}", '{"shape": (), "descr": "<f4", "fortran_order": True,} ']


@pytest.mark.parametrize("text", SOUND)
def test_headers_of_other_writers_are_read(text):
    assert header_of(made(text) + bytes(4)).nbytes == 4


def test_long_numbers_of_python_2_are_read():
    assert header_of(made("{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 1L), }") + bytes(8)).shape == (2, 1)


@pytest.mark.parametrize("shape", [(0, 1 << 64), (1 << 40, 0, 1 << 40)])
def test_a_shape_that_torch_cannot_count_is_impossible_even_without_elements(shape):
    with pytest.raises(CheckpointError, match="x: the impossible shape"):
        header_of(made(f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}"))


def test_a_scalar_has_no_first_axis_that_could_vary_fastest(tmp_path):
    data = made("{'descr': '<f4', 'fortran_order': True, 'shape': ()}") + np.float32(3).tobytes()
    (tmp_path / "x.npy").write_bytes(data)
    assert npz.read_all(tmp_path / "x.npy")[""].item() == 3


BAD = {
    "a call": "{'descr': __import__('os'), 'fortran_order': False, 'shape': ()}",
    "depth": "{'descr': " + "(" * 20_000 + "}",
    "signs": "{'descr': " + "-" * 20_000 + "1}",
    "a long number": "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "9" * 20_000 + ",)}",
    "a negative one": "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
    "many axes": "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "1, " * 65 + ")}",
    "no shape": "{'descr': '<f4', 'fortran_order': False}",
    "a text as a shape": "{'descr': '<f4', 'fortran_order': False, 'shape': '()'}",
    "spaces": "{" + " " * 30_000,
    "more behind it": "{'descr': '<f4', 'fortran_order': False, 'shape': ()} + 1",
    "nothing": "",
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_header_is_refused(case):
    with pytest.raises(CheckpointError, match=r"x: the \.npy header is damaged"):
        header_of(made(BAD[case]) + bytes(4))


def test_all_arrays_of_a_file_are_read_unless_they_take_too_much(tmp_path, monkeypatch):
    np.save(tmp_path / "x.npy", np.arange(3.0))
    assert npz.read_all(tmp_path / "x.npy")[""].tolist() == [0, 1, 2]
    np.savez_compressed(tmp_path / "x.npz", a=np.arange(3.0), b=np.zeros(100_000))
    assert npz.read_all(tmp_path / "x.npz")["a"].tolist() == [0, 1, 2]
    monkeypatch.setattr(npz, "MORE_BYTES", 1000)
    with pytest.raises(CheckpointError, match="its arrays take 800024 bytes in memory"):
        npz.read_all(tmp_path / "x.npz")
    (tmp_path / "x.npz").write_bytes(b"neither")
    with pytest.raises(CheckpointError, match=r"neither \.npz nor \.npy"):
        npz.read_all(tmp_path / "x.npz")
