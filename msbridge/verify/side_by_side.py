"""Running a torch module and a Cell side by side."""

import contextlib
import copy
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import torch

from msbridge.core.tensor import Tensor
from msbridge.nn.cell import Cell
from msbridge.verify import training as train
from msbridge.verify.causes import Scene, explain_gap, explain_step
from msbridge.verify.comparison import FAULTS, Comparison, Finding, Row
from msbridge.verify.match import Match, match
from msbridge.verify.metrics import Difference, measure, same
from msbridge.verify.settings import disagreements
from msbridge.verify.trace import Network, Step, Trace, paths, record
from msbridge.verify.weights import check, load, pair_weights

BEYOND = 100.0  # times the noise that is allowed: no sum of roundings is so large
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
        inputs: a tensor or array, or a tuple of them: the positional arguments of both.
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
    given = [as_torch(one) for one in (inputs if isinstance(inputs, tuple | list) else (inputs,))]
    pairs = pair_weights(module, cell)
    if weights == "convert":
        load(pairs)
    else:
        check(pairs, {path: type(layer).__name__ for path, layer in module.named_modules()})
    found = Comparison(named(module), named(cell), weights=pairs, inputs=[described(one) for one in given])
    found.environment = environment(seed)
    with modes_kept(module, cell):
        runs = _compare_runs(found, module, cell, given, seed, reference, other_precision)
        if grad and runs:
            found.gradients = train.gradients(module, cell, given, pairs, loss, seed)
        if train_steps and runs:
            found.training = train.steps(module, cell, given, pairs, loss, seed, train_steps, learning_rate)
    return found


def as_torch(value: Any) -> torch.Tensor:
    """Give an input as a torch tensor of its own memory.

    Raises:
        TypeError: it is neither tensor nor array nor number.
    """
    if isinstance(value, Tensor):
        value = value._data
    if isinstance(value, np.ndarray | np.generic | int | float | bool | list):
        value = torch.as_tensor(np.asarray(value))
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"For 'compare', an input must be a tensor or an array, got {type(value).__name__}.")
    return value.detach().clone()


