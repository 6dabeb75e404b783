"""Export the networks of tests/zoo/exported.py with the real MindSpore, and keep what it computes.

    PYTHON -m tests.mindir.record RELEASE

RELEASE is a folder in files.zip, such as 2.10; PYTHON has that MindSpore. What it cannot export is left out.
"""

# mypy: ignore-errors
import io
import os
import sys
import tempfile
import zipfile
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.zoo.exported import CASES, UNKNOWN_SHAPES

ARCHIVE = Path(__file__).parent / "files.zip"


def flat(values):
    if isinstance(values, (tuple, list)):
        return [one for value in values for one in flat(value)]
    return [values.asnumpy() if isinstance(values, Tensor) else np.array(repr(values))]


def varied(network):
    """Give statistics values by chance, as those of a trained network are none."""
    for parameter in network.get_parameters():
        if "moving_" in parameter.name:
            parameter.set_data(Tensor(np.random.rand(*parameter.shape) + 0.5, parameter.dtype))
    return network.set_train(False)


def main() -> None:
    release = sys.argv[1]
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    kept = {}
    if ARCHIVE.exists():
        with zipfile.ZipFile(ARCHIVE) as archive:
            kept = {name: archive.read(name) for name in archive.namelist() if not name.startswith(f"{release}/")}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, made in CASES.items():
            ms.set_seed(1)
            np.random.seed(1)
            try:
                network, *inputs = made()
                network = varied(network)
                unknown = name in UNKNOWN_SHAPES
                given = [Tensor(shape=UNKNOWN_SHAPES[name], dtype=ms.float32)] if unknown else inputs
                ms.export(network, *given, file_name=name, file_format="MINDIR")
                runs = nn.GraphCell(ms.load(f"{name}.mindir"))
                arrays = {f"in{i}": one.asnumpy() for i, one in enumerate(inputs)}
                arrays |= {f"out{i}": one for i, one in enumerate(flat(runs(*inputs)))}
            except Exception as error:
                print(f"{name}: left out: {str(error)[:200]}", flush=True)
                continue
            data = io.BytesIO()
            np.savez(data, **arrays)
            kept[f"{release}/{name}.npz"] = data.getvalue()
            kept[f"{release}/{name}.mindir"] = Path(f"{name}.mindir").read_bytes()
    with zipfile.ZipFile(ARCHIVE, "w", zipfile.ZIP_LZMA) as archive:
        for name in sorted(kept):
            archive.writestr(zipfile.ZipInfo(name), kept[name], zipfile.ZIP_LZMA)


if __name__ == "__main__":
    main()
