"""Networks in `.mindir` files as ONNX and as torch's exported programs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.errors import CheckpointError, Remedy
from msbridge.converters.files.atomic_write import replacing_path
from msbridge.core import torch_private
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.mindir.func_graph import FuncGraph, open_graph
from msbridge.mindir.lowering import has_effect
from msbridge.mindir.structured_control_flow import CannotFollow, flow_of
from msbridge.nn.cell.graph_cell import GraphCell
from msbridge.train.exporting import onnx
from msbridge.train.exporting.tracing import trace_network, whole

__all__ = ["convert_network"]

MAX_NODES_NAMED = 5  # nodes in an error
STAND_IN = 32  # a length of an ONNX example, where the file leaves it free; networks halve lengths several times


def convert_network(
    source: Path, target: Path, key: bytes | None = None, mode: str = "AES-GCM", *, force: bool = False
) -> str:
    """Write the network of a `.mindir` file for other programs; lengths that the file leaves free stay free.

    Args:
        source: the file.
        target: a `.onnx`, or a `.pt2`, which `torch.export.load` reads.
        key: of an encrypted file.
        mode: in which it is encrypted.
        force: replace an existing target.

    Returns:
        What was written, in words.

    Raises:
        CheckpointError: the source is no `.mindir`, is damaged or says too little of an input, the target is there
            already, or torch cannot follow the network.
        ImportError: ONNX needs packages that are missing.
    """
    if source.suffix != ".mindir":
        raise CheckpointError(f"{target.suffix} takes a network, which a .mindir holds; {source} is not one.")
    if target.exists() and not force:
        raise CheckpointError(f"{target} is there already", Remedy(("force",), "replaces it"))
    graph = open_graph(source, key, mode)
    inputs = {name: _type_of_input(graph, name, one) for name, one in graph.model.input_types().items()}
    network = _Followed(graph)
    for parameter in network.get_parameters():
        parameter.requires_grad = False  # it is written for inference
    try:
        if target.suffix == ".onnx":
            _write_onnx(network, inputs, target)
        else:
            program = trace_network(network, [_placeholder(shape, dtype) for shape, dtype in inputs.values()]).program
            program = whole(program)
            program.example_inputs = None  # which are tensors without values where lengths are free
            with replacing_path(target) as partial, partial.open("wb") as file:
                torch.export.save(program, file)
    except RuntimeError as error:
        raise CheckpointError(f"{source} cannot be written as {target.suffix}: {_reason(graph, error)}") from error
    listed = ", ".join(f"{name} {kind}" for name, kind in graph.model.inputs().items())
    return f"{target}: the network of {source}, which takes {listed}"


class _Followed(GraphCell):
    """A network whose branches and loops torch's exporters keep."""

    def _bind_functions(self) -> None:
        super()._bind_functions()
        run, flow = self._run, flow_of(self.graph.program, {one.name: one for one in self.get_parameters()})
        self.__dict__["_run"] = lambda *inputs: (flow if torch_private.is_exporting() else run)(*inputs)


def _reason(graph: FuncGraph, error: Exception) -> str:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, CannotFollow):
            place = graph.program.place(cause.line)
            return f"torch cannot follow the branch or the loop that begins at the node {place!r}: {cause}."
        cause = cause.__cause__ or cause.__context__
    return str(error).partition("\n")[0]


def _type_of_input(graph: FuncGraph, name: str, one: Any) -> tuple[tuple[int, ...], torch.dtype]:
    if one is None or -2 in one.shape:
        raise CheckpointError(f"{graph.model.path} says too little of its input {name!r} to write the network.")
    return one.shape, getattr(torch, one.dtype)


def _placeholder(shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
    if any(length < 0 for length in shape):
        known: list[Any] = [None if length < 0 else length for length in shape]
        return Tensor(shape=known, dtype=mstype.from_torch(dtype))
    return Tensor(torch.zeros(shape, dtype=dtype))


def _write_onnx(network: GraphCell, inputs: Mapping[str, tuple[tuple[int, ...], torch.dtype]], target: Path) -> None:
    free = {
        name: {axis: f"{name}_{axis}" for axis, length in enumerate(shape) if length < 0}
        for name, (shape, _) in inputs.items()
    }
    examples = tuple(
        Tensor(torch.zeros([length if length >= 0 else STAND_IN for length in shape], dtype=dtype))
        for shape, dtype in inputs.values()
    )
    axes = {name: named for name, named in free.items() if named}
    program = onnx.program_of("convert", network, examples, list(inputs), None, axes)
    signature = program.exported_program.graph_signature
    if changed := sorted({*signature.buffers_to_mutate.values(), *signature.parameters_to_mutate.values()}):
        nodes = [node.place for one in network.graph.model.every() for node in one.nodes if has_effect(node)]
        listed, places = ", ".join(changed), ", ".join(nodes[:MAX_NODES_NAMED])
        raise RuntimeError(f"it assigns to its parameters {listed} (at {places}), and ONNX has none that change.")
    onnx.write(program, target)
