"""Files as records; damaged ones, and those that ask for too much, are refused."""

import random
from pathlib import Path

import pytest

from msbridge.converters.errors import CheckpointError
from msbridge.converters.messages.mind_ir import ModelProto
from msbridge.converters.mindir import reading
from msbridge.converters.mindir.reading import looks_like_model, read_model
from msbridge.mindir.func_graph import open_graph
from tests.mindir.mindir_files import cases, content, file


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Change a few places of a file."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(made))
        match rng.randrange(5):
            case 0:
                made[at] = rng.randrange(256)
            case 1:
                del made[at : at + rng.choice((1, 2, 10, 200))]
            case 2:
                made[at:at] = rng.randbytes(rng.choice((1, 2, 10)))
            case 3:
                other, count = rng.randrange(len(made)), rng.choice((1, 4, 40, 400))
                made[at : at + count] = made[other : other + count]
            case _:
                made = made[: at + 1]
        made = made or bytearray(b"\n")
    return bytes(made)


def test_damaged_files_are_opened_or_refused(tmp_path: Path) -> None:
    rng, path = random.Random(5), tmp_path / "damaged.mindir"
    files = [data for data in map(content, cases()) if len(data) < 9000]
    for _ in range(80):
        path.write_bytes(damaged(rng, rng.choice(files)))
        try:
            assert open_graph(path).program.code
        except CheckpointError as error:
            assert "damaged.mindir" in str(error)  # noqa: PT017 - most are refused, some are not


def test_a_bias_without_values_is_no_fault(tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.0/lenet"))
    names = {f"REF::{one.name}" for one in model.primitives if one.op_type == "BiasAdd"}
    node = next(one for one in model.graph.node if one.op_type in names)
    del node.input[1:]
    path = tmp_path / "bias.mindir"
    path.write_bytes(model.SerializeToString())
    assert open_graph(path).program.code


def test_release_and_operators_are_read(tmp_path: Path) -> None:
    model = read_model(file("2.0/lenet", tmp_path))
    assert (model.producer, model.release) == ("MindSpore", "2.0.0")
    assert model.inputs() == {"x": "float32[2, 1, 12, 12]"}
    assert model.operators()["Load"] == 7
    assert list(model.parameters())[:2] == ["fc.bias", "fc.weight"]


def test_files_are_recognised_by_their_beginning() -> None:
    assert all(looks_like_model(content(case)[:64]) for case in cases())
    assert not looks_like_model(b"\n\x05\n\x03abc")


def test_nodes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "BYTES_OF_NODE", 100 * reading.BYTES_OF_NODE)
    model = ModelProto.FromString(content("2.0/assigning"))
    path = tmp_path / "many.mindir"
    path.write_bytes(model.SerializeToString() + b"\x3a\xd0\x0f" + b"\x0a\x00" * 1000)  # graph.node
    with pytest.raises(CheckpointError, match=r"two main graphs|takes more than"):
        read_model(path)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"data_type": 8}, "STRING, which is not read"),
        ({"compression_type": 3}, "compressed"),
        ({"dims": [3, 7]}, "has 300 bytes"),
        ({"dims": [-5]}, "shape"),
    ],
)
def test_tensors_that_are_not_in_order_are_named(changes: dict, says: str, tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.10/lenet"))
    tensor = model.graph.parameter[0]
    for name, value in changes.items():
        if isinstance(value, list):
            del getattr(tensor, name)[:]
            getattr(tensor, name).extend(value)
        else:
            setattr(tensor, name, value)
    path = tmp_path / "changed.mindir"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(CheckpointError, match=says):
        read_model(path)
