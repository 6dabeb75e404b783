"""The cases say `import mindspore`; in these tests that is msbridge."""

import pytest

import msbridge

msbridge.install()


@pytest.fixture(autouse=True)
def mindspore_is_msbridge() -> None:
    """Put it in place again where a test of another folder took it away."""
    msbridge.install()
