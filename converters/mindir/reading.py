"""Reading a `.mindir`: its messages become records one node at a time; tensors stay where they are in the file."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.files.source import Source
from msbridge.converters.formats.encryption import decrypt, mode_of
from msbridge.converters.messages import mind_ir
from msbridge.converters.messages.schema import Limits, parse
from msbridge.converters.messages.wire import LENGTH, DecodeError, read_field
from msbridge.converters.mindir.constants import tensor_of, value_of
from msbridge.converters.mindir.records import TYPES, Graph, Model, Monad, Node, Primitive, TensorData

REFERENCE = "REF::"  # before the name of a primitive, graph or node that a node calls
START_OF_1_0 = b"\x08"  # its version is a number
MONADS = {"UMonadType": Monad.MEMORY, "IOMonadType": Monad.OUTSIDE}
BYTES_OF_NODE = 700  # that a node takes in memory; 250 of a real file
# Messages are gone when their node is read: their number bounds the time. Items of lists stay, with 40 bytes each.
MAX_MESSAGES, BYTES_OF_MESSAGE = 400_000, 16
MAX_ITEMS, BYTES_OF_ITEM = 400_000, 40


def read_model(path: Path, key: bytes | None = None, mode: str = "AES-GCM") -> Model:
    """Read a file.

    Args:
        path: the file.
        key: of an encrypted file.
        mode: in which it is encrypted.

    Raises:
        CheckpointError: it is damaged or encrypted, or asks for more memory than its size warrants.
        ImportError: a package that decrypts is missing.
    """
    return read_content(path, content(path, key, mode), key, mode)


def content(path: Path, key: bytes | None, mode: str) -> memoryview:
    """Return the content of a file, decrypted if there is a key. Raises as `read_model`."""
    source = Source(path)
    if key is not None:
        plain = decrypt(source, key, mode)
        return memoryview(plain.read(0, plain.size))
    if found := mode_of(source):
        raise CheckpointError(f"{path} is encrypted with {found}: pass its key.")
    mapping: memoryview = source.mapping
    return mapping


def read_content(path: Path, data: memoryview, key: bytes | None = None, mode: str = "AES-GCM") -> Model:
    """Read what a file holds. Args and Raises as `read_model`."""
    try:
        return _Reader(path, data, key, mode).model()
    except DecodeError as error:
        raise CheckpointError(f"{path} is not a MindIR file that is read here, or it is damaged: {error}.") from error


def looks_like_model(start: bytes) -> bool:
    """Whether a file that begins so is a model: its version and its producer come first."""
    if start[:1] != b"\x0a" or len(start) < 4:
        return False
    version, producer = start[2 : 2 + start[1]], start[2 + start[1] : 3 + start[1]]
    return start[1] < 16 and producer == b"\x12" and all(one in b"0123456789." for one in version)


class _Reader:
    """Reads one file.

    Args:
        path: where it is.
        data: its bytes.
        key: of the files beside it.
        mode: in which they are encrypted.
    """

    def __init__(self, path: Path, data: memoryview, key: bytes | None, mode: str) -> None:
        self.path = path
        self.data = data
        self.key, self.mode = key, mode
        size = len(data)
        self.allowance = Allowance(path, size)
        self.limits = Limits(MAX_MESSAGES + size // BYTES_OF_MESSAGE, MAX_ITEMS + size // BYTES_OF_ITEM)
        self.primitives: dict[str, Primitive] = {}
        self.beside: dict[str, memoryview] = {}

    def model(self) -> Model:
        """Read the model of the file."""
        if self.data[:1] == START_OF_1_0:
            raise CheckpointError(
                f"{self.path} is of MindSpore 1.0, whose files are not read: export it by 1.1 or later."
            )
        bodies: list[tuple[memoryview, bool]] = []
        header = mind_ir.ModelProto()
        for number, body in self._fields(self.data):
            if number in (mind_ir.ModelProto.GRAPH_FIELD_NUMBER, mind_ir.ModelProto.FUNCTIONS_FIELD_NUMBER):
                bodies.append((body, number == mind_ir.ModelProto.GRAPH_FIELD_NUMBER))
            elif number == mind_ir.ModelProto.PRIMITIVES_FIELD_NUMBER:
                self._take_primitive(self._message(mind_ir.PrimitiveProto, body))
            elif number in (1, 2, 3, 5):
                setattr(
                    header,
                    mind_ir.ModelProto.DESCRIPTOR.fields_by_number[number].name,
                    str(body[:100], "utf-8", "replace"),
                )
        main, graphs = None, {}
        for body, is_main in bodies:
            graph = self._graph(body)
            if is_main:
                if main is not None:
                    raise CheckpointError(f"{self.path} has two main graphs.")
                main = graph
            elif graph.name in graphs:
                raise CheckpointError(f"{self.path} has two graphs that are called {graph.name[:80]!r}.")
            else:
                graphs[graph.name] = graph
        if main is None:
            raise CheckpointError(f"{self.path} is not a MindIR file, or it is encrypted: it holds no graph.")
        release = header.model_version or header.producer_version
        return Model(self.path, header.producer_name, release, 0, main, graphs)

    def _fields(self, data: memoryview) -> Iterator[tuple[int, memoryview]]:
        position, end = 0, len(data)
        while position < end:
            number, wire, start, stop = read_field(data, position, end)
            if wire == LENGTH:
                yield number, data[start:stop]
            position = stop

    def _message(self, kind: Any, body: memoryview) -> Any:
        return parse(kind, body, self.limits)

    def _parameter(self, body: memoryview) -> TensorData:
        """Read a tensor whose elements stay where they are: protobuf would copy them, and takes no 2 GB."""
        rest, raw, position = bytearray(), None, 0
        while position < len(body):
            number, wire, start, stop = read_field(body, position, len(body))
            if number == mind_ir.TensorProto.RAW_DATA_FIELD_NUMBER and wire == LENGTH:
                raw = body[start:stop]
            else:
                rest += body[position:stop]
            position = stop
        proto = self._message(mind_ir.TensorProto, memoryview(rest))
        tensor = tensor_of(proto, raw)
        if tensor.data is None:
            tensor.data = self._outside(proto.external_data, tensor)
        return tensor

    def _take_primitive(self, proto: Any) -> None:
        attributes = {one.name: value_of(one) for one in proto.attribute}
        is_function = proto.prim_type == mind_ir.PrimitiveProto.PRIMITIVE_FUNCTION
        self.primitives[proto.name] = Primitive(sys.intern(proto.op_type), attributes, is_function)

    def _graph(self, body: memoryview) -> Graph:
        graph, kind = Graph(""), mind_ir.GraphProto
        for number, part in self._fields(body):
            if number == kind.NODE_FIELD_NUMBER:
                self.allowance.spend(BYTES_OF_NODE)
                graph.nodes.append(self._node(self._message(mind_ir.NodeProto, part)))
            elif number == kind.NAME_FIELD_NUMBER:
                graph.name = str(part, "utf-8", "replace")
            elif number == kind.PARAMETER_FIELD_NUMBER:
                self._take_parameter(graph, self._parameter(part))
            elif number == kind.INPUT_FIELD_NUMBER:
                proto = self._message(mind_ir.ValueInfoProto, part)
                graph.inputs[proto.name] = _type_of(proto)
            elif number == kind.OUTPUT_FIELD_NUMBER:
                proto = self._message(mind_ir.ValueInfoProto, part)
                graph.outputs.append(proto.name)
                graph.results += _results(proto.attr_info) if proto.HasField("attr_info") else _tensors(proto)
            elif number == kind.MAP_PARAMETER_FIELD_NUMBER:
                raise CheckpointError(f"{self.path} has a map parameter, which is not read.")
        return graph

    def _take_parameter(self, graph: Graph, tensor: TensorData) -> None:
        short = tensor.name.removeprefix(f"{graph.name}:") if graph.name else tensor.name
        tensor.key = tensor.key or short
        if tensor.name in graph.parameters:
            raise CheckpointError(f"{self.path}: there are two parameters {tensor.name[:80]!r}.")
        graph.parameters[tensor.name] = tensor

    def _outside(self, place: Any, tensor: TensorData) -> memoryview | None:
        """Return the elements of a tensor that are in another file, beside this one."""
        if not place.location:
            return None
        folder = self.path.parent.resolve()
        path = (folder / place.location).resolve()
        if not path.is_relative_to(folder):
            raise CheckpointError(f"{self.path}: {tensor.key[:80]!r} is said to be outside of its folder.")
        if place.location not in self.beside:
            self.beside[place.location] = content(path, self.key, self.mode)
        data = self.beside[place.location]
        if not 0 <= place.offset <= len(data) - tensor.nbytes or place.length != tensor.nbytes:
            raise CheckpointError(
                f"{path} has no {tensor.nbytes} bytes at {place.offset}, where {tensor.key[:80]!r} should be."
            )
        return data[place.offset : place.offset + tensor.nbytes]

    def _node(self, proto: Any) -> Node:
        outputs = list(proto.output)
        name = outputs[0] if len(outputs) == 1 else proto.name
        if proto.op_type == "Constant":
            values = [one for one in proto.attribute if one.name == "value"]
            if len(values) != 1:
                raise CheckpointError(f"{self.path}: the constant {name[:80]!r} has no value.")
            return Node(name, None, value=value_of(values[0]))
        target: Primitive | str
        if proto.op_type.startswith(REFERENCE):
            called = proto.op_type[len(REFERENCE) :]
            target = self.primitives.get(called, called)
        else:
            settings = {one.name: value_of(one) for one in proto.attribute if not _is_shape(one)}
            target = Primitive(sys.intern(proto.op_type), settings)
        if isinstance(target, Primitive) and target.op == "Constant":
            raise CheckpointError(f"{self.path}: {name[:80]!r} calls a constant.")
        return Node(name, target, tuple(proto.input), proto.domain)


def _is_shape(attribute: Any) -> bool:
    """Whether an attribute of a node is the shapes and types of what it returns; before 1.7 it has no name."""
    return bool(attribute.name == "shape" or attribute.ref_attr_name.startswith("shape:"))


def _results(attribute: Any) -> list[TensorData]:
    """Return the types of the tensors in a tuple of results."""
    return [*_tensors(attribute), *(tensor for one in attribute.values for tensor in _tensors(one))]


def _tensors(proto: Any) -> list[TensorData]:
    several: Any = getattr(proto, "tensors", None) or getattr(proto, "tensor", ())
    return [tensor_of(one) for one in several if one.data_type in TYPES]


def _type_of(proto: Any) -> TensorData | Monad | None:
    if proto.denotation in MONADS:
        return MONADS[proto.denotation]
    return tensor_of(proto.tensor[0]) if len(proto.tensor) == 1 else None
