"""Path mapping and release eras."""

import pytest

from msbridge.core import paths, release


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


@pytest.mark.parametrize(("text", "expected"), [("1.1", (1, 1)), ("r1.10", (1, 10)), ("2.3.1", (2, 3)), ("2", (2, 0))])
def test_releases_are_read(text: str, expected: tuple[int, int]) -> None:
    assert release.parse(text) == expected


@pytest.mark.parametrize("text", ["", "x", "3.0", "0.9"])
def test_what_is_no_release_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="release must be"):
        release.parse(text)


@pytest.mark.parametrize(("version", "mode"), [("1.1", 1), ("1.5", 0), ("1.10", 0), ("2.0", 1)])
def test_defaults_follow_the_release(version: str, mode: int) -> None:
    release.set_release(version)
    try:
        assert release.default("context.mode") == mode
    finally:
        release.set_release(None)
