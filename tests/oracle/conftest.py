"""The cases say `import mindspore`; in these tests that is msbridge."""

import sys
from dataclasses import replace

import pytest
import torch

import msbridge
from msbridge.dataset import config
from msbridge.dropin.importing.finder import Finder


def _serving() -> Finder:
    """Return what serves `mindspore`, put in place where a test of another folder took it away."""
    msbridge.install()
    return next(finder for finder in sys.meta_path if isinstance(finder, Finder))


_before = [_serving()]


@pytest.fixture(autouse=True)
def mindspore_is_msbridge() -> None:
    """Have the cases, and their package, imported again for another finder: they have the modules of the one before."""
    if _serving() is not _before[0]:
        _before[0] = _serving()
        for name in [name for name in sys.modules if name.startswith("tests.oracle.cases")]:
            del sys.modules[name]


@pytest.fixture(autouse=True)
def pipeline_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the settings of pipelines to the next test as this one found them: one that is set hides a release's."""
    monkeypatch.setattr(config, "_settings", replace(config._settings))


@pytest.fixture(autouse=True)
def seed_of_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the seeds of accelerators that were never used: torch keeps a traceback of each, which takes its time."""
    if not torch.accelerator.is_available():
        monkeypatch.setattr(torch, "manual_seed", torch.default_generator.manual_seed)
