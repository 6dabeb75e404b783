"""Running a torch module and a Cell side by side."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import torch

from msbridge.converters.checkpoint import collector_paused
from msbridge.nn.cell import Cell
from msbridge.verify.explain.causes import Scene
from msbridge.verify.explain.conclusions import conclude
from msbridge.verify.explain.grouping import grouped
from msbridge.verify.judge.call_order import pair_by_calls
from msbridge.verify.judge.joined import judge_joined
from msbridge.verify.measure import training as train
from msbridge.verify.measure.difference import compare_tensors
from msbridge.verify.measure.lookup import Outputs
from msbridge.verify.pair.fed_runs import run_both
from msbridge.verify.pair.weights import check, load, pair_weights
from msbridge.verify.record.arguments import Arguments, described
from msbridge.verify.record.running import environment, float64_steps, modes_kept, named
from msbridge.verify.record.timing import forward_seconds
from msbridge.verify.record.trace import Network, Step, Trace, paths
from msbridge.verify.report.comparison import Comparison, Finding


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
) -> Comparison:
    """Run a torch module and a Cell on the same inputs and compare every layer.

    Each layer is compared twice: as the networks run on their own (`free`), and with the Cell's layer given what
    torch's got (`fed`), so that a fault is seen where it is, and a second one behind the first. Whether a difference is
    a fault is decided by the rounding error of torch's own layer, measured against a run in float64.

    Args:
        module: the reference; it is run in inference mode.
        cell: the network under test; likewise. It keeps converted weights.
        inputs: a tensor or array, or a tuple of them: the positional arguments of both. A dict gives torch's arguments
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

    Returns:
        The comparison; `print()` shows it, `is_same` says whether both agree.

    Raises:
        ValueError: an argument is out of range.
        CheckpointError: the rules are not in order, or do not go with the networks.

    Example:
        >>> import torch, msbridge
        >>> from msbridge.verify import compare
        >>> compare(torch.nn.Linear(3, 2), msbridge.nn.Dense(3, 2), torch.ones(1, 3)).verdict
        'PASS'
    """
    if weights not in ("convert", "as is"):
        raise ValueError(f"For 'compare', weights must be 'convert' or 'as is', got {weights!r}.")
    given = Arguments(inputs)
    file = None if rules is None else Path(rules)
    pairs = pair_weights(module, cell, file)
    with modes_kept(module, cell), collector_paused():
        module.eval()
        cell.set_train(False)
        pairs = pair_by_calls(pairs, module, cell, file, given, seed, weights == "convert")
    if weights == "convert":
        load(pairs)
    else:
        check(pairs, {path: type(layer).__name__ for path, layer in module.named_modules()})
    found = Comparison(named(module), named(cell), weights=pairs, inputs=[described(one) for one in given.data])
    found.environment = environment(seed)
    found.sizes = {
        "torch": sum(one.numel() for one in module.parameters()),
        "cell": sum(one.size for one in cell.get_parameters() if one.requires_grad),
    }
    found.notes = [Finding(one, "", "unused rule", "it fits no weight") for one in pairs.unused_rules]
    with modes_kept(module, cell), collector_paused():
        module.eval()
        cell.set_train(False)
        runs = _compare_runs(found, module, cell, given, seed, reference, other_precision)
        if grad and runs:
            found.gradients = train.gradients(module, cell, given, pairs, loss, seed)
        if train_steps and runs:
            found.training = train.steps(
                module, cell, given, pairs, loss, seed, train_steps, learning_rate, found.seconds
            )
        if timed_runs and runs:
            module.eval()
            cell.set_train(False)
            times = forward_seconds((module, cell), given, timed_runs)
            found.seconds |= dict(zip(("torch forward", "cell forward"), times, strict=True))
    return found


def _compare_runs(
    found: Comparison,
    module: torch.nn.Module,
    cell: Cell,
    given: Arguments,
    seed: int,
    reference: bool,
    other_precision: bool,
) -> bool:
    """Record both networks, match their steps, and fill the rows, outputs, findings and notes.

    Returns:
        Whether the Cell ran to its end.
    """
    runs = run_both(found, module, cell, given, seed)
    theirs, free, fed, matches = runs.theirs, runs.free, runs.fed, runs.matches
    far: Trace | None = None
    if reference and not runs.is_equal:
        began = time.perf_counter()
        far = float64_steps(module, given, theirs, seed)
        found.seconds["float64"] = time.perf_counter() - began
    found.rows = runs.rows(far, other_precision)
    found.structure = {
        "torch": _structure(module, [one.torch for one in matches if one.torch and one.cell]),
        "cell": _structure(cell, [one.cell for one in matches if one.torch and one.cell]),
    }
    found.outputs = [
        compare_tensors(own, wanted, far.outputs[index] if far else None)
        for index, (own, wanted) in enumerate(zip(free.outputs, theirs.outputs, strict=False))
    ]
    scene = Scene(matches, theirs, fed, found.weights, Outputs(theirs))
    conclude(found, scene, free, far)
    judge_joined(found, theirs, free, fed, far)
    found.findings, found.notes = grouped(found.findings), grouped(found.notes)
    return free.error is None


def _structure(network: Network, matched: Sequence[Step]) -> list[tuple[str, str, bool]]:
    """List the parts of a network, and whether each was matched or holds something that was."""
    seen = {""}
    for step in matched:
        parts = step.path.split(".")
        seen.update(".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return [(path, type(part).__name__, path in seen) for path, part in paths(network)]
