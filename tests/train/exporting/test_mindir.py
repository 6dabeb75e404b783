"""`export(file_format="MINDIR")`: the real 2.10.0 and 2.0.0 have run these files, as `accepted.json` notes."""

import json
import logging
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msbridge
from msbridge import Parameter, Tensor, jit, nn, ops
from msbridge.converters.files.source import Source
from msbridge.converters.formats.encryption import decrypt
from msbridge.converters.messages.mind_ir import ModelProto
from msbridge.train import export, load
from msbridge.train.exporting import mindir
from tests.train.record_exported import RECORD, digest
from tests.zoo.mindir_rules import CASES, asked, built, flat, rand

pytestmark = pytest.mark.compiles

ACCEPTED = json.loads(RECORD.read_text(encoding="utf-8"))
KEY = b"0123456789abcdef"


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, has_bias=True)
        self.bn = nn.BatchNorm2d(2)
        self.drop = nn.Dropout(p=0.5)
        self.fc = nn.Dense(2, 3)

    def construct(self, x: Tensor, shift: float = 0.0) -> Tensor:
        return self.fc(self.drop(ops.relu(self.bn(self.conv(x)))).mean((2, 3))) + shift


def image(count: int = 1) -> Tensor:
    return Tensor(np.ones((count, 1, 5, 5), np.float32))


def read(data: bytes) -> ModelProto:
    model = ModelProto()
    model.ParseFromString(data)
    return model


def exported(net: Any, *inputs: Any, at: Path, **options: Any) -> ModelProto:
    export(net, *inputs, file_name=str(at / "net"), file_format="MINDIR", **options)
    return read((at / "net.mindir").read_bytes())


def called(model: ModelProto) -> list[str]:
    """Return the primitives in the order of the file."""
    names = {one.name: one.op_type for one in model.primitives}
    return [names[node.op_type[5:]] for node in model.graph.node if node.op_type.startswith("REF::")]


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_the_real_ones_have_run_what_is_written_and_we_do(name: str, tmp_path: Path) -> None:
    """After a change: `python tests/train/record_exported.py PY …`."""
    net, inputs = built(name)
    exported(net, *asked(name), at=tmp_path)
    assert digest((tmp_path / "net.mindir").read_bytes()) in ACCEPTED[name].values()
    read_back = flat(nn.GraphCell(load(str(tmp_path / "net.mindir")))(*inputs))
    for found, wanted in zip(read_back, flat(net(*inputs)), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, 1e-5, 1e-5)


@pytest.mark.parametrize(("release", "without"), [("2.10.0", []), ("2.0.0", ["complex_numbers", "spectra"])])
def test_both_releases_run_every_file_for_which_they_have_kernels(release: str, without: list[str]) -> None:
    assert [name for name, found in ACCEPTED.items() if release not in found] == without


