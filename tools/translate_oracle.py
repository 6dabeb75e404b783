"""Run translated networks in the real MindSpore, and compare each with what torch returned.

    ORACLE tools/translate_oracle.py OUT CASES

Needs nothing but MindSpore and numpy. Prints a line of JSON for each, and removes it.
"""

import importlib
import json
import pathlib
import sys
import traceback

import numpy as np


def main(out, cases):
    """Run every case of a folder."""
    sys.path.insert(0, out)
    for path in sorted(pathlib.Path(cases).glob("*.json")):
        words, arrays = json.loads(path.read_text()), path.with_suffix(".npz")
        path.unlink()
        report = {"name": path.stem.replace("+", "/"), "stage": "import"}
        try:
            compare(np.load(arrays), words, report)
        except Exception as error:
            report["error"] = f"{type(error).__name__}: {error}"[:1500]
            report["way"] = [
                f"{one.filename}:{one.lineno}: {one.line}"
                for one in traceback.extract_tb(error.__traceback__)
                if "/mindspore/" not in one.filename
            ][-4:]
        arrays.unlink()
        print("\n" + json.dumps(report), flush=True)


def compare(arrays, words, report):
    """Build and run a network, and note in a report how far it came and how far apart the results are."""
    import mindspore
    from mindspore import Tensor, ops

    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    code = importlib.import_module(words["module"])
    report["stage"] = "build"
    network = eval(words["network"], vars(code))
    network.set_train(False)
    report["stage"] = "weights"
    missing = []
    for name, parameter in network.parameters_and_names():
        if f"weight {name}" in arrays.files:
            parameter.set_data(Tensor(arrays[f"weight {name}"]))
        else:
            missing.append(name)
    if missing:
        raise ValueError(f"no weights for {missing[:10]}")
    inputs = [Tensor(arrays[name]) for name in arrays.files if name.startswith("input ")]
    report["stage"] = "run"
    outputs = flatten(network(*inputs))
    report["stage"] = "outputs"
    wanted = [arrays[name] for name in arrays.files if name.startswith("output ")]
    report["apart"] = farthest([one.asnumpy() for one in outputs], wanted)
    report["stage"] = "gradients"
    named = {name: one for name, one in network.parameters_and_names() if f"slope {name}" in arrays.files}

    def loss(*inputs):
        total = 0.0
        for number, one in enumerate(flatten(network(*inputs))):
            if f"factor {number}" in arrays.files:
                factor = Tensor(arrays[f"factor {number}"]).astype(one.dtype)
                total = total + (one * factor).mean() + 0.5 * ops.square(one).mean()
        return total

    slopes = mindspore.value_and_grad(loss, None, list(named.values()))(*inputs)[1]
    slopes = {name: one.asnumpy() for name, one in zip(named, slopes, strict=True)}
    report["gradients apart"] = farthest([*slopes.values()], [arrays[f"slope {name}"] for name in named])
    report["stage"] = "done"


def flatten(value):
    """Return the Tensors in nested outputs."""
    from mindspore import Tensor

    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in flatten(one)]
    return []


def farthest(own, wanted):
    """Return the greatest difference as a part of the greatest value of its array; infinite where shapes differ."""
    if [one.shape for one in own] != [one.shape for one in wanted]:
        return float("inf")
    scale = max((float(np.abs(one).max()) for one in wanted if one.size and one.dtype.kind == "f"), default=1.0)
    largest = 0.0
    for a, b in zip(own, wanted, strict=True):
        if not b.size:
            continue
        a, b = a.astype(np.float64), b.astype(np.float64)
        if not np.array_equal(np.isfinite(a), np.isfinite(b)):
            return float("inf")
        a, b = a[np.isfinite(b)], b[np.isfinite(b)]
        if b.size:
            largest = max(largest, float(np.abs(a - b).max()) / max(float(np.abs(b).max()), 1e-3 * scale, 1e-30))
    return largest


if __name__ == "__main__":
    main(*sys.argv[1:])
