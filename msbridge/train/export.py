"""Exporting a network for other programs to run: ONNX, through torch's exporter."""

import contextlib
import inspect
import logging
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.files.partials import folder_for
from msbridge.converters.files.replacing import copy, replacing
from msbridge.converters.formats.ckpt import PERMISSIONS
from msbridge.core.paths import StrPath, resolve
from msbridge.core.tensor import Tensor
from msbridge.core.trees import map_tensors, tensors_of
from msbridge.nn.bridge.conversion import to_torch_module
from msbridge.nn.cell import Cell
from msbridge.train.saving import check_parameter

FORMATS = ("AIR", "ONNX", "MINDIR")
SUFFIX = ".onnx"
ONE_NAME = r"# The axis name: (.+) will not be used, since it shares .* another axis: \1\."  # two inputs of one length
PLAIN = Tensor | int | float | bool | None

Names = list[str] | None
Encryption = Callable[[bytes, bytes], bytes]


def export(
    net: Cell,
    *inputs: Any,
    file_name: StrPath,
    file_format: str = "AIR",
    enc_key: bytes | None = None,
    enc_mode: str | Encryption = "AES-GCM",
    dataset: Any = None,
    incremental: bool = False,
    custom_func: Callable[[Any], None] | None = None,
    quant_mode: str = "NONQUANT",
    mean: float = 127.5,
    std_dev: float = 127.5,
    quant_model: Any = None,
    obf_config: Any = None,
    obf_func: Any = None,
) -> None:
    """Write a network as a file that other programs run.

    Args:
        net: the Cell; exported as it computes in inference.
        inputs: example inputs: Tensors, whose shapes and dtypes the file keeps; numbers, which become constants; None;
            tuples, lists and dicts of those.
        file_name: the target; its suffix is added when it is missing. The old file is replaced by the complete new one.
        file_format: "ONNX". "AIR" and "MINDIR" are MindSpore's own, which msbridge does not write.
        enc_key: encrypts the file; needs an `enc_mode`.
        enc_mode: a function (bytes of the file, key) → encrypted bytes.
        dataset: only None; it is for MINDIR.
        incremental: only False; it is for MINDIR.
        custom_func: only None; it is for MINDIR.
        quant_mode: only "NONQUANT"; r1.x exported quantised networks to AIR and MINDIR.
        mean: of the inputs of a quantised network; read by r1.x with another `quant_mode` alone.
        std_dev: of the inputs of a quantised network; as `mean`.
        quant_model: only None; it is for AIR and MINDIR.
        obf_config: only None; hiding a network's structure is for MINDIR.
        obf_func: only None; as `obf_config`.

    Raises:
        TypeError: the file name or an input is of another type.
        ValueError: `net` is not a Cell, the format is another, or an option does not go with it.
        ImportError: a package is missing.

    Follows: mindspore.export (2.10), with the default format of the releases before, and the options of 1.10.
    """
    target = _target(file_name)
    if file_format not in FORMATS:
        raise ValueError(f"For 'export', 'file_format' must be one of {list(FORMATS)}, but got {file_format}.")
    if file_format != "ONNX":
        raise ValueError(
            f"For 'export', msbridge does not write {file_format}, which only MindSpore reads: use file_format='ONNX' "
            "for other runtimes, or save_checkpoint(net, 'NAME.ckpt') and export from the real MindSpore."
        )
    for name, value, default in (
        ("dataset", dataset, None),
        ("incremental", incremental, False),
        ("custom_func", custom_func, None),
        ("quant_mode", quant_mode, "NONQUANT"),
        ("quant_model", quant_model, None),
        ("obf_config", obf_config, None),
        ("obf_func", obf_func, None),
    ):
        if value != default:
            raise ValueError(f"For 'export', {name!r} is for file_format='MINDIR', but got ONNX format.")
    if enc_key is not None:
        check_parameter("enc_key", enc_key, bytes)
    if enc_key is not None and not callable(enc_mode):
        raise ValueError(f"For 'export', ONNX only supports an 'enc_mode' that is a function, but got {enc_mode}.")
    if not isinstance(net, Cell):
        raise ValueError(f"Export ONNX format model only support nn.Cell object, but got {type(net)}.")
    program = _program("export", net, inputs, None, None, {})
    encrypt = (lambda data: enc_mode(data, enc_key)) if enc_key is not None and callable(enc_mode) else None
    _write(program, target, encrypt)


