"""Members that Cells of earlier releases had, and 2.10 has no more."""

from typing import Any, NoReturn

import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.memory import fix_memory
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.distributed.parallel import _get_global_rank, _get_stage_device_num
from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.precision import MixedPrecisionType
from msbridge.nn.members.attaching import P, member_of

_PRECISIONS = {MixedPrecisionType.FP16: mstype.float16, MixedPrecisionType.FP32: mstype.float32}


def auto_cast_inputs(self: Cell, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the inputs, floating Tensors in the type in which this Cell computes.

    Follows: mindspore.nn.Cell.auto_cast_inputs (2.0).
    """
    dtype = _PRECISIONS.get(self.get_mixed_precision_type())
    if dtype is None:
        return inputs
    return tuple(_lower(value, dtype) for value in inputs)


def cast_param(self: Cell, param: Parameter) -> Parameter:
    """Return the parameter: it is cast in the call of the Cell, when it is used.

    Follows: mindspore.nn.Cell.cast_param (2.0).
    """
    return param


def exec_checkpoint_graph(self: Cell) -> NoReturn:
    """Refuse to run the compiled graph that saves a checkpoint.

    Raises:
        RuntimeError: always, as in MindSpore where nothing was compiled.

    Follows: mindspore.nn.Cell.exec_checkpoint_graph (2.0).
    """
    raise RuntimeError(
        "Cell.exec_checkpoint_graph: nothing was compiled for the phase 'save'. Use mindspore.save_checkpoint."
    )


def flatten_weights(self: Cell, fusion_size: int = 0) -> list[Tensor]:
    """Lay the parameters of each dtype in one block of memory.

    Args:
        self: the Cell.
        fusion_size: most bytes of a block; 0 for no limit.

    Returns:
        The blocks.

    Follows: mindspore.nn.Cell.flatten_weights (2.0).
    """
    groups: dict[torch.dtype, list[list[Parameter]]] = {}
    for parameter in self.get_parameters():
        blocks = groups.setdefault(parameter._data.dtype, [[]])
        used = sum(other.nbytes for other in blocks[-1])
        if fusion_size and blocks[-1] and used + parameter.nbytes > fusion_size:
            blocks.append([])
        blocks[-1].append(parameter)
    return [_flatten_block(block) for blocks in groups.values() for block in blocks]


def infer_param_pipeline_stage(self: Cell) -> list[Parameter]:
    """Return the trainable parameters of this process's stage of a pipeline.

    Raises:
        RuntimeError: a parameter belongs to no stage.

    Follows: mindspore.nn.Cell.infer_param_pipeline_stage (2.0).
    """
    stage = _get_global_rank() // max(1, _get_stage_device_num())
    staged = []
    trainable = self.trainable_params()
    for parameter in trainable:
        marks = vars(parameter)
        stages = marks.get("_pipeline_stage_list") or ([marks["_stage"]] if "_stage" in marks else [])
        if not stages:
            raise RuntimeError(
                f"For 'infer_param_pipeline_stage', the parameter {parameter.name} belongs to no stage: set "
                "pipeline_stage of its Cell, or call its add_pipeline_stage."
            )
        if stage in stages:
            marks["_trained_with"] = trainable  # a gradient goes through all stages to reach those of one
            staged.append(parameter)
    return staged


def load_parameter_slice(self: Cell, params: Any) -> None:
    """Do nothing: one process has all weights.

    Follows: mindspore.nn.Cell.load_parameter_slice (2.0).
    """


def place(self: Cell, role: str, rank_id: int) -> NoReturn:
    """Refuse to run this Cell in another process.

    Raises:
        TypeError: `rank_id` is not an int.
        ValueError: another role than "MS_WORKER".
        RuntimeError: always, as in MindSpore's PyNative mode.

    Follows: mindspore.nn.Cell.place (2.0).
    """
    if role != "MS_WORKER":
        raise ValueError(f"For 'Cell.place', the 'role' must be 'MS_WORKER', but got {role!r}.")
    instance(rank_id, "rank_id", "Cell.place", int)
    raise RuntimeError("Cell.place: msbridge runs a Cell in the process that calls it.")


def set_auto_parallel(self: Cell) -> None:
    """Do nothing: the parallel mode is the context's.

    Follows: mindspore.nn.Cell.set_auto_parallel (2.0).
    """


def auto_parallel_compile_and_run(self: Cell) -> bool:
    """Return False: nothing is compiled for several devices.

    Follows: mindspore.nn.Cell.auto_parallel_compile_and_run (1.0).
    """
    return False


def set_parallel_input_with_inputs(self: Cell, *inputs: Any) -> None:
    """Do nothing: inputs are not sliced.

    Follows: mindspore.nn.Cell.set_parallel_input_with_inputs (2.0).
    """


def set_param_fl(
    self: Cell, push_to_server: bool = False, pull_from_server: bool = False, requires_aggr: bool = True
) -> None:
    """Accept how federated learning is to treat the parameters; there is none.

    Follows: mindspore.nn.Cell.set_param_fl (2.0).
    """
    if push_to_server or pull_from_server or not requires_aggr:
        without_effect("mindspore.nn.Cell.set_param_fl")


def set_param_ps(self: Cell, recurse: bool = True, init_in_server: bool = False) -> None:
    """Refuse to keep trainable parameters on a parameter server.

    Raises:
        RuntimeError: always, where there are trainable parameters.

    Follows: mindspore.nn.Cell.set_param_ps (2.0).
    """
    for parameter in self.trainable_params(recurse):
        getattr(parameter, "set_param_ps")(init_in_server)  # noqa: B009 - a Parameter's of these releases


def _lower(value: Any, dtype: mstype.Type) -> Any:
    if isinstance(value, Tensor) and value.is_floating_point():
        return value.astype(dtype)
    if isinstance(value, tuple):
        return tuple(_lower(one, dtype) for one in value)
    return value


def _flatten_block(block: list[Parameter]) -> Tensor:
    flat = torch.cat([parameter._data.reshape(-1) for parameter in block])
    start = 0
    for parameter in block:
        shape = parameter._data.shape
        parameter._data = flat[start : start + shape.numel()].view(shape)
        fix_memory(parameter)
        start += shape.numel()
    return wrap(flat)


_METHODS = (
    *(auto_cast_inputs, auto_parallel_compile_and_run, cast_param, exec_checkpoint_graph, flatten_weights),
    *(infer_param_pipeline_stage, load_parameter_slice, place, set_auto_parallel, set_parallel_input_with_inputs),
    *(set_param_fl, set_param_ps),
)
OVERRIDES = {
    "nn.Cell.cast": member_of(Cell, "cast", P.Cast),  # for the `construct` of subclasses, which scripts take for given
    **{f"nn.Cell.{method.__name__}": method for method in _METHODS},
}
