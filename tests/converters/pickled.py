"""Pickles and torch files, made by hand."""

import pickle
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path


def scalar(number: int) -> bytes:
    data = pickle.encode_long(number)
    return b"\x8a" + bytes([len(data)]) + data


def called(path: str) -> bytes:
    """The pickle of a class or function."""
    module, _, name = path.rpartition(".")
    return b"c" + f"{module}\n{name}\n".encode()


def text(value: str) -> bytes:
    encoded = value.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(encoded)) + encoded


def storage(count: int = 4, kind: str = "torch.FloatStorage", key: str = "0") -> bytes:
    return b"(" + text("storage") + called(kind) + text(key) + text("cpu") + scalar(count) + b"tQ"


def tensor(
    offset: int, shape: list, strides: list, count: int = 4, kind: str = "torch.FloatStorage", key: str = "0"
) -> bytes:
    lengths, steps = (b"(" + b"".join(map(scalar, numbers)) + b"t" for numbers in (shape, strides))
    hooks = called("collections.OrderedDict") + b")R"
    rebuild = called("torch._utils._rebuild_tensor_v2")
    return rebuild + b"(" + storage(count, kind, key) + scalar(offset) + lengths + steps + b"\x89" + hooks + b"tR"


def doubled(count: int, start: bytes, opening: bytes = b"(", closing: bytes = b"t", at: int = 0) -> bytes:
    """Each thing holds the one before it, twice; they are remembered under the numbers from `at` on."""
    made = start + b"r" + struct.pack("<I", at) + b"0"
    for i in range(at, at + count):
        before, after = (b"j" + struct.pack("<I", i), b"r" + struct.pack("<I", i + 1))
        made += opening + before + before + closing + after + b"0"
    return made + b"j" + struct.pack("<I", at + count)


def nested(depth: int, key: bytes, beside: bytes, inside: bytes) -> bytes:
    """Mappings in each other, each under the same key, and something beside each."""
    return (b"}(" + text("t") + beside + key) * depth + inside + b"u" * depth


def torch_file(path: Path, items: Mapping[str, bytes], protocol: bytes = b"\x80\x02") -> Path:
    """Write a torch file with one storage of four numbers."""
    return archive(path, protocol + b"}(" + b"".join(text(k) + v for k, v in items.items()) + b"u.")


def archive(path: Path, pickled: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a/data.pkl", pickled)
        file.writestr("a/data/0", struct.pack("<4f", 1, 2, 3, 4))
    return path


GOOD = tensor(0, [4], [1])
