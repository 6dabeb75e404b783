"""Attributes of a Cell for MindSpore's compiler and its parallel modes, which scripts and libraries set and read again.

Follows: mindspore.nn.Cell (2.10).
"""

import inspect
import time
from collections.abc import Callable
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from msbridge.core.checks.arguments import is_int
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["RECOMPUTED", "Marks"]

RECOMPUTED = "recompute_"  # how the scope of a Cell begins that is recomputed


def _make_typed_property(name: str, kind: type, make: Callable[[], Any]) -> Any:
    """Return a property of one type; `make` returns its value until it is set."""
    key = f"_{name}"

    def read(cell: Any) -> Any:
        marks = cell.__dict__
        return marks[key] if key in marks else marks.setdefault(key, make())

    def write(cell: Any, value: Any) -> None:
        if not isinstance(value, kind):
            raise TypeError(f"For 'Cell', the property '{name}' must be {kind.__name__}, got {type(value).__name__}.")
        cell.__dict__[key] = value

    return property(read, write)


def _stage_property(name: str, follow: Callable[[Any, int], None] | None = None) -> Any:
    """Return a property for the number of a pipeline's stage or segment; there is none until it is set.

    `follow` is called with a Cell and the number that it gets.
    """
    key = f"_{name}"

    def write(cell: Any, value: int) -> None:
        if not is_int(value):
            raise TypeError(f"For 'Cell', the property '{name}' must be int, got {value!r}.")
        if value < 0:
            raise ValueError(f"For 'Cell', the property '{name}' cannot be less than 0, got {value}.")
        cell.__dict__[key] = value
        if follow is not None:
            follow(cell, value)

    def read(cell: Any) -> int:
        if key not in cell.__dict__:
            raise AttributeError(f"The '{type(cell).__name__}' object has no attribute '{name}'.")
        number: int = cell.__dict__[key]
        return number

    return property(read, write)


def _give_stages(cell: Any, stage: int) -> None:
    """Note on Parameters the stage of their Cell; that of several Cells belongs to the earliest of their stages.

    A Cell inside that has a stage of its own keeps it, whichever was set first.
    """
    stage = cell.__dict__.get("_pipeline_stage", stage)
    for parameter in [one for one in cell._params.values() if one is not None]:
        stages = parameter.__dict__.setdefault("_stages", WeakKeyDictionary())
        stages[cell] = stage
        having = [of for one, of in stages.items() if any(parameter is other for other in one._params.values())]
        parameter.__dict__["_stage"] = min(having)
    for child in cell.cells():
        _give_stages(child, stage)


