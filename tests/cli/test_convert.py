"""`msbridge convert`, called as the command line calls it."""

import argparse
import json

import pytest
import torch

from msbridge.cli import options as cli_options
from msbridge.converters import open_checkpoint


class Evil:
    def __reduce__(self):
        return eval, ("print('run')",)


def test_convert_shows_changes_and_totals(call, capsys):
    assert call("convert", "a.pth", "b.ckpt") == 0
    shown = capsys.readouterr().out
    assert "ln.gamma" in shown
    assert "3 tensors: 2 renamed, 1 kept unchanged." in shown
    assert "2 names are guessed" in shown
    assert list(open_checkpoint("b.ckpt")) == ["fc.weight", "ln.gamma", "ln.beta"]


def test_quiet_and_json(call, capsys):
    assert call("convert", "a.pth", "b.ckpt", "--quiet", "--report", "r.json") == 0
    assert capsys.readouterr() == ("", "")
    assert call("convert", "a.pth", "b.ckpt", "--json", "--force") == 0
    printed = json.loads(capsys.readouterr().out)
    with open("r.json") as file:  # noqa: PTH123
        written = json.load(file)
    assert printed["tensors"] == written["tensors"]


EXITS = [
    (("a.pth", "b.ckpt", "--dry-run"), 0, ""),
    (("a.pth", "b.ckpt", "--strict"), 1, "takes no guesses"),
    (("a.pth", "b.ckpt", "--torch-model", "torch.nn:Identity"), 1, "is not in the model"),
    (("none.pth", "b.ckpt"), 2, "none.pth does not exist"),
    (("a.pth", "b.foo"), 2, "the suffix must be"),
    (("a.pth", "no/b.ckpt"), 2, "No such file"),
    (("a.pth", "b.ckpt", "--rules", "none.toml"), 2, "none.toml: No such file"),
    (("a.pth", "b.ckpt", "--key-file", "none"), 2, "No such file"),
    (("a.pth", "b.ckpt", "--include", "fc.*", "--include", "fcc.*"), 1, "no name fits 'fcc.*'"),
    (("a.pth", "b.ckpt", "--reverse-rules"), 2, "no rules are given to apply backwards; --rules passes them."),
    (("a.pth", "b.ckpt", "--report", "no/r.json"), 2, "there is no folder no"),
    (("a.pth", "b.ckpt", "--torch-model", "torch.nn:Linear"), 2, "'torch.nn:Linear' fails: TypeError"),
    (("a.pth", "b.ckpt", "--cell", "math:pi"), 2, "'math:pi' is float, not a Cell"),
]


@pytest.mark.parametrize(("words", "code", "says"), EXITS)
def test_exit_codes_of_convert(call, capsys, words, code, says):
    assert call("convert", *words) == code
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("report", ["a.pth", "b.ckpt", "./link"])
def test_a_report_never_replaces_a_checkpoint(call, capsys, tmp_path, report):
    (tmp_path / "link").symlink_to("a.pth")
    before = (tmp_path / "a.pth").read_bytes()
    assert call("convert", "a.pth", "b.ckpt", "--report", report) == 2
    assert "would replace a checkpoint" in capsys.readouterr().err
    assert (tmp_path / "a.pth").read_bytes() == before
    assert not (tmp_path / "b.ckpt").exists()


@pytest.mark.parametrize("words", [("--jobs", "0"), ("--jobs", "-3"), ("--key-mode", "ROT13"), ("--encrypt-mode", "X")])
def test_values_that_mean_nothing_are_refused(call, words):
    with pytest.raises(SystemExit, match="2"):
        call("convert", "a.pth", "b.ckpt", *words)


@pytest.mark.parametrize("name", ["a.pth", "a.npz", "crc.ckpt"])
def test_a_flipped_bit_is_found_by_the_sums_in_the_source(call, capsys, tmp_path, name):
    call("convert", "a.pth", "a.npz")
    call("convert", "a.pth", "crc.ckpt", "--crc-check")
    assert call("convert", name, "good.npz") == 0
    content = (tmp_path / name).read_bytes()
    ones = torch.ones(2, 3).numpy().tobytes()
    assert ones in content
    (tmp_path / name).chmod(0o600)
    (tmp_path / name).write_bytes(content.replace(ones, ones[:-1] + b"@"))
    capsys.readouterr()
    assert call("convert", name, "bad.npz") == 2
    assert "it was damaged" in capsys.readouterr().err
    assert not (tmp_path / "bad.npz").exists()
    assert call("convert", name, "bad.npz", "--no-check-source") == 0


def test_a_file_that_would_run_code_is_exit_code_3(call, capsys):
    torch.save({"a": torch.ones(1), "b": Evil()}, "evil.pth")
    for command in (("convert", "evil.pth", "b.ckpt"), ("inspect", "evil.pth")):
        assert call(*command) == 3
        shown = capsys.readouterr()
        assert "run" not in shown.out
        assert "evil.pth: 'evil/data.pkl' at offset" in shown.err
        assert "refused: the pickle asks for '__builtin__.eval'" in shown.err


def test_shard_sizes_are_read(call):
    assert [cli_options.size(text) for text in ("5GB", "500 MiB", "1.5k", "12")] == [5 * 10**9, 500 << 20, 1500, 12]
    for text in ("", "GB", "-1", "5XB", "0"):
        with pytest.raises(argparse.ArgumentTypeError):
            cli_options.size(text)


def test_names_that_would_steer_the_terminal_are_shown_as_text(call, capsys):
    torch.save({"a\x1b[31m\x07[red]": torch.ones(1)}, "x.pth")
    for words in (
        ("inspect", "x.pth"),
        ("inspect", "x.pth", "--tree"),
        ("convert", "x.pth", "x.ckpt", "--prefix", "b."),
    ):
        assert call(*words) == 0
        shown = capsys.readouterr().out
        assert "\x1b" not in shown
        assert r"a\x1b[31m\x07[red]" in shown


def test_errors_of_the_system_name_the_file_and_what_to_do(call, capsys):
    assert call("convert", "a.pth", "x" * 300 + ".ckpt") == 2
    assert capsys.readouterr().err.endswith("x.ckpt: File name too long.\n")
    assert call("convert", "a.pth", "out", "--max-shard-size", "1kB") == 0
    assert call("convert", "a.pth", "out/model.ckpt.index.json", "--format", "ckpt", "--force") == 2
    assert "has the name of an index of shards" in capsys.readouterr().err


def test_many_changed_tensors_are_summed_up(call, capsys):
    state = {f"layers.{i}.ln.{leaf}": torch.ones(2) for i in range(20) for leaf in ("weight", "bias")}
    torch.save(state, "many.pth")
    assert call("convert", "many.pth", "b.ckpt") == 0
    shown = capsys.readouterr().out
    assert "layers.0.ln.weight -> layers.0.ln.gamma" in shown
    assert "40" in shown
    assert "layers.7.ln.weight" not in shown
    assert "--report FILE lists every name" in shown


def test_errors_name_the_flags_that_help(call, capsys):
    assert call("convert", "a.pth", "a.ckpt") == 0
    assert call("convert", "a.pth", "a.ckpt") == 2
    assert "a.ckpt is there already; --force replaces it, --resume continues with shards." in capsys.readouterr().err