def export_onnx(
    net: Cell,
    *inputs: Any,
    file_name: StrPath,
    input_names: Names = None,
    output_names: Names = None,
    export_params: bool = True,
    keep_initializers_as_inputs: bool = False,
    dynamic_axes: Mapping[str, Mapping[int, str]] | None = None,
) -> None:
    """Write a network as an ONNX file.

    Args:
        net: the Cell; exported as it computes in inference.
        inputs: example inputs, as for `export`.
        file_name: the target; its suffix is added when it is missing. Weights above 2 GB go to a file beside it.
        input_names: names of the file's inputs; None for those of `construct`.
        output_names: names of the file's outputs.
        export_params: whether the file holds the weights; else they are inputs.
        keep_initializers_as_inputs: whether the weights are inputs, too.
        dynamic_axes: input → axis → name of its length, for axes that may have another length than the example.

    Raises:
        TypeError: the file name or an input is of another type.
        ValueError: `net` is not a Cell, names are not a list or too many, or `dynamic_axes` is no dict or names an
            input that is not there.
        ImportError: a package is missing.

    Follows: mindspore.onnx.export (2.10).
    """
    target = _target(file_name)
    for name, value, kind in (
        ("net", net, Cell),
        ("input_names", [] if input_names is None else input_names, list),
        ("output_names", [] if output_names is None else output_names, list),
        ("dynamic_axes", {} if dynamic_axes is None else dynamic_axes, dict),
    ):
        check_parameter(name, value, kind)
    program = _program("onnx.export", net, inputs, input_names, output_names, dynamic_axes or {})
    as_inputs = keep_initializers_as_inputs or not export_params
    _write(program, target, include_initializers=bool(export_params), keep_initializers_as_inputs=bool(as_inputs))


def _target(file_name: Any) -> Path:
    """Return the path to write, with its suffix."""
    if not isinstance(file_name, str | os.PathLike):
        raise TypeError(f"For 'export', 'file_name' must be string, but got {type(file_name)}.")
    if not os.fspath(file_name):
        raise ValueError("For 'export', 'file_name' must not be empty.")
    path = os.path.realpath(resolve(file_name))
    path = path if path.endswith(SUFFIX) else path + SUFFIX
    if os.path.isdir(path):  # noqa: PTH112  the path is a string from here on
        raise IsADirectoryError(f"For 'export', {path} is a folder.")
    return Path(path)


def _program(
    op: str,
    net: Cell,
    inputs: Sequence[Any],
    input_names: Names,
    output_names: Names,
    dynamic_axes: Mapping[str, Mapping[int, str]],
) -> Any:
    """Let torch make the ONNX program of a network in inference mode."""
    _need_packages(op)
    _check_inputs(op, inputs)
    with _inference(net):
        net(*inputs)  # an input that does not fit is an error of the network's, in its own words
        names = _named(op, net, inputs, input_names)
        if unknown := set(dynamic_axes) - set(names):
            raise ValueError(f"For '{op}', 'dynamic_axes' names {sorted(unknown)}, but the inputs are {names}.")
        axes = [dict(dynamic_axes.get(name, {})) for name in names]
        left, wanted = iter(axes), iter(axes)
        examples = map_tensors(lambda tensor: _example(tensor, next(left)), inputs)
        try:
            with _quiet(), torch.no_grad():
                return torch.onnx.export(
                    to_torch_module(net),
                    examples,
                    input_names=names,
                    output_names=output_names,
                    dynamic_shapes=_shapes(_bound(net, inputs), wanted) if dynamic_axes else None,
                    dynamo=True,
                    verbose=False,
                    custom_translation_table={torch.ops.aten.sort.stable: _sort},
                )
        except RuntimeError as error:
            raise RuntimeError(f"For '{op}', {_reason(type(net).__name__, error)}") from error


