"""Timing: how long two networks take for one forward run, without recording."""

import statistics
import time
from collections.abc import Sequence

import torch

from msbridge.core.runtime import accelerators
from msbridge.verify.record.arguments import Arguments
from msbridge.verify.record.networks import Network


def forward_seconds(networks: Sequence[Network], given: Arguments, runs: int) -> list[float]:
    """Return the median time of each network over some runs, which take turns, after one to warm up."""
    times: list[list[float]] = [[] for _ in networks]
    with torch.no_grad():
        for _ in range(runs + 1):
            for network, seconds in zip(networks, times, strict=True):
                args, kwargs = given.of(network)
                began = now()
                network(*args, **kwargs)
                seconds.append(now() - began)
    return [statistics.median(seconds[1:]) for seconds in times]


def now() -> float:
    """Return the time when the device has done what it was given."""
    accelerators.synchronize_used()
    return time.perf_counter()
