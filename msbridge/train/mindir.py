"""Loading of networks from `.mindir` files, and of what they hold."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msbridge.converters.errors import CheckpointError
from msbridge.core.checks.arguments import instance
from msbridge.core.runtime.path_mapping import resolve
from msbridge.train.checkpoint.saving import check_parameter

if TYPE_CHECKING:
    from msbridge.converters.messages.mind_ir import ModelProto
    from msbridge.mindir.func_graph import FuncGraph

SUFFIX = ".mindir"


def load(file_name: str, **kwargs: Any) -> "FuncGraph":
    """Read the network of a `.mindir` file, which `nn.GraphCell` runs.

    Nothing of the file is executed: its operators are found by name among those that are here.

    Args:
        file_name: the file; what it keeps in other files is beside it.
        **kwargs: `dec_key`, bytes, the key of an encrypted file; `dec_mode`, "AES-GCM" (default), "AES-CBC" or
            "SM4-CBC", or a function of the file's name and the key that returns the content.

    Returns:
        A FuncGraph.

    Raises:
        NotImplementedError: `obf_func` is given.
        ValueError: `file_name` is not a str, does not end with ".mindir", or there is no such file.
        RuntimeError: the file is damaged or encrypted, or has operators that are not here, which are all named.

    Follows: mindspore.load (2.10).
    """
    from msbridge.mindir.func_graph import FuncGraph, open_graph

    if "obf_func" in kwargs:
        raise NotImplementedError("Dynamic model structure obfuscation is no longer supported.")
    if unknown := sorted(kwargs.keys() - {"dec_key", "dec_mode"}):
        raise TypeError(f"For 'load', there are no arguments {unknown}.")
    path = _check_path(file_name)
    key, mode = kwargs.get("dec_key"), kwargs.get("dec_mode", "AES-GCM")
    if "dec_key" in kwargs and not isinstance(key, bytes):
        raise ValueError(f"For 'load', the parameter 'dec_key' must be bytes, but got {key!r}.")
    try:
        if callable(mode) and key is not None:
            return FuncGraph(_decrypt_by(mode, path, key))
        check_parameter("dec_mode", mode, str)
        return open_graph(path, key, mode)
    except CheckpointError as error:
        raise RuntimeError(f"For 'load', {error}") from error


def _check_path(file_name: Any) -> Path:
    if not isinstance(file_name, str):
        raise ValueError(f"For 'load', the argument 'file_name' must be string, but got {type(file_name)}.")
    if not file_name.endswith(SUFFIX):
        raise ValueError(f"For 'load', the argument 'file_name' must end with {SUFFIX!r}, but got {file_name!r}.")
    path = Path(resolve(file_name))
    if not path.exists():
        raise ValueError(f"For 'load', the file {file_name!r} does not exist.")
    return path


def _decrypt_by(decrypt: Callable[[str, bytes], Any], path: Path, key: bytes) -> Any:
    from msbridge.converters.mindir.reading import read_content

    data = decrypt(os.path.realpath(path), key)
    if not isinstance(data, bytes):
        raise CheckpointError(f"{path}: the function 'dec_mode' must return bytes, but got {type(data)}.")
    return read_content(path, memoryview(data))


def load_mindir(file_name: str) -> "ModelProto":
    """Read a `.mindir` file as its protobuf message.

    Args:
        file_name: the file.

    Returns:
        A message, whose fields are those of MindSpore's `mind_ir.proto`.

    Raises:
        ValueError: there is no such file, or it is damaged.

    Follows: mindspore.load_mindir (2.10).
    """
    from msbridge.converters.messages.mind_ir import ModelProto
    from msbridge.converters.messages.schema import parse

    try:
        return parse(ModelProto, Path(resolve(file_name)).read_bytes())
    except OSError as error:
        raise ValueError(f"For 'load_mindir', {file_name} cannot be read: {error.strerror}.") from error


def save_mindir(model: "ModelProto", file_name: str) -> None:
    """Write a message to a `.mindir` file.

    Args:
        model: what `load_mindir` returned, perhaps changed.
        file_name: the file; ".mindir" is added where it is missing.

    Raises:
        TypeError: `model` is not a ModelProto.
        ValueError: the file cannot be written.

    Follows: mindspore.save_mindir (2.10).
    """
    from msbridge.converters.files.atomic_write import replacing
    from msbridge.converters.messages.mind_ir import ModelProto

    instance(model, "model", "save_mindir", ModelProto)
    name = file_name if file_name.endswith(SUFFIX) else file_name + SUFFIX
    with replacing(resolve(name)) as target:
        target.write(model.SerializeToString())
