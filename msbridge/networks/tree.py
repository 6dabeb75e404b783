"""Trees of networks: the layers, operators and tensors of a file or of a Cell, for a page that folds them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.checkpoint import Checkpoint
from msbridge.converters.errors import CheckpointError
from msbridge.converters.mindir.reading import read_model
from msbridge.converters.mindir.records import Graph, TensorData
from msbridge.device.report.sentences import amount
from msbridge.mindir.layers import Call, Item, Layers
from msbridge.mindir.lowering import Lowering, op_of
from msbridge.nn import Cell

__all__ = ["Branch", "tree_of_checkpoint", "tree_of_mindir", "tree_of_network", "tree_of_onnx"]

MAX_DEPTH = 40  # parts of a name that are branches; a file may hold any names
MAX_NAMES = 8  # inputs or outputs of an operator that are listed
SUFFIX = ".onnx"


@dataclass(slots=True)
class Branch:
    """A layer with what is in it, an operator, or a tensor."""

    name: str
    kind: str = ""  # the class of a layer, the operator, or the dtype
    detail: str = ""  # shapes, bytes, or what it takes and returns
    parts: "list[Branch]" = field(default_factory=list)

    def as_list(self) -> list[Any]:
        """Return [name, kind, detail, parts], which is short as JSON."""
        return [self.name, self.kind, self.detail, [one.as_list() for one in self.parts]]


def tree_of_checkpoint(checkpoint: Checkpoint) -> Branch:
    """Return the tensors of a checkpoint, by the parts of their names."""
    entries = checkpoint.entries.items()
    leaves = [(name, entry.type, f"{tuple(entry.shape)}  {amount(entry.nbytes)}") for name, entry in entries]
    return _by_names(checkpoint.path.name, checkpoint.format, leaves, ".")


def tree_of_mindir(path: Path, key: bytes | None, mode: str) -> Branch:
    """Return the layers and operators of a `.mindir` file.

    Raises:
        CheckpointError: the file is damaged or encrypted.
    """
    model = read_model(path, key, mode)
    lowering = Lowering(model)
    layers = Layers(lowering)
    root = Branch(path.name, "mindir", f"by {model.producer} {model.release}")
    for graph in model.every():
        if graph is not model.graph and not lowering.live[graph.name]:
            continue
        part = Branch(graph.name, "graph", _signature(graph))
        part.parts = [_item(one, graph, lowering) for one in layers.items(graph)]
        root.parts.append(part)
    parameters = [(one.key or one.name, one.dtype, str(one.shape)) for one in model.graph.parameters.values()]
    root.parts.append(_by_names("parameters", "", parameters, "."))
    return root


def tree_of_onnx(path: Path) -> Branch:
    """Return the nodes of an `.onnx` file, by the parts of their names.

    Raises:
        CheckpointError: the package onnx is missing, or the file is damaged.
    """
    try:
        import onnx
    except ImportError as error:
        raise CheckpointError(f"{path}: reading it needs onnx (pip install 'msbridge[onnx]').") from error
    try:
        graph = onnx.load(str(path), load_external_data=False).graph
    except OSError:
        raise
    except Exception as error:  # protobuf's own, of several classes
        raise CheckpointError(f"{path} is damaged, or no .onnx file: {error}") from error
    nodes = [
        (node.name.strip("/") or f"{node.op_type}_{number}", node.op_type, _flow(node.input, node.output))
        for number, node in enumerate(graph.node)
    ]
    names = onnx.TensorProto.DataType.Name
    tensors = [(one.name, names(one.data_type).lower(), str(tuple(one.dims))) for one in graph.initializer]
    root = _by_names(path.name, "onnx", nodes, "/")
    root.detail = _flow([one.name for one in graph.input], [one.name for one in graph.output])
    root.parts.append(_by_names("parameters", "", tensors, "."))
    return root


def tree_of_network(network: Cell | torch.nn.Module, name: str) -> Branch:
    """Return the layers and Parameters of a Cell or a torch module."""
    if isinstance(network, Cell):
        children, parameters = dict[str, Any](network._cells), dict[str, Any](network._params)
        datas = [one._data for one in network.get_parameters()]
    else:
        children, parameters = dict[str, Any](network._modules), dict[str, Any](network._parameters)
        datas = list(network.parameters())
    parts = [_parameter(key, one) for key, one in parameters.items() if one is not None]
    parts += [tree_of_network(one, key) for key, one in children.items() if one is not None]
    count = sum(data.numel() for data in datas)
    return Branch(name, type(network).__name__, f"{count:,} parameters" if count else "", parts)


def _parameter(name: str, parameter: Any) -> Branch:
    frozen = "" if parameter.requires_grad else "  frozen"
    return Branch(name, str(parameter.dtype).removeprefix("torch."), f"{tuple(parameter.shape)}{frozen}")


def _by_names(name: str, kind: str, leaves: Iterable[tuple[str, str, str]], separator: str) -> Branch:
    """Return a tree of leaves (name, kind, detail): each part of a name but the last is a branch."""
    root = Branch(name, kind)
    known: dict[tuple[str, ...], Branch] = {(): root}
    for full, leaf_kind, detail in leaves:
        *above, last = full.split(separator, MAX_DEPTH)
        for depth in range(1, len(above) + 1):
            way = tuple(above[:depth])
            if way not in known:
                known[way] = Branch(above[depth - 1])
                known[way[:-1]].parts.append(known[way])
        known[tuple(above)].parts.append(Branch(last, leaf_kind, detail))
    return root


def _item(item: Item, graph: Graph, lowering: Lowering) -> Branch:
    if isinstance(item, Call):
        parts = [_item(one, graph, lowering) for one in item.items]
        flow = _flow(_short(graph, item.inputs), _short(graph, item.outputs))
        return Branch(".".join(item.path), item.kind, flow, parts)
    kind = op_of(item) or (f"calls {item.target}" if item.target else "constant")
    (name,) = _short(graph, [item.name])
    return Branch(name, kind, _flow(_short(graph, lowering.uses(graph, item)), ()))


def _signature(graph: Graph) -> str:
    kinds = {name: kind for name, kind in graph.inputs.items() if isinstance(kind, TensorData)}
    inputs = [f"{name}: {kind}" for name, kind in zip(_short(graph, kinds), kinds.values(), strict=True)]
    return _flow(inputs, _short(graph, graph.outputs))


def _short(graph: Graph, names: Iterable[str]) -> list[str]:
    """Return names without that of their graph."""
    return [name.removeprefix(f"{graph.name}:") for name in names]


def _flow(inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """Return the inputs and the outputs of something, as "a, b → c"."""
    taken, returned = (
        ", ".join([*names[:MAX_NAMES], *(["…"] if len(names) > MAX_NAMES else [])])
        for names in ([*filter(None, inputs)], [*filter(None, outputs)])
    )
    return f"{taken} → {returned}" if returned else taken
