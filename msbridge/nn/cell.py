"""Cell: a network or a layer, that owns parameters and other Cells.

Follows: mindspore.nn.Cell (2.10) and what earlier releases had.
"""

import itertools
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self

import torch

from msbridge.core import dtype as mstype
from msbridge.core.parameter import Parameter, ParameterTuple
from msbridge.core.recording import RepeatedCall
from msbridge.core.tensor import Tensor, as_torch, wrap
from msbridge.core.trees import map_tensors
from msbridge.nn.calling import CallSettings, HookHandle, call

_serial = itertools.count()
_PRECISIONS: dict[mstype.Type, torch.dtype] = {
    mstype.float16: torch.float16,
    mstype.float32: torch.float32,
    mstype.bfloat16: torch.bfloat16,
}


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


class Cell:
    """Base of all networks and layers; a subclass defines `construct`.

    A Cell is in inference mode until `set_train()`.

    Args:
        auto_prefix: name the parameters of children by the attribute path.
        flags: attributes to set.

    Follows: mindspore.nn.Cell (2.10).
    """

    _special: CallSettings | None = None
    _casts_parameters = True  # under to_float; a Cell may compute with its parameters as they are
    phase = "train"
    parameter_layout_dict: Mapping[str, Any] = {}
    bprop: Callable[..., Any]

    def __init__(self, auto_prefix: bool = True, flags: Mapping[str, Any] | None = None) -> None:
        attributes = self.__dict__
        attributes["_params"] = _Registry(self)
        attributes["_cells"] = _Registry(self)
        attributes["_auto_prefix"] = auto_prefix
        attributes["_flags"] = {}
        attributes["training"] = False
        attributes["requires_grad"] = False
        attributes["_param_prefix"] = ""
        attributes["cls_name"] = type(self).__name__
        if hasattr(type(self), "bprop"):
            attributes["_special"] = CallSettings()
        if flags:
            self.add_flags(**flags)

    # -- calling -----------------------------------------------------------------------------------------------------

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs from the inputs; every subclass defines it.

        Raises:
            AttributeError: it is not defined.

        Follows: mindspore.nn.Cell.construct (2.10).
        """
        raise AttributeError(f"For '{type(self).__name__}', the method 'construct' is not defined.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._special is None:
            return self.construct(*args, **kwargs)
        return call(self, self._special, args, kwargs)

    def run_construct(self, cast_inputs: tuple, kwargs: dict[str, Any]) -> Any:
        """Call `construct` without hooks."""
        return self.construct(*cast_inputs, **kwargs)

    # -- attributes --------------------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        attributes = self.__dict__
        if isinstance(value, Parameter):
            if "_params" not in attributes:
                raise AttributeError("For 'insert_param_to_cell', please call Cell.__init__() firstly.")
            self._forget(name)
            self.insert_param_to_cell(name, value)
        elif isinstance(value, Cell):
            if "_cells" not in attributes:
                raise AttributeError(f"The '{type(self).__name__}' object has no attribute '_auto_prefix'.")
            self._forget(name)
            if self._auto_prefix:
                value.update_parameters_name(name + ".")
            self._cells[name] = value
        elif isinstance(value, ParameterTuple):
            for parameter in value:
                self._params.setdefault(parameter.name, parameter)
            attributes[name] = value
        elif "_params" in attributes and name in self._params:
            self._write_parameter(name, value)
        elif "_cells" in attributes and name in self._cells:
            if value is not None:
                raise TypeError(f"For 'Cell', the type of {name} must be Cell or None, but got {type(value).__name__}.")
            del self._cells[name]
            attributes[name] = None
        else:
            descriptor = getattr(type(self), name, None)
            if isinstance(descriptor, property):
                descriptor.__set__(self, value)
                return
            attributes[name] = value
            if type(value) in (list, tuple) and value and any(isinstance(item, Cell) for item in value):
                self._advise_cell_list(name, value)

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
        if key in _ADVISED:
            return
        _ADVISED.add(key)
        kind = type(value).__name__
        warnings.warn(
            f"{type(self).__name__}.{name} is a Python {kind} of Cells: their parameters are not registered, are not "
            "trained and not saved, and graph mode on an Ascend refuses it. Use nn.CellList or nn.SequentialCell.",
            stacklevel=3,
        )

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")

    def __delattr__(self, name: str) -> None:
        if not self._forget(name) and name not in self.__dict__:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")
        self.__dict__.pop(name, None)

    def _forget(self, name: str) -> bool:
        found = False
        for registry in (self.__dict__.get("_params"), self.__dict__.get("_cells")):
            if registry is not None and name in registry:
                del registry[name]
                found = True
        return found

    def __dir__(self) -> Iterable[str]:
        return [name for name in super().__dir__() if name.isidentifier()]

    # -- registration ------------------------------------------------------------------------------------------------

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
        if hasattr(self, param_name) and param_name not in self._params and param_name not in self.__dict__:
            raise KeyError(f"For 'insert_param_to_cell', the {param_name} parameter already exists in the network.")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"For 'insert_param_to_cell', the argument 'param' must be 'Parameter', but got {type(param)}."
            )
        if param is not None and not param._is_named:
            param.name = param_name
        self._params[param_name] = param

    def insert_child_to_cell(self, child_name: str, child_cell: "Cell | None") -> None:
        """Register a Cell under a name; the names of its parameters stay.

        Raises:
            KeyError: the name belongs to another attribute.
            TypeError: `child_cell` is not a Cell.

        Follows: mindspore.nn.Cell.insert_child_to_cell (2.10).
        """
        if not child_name:
            raise KeyError("For 'insert_child_to_cell', the argument 'child_name' should not be None or empty.")
        if child_cell is not None and not isinstance(child_cell, Cell):
            raise TypeError(
                "For 'insert_child_to_cell', the argument 'child_cell' must be 'Cell' if not None, "
                f"but got type {type(child_cell)}."
            )
        if hasattr(self, child_name) and child_name not in self._cells:
            raise KeyError(f"For 'insert_child_to_cell', the {child_name} child cell already exists in the network.")
        self._cells[child_name] = child_cell

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Keep a Tensor that is no parameter.

        Raises:
            KeyError: the name has a dot or is taken.
            TypeError: `tensor` is not a Tensor.

        Follows: mindspore.nn.Cell.register_buffer (2.10).
        """
        if not isinstance(name, str) or "." in name or not name:
            raise KeyError(f"For 'register_buffer', name must be a text without dots, got {name!r}.")
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"For 'register_buffer', attribute {name!r} already exists.")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"For 'register_buffer', tensor must be a Tensor, got {type(tensor).__name__}.")
        self._buffers[name] = persistent
        self.__dict__[name] = tensor

    @property
    def _buffers(self) -> dict[str, bool]:
        return self.__dict__.setdefault("_buffer_names", {})

    def named_buffers(self, name_prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """Give (path, Tensor) of every buffer."""
        cells = self.cells_and_names(name_prefix) if recurse else [(name_prefix, self)]
        for path, cell in cells:
            for name in cell.__dict__.get("_buffer_names", ()):
                if cell.__dict__[name] is not None:
                    yield _join(path, name), cell.__dict__[name]

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Give every buffer."""
        return (tensor for _, tensor in self.named_buffers(recurse=recurse))

    # -- walking -----------------------------------------------------------------------------------------------------

    def cells(self) -> Iterable["Cell"]:
        """Give the direct children.

        Follows: mindspore.nn.Cell.cells (2.10).
        """
        return self.name_cells().values()

    def name_cells(self) -> OrderedDict[str, "Cell"]:
        """Give the direct children by name, each once.

        Follows: mindspore.nn.Cell.name_cells (2.10).
        """
        found: OrderedDict[str, Cell] = OrderedDict()
        seen = set()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                found[name] = cell
        return found

    def cells_and_names(self, name_prefix: str = "", cells: set["Cell"] | None = None) -> Iterator[tuple[str, "Cell"]]:
        """Give (path, Cell) of this Cell and all below it, depth first, each once.

        Follows: mindspore.nn.Cell.cells_and_names (2.10).
        """
        seen = set() if cells is None else cells
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(_join(name_prefix, name), seen)

    def get_sub_cell(self, target: str) -> "Cell":
        """Give the Cell at a path such as "encoder.layers.0".

        Raises:
            AttributeError: there is none.
        """
        cell = self
        for name in filter(None, target.split(".")):
            child = cell._cells.get(name)
            if child is None:
                raise AttributeError(f"The '{type(cell).__name__}' object has no sub cell '{name}' (of '{target}').")
            cell = child
        return cell

    def parameters_and_names(self, name_prefix: str = "", expand: bool = True) -> Iterator[tuple[str, Parameter]]:
        """Give (path, Parameter) of this Cell and, with `expand`, all below it, each once.

        Follows: mindspore.nn.Cell.parameters_and_names (2.10).
        """
        seen = set()
        cells = self.cells_and_names(name_prefix) if expand else [(name_prefix, self)]
        for path, cell in cells:
            for name, parameter in cell._params.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield _join(path, name), parameter

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """Give the parameters of this Cell and, with `expand`, all below it.

        Follows: mindspore.nn.Cell.get_parameters (2.10).
        """
        for _, parameter in self.parameters_and_names(expand=expand):
            yield parameter

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """Give the parameters by their names.

        Follows: mindspore.nn.Cell.parameters_dict (2.10).
        """
        return OrderedDict((parameter.name, parameter) for parameter in self.get_parameters(recurse))

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """Give the parameters that require gradients.

        Follows: mindspore.nn.Cell.trainable_params (2.10).
        """
        return [parameter for parameter in self.get_parameters(recurse) if parameter.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """Give the parameters that require no gradients.

        Follows: mindspore.nn.Cell.untrainable_params (2.10).
        """
        return [parameter for parameter in self.get_parameters(recurse) if not parameter.requires_grad]

    def parameters_broadcast_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter] | None:
        """Give the parameters that data parallel training broadcasts, or None."""
        found = OrderedDict((p.name, p) for p in self.get_parameters(recurse) if not p.layerwise_parallel)
        return found or None

    # -- names -------------------------------------------------------------------------------------------------------

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Name every parameter `prefix` and its path within this Cell.

        Raises:
            TypeError: `prefix` is not a text.

        Follows: mindspore.nn.Cell.update_parameters_name (2.10).
        """
        if not isinstance(prefix, str):
            raise TypeError(f"For 'update_parameters_name', prefix must be a str, got {type(prefix).__name__}.")
        for name, parameter in self.parameters_and_names(expand=recurse):
            if prefix:
                parameter.is_init = False
            parameter.name = prefix + name

    def update_cell_prefix(self) -> None:
        """Note every Cell's path in `param_prefix`."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    @property
    def param_prefix(self) -> str:
        """The path of this Cell, once `update_cell_prefix` was called on the network."""
        return self._param_prefix

    def check_names(self) -> None:
        """Check that the names of the parameters differ.

        Raises:
            ValueError: two parameters have one name.

        Follows: mindspore.nn.Cell.check_names (2.10).
        """
        seen = set()
        for path, parameter in self.parameters_and_names():
            if parameter.name in seen:
                raise ValueError(
                    f"The value of {path} is {parameter}, its name '{parameter.name}' already exists. "
                    "Please set a unique name for the parameter."
                )
            seen.add(parameter.name)

    def check_names_and_refresh_name(self) -> None:
        """Check that the names of the parameters differ; those without a name take their path."""
        for path, parameter in self.parameters_and_names():
            if not parameter._is_named:
                parameter.name = path
        self.check_names()

    # -- modes -------------------------------------------------------------------------------------------------------

    def set_train(self, mode: bool = True) -> Self:
        """Switch training on or off, for this Cell and all below it.

        Follows: mindspore.nn.Cell.set_train (2.10).
        """
        for _, cell in self.cells_and_names():
            cell.__dict__["training"] = mode
        return self

    def set_grad(self, requires_grad: bool = True) -> Self:
        """Say that gradients of this Cell will be asked for.

        Gradients are recorded by gradient functions alone. But a step that calls this Cell in training, and then takes
        the gradient of the same call, counts as one run for the statistics of BatchNorm.

        Follows: mindspore.nn.Cell.set_grad (2.10).
        """
        self.requires_grad = requires_grad
        self._call_settings().repeated_call = RepeatedCall() if requires_grad else None
        self._refresh_call()
        return self

    def to_float(self, dst_type: mstype.Type) -> Self:
        """Compute in another floating type: inputs and parameters are cast for the call; the parameters stay.

        Args:
            dst_type: float16, float32 or bfloat16; holds for this Cell and all below it, until set anew there.

        Raises:
            ValueError: another type.

        Follows: mindspore.nn.Cell.to_float (2.10).
        """
        if dst_type not in _PRECISIONS:
            raise ValueError(
                "For 'to_float', the argument 'dst_type' must be mindspore.float32, mindspore.float16 or "
                f"mindspore.bfloat16, but got type: {type(dst_type)} and value: {dst_type}."
            )
        for _, cell in self.cells_and_names():
            cell.add_flags(**{name: dst_type == dtype for name, dtype in _PRECISION_FLAGS.items()})
        return self

    def recompute(self, **kwargs: Any) -> None:
        """Keep no intermediate results of this Cell for the backward pass, but compute them again there.

        Args:
            kwargs: mp_comm_recompute, parallel_optimizer_comm_recompute, recompute_slice_activation; about parallel
                communication, without effect in one process. `mode=False` switches it off.

        Raises:
            ValueError: another argument.

        Follows: mindspore.nn.Cell.recompute (2.10).
        """
        known = {"mode", "mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation"}
        if kwargs.keys() - known:
            raise ValueError(f"Recompute keyword {sorted(kwargs.keys() - known)[0]} is not recognized!")
        self._call_settings().is_recomputed = kwargs.get("mode", True)
        self._refresh_call()

    def add_flags(self, **flags: Any) -> Self:
        """Set attributes, and remember them as flags.

        One of fp16, fp32 and bf16 that is true makes this Cell compute in that type, and those below it that were not
        given one; one that is false changes nothing.

        Follows: mindspore.nn.Cell.add_flags (2.10).
        """
        self._flags.update(flags)
        self.__dict__.update(flags)
        for name in _PRECISION_FLAGS.keys() & flags.keys():
            if flags[name]:
                self._compute_in(_PRECISIONS[_PRECISION_FLAGS[name]])
        return self

    def _compute_in(self, precision: torch.dtype) -> None:
        for _, cell in self.cells_and_names():
            settings = cell._call_settings()
            if cell is self or settings.precision is None:
                settings.precision = precision

    def add_flags_recursive(self, **flags: Any) -> Self:
        """Set attributes on this Cell and all below it, and remember them as flags.

        Follows: mindspore.nn.Cell.add_flags_recursive (2.10).
        """
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """Give the flags of this Cell.

        Follows: mindspore.nn.Cell.get_flags (2.10).
        """
        return self._flags

    def cast_inputs(self, inputs: tuple, dst_type: mstype.Type) -> tuple:
        """Give the inputs with the Tensors among them cast."""
        return map_tensors(lambda tensor: wrap(tensor._data.to(dst_type.torch)), tuple(inputs))

    # -- hooks -------------------------------------------------------------------------------------------------------

    def register_forward_pre_hook(self, hook_fn: Callable[..., Any], with_kwargs: bool = False) -> HookHandle:
        """Call `hook_fn(cell, inputs)` before `construct`; a result that is not None replaces the inputs.

        Follows: mindspore.nn.Cell.register_forward_pre_hook (2.10).
        """
        return self._register("register_forward_pre_hook", "pre_hooks", hook_fn, with_kwargs)

    def register_forward_hook(self, hook_fn: Callable[..., Any], with_kwargs: bool = False) -> HookHandle:
        """Call `hook_fn(cell, inputs, output)` after `construct`; a result that is not None replaces the output.

        Follows: mindspore.nn.Cell.register_forward_hook (2.10).
        """
        return self._register("register_forward_hook", "hooks", hook_fn, with_kwargs)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call `hook_fn(cell, grad_output)` before the backward pass of this Cell; a result replaces the gradient.

        Follows: mindspore.nn.Cell.register_backward_pre_hook (2.10).
        """
        return self._register("register_backward_pre_hook", "backward_pre_hooks", hook_fn)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call `hook_fn(cell, grad_input, grad_output)` after this Cell's backward pass; a result replaces the first.

        Follows: mindspore.nn.Cell.register_backward_hook (2.10).
        """
        return self._register("register_backward_hook", "backward_hooks", hook_fn)

    def _register(self, method: str, kind: str, hook: Callable[..., Any], with_kwargs: bool = False) -> HookHandle:
        if not callable(hook):
            raise TypeError(f"For '{method}', hook_fn must be a function, but got {hook!r}.")
        if with_kwargs:
            raise ValueError(f"For '{method}', with_kwargs=True is not available in msbridge.")
        hooks = getattr(self._call_settings(), kind)
        key = next(_serial)
        hooks[key] = hook
        return HookHandle(self, hooks, key)

    def _call_settings(self) -> CallSettings:
        if self._special is None:
            self.__dict__["_special"] = CallSettings()
        return self.__dict__["_special"]

    @property
    def _repeated_call(self) -> RepeatedCall | None:
        return None if self._special is None else self._special.repeated_call

    def _refresh_call(self) -> None:
        """Go back to plain calls when nothing else is asked for any more."""
        if self._special is not None and self._special.is_plain() and not hasattr(type(self), "bprop"):
            del self.__dict__["_special"]

    # -- state -------------------------------------------------------------------------------------------------------

    def apply(self, fn: Callable[["Cell"], Any]) -> Self:
        """Call `fn` on every Cell below this one, children first, then on this one.

        Follows: mindspore.nn.Cell.apply (2.10).
        """
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    def state_dict(
        self, *args: Any, destination: dict | None = None, prefix: str = "", keep_vars: bool = False
    ) -> dict:
        """Give parameters and buffers by their paths.

        Follows: mindspore.nn.Cell.state_dict (2.10).
        """
        result = OrderedDict() if destination is None else destination
        seen = set()
        for path, cell in self.cells_and_names(prefix.removesuffix(".")):
            for name, parameter in cell._params.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    result[_join(path, name)] = parameter
            result.update(cell.named_buffers(path, recurse=False))
        return result

    def load_state_dict(self, state_dict: Mapping[str, Tensor], strict: bool = True) -> tuple[list[str], list[str]]:
        """Write values into parameters and buffers by their paths.

        Returns:
            (missing paths, unexpected names).

        Raises:
            RuntimeError: with `strict`, a name is missing or unexpected; or a shape differs.

        Follows: mindspore.nn.Cell.load_state_dict (2.10).
        """
        own = self.state_dict()
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        wrong = [
            f"{name}: {tuple(state_dict[name].shape)} for {own[name].shape}"
            for name in own
            if name in state_dict and tuple(state_dict[name].shape) != own[name].shape
        ]
        if wrong or (strict and (missing or unexpected)):
            raise RuntimeError(
                f"For 'load_state_dict' of {type(self).__name__}: missing {missing}, unexpected {unexpected}, "
                f"wrong shapes {wrong}."
            )
        for name, value in state_dict.items():
            if name in own:
                own[name]._data.copy_(as_torch(value, None))
        return missing, unexpected

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """Give every parameter by itself: parameters are filled when they are made.

        Follows: mindspore.nn.Cell.init_parameters_data (2.10).
        """
        return {parameter: parameter for parameter in self.get_parameters()}

    def flatten_weights(self, fusion_size: int = 0) -> list[Tensor]:
        """Lay the parameters of each dtype in one block of memory.

        Args:
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
        return [_flattened(block) for blocks in groups.values() for block in blocks]

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing: Cells run without being compiled.

        Follows: mindspore.nn.Cell.compile (2.10).
        """

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """Call this Cell.

        Follows: mindspore.nn.Cell.compile_and_run (2.10).
        """
        return self(*args, **kwargs)

    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Keep examples of the inputs, which graph mode asks for with dynamic shapes.

        Follows: mindspore.nn.Cell.set_inputs (2.10).
        """
        self.__dict__["_inputs"] = inputs

    def get_inputs(self) -> tuple | None:
        """Give the examples that `set_inputs` kept."""
        return self.__dict__.get("_inputs")

    def set_jit_config(self, jit_config: Any) -> None:
        """Keep a jit configuration.

        Follows: mindspore.nn.Cell.set_jit_config (2.10).
        """
        self.__dict__["_jit_config"] = jit_config

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Self:
        """Keep on every parameter which communication it is fused into; one process does not communicate.

        Follows: mindspore.nn.Cell.set_comm_fusion (2.10).
        """
        for parameter in self.trainable_params(recurse):
            parameter.comm_fusion = fusion_type
        return self

    def shard(
        self,
        in_strategy: Any,
        out_strategy: Any = None,
        parameter_plan: Any = None,
        device: str = "Ascend",
        level: int = 0,
    ) -> Self:
        """Keep the slicing strategies; one process computes the whole.

        Follows: mindspore.nn.Cell.shard (2.10).
        """
        self.__dict__["_strategies"] = (in_strategy, out_strategy, parameter_plan)
        return self

    @property
    def pipeline_stage(self) -> int | None:
        """The pipeline stage that was assigned."""
        return self.__dict__.get("_pipeline_stage")

    @pipeline_stage.setter
    def pipeline_stage(self, value: int) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(
                f"For 'context.set_auto_parallel_context', 'pipeline_stage' must be int, but got {value!r}."
            )
        if value < 0:
            raise ValueError(f"'pipeline_stage' cannot be less than 0, but got {value}.")
        self.__dict__["_pipeline_stage"] = value

    @property
    def bprop_debug(self) -> bool:
        """MindSpore's mark for debugging custom backward passes; kept for scripts that set it."""
        return self.__dict__.get("_bprop_debug", False)

    @bprop_debug.setter
    def bprop_debug(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"For 'Cell', the property 'bprop_debug' must be bool type, but got type {type(value)}.")
        self.__dict__["_bprop_debug"] = value

    def generate_scope(self) -> None:
        """Note every Cell's path as its scope."""
        self.update_cell_prefix()

    def get_scope(self) -> str | None:
        """Give the path of this Cell, once `generate_scope` was called on the network."""
        return self._param_prefix or None

    # -- printing, copying -------------------------------------------------------------------------------------------

    def extend_repr(self) -> str:
        """Give what stands in the parentheses of the Cell's printed form.

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

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in ("_params", "_cells", "_special")}
        names = (*self._params, *self._cells)
        return {
            "attributes": {name: value for name, value in state.items() if name not in names},
            "params": list(self._params.items()),
            "cells": list(self._cells.items()),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state["attributes"])
        self.__dict__["_params"] = _Registry(self)
        self.__dict__["_cells"] = _Registry(self)
        for name, parameter in state["params"]:
            self._params[name] = parameter
        for name, cell in state["cells"]:
            self._cells[name] = cell
        if hasattr(type(self), "bprop"):
            self.__dict__["_special"] = CallSettings()


class GraphCell(Cell):
    """A network that was loaded from an exported file.

    Raises:
        RuntimeError: always; MindIR files cannot be run here.
    """

    def __init__(self, graph: Any, params_init: Any = None, obf_random_seed: Any = None) -> None:
        raise RuntimeError(
            "nn.GraphCell: msbridge does not run MindIR graphs; build the network from its Python class."
        )


_ADVISED: set[tuple[str, str, str]] = set()
_PRECISION_FLAGS = {"fp16": mstype.float16, "fp32": mstype.float32, "bf16": mstype.bfloat16}


def _join(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


def _flattened(block: list[Parameter]) -> Tensor:
    flat = torch.cat([parameter._data.reshape(-1) for parameter in block])
    start = 0
    for parameter in block:
        shape = parameter._data.shape
        parameter._data = flat[start : start + shape.numel()].view(shape)
        start += shape.numel()
    return wrap(flat)


__all__ = ["Cell", "GraphCell"]
