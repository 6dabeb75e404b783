"""Tests of devices: they run where there is a GPU, and on the stand-in (tests/standin) in processes of their own."""

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch

import msbridge as ms

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder as one that needs a device."""
    for item in items:
        if item.path.is_relative_to(HERE) and not item.get_closest_marker("needs"):
            item.add_marker(pytest.mark.needs(gpus=1))


@pytest.fixture(autouse=True)
def device_target() -> None:
    """Run every test on the GPU; the context is set back afterwards."""
    ms.set_context(device_target="GPU")


class Waits:
    """How often the host has waited for the device in a block."""

    def __init__(self) -> None:
        self.count = 0


@pytest.fixture
def waits() -> Callable[[], object]:
    """Count the waits of the host in a block: `with waits() as seen`, then `seen.count`."""
    return _waits


@contextmanager
def _waits() -> Iterator[Waits]:
    seen, stand_in = Waits(), sys.modules.get("msbridge_standin")
    if stand_in is not None:
        stand_in.forget()
        yield seen
        seen.count = sum(stand_in.synchronisations().values())
        return
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            yield seen
    finally:
        torch.cuda.set_sync_debug_mode("default")
    seen.count = sum("synchronizing" in str(warning.message) for warning in said)
