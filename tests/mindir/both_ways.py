"""Whole networks as `.mindir` files, both ways: written here and run by real releases, written by these and run here.

    python tests/mindir/both_ways.py PY [PY …] [--networks FILE] [--only NAME …]

PY are the interpreters of real releases, 2.10.0 and 2.0.0. Printed is the largest difference, relative to
1 + |value|, or the error. FILE has `NETWORKS`, name → a function that returns a Cell and its inputs, and perhaps
`FREE`, name → the inputs' shapes with None where lengths stay free; it imports `mindspore`, which is msbridge here.
"""

# mypy: ignore-errors
from __future__ import annotations  # 2.0 runs on Python 3.9

import argparse
import contextlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

LIMIT = 1e-5
HALVES = 2e-3  # of numbers that are computed in float16


def main() -> None:
    """Write, run and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pythons", nargs="+", metavar="PY")
    parser.add_argument("--networks", type=Path, default=Path(__file__).parent.parent / "zoo" / "full_size.py")
    parser.add_argument("--only", nargs="*", default=[])
    chosen = parser.parse_args()
    from msbridge.dropin import install

    install()
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder, "here")
        write(here, chosen.networks, chosen.only)
        table = {}
        for number, python in enumerate(chosen.pythons):
            there = Path(folder, f"there_{number}")
            for step in (["write", there], ["run", here]):
                command = [python, Path(__file__).resolve(), *step, chosen.networks.resolve(), *chosen.only]
                subprocess.run(command, env=_environment(), check=True, stdout=subprocess.DEVNULL, cwd=folder)
            release = (there / "release").read_text()
            table[f"written here, run by {release}"] = _compared(here)
            run(there)
            table[f"written by {release}, run here"] = _compared(there)
            for path in here.glob("*.found*"):
                path.unlink()
    failed = 0
    for title, rows in table.items():
        good = sum(not isinstance(one, str) and one <= limit for one, limit in rows.values())
        print(f"\n{title}: {good} of {len(rows)}")
        for name, (one, limit) in sorted(rows.items()):
            right = not isinstance(one, str) and one <= limit
            failed += not right
            print(f"  {name:24} {one if isinstance(one, str) else f'{one:.1e}'}{'' if right else '  <<<'}")
    sys.exit(1 if failed else 0)


def write(folder: Path, networks: Path, only: list[str]) -> None:
    """Export the networks and keep what they compute, or why they are not there, in a folder."""
    import mindspore as ms

    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    folder.mkdir()
    (folder / "release").write_text(ms.__version__)
    module = _module(networks)
    for name, made in module.NETWORKS.items():
        if only and name not in only:
            continue
        ms.set_seed(1)
        np.random.seed(1)
        try:
            network, *inputs = made()
            _vary(network)
            given = inputs
            if name in getattr(module, "FREE", {}):
                given = [_free(one, shape) for one, shape in zip(inputs, module.FREE[name])]  # noqa: B905
            file = str(folder / name)
            ms.export(network, *given, file_name=file, file_format="MINDIR")
            is_real = ms.__name__ == "mindspore"
            arrays = {f"in{n:03}": one.asnumpy() for n, one in enumerate(inputs)}
            runners = {"out": network}
            if is_real:  # whose own file does not always compute what the network does
                runners = {"out": ms.nn.GraphCell(ms.load(f"{file}.mindir")), "net": network}
            for key, runner in runners.items():
                wanted = _flat(runner(*inputs))
                arrays |= {f"{key}{n:03}": one for n, one in enumerate(wanted)}
            np.savez(folder / f"{name}.npz", **arrays)
            halves = name.startswith("half_") or any(one.dtype == np.float16 for one in wanted)
            np.savez(folder / f"{name}.limit.npz", HALVES if halves else LIMIT)
        except Exception as error:
            (folder / f"{name}.failed").write_text(_line("export", error))


def run(folder: Path, *_: object) -> None:
    """Run the files of a folder and keep what they compute."""
    import mindspore as ms
    from mindspore import Tensor, nn

    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    for path in sorted(folder.glob("*.mindir")):
        name = path.name.removesuffix(".mindir").removesuffix("_graph")
        if (folder / f"{name}.failed").exists():
            continue
        arrays = np.load(folder / f"{name}.npz")
        inputs = [Tensor(arrays[key]) for key in sorted(arrays.files) if key.startswith("in")]
        try:
            found = _flat(nn.GraphCell(ms.load(str(path)))(*inputs))
            np.savez(folder / f"{name}.found.npz", **{f"out{n:03}": one for n, one in enumerate(found)})
        except Exception as error:
            (folder / f"{name}.found_failed").write_text(_line("load", error))


def _module(path: Path):
    spec = importlib.util.spec_from_file_location("networks", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["networks"] = module
    spec.loader.exec_module(module)
    return module


def _vary(network: object) -> None:
    """Put values by chance wherever a fresh network has none that tell."""
    from mindspore import Tensor

    network.set_train(False)
    for parameter in network.get_parameters():
        if "moving_" in parameter.name or not np.any(parameter.asnumpy()):
            parameter.set_data(Tensor(np.random.rand(*parameter.shape) * 0.5 + 0.5, parameter.dtype))


def _free(one: object, shape: tuple) -> object:
    from mindspore import Tensor

    return one if shape is None else Tensor(shape=shape, dtype=one.dtype)


def _flat(value: object) -> list[np.ndarray]:
    import mindspore as ms
    from mindspore import Tensor

    if isinstance(value, (tuple, list)):
        return [one for part in value for one in _flat(part)]
    if isinstance(value, Tensor) and "BFloat16" in str(value.dtype):
        value = value.astype(ms.float32)
    return [value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)]


def _line(step: str, error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{step}: {type(error).__name__}: {text[:300]}"


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"GLOG_v": "4"}


def _compared(folder: Path) -> dict[str, tuple[float | str, float]]:
    found: dict[str, tuple[float | str, float]] = {}
    for path in folder.glob("*.failed"):
        found[path.stem] = path.read_text(), 0.0
    for path in folder.glob("*.found_failed"):
        found[path.stem] = path.read_text(), 0.0
    for path in folder.glob("*.found.npz"):
        name = path.name.removesuffix(".found.npz")
        limit = float(np.load(folder / f"{name}.limit.npz")["arr_0"])
        wanted = np.load(folder / f"{name}.npz")
        either = [_difference(wanted, np.load(path), start) for start in ("out", "net")]
        numbers = [one for one in either if not isinstance(one, str)]
        found[name] = min(numbers) if numbers else either[0], limit
    for path in folder.glob("*.npz"):
        found.setdefault(path.name.split(".")[0], ("ended the process", 0.0))
    return found


def _difference(wanted: np.ndarray, found: np.ndarray, start: str) -> float | str:
    keys = sorted(key for key in wanted.files if key.startswith(start))
    if len(found.files) != len(keys):
        return f"{len(found.files)} outputs, not {len(keys)}"
    most = 0.0
    for key in keys:
        own, other = wanted[key], found[key.replace(start, "out")]
        if own.shape != other.shape or own.dtype != other.dtype:
            return f"{key} is {other.dtype} {other.shape}, not {own.dtype} {own.shape}"
        with contextlib.suppress(TypeError):
            own, other = own.astype("c16"), other.astype("c16")
        if not np.array_equal(np.isfinite(own), np.isfinite(other)):
            return f"{key}: other numbers are finite"
        own, other = own[np.isfinite(own)], other[np.isfinite(own)]
        if own.size:
            most = max(most, float((np.abs(own - other) / (1 + np.abs(own))).max()))
    return most


if __name__ == "__main__":
    if sys.argv[1] in ("write", "run"):
        folder, networks, *only = sys.argv[2:]
        {"write": write, "run": run}[sys.argv[1]](Path(folder), Path(networks), only)
    else:
        main()
