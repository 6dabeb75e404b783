"""Cell: a network or a layer, that owns parameters and other Cells.

Follows: mindspore.nn.Cell (2.10) and what earlier releases had.
"""

import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, Protocol, TypeVar
from weakref import WeakKeyDictionary

from msbridge.core.checks.arguments import instance
from msbridge.core.context import context
from msbridge.core.html.notebook_table import html_table
from msbridge.core.parameter.parameter import PARAMETER_NAME_DEFAULT, Parameter, ParameterTuple
from msbridge.core.runtime.call_wrappers import CELL_CALLS
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.call_settings import CallSettings
from msbridge.nn.cell.calls import call
from msbridge.nn.cell.compile_checks import check_compilation
from msbridge.nn.cell.compiled_calls import follow_level
from msbridge.nn.cell.conversion import Moving
from msbridge.nn.cell.error_location import add_location
from msbridge.nn.cell.flags import Flags
from msbridge.nn.cell.graph_calls import follow_mode
from msbridge.nn.cell.state_dict import register_cell_buffer_registration_hook as register_cell_buffer_registration_hook
from msbridge.nn.members.attaching import attach
from msbridge.nn.members.docstrings import complete

__all__ = ["Cell"]

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
_PARAMETERS = (Parameter, ParameterTuple)
FORGOTTEN = " Call super().__init__() first in the __init__ of the class."
_advised: set[tuple[str, str, str]] = set()  # (module, class, attribute) of lists of Cells that were warned of


class _Registry(OrderedDict):
    """The parameters or children of a Cell; its entries are attributes of the Cell as well."""

    def __init__(self, owner: "Cell") -> None:
        super().__init__()
        self._attributes = owner.__dict__

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        self._attributes[name] = value

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self._attributes.pop(name, None)

    def __reduce__(self) -> tuple:
        return OrderedDict, (list(self.items()),)

    def __deepcopy__(self, memo: dict) -> OrderedDict:
        raise TypeError("A Cell's registry is copied with its Cell.")


class _Constructs(Protocol[P, R]):
    """The protocol of objects that have a `construct`."""

    @property
    def construct(self) -> Callable[P, R]: ...


def replaceable(construct: Callable[..., R]) -> Callable[..., R]:
    """Mark a `construct` that subclasses define with other arguments, which type checkers allow then."""
    return construct


