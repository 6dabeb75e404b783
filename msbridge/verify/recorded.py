"""A side recorded elsewhere: arrays by layer, from a real Ascend or the real MindSpore, in the place of one network.

The file is an .npz of plain arrays, which numpy alone can write:

    input, or input.0, input.1 …      what the network was given
    output, or output.0, output.1 …   what it gave
    LAYER                             the (first) output of the layer with this path, "layer1.0.conv1"
    LAYER (call 2)                    of its second call, where it is called again
    LAYER:input, or LAYER:input.0 …   what the layer was given; with these, the layer is also judged by itself

All but one name may be lacking.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from zipfile import BadZipFile

import numpy as np
import torch

from msbridge.core.paths import resolve
from msbridge.nn.cell import Cell
from msbridge.verify.measure.difference import Difference, compare_tensors
from msbridge.verify.record.arguments import Arguments, described
from msbridge.verify.record.recording import record
from msbridge.verify.record.running import environment, float64_steps, modes_kept, named, stopped
from msbridge.verify.record.trace import Network, Step, Trace, paths
from msbridge.verify.report.comparison import Comparison, Finding, Row, Status

INPUT, OUTPUT = "input", "output"  # of the whole network; of several: input.0, input.1 …
OF_LAYER = ":input"  # behind a layer's name: what the layer was given

# Another engine computes a layer in another way: the real MindSpore's Softmax on a CPU was seen 10 times as far from
# float64 as torch's (2 units in the last place); a fault gives thousands.
OTHER_ENGINE = 4.0
Arrays = Mapping[str, torch.Tensor]


def read_recorded(path: str | Path) -> dict[str, torch.Tensor]:
    """Read the arrays of an .npz file by name.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds objects, or is no such file.
    """
    try:
        loaded = np.load(resolve(path), allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            raise ValueError("it holds one array without a name")
        with loaded as arrays:
            return {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    except (ValueError, EOFError, BadZipFile) as error:
        raise ValueError(f"{path} is damaged, no .npz file of named arrays, or holds Python objects.") from error


def recorded_inputs(arrays: Arrays) -> list[torch.Tensor]:
    """Give the inputs of the whole network that a recorded file holds, in their order."""
    return _numbered(arrays, INPUT)


def write_recorded(path: str | Path, network: Network, inputs: Any, seed: int = 0) -> None:
    """Run a network and save what every layer got and gave, by path: the other side of a later comparison.

    Args:
        path: the .npz file.
        network: a torch module or a Cell.
        inputs: as for `compare`.
        seed: of all random numbers.
    """
    given = Arguments(inputs)
    with modes_kept(network):
        trace = _run(network, given, seed)
    arrays = {name: one for step in _layers(trace) for name, one in _arrays(step.label + OF_LAYER, step.inputs).items()}
    arrays |= {step.label: step.outputs[0] for step in _layers(trace)}
    arrays |= _arrays(INPUT, given.data) | _arrays(OUTPUT, trace.outputs)
    plain = {name: one.float() if one.dtype is torch.bfloat16 else one for name, one in arrays.items()}
    made: dict[str, Any] = {name: one.cpu().numpy() for name, one in plain.items()}
    with Path(path).open("wb") as file:  # numpy would add .npz to another name
        np.savez_compressed(file, **made)


def compare_recorded(network: Network, arrays: Arrays, inputs: Any, *, seed: int = 0) -> Comparison:
    """Compare a network with what another one gave elsewhere for the same inputs and weights.

    Layers run free: errors add up, so the noise that is allowed grows with the root of the number of layers. Those
    whose inputs were recorded are also fed with them, and then judged by themselves.

    Args:
        network: a torch module, or a Cell.
        arrays: name → what was recorded; the names are those of the file (see `msbridge.verify.recorded`).
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
        known = [step.label for step in _layers(trace)]
        if not arrays.keys() & known and not _numbered(arrays, OUTPUT):
            raise ValueError(
                f"no recorded array has the name of a layer; {_some(arrays)} were recorded, {_some(known)} ran."
            )
        wide = float64_steps(network, given, trace, seed) if isinstance(network, torch.nn.Module) else None
        feed = {step.number: one for step in _layers(trace) if (one := _recorded(step, arrays)) is not None}
        fed = _run(network, given, seed, feed) if feed else trace
        found.rows = _rows(is_torch, arrays, (trace, fed, wide), feed)
    _judge(found)
    for index, (mine, other) in enumerate(zip(trace.outputs, _numbered(arrays, OUTPUT), strict=False)):
        far = wide.outputs[index] if wide else None
        found.outputs.append(_allowed(compare_tensors(*_sides(is_torch, mine, other), far), len(known)))
    if not found.findings and (bad := next((one for one in found.outputs if not one.is_noise), None)):
        found.findings.append(Finding("(the output)", "(the output)", "recorded output", _gap(bad)))
    _note_unmatched(found, network, known, arrays)
    return found


def _run(network: Network, given: Arguments, seed: int, feed: Mapping[int, Step] | None = None) -> Trace:
    if isinstance(network, Cell):
        network.set_train(False)
    else:
        network.eval()
    torch.manual_seed(seed)
    args, kwargs = given.of(network)
    trace = record(network, args, feed, kwargs)
    if trace.error is not None:
        raise stopped(network, trace, given)
    return trace


