"""Paths that typed names may mean."""

from collections.abc import Iterator

import pytest

from msbridge.api_lookup.paths import find_paths, suggest_names
from msbridge.scan.names.checking import serve_mindspore


@pytest.fixture(autouse=True)
def drop_in() -> Iterator[None]:
    with serve_mindspore():
        yield


@pytest.mark.parametrize(
    ("asked", "paths"),
    [
        ("mindspore.ops.split", ["mindspore.ops.split"]),
        ("ms.Tensor.max", ["mindspore.Tensor.max"]),
        ("ops.split", ["mindspore.ops.split"]),
        ("P.MatMul", ["mindspore.ops.MatMul"]),
        ("mnp.diff", ["mindspore.numpy.diff"]),
        ("vision.Resize", ["mindspore.dataset.vision.Resize"]),
        ("SequentialCell", ["mindspore.nn.SequentialCell"]),
        ("split", ["mindspore.ops.split", "mindspore.mint.split", "mindspore.Tensor.split", "mindspore.numpy.split"]),
        ("torch.nn.Linear", ["mindspore.mint.nn.Linear"]),
        ("torchvision.transforms.Resize", ["mindspore.dataset.vision.Resize"]),
        ("torch.no_such_name", []),
        ("ops.no_such_name", []),
        ("no_such_name", []),
        ("ops", []),  # a module is no entry
        ("", []),
        ("ops.", []),
    ],
)
def test_paths_of_a_typed_name(asked: str, paths: list[str]) -> None:
    assert find_paths(asked) == paths


def test_a_name_that_only_mindspore_has_is_found() -> None:
    assert find_paths("mindspore.MetaTensor") == ["mindspore.MetaTensor"]


def test_names_alike_are_suggested() -> None:
    assert "mindspore.ops.split" in suggest_names("ops.spilt")
    assert "mindspore.nn.Dense" in suggest_names("nn.dense")
