"""Regular expressions in holes: those that could run for ever are refused, or bounded by the length of a name."""

import time

import pytest
import torch

from msbridge.converters import CheckpointError, convert, open_checkpoint
from msbridge.converters.names import templates

ENDLESS = [
    r"{a:(x+x+)+}",
    r"{a:(x+x+)+}y",
    r"{a:(x*)*}",
    r"{a:(x*)+?}",
    r"{a:(?:x|xx)+}",
    r"{a:(?:ab|ab)*}",
    r"{a:(?:[^.]+\.?)+}",
    r"{a:(?:(?:x+)?y?){2,}}",
    r"{a:(x+)(?:\2)+}",
    r"{a:((x+x+)+)}.{b}",
    r"{a:(?=(x+)+y)x}",
    r"{a:(?:x{2,4}){5,}}",
    r"{a:(?>(x+)+y)}",
]


@pytest.mark.parametrize("text", ENDLESS)
def test_a_repetition_in_a_repetition_is_refused(text):
    with pytest.raises(
        CheckpointError, match="could take forever: in what repeats, nothing may be repeated or a choice"
    ):
        templates.read(text)


FREE = {
    "blocks.{n}.attn.qkv.{leaf}": 0,
    "h.{n}.{part:c_fc|c_proj}.weight": 0,
    r"{n:\d+}.{m:\d+}.{rest}": 0,
    "{path:feat.*}.weight": 1,
    "model.{rest:.*}": 0,
    "{a:.*}.{b:.*}": 1,
    "{a:.*}{b:.*}{c:.*}z": 3,
    "{a}x{b}": 1,
    r"{a:\w+(?:\.\w+){2}}": 1,
    r"{a:(?:\d{3}\.)*}x": 1,
    r"{a:x+x+}y": 1,
    r"{a:(?:layer)?\d*}.b": 0,
    r"{a:[^.\d]*}1": 0,
    r"{a:[^.]*}{a}": 1,
    "{a:(?i:q|k)+}.b": 0,
}


@pytest.mark.parametrize("text", FREE)
def test_repetitions_that_end_at_several_places_are_counted(text):
    assert templates.read(text).free == FREE[text]


@pytest.mark.parametrize("text", ["{a:.*}{b:.*}{c:.*}z", "{a:.*}{b:x+}z", "{a:.*}{b:.*}{c:.*}{d:.*}{e:.*}z"])
@pytest.mark.parametrize("length", [20, 50, 100, 300, 800, 5000, 60_000])
def test_a_name_takes_seconds_at_most(text, length):
    began = time.process_time()
    try:
        assert templates.read(text).match("x" * length) is None
    except CheckpointError as error:
        assert "without a clear end" in str(error)  # noqa: PT017
        assert length > 50
    assert time.process_time() - began < 20  # two at most, on a machine that is not slow


@pytest.mark.parametrize(
    "text", ["{a:" + "(" * 5000 + ")" * 5000 + "}", "{a:x{99999999999999999999}}", "{1a}", "{a:[}"]
)
def test_what_python_cannot_read_is_refused(text):
    with pytest.raises(CheckpointError, match="is not a regular expression"):
        templates.read(text)


def test_an_endless_rule_is_named_before_a_file_is_opened(tmp_path):
    (tmp_path / "r.toml").write_text('[[rule]]\nfrom = "b"\nto = "c"\n[[rule]]\nfrom = "{a:(x+x+)+}"\nto = "{a}"\n')
    torch.save({"x" * 60 + "y": torch.ones(1)}, tmp_path / "a.pth")
    with pytest.raises(CheckpointError, match=r"r\.toml: rule 2: the template .* could take forever"):
        convert(tmp_path / "a.pth", tmp_path / "b.npz", rules=tmp_path / "r.toml")


def test_a_name_too_long_for_a_rule_is_named(tmp_path):
    (tmp_path / "r.toml").write_text('[[rule]]\nfrom = "{a:.*}{b:.*}{c:.*}z"\nto = "{a}"\n')
    torch.save({"x" * 3000: torch.ones(1)}, tmp_path / "a.pth")
    with pytest.raises(CheckpointError, match=r"rule 1 of r\.toml: the template .* a name of 3000 characters"):
        convert(tmp_path / "a.pth", tmp_path / "b.npz", rules=tmp_path / "r.toml")
    torch.save({"a.b.z": torch.ones(1)}, tmp_path / "a.pth")
    convert(tmp_path / "a.pth", tmp_path / "b.npz", rules=tmp_path / "r.toml")
    assert list(open_checkpoint(tmp_path / "b.npz")) == ["a.b."]
