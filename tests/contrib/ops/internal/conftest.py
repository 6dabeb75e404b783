"""The primitives that `ops` does not list are found through the drop-in, whatever ran before."""

import pytest

import msbridge


@pytest.fixture(autouse=True)
def mindspore_is_msbridge() -> None:
    msbridge.install()
