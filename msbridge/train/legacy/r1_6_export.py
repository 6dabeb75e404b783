"""`.mindir` files of 1.1 to 1.6: nodes have their attributes themselves, and a text beside a value is its structure.

today                                  then
node: op_type "REF::Pad:3"             node: op_type "Pad", and what follows as its attributes
primitive: name "Pad:3", op_type "Pad"
  paddings: TUPLE of TUPLEs of INT64   paddings: ints 0 0 1 1, type INT64,
                                         ref_attr_name "scalar:Tuple[Tuple[value1,value2,],Tuple[value3,value4,],],"
"""

import importlib
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msbridge.converters.messages.mind_ir import AttributeProto, NodeProto
from msbridge.core.releases.overrides import Part

IR_VERSION, RELEASE = "0.1.0", "1.6.0"
REFERENCE = "REF::"
INPUT_NAMES = {  # of primitives whose constant inputs become attributes there, by these names
    "Cast": ("x", "dst_type"),
    "CumProd": ("x", "axis"),
    "CumSum": ("x", "axis"),
    "ExpandDims": ("x", "axis"),
    "Gather": ("params", "indices", "axis"),
    "GatherD": ("x", "dim", "index"),
    "OneHot": ("indices", "depth", "on_value", "off_value"),
    "ReduceAll": ("input_x", "axis"),
    "ReduceAny": ("input_x", "axis"),
    "ReduceMax": ("input_x", "axis"),
    "ReduceMean": ("input_x", "axis"),
    "ReduceMin": ("input_x", "axis"),
    "ReduceProd": ("input_x", "axis"),
    "ReduceSum": ("input_x", "axis"),
    "Reshape": ("tensor", "shape"),
    "StridedSlice": ("x", "begin", "end", "strides"),
    "Tile": ("x", "multiples"),
    "TopK": ("input", "k"),
    "Transpose": ("x", "perm"),
}
LACKING = {  # primitives that are written today, and that 1.6.2 does not have
    *("AdaptiveMaxPool2D", "AdaptiveMaxPool3D", "Angle", "FillV2", "LogMatrixDeterminant", "LogicalXor"),
    *("MatrixDeterminant", "Polar", "ScalarAdd", "ScalarMul", "SiLU", "TensorMove", "TensorScatterMul"),
}
_module = importlib.import_module("msbridge.train.export")  # whose name in its package is the function
_todays = _module._export_mindir


def _export_mindir(
    net: Any, inputs: Any, target: Path, enc_key: bytes | None, enc_mode: Any, custom_func: Callable[[Any], None] | None
) -> None:
    """Write a network as 1.6 did; `custom_func` is of later releases."""
    _todays(net, inputs, target, enc_key, enc_mode, _rewrite)


