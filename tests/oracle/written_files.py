"""Write a checkpoint, a MindRecord file and a network as msbridge does, for the real releases to read.

    python tests/oracle/written_files.py

All releases write alike, so that one set of files in `written/` stands for all of them: `test_files_of_releases.py`
writes them again under each. What a real one reads in them is recorded by the families `written_files`.
"""

import lzma
import os
import tempfile
from pathlib import Path

import msbridge

msbridge.install()

import mindspore as ms  # noqa: E402
import numpy as np  # noqa: E402
from mindspore import Tensor, nn  # noqa: E402
from mindspore.mindrecord import FileWriter  # noqa: E402

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
X = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)


class Net(nn.Cell):
    """A convolution and a dense layer."""

    def __init__(self):
        super().__init__()
        self.conv, self.relu, self.flatten, self.fc = nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Dense(32, 3)

    def construct(self, x):
        return self.fc(self.flatten(self.relu(self.conv(x))))


def network() -> Net:
    """Return a network with the same weights everywhere."""
    net = Net()
    for parameter in net.get_parameters():
        values = np.arange(parameter.size, dtype=np.float32) % 5 - 2
        parameter.set_data(Tensor(values.reshape(parameter.shape)))
    return net


def write(folder: Path) -> None:
    """Write the files as the release that is followed does."""
    values = [{"name": name, "data": Tensor(value)} for name, value in VALUES.items()]
    ms.save_checkpoint(values, str(folder / "small.ckpt"))
    ms.export(network(), Tensor(X), file_name=str(folder / "network"), file_format="MINDIR")
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
    with tempfile.TemporaryDirectory() as name:
        write(Path(name))
        for file in sorted(Path(name).iterdir()):
            is_large = "mindrecord" in file.name
            data = file.read_bytes()
            (FOLDER / (file.name + ".xz" * is_large)).write_bytes(lzma.compress(data) if is_large else data)


if __name__ == "__main__":
    main()
