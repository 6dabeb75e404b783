"""What the expressions of the recorded cases see."""

from typing import Any

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.core.types import dtype as ms
from msbridge.dataset import text
from tests.dataset.text_cases import SETUP, write_files


@pytest.fixture(scope="session")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Modules, files and helpers by name."""
    files = write_files(tmp_path_factory.mktemp("text"))
    known = {"ms": ms, "ds": ds, "np": np, "text": text, "NF": text.NormalizeForm, **files}
    exec(SETUP, known)
    return known
