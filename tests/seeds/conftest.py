"""The seeds' data: 8,000 real digits to train and 2,000 to test, where the scripts look for them."""

import gzip
import struct
from pathlib import Path

import pytest

DIGITS = Path(__file__).parent.parent / "data" / "mnist"
TRAIN = 8000


@pytest.fixture(scope="session")
def mnist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with train/ and test/ in MNIST's format, cut from MNIST's 10,000 test digits."""
    folder = tmp_path_factory.mktemp("MNIST_Data")
    images = gzip.decompress((DIGITS / "t10k-images-idx3-ubyte.gz").read_bytes())[16:]
    labels = gzip.decompress((DIGITS / "t10k-labels-idx1-ubyte.gz").read_bytes())[8:]
    for name, prefix, start, stop in (("train", "train", 0, TRAIN), ("test", "t10k", TRAIN, len(labels))):
        target = folder / name
        target.mkdir()
        header = struct.pack(">IIII", 2051, stop - start, 28, 28)
        (target / f"{prefix}-images-idx3-ubyte").write_bytes(header + images[start * 784 : stop * 784])
        (target / f"{prefix}-labels-idx1-ubyte").write_bytes(
            struct.pack(">II", 2049, stop - start) + labels[start:stop]
        )
    return folder
