"""Private names of torch are in one file, and the torch that is installed has them."""

import ast
import re
from pathlib import Path

import pytest
import torch

import house
from msbridge.core import torch_private

# Needs CUDA in the build of torch.
_OF_CUDA = {"cuda_end_allocate_to_pool"}


@pytest.mark.parametrize("name", [*torch_private.__all__, *torch_private.OPERATORS, *torch_private.ENGINE])
def test_torch_has_what_is_used(name: str) -> None:
    assert hasattr(torch_private, name)


@pytest.mark.parametrize("name", sorted({*torch_private.LATE} - _OF_CUDA))
def test_torch_has_what_is_imported_at_its_first_use(name: str) -> None:
    if name.startswith("onnx"):
        pytest.importorskip("onnxscript")
    assert getattr(torch_private, name) is not None


def test_a_name_that_torch_lacks_is_an_attribute_error_with_its_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(torch_private.LATE, "gone", ("torch._C", "_gone"))
    with pytest.raises(AttributeError, match=r"torch \d.* has no torch\._C\._gone"):
        torch_private.gone


def _private_uses(path: Path) -> list[str]:
    found = []
    for node in ast.walk(house.tree_of(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
            names = [*node.module.split("."), *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [
                part for alias in node.names if alias.name.split(".")[0] == "torch" for part in alias.name.split(".")
            ]
        elif isinstance(node, ast.Attribute) and re.fullmatch(r"torch(\.\w+)+", ast.unparse(node)):
            names = ast.unparse(node).split(".") if ".ops." not in ast.unparse(node) else []
        else:
            continue
        if any(name.startswith("_") and not name.startswith("__") for name in names):
            found.append(f"{path.relative_to(house.ROOT)}:{node.lineno}: {'.'.join(names)}")
    return found


@pytest.mark.sources
def test_no_other_file_touches_private_names_of_torch() -> None:
    files = [path for path in house.product_files() if path.stem != "torch_private"]
    assert [use for path in files for use in _private_uses(path)] == []


@pytest.mark.parametrize("name", torch_private.YOUNG)
def test_what_is_young_is_in_the_releases_that_the_table_says(name: str) -> None:
    since, own, _ = torch_private.YOUNG[name]
    assert (own is not None) == (torch.__version__ >= since)
    assert getattr(torch_private, name) is not None
