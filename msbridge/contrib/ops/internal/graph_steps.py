"""Primitives of MindSpore's compiler and of its engine, of which most cannot be called."""

from collections.abc import Sequence
from typing import Any, NoReturn

from msbridge.contrib.ops.internal import compiling
from msbridge.core.checks.arguments import instance, non_negative_int
from msbridge.core.types.dtype import Type
from msbridge.core.types.type_metaclass import type_to_type_id
from msbridge.ops.primitive.primitive import Primitive, PrimitiveWithInfer, derive


class GeSwitch(PrimitiveWithInfer):
    """Send data one way or the other by a condition, in a graph of the Ascend's engine.

    Inputs:
        data: anything.
        pred: anything.

    Outputs:
        Nothing.

    Raises:
        NotImplementedError: (when called) always: it is a step of graphs; use `if`.

    Follows: mindspore.ops.GeSwitch (2.10).
    """

    def __init__(self) -> None:
        super().__init__("GeSwitch")

    def __call__(self, data: Any, pred: Any) -> NoReturn:
        raise NotImplementedError("GeSwitch is a step of graphs of the Ascend. Use Python's `if`.")


class Merge(PrimitiveWithInfer):
    """Take what came of several ways, in a graph of the Ascend's engine.

    Inputs:
        args: anything.

    Outputs:
        Nothing.

    Raises:
        NotImplementedError: (when called) always: it is a step of graphs; use `if`.

    Follows: mindspore.ops.Merge (2.10).
    """

    def __init__(self) -> None:
        super().__init__("Merge")

    def __call__(self, *args: Any) -> NoReturn:
        raise NotImplementedError("Merge is a step of graphs of the Ascend. Use Python's `if`.")


class GetNext(Primitive):
    """Take the next batch of a queue that a dataset sends to the device.

    Args:
        types: the dtypes of its columns.
        shapes: their shapes.
        output_num: how many there are.
        shared_name: the name of the queue.

    Outputs:
        Nothing.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `output_num` is negative.
        RuntimeError: (when called) always: the way of the data belongs to the network it is connected with.

    Follows: mindspore.ops.GetNext (2.10), which has no kernel on the CPU.
    """

    def __init__(
        self, types: Sequence[Type], shapes: Sequence[Sequence[int]], output_num: int, shared_name: str
    ) -> None:
        super().__init__("GetNext")
        self.add_prim_attr("types", instance(types, "types", self.name, (list, tuple)))
        self.add_prim_attr("shapes", instance(shapes, "shapes", self.name, (list, tuple)))
        self.add_prim_attr("output_num", non_negative_int(output_num, "output_num", self.name))
        self.add_prim_attr("shared_name", shared_name)

    def __call__(self) -> NoReturn:
        raise RuntimeError(
            f"For 'GetNext', there is no queue {self.attrs['shared_name']!r} to read by itself. Use mindspore."
            "connect_network_with_dataset, whose network takes the batches."
        )


class _OfServers(PrimitiveWithInfer):
    """Base of what speaks with a parameter server."""

    def __call__(self, *args: Any) -> NoReturn:
        raise RuntimeError(f"{self.name} needs a parameter server, which msbridge does not run. Use the optimizer.")


class Pull(_OfServers):
    """Take a weight from a parameter server.

    Outputs:
        Nothing.

    Raises:
        RuntimeError: (when called) always: there are no servers here.

    Follows: mindspore.ops.Pull (2.10).
    """

    def __init__(self) -> None:
        super().__init__("Pull")
        self.add_prim_attr("primitive_target", "CPU")


class Push(_OfServers):
    """Send the inputs of an optimizer to a parameter server.

    Args:
        optim_type: the optimizer.
        only_shape_indices: which inputs are sent by their shape only.

    Outputs:
        Nothing.

    Raises:
        RuntimeError: (when called) always: there are no servers here.

    Follows: mindspore.ops.Push (2.10).
    """

    def __init__(self, optim_type: str = "ApplyMomentum", only_shape_indices: Sequence[int] | None = None) -> None:
        super().__init__("Push")
        self.add_prim_attr("optim_type", optim_type)
        self.add_prim_attr("only_shape_indices", only_shape_indices)
        self.add_prim_attr("primitive_target", "CPU")
        self.add_prim_attr("side_effect_hidden", True)


class DtypeToEnum(Primitive):
    """Return the number of a dtype in MindSpore's engine: `DtypeToEnum()(op_name, arg_name, dtype)`.

    Inputs:
        op_name: the operator, for messages.
        arg_name: its argument, for messages.
        dtype: a MindSpore dtype.

    Outputs:
        An int.

    Raises:
        TypeError: (when called) `dtype` is none of mindspore.

    Follows: mindspore.ops.DtypeToEnum (2.10).
    """

    def __init__(self) -> None:
        super().__init__("DtypeToEnum")

    def __call__(self, op_name: str, arg_name: str, dtype: Type) -> int:
        return type_to_type_id(instance(dtype, arg_name, op_name, Type))


RefToEmbed = derive("RefToEmbed", compiling.ref_to_embed)
geswitch, merge = GeSwitch(), Merge()