def _rewrite(model: Any) -> None:
    """Change the message of a network into the one of then.

    Raises:
        RuntimeError: there were no primitives for what the network computes; names them.
    """
    primitives = {one.name: one for one in model.primitives}
    lacking = sorted({one.op_type for one in model.primitives} & LACKING)
    if lacking:
        raise RuntimeError(
            f"For 'export', releases of MindSpore before 1.7 have no primitive {', '.join(lacking)}, which the network "
            "needs: follow 1.7 or a later release to write this file."
        )
    types: dict[int, Any] = {}
    for node in model.graph.node:
        today = list(node.attribute)
        del node.attribute[:]
        primitive = primitives.get(node.op_type.removeprefix(REFERENCE))
        if primitive is None:  # a constant
            node.attribute.extend(map(_value, today))
            continue
        node.op_type = primitive.op_type
        node.attribute.extend(_shape(one) for one in today)
        node.attribute.extend(_value(one) for one in primitive.attribute)
        if node.op_type == "Cast":
            _take_type(node, types)
        if names := INPUT_NAMES.get(node.op_type):
            texts = [name.encode() for name in names]
            node.attribute.append(_sequence("input_names", "List", AttributeProto.STRING, strings=texts))
    every = [*types.values(), *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(every)
    _pool_images(model.graph)
    for output in model.graph.output:
        if output.HasField("attr_info"):
            output.attr_info.CopyFrom(_shape(output.attr_info))
    del model.primitives[:]
    model.ClearField("mind_ir_version")
    model.ir_version, model.model_version = IR_VERSION, RELEASE


def _take_type(cast: Any, types: dict[int, Any]) -> None:
    """Let a cast take the type as a constant; it takes its number today."""
    (wanted,) = (one for one in cast.attribute if one.name == "dst_type")
    constant = types.setdefault(wanted.tensors[0].data_type, NodeProto(op_type="Constant"))
    if not constant.name:
        constant.name = f"Constant_type_{len(types)}"
        constant.output.append(constant.name)
        constant.attribute.add().CopyFrom(wanted)
        constant.attribute[0].name = "value"
    del cast.input[1:]
    cast.input.append(constant.name)


def _pool_images(graph: Any) -> None:
    """Let averages of images be computed as such: volumes had no kernel on a CPU.

    x -> ExpandDims -> AvgPool3D -> Squeeze    becomes    x -> AvgPool
    """
    nodes, replaced = {one.output[0]: one for one in graph.node}, []
    for last in graph.node:
        pooled = nodes.get(last.input[0]) if last.op_type == "Squeeze" else None
        if pooled is None or pooled.op_type != "AvgPool3D":
            continue
        settings = {one.name: one for one in pooled.attribute}
        if any(settings["pad_list"].ints) or settings["ceil_mode"].i or settings["divisor_override"].i:
            continue
        longer = nodes[pooled.input[0]]
        replaced += [pooled, longer]
        shape = next(one for one in last.attribute if not one.name)
        sizes = {name: (1, 1, *settings[name].ints[-2:]) for name in ("kernel_size", "strides")}
        words = {"pad_mode": b"VALID", "format": b"NCHW"}
        last.op_type, last.input[0] = "AvgPool", longer.input[0]
        del last.attribute[:]
        last.attribute.append(shape)
        last.attribute.extend(_sequence(name, "Tuple", AttributeProto.INT64, ints=size) for name, size in sizes.items())
        last.attribute.extend(
            AttributeProto(name=name, s=word, type=AttributeProto.STRING, ref_attr_name="scalar:value0")
            for name, word in words.items()
        )
    for node in replaced:
        if not any(node.output[0] in one.input for one in graph.node):
            graph.node.remove(node)


def _sequence(name: str, form: str, kind: int, **items: Any) -> Any:
    """Return an attribute of several values."""
    (values,) = items.values()
    words = "".join(f"value{number}," for number, _ in enumerate(values, 1))
    return AttributeProto(name=name, type=kind, ref_attr_name=f"scalar:{form}[{words}],", **items)


def _shape(today: Any) -> Any:
    """Return the shapes and types of what a node returns."""
    if today.type == AttributeProto.UMONAD:
        return AttributeProto(ref_attr_name="shape:UMonadType,")
    then = AttributeProto()
    names = (f"shape{number}" for number in itertools.count(1))

    def put(result: Any) -> str:
        if result.type == AttributeProto.TUPLE:
            return f"Tuple[{''.join(map(put, result.values))}],"
        tensor = then.tensors.add()
        tensor.CopyFrom(result.tensors[0])
        tensor.name = next(names)
        if result.type == AttributeProto.SCALAR:
            del tensor.dims[:]
            tensor.dims.append(1)
        return f"{tensor.name},"

    then.ref_attr_name = f"shape:{put(today)}"
    return then


def _value(today: Any) -> Any:
    """Return an attribute, or the value of a constant.

    Raises:
        ValueError: it is a tuple of values of several types, or has no form in these releases.
    """
    then = AttributeProto(name=today.name)
    if today.type == AttributeProto.UMONAD:
        then.ref_attr_name = "Monad:UMonad"
    elif today.type == AttributeProto.NONE:
        then.ref_attr_name = "none"
    elif today.type == AttributeProto.TENSORS:
        then.CopyFrom(today)
        is_type = not today.tensors[0].HasField("raw_data")
        then.ref_attr_name = f"{'type' if is_type else 'tensor'}:value0"
    elif today.type == AttributeProto.TUPLE:
        names = (f"value{number}" for number in itertools.count(1))
        leaves = list(_leaves(today))
        kinds = {one.type for one in leaves}
        if len(kinds) > 1:
            raise ValueError(
                f"For 'export', a constant of a node holds values of several types, which files of MindSpore {RELEASE} "
                "and earlier cannot: follow 1.7 or a later release."
            )
        for leaf in leaves:
            for field in ("ints", "floats", "strings", "tensors"):
                getattr(then, field).extend(getattr(leaf, field))
        then.type = kinds.pop() if kinds else AttributeProto.TENSORS

        def words(value: Any) -> str:
            is_tuple = value.type == AttributeProto.TUPLE
            return f"Tuple[{''.join(map(words, value.values))}]," if is_tuple else f"{next(names)},"

        then.ref_attr_name = f"scalar:{words(today)}"
    else:
        then.CopyFrom(today)
        then.ref_attr_name = "scalar:value0"
    return then


def _leaves(value: Any) -> Iterator[Any]:
    if value.type == AttributeProto.TUPLE:
        for item in value.values:
            yield from _leaves(item)
    else:
        yield value


OVERRIDES = {"export": Part(_module, "_export_mindir", _export_mindir)}