def _reason(net: str, error: Exception) -> str:
    """Explain why torch's exporter failed: for want of an operator in ONNX, or because it cannot follow the network."""
    said = str(error.__cause__ or error)
    if missing := re.search(r"translating node.*target=(?:torch\.ops\.)?([\w.]+)", said, re.DOTALL):
        return f"ONNX has no form of {missing[1]}, which {net} computes: leave it to the caller, or compute otherwise."
    return f"torch's exporter cannot follow {net}: {said}"


def _sort(data: Any, stable: bool | None = None, dim: int = -1, descending: bool = False) -> Any:
    """Sort in ONNX, whose TopK keeps the order of equal values; torch (2.13) only translates sorts that may not."""
    from onnxscript import opset18

    op: Any = opset18
    length = op.Reshape(op.Gather(op.Shape(data), op.Constant(value_int=dim)), op.Constant(value_ints=[1]))
    return op.TopK(data, length, axis=dim, largest=int(descending), sorted=1)


def _example(tensor: Tensor, axes: Iterable[int]) -> torch.Tensor:
    """Return an input for the exporter: another tensor object, with 2 where a length of 1 would be taken as fixed."""
    data = tensor._data.detach()
    for axis in axes:
        if data.shape[axis] == 1:
            data = data.repeat_interleave(2, axis)
    return data


def _need_packages(op: str) -> None:
    try:
        import onnx  # noqa: F401
        import onnxscript  # noqa: F401
    except ImportError as error:
        raise ImportError(f"For '{op}', ONNX needs onnx and onnxscript: pip install 'msbridge[onnx]'") from error


def _check_inputs(op: str, value: Any) -> None:
    if isinstance(value, tuple | list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            _check_inputs(op, item)
    elif not isinstance(value, PLAIN):
        raise TypeError(f"For '{op}', inputs must be Tensors, numbers or None, but got {type(value)}.")


def _named(op: str, net: Cell, inputs: Sequence[Any], given: Names) -> list[str]:
    """Name every Tensor of the inputs: as asked for, else by the parameter of `construct` that takes it."""
    found = []
    for name, value in _bound(net, inputs).items():
        count = len(tensors_of(value))
        alone = isinstance(value, Tensor)
        found += [name] if alone else [f"{name}_{number}" for number in range(count)]
    if given and len(given) > len(found):
        raise ValueError(f"For '{op}', 'input_names' has {len(given)} names, but the inputs are {found}.")
    return [*(given or []), *found[len(given or []) :]]


def _bound(net: Cell, inputs: Sequence[Any]) -> dict[str, Any]:
    """Return the inputs by the parameters of `construct`."""
    return inspect.signature(net.construct).bind(*inputs).arguments


def _shapes(value: Any, axes: Iterator[Mapping[int, str]]) -> Any:
    """Replace Tensors by their axes of any length, and everything else by None."""
    if isinstance(value, Tensor):
        return next(axes)
    if isinstance(value, tuple | list):
        return type(value)([_shapes(item, axes) for item in value])
    return {key: _shapes(item, axes) for key, item in value.items()} if isinstance(value, dict) else None


@contextlib.contextmanager
def _inference(net: Cell) -> Iterator[None]:
    """Switch a network to inference, and every Cell back to what it was."""
    modes = [(cell, cell.training) for _, cell in net.cells_and_names()]
    net.set_train(False)
    try:
        yield
    finally:
        for cell, mode in modes:
            cell.training = mode


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep back what torch's exporter says about itself: deprecations of its own, packages that it could use."""
    log = logging.getLogger("torch.onnx")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.filterwarnings("ignore", ONE_NAME)
            yield
    finally:
        log.setLevel(level)


def _write(program: Any, target: Path, encrypt: Callable[[bytes], bytes] | None = None, **options: bool) -> None:
    """Write the files of a program beside the target, then where they belong: the model last."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with folder_for(target) as folder:
        made = folder / target.name
        program.save(made, external_data=False, **options)
        for part in sorted(folder.iterdir(), reverse=True):
            if encrypt and part == made:
                with replacing(target, PERMISSIONS) as sink:
                    sink.write(encrypt(part.read_bytes()))
            else:
                copy(part, target.with_name(part.name), PERMISSIONS)
