"""The recorded files of the real MindSpore, and the values that are in them."""

import os
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from msbridge.converters import Entry
from msbridge.converters.tensors.entry import entry
from tests.converters.checkpoint_cases import numbers
from tests.oracle.recorded import answers

# The same examples in every run, whatever else is loaded and however busy the machine is; with MSBRIDGE_FUZZ others.
settings.register_profile(
    "tests",
    derandomize="MSBRIDGE_FUZZ" not in os.environ,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tests")
providers._get_local_constants = lambda: providers._local_constants  # none: it reads all that is loaded for constants


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the checkpoints that the real MindSpore wrote."""
    folder = tmp_path_factory.mktemp("records")
    for expression, data in answers("checkpoint_files").items():
        (folder / expression.split('"')[1]).write_bytes(data)
    return folder


@pytest.fixture(scope="session")
def entries_of():
    """Make the entries of one of the cases."""

    def make(case: list) -> list[Entry]:
        made = []
        for name, dtype, shape in case:
            kind = getattr(torch, dtype.rstrip("_"))
            wide = torch.complex128 if kind.is_complex else torch.float64 if kind.is_floating_point else torch.int64
            values = torch.tensor(numbers(dtype, shape), dtype=wide if kind != torch.bool else kind)
            made.append(entry(name, values.to(kind).reshape(shape)))
        return made

    return make
