"""Runs: a network recorded on the same arguments and random numbers each time, and what the outcome depends on."""

import copy
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from msbridge.core.runtime import accelerators
from msbridge.core.runtime.package_versions import version_of
from msbridge.verify.record.arguments import Arguments
from msbridge.verify.record.networks import Network
from msbridge.verify.record.recording import record
from msbridge.verify.record.trace import Step, Trace


class Runner:
    """Runs networks on the same inputs and random numbers each time, and notes how long each took.

    Args:
        given: the arguments of both networks.
        seed: of all random numbers.
        weights: (the Cell's, torch's) of the same bits.
        running: returns the place of the source that is running, for the names of operators.

    Attributes:
        seconds: name of a run → how long it took.
    """

    def __init__(
        self,
        given: Arguments,
        seed: int,
        weights: Sequence[tuple[torch.Tensor, torch.Tensor]],
        running: Callable[[], str] | None = None,
    ) -> None:
        self.given = given
        self.running = running
        self.seed = seed
        self.weights = weights
        self.runs: list[Trace] = []
        self.seconds: dict[str, float] = {}

    def __call__(self, name: str, network: Network, feed: Mapping[int, Step] | None = None) -> Trace:
        """Record one run."""
        torch.manual_seed(self.seed)
        args, kwargs = self.given.of(network)
        began = time.perf_counter()
        trace = record(network, args, feed, kwargs, self.runs, self.weights, self.running)
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began
        self.runs.append(trace)
        return trace


def annotate_error(network: Network, trace: Trace, given: Arguments) -> Exception:
    """Return the exception that a network raised, with a note of its place and the inputs.

    Raises:
        ValueError: it raised nothing.
    """
    if trace.error is None:
        raise ValueError("the network ran to its end.")
    place = next((path for path in reversed(trace.pending) if path), "")
    side = "the torch module" if isinstance(network, torch.nn.Module) else "the Cell"
    shown = ", ".join(map(str, given.described))
    trace.error.add_note(f"{side} stops{f' in {place}' if place else ''} on the inputs ({shown})")
    return trace.error


def float64_run(module: torch.nn.Module, given: Arguments, theirs: Trace, seed: int) -> Trace | None:
    """Run torch in float64; return the run if its steps are those in float32, None where it cannot run."""
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


def environment(seed: int) -> dict[str, str]:
    """Return the environment on which the result depends."""
    kind = accelerators.available_kind()
    accelerator = accelerators.driver(kind)
    return {
        "msbridge": version_of("msbridge") or "(not installed)",
        "torch": torch.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "device": accelerator.get_device_name() if hasattr(accelerator, "get_device_name") else kind,
        "threads": str(torch.get_num_threads()),
        "TF32": str(torch.backends.cuda.matmul.allow_tf32),
        "deterministic": str(torch.are_deterministic_algorithms_enabled()),
        "seed": str(seed),
    }
