"""Runs: a network recorded on the same arguments and random numbers each time, and what the outcome depends on."""

import contextlib
import copy
import platform
import time
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import torch

from msbridge.verify.record.arguments import Arguments, described
from msbridge.verify.record.recording import record
from msbridge.verify.record.trace import Network, Step, Trace, paths
from msbridge.verify.report.comparison import Comparison


class Runner:
    """Runs a network on the same inputs and random numbers each time, and notes how long it took."""

    def __init__(self, found: Comparison, given: Arguments, seed: int) -> None:
        self.found = found
        self.given = given
        self.seed = seed
        self.runs: list[Trace] = []
        self.weights = [
            (one.parameter._data, one.value)
            for one in found.weights.pairs
            if not one.issue and one.value.dtype == one.parameter._data.dtype
        ]

    def __call__(self, name: str, network: Network, feed: Mapping[int, Step] | None = None) -> Trace:
        torch.manual_seed(self.seed)
        args, kwargs = self.given.of(network)
        began = time.perf_counter()
        trace = record(network, args, feed, kwargs, self.runs, self.weights)
        self.found.seconds[name] = self.found.seconds.get(name, 0.0) + time.perf_counter() - began
        self.runs.append(trace)
        return trace


def stopped(network: Network, trace: Trace, given: Arguments) -> Exception:
    """Give what a network raised, with a note of where it was and what it was given.

    Raises:
        ValueError: it raised nothing.
    """
    if trace.error is None:
        raise ValueError("the network ran to its end.")
    place = next((path for path in reversed(trace.pending) if path), "")
    side = "the torch module" if isinstance(network, torch.nn.Module) else "the Cell"
    shown = ", ".join(map(described, given.data))
    trace.error.add_note(f"{side} stops{f' in {place}' if place else ''} on the inputs ({shown})")
    return trace.error


def float64_steps(module: torch.nn.Module, given: Arguments, theirs: Trace, seed: int) -> Trace | None:
    """Run torch in float64; give the run if its steps are those in float32, None where it cannot run."""
    try:
        twin = _in_float64(module)
    except (RuntimeError, TypeError):  # a module that cannot be copied or has no float64
        return None
    torch.manual_seed(seed)
    args, kwargs = given.of(twin, is_wide=True)
    wide = record(twin, args, None, kwargs)
    return wide if [step.kind for step in wide.steps] == [step.kind for step in theirs.steps] else None


def _in_float64(module: torch.nn.Module) -> torch.nn.Module:
    """Copy a module with its tensors in float64; there is never a second copy of them in float32."""
    known: dict[int, Any] = {}
    for one in module.parameters():
        wide = one.detach().double() if one.is_floating_point() else one.detach().clone()
        known[id(one)] = torch.nn.Parameter(wide, requires_grad=one.requires_grad)
    return copy.deepcopy(module, known).double()


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


def environment(seed: int) -> dict[str, str]:
    """Say what the result depends on."""
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
