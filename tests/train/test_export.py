"""`export` and `export_onnx`: errors as the real MindSpore 2.10 raises them; the files run in onnxruntime."""

import copy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from msbridge import Tensor, nn, ops
from msbridge.train.export import export, export_onnx

pytestmark = pytest.mark.long

ONNX = pytest.mark.needs(package="onnxscript")
RUNTIME = pytest.mark.needs(package="onnxruntime")


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.drop = nn.Dropout(p=0.5)
        self.fc = nn.Dense(2, 3)
        self.scale = Tensor(2.0)

    def construct(self, x: Tensor, shift: float = 0.0) -> tuple[Tensor, Tensor]:
        features = self.drop(ops.relu(self.bn(self.conv(x)))).mean((2, 3))
        return self.fc(features) * self.scale + shift, features


class Branches(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x if x.sum() > 0 else -x


def image(count: int = 1) -> Tensor:
    return Tensor(np.random.rand(count, 1, 5, 5).astype(np.float32))


def run(path: Path, *inputs: np.ndarray) -> list[np.ndarray]:
    import onnxruntime

    session = onnxruntime.InferenceSession(path)
    return session.run(None, {one.name: value for one, value in zip(session.get_inputs(), inputs, strict=True)})


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Net, Path]:
    """A network that was in training when it was exported, and the file."""
    net = Net().set_train()
    net.bn.set_train(False)
    folder = tmp_path_factory.mktemp("onnx") / "new"
    export(net, image(), 1.5, file_name=str(folder / "net"), file_format="ONNX")
    return net, folder / "net.onnx"


@ONNX
@RUNTIME
def test_onnxruntime_computes_what_the_cell_does_in_inference(exported: tuple[Net, Path]) -> None:
    net, path = exported
    x = image()
    expected = copy.deepcopy(net).set_train(False)(x, 1.5)
    for found, wanted in zip(run(path, x.asnumpy()), expected, strict=True):
        np.testing.assert_allclose(found, wanted.asnumpy(), rtol=1e-5, atol=1e-6)


