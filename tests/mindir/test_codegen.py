"""The source of the functions: names of our own only."""

import ast
import re
from pathlib import Path

import pytest

from msbridge.converters.errors import CheckpointError
from msbridge.converters.messages.mind_ir import ModelProto
from msbridge.mindir.func_graph import open_graph
from tests.mindir.mindir_files import cases, content, file

OURS = re.compile(r"[acgklnpvw]\d+(_\d+)?|main|partial|int|state|a|_")


def written(model: ModelProto, folder: Path) -> Path:
    path = folder / "changed.mindir"
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize("case", cases())
def test_source_holds_nothing_of_the_file(case: str, tmp_path: Path) -> None:
    tree = ast.parse(open_graph(file(case, tmp_path)).program.source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert all(OURS.fullmatch(name) for name in names)
    assert all(type(node.value) is int for node in ast.walk(tree) if isinstance(node, ast.Constant))
    assert not any(isinstance(node, ast.Attribute | ast.Import) for node in ast.walk(tree))


def test_unknown_operators_are_named_all_at_once(tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.10/lenet"))
    for primitive in model.primitives:
        if primitive.op_type in ("Conv2D", "Flatten"):
            primitive.op_type = f"My{primitive.op_type}"
    with pytest.raises(CheckpointError, match=r"'MyConv2D'.*conv-Conv2d.*'MyFlatten'"):
        open_graph(written(model, tmp_path))


def test_operators_are_primitives_alone(tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.10/lenet"))
    for name in ("import_module", "__builtins__", "Primitive", "contents"):
        model.primitives[4].op_type = name
        with pytest.raises(CheckpointError, match="no such primitive"):
            open_graph(written(model, tmp_path))


def test_attributes_that_do_not_fit_are_named(tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.0/lenet"))
    conv = next(one for one in model.primitives if one.op_type == "Conv2D")
    del conv.attribute[:]
    with pytest.raises(
        CheckpointError, match=r"'Conv2D', as its attributes \['out_channel', 'kernel_size'\] are missing"
    ):
        open_graph(written(model, tmp_path))
