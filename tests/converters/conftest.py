"""The recorded files of the real MindSpore, and the values that are in them."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
import torch

from msbridge.converters import Entry
from msbridge.converters.tensors.entry import entry

CHECKPOINTS = Path(__file__).parents[1] / "oracle" / "checkpoints"


@pytest.fixture(scope="session")
def records() -> Path:
    return CHECKPOINTS / "records"


@pytest.fixture(scope="session")
def recorder() -> ModuleType:
    """The recorder's module: its cases, and how their values are made."""
    spec = importlib.util.spec_from_file_location("checkpoint_recorder", CHECKPOINTS / "record.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def entries_of(recorder: ModuleType):
    """Make the entries of one of the recorder's cases."""

    def make(case: list) -> list[Entry]:
        made = []
        for name, dtype, shape in case:
            kind = getattr(torch, dtype.rstrip("_"))
            wide = torch.complex128 if kind.is_complex else torch.float64 if kind.is_floating_point else torch.int64
            values = torch.tensor(recorder.numbers(dtype, shape), dtype=wide if kind != torch.bool else kind)
            made.append(entry(name, values.to(kind).reshape(shape)))
        return made

    return make
