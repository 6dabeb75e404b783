"""What all tests share: fixed seeds, and the marker that says what a test needs of the machine."""

import importlib.util
import random

import numpy as np
import pytest
import torch


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        if lacking := missing(**marker.kwargs):
            pytest.skip(f"needs {lacking}")


def missing(gpus: int = 0, package: str = "", cpus: int = 0) -> str:
    """Name the first condition that this machine does not meet, or nothing."""
    if gpus > torch.cuda.device_count():
        return f"{gpus} GPU(s)"
    if cpus > (torch.get_num_threads() or 1):
        return f"{cpus} CPU cores"
    if package and importlib.util.find_spec(package) is None:
        return f"the package {package}"
    return ""


@pytest.fixture(autouse=True)
def seeds() -> None:
    """Start every test with the same random numbers."""
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
