"""The order of calls: it pairs layers of one shape whose names do not decide, where it is not that of definition."""

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from msbridge.nn.cell.cell import Cell
from msbridge.verify.judge.status import FAULTS, judge_rows
from msbridge.verify.measure.step_differences import measure_rows
from msbridge.verify.pair.forced_runs import run_both
from msbridge.verify.pair.weights import BY_DEFINITION, Weights, load, pair_weights
from msbridge.verify.record.arguments import Arguments
from msbridge.verify.record.networks import Network, paths


def pair_by_calls(
    known: Weights, module: torch.nn.Module, cell: Cell, rules: Path | None, given: Arguments, seed: int, is_made: bool
) -> Weights:
    """Return the pairs that the order of calls makes, where it is not against the evidence; those that are known else.

    Where both orders pair differently, that is taken by which fewer layers differ, or more of the own values fit;
    among equals the order of definition, which `msbridge convert --by-order` follows.

    Args:
        known: the pairs by the order of definition.
        module: the reference, in inference mode.
        cell: the network under test, likewise.
        rules: the user's rules.
        given: the arguments of both.
        seed: of all random numbers.
        is_made: whether the Cell gets torch's weights; it may then have those of any pairing.
    """
    if all(one.by != BY_DEFINITION for one in known.pairs):
        return known
    calls = first_calls(module, given, seed), first_calls(cell, given, seed)
    if calls[0] is None or calls[1] is None:
        return known
    by_calls = pair_weights(module, cell, rules, (calls[0], calls[1]))
    before = {(one.sources, one.cell) for one in known.pairs}
    moved = [(one.torch, one.cell) for one in by_calls.pairs if (one.sources, one.cell) not in before]
    if not moved and len(by_calls.pairs) == len(known.pairs):
        return by_calls
    if len(by_calls.pairs) < len(known.pairs):
        return known
    counts = [_unlike(one, module, cell, given, seed, is_made) for one in (known, by_calls)]
    return replace(by_calls, moved=moved) if counts[1] < counts[0] else known


def first_calls(network: Network, given: Arguments, seed: int) -> dict[str, int] | None:
    """Return, for each part of a network that runs, when it is called first; None when the network stops."""
    places: dict[str, int] = {}
    torch.manual_seed(seed)
    args, kwargs = given.of(network)
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        for path, part in paths(network):

            def note(one: Any, arguments: Any, path: str = path) -> None:
                places.setdefault(path, len(places))

            stack.callback(part.register_forward_pre_hook(note).remove)
        try:
            network(*args, **kwargs)
        except Exception:  # the recorded run that follows says what is wrong
            return None
    return places


def _unlike(weights: Weights, module: torch.nn.Module, cell: Cell, given: Arguments, seed: int, is_made: bool) -> int:
    """Count what a pairing does not explain: layers that differ, or values of the Cell's own that do."""
    if not is_made:
        own = [(pair.parameter._data, pair.value) for pair in weights.pairs]
        return sum(not torch.equal(data, value.to(data.dtype)) for data, value in own)
    load(weights)
    rows = judge_rows(measure_rows(run_both(module, cell, given, seed, weights), None), other_precision=True)
    return sum(row.status in FAULTS for row in rows)