@CELL_CALLS.register
class Cell(Flags, Moving):
    """Base of all networks and layers; a subclass defines `construct`.

    A Cell is in inference mode until `set_train()`.

    Args:
        auto_prefix: name the parameters of children by the attribute path.
        flags: attributes to set.

    Inputs:
        args: what `construct` takes.
        kwargs: what `construct` takes by keyword.

    Outputs:
        What `construct` returns.

    Examples:
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.dense = nn.Dense(2, 3)
        ...     def construct(self, x):
        ...         return ops.relu(self.dense(x))
        >>> net = Net()
        >>> net(ops.ones((4, 2), ms.float32)).shape
        (4, 3)
        >>> [parameter.name for parameter in net.trainable_params()]
        ['dense.weight', 'dense.bias']

    Follows: mindspore.nn.Cell (2.10).
    """

    bprop: Callable[..., Any]
    global_cells: ClassVar[WeakKeyDictionary[Any, Any]] = WeakKeyDictionary()  # filled by MindSpore's compiler only
    total_instance_count = 0  # of Cells that are alive

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if cls.__module__.startswith("msbridge.nn."):  # what a subclass finds in it besides
            attach(cls)
            complete(cls)

    def __init__(self, auto_prefix: bool = True, flags: Mapping[str, Any] | None = None) -> None:
        attributes = self.__dict__
        attributes["_params"] = _Registry(self)
        attributes["_cells"] = _Registry(self)
        attributes["_auto_prefix"] = auto_prefix
        attributes["_flags"] = {}
        attributes["training"] = False
        attributes["requires_grad"] = False
        attributes["_param_prefix"] = ""
        Cell.total_instance_count += 1
        if hasattr(type(self), "bprop"):
            attributes["_special"] = CallSettings(self)
        if flags:
            self.add_flags(**flags)

    def __del__(self) -> None:
        if "_params" in self.__dict__ and Cell is not None:  # None while the interpreter ends
            Cell.total_instance_count -= 1

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs from the inputs; every subclass defines it.

        Raises:
            AttributeError: it is not defined.

        Follows: mindspore.nn.Cell.construct (2.10).
        """
        raise AttributeError(f"For '{type(self).__name__}', the method 'construct' is not defined.")

    if TYPE_CHECKING:  # a call takes and returns what `construct` does

        def __call__(self: "_Constructs[P, R]", *args: P.args, **kwargs: P.kwargs) -> R: ...

    else:

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            special = self._special  # once: another thread may remove the last hook
            try:
                if special is None:
                    return self.construct(*args, **kwargs)
                return call(self, special, args, kwargs)
            except Exception as error:
                try:
                    if (located := add_location(error, self)) is error:
                        raise
                    raise located from error
                finally:
                    del located  # or this frame and the error would keep the tensors of all frames alive

    def run_construct(self, cast_inputs: tuple, kwargs: dict[str, Any]) -> Any:
        """Call `construct` without hooks."""
        return self.construct(*cast_inputs, **kwargs)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Raise the error that a call with these inputs would end in; nothing is kept, for Cells run uncompiled.

        Args:
            args: inputs, or placeholders of them, `Tensor(shape=[None, 3], dtype=…)`.
            kwargs: further ones, by the names of the arguments of `construct`.

        Raises:
            Exception: anything that the call raises that needs no values of inputs and Parameters.

        Follows: mindspore.nn.Cell.compile (2.10).
        """
        check_compilation(self, args, kwargs, self.phase)

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """Call this Cell.

        Follows: mindspore.nn.Cell.compile_and_run (2.10).
        """
        return self(*args, **kwargs)

    def __setattr__(self, name: str, value: Any) -> None:
        attributes = self.__dict__
        if isinstance(value, _PARAMETERS):
            self._set_attr_for_param_or_param_tuple(name, value)
        elif isinstance(value, Cell):
            self._set_attr_for_cell(name, value)
        elif "_params" in attributes and name in self._params:
            self._write_parameter(name, value)
        elif "_cells" in attributes and name in self._cells:
            if value is not None:
                raise TypeError(f"For 'Cell', the type of {name} must be Cell or None, but got {type(value).__name__}.")
            self._cells[name] = None
        else:
            descriptor = getattr(type(self), name, None)
            if isinstance(descriptor, property):
                descriptor.__set__(self, value)
                return
            attributes[name] = value
            if type(value) in (list, tuple) and value and any(isinstance(item, Cell) for item in value):
                self._advise_cell_list(name, value)

    def _set_attr_for_param_or_param_tuple(self, name: str, value: Parameter | ParameterTuple) -> None:
        """Register a Parameter, or several that are in a tuple."""
        attributes = self.__dict__
        if isinstance(value, Parameter):
            if "_params" not in attributes:
                raise AttributeError("For 'insert_param_to_cell', please call Cell.__init__() firstly.")
            if self._params.get(name) is value:  # of `self.w += x`, which has written it
                return
            if name in self._cells:
                raise KeyError(f"For 'insert_param_to_cell', '{name}' is a child Cell of the network already.")
            if name not in self._params:
                attributes.pop(name, None)
            self.insert_param_to_cell(name, value)
            return
        for parameter in value:
            if not parameter._is_named:
                self._number_unnamed(parameter)
            self._params.setdefault(parameter.name, parameter)
        attributes[name] = value

    def _number_unnamed(self, parameter: Parameter) -> None:
        """Name a Parameter of a tuple that has no name: it is one of this Cell's."""
        self.__dict__["_unnamed"] = number = self.__dict__.get("_unnamed", 0) + 1
        parameter.name = f"{PARAMETER_NAME_DEFAULT}${number}"

    def _set_attr_for_cell(self, name: str, value: "Cell") -> None:
        """Register a Cell, whose parameters get the name as a prefix."""
        if "_cells" not in self.__dict__:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute '_auto_prefix'.{FORGOTTEN}")
        if name in self._params:
            raise KeyError(f"For 'insert_child_to_cell', '{name}' is a parameter of the network already.")
        if self._auto_prefix:
            value.update_parameters_name(name + ".")
        self._cells[name] = value

    def _replace_child(self, name: str, cell: "Cell") -> None:
        """Replace a child by another Cell; the names of its parameters stay."""
        self._cells[name] = cell

    def _write_parameter(self, name: str, value: Any) -> None:
        if value is None:
            del self._params[name]
            self.__dict__[name] = None
        elif isinstance(value, Tensor):
            self._params[name].set_data(value)
        else:
            raise TypeError(
                f"Parameter '{name}' already exists in network, can not assign this type: '{type(value)}' "
                "as a parameter."
            )

    def _advise_cell_list(self, name: str, value: list | tuple) -> None:
        key = (type(self).__module__, type(self).__qualname__, name)
        if key in _advised:
            return
        _advised.add(key)
        kind = type(value).__name__
        warnings.warn(
            f"{type(self).__name__}.{name} is a Python {kind} of Cells: their parameters are not registered, are not "
            "trained and not saved, and graph mode on an Ascend refuses it. Use nn.CellList or nn.SequentialCell.",
            stacklevel=3,
        )

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__:  # who calls this method expects what MindSpore's finds: parameters and Cells
            return self.__dict__[name]
        forgotten = "" if "_cells" in self.__dict__ else FORGOTTEN
        raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.{forgotten}")

    def __delattr__(self, name: str) -> None:
        if not self._remove_member(name) and name not in self.__dict__:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")
        self.__dict__.pop(name, None)

    def _remove_member(self, name: str) -> bool:
        is_member = False
        for registry in (self.__dict__.get("_params"), self.__dict__.get("_cells")):
            if registry is not None and name in registry:
                del registry[name]
                is_member = True
        return is_member

    def __bool__(self) -> bool:
        return True

    def __dir__(self) -> Iterable[str]:
        return [name for name in super().__dir__() if name.isidentifier()]

    def insert_param_to_cell(
        self, param_name: str, param: Parameter | None, check_name_contain_dot: bool = True
    ) -> None:
        """Register a parameter under a name; a parameter without a name of its own takes it.

        Raises:
            KeyError: the name has a dot, or belongs to another attribute.
            TypeError: `param` is not a Parameter.

        Follows: mindspore.nn.Cell.insert_param_to_cell (2.10).
        """
        if not param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not be None or empty.")
        if check_name_contain_dot and "." in param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not contain'.' ")
        if "_params" not in self.__dict__:
            raise AttributeError("For 'insert_param_to_cell', please call Cell.__init__() firstly.")
        if hasattr(self, param_name) and param_name not in self._params:
            raise KeyError(f"For 'insert_param_to_cell', the {param_name} parameter already exists in the network.")
        instance(param, "param", "insert_param_to_cell", (Parameter, type(None)))
        if param is not None and not param._is_named:
            param.name = param_name
        self._params[param_name] = param
        others = (other for other in self._params.values() if other is not None and other is not param)
        if param is not None and any(other.name == param.name for other in others):
            self._call_settings().is_naming = True

    def insert_child_to_cell(self, child_name: str, child_cell: "Cell | None") -> None:
        """Register a Cell under a name; the names of its parameters stay.

        Where there are equal ones now, all parameters get the names of their places at the first call.

        Raises:
            KeyError: the name is empty, has a dot, or belongs to another attribute.
            TypeError: `child_name` is not a string, or `child_cell` not a Cell.

        Follows: mindspore.nn.Cell.insert_child_to_cell (2.10).
        """
        instance(child_name, "child_name", "insert_child_to_cell", str)
        instance(child_cell, "child_cell", "insert_child_to_cell", (Cell, type(None)))
        self._check_child_name(child_name)
        self._cells[child_name] = child_cell
        names = [parameter.name for parameter in self.get_parameters()]
        if len(set(names)) < len(names):
            self._call_settings().is_naming = True

    def _tell_parameters_apart(self) -> None:
        """Name all parameters by their places, the attributes that lead to them, where two have one name."""
        named = list(self.parameters_and_names())
        if len({parameter.name for _, parameter in named}) < len(named):
            for name, parameter in named:
                parameter.name = name

    def _check_child_name(self, name: str) -> None:
        if not name or "." in name:
            raise KeyError("For 'insert_child_to_cell', the argument 'child_name' must be a string without dots.")
        if hasattr(self, name) and name not in self._cells:
            raise KeyError(f"For 'insert_child_to_cell', the {name} child cell already exists in the network.")

    def extend_repr(self) -> str:
        """Return the text in the parentheses of the Cell's printed form.

        Follows: mindspore.nn.Cell.extend_repr (2.10).
        """
        return ""

    def __repr__(self) -> str:
        extra = self.extend_repr()
        if not self._cells:
            return f"{self.cls_name}({extra})"
        lines = [extra] if extra else []
        lines += [f"({name}): {cell!r}" for name, cell in self._cells.items()]
        body = "\n".join(lines).replace("\n", "\n  ")
        return f"{self.cls_name}(\n  {body}\n)"

    def _repr_html_(self) -> str:
        rows = [
            (name, type(cell).__name__, cell.extend_repr(), f"{count:,}" if count else "")
            for name, cell in self.cells_and_names()
            for count in (sum(p.size for p in cell._params.values()),)
        ]
        total = sum(p.size for p in {id(p): p for p in self.get_parameters()}.values())
        return html_table(("layer", "class", "settings", "parameters"), rows, [f"{total:,} parameters"], numbers=(3,))

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in ("_params", "_cells", "_special")}
        names = (*self._params, *self._cells)
        return {
            "attributes": {name: value for name, value in state.items() if name not in names},
            "calls": {} if self._special is None else self._special.settings_of_copy(),
            "params": list(self._params.items()),
            "cells": list(self._cells.items()),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        Cell.total_instance_count += 1
        self.__dict__.update(state["attributes"])
        self.__dict__["_params"] = _Registry(self)
        self.__dict__["_cells"] = _Registry(self)
        for name, parameter in state["params"]:
            self._params[name] = parameter
        for name, cell in state["cells"]:
            self._cells[name] = cell
        if state["calls"] or hasattr(type(self), "bprop"):
            self._call_settings().take(state["calls"])
        self._announce_again()


context.on_change(follow_level)
context.on_change(follow_mode)


def _let_settings_act() -> None:
    """Import what limits the memory of gradient functions, and their precision, when a limit or precision is set."""
    if context.are_set("ascend_config", "max_device_memory", "variable_memory_max_size"):
        import msbridge.device.limits  # noqa: F401 - it follows the context by itself


context.on_change(_let_settings_act)
