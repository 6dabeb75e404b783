"""The parameters of a `.mindir`: a network as MindSpore exports it. It is read; writing one takes the network.

Follows: the format of MindSpore 2.0 … 2.10.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.source import Source
from msbridge.converters.formats.format import Contents, Format, Writing
from msbridge.converters.mindir.reading import looks_like_model, read_content
from msbridge.converters.mindir.records import TensorData
from msbridge.converters.tensors.entry import Entry, entry


def read(source: Source) -> Contents:
    """Look at the parameters; where the file is mapped, they stay in it.

    Raises:
        CheckpointError: it is damaged, or asks for more memory than its size warrants.
    """
    data = source.mapping if source.is_mapped else memoryview(source.read(0, source.size))
    model = read_content(source.path, data)
    about = {
        "producer": f"{model.producer} {model.release}".strip(),
        "series": "2.3 and later" if model.has_functions() else "2.0 to 2.2: later releases read it, too",
        "inputs": ", ".join(f"{name} {kind}" for name, kind in model.inputs().items()),
        "outputs": ", ".join(map(str, model.graph.results)),
        "nodes": f"{model.node_count()}, in graphs: {1 + len(model.graphs)}",
        "operators": ", ".join(f"{name} {count}" for name, count in model.operators().items()),
    }
    return Contents(_entries(model.parameters()), about)


def _entries(parameters: dict[str, TensorData]) -> Iterator[Entry]:
    for name, tensor in parameters.items():
        dtype = getattr(torch, tensor.dtype)
        if tensor.data is None or not tensor.nbytes:
            yield entry(name, torch.empty([max(length, 0) for length in tensor.shape], dtype=dtype))
        else:
            yield entry(name, torch.frombuffer(bytearray(tensor.data), dtype=dtype).reshape(tensor.shape))


def write(path: Path, entries: Iterable[Entry], writing: Writing) -> None:
    """Refuse to write: parameters are not a network."""
    raise CheckpointError(f"{path}: a .mindir holds a network; mindspore.export writes it.")


FORMAT = Format(
    name="mindir",
    suffixes=(".mindir",),
    naming="mindspore",
    has_both_namings=False,
    recognizes=lambda source, start: looks_like_model(start),
    read=read,
    write=write,
    check_sums=lambda source: False,
    shards=("model", ".mindir"),
    can_be_encrypted=True,
)