class Marks:
    """Notes on a Cell, most of which mean nothing without a compiler."""

    IGNORE_LIST: ClassVar[list[str]] = [
        *("_scope", "_cell_init_args", "_auto_prefix", "_cells", "_params", "_create_time", "_func_graph_flags"),
        *("_parameter_layout_dict", "_params_list", "_phase", "_bprop_debug", "_forward_pre_hook", "_forward_hook"),
        *("_backward_pre_hook", "_backward_hook", "_cell_backward_pre_hook", "_cell_backward_hook", "_param_prefix"),
        *("requires_grad", "cell_type", "_in_strategy", "_out_strategy"),
    ]

    phase: Any = _make_typed_property("phase", str, lambda: "train")
    cell_init_args: Any = _make_typed_property("cell_init_args", str, str)
    bprop_debug: Any = _make_typed_property("bprop_debug", bool, bool)
    parameter_layout_dict: Any = _make_typed_property("parameter_layout_dict", dict, dict)
    parallel_parameter_name_list: Any = _make_typed_property("parallel_parameter_name_list", list, tuple)
    parallel_parameter_merge_net_dict: Any = _make_typed_property("parallel_parameter_merge_net_dict", dict, dict)
    compile_cache: Any = _make_typed_property("compile_cache", set, set)
    phase_cache: Any = _make_typed_property("phase_cache", dict, dict)
    exist_names: Any = _make_typed_property("exist_names", set, set)
    exist_objs: Any = _make_typed_property("exist_objs", set, set)
    pipeline_stage: Any = _stage_property("pipeline_stage", _give_stages)
    pipeline_segment: Any = _stage_property("pipeline_segment")

    _scope: str | None = None
    _has_config_recompute = False
    _phase = "train"  # scripts read it; `set_train` sets a Cell's own
    cell_type: str | None = None
    compiled = False
    is_top_cell = False
    grad_ops_label = False
    arguments_key = ""

    @property
    def cls_name(self) -> str:
        """Name of the class."""
        return type(self).__name__

    @property
    def compile_phase(self) -> str | None:
        """MindSpore's name of what is compiled; setting it sets it for the Cells below, too."""
        return self.__dict__.get("_compile_phase")

    @compile_phase.setter
    def compile_phase(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"For 'Cell', the property 'compile_phase' must be str, got {type(value).__name__}.")
        for _, cell in self.cells_and_names():  # type: ignore[attr-defined]  # a Cell's
            cell.__dict__["_compile_phase"] = value

    @property
    def create_time(self) -> int:
        """The time of the first request, in nanoseconds."""
        return self.__dict__.setdefault("_create_time", time.time_ns())

    @property
    def _cell_tag(self) -> str:
        return f"{type(self).__module__}.{type(self).__qualname__}"

    def _get_name(self) -> str:
        return type(self).__name__

    @property
    def _construct_sig(self) -> inspect.Signature:
        return inspect.signature(self.construct)  # type: ignore[attr-defined]  # a Cell's

    @property
    def _primitives(self) -> dict[str, Primitive]:
        return {name: value for name, value in self.__dict__.items() if isinstance(value, Primitive)}

    def _get_prims_recursively(self) -> list[Primitive]:
        """Return the primitives that are attributes of this Cell or of one below it."""
        return [prim for _, cell in self.cells_and_names() for prim in cell._primitives.values()]  # type: ignore[attr-defined]

    def _check_construct_args(self, *args: Any) -> None:
        """Compare the number of positional inputs with what `construct` takes.

        Raises:
            TypeError: there are more or fewer.
        """
        parameters = self._construct_sig.parameters.values()
        if any(parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) for parameter in parameters):
            return
        taken = [parameter for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]
        needed = sum(parameter.default is parameter.empty for parameter in taken)
        if not needed <= len(args) <= len(taken):
            raise TypeError(f"For 'Cell', construct takes {needed} to {len(taken)} inputs, but got {len(args)}.")

    def get_func_graph_proto(self) -> None:
        """Return None, as MindSpore does for a Cell that it has not compiled.

        Follows: mindspore.nn.Cell.get_func_graph_proto (2.10).
        """

    def update_cell_type(self, cell_type: str) -> None:
        """Set `cell_type`, by which older releases recognized quantised and second-order networks.

        Follows: mindspore.nn.Cell.update_cell_type (2.10).
        """
        self.cell_type = cell_type

    def set_data_parallel(self) -> None:
        """Mark the primitives of this Cell and those below it for data parallelism, where nothing else was chosen.

        Follows: mindspore.nn.Cell.set_data_parallel (2.10).
        """
        for primitive in self._get_prims_recursively():
            primitive.add_prim_attr("strategy_gen_mode", "data_parallel")

    def remove_redundant_parameters(self) -> None:
        """Do nothing, as in MindSpore.

        Follows: mindspore.nn.Cell.remove_redundant_parameters (2.10).
        """

    def _get_cell_parallel_mode(self) -> bool:
        """Return False: no parameter is cut for several devices."""
        return False

    def _init_check(self) -> None:
        """Do nothing: parameters are filled when they are constructed."""

    def _self_check(self) -> None:
        """Check the names of the parameters."""
        self.check_names_and_refresh_name()  # type: ignore[attr-defined]  # a Cell's

    def _get_attr_from_cell(self, network: Any) -> None:
        """Take the jit configuration of another Cell."""
        self._compile_like(network)  # type: ignore[attr-defined]  # a Cell's

    def _set_jit_graph_name(self, key: str) -> None:
        self.__dict__["_jit_graph_name"] = key
