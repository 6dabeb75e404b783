"""Writing to streams that are None, closed, full, of another encoding, or without `flush`."""

import io
import sys

import pytest

from msbridge.core.runtime import standard_streams


class Tee:
    """A script's own stream, without `flush`."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text


class Full(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def test_what_takes_no_text_gives_its_reason() -> None:
    closed = io.StringIO()
    closed.close()
    assert standard_streams.write(None, "a") is None
    assert isinstance(standard_streams.write(closed, "a"), ValueError)
    assert isinstance(standard_streams.write(Full(), "a"), OSError)


def test_a_class_without_flush_is_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    tee = Tee()
    assert standard_streams.write(tee, "a") is None
    monkeypatch.setattr(sys, "stdout", tee)
    standard_streams.print_now("b")
    assert tee.text == "ab\n"


def test_characters_that_an_encoding_lacks_are_escaped() -> None:
    raw = io.BytesIO()
    wrapper = io.TextIOWrapper(raw, "ascii")
    assert standard_streams.write(wrapper, "é") is None
    assert raw.getvalue() == b"\\xe9"


def test_what_a_script_prints_fails_as_print_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Full())
    with pytest.raises(OSError, match="No space left"):
        standard_streams.print_now("a")
    monkeypatch.setattr(sys, "stdout", None)
    standard_streams.print_now("a")