@ONNX
def test_one_file_readable_only_and_nothing_else(exported: tuple[Net, Path]) -> None:
    _, path = exported
    assert list(path.parent.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o400


@ONNX
def test_modes_are_put_back(exported: tuple[Net, Path]) -> None:
    net, _ = exported
    assert [net.training, net.bn.training, net.fc.training] == [True, False, True]


@ONNX
def test_inputs_have_the_names_of_construct(exported: tuple[Net, Path]) -> None:
    import onnx

    graph = onnx.load(exported[1]).graph
    assert [one.name for one in graph.input] == ["x"]
    assert "fc.weight" in [one.name for one in graph.initializer]


@ONNX
@RUNTIME
def test_dynamic_axes_and_names(tmp_path: Path) -> None:
    """An example with a batch of one is enough for batches of any size."""
    net = nn.Dense(2, 3)
    axes = {"features": {0: "batch"}}
    target = tmp_path / "dense.onnx"
    example = Tensor(np.ones((1, 2), np.float32))
    names: dict[str, Any] = {"input_names": ["features"], "output_names": ["score"]}
    export_onnx(net, example, file_name=target, dynamic_axes=axes, **names)
    for count in (1, 4):
        x = np.random.rand(count, 2).astype(np.float32)
        np.testing.assert_allclose(run(target, x)[0], net(Tensor(x)).asnumpy(), rtol=1e-5, atol=1e-6)


@ONNX
@RUNTIME
def test_dynamic_axes_of_several_inputs(tmp_path: Path) -> None:
    """Of Tensors in a tuple, and of those that `*rest` takes."""

    class Several(nn.Cell):
        def construct(self, pair: tuple[Tensor, Tensor], *rest: Tensor) -> Tensor:
            return ops.matmul(pair[0], pair[1]) + rest[0]

    def inputs(count: int) -> tuple[tuple[Tensor, Tensor], Tensor]:
        shapes = ((count, 3), (3, 3), (count, 3))
        wide, square, rest = (Tensor(np.random.rand(*shape).astype(np.float32)) for shape in shapes)
        return (wide, square), rest

    axes = {"pair_0": {0: "count"}, "rest_0": {0: "count"}}
    export_onnx(Several(), *inputs(2), file_name=tmp_path / "a", dynamic_axes=axes)
    pair, rest = inputs(5)
    found = run(tmp_path / "a.onnx", pair[0].asnumpy(), pair[1].asnumpy(), rest.asnumpy())[0]
    np.testing.assert_allclose(found, Several()(pair, rest).asnumpy(), rtol=1e-5)


@ONNX
def test_weights_as_inputs(tmp_path: Path) -> None:
    import onnx

    net, x = nn.Dense(2, 3), Tensor(np.ones((1, 2), np.float32))
    export_onnx(net, x, file_name=tmp_path / "a", export_params=False)
    graph = onnx.load(tmp_path / "a.onnx").graph
    assert [one.name for one in graph.input] == ["x", "weight", "bias"]
    assert not graph.initializer


@ONNX
@RUNTIME
@pytest.mark.parametrize("axis", [0, -1])
def test_stable_sorting(axis: int, tmp_path: Path) -> None:
    class Sort(nn.Cell):
        def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
            return ops.sort(x, axis, descending=True)

    x = Tensor(np.random.randint(0, 3, (20, 5)).astype(np.float32))
    export(Sort(), x, file_name=tmp_path / "a", file_format="ONNX")
    for found, wanted in zip(run(tmp_path / "a.onnx", x.asnumpy()), Sort()(x), strict=True):
        assert np.array_equal(found, wanted.asnumpy())


@ONNX
def test_an_operator_that_onnx_has_not_is_named(tmp_path: Path) -> None:
    class Inverse(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return ops.erfinv(x)

    with pytest.raises(RuntimeError, match=r"ONNX has no form of \S*erf_?inv\S*, which Inverse computes"):
        export(Inverse(), Tensor(np.zeros(2, np.float32)), file_name=tmp_path / "a", file_format="ONNX")


@ONNX
def test_own_encryption(tmp_path: Path) -> None:
    x = Tensor(np.ones((1, 2), np.float32))
    options: dict[str, Any] = {"enc_key": b"key", "enc_mode": lambda content, key: key + content[:4]}
    export(nn.ReLU(), x, file_name=str(tmp_path / "a"), file_format="ONNX", **options)
    content = (tmp_path / "a.onnx").read_bytes()
    assert content.startswith(b"key")
    assert len(content) == 7


@ONNX
def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "net.onnx"
    target.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="cannot follow Branches"):
        export(Branches(), Tensor(np.ones(2, np.float32)), file_name=str(target), file_format="ONNX")
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_bytes() == b"old"


@ONNX
@pytest.mark.parametrize(
    ("inputs", "error", "says"),
    [
        ([np.ones(2)], TypeError, "inputs must be Tensors"),
        (["text"], TypeError, "inputs must be Tensors"),
        ([], TypeError, "missing 1 required positional argument: 'x'"),
        ([Tensor(np.ones(2, np.float32))], ValueError, "must have 4 axes"),
    ],
)
def test_wrong_inputs(inputs: list[Any], error: type[Exception], says: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=says):
        export(Net(), *inputs, file_name=str(tmp_path / "a"), file_format="ONNX")


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"file_format": "AIR"}, ValueError, "or 'ONNX' for other runtimes"),
        ({"file_format": "onnx"}, ValueError, r"one of \['AIR', 'ONNX', 'MINDIR'\]"),
        ({"file_name": 3}, TypeError, "must be string"),
        ({"file_name": ""}, ValueError, "must not be empty"),
        ({"net": 5}, ValueError, "only support nn.Cell"),
        ({"net": abs}, ValueError, "only support nn.Cell"),
        ({"enc_key": "text"}, ValueError, "isinstance of <class 'bytes'>"),
        ({"enc_key": b"0123456789012345"}, ValueError, "got AES-GCM"),
        ({"custom_func": print}, ValueError, "'custom_func' is for file_format='MINDIR'"),
        ({"incremental": True}, ValueError, "'incremental' is for"),
        ({"quant_modus": "QUANT"}, TypeError, "quant_modus"),
    ],
    ids=str,
)
def test_wrong_options(options: dict[str, Any], error: type[Exception], says: str) -> None:
    arguments = {"net": nn.ReLU(), "file_name": "never", "file_format": "ONNX"} | options
    with pytest.raises(error, match=says):
        export(arguments.pop("net"), image(), **arguments)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"net": 5}, ValueError, "'net' must be isinstance"),
        ({"input_names": 3}, ValueError, "'input_names' must be isinstance"),
        ({"output_names": "y"}, ValueError, "'output_names' must be isinstance"),
        ({"dynamic_axes": [1]}, ValueError, "'dynamic_axes' must be isinstance"),
        pytest.param({"input_names": ["a", "b"]}, ValueError, "has 2 names", marks=ONNX),
        pytest.param({"dynamic_axes": {"z": {0: "n"}}}, ValueError, r"names \['z'\]", marks=ONNX),
    ],
    ids=str,
)
def test_wrong_options_of_export_onnx(options: dict[str, Any], error: type[Exception], says: str) -> None:
    arguments = {"net": nn.ReLU(), "file_name": "never"} | options
    with pytest.raises(error, match=says):
        export_onnx(arguments.pop("net"), image(), **arguments)


def test_air_is_not_written() -> None:
    with pytest.raises(ValueError, match="does not write AIR"):
        export(nn.ReLU(), image(), file_name="never", file_format="AIR")


def test_a_missing_package_gives_the_pip_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxscript", None)
    with pytest.raises(ImportError, match=r"pip install 'msbridge\[onnx\]'"):
        export(nn.ReLU(), image(), file_name="never", file_format="ONNX")


def test_a_folder_is_no_target(tmp_path: Path) -> None:
    (tmp_path / "a.onnx").mkdir()
    with pytest.raises(IsADirectoryError, match="folder"):
        export(nn.ReLU(), image(), file_name=str(tmp_path / "a"), file_format="ONNX")
