"""A side recorded elsewhere: arrays by layer, from a real Ascend or the real MindSpore, in the place of one network."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from msbridge.core.paths import resolve
from msbridge.nn.cell import Cell
from msbridge.verify.arguments import Arguments, described
from msbridge.verify.comparison import Comparison, Finding, Row
from msbridge.verify.metrics import Difference, measure
from msbridge.verify.recording import record
from msbridge.verify.running import environment, float64_steps, modes_kept, named
from msbridge.verify.trace import Network, Trace

OUTPUT = "output"  # an array of this name (or output.0, output.1 …) is what the whole network gave


def read_recorded(path: str | Path) -> dict[str, torch.Tensor]:
    """Read the arrays of an .npz file by name.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds objects, or is no such file.
    """
    with np.load(resolve(path), allow_pickle=False) as arrays:
        return {name: torch.from_numpy(arrays[name]) for name in arrays.files}


def write_recorded(path: str | Path, network: Network, inputs: Any, seed: int = 0) -> None:
    """Run a network and save what every layer gave, by path: the other side of a later comparison.

    Args:
        path: the .npz file.
        network: a torch module or a Cell.
        inputs: as for `compare`.
        seed: of all random numbers.
    """
    given = Arguments(inputs)
    with modes_kept(network):
        trace = _run(network, given, seed)
    if trace.error is not None:
        raise trace.error
    plain = {name: one.float() if one.dtype is torch.bfloat16 else one for name, one in _layers(trace).items()}
    arrays: dict[str, Any] = {name: one.cpu().numpy() for name, one in plain.items()}
    np.savez_compressed(path, **arrays)


def compare_recorded(network: Network, arrays: Mapping[str, torch.Tensor], inputs: Any, *, seed: int = 0) -> Comparison:
    """Compare a network with what another one gave elsewhere for the same inputs and weights.

    The layers run free: errors add up, so the noise that is allowed grows with the root of the number of layers.

    Args:
        network: a torch module, or a Cell.
        arrays: path of a layer → its (first) output; "layer (call 2)" for a later call; "output" for the whole network.
        inputs: as for `compare`.
        seed: of all random numbers.

    Raises:
        ValueError: no array has the name of a layer.
    """
    given = Arguments(inputs)
    is_torch = isinstance(network, torch.nn.Module)
    found = Comparison(named(network) if is_torch else "(recorded)", "(recorded)" if is_torch else named(network))
    found.inputs = [described(one) for one in given.data]
    found.environment = environment(seed)
    with modes_kept(network):
        trace = _run(network, given, seed)
        if trace.error is not None:
            raise trace.error
        wide = float64_steps(network, given, trace, seed) if isinstance(network, torch.nn.Module) else None
    own, far = _layers(trace), _layers(wide) if wide else {}
    if not own.keys() & arrays.keys():
        raise ValueError(f"no recorded array has the name of a layer; {_some(arrays)} were recorded, {_some(own)} ran.")
    for depth, (name, mine) in enumerate(own.items()):
        if name not in arrays:
            continue
        sides = (arrays[name], mine) if is_torch else (mine, arrays[name])
        difference = _allowed(measure(*sides, far.get(name)), depth)
        if name.startswith(OUTPUT):
            found.outputs.append(difference)
        status = "equal" if difference.is_equal else "noise" if difference.is_noise else "differs"
        found.rows.append(Row(name, name, by="name", status=status, free=difference))  # type: ignore[arg-type]
    bad = [row for row in found.rows if row.status == "differs"]
    if bad:
        error = bad[0].free
        text = (
            error.problem if error else ""
        ) or f"the recorded output differs by up to {error.max_abs if error else 0:.3g}"
        found.findings.append(Finding(bad[0].torch, bad[0].cell, "recorded output", text))
        for row in bad[1:]:
            row.status = "inherited"
    for name in arrays.keys() - own.keys():
        found.notes.append(Finding(name, name, "unmatched record", "no layer has this name"))
    return found


def _run(network: Network, given: Arguments, seed: int) -> Trace:
    if isinstance(network, Cell):
        network.set_train(False)
    else:
        network.eval()
    torch.manual_seed(seed)
    args, kwargs = given.of(network)
    return record(network, args, None, kwargs)


def _layers(trace: Trace) -> dict[str, torch.Tensor]:
    found = {step.label: step.outputs[0] for step in trace.steps if step.layer is not None and step.outputs}
    single = len(trace.outputs) == 1
    return found | {OUTPUT if single else f"{OUTPUT}.{number}": one for number, one in enumerate(trace.outputs)}


def _allowed(difference: Difference, depth: int) -> Difference:
    share = math.sqrt(1 + depth)
    return replace(difference, noise_ratio=difference.noise_ratio / share, peak_ratio=difference.peak_ratio / share)


def _some(names: Mapping[str, Any]) -> str:
    shown = list(names)[:4]
    return ", ".join(shown) + (" …" if len(names) > len(shown) else "")