def test_free_lengths_that_must_be_equal_may_be_on_unlike_axes_and_have_no_inner_names(tmp_path: Path) -> None:
    class Halved(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x[: (x.shape[0] ** 2 - 1) // (x.shape[0] + 3)]

    with pytest.raises(RuntimeError, match="only known when it runs") as caught:
        exported(Halved(), Tensor(shape=[None, 3], dtype=msbridge.float32), at=tmp_path)
    assert "x.shape[0]" in str(caught.value)
    assert not re.search(r"\b[su]\d+\b", str(caught.value))


@pytest.mark.parametrize("cast", [lambda weight: ops.cast(weight, msbridge.float16), lambda weight: weight.half()])
def test_parameters_may_be_cast(cast: Any, tmp_path: Path) -> None:
    class Narrow(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.weight = Parameter(Tensor(np.ones((4, 3), np.float32)))

        def construct(self, x: Tensor) -> Tensor:
            return ops.matmul(ops.cast(x, msbridge.float16), cast(self.weight))

    x = ops.ones((2, 4), msbridge.float32)
    assert "Cast" in called(exported(Narrow(), x, at=tmp_path))
    found = nn.GraphCell(load(str(tmp_path / "net.mindir")))(x)
    assert found.dtype == msbridge.float16
    assert found.asnumpy().tolist() == [[4.0] * 3] * 2


def test_primitives_parameters_and_layers(tmp_path: Path) -> None:
    net = Net()
    model = exported(net, image(2), 1.5, at=tmp_path)
    wanted = ["Conv2D", "BiasAdd", "BatchNorm", "TupleGetItem", "ReLU", "ReduceMean", "MatMul", "BiasAdd", "Add"]
    assert called(model) == wanted
    graph = model.graph
    assert [one.name for one in graph.input] == ["Net_construct:x"]
    assert list(graph.input[0].tensor[0].dims) == [2, 1, 5, 5]
    held = {one.ref_key: one for one in graph.parameter}
    assert sorted(held) == sorted(net.parameters_dict())
    assert held["fc.weight"].name == "Net_construct:fc.weight"
    assert held["fc.weight"].raw_data == net.fc.weight.asnumpy().tobytes()
    assert list(held["conv.weight"].dims) == [2, 1, 3, 3]
    layers = [node.domain.rpartition("/")[0] for node in graph.node if node.domain]
    assert layers[:3] == ["Default/conv-Conv2d", "Default/conv-Conv2d", "Default/bn-BatchNorm2d"]
    assert model.little_endian
    assert model.mind_ir_version == 1


def test_only_the_owner_may_read_the_file(tmp_path: Path) -> None:
    exported(nn.ReLU(), image(), at=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["net.mindir"]
    assert (tmp_path / "net.mindir").stat().st_mode & 0o777 == 0o400


def test_free_lengths(tmp_path: Path) -> None:
    net = nn.SequentialCell([nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Dense(50, 3)])
    model = exported(net, Tensor(shape=[None, 1, 5, 5], dtype=msbridge.float32), at=tmp_path)
    assert list(model.graph.input[0].tensor[0].dims) == [-1, 1, 5, 5]
    assert list(model.graph.output[0].tensor[0].dims) == [-1, 3]


def test_lengths_that_the_network_cannot_leave_free_are_named(tmp_path: Path) -> None:
    class Sums(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            total = x[:, 0]
            for step in ops.unstack(x, 1):
                total = ops.tanh(total + step)
            return total

    with pytest.raises(RuntimeError, match=r"every length of axis 1 of input 0, as"):
        exported(Sums(), Tensor(shape=[None, None, 3], dtype=msbridge.float32), at=tmp_path)
    model = exported(Sums(), Tensor(shape=[None, 4, 3], dtype=msbridge.float32), at=tmp_path)
    assert list(model.graph.output[0].tensor[0].dims) == [-1, 3]
    network = nn.GraphCell(load(str(tmp_path / "net.mindir")))
    assert network(rand(2, 4, 3)).shape == (2, 3)


def test_tensors_in_tuples_are_written_into_the_file(tmp_path: Path) -> None:
    class Sum(nn.Cell):
        def construct(self, x: Tensor, pair: tuple[Tensor, float]) -> Tensor:
            return x + pair[0] * pair[1]

    model = exported(Sum(), image(), (image(), 2.0), at=tmp_path)
    assert [one.name for one in model.graph.input] == ["Sum_construct:x"]
    assert called(model) == ["Add"]


def test_a_layer_at_two_places_counts_its_batches(tmp_path: Path) -> None:
    layer = nn.BatchNorm2d(1, beta_init=1.0, use_batch_statistics=True)
    network, x = nn.SequentialCell(layer, nn.ReLU(), layer), Tensor(rand(2, 1, 3, 3))
    model = exported(network, x, at=tmp_path)
    assert len({one.name for one in model.graph.parameter}) == len(model.graph.parameter) == 4
    again = nn.GraphCell(load(str(tmp_path / "net.mindir")))
    np.testing.assert_allclose(again(x).asnumpy(), network(x).asnumpy(), atol=1e-5)


def test_statistics_of_one_number_leave_the_bias(tmp_path: Path) -> None:
    layer = nn.BatchNorm2d(2, beta_init=3.0, use_batch_statistics=True)
    exported(layer, Tensor(np.ones((1, 2, 1, 1), np.float32)), at=tmp_path)
    network = nn.GraphCell(load(str(tmp_path / "net.mindir")))
    assert network(Tensor([[[[5.0]], [[7.0]]]])).asnumpy().ravel().tolist() == [3.0, 3.0]


def test_functions(tmp_path: Path) -> None:
    @jit
    def doubled(value: Tensor) -> Tensor:
        return value * 2

    model = exported(doubled, image(), at=tmp_path)
    assert [one.name for one in model.graph.input] == ["doubled_construct:value"]
    assert called(model) == ["Mul"]


def test_custom_func_changes_the_message(tmp_path: Path) -> None:
    def change(model: Any) -> None:
        model.producer_name = "someone"

    assert exported(nn.ReLU(), image(), at=tmp_path, custom_func=change).producer_name == "someone"


@pytest.mark.needs(package="cryptography")
@pytest.mark.parametrize(
    ("mode", "key"), [("AES-GCM", KEY), ("AES-GCM", KEY * 2), ("AES-CBC", KEY + KEY[:8]), ("SM4-CBC", KEY)]
)
def test_encryption(mode: str, key: bytes, tmp_path: Path) -> None:
    export(nn.Dense(5, 2), image(), file_name=str(tmp_path / "a"), file_format="MINDIR", enc_key=key, enc_mode=mode)
    plain = decrypt(Source(tmp_path / "a.mindir"), key, mode)
    assert len(read(plain.read(0, plain.size)).graph.parameter) == 2


def test_own_encryption(tmp_path: Path) -> None:
    options: dict[str, Any] = {"enc_key": b"key", "enc_mode": lambda content, key: key + content}
    export(nn.ReLU(), image(), file_name=str(tmp_path / "a"), file_format="MINDIR", **options)
    content = (tmp_path / "a.mindir").read_bytes()
    assert content.startswith(b"key")
    assert called(read(content[3:])) == ["ReLU"]


def test_large_parameters_stand_beside_the_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mindir, "MAX_BYTES", 16)
    net = nn.Dense(5, 2)
    for _ in range(2):  # the second takes the place of the first
        export(net, image(), file_name=str(tmp_path / "big"), file_format="MINDIR")
    assert sorted(os.listdir(tmp_path)) == ["big_graph.mindir", "big_variables"]  # noqa: PTH208  names only
    data = (tmp_path / "big_variables" / "data_0").read_bytes()
    model = read((tmp_path / "big_graph.mindir").read_bytes())
    assert data[0] == 1
    for tensor in model.graph.parameter:
        place = tensor.external_data
        assert place.location == "big_variables/data_0"
        assert place.offset % 64 == 0
        wanted = net.parameters_dict()[tensor.ref_key].asnumpy().tobytes()
        assert data[place.offset : place.offset + place.length] == wanted


def test_all_operators_without_a_form_are_named_and_nothing_is_written(tmp_path: Path) -> None:
    class Inner(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return ops.bessel_i0(x)

    class Outer(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Inner()

        def construct(self, x: Tensor) -> Tensor:
            return ops.igamma(self.inner(x), x)

    target = tmp_path / "net.mindir"
    target.write_bytes(b"old")
    with pytest.raises(RuntimeError, match=r"(?s)i0\S* in Default/inner-Inner\n.*igamma\S* in Default"):
        exported(Outer(), rand(2), at=tmp_path)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_branch_on_values_is_refused(tmp_path: Path) -> None:
    class Branches(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x if x.sum() > 0 else -x

    with pytest.raises(RuntimeError, match="cannot follow Branches"):
        exported(Branches(), image(), at=tmp_path)


def test_lengths_that_cannot_be_free_end_in_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the tracebacks that torch's exporter logs."""
    logged: list[logging.LogRecord] = []
    monkeypatch.setattr(logging.getLogger("torch._subclasses.fake_tensor"), "handle", logged.append)
    lengths = Tensor(shape=[None, None], dtype=msbridge.float32)
    with pytest.raises(RuntimeError, match=r"cannot follow Dense: .* shape \(a free length, a free length\)"):
        exported(nn.Dense(3, 2), lengths, at=tmp_path)
    assert not logged


def test_a_network_that_trains_is_refused_by_name(tmp_path: Path) -> None:
    net = nn.Dense(2, 1)
    trained = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    inputs = Tensor(np.ones((2, 2), np.float32)), Tensor(np.ones((2, 1), np.float32))
    with pytest.raises(RuntimeError, match=r"^For 'export', TrainOneStepCell trains: Momentum .* network it trains\.$"):
        export(trained, *inputs, file_name=str(tmp_path / "a"), file_format="MINDIR")


def test_assignments_count_on_from_call_to_call(tmp_path: Path) -> None:
    class Counting(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.count = Parameter(Tensor(0.0), name="count")

        def construct(self, x: Tensor) -> Tensor:
            self.count += 1
            return x * self.count

    exported(Counting(), image(), at=tmp_path)
    network = nn.GraphCell(load(str(tmp_path / "net.mindir")))
    assert [float(network(image()).max()) for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"file_format": "AIR"}, ValueError, "use file_format='MINDIR'"),
        ({"file_format": "mindir"}, ValueError, r"one of \['AIR', 'ONNX', 'MINDIR'\]"),
        ({"file_name": 3}, TypeError, "must be string"),
        ({"net": 5}, RuntimeError, "a Cell or a function"),
        ({"enc_key": "text"}, ValueError, "isinstance of <class 'bytes'>"),
        ({"enc_key": b"short"}, ValueError, "16 or 24 or 32"),
        ({"enc_key": KEY, "enc_mode": "DES"}, ValueError, "mode of encryption"),
        ({"enc_key": KEY, "enc_mode": 3}, ValueError, "'enc_mode' must be"),
        ({"custom_func": 3}, TypeError, "not callable"),
        ({"obf_func": abs}, NotImplementedError, "'obf_func'"),
        ({"input": "text"}, TypeError, "inputs must be Tensors"),
        ({"input": np.ones(3)}, TypeError, "inputs must be Tensors"),
    ],
    ids=str,
)
def test_wrong_options(options: dict[str, Any], error: type[Exception], says: str, tmp_path: Path) -> None:
    arguments = {"net": nn.ReLU(), "file_name": str(tmp_path / "never"), "file_format": "MINDIR", "input": image()}
    arguments |= options
    with pytest.raises(error, match=says):
        export(arguments.pop("net"), arguments.pop("input"), **arguments)
    assert not list(tmp_path.iterdir())


def test_missing_and_unfitting_inputs(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="missing"):
        exported(Net(), at=tmp_path)
    with pytest.raises(ValueError, match="axes"):
        exported(Net(), rand(2), at=tmp_path)
