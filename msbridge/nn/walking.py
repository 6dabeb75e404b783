"""The walk over a Cell's children: paths and names of parameters, buffers and Cells; state dicts.

Follows: mindspore.nn.Cell (2.10).
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self, cast

import torch

from msbridge.core.parameter import Parameter
from msbridge.core.tensor import Tensor, as_torch, overwrite, wrap

if TYPE_CHECKING:
    from msbridge.nn.cell import Cell


def joined(path: str, name: str) -> str:
    """Return a path with a name below it."""
    return f"{path}.{name}" if path else name


class Walking:
    """What a Cell does with the tree of its children and their parameters."""

    _params: OrderedDict[str, Any]  # Parameter or None
    _cells: OrderedDict[str, Any]  # Cell or None
    _param_prefix: str

    def cells(self) -> Iterable["Cell"]:
        """Return the direct children.

        Follows: mindspore.nn.Cell.cells (2.10).
        """
        return self.name_cells().values()

    def name_cells(self) -> OrderedDict[str, "Cell"]:
        """Return the direct children by name, each once.

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
        """Yield (path, Cell) of this Cell and all below it, depth first, each once.

        Follows: mindspore.nn.Cell.cells_and_names (2.10).
        """
        seen = set() if cells is None else cells
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, cast("Cell", self)
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(joined(name_prefix, name), seen)

    def get_sub_cell(self, target: str) -> "Cell":
        """Return the Cell at a path such as "encoder.layers.0".

        Raises:
            AttributeError: there is none.
        """
        cell = cast("Cell", self)
        for name in filter(None, target.split(".")):
            child = cell._cells.get(name)
            if child is None:
                raise AttributeError(f"The '{type(cell).__name__}' object has no sub cell '{name}' (of '{target}').")
            cell = child
        return cell

    def parameters_and_names(self, name_prefix: str = "", expand: bool = True) -> Iterator[tuple[str, Parameter]]:
        """Yield (path, Parameter) of this Cell and, with `expand`, all below it, each once.

        Follows: mindspore.nn.Cell.parameters_and_names (2.10).
        """
        seen = set()
        cells = self.cells_and_names(name_prefix) if expand else [(name_prefix, self)]
        for path, cell in cells:
            for name, parameter in cell._params.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield joined(path, name), parameter

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """Yield the parameters of this Cell and, with `expand`, all below it.

        Follows: mindspore.nn.Cell.get_parameters (2.10).
        """
        for _, parameter in self.parameters_and_names(expand=expand):
            yield parameter

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """Return the parameters by their names.

        Follows: mindspore.nn.Cell.parameters_dict (2.10).
        """
        return OrderedDict((parameter.name, parameter) for parameter in self.get_parameters(recurse))

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """Return the parameters that require gradients.

        Follows: mindspore.nn.Cell.trainable_params (2.10).
        """
        return [parameter for parameter in self.get_parameters(recurse) if parameter.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """Return the parameters that require no gradients.

        Follows: mindspore.nn.Cell.untrainable_params (2.10).
        """
        return [parameter for parameter in self.get_parameters(recurse) if not parameter.requires_grad]

    def parameters_broadcast_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter] | None:
        """Return the parameters that data parallel training broadcasts, or None."""
        found = OrderedDict((p.name, p) for p in self.get_parameters(recurse) if not p.layerwise_parallel)
        return found or None

    def named_buffers(self, name_prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """Yield (path, Tensor) of every buffer."""
        cells = self.cells_and_names(name_prefix) if recurse else [(name_prefix, self)]
        for path, cell in cells:
            for name in cell.__dict__.get("_buffer_names", ()):
                if cell.__dict__[name] is not None:
                    yield joined(path, name), cell.__dict__[name]

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield every buffer."""
        return (tensor for _, tensor in self.named_buffers(recurse=recurse))

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
        """Return the parameters and buffers by their paths.

        Follows: mindspore.nn.Cell.state_dict (2.10).
        """
        result = OrderedDict() if destination is None else destination
        seen = set()
        for path, cell in self.cells_and_names(prefix.removesuffix(".")):
            for name, parameter in cell._params.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    result[joined(path, name)] = parameter
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
                overwrite(own[name], as_torch(value, None))
        return missing, unexpected

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Rename every parameter to `prefix` plus its path within this Cell.

        Raises:
            TypeError: `prefix` is not a str.

        Follows: mindspore.nn.Cell.update_parameters_name (2.10).
        """
        if not isinstance(prefix, str):
            raise TypeError(f"For 'update_parameters_name', prefix must be a str, got {type(prefix).__name__}.")
        for name, parameter in self.parameters_and_names(expand=recurse):
            if prefix:
                parameter.is_init = False
            parameter.name = prefix + name

    def update_cell_prefix(self) -> None:
        """Set `param_prefix` of every Cell to its path."""
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

    def generate_scope(self) -> None:
        """Set the scope of every Cell to its path."""
        self.update_cell_prefix()

    def get_scope(self) -> str | None:
        """Return the path of this Cell, once `generate_scope` was called on the network."""
        return self._param_prefix or None

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """Map every parameter to itself: parameters are filled when they are constructed.

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


def _flattened(block: list[Parameter]) -> Tensor:
    flat = torch.cat([parameter._data.reshape(-1) for parameter in block])
    start = 0
    for parameter in block:
        shape = parameter._data.shape
        parameter._data = flat[start : start + shape.numel()].view(shape)
        start += shape.numel()
    return wrap(flat)