def environment(seed: int) -> dict[str, str]:
    """Say what the result depends on."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        own = version("msbridge")
    except PackageNotFoundError:
        own = "(not installed)"
    return {
        "msbridge": own,
        "torch": torch.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
        "threads": str(torch.get_num_threads()),
        "TF32": str(torch.backends.cuda.matmul.allow_tf32),
        "deterministic": str(torch.are_deterministic_algorithms_enabled()),
        "seed": str(seed),
    }


def _compare_runs(
    found: Comparison,
    module: torch.nn.Module,
    cell: Cell,
    given: Sequence[torch.Tensor],
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
    run = _Runner(found, given, seed)
    theirs = run("torch", module)
    if theirs.error is not None:
        raise theirs.error
    free = run("cell", cell)
    owners = found.weights.layers
    matches = match(theirs.steps, free.steps, owners)
    is_equal = _is_equal(matches, free, theirs)  # then every layer got torch's inputs as it was
    fed = free if is_equal else run("fed", cell, _feed(matches))
    for _ in range(ROUNDS):  # past an error, the fed run goes further than the free one
        if free.error is None or len(fed.steps) <= sum(one.cell is not None for one in matches):
            break
        matches = match(theirs.steps, fed.steps, owners)
        fed = run("fed", cell, _feed(matches))
    found.rows = [_row(one) for one in matches]
    far: Trace | None = None
    if reference and not is_equal:
        began = time.perf_counter()
        far = float64_steps(module, given, theirs, seed)
        found.seconds["float64"] = time.perf_counter() - began
    wide = {step.number: step for step in far.steps} if far else {}
    for one, row in zip(matches, found.rows, strict=True):
        if one.torch is not None and one.cell is not None:
            if is_equal:
                row.free = row.fed = row.arriving = _equal(one)
            else:
                _measure(one, row, free, fed, wide)
        _judge(one, row, other_precision)
    found.structure = {
        "torch": _structure(module, [one.torch for one in matches if one.torch and one.cell]),
        "cell": _structure(cell, [one.cell for one in matches if one.torch and one.cell]),
    }
    found.outputs = [
        measure(own, wanted, far.outputs[index] if far else None)
        for index, (own, wanted) in enumerate(zip(free.outputs, theirs.outputs, strict=False))
    ]
    scene = Scene(matches, theirs, fed, found.weights)
    _conclude(found, scene, free, far)
    return free.error is None


def _structure(network: Network, matched: Sequence[Step]) -> list[tuple[str, str, bool]]:
    """List the parts of a network, and whether each was matched or holds something that was."""
    seen = {""}
    for step in matched:
        parts = step.path.split(".")
        seen.update(".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return [(path, type(part).__name__, path in seen) for path, part in paths(network)]


class _Runner:
    """Runs a network on the same inputs and random numbers each time, and notes how long it took."""

    def __init__(self, found: Comparison, given: Sequence[torch.Tensor], seed: int) -> None:
        self.found = found
        self.given = given
        self.seed = seed

    def __call__(self, name: str, network: Network, feed: Mapping[int, Step] | None = None) -> Trace:
        torch.manual_seed(self.seed)
        data = [one.clone() for one in self.given]
        began = time.perf_counter()
        trace = record(network, [Tensor(one) for one in data] if isinstance(network, Cell) else data, feed)
        self.found.seconds[name] = self.found.seconds.get(name, 0.0) + time.perf_counter() - began
        return trace


def _feed(matches: Sequence[Match]) -> dict[int, Step]:
    """Say what each step of the Cell gets and hands on instead of its own."""
    feed = {}
    for one in matches:
        if one.torch is not None and one.cell is not None and one.end is not None:
            feed[one.cell.number] = Step(one.torch.number, "", "", inputs=one.torch.inputs, outputs=one.end.outputs)
    return feed


def float64_steps(module: torch.nn.Module, given: Sequence[torch.Tensor], theirs: Trace, seed: int) -> Trace | None:
    """Run torch in float64; give the run if its steps are those in float32, None where it cannot run."""
    try:
        twin = copy.deepcopy(module).double()
    except (RuntimeError, TypeError):  # a module that cannot be copied or has no float64
        return None
    torch.manual_seed(seed)
    wide = record(twin, [one.double() if one.is_floating_point() else one.clone() for one in given])
    return wide if [step.kind for step in wide.steps] == [step.kind for step in theirs.steps] else None


def _is_equal(matches: Sequence[Match], free: Trace, theirs: Trace) -> bool:
    """Whether a Cell that ran on its own gave the same bits as torch, in every matched step and in the end."""
    if free.error is not None or len(free.outputs) != len(theirs.outputs):
        return False
    pairs = [pair for one in matches if one.torch and one.cell for pair in _outputs(one, free)]
    return all(same(*pair) for pair in [*zip(free.outputs, theirs.outputs, strict=True), *pairs])


def _equal(one: Match) -> Difference | None:
    """Give the difference of a step whose outputs are equal; None where it has none."""
    for first in one.both[1].outputs[:1]:
        kind = str(first.dtype).removeprefix("torch.")
        return Difference(tuple(first.shape), kind, kind, is_equal=True)
    return None


def _outputs(one: Match, trace: Trace) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Pair the Cell's outputs of a step with torch's that can be compared with them."""
    _, other, end = one.both
    own = trace.steps[other.number].outputs if other.number < len(trace.steps) else []
    return [_levelled(mine, wanted) for mine, wanted in zip(own, end.outputs, strict=False)]


