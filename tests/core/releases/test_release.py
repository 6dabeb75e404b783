"""Numbers of releases."""

import pytest

from msbridge.core.releases import release


@pytest.mark.parametrize(("text", "expected"), [("1.1", (1, 1)), ("r1.10", (1, 10)), ("2.3.1", (2, 3)), ("2", (2, 0))])
def test_releases_are_read(text: str, expected: tuple[int, int]) -> None:
    assert release.parse(text) == expected


@pytest.mark.parametrize("text", ["", "x", "3.0", "0.9"])
def test_what_is_no_release_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="release must be"):
        release.parse(text)
