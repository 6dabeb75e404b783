"""Ask real releases whether they give the same numbers for the files that msbridge writes, and note what they accepted.

    python tests/train/record_exported.py PY [PY …]        # the interpreters of real releases, 2.10.0 and 2.0.0

Noted is a digest of each file without its parameters, for every release with the same numbers. The test compares
the digests: whoever changes what is written asks the real ones again.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
RECORD = HERE / "exporting" / "accepted.json"
TOLERANCE = 1e-5
RUN = """
import sys, json, numpy, mindspore
from mindspore import Tensor, nn
mindspore.set_context(mode=mindspore.GRAPH_MODE, device_target="CPU")
def flat(value):
    if isinstance(value, (tuple, list)):
        return [one for part in value for one in flat(part)]
    return [value.asnumpy() if isinstance(value, Tensor) else numpy.asarray(value)]
found = {"": mindspore.__version__}
for name in sys.argv[2:]:
    arrays = numpy.load(f"{sys.argv[1]}/{name}.npz")
    inputs = [Tensor(arrays[key]) for key in arrays.files if key.startswith("input")]
    try:
        net = nn.GraphCell(mindspore.load(f"{sys.argv[1]}/{name}.mindir"))
        numpy.savez(f"{sys.argv[1]}/{name}.found.npz", *flat(net(*inputs)))
    except Exception as error:
        print(name, error, file=sys.stderr)
"""


def digest(data: bytes) -> str:
    """Return what tells the structure of a file: all but the values of its parameters."""
    from msbridge.converters.messages.mind_ir import ModelProto

    model = ModelProto()
    model.ParseFromString(data)
    for parameter in model.graph.parameter:
        parameter.ClearField("raw_data")
    return hashlib.sha256(model.SerializeToString()).hexdigest()[:16]


def main() -> None:
    """Write, run and note."""
    import numpy as np

    from msbridge.train import export
    from tests.zoo.mindir_rules import CASES, asked, built, flat

    accepted: dict[str, dict[str, str]] = {name: {} for name in CASES}
    with tempfile.TemporaryDirectory() as folder:
        for name in CASES:
            net, inputs = built(name)
            wanted = flat(net(*inputs))
            given = {f"input{n}": one.asnumpy() for n, one in enumerate(inputs)}
            np.savez(f"{folder}/{name}.npz", *wanted, **given)
            export(built(name)[0], *asked(name), file_name=f"{folder}/{name}", file_format="MINDIR")
        for python in sys.argv[1:]:
            release = _release(python)
            subprocess.run([python, "-c", RUN, folder, *CASES], env=_environment(), check=True)
            for name in CASES:
                if problem := _difference(Path(folder), name):
                    sys.stdout.write(f"{release} {name}: {problem}\n")
                else:
                    accepted[name][release] = digest(Path(folder, f"{name}.mindir").read_bytes())
                Path(folder, f"{name}.found.npz").unlink(missing_ok=True)
    RECORD.write_text(json.dumps(accepted, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"GLOG_v": "4"}


def _release(python: str) -> str:
    code = "import mindspore; print(mindspore.__version__)"
    return subprocess.check_output([python, "-c", code], env=_environment(), text=True).split()[-1]


def _difference(folder: Path, name: str) -> str:
    import numpy as np

    try:
        found = np.load(folder / f"{name}.found.npz")
    except FileNotFoundError:
        return "does not run"
    wanted = np.load(folder / f"{name}.npz")
    keys = [key for key in wanted.files if key.startswith("arr_")]
    if len(found.files) != len(keys):
        return f"{len(found.files)} outputs, not {len(keys)}"
    for key in keys:
        own, other = wanted[key], found[key]
        tolerance = 2e-3 if own.dtype == np.float16 or name == "halves" else TOLERANCE
        if own.shape != other.shape or own.dtype != other.dtype:
            return f"{key} is {other.dtype} {other.shape}, not {own.dtype} {own.shape}"
        if not np.allclose(own.astype("c16"), other.astype("c16"), tolerance, tolerance, equal_nan=True):
            return f"{key} differs by {np.abs(own - other).max()}"
    return ""


if __name__ == "__main__":
    main()
