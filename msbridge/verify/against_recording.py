"""A side recorded elsewhere, on a real Ascend or with the real MindSpore, in place of one network."""

from typing import Any

import torch

from msbridge.verify.explain.recorded_findings import conclude_recorded, note_recorded_arrays
from msbridge.verify.judge.recorded_layers import judge_recorded, measure_recorded_outputs
from msbridge.verify.record.archive import OUTPUT, Arrays, layers_of, read_series, read_step, run, some
from msbridge.verify.record.arguments import Arguments
from msbridge.verify.record.networks import Network, class_name, device_of, modes_kept, paths
from msbridge.verify.record.running import environment, float64_run
from msbridge.verify.report.comparison import Comparison


def compare_recorded(network: Network, arrays: Arrays, inputs: Any, *, seed: int = 0) -> Comparison:
    """Compare a network with what another one returned elsewhere for the same inputs and weights.

    Layers run free: errors add up, so the noise that is allowed grows with the root of the number of layers. Those
    whose inputs were recorded are also fed with them, and then judged by themselves.

    Args:
        network: a torch module, or a Cell.
        arrays: name → what was recorded; the names are those of the file (see `msbridge.verify.record.archive`).
        inputs: as for `compare`.
        seed: of all random numbers.

    Raises:
        ValueError: no array has the name of a layer.
    """
    given = Arguments(inputs, device_of(network))
    arrays = {name: data.to(device_of(network)) for name, data in arrays.items()}
    is_torch = isinstance(network, torch.nn.Module)
    sides = (class_name(network), "(recorded)") if is_torch else ("(recorded)", class_name(network))
    with modes_kept(network):
        free = run(network, given, seed)
        known = [step.label for step in layers_of(free)]
        if not arrays.keys() & known and not read_series(arrays, OUTPUT):
            raise ValueError(
                f"no recorded array has the name of a layer; {some(arrays)} were recorded, {some(known)} ran."
            )
        wide = float64_run(network, given, free, seed) if isinstance(network, torch.nn.Module) else None
        feed = {step.number: one for step in layers_of(free) if (one := read_step(step, arrays)) is not None}
        fed = run(network, given, seed, feed) if feed else free
        rows = judge_recorded(is_torch, arrays, (free, fed, wide), feed)
    outputs = measure_recorded_outputs(is_torch, arrays, free, wide)
    return Comparison(
        *sides,
        rows=rows,
        outputs=outputs,
        findings=conclude_recorded(rows, outputs),
        notes=note_recorded_arrays({path for path, _ in paths(network)}, known, arrays, rows),
        inputs=given.described,
        environment=environment(seed),
    )
