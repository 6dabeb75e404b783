"""Exporting a network for other programs to run: MINDIR for MindSpore, ONNX for others."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.formats import encryption
from msbridge.core.checks.arguments import one_of
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.nn.cell.cell import Cell
from msbridge.train.checkpoint.saving import check_parameter

FORMATS = ("AIR", "ONNX", "MINDIR")
SUFFIXES = {"ONNX": ".onnx", "MINDIR": ".mindir"}

Names = list[str] | None
Encryption = Callable[[bytes, bytes], bytes]


def export(
    net: Cell | Callable[..., Any],
    *inputs: Any,
    file_name: StrPath,
    file_format: str,
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

    What Python does in `construct` is done once, while the file is written: loops are unrolled, and of a branch the
    file holds the side that these inputs take; a branch on the values of a tensor is refused.

    Args:
        net: the Cell, or for MINDIR a function. ONNX holds what it computes in inference, MINDIR what it computes in
            the mode in which it is.
        inputs: example inputs: Tensors, whose shapes and dtypes the file keeps; for MINDIR also Tensors without values,
            `Tensor(shape=[None, 3], dtype=…)`, whose unknown lengths stay free. Numbers, None, and for MINDIR Tensors
            in tuples, lists and dicts become constants.
        file_name: the target; its suffix is added when it is missing. The old file is replaced by the complete new one.
        file_format: "MINDIR", or "ONNX". "AIR" is only read by the compiler of the Ascend chip, and not written.
        enc_key: encrypts the file; 16, 24 or 32 bytes.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC" for MINDIR, or a function (bytes, key) → encrypted bytes.
        dataset: only None; MindSpore writes its transforms into the file for MindSpore Lite.
        incremental: of MINDIR: whether a MapParameter has only what changed; there is none here.
        custom_func: of MINDIR: called with the message (`mindspore.train.mind_ir_pb2.ModelProto`) before it is written.
        quant_mode: only "NONQUANT"; r1.x exported quantised networks to AIR and MINDIR.
        mean: of the inputs of a quantised network; read by r1.x with another `quant_mode` only.
        std_dev: of the inputs of a quantised network; as `mean`.
        quant_model: only None; it is for AIR and MINDIR.
        obf_config: only None; hiding a network's structure is not done here.
        obf_func: only None; as `obf_config`.

    Raises:
        TypeError: the file name or an input is of another type.
        ValueError: `net` is not a Cell, the format is another, or an option does not go with it.
        RuntimeError: torch cannot follow the network, or there are no primitives for what it computes.
        ImportError: a package is missing.

    Examples:
        >>> ms.export(nn.Dense(2, 3), ops.ones((1, 2), ms.float32), file_name="net", file_format="MINDIR")
        >>> nn.GraphCell(ms.load("net.mindir"))(ops.ones((1, 2), ms.float32)).shape
        (1, 3)

    Follows: mindspore.export (2.10), with the options of 1.10.
    """
    one_of(file_format, "file_format", "export", FORMATS)
    _check_name(file_name)
    if file_format == "AIR":
        raise ValueError(
            "For 'export', msbridge does not write AIR, which only the compiler of the Ascend chip reads: use "
            "file_format='MINDIR' for MindSpore, or 'ONNX' for other runtimes."
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
        if value != default and file_format == "ONNX":
            raise ValueError(f"For 'export', {name!r} is for file_format='MINDIR', but got ONNX format.")
        if value != default and name not in ("incremental", "custom_func"):
            raise NotImplementedError(f"For 'export', msbridge has no {name!r}: leave it at {default!r}.")
    target = _target(file_name, SUFFIXES[file_format])
    if file_format == "ONNX":
        _export_onnx(net, inputs, target, enc_key, enc_mode)
    else:
        _export_mindir(net, inputs, target, enc_key, enc_mode, custom_func)


def _export_onnx(net: Any, inputs: Any, target: Path, enc_key: bytes | None, enc_mode: str | Encryption) -> None:
    from msbridge.train.exporting.onnx import program_of, write

    if enc_key is not None:
        check_parameter("enc_key", enc_key, bytes)
    if enc_key is not None and not callable(enc_mode):
        raise ValueError(f"For 'export', ONNX only supports an 'enc_mode' that is a function, but got {enc_mode}.")
    if not isinstance(net, Cell):
        raise ValueError(f"Export ONNX format model only support nn.Cell object, but got {type(net)}.")
    program = program_of("export", net, inputs, None, None, {})
    encrypt = (lambda data: enc_mode(data, enc_key)) if enc_key is not None and callable(enc_mode) else None
    write(program, target, encrypt)


def _export_mindir(
    net: Any, inputs: Any, target: Path, enc_key: bytes | None, enc_mode: str | Encryption, custom_func: Any
) -> None:
    from msbridge.train.exporting.mindir import model_of, write

    if enc_key is not None:
        check_parameter("enc_key", enc_key, bytes)
        if not callable(enc_mode):
            check_parameter("enc_mode", enc_mode, str)
            try:
                encryption.check_key(enc_key, enc_mode)
            except CheckpointError as error:
                raise ValueError(f"For 'export', {error}") from error
    if not callable(net):
        raise RuntimeError(f"For 'export', the network must be a Cell or a function, but got {net!r:.80}.")
    model, parameters = model_of(net, inputs)
    if custom_func is not None:
        custom_func(model)
    write(model, parameters, target, enc_key, enc_mode)


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
        ValueError: `net` is not a Cell, names are not a list or too many, or `dynamic_axes` is not a dict or names an
            input that is not there.
        ImportError: a package is missing.

    Follows: mindspore.onnx.export (2.10).
    """
    from msbridge.train.exporting.onnx import program_of, write

    _check_name(file_name)
    target = _target(file_name, SUFFIXES["ONNX"])
    for name, value, kind in (
        ("net", net, Cell),
        ("input_names", [] if input_names is None else input_names, list),
        ("output_names", [] if output_names is None else output_names, list),
        ("dynamic_axes", {} if dynamic_axes is None else dynamic_axes, dict),
    ):
        check_parameter(name, value, kind)
    program = program_of("onnx.export", net, inputs, input_names, output_names, dynamic_axes or {})
    as_inputs = keep_initializers_as_inputs or not export_params
    write(program, target, include_initializers=bool(export_params), keep_initializers_as_inputs=bool(as_inputs))


def _check_name(file_name: Any) -> None:
    if not isinstance(file_name, str | os.PathLike):
        raise TypeError(f"For 'export', 'file_name' must be string, but got {type(file_name)}.")
    if not os.fspath(file_name):
        raise ValueError("For 'export', 'file_name' must not be empty.")


def _target(file_name: StrPath, suffix: str) -> Path:
    """Return the path to write, with its suffix."""
    path = os.path.realpath(resolve(file_name))
    path = path if path.endswith(suffix) else path + suffix
    if os.path.isdir(path):  # noqa: PTH112  the path is a string from here on
        raise IsADirectoryError(f"For 'export', {path} is a folder.")
    return Path(path)
