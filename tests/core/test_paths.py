"""Data paths mapped to where the data lies."""

import pytest

from msbridge.core import paths


@pytest.fixture
def mapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(paths.VARIABLE, "/home/a=/data:/home/a/b=/other/")


@pytest.mark.usefixtures("mapped")
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/home/a/x", "/data/x"),
        ("/home/a/b/x", "/other/x"),
        ("/home/a", "/data"),
        ("/home/abc", "/home/abc"),
        ("relative", "relative"),
    ],
)
def test_longest_prefix_wins(path: str, expected: str) -> None:
    assert paths.resolve(path) == expected


def test_without_mapping_paths_stay() -> None:
    assert paths.resolve("/home/a/x") == "/home/a/x"


@pytest.mark.parametrize("mapping", ["/home/a", "=/b", "/a="])
def test_bad_mapping_is_named(mapping: str) -> None:
    with pytest.raises(ValueError, match="OLD=NEW"):
        paths.pairs(mapping)
