"""Archives: what a network returned elsewhere, on a real Ascend or with the real MindSpore, as arrays by layer.

The file is an .npz of plain arrays, which numpy can write without us:

    input, or input.0, input.1 …      what the network was given
    output, or output.0, output.1 …   what it returned
    LAYER                             the (first) output of the layer with this path, "layer1.0.conv1"
    LAYER (call 2)                    of its second call, where it is called again
    LAYER:input, or LAYER:input.0 …   what the layer was given; with these, the layer is also judged by itself

All but one name may be lacking.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from msbridge.nn.cell.cell import Cell
from msbridge.verify.record.arguments import Arguments
from msbridge.verify.record.inputs import arrays_of, write_arrays
from msbridge.verify.record.networks import Network, device_of, modes_kept
from msbridge.verify.record.recording import record
from msbridge.verify.record.running import annotate_error
from msbridge.verify.record.trace import Step, Trace

INPUT, OUTPUT = "input", "output"  # of the whole network; of several: input.0, input.1 …
OF_LAYER = ":input"  # behind a layer's name: what the layer was given
Arrays = Mapping[str, torch.Tensor]


def read_recorded(path: str | Path) -> dict[str, torch.Tensor]:
    """Read the arrays of an .npz file by name.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds objects, or is not an .npz or .npy file.
    """
    arrays = arrays_of(path)
    if "" in arrays:
        raise ValueError(f"{path} holds one array without a name; an .npz file of named arrays is needed.")
    return arrays


def recorded_inputs(arrays: Arrays) -> list[torch.Tensor]:
    """Return the inputs of the whole network that a recorded file holds, in their order."""
    return read_series(arrays, INPUT)


def write_recorded(path: str | Path, network: Network, inputs: Any, seed: int = 0) -> None:
    """Run a network and save what every layer got and returned, by path: the other side of a later comparison.

    Args:
        path: the .npz file.
        network: a torch module or a Cell.
        inputs: as for `compare`.
        seed: of all random numbers.
    """
    given = Arguments(inputs, device_of(network))
    with modes_kept(network):
        trace = run(network, given, seed)
    arrays = {
        name: one for step in layers_of(trace) for name, one in _arrays(step.label + OF_LAYER, step.inputs).items()
    }
    arrays |= {step.label: step.outputs[0] for step in layers_of(trace)}
    arrays |= _arrays(INPUT, given.data) | _arrays(OUTPUT, trace.outputs)
    plain = {name: one.float() if one.dtype is torch.bfloat16 else one for name, one in arrays.items()}
    made: dict[str, Any] = {name: one.cpu().numpy() for name, one in plain.items()}
    write_arrays(path, made)


def run(network: Network, given: Arguments, seed: int, feed: Mapping[int, Step] | None = None) -> Trace:
    """Run a network in inference mode; a run that stops raises what stopped it."""
    if isinstance(network, Cell):
        network.set_train(False)
    else:
        network.eval()
    torch.manual_seed(seed)
    args, kwargs = given.of(network)
    trace = record(network, args, feed, kwargs)
    if trace.error is not None:
        raise annotate_error(network, trace, given)
    return trace


def layers_of(trace: Trace) -> list[Step]:
    """Return the calls of layers that returned something."""
    return [step for step in trace.steps if step.layer is not None and step.outputs]


def read_step(step: Step, arrays: Arrays) -> Step | None:
    """Return a layer's call as it was recorded; None unless the file holds its output and all its inputs."""
    given = read_series(arrays, step.label + OF_LAYER)
    if step.label not in arrays or not given or len(given) != len(step.inputs):
        return None
    return Step(step.number, step.path, step.kind, inputs=given, outputs=[arrays[step.label], *step.outputs[1:]])


def read_series(arrays: Arrays, name: str) -> list[torch.Tensor]:
    """Return the tensors that go by a name, or by a name and numbers behind it."""
    if name in arrays:
        return [arrays[name]]
    found: list[torch.Tensor] = []
    while (one := arrays.get(f"{name}.{len(found)}")) is not None:
        found.append(one)
    return found


def _arrays(name: str, data: Sequence[torch.Tensor]) -> dict[str, torch.Tensor]:
    """Name some tensors: one by the name only, several by numbers behind it."""
    return {name: data[0]} if len(data) == 1 else {f"{name}.{number}": one for number, one in enumerate(data)}


def some(names: Collection[str]) -> str:
    """Return the first of some names."""
    shown = list(names)[:4]
    return ", ".join(shown) + (" …" if len(names) > len(shown) else "")
