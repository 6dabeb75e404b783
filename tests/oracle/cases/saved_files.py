"""A checkpoint, a recurrent layer's checkpoint and a MindRecord file, as each release writes them."""

import lzma
from pathlib import Path

import numpy as np
from mindspore import Tensor, nn
from mindspore.mindrecord import FileWriter
from mindspore.train.serialization import save_checkpoint

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context  # noqa: F401


def checkpoint():
    whole = np.arange(1, 7, dtype=np.float32)
    values = {
        "fc.weight": whole.reshape(3, 2),
        "fc.bias": whole[:3].astype(np.float16),
        "step": np.ones(1, np.int32),
        "flag": np.ones(2, np.bool_),
        "scalar": np.float32(1),
    }
    save_checkpoint([{"name": name, "data": Tensor(value)} for name, value in values.items()], "small.ckpt")
    return Path("small.ckpt").read_bytes()


def recurrent():
    save_checkpoint(nn.LSTM(2, 3), "recurrent.ckpt")
    return Path("recurrent.ckpt").read_bytes()


def rows():
    """Write rows of all kinds; return the file and its index, compressed; the index knows the file's name."""
    writer = FileWriter("rows.mindrecord", 1)
    kinds = {"label": "int32", "score": "float64", "name": "string", "data": "bytes"}
    schema = {**{name: {"type": kind} for name, kind in kinds.items()}, "mask": {"type": "int64", "shape": [-1]}}
    writer.add_schema(schema, "rows")
    writer.add_index(["label"])
    written = [
        {
            "label": index,
            "score": index * 0.5,
            "name": f"row{index}",
            "data": b"abc" * (index + 1),
            "mask": np.array([0, index, 2 * index], np.int64),
        }
        for index in range(3)
    ]
    writer.write_raw_data(written)
    writer.commit()
    return {path.name: lzma.compress(path.read_bytes()) for path in sorted(Path().glob("rows*"))}


CASES = each("""
    checkpoint()
    recurrent()
    rows()
""")
