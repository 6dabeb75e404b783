"""The walk over a Cell's children: paths and names of parameters and Cells.

Follows: mindspore.nn.Cell (2.10).
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Self, cast

from msbridge.core.checks.arguments import instance
from msbridge.core.context import context
from msbridge.core.context.grad_state import _no_grad
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.compiler_attributes import RECOMPUTED

if TYPE_CHECKING:
    from msbridge.nn.cell.cell import Cell


def join_path(path: str, name: str) -> str:
    """Return a path with a name below it."""
    return f"{path}.{name}" if path else name


class CellTraversal:
    """The traversal of a Cell's children and their parameters."""

    _params: OrderedDict[str, Any]  # Parameter or None
    _cells: OrderedDict[str, Any]  # Cell or None
    _param_prefix: str
    _scope: str | None

    def cells(self) -> Iterable["Cell"]:
        """Return the direct children.

        Follows: mindspore.nn.Cell.cells (2.10).
        """
        return self.name_cells().values()

    def name_cells(self) -> OrderedDict[str, "Cell"]:
        """Return the direct children by name, each once.

        Follows: mindspore.nn.Cell.name_cells (2.10).
        """
        children: OrderedDict[str, Cell] = OrderedDict()
        seen = set()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                children[name] = cell
        return children

    def cells_and_names(self, cells: set["Cell"] | None = None, name_prefix: str = "") -> Iterator[tuple[str, "Cell"]]:
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
                yield from cell.cells_and_names(seen, join_path(name_prefix, name))

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
        cells = self.cells_and_names(name_prefix=name_prefix) if expand else [(name_prefix, self)]
        for path, cell in cells:
            for name, parameter in cell._params.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield join_path(path, name), parameter

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

    def _named_members(
        self,
        get_members_fn: Callable[["Cell"], Iterable[tuple[str, Any]]],
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        """Yield (path, member) of the members that a function returns of each Cell, but for those that are None."""
        seen = set()
        cells = self.cells_and_names(name_prefix=prefix) if recurse else [(prefix, cast("Cell", self))]
        for path, cell in cells:
            for name, member in get_members_fn(cell):
                if member is not None and id(member) not in seen:
                    if remove_duplicate:
                        seen.add(id(member))
                    yield join_path(path, name), member

    def apply(self, fn: Callable[["Cell"], Any]) -> Self:
        """Call `fn` on every Cell below this one, children first, then on this one.

        Follows: mindspore.nn.Cell.apply (2.10).
        """
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Replace the values of every parameter and buffer by what a function makes of them, unrecorded."""
        for _, cell in self.cells_and_names() if recurse else [("", cast("Cell", self))]:
            for parameter in cell._params.values():
                if parameter is not None:
                    with _no_grad():
                        changed = fn(parameter)
                    parameter.set_data(changed)
            for name, buffer in cell._buffers.items():
                if buffer is not None:
                    cell._buffers[name] = fn(buffer)
        return self

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Rename every parameter to `prefix` plus its path within this Cell.

        Raises:
            TypeError: `prefix` is not a str.

        Follows: mindspore.nn.Cell.update_parameters_name (2.10).
        """
        instance(prefix, "prefix", "update_parameters_name", str)
        for name, parameter in self.parameters_and_names(expand=recurse):
            if prefix:
                parameter.is_init = False
            parameter.name = prefix + name

    def _update_local_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Rename as `update_parameters_name` does, but for the paths in `_user_parameters`."""
        named = [(param, param.name) for path, param in self.parameters_and_names() if path in self._user_parameters]
        self.update_parameters_name(prefix, recurse)
        for parameter, name in named:
            parameter.name = name

    def update_cell_prefix(self) -> None:
        """Set `param_prefix` of every Cell to its path."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    @property
    def _user_parameters(self) -> list[str]:
        return self.__dict__.setdefault("_named_by_user", [])

    @_user_parameters.setter
    def _user_parameters(self, value: list[str]) -> None:
        if not isinstance(value, list):
            raise TypeError(f"For 'Cell', '_user_parameters' must be a list, got {type(value).__name__}.")
        self.__dict__["_named_by_user"] = value

    param_prefix: str = read_only(
        "_param_prefix", "The path of this Cell, once `update_cell_prefix` was called on the network."
    )

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
        """Set the scope of every Cell below this one that has none.

        Follows: mindspore.nn.Cell.generate_scope (2.10).
        """
        for scope, cell in self._children_scope_recursive():
            cell._set_scope(scope)

    def get_scope(self) -> str | None:
        """Return the name by `generate_scope` of a Cell above, such as "Default/encoder-Dense"; else None.

        Follows: mindspore.nn.Cell.get_scope (2.10).
        """
        return self._scope

    def _set_scope(self, name: str) -> None:
        if self._scope in (None, RECOMPUTED):
            self.__dict__["_scope"] = (self._scope or "") + name

    def _children_scope_recursive(self, parent_prefix: str = "Default") -> Iterator[tuple[str, "Cell"]]:
        """Yield (scope, Cell) of the Cells below this one, breadth first at each of them."""
        has_class = context.get_context("reserve_class_name_in_scope")
        children = [
            (f"{parent_prefix}/{name}" + (f"-{type(cell).__name__}" if has_class else ""), cell)
            for name, cell in self.name_cells().items()
        ]
        yield from children
        for scope, cell in children:
            yield from cell._children_scope_recursive(scope)

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """Map every parameter to itself: parameters are filled when they are constructed.

        Follows: mindspore.nn.Cell.init_parameters_data (2.10).
        """
        return {parameter: parameter for parameter in self.get_parameters()}
