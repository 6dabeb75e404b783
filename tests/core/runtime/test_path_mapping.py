"""Data paths mapped to where the data lies."""

import pytest

from msbridge.core.runtime import path_mapping


@pytest.fixture
def mapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(path_mapping.VARIABLE, "/home/a=/data:/home/a/b=/other/")


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
    assert path_mapping.resolve(path) == expected


def test_without_mapping_paths_stay() -> None:
    assert path_mapping.resolve("/home/a/x") == "/home/a/x"


@pytest.mark.parametrize("mapping", ["/home/a", "=/b", "/a="])
def test_bad_mapping_is_named(mapping: str) -> None:
    with pytest.raises(ValueError, match="OLD=NEW"):
        path_mapping.pairs(mapping)
