"""Tests in one process run without a launcher."""

from collections.abc import Iterator

import pytest

from msbridge import distributed
from msbridge.distributed.groups import launches


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in {"MS_ROLE", "RANK_TABLE_FILE"}.union(*launches.LAUNCHERS):
        monkeypatch.delenv(name, raising=False)
    yield
    distributed.release()
