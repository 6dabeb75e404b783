"""`.mindir` files: the graph of a network in one file, with its parameters, or beside them where these are large.

    NAME.mindir               graph and parameters
    NAME_graph.mindir         the graph only
    NAME_variables/data_0     64 bytes, of which the first is 1; the parameters by name, each filled up to 64 bytes

Follows: mindspore.export (2.10).
"""

import functools
import inspect
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.files.atomic_write import replacing
from msbridge.converters.files.sink import Sink
from msbridge.converters.files.temporary_files import folder_for
from msbridge.converters.formats.ckpt import PERMISSIONS
from msbridge.converters.formats.encryption import EncryptingSink
from msbridge.converters.messages.mind_ir import ModelProto
from msbridge.core import torch_private
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.train.exporting.encoding import content, encode_model
from msbridge.train.exporting.tracing import trace_network
from msbridge.train.exporting.translating import translate_program

__all__ = ["model_of", "write"]

SUFFIX = ".mindir"
MAX_BYTES = 1 << 30  # of parameters in the file itself: protobuf reads no message over 2 GB
ALIGNMENT = 64
FOLDER_PERMISSIONS = 0o700

Cipher = str | Callable[[bytes, bytes], bytes]


def model_of(net: Cell | Callable[..., Any], inputs: Sequence[Any]) -> tuple[ModelProto, dict[str, torch.Tensor]]:
    """Return the message of a network, without the values of its parameters, and these by their names there.

    Raises:
        RuntimeError: torch cannot follow the network, or there are no primitives for what it computes.
        TypeError: an input is of another type.
    """
    _check_inputs(inputs)
    name = type(net).__name__ if isinstance(net, Cell) else getattr(net, "__name__", "function")
    found = trace_network(net, inputs)
    construct = net.construct if isinstance(net, Cell) else net
    names = _input_names(construct, inputs)
    graph = translate_program(found.program, f"{name}_construct", found.parameters, names, found.layers)
    return encode_model(graph), {value.name: parameter._data for value, parameter in graph.parameters}


def write(
    model: ModelProto, parameters: Mapping[str, torch.Tensor], target: Path, key: bytes | None, cipher: Cipher
) -> None:
    """Write a model and its parameters; nothing of it appears before all is complete."""
    target.parent.mkdir(FOLDER_PERMISSIONS, parents=True, exist_ok=True)
    encrypt = None if key is None else functools.partial(_encrypt, key=key, cipher=cipher)
    if sum(data.nbytes for data in parameters.values()) > MAX_BYTES:
        _write_beside(model, parameters, target, encrypt)
        return
    for tensor in model.graph.parameter:
        tensor.raw_data = content(parameters[tensor.name])
    with replacing(target, PERMISSIONS) as sink:
        _put(sink, iter([model.SerializeToString()]), encrypt)


def _check_inputs(inputs: Any) -> None:
    for value in inputs.values() if isinstance(inputs, dict) else inputs:
        if isinstance(value, tuple | list | dict):
            _check_inputs(value)
        elif not isinstance(value, Tensor | int | float | bool | None):
            raise TypeError(f"For 'export', inputs must be Tensors, numbers or None, but got {type(value)}.")


def _input_names(construct: Callable[..., Any], inputs: Sequence[Any]) -> list[str | None]:
    """Return a name for each leaf of the inputs: the argument's, or None for what is written into the file."""
    try:
        arguments = list(inspect.signature(construct).parameters.values())
    except (TypeError, ValueError):
        arguments = []
    named = [one.name for one in arguments if one.kind is not one.VAR_POSITIONAL]
    names: list[str | None] = []
    for number, value in enumerate(inputs):
        if isinstance(value, Tensor):
            names.append(named[number] if number < len(named) else f"input_{number}")
        else:
            names += [None] * len(torch_private.tree_leaves(value))
    return names


def _put(sink: Sink, pieces: Iterator[bytes], encrypt: Any) -> None:
    if encrypt is not None:
        encrypt(sink, pieces)
        return
    for piece in pieces:
        sink.write(piece)


def _encrypt(sink: Sink, pieces: Iterator[bytes], *, key: bytes, cipher: Cipher) -> None:
    if callable(cipher):
        for piece in pieces:
            sink.write(cipher(piece, key))
        return
    own = EncryptingSink(sink, key, cipher)
    for piece in pieces:
        own.write(piece)
    own.flush()


def _write_beside(model: ModelProto, parameters: Mapping[str, torch.Tensor], target: Path, encrypt: Any) -> None:
    """Write the parameters into a folder, which then takes the place of the old one, and the graph at last."""
    stem = target.name.removesuffix(SUFFIX)
    folder, graph = target.with_name(f"{stem}_variables"), target.with_name(f"{stem}_graph{SUFFIX}")
    ordered = sorted(model.graph.parameter, key=lambda tensor: tensor.name.partition(":")[2])
    offset = ALIGNMENT
    for tensor in ordered:
        length = parameters[tensor.name].nbytes
        place = tensor.external_data
        place.location, place.offset, place.length = f"{folder.name}/data_0", offset, length
        offset += length + -length % ALIGNMENT

    def pieces() -> Iterator[bytes]:
        yield bytes([1]).ljust(ALIGNMENT, b"\0")  # the numbers are little-endian
        for tensor in ordered:
            data = content(parameters[tensor.name])
            yield data + bytes(-len(data) % ALIGNMENT)

    with folder_for(target) as unfinished:
        fresh = unfinished / folder.name
        fresh.mkdir(FOLDER_PERMISSIONS)
        with replacing(fresh / "data_0", PERMISSIONS) as sink:
            _put(sink, pieces(), encrypt)
        with replacing(graph, PERMISSIONS) as sink:
            _put(sink, iter([model.SerializeToString()]), encrypt)
            if folder.exists():
                folder.rename(unfinished / "old")
            fresh.rename(folder)
        shutil.rmtree(unfinished / "old", ignore_errors=True)