def _levelled(own: torch.Tensor, wanted: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Give two tensors of as many elements the same shape."""
    if own.shape != wanted.shape and own.numel() == wanted.numel():
        return own.reshape(wanted.shape), wanted
    return own, wanted


def _row(one: Match) -> Row:
    mine, other = one.torch, one.cell
    row = Row(
        mine.label if mine else "", other.label if other else "", mine.kind if mine else "", other.kind if other else ""
    )
    row.by = one.by if mine and other else ""
    row.is_layer = any(step is not None and step.layer is not None for step in (mine, other))
    if mine and other:
        row.settings = disagreements(mine, other)
    return row


def _measure(one: Match, row: Row, free: Trace, fed: Trace, wide: Mapping[int, Step]) -> None:
    """Fill the differences of a row: the worst of its tensors counts."""
    mine, other, end = one.both
    far = wide[end.number].outputs if end.number in wide else []
    row.free = _worst(_outputs(one, free), far)
    pairs = _outputs(one, fed)
    near: list[torch.Tensor] = []
    if one.last is None and mine.again is not None and not all(same(*pair) for pair in pairs):
        with contextlib.suppress(Exception):  # a layer without float64 is judged by its rounding unit
            near = mine.again([part.double() if part.is_floating_point() else part.clone() for part in mine.inputs])
    row.fed = _worst(pairs, near or (far if one.last else []))
    if other.number < len(fed.steps):
        arriving = fed.steps[other.number].inputs
        row.arriving = _worst(_arriving(arriving, mine.inputs), [])


def _arriving(own: Sequence[torch.Tensor], wanted: Sequence[torch.Tensor]) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Pair what a step of the Cell gets with what torch's gets; the order of two does not count here."""
    pairs = [_levelled(a, b) for a, b in zip(own, wanted, strict=False)]
    if len(own) == len(wanted) == 2 and not same(*pairs[0]):
        turned = [_levelled(a, b) for a, b in zip(own, reversed(wanted), strict=False)]
        if all(same(*pair) for pair in turned):
            return turned
    return pairs


def _worst(pairs: Sequence[tuple[torch.Tensor, torch.Tensor]], references: Sequence[torch.Tensor]) -> Difference | None:
    found = [
        measure(own, wanted, references[index] if index < len(references) else None)
        for index, (own, wanted) in enumerate(pairs)
    ]
    return max(found, key=lambda one: (bool(one.problem), not one.is_noise, one.noise_ratio), default=None)


def _judge(one: Match, row: Row, other_precision: bool) -> None:
    """Set the status of a row from its differences."""
    if one.torch is None or one.cell is None:
        idle = one.by == "merged" or not any(step.computes for step in (one.torch, one.cell) if step is not None)
        row.status = "idle" if idle else "missing" if one.torch is not None else "extra"
    elif row.fed is None and one.end is not None and one.end.outputs:
        row.status = "failed"
    elif row.arriving is not None and not _arrives(row.arriving) and not _makes_up(one, row):
        row.status = "input differs"
    elif row.fed is not None and (not row.fed.is_noise or (row.fed.is_coarser and not other_precision)):
        row.status = "differs"
    elif row.free is not None and not row.free.is_noise:
        row.status = "inherited"
    elif row.free is not None and row.fed is not None and not (row.free.is_equal and row.fed.is_equal):
        row.status = "noise"


def _makes_up(one: Match, row: Row) -> bool:
    """Whether an operator gives the right thing of other inputs: 1 - x and -(x - 1)."""
    return one.both[1].layer is None and row.fed is not None and row.fed.is_noise


def _arrives(arriving: Difference) -> bool:
    """Whether an input is right up to the rounding of what stands unmatched before it."""
    return arriving.is_equal or (not arriving.problem and arriving.noise_ratio <= 20 and arriving.peak_ratio <= 80)


def _conclude(found: Comparison, scene: Scene, free: Trace, far: Trace | None) -> None:
    """Turn rows into findings and notes."""
    for index, row in enumerate(found.rows):
        one = scene.matches[index]
        if row.status == "failed":
            error = free.error or scene.fed.error
            text = f"the Cell stops here: {type(error).__name__}: {error}" if error else "the Cell gives no tensor here"
            settings = [str(each) for each in row.settings]
            kind = row.settings[0].name if row.settings else "error"
            found.findings.append(Finding(row.torch, row.cell, kind, text, settings))
        elif row.status == "input differs":
            found.findings.append(explain_gap(scene, index, row, _first_unequal(one, scene.fed)))
            if (
                row.fed is not None
                and not row.fed.is_noise
                and one.cell is not None
                and scene.fed.steps[one.cell.number].fed
            ):
                found.findings.append(explain_step(_fed_scene(scene, index), index, row))
        elif row.status == "differs":
            found.findings.append(explain_step(_fed_scene(scene, index), index, row))
    _conclude_outputs(found, scene, free, far)
    quiet = [row for row in found.rows if row.status not in FAULTS]
    for row in quiet:
        for each in row.settings:
            hint = f" ({each.trap})" if each.trap else ""
            when = "in training" if each.matters == "training" else "little on these inputs"
            found.notes.append(Finding(row.torch, row.cell, each.name, f"{each}{hint}; it shows {when}"))
    for pair in found.weights.pairs:
        if pair.issue and not any(pair.issue in (one.text, *one.evidence) for one in found.findings):
            place, own = (name.rpartition(".")[0] or name for name in (pair.torch, pair.cell))
            found.findings.append(Finding(place, own, pair.kind, pair.issue, ["it does not show on these inputs"]))
    for name in found.weights.only_torch:
        found.notes.append(Finding(name, "", "unmatched weight", "only torch has it"))
    for name in found.weights.only_cell:
        found.notes.append(Finding(name, "", "unmatched weight", "only the Cell has it; it keeps its own values"))


def _conclude_outputs(found: Comparison, scene: Scene, free: Trace, far: Trace | None) -> None:
    """Compare what the networks give in the end, when every matched step gave torch's values."""
    fed = scene.fed
    if (error := free.error or fed.error) is not None:
        place = " / ".join(part for part in (free.pending or fed.pending) if part) or "(the network)"
        text = f"the Cell stops: {type(error).__name__}: {error}"
        if found.findings:
            found.findings[0].evidence.append(f"{place}: {text}")
        else:
            found.findings.append(Finding(place, place, "error", text))
        return
    for index, (own, wanted) in enumerate(zip(fed.outputs, scene.theirs.outputs, strict=False)):
        difference = measure(own, wanted, far.outputs[index] if far else None)
        if difference.problem or not _arrives(difference):
            row = Row("(the output)", "(the output)")
            found.findings.append(explain_gap(scene, len(scene.matches), row, (own, wanted)))
            return
    if len(fed.outputs) != len(scene.theirs.outputs):
        text = f"the Cell gives {len(fed.outputs)} tensors, torch {len(scene.theirs.outputs)}"
        found.notes.append(Finding("(the output)", "(the output)", "outputs", text))
    loud = [one for one in found.outputs if not one.is_noise]
    if loud and not found.findings:
        worst = max(loud, key=lambda one: one.noise_ratio)
        text = f"the networks end {worst.max_abs:.3g} apart ({worst.noise_ratio:.3g} times torch's noise)"
        if worst.problem or worst.noise_ratio > BEYOND:
            text += ", though every layer agrees on torch's inputs: does one write into its input, or keep a state?"
            found.findings.append(Finding("(the output)", "(the output)", "unknown", text))
        else:
            text += "; every layer agrees, so this is rounding that adds up"
            found.notes.append(Finding("(the output)", "(the output)", "noise", text))


def _first_unequal(one: Match, fed: Trace) -> tuple[torch.Tensor, torch.Tensor] | None:
    if one.torch is None or one.cell is None:
        return None
    for own, wanted in _arriving(fed.steps[one.cell.number].inputs, one.torch.inputs):
        if not same(own, wanted):
            return own, wanted
    return None


def _fed_scene(scene: Scene, index: int) -> Scene:
    """Let causes look at the Cell's step as it ran on torch's values."""
    one = scene.matches[index]
    matches = list(scene.matches)
    matches[index] = Match(one.torch, scene.fed.steps[one.both[1].number], one.by, one.last)
    return Scene(matches, scene.theirs, scene.fed, scene.weights)


@contextlib.contextmanager
def modes_kept(*networks: Network) -> Iterator[None]:
    """Leave every part of some networks in the mode, training or inference, that it had, and the random numbers too."""
    before = [(part, part.training) for network in networks for _, part in paths(network)]
    with torch.random.fork_rng(range(torch.cuda.device_count())):
        try:
            yield
        finally:
            for part, mode in before:
                part.training = mode


def named(network: Network) -> str:
    """Give the qualified name of a network's class."""
    return f"{type(network).__module__}.{type(network).__qualname__}"


def described(one: torch.Tensor) -> str:
    """Describe an input in a line."""
    text = f"{str(one.dtype).removeprefix('torch.')} {tuple(one.shape)}"
    if one.numel() and not one.is_complex():
        wide = one.double()
        text += f", {wide.min().item():.4g} … {wide.max().item():.4g}"
    return text
