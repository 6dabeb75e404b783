"""Teacher-forced runs: both networks recorded, their steps matched, and the Cell once more on torch's values.

    torch    x ──► step 1 ──► step 2 ──► step 3 ──► out      recorded first: inputs and outputs of every step
                      │ in, out    │ in, out   │ in, out
    free     x ──► step 1 ──► step 2 ──► step 3 ──► out      the Cell on its own: an early fault spoils all that follows
                      │            │           │
    fed        torch's ┴► step 1   ┴► step 2   ┴► step 3     each step gets torch's input, and hands torch's output on

A fault is then seen in the step that has it, and a second one behind the first. What is fed follows from the matches,
and the matches may follow from what is fed, so there are at most a few rounds:

1. The steps of the free run are matched by weights, names and order. Where all have torch's bits, the free run is the
   fed one.
2. Where operators have no counterpart, a probe feeds the layers with weights only, which are matched for certain; with
   right values at every layer, operators are matched by what they compute.
3. A fed run that stops although the free one did not was given something of another size: those matches feed no more.
4. A Cell that stops on its own is led past the error by torch's outputs; steps behind it are matched in further rounds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msbridge.verify.pair.match import Match, match, outputs
from msbridge.verify.pair.weights import Weights
from msbridge.verify.record.arguments import Arguments
from msbridge.verify.record.equality import arrange_like, same
from msbridge.verify.record.networks import Network
from msbridge.verify.record.running import Runner, annotate_error
from msbridge.verify.record.trace import Step, Trace

ROUNDS = 8  # how often a Cell that stops with an error is led past it


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The records of both networks."""

    theirs: Trace  # torch's run
    free: Trace  # the Cell's run on its own
    fed: Trace  # the Cell's run on torch's values
    matches: Sequence[Match]  # which steps answer to each other
    is_equal: bool  # whether every step of the Cell returned torch's bits on its own
    seconds: dict[str, float]  # name of a run → how long it took

    def teacher_forced_step(self, step: Step) -> Step:
        """Return a step of the Cell as it ran on torch's values, or as it was where that run stopped before."""
        return self.fed.steps[step.number] if step.number < len(self.fed.steps) else step


def run_both(
    module: Network,
    cell: Network,
    given: Arguments,
    seed: int,
    weights: Weights,
    is_loaded: bool = True,
    running: Callable[[], str] | None = None,
) -> Runs:
    """Record both networks, match their steps, and run the Cell on torch's values.

    Args:
        module: the reference, in inference mode.
        cell: the network under test, likewise.
        given: the arguments of both.
        seed: of all random numbers.
        weights: of both.
        is_loaded: whether the Cell holds torch's weights.
        running: returns the place of the source that is running, for the names of operators.

    Raises:
        Exception: what torch's module raised.
    """
    run = Runner(given, seed, weights.same_bits(is_loaded), running)
    theirs = run("torch", module)
    if theirs.error is not None:
        raise annotate_error(module, theirs, given)
    free = run("cell", cell)
    owners, joins = weights.layers, weights.joins
    apart = {path for mine, _ in joins for path in mine}, {path for _, ours in joins for path in ours}
    matches = match(theirs.steps, free.steps, owners, apart)
    is_equal = _all_equal(matches, free, theirs)  # then every layer got torch's inputs as it was
    if not is_equal and any(_is_alone(one) for one in matches):  # right layers show which operators are the same
        probe = run("fed", cell, _feed([one for one in matches if one.by == "weights"], free.error is None))
        matches = match(theirs.steps, probe.steps, owners, apart, by_value=True)
    fed = free if is_equal else run("fed", cell, _feed(matches, free.error is None))
    if fed.error is not None and free.error is None:  # what was passed on does not fit: some steps are of other sizes
        fed = run("fed", cell, _feed([one for one in matches if _is_as_large(one)], True))
    for _ in range(ROUNDS):  # past an error, the fed run goes further than the free one
        if free.error is None or len(fed.steps) <= sum(one.cell is not None for one in matches):
            break
        matches = match(theirs.steps, fed.steps, owners, apart, by_value=True)
        fed = run("fed", cell, _feed(matches))
    return Runs(theirs, free, fed, matches, is_equal, run.seconds)


def _all_equal(matches: Sequence[Match], free: Trace, theirs: Trace) -> bool:
    """Whether a Cell that ran on its own returned the same bits as torch, in every matched step and in the end."""
    if free.error is not None or len(free.outputs) != len(theirs.outputs):
        return False
    pairs = [pair for one in matches if one.torch and one.cell for pair in outputs(one, free)]
    return all(same(*pair) for pair in [*zip(free.outputs, theirs.outputs, strict=True), *pairs])


def _is_alone(one: Match) -> bool:
    """Whether a step that computes something has no counterpart."""
    step = one.torch if one.cell is None else one.cell if one.torch is None else None
    return step is not None and one.by != "merged" and bool(step.computes)


def _is_as_large(one: Match) -> bool:
    """Whether both steps return as many elements."""
    sides = [step.outputs if step is not None else [] for step in (one.cell, one.end)]
    return [part.numel() for part in sides[0]] == [part.numel() for part in sides[1]]


def _feed(matches: Sequence[Match], is_whole: bool = False) -> dict[int, Step]:
    """Return the forced inputs and outputs of each step of the Cell.

    Args:
        matches: which step answers to which.
        is_whole: whether the Cell runs to its end on its own: then what it passes on keeps the shape that it has there.
    """
    feed = {}
    for matched in matches:
        if matched.torch is not None and matched.cell is not None and matched.end is not None:
            outputs = list(matched.end.outputs)
            if is_whole and len(outputs) == len(matched.cell.outputs):
                outputs = [arrange_like(*pair) for pair in zip(outputs, matched.cell.outputs, strict=True)]
            feed[matched.cell.number] = Step(matched.torch.number, "", "", inputs=matched.torch.inputs, outputs=outputs)
    return feed
