"""Tests in one process run without a launcher."""

from collections.abc import Iterator

import pytest

from msbridge import distributed
from msbridge.core import context
from msbridge.distributed import processes


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for names in processes._LAUNCHERS:
        for name in names:
            monkeypatch.delenv(name, raising=False)
    with context.preserved():
        yield
    distributed.release()
