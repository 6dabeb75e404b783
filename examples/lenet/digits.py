"""Real handwritten digits in MNIST's file format, from what scikit-learn ships.

1,797 digits of 43 writers (UCI, 8×8, 16 grey levels), enlarged to 28×28 and written as IDX files: about four fifths to
train, the rest to test.
"""

import gzip
import struct
from pathlib import Path

import numpy as np

TRAIN_SHARE = 0.8


def write(folder: Path) -> tuple[int, int]:
    """Write train and test files below `folder`; give the number of digits in each."""
    import cv2
    from sklearn.datasets import load_digits

    digits = load_digits()
    images = np.stack([cv2.resize((image * 255 / 16).astype(np.uint8), (28, 28)) for image in digits.images])
    order = np.random.default_rng(0).permutation(len(images))
    cut = int(len(images) * TRAIN_SHARE)
    for name, prefix, chosen in (("train", "train", order[:cut]), ("test", "t10k", order[cut:])):
        target = folder / name
        target.mkdir(parents=True, exist_ok=True)
        labels = digits.target[chosen].astype(np.uint8)
        header = struct.pack(">IIII", 2051, len(chosen), 28, 28)
        (target / f"{prefix}-images-idx3-ubyte").write_bytes(header + images[chosen].tobytes())
        (target / f"{prefix}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 2049, len(chosen)) + labels.tobytes())
    return cut, len(images) - cut


def arrange(given: Path, folder: Path) -> Path:
    """Give a folder with train/ and test/ made of MNIST's files as they are usually kept, gzipped or not.

    Raises:
        FileNotFoundError: a file is not there.
    """
    if (given / "train").is_dir() and (given / "test").is_dir():
        return given
    for name, prefix in (("train", "train"), ("test", "t10k")):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for kind in ("images-idx3-ubyte", "labels-idx1-ubyte"):
            (folder / name / f"{prefix}-{kind}").write_bytes(_read(given / f"{prefix}-{kind}"))
    return folder


def count(folder: Path) -> int:
    """Give how many digits a folder holds."""
    labels = next(folder.glob("*labels-idx1-ubyte"))
    return struct.unpack(">I", labels.read_bytes()[4:8])[0]


def _read(path: Path) -> bytes:
    if path.exists():
        return path.read_bytes()
    zipped = path.with_name(path.name + ".gz")
    if zipped.exists():
        return gzip.decompress(zipped.read_bytes())
    raise FileNotFoundError(f"{path} is not there, nor {zipped.name}: MNIST's four files are needed.")
