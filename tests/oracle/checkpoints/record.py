"""Record files that the real MindSpore writes, and what its Cells call their parameters, in `records/`.

    PYTHON tests/oracle/checkpoints/record.py

PYTHON is the interpreter of an environment with `mindspore==2.10.0` and `numpy<2`. The values are formulas, so that a
test can make the same ones and compare the files byte for byte. Encrypted files hold random nonces: they are only read.
"""

import json
import stat
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
RECORDS = HERE / "records"
KEYS = {"AES-GCM": b"0123456789ABCDEF01234567", "AES-CBC": b"0123456789ABCDEF", "SM4-CBC": b"fedcba9876543210"}
SLICE_KIB = 1

# name, MindSpore's dtype, shape; the elements are counted from one, every third of them negative where there is a sign
DTYPES = [
    ("int8", "int8", (2, 3)),
    ("int16", "int16", (5,)),
    ("int32", "int32", (1, 2, 3)),
    ("int64", "int64", ()),
    ("uint8", "uint8", (4,)),
    ("uint16", "uint16", (4,)),
    ("uint32", "uint32", (2, 1)),
    ("uint64", "uint64", (3,)),
    ("half.weight", "float16", (3, 2)),
    ("brain.weight", "bfloat16", (3, 3)),
    ("single.weight", "float32", (2, 2, 2)),
    ("double.weight", "float64", (2,)),
    ("flag", "bool_", (5,)),
    ("complex64", "complex64", (2,)),
    ("complex128", "complex128", (1,)),
    ("模型.weight", "float32", ()),
]
SMALL = [("fc.weight", "float32", (3, 2)), ("fc.bias", "float32", (3,)), ("step", "int32", (1,))]
LARGE = [("a", "float32", (700,)), ("b", "int16", (512,)), ("c", "float32", (3, 300)), ("d", "float32", (1,))]
APPENDED = {"lr": 0.01, "epoch": 3, "flag": True, "note": "naïve text", "nothing": ""}


def numbers(dtype: str, shape: tuple[int, ...]) -> list:
    """Give the elements of a case as a flat list of numbers."""
    count = 1
    for dim in shape:
        count *= dim
    if dtype == "bool_":
        return [i % 3 != 1 for i in range(count)]
    signed = not dtype.startswith("u")
    found = [-(i + 1) if signed and i % 3 == 2 else i + 1 for i in range(count)]
    if dtype.startswith("int8"):
        return found
    if dtype.startswith("complex"):
        return [complex(x, x / 4) for x in found]
    return [x / 8 for x in found] if "float" in dtype else found


def main() -> None:
    import mindspore as ms
    import numpy as np

    RECORDS.mkdir(exist_ok=True)

    def tensors(case: list) -> list[dict]:
        made = []
        for name, dtype, shape in case:
            width = "complex128" if dtype.startswith("complex") else "float64"
            values = np.array(numbers(dtype, shape), width if dtype != "bool_" else bool).reshape(shape)
            narrow = values if dtype == "bfloat16" else values.astype(dtype.rstrip("_"))
            data = ms.Tensor(narrow.astype(np.float32), ms.bfloat16) if dtype == "bfloat16" else ms.Tensor(narrow)
            made.append({"name": name, "data": data})
        return made

    def save(name: str, case: list, **options: object) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            ms.save_checkpoint(tensors(case), str(path), **options)
            (RECORDS / name).unlink(missing_ok=True)
            (RECORDS / name).write_bytes(path.read_bytes())
            assert stat.S_IMODE(path.stat().st_mode) == 0o400

    save("dtypes.ckpt", DTYPES)
    save("small.ckpt", SMALL)
    save("crc.ckpt", SMALL, crc_check=True)
    save("appended.ckpt", SMALL, append_dict=dict(APPENDED))
    for mode, key in KEYS.items():
        save(f"{mode}.ckpt", SMALL, enc_key=key, enc_mode=mode)
    plain = [case for case in DTYPES if case[1] not in ("bfloat16", "complex128")]
    save("dtypes.safetensors", plain, format="safetensors")
    save("crc.safetensors", SMALL, format="safetensors", crc_check=True)
    ms.train.serialization.SLICE_SIZE = SLICE_KIB
    save("sliced.ckpt", LARGE)
    ms.train.serialization.SLICE_SIZE = 512 * 1024
    text = json.dumps(cells(ms), indent=1)
    (RECORDS / "cells.json").write_text(text + "\n")


def cells(ms: object) -> dict[str, dict]:
    """Give the parameters of Cells, by name and shape: alone, and as the attribute `m` of another."""
    nn = ms.nn
    makers = {
        "Dense": lambda: nn.Dense(3, 4),
        "BiDense": lambda: nn.BiDense(3, 4, 5),
        "Conv1d": lambda: nn.Conv1d(4, 6, 3, has_bias=True, group=2),
        "Conv2d": lambda: nn.Conv2d(4, 6, (3, 5), has_bias=True, group=2),
        "Conv3d": lambda: nn.Conv3d(4, 6, (2, 3, 5), has_bias=True),
        "Conv1dTranspose": lambda: nn.Conv1dTranspose(4, 6, 3, has_bias=True, group=2),
        "Conv2dTranspose": lambda: nn.Conv2dTranspose(4, 6, (3, 5), has_bias=True, group=2),
        "Conv3dTranspose": lambda: nn.Conv3dTranspose(4, 6, (2, 3, 5), has_bias=True),
        "BatchNorm1d": lambda: nn.BatchNorm1d(3),
        "BatchNorm2d": lambda: nn.BatchNorm2d(3),
        "BatchNorm3d": lambda: nn.BatchNorm3d(3),
        "SyncBatchNorm": lambda: nn.SyncBatchNorm(3),
        "InstanceNorm1d": lambda: nn.InstanceNorm1d(3),
        "InstanceNorm2d": lambda: nn.InstanceNorm2d(3),
        "InstanceNorm3d": lambda: nn.InstanceNorm3d(3),
        "LayerNorm": lambda: nn.LayerNorm((3, 4)),
        "GroupNorm": lambda: nn.GroupNorm(2, 4),
        "Embedding": lambda: nn.Embedding(5, 3),
        "EmbeddingLookup": lambda: nn.EmbeddingLookup(5, 3),
        "PReLU": lambda: nn.PReLU(3),
        "LSTM": lambda: nn.LSTM(3, 5, 2, bidirectional=True),
        "GRU": lambda: nn.GRU(3, 5, 1),
        "RNN": lambda: nn.RNN(3, 5, 1),
        "LSTMCell": lambda: nn.LSTMCell(3, 5),
        "GRUCell": lambda: nn.GRUCell(3, 5),
        "RNNCell": lambda: nn.RNNCell(3, 5),
        "MultiheadAttention": lambda: nn.MultiheadAttention(4, 2),
        "TransformerEncoderLayer": lambda: nn.TransformerEncoderLayer(4, 2, 8),
        "TransformerDecoderLayer": lambda: nn.TransformerDecoderLayer(4, 2, 8),
    }

    class Outer(nn.Cell):
        def __init__(self, inner: object):
            super().__init__()
            self.m = inner

    found = {}
    for name, make in makers.items():
        alone = {parameter.name: list(parameter.shape) for parameter in make().get_parameters()}
        inside = {parameter.name: list(parameter.shape) for parameter in Outer(make()).get_parameters()}
        found[name] = {"alone": alone, "as m": inside}
    return found


if __name__ == "__main__":
    main()
