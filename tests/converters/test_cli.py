"""`msbridge convert` and `msbridge inspect`, called as the command line calls them."""

import argparse
import json

import pytest
import torch

from msbridge.cli import convert as cli_convert
from msbridge.cli import inspect as cli_inspect
from msbridge.converters import open_checkpoint
from msbridge.converters.tensors import statistics


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
    (("a.pth", "b.ckpt", "--include", "fc.*", "--include", "fcc.*"), 1, "no name fits 'fcc.*'"),
    (("a.pth", "b.ckpt", "--reverse-rules"), 2, "--reverse-rules needs --rules"),
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


def test_statistics_of_every_kind_of_number(call, capsys):
    values = {
        "bf": torch.tensor([1.0, float("nan"), float("inf"), 0.0, -0.0]).bfloat16(),
        "half": torch.tensor([65504.0, -float("inf")]).half(),
        "int8": torch.tensor([-128, 0, 127], dtype=torch.int8),
        "int64": torch.tensor([2**60 + 1, 0]),
        "uint64": torch.tensor([2**63, 1], dtype=torch.uint64),
        "float8": torch.tensor([1.0, 2.0]).to(torch.float8_e4m3fn),
        "huge": torch.tensor([1e300, -1e300], dtype=torch.float64),
        "complex": torch.tensor([3 + 4j]),
        "flag": torch.tensor([True, False]),
        "none": torch.zeros(0),
        "near": 1e8 + torch.arange(2.0, dtype=torch.float64),
    }
    torch.save(values, "n.pth")
    for name in ("n.pth", "n.ckpt"):
        if name == "n.ckpt":
            assert call("convert", "n.pth", name, "--quiet") == 0
        assert call("inspect", name, "--json", "--stats") == 0
        rows = json.loads(capsys.readouterr().out)["tensors"]
        found = {name: tuple(row[key] for key in ("min", "max", "zeros", "nan", "inf")) for name, row in rows.items()}
        assert found == {
            "bf": (0, 1, 2, 1, 1),
            "half": (65504, 65504, 0, 0, 1),
            "int8": (-128, 127, 1, 0, 0),
            "int64": (0, 2**60 + 1, 1, 0, 0),
            "uint64": (1, 2.0**63, 0, 0, 0),
            "float8": (1, 2, 0, 0, 0),
            "huge": (-1e300, 1e300, 0, 0, 0),
            "complex": (5, 5, 0, 0, 0),
            "flag": (0, 1, 1, 0, 0),
            "none": (None, None, 0, 0, 0),
            "near": (1e8, 1e8 + 1, 0, 0, 0),
        }
        assert (rows["near"]["mean"], rows["near"]["std"]) == (1e8 + 0.5, 0.5)
        assert rows["huge"]["std"] is None  # its square is beyond float64, and JSON has no infinity


def test_differences_are_found_under_other_names_and_beyond_the_first_piece(call, capsys, monkeypatch):
    monkeypatch.setattr(statistics, "PIECE", 4)
    state = {"ln.weight": torch.zeros(3), "ln.bias": torch.zeros(3), "fc.weight": torch.arange(12.0).reshape(3, 4)}
    torch.save(state, "a.pth")
    assert call("convert", "a.pth", "b.ckpt", "--quiet") == 0
    assert call("inspect", "a.pth", "--diff", "b.ckpt") == 0
    assert "The second's names are MindSpore's; it was compared under torch's" in capsys.readouterr().out
    state["fc.weight"][2, 3] += 2
    torch.save(state, "a.pth")
    assert call("inspect", "b.ckpt", "--diff", "a.pth", "--json") == 1
    assert json.loads(capsys.readouterr().out)["differences"]["fc.weight"]["max_abs"] == 2


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


@pytest.mark.parametrize("columns", [40, 80])
def test_a_narrow_terminal_cuts_no_name(call, capsys, monkeypatch, columns):
    name = "model.decoder.layers.0.encoder_attn_layer_norm.weight.of.a.module.with.a.long.name"
    torch.save({name: torch.ones(1)}, "x.pth")
    for variable, value in (("FORCE_COLOR", "1"), ("COLUMNS", str(columns)), ("TERM", "dumb")):
        monkeypatch.setenv(variable, value)
    assert call("inspect", "x.pth", "--stats") == 0
    shown = capsys.readouterr().out
    assert name in shown
    assert "mean 1" in shown


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
    assert "a.ckpt is there already; --force replaces it, --resume goes on with shards." in capsys.readouterr().err
