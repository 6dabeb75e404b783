"""`msbridge inspect`, called as the command line calls it."""

import json

import pytest
import torch

from msbridge.converters.tensors import statistics


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
    for name in ("n.pth", "n.safetensors"):
        if name == "n.safetensors":
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
