"""Running a torch module and a Cell side by side."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

import torch

from msbridge.nn.cell import Cell
from msbridge.verify import training as train
from msbridge.verify.arguments import Arguments, described
from msbridge.verify.causes import Scene
from msbridge.verify.comparison import Comparison
from msbridge.verify.conclusions import conclude
from msbridge.verify.match import Match, match
from msbridge.verify.metrics import measure
from msbridge.verify.rows import all_equal, equal, fill, judge, row_of
from msbridge.verify.running import Runner, environment, float64_steps, modes_kept, named
from msbridge.verify.trace import Network, Step, Trace, paths
from msbridge.verify.weights import check, load, pair_weights

ROUNDS = 8  # how often a Cell that stops with an error is led past it


def compare(
    module: torch.nn.Module,
    cell: Cell,
    inputs: Any,
    *,
    weights: Literal["convert", "as is"] = "convert",
    grad: bool = False,
    train_steps: int = 0,
    reference: bool = True,
    other_precision: bool = False,
    seed: int = 0,
    loss: Callable[..., torch.Tensor] | None = None,
    learning_rate: float = 0.01,
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
        grad: compare the gradients of all weights too.
        train_steps: train both for so many steps, and compare losses, weights and moving statistics.
        reference: run torch in float64 too, where anything differs.
        other_precision: take a layer that computes in another floating dtype than torch's for right, when it is right
            to the rounding of the coarser one.
        seed: of all random numbers.
        loss: makes a scalar of the outputs (torch tensors) for `grad` and `train_steps`; None takes a fixed weighting.
        learning_rate: of the training steps.

    Returns:
        The comparison; `print()` shows it, `is_same` says whether both agree.

    Raises:
        ValueError: an argument is out of range.

    Example:
        >>> import torch, msbridge
        >>> from msbridge.verify import compare
        >>> compare(torch.nn.Linear(3, 2), msbridge.nn.Dense(3, 2), torch.ones(1, 3)).verdict
        'PASS'
    """
    if weights not in ("convert", "as is"):
        raise ValueError(f"For 'compare', weights must be 'convert' or 'as is', got {weights!r}.")
    given = Arguments(inputs)
    pairs = pair_weights(module, cell)
    if weights == "convert":
        load(pairs)
    else:
        check(pairs, {path: type(layer).__name__ for path, layer in module.named_modules()})
    found = Comparison(named(module), named(cell), weights=pairs, inputs=[described(one) for one in given.data])
    found.environment = environment(seed)
    with modes_kept(module, cell):
        runs = _compare_runs(found, module, cell, given, seed, reference, other_precision)
        if grad and runs:
            found.gradients = train.gradients(module, cell, given, pairs, loss, seed)
        if train_steps and runs:
            found.training = train.steps(module, cell, given, pairs, loss, seed, train_steps, learning_rate)
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
    module.eval()
    cell.set_train(False)
    run = Runner(found, given, seed)
    theirs = run("torch", module)
    if theirs.error is not None:
        raise theirs.error
    free = run("cell", cell)
    owners = found.weights.layers
    matches = match(theirs.steps, free.steps, owners)
    is_equal = all_equal(matches, free, theirs)  # then every layer got torch's inputs as it was
    fed = free if is_equal else run("fed", cell, _feed(matches))
    for _ in range(ROUNDS):  # past an error, the fed run goes further than the free one
        if free.error is None or len(fed.steps) <= sum(one.cell is not None for one in matches):
            break
        matches = match(theirs.steps, fed.steps, owners)
        fed = run("fed", cell, _feed(matches))
    found.rows = [row_of(one) for one in matches]
    far: Trace | None = None
    if reference and not is_equal:
        began = time.perf_counter()
        far = float64_steps(module, given, theirs, seed)
        found.seconds["float64"] = time.perf_counter() - began
    wide = {step.number: step for step in far.steps} if far else {}
    for one, row in zip(matches, found.rows, strict=True):
        if one.torch is not None and one.cell is not None:
            if is_equal:
                row.free = row.fed = row.arriving = equal(one)
            else:
                fill(one, row, free, fed, wide)
        judge(one, row, other_precision)
    found.structure = {
        "torch": _structure(module, [one.torch for one in matches if one.torch and one.cell]),
        "cell": _structure(cell, [one.cell for one in matches if one.torch and one.cell]),
    }
    found.outputs = [
        measure(own, wanted, far.outputs[index] if far else None)
        for index, (own, wanted) in enumerate(zip(free.outputs, theirs.outputs, strict=False))
    ]
    scene = Scene(matches, theirs, fed, found.weights)
    conclude(found, scene, free, far)
    return free.error is None


def _feed(matches: Sequence[Match]) -> dict[int, Step]:
    """Say what each step of the Cell gets and hands on instead of its own."""
    feed = {}
    for one in matches:
        if one.torch is not None and one.cell is not None and one.end is not None:
            feed[one.cell.number] = Step(one.torch.number, "", "", inputs=one.torch.inputs, outputs=one.end.outputs)
    return feed


def _structure(network: Network, matched: Sequence[Step]) -> list[tuple[str, str, bool]]:
    """List the parts of a network, and whether each was matched or holds something that was."""
    seen = {""}
    for step in matched:
        parts = step.path.split(".")
        seen.update(".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return [(path, type(part).__name__, path in seen) for path, part in paths(network)]