def _layers(trace: Trace) -> list[Step]:
    return [step for step in trace.steps if step.layer is not None and step.outputs]


def _recorded(step: Step, arrays: Arrays) -> Step | None:
    """Give a layer's call as it was recorded; None unless the file holds its output and all its inputs."""
    given = _numbered(arrays, step.label + OF_LAYER)
    if step.label not in arrays or not given or len(given) != len(step.inputs):
        return None
    return Step(step.number, step.path, step.kind, inputs=given, outputs=[arrays[step.label], *step.outputs[1:]])


def _rows(
    is_torch: bool, arrays: Arrays, runs: tuple[Trace, Trace, Trace | None], feed: Mapping[int, Step]
) -> list[Row]:
    """Make the rows of all recorded layers from the free run, the fed one and the one in float64."""
    free, fed, wide = runs
    found = []
    for depth, step in enumerate(_layers(free)):
        if step.label not in arrays:
            continue
        far = wide.steps[step.number].outputs[0] if wide else None
        difference = _allowed(compare_tensors(*_sides(is_torch, step.outputs[0], arrays[step.label]), far), depth)
        row = Row(step.label, step.label, step.kind, step.kind, "name", free=difference)
        row.seconds = (step.seconds, 0.0) if is_torch else (0.0, step.seconds)
        if step.number in feed and fed.steps[step.number].fed:
            row.fed = _measure_fed(is_torch, step, fed.steps[step.number], feed[step.number])
        found.append(row)
    return found


def _measure_fed(is_torch: bool, step: Step, fed: Step, recorded: Step) -> Difference:
    far = None
    if step.again is not None:
        far = step.again([one.double() if one.is_floating_point() else one for one in recorded.inputs])[0]
    return _shared(compare_tensors(*_sides(is_torch, fed.outputs[0], recorded.outputs[0]), far), OTHER_ENGINE)


def _judge(found: Comparison) -> None:
    """Set the status of each row: by itself where it was fed, else by whether an earlier one explains it."""
    is_parted = False
    for row in found.rows:
        own = row.fed or row.free
        is_loud = row.free is not None and not row.free.is_noise
        if own is not None and not own.is_noise and (row.fed is not None or not is_parted):
            row.status = cast(Status, "differs")
            found.findings.append(Finding(row.torch, row.cell, "recorded output", _gap(own), _evidence(row)))
        elif is_loud:
            row.status = "inherited"
        elif not all(one.is_equal for one in (row.free, row.fed) if one is not None):
            row.status = "noise"
        is_parted = is_parted or is_loud


def _gap(one: Difference) -> str:
    return one.problem or f"the recorded output differs by up to {one.max_abs:.3g}"


def _evidence(row: Row) -> list[str]:
    one = row.fed or row.free
    if one is None or one.problem:
        return []
    way = "on the inputs that were recorded for it" if row.fed else "as the network runs from its own inputs"
    place = f"at {list(one.index)}: Cell {one.actual:.7g}, torch {one.expected:.7g}"
    return [f"{way}, {place}; {one.noise_ratio:.3g} times the noise, norm ratio {one.norm_ratio:.6g}"]


def _note_unmatched(found: Comparison, network: Network, known: list[str], arrays: Arrays) -> None:
    """Note arrays of unknown names; those of layers that hold others are known, though not compared."""
    parts = {path for path, _ in paths(network)} | {*known, INPUT, OUTPUT}
    for name in arrays:
        place = name.partition(OF_LAYER)[0].partition(" (call ")[0]
        if name not in parts and place not in parts and name.rpartition(".")[0] not in (INPUT, OUTPUT):
            found.notes.append(Finding(name, "", "unmatched record", "no layer has this name"))
    if found.rows and (unseen := [name for name in known if name not in arrays]):
        found.notes.append(Finding(_some(unseen), "", "not recorded", f"{len(unseen)} layers are not in the file"))


def _sides(is_torch: bool, own: torch.Tensor, recorded: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Give the Cell's tensor and torch's."""
    return (recorded, own) if is_torch else (own, recorded)


def _arrays(name: str, data: Sequence[torch.Tensor]) -> dict[str, torch.Tensor]:
    """Name some tensors: one by the name alone, several by numbers behind it."""
    return {name: data[0]} if len(data) == 1 else {f"{name}.{number}": one for number, one in enumerate(data)}


def _numbered(arrays: Arrays, name: str) -> list[torch.Tensor]:
    """Give the tensors that `_arrays` named."""
    if name in arrays:
        return [arrays[name]]
    found: list[torch.Tensor] = []
    while (one := arrays.get(f"{name}.{len(found)}")) is not None:
        found.append(one)
    return found


def _allowed(difference: Difference, depth: int) -> Difference:
    return _shared(difference, math.sqrt(1 + depth))


def _shared(difference: Difference, share: float) -> Difference:
    return replace(difference, noise_ratio=difference.noise_ratio / share, peak_ratio=difference.peak_ratio / share)


def _some(names: Any) -> str:
    shown = list(names)[:4]
    return ", ".join(shown) + (" …" if len(names) > len(shown) else "")
