"""Running a torch module and a Cell side by side."""

import copy
import time
from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import Any, Literal

import torch

from msbridge.converters.checkpoint import collector_paused
from msbridge.nn.cell.cell import Cell
from msbridge.ops.kernel_calls.eager_checks import as_torch
from msbridge.verify.explain.diagnosis import conclude
from msbridge.verify.explain.evidence import Scene
from msbridge.verify.explain.lookup import Outputs
from msbridge.verify.explain.nodes import with_nodes
from msbridge.verify.explain.wrong_weights import wrong_weights
from msbridge.verify.judge.benign import acquit
from msbridge.verify.judge.call_order import pair_by_calls
from msbridge.verify.judge.fused_layers import judge_joined
from msbridge.verify.judge.status import judge_rows
from msbridge.verify.measure import training as train
from msbridge.verify.measure.difference import Difference
from msbridge.verify.measure.step_differences import measure_outputs, measure_rows
from msbridge.verify.pair.forced_runs import Runs, run_both
from msbridge.verify.pair.weights import Join, load, pair_weights
from msbridge.verify.record.arguments import Arguments
from msbridge.verify.record.networks import Network, class_name, device_of, modes_kept, paths
from msbridge.verify.record.running import environment, float64_run
from msbridge.verify.record.timing import forward_seconds
from msbridge.verify.record.trace import Trace
from msbridge.verify.report.comparison import Comparison

Structure = list[tuple[str, str, bool]]


def compare(
    module: torch.nn.Module,
    cell: Cell,
    inputs: Any,
    *,
    weights: Literal["convert", "as is"] = "convert",
    rules: str | Path | None = None,
    grad: bool = False,
    train_steps: int = 0,
    reference: bool = True,
    other_precision: bool = False,
    seed: int = 0,
    loss: Callable[..., torch.Tensor] | None = None,
    learning_rate: float = 0.01,
    timed_runs: int = 0,
    running: Callable[[], str] | None = None,
) -> Comparison:
    """Run a torch module and a Cell on the same inputs and compare every layer.

    Each layer is compared twice: as the networks run on their own (`free`), and with the Cell's layer given what
    torch's got (`fed`), so that a fault is seen where it is, and a second one behind the first. Whether a difference is
    a fault is decided by the rounding error of torch's own layer, measured against a run in float64.

    Args:
        module: the reference; it is run in inference mode, on the Cell's device (elsewhere, a copy of it).
        cell: the network under test; likewise. It keeps converted weights.
        inputs: a tensor or array, or a tuple of them: the positional arguments of both. A dict has torch's arguments
            by name; the Cell gets them by name too where its `construct` has all the names, by position where not.
        weights: "convert" writes the module's weights into the Cell; "as is" checks those it has.
        rules: a TOML file with what becomes of weights whose names or cuts differ, as `msbridge convert` takes it.
        grad: compare the gradients of all weights too.
        train_steps: train both for so many steps, and compare losses, weights and moving statistics.
        reference: run torch in float64 too, where anything differs.
        other_precision: take a layer that computes in another floating dtype than torch's for right, when it is right
            to the rounding of the coarser one.
        seed: of all random numbers.
        loss: makes a scalar of the outputs (torch tensors) for `grad` and `train_steps`; None takes a fixed weighting.
        learning_rate: of the training steps.
        timed_runs: run both so many times more, without recording, and take the median times.
        running: returns the place of the source that is running; operators are named by it.

    Returns:
        The comparison; `print()` shows it, `is_same` says whether both agree.

    Raises:
        ValueError: an argument is out of range.
        CheckpointError: the rules are not in order, or do not go with the networks.

    Examples:
        >>> import torch, msbridge
        >>> from msbridge.verify import compare
        >>> compare(torch.nn.Linear(3, 2), msbridge.nn.Dense(3, 2), torch.ones(1, 3)).verdict
        'PASS'
    """
    if weights not in ("convert", "as is"):
        raise ValueError(f"For 'compare', weights must be 'convert' or 'as is', got {weights!r}.")
    device = device_of(cell)
    if device_of(module) != device:
        module = copy.deepcopy(module).to(device)
    given = Arguments(inputs, device)
    file, is_made = None if rules is None else Path(rules), weights == "convert"
    with modes_kept(module, cell), collector_paused():
        module.eval()
        cell.set_train(False)
        pairs = pair_by_calls(pair_weights(module, cell, file), module, cell, file, given, seed, is_made)
        if is_made:
            load(pairs)
        kinds = {path: type(layer).__name__ for path, layer in module.named_modules()}
        wrong = {} if is_made else wrong_weights(pairs, kinds)
        runs = run_both(module, cell, given, seed, pairs, is_made, running)
        far, seconds = _float64(module, given, runs, seed) if reference else None, runs.seconds
        outputs = measure_outputs(runs, far)
        rows = acquit(judge_rows(measure_rows(runs, far), other_precision), runs, outputs)
        joined = judge_joined(rows, runs, pairs.joins, far)
        scene = Scene(runs, pairs, wrong, Outputs(runs.theirs))
        findings, notes = conclude(scene, rows, joined, outputs, far)
        findings = with_nodes(findings, cell)
        gradients: dict[str, Difference] = {}
        training: dict[str, Difference] = {}
        if runs.free.error is None:
            with as_torch():
                if grad:
                    gradients = train.gradients(module, cell, given, pairs, loss, seed)
                if train_steps:
                    training = train.steps(module, cell, given, pairs, loss, seed, train_steps, learning_rate, seconds)
            if timed_runs:
                module.eval()
                cell.set_train(False)
                times = forward_seconds((module, cell), given, timed_runs)
                seconds |= dict(zip(("torch forward", "cell forward"), times, strict=True))
    return Comparison(
        class_name(module),
        class_name(cell),
        joined,
        outputs,
        findings,
        notes,
        pairs,
        wrong,
        _structures(module, cell, runs, pairs.joins),
        gradients,
        training,
        given.described,
        environment(seed),
        seconds,
        {
            "torch": sum(one.numel() for one in module.parameters()),
            "cell": sum(one.size for one in cell.get_parameters() if one.requires_grad),
        },
    )


def _float64(module: torch.nn.Module, given: Arguments, runs: Runs, seed: int) -> Trace | None:
    """Run torch in float64 where anything differs."""
    if runs.is_equal:
        return None
    began = time.perf_counter()
    far = float64_run(module, given, runs.theirs, seed)
    runs.seconds["float64"] = time.perf_counter() - began
    return far


def _structures(module: Network, cell: Network, runs: Runs, joins: Sequence[Join]) -> dict[str, Structure]:
    """List the parts of both networks, and whether each was matched or holds something that was."""
    matched = [one.both for one in runs.matches if one.torch and one.cell]
    return {
        side: _structure(
            network, {steps[number].path for steps in matched}, {path for one in joins for path in one[number]}
        )
        for number, (side, network) in enumerate((("torch", module), ("cell", cell)))
    }


def _structure(network: Network, matched: Set[str], joined: Set[str]) -> Structure:
    seen = {"", *joined}
    for path in matched:
        parts = path.split(".")
        seen.update(".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return [(path, type(part).__name__, path in seen) for path, part in paths(network)]
