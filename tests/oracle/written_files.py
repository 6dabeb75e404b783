"""Write a checkpoint, a MindRecord file and a network as msbridge does, for the real releases to read.

    python -m tests.oracle.written_files

All releases write alike, but for networks before 1.7, `NAME_r1_6.mindir`: so one set of files in `written/` stands for
all of them, and `test_files_of_releases.py` writes them again under each. What a real one reads in them is recorded by
the families `written_files`.
"""

import lzma
import os
import tempfile
from pathlib import Path

import msbridge
from msbridge.core.releases.release import release

msbridge.install()

import mindspore as ms  # noqa: E402
import numpy as np  # noqa: E402
from mindspore import Tensor  # noqa: E402
from mindspore.mindrecord import FileWriter  # noqa: E402

from tests.oracle.cases._exported import NETWORKS, network  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "written"
ROWS = [
    {
        "label": i,
        "score": i * 0.5,
        "name": f"row{i}",
        "data": b"abc" * (i + 1),
        "mask": np.array([0, i, 2 * i], np.int64),
    }
    for i in range(3)
]
VALUES = {
    "fc.weight": np.arange(1, 7, dtype=np.float32).reshape(3, 2),
    "fc.bias": np.arange(1, 4, dtype=np.float16),
    "step": np.ones(1, np.int32),
    "flag": np.ones(2, np.bool_),
}


def write(folder: Path) -> None:
    """Write the files as the release that is followed does."""
    suffix = "_r1_6" if release() < (1, 7) else ""
    values = [{"name": name, "data": Tensor(value)} for name, value in VALUES.items()]
    ms.save_checkpoint(values, str(folder / "small.ckpt"))
    for kind in NETWORKS:
        net, given = network(kind)
        ms.export(net, Tensor(given), file_name=str(folder / f"{kind}{suffix}"), file_format="MINDIR")
    before = Path.cwd()
    os.chdir(folder)  # an index knows the name of its file
    try:
        _write_rows()
    finally:
        os.chdir(before)


def _write_rows() -> None:
    writer = FileWriter("rows.mindrecord", 1)
    kinds = {"label": "int32", "score": "float64", "name": "string", "data": "bytes"}
    schema = {**{name: {"type": kind} for name, kind in kinds.items()}, "mask": {"type": "int64", "shape": [-1]}}
    writer.add_schema(schema, "rows")
    writer.add_index(["label"])
    writer.write_raw_data([{**row} for row in ROWS])
    writer.commit()


def main() -> None:
    """Write the files; those of MindRecord compressed."""
    for followed in ("1.5", None):
        msbridge.set_release(followed)
        with tempfile.TemporaryDirectory() as name:
            write(Path(name))
            for file in sorted(Path(name).iterdir()):
                is_large = "mindrecord" in file.name
                data = file.read_bytes()
                (FOLDER / (file.name + ".xz" * is_large)).write_bytes(lzma.compress(data) if is_large else data)


if __name__ == "__main__":
    main()
