"""CIFAR's pickles. Judge: Python's pickle and numpy for sound ones; what must not happen is made by hand."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from msbridge.dataset.mindrecord import Cifar10ToMR
from msbridge.dataset.mindrecord.convert.cifar_pickle import read_cifar

PIXELS = np.arange(2 * 3072, dtype=np.uint8).reshape(2, 3072)


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("kind", [np.uint8, np.int64, ">i4"])
def test_arrays_are_those_that_numpy_pickles(tmp_path: Path, protocol: int, kind: object) -> None:
    content = {b"data": np.asfortranarray(PIXELS.astype(kind)), b"labels": [3, 4], b"batch_label": b"x"}
    (tmp_path / "x").write_bytes(pickle.dumps(content, protocol))
    found = read_cifar(tmp_path / "x")
    assert np.array_equal(found[b"data"], PIXELS)
    assert found[b"labels"] == [3, 4]


def doubled(opening: bytes, closing: bytes) -> bytes:
    """Forty tuples or lists, each of the one before it, twice."""
    steps = (
        opening + b"h" + bytes([i]) * 1 + b"h" + bytes([i]) + closing + b"q" + bytes([i + 1]) + b"0" for i in range(40)
    )
    return b"K\x01q\x000" + b"".join(steps) + b"h\x28"


BAD = {
    "lists in lists": (b"}U\x04data" + doubled(b"](", b"e") + b"s.", "its images are a list, not an array"),
    "a key": (b"}" + doubled(b"(", b"t") + b"Ns.", "data"),
    "no mapping": (b"].", "it holds a list"),
    "a number as an array": (b"}U\x04datacnumpy.core.multiarray\n_reconstruct\n(tRs.", "of no plain numbers"),
    "objects": (
        b"}U\x04datacnumpy.core.numeric\n_frombuffer\n(U\x08aaaaaaaacnumpy\ndtype\n(U\x02O8tR(K\x01tU\x01CtRs.",
        "of no plain numbers",
    ),
    "a shape": (
        b"}U\x04datacnumpy.core.numeric\n_frombuffer\n(U\x01acnumpy\ndtype\n(U\x02u1tR(K\x05tU\x01CtRs.",
        "cannot reshape",
    ),
    "another function": (b"cos\nsystem\n(U\x04harmtR.", "it names os.system"),
    "cut short": (b"}U\x04da", "cut short or damaged"),
}


@pytest.mark.parametrize("case", BAD)
def test_damaged_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    data, says = BAD[case]
    monkeypatch.chdir(tmp_path)
    for name in [*(f"data_batch_{number}" for number in range(1, 6)), "test_batch"]:
        Path(name).write_bytes(data)
    with pytest.raises(RuntimeError, match=f"data_batch_1 is not a file of CIFAR's Python version: .*{says}"):
        Cifar10ToMR(".", "cifar").transform()


def test_labels_that_are_too_few_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [*(f"data_batch_{number}" for number in range(1, 6)), "test_batch"]:
        Path(name).write_bytes(pickle.dumps({b"data": PIXELS, b"labels": [1]}, 2))
    with pytest.raises(RuntimeError, match="2 images, but 1 of label"):
        Cifar10ToMR(".", "cifar").transform()
