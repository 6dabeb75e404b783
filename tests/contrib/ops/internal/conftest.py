"""The primitives that `ops` does not list are found through the drop-in, after any other test."""

import pytest


@pytest.fixture(autouse=True)
def through_the_drop_in(mindspore_is_msbridge: None) -> None:
    """Have `mindspore` mean msbridge."""
