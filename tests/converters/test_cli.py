"""`msbridge convert` and `msbridge inspect`, called as the command line calls them."""

import argparse
import json

import pytest
import torch

from msbridge.cli import convert as cli_convert
from msbridge.cli import inspect as cli_inspect
from msbridge.converters import open_checkpoint


class Evil:
    def __reduce__(self):
        return eval, ("print('run')",)


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Run a command line in an empty folder that holds `a.pth`; give the exit code."""
    monkeypatch.chdir(tmp_path)
    torch.save({"fc.weight": torch.ones(2, 3), "ln.weight": torch.zeros(3), "ln.bias": torch.zeros(3)}, "a.pth")
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    cli_convert.register(commands)
    cli_inspect.register(commands)

    def run(*words: str) -> int:
        options = parser.parse_args(list(words))
        return options.call(options)

    return run


def test_convert_shows_changes_and_totals(call, capsys):
    assert call("convert", "a.pth", "b.ckpt") == 0
    shown = capsys.readouterr().out
    assert "ln.gamma" in shown
    assert "1 kept" in shown
    assert "2 guessed" in shown
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
]


@pytest.mark.parametrize(("words", "code", "says"), EXITS)
def test_exit_codes_of_convert(call, capsys, words, code, says):
    assert call("convert", *words) == code
    assert says in capsys.readouterr().err


def test_a_file_that_would_run_code_is_exit_code_3(call, capsys):
    torch.save({"a": torch.ones(1), "b": Evil()}, "evil.pth")
    for command in (("convert", "evil.pth", "b.ckpt"), ("inspect", "evil.pth")):
        assert call(*command) == 3
        shown = capsys.readouterr()
        assert "run" not in shown.out
        assert "evil.pth: refused: its pickle asks for builtins.eval" in shown.err


def test_shard_sizes_are_read(call):
    assert [cli_convert.size(text) for text in ("5GB", "500 MiB", "1.5k", "12")] == [5 * 10**9, 500 << 20, 1500, 12]
    for text in ("", "GB", "-1", "5XB", "0"):
        with pytest.raises(argparse.ArgumentTypeError):
            cli_convert.size(text)


def test_inspect_lists_names_types_shapes_and_numbers(call, capsys):
    assert call("inspect", "a.pth", "--stats") == 0
    shown = capsys.readouterr().out
    assert "fc.weight" in shown
    assert "(2, 3)" in shown
    assert "pth, 3 entries, 12 elements, 48 B" in shown


def test_inspect_as_tree_and_json(call, capsys):
    assert call("inspect", "a.pth", "--tree") == 0
    assert "ln  24 B" in capsys.readouterr().out
    torch.save({"w": torch.tensor([1.0, float("nan"), float("inf"), 0.0, 3.0])}, "n.pth")
    assert call("inspect", "n.pth", "--json", "--stats") == 0
    row = json.loads(capsys.readouterr().out)["tensors"]["w"]
    assert (row["min"], row["max"], row["zeros"], row["nan"], row["inf"]) == (0, 3, 1, 1, 1)


def test_inspect_diff(call, capsys):
    assert call("inspect", "a.pth", "--diff", "a.pth") == 0
    torch.save(
        {"fc.weight": torch.ones(2, 3) + torch.eye(2, 3), "ln.weight": torch.zeros(4), "new": torch.ones(1)}, "b.pth"
    )
    capsys.readouterr()
    assert call("inspect", "a.pth", "--diff", "b.pth", "--json") == 1
    found = json.loads(capsys.readouterr().out)["differences"]
    assert {name: row["status"] for name, row in found.items()} == {
        "fc.weight": "values",
        "ln.weight": "shape",
        "ln.bias": "only in the first",
        "new": "only in the second",
    }
    assert (found["fc.weight"]["elements"], found["fc.weight"]["max_abs"]) == (2, 1.0)
    assert call("inspect", "none.pth") == 2
