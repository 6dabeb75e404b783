"""Following a network: what it computes on some inputs becomes a graph of torch's operators."""

import contextlib
import functools
import inspect
import logging
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from msbridge.core import torch_private
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.torch_private import FakeTensorMode
from msbridge.core.types.symbolic import STAND_INS, UNKNOWN_LENGTH, Unfilled
from msbridge.nn.bridge.cell_module import CellModule
from msbridge.nn.bridge.conversion import to_torch_module
from msbridge.nn.cell.cell import Cell
from msbridge.nn.optim.cells.optimizer import Optimizer

__all__ = ["Followed", "explain_untraceable", "quiet", "trace_network", "whole", "without_symbols"]

SYMBOL = re.compile(r"\b[su]\d+\b")
ONE_NAME = r"# The axis name: (.+) will not be used, since it shares .* another axis: \1\."  # two inputs of one length
NO_REFERENCE = "Attempted to insert a get_attr Node|Node .* does not reference an nn.Module"  # until torch 2.6 puts it


@dataclass(frozen=True, slots=True)
class Followed:
    """A network as torch has followed it."""

    program: Any  # torch's graph, of type torch.export.ExportedProgram
    parameters: Mapping[str, Any]  # the Parameters, by the names that their tensors have in the module
    layers: Mapping[str, str]  # the names of the Cells' classes, by the paths of the modules


class _Function(Cell):
    """A function as a Cell."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self._function = function

    def construct(self, *args: Any) -> Any:
        return self._function(*args)


def trace_network(net: Cell | Callable[..., Any], inputs: Sequence[Any]) -> Followed:
    """Trace the computation of a network in its present mode.

    Args:
        net: the network, or a function.
        inputs: what it is called with; Tensors without values represent inputs with lengths that are not known.

    Raises:
        RuntimeError: torch cannot follow the network; says why. What the network itself raises comes as it is.
    """
    cell = net if isinstance(net, Cell) else _Function(net)
    module = to_torch_module(cell)
    shapes = _star(cell, torch_private.tree_map(_free_axes, tuple(inputs)))
    try:
        program = _program(module, inputs, shapes)
    except Exception as error:
        if shapes is None:
            cell(*inputs)  # an input that does not fit is an error of the network's, in its own words
        try:
            program = _program(module, inputs, shapes, alike=True)  # lengths on unlike axes may have to be equal
        except Exception:
            name = getattr(net, "__name__", type(net).__name__)
            raise RuntimeError(f"For 'export', {explain_untraceable(name, cell, error)}") from error
    if fixed := _find_fixed_axes(program, inputs):
        raise RuntimeError(
            f"For 'export', {type(cell).__name__} computes something else for every length of {', '.join(fixed)}, as "
            "recurrent layers and loops over lengths do: pass these lengths instead of None."
        )
    _name_once(program)
    return Followed(program, _parameters(cell, module), _layers(module))


def _program(module: torch.nn.Module, inputs: Sequence[Any], shapes: Any, alike: bool = False) -> Any:
    """Return torch's graph; `alike` has one length represent all that are not known."""
    fake = FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv(tracked_fakes=[]))
    example = functools.partial(_example, fake=fake, alike=alike)
    examples = torch_private.tree_map_only(Tensor, example, tuple(inputs))
    with quiet(), torch.no_grad():
        return torch.export.export(module, examples, dynamic_shapes=shapes, strict=False)


def explain_untraceable(name: str, cell: Cell, error: BaseException) -> str:
    """Return why torch's exporter cannot follow a network: it trains, or what torch says, without its graphs."""
    if optimizers := [type(one).__name__ for _, one in cell.cells_and_names() if isinstance(one, Optimizer)]:
        return f"{name} trains: {optimizers[0]} changes weights, which no file keeps. Export the network it trains."
    return f"torch's exporter cannot follow {name}: {without_symbols(str(error).partition(chr(10) * 2)[0])}"


def without_symbols(text: str) -> str:
    """Return a text in which the names that torch's exporter has for free lengths are words."""
    return SYMBOL.sub("a free length", text)


def _name_once(program: Any) -> None:
    """Drop names of tensors of Cells that are at several places, but for the one by which the graph uses them.

    torch takes each name for a tensor of its own, and then refuses those that are written to: BatchNorm's statistics.
    """
    specs, state = program.graph_signature.input_specs, program.state_dict
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    used = {id(state[spec.target]) for spec in specs if spec.target in state and nodes[spec.arg.name].users}
    for spec in list(specs):
        if id(state.get(spec.target)) in used and not nodes[spec.arg.name].users:
            program.graph.erase_node(nodes[spec.arg.name])
            specs.remove(spec)
    program.graph_module.recompile()


def _find_fixed_axes(program: Any, inputs: Sequence[Any]) -> list[str]:
    """Return the free axes of which torch has taken the length that meant them, in words."""
    given = torch_private.tree_leaves(tuple(inputs))
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    names = [spec.arg.name for spec in program.graph_signature.input_specs if spec.kind.name == "USER_INPUT"]
    fixed = []
    for number, (value, name) in enumerate(zip(given, names, strict=True)):
        for axis in _free_axes(value) or ():
            length = nodes[name].meta["val"].shape[axis]
            if isinstance(length, int) or length.node.maybe_as_int() is not None:
                fixed.append(f"axis {axis} of input {number}")
    return fixed


def whole(program: Any) -> Any:
    """Return a program in torch's own operators only, which every process has."""
    own_operators = {one.target for one in program.graph.nodes if getattr(one.target, "namespace", "") == "msbridge"}
    if not own_operators:
        return program
    table = torch.export.default_decompositions()
    if lengths := [one for one in own_operators if one not in table]:
        raise RuntimeError(
            f"torch has no operator for a free number of steps of {lengths[0].__name__.partition('.')[0]}."
        )
    with quiet():
        return program.run_decompositions({operator: table[operator] for operator in own_operators})


def _star(cell: Cell, shapes: tuple[Any, ...]) -> Any:
    """Return the free axes as torch takes them: by argument of `construct`, those of its `*args` together."""
    if not any(torch_private.tree_leaves(shapes)):
        return None
    kinds = [one.kind for one in inspect.signature(cell.construct).parameters.values()]
    named = kinds.index(inspect.Parameter.VAR_POSITIONAL) if inspect.Parameter.VAR_POSITIONAL in kinds else len(shapes)
    return (*shapes[:named], shapes[named:]) if named < len(shapes) else shapes


def _example(tensor: Tensor, fake: FakeTensorMode, alike: bool) -> torch.Tensor:
    """Return a tensor to follow the network with: one without memory where lengths are not known."""
    data: Any = tensor._data
    if not isinstance(data, Unfilled):
        return data.detach()  # type: ignore[no-any-return]
    shape = [STAND_INS[0] if alike and length == UNKNOWN_LENGTH else length for length in data.shape]
    chosen = [one if length < 0 else length for one, length in zip(data.example, shape, strict=True)]
    with fake:
        return torch.empty(chosen, dtype=data.dtype)


def _free_axes(value: Any) -> Any:
    """Return the axes of a Tensor whose lengths are not known, None where there are none."""
    data = getattr(value, "_data", None)
    if not isinstance(data, Unfilled):
        return None
    return {axis: torch.export.Dim.AUTO for axis, length in enumerate(data.shape) if length < 0} or None


def _parameters(cell: Cell, module: torch.nn.Module) -> dict[str, Any]:
    if not isinstance(module, CellModule):
        return dict(cell.parameters_and_names())
    paths = _paths(module)
    tensors: dict[str, Any] = {}
    for link in module._links:
        if isinstance(link.tensor, Parameter):
            tensors |= {f"{path}.{link.name}".removeprefix("."): link.tensor for path in paths[id(link.owner)]}
    return tensors


def _layers(module: torch.nn.Module) -> dict[str, str]:
    paths = _paths(module)
    layers: dict[str, Any] = {}
    for place in getattr(module, "_places", ()):
        for path in paths[id(place.above)]:
            layers[f"{path}.{place.name}".removeprefix(".")] = type(place.cell).__name__
    return layers


def _paths(module: torch.nn.Module) -> dict[int, list[str]]:
    """Return the paths of every module."""
    found: dict[int, list[str]] = {}
    for path, one in module.named_modules(remove_duplicate=False):
        found.setdefault(id(one), []).append(path)
    return found


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep back what torch's exporter says about itself: deprecations, packages it could use, tracebacks of errors."""
    logs = [logging.getLogger(name) for name in ("torch.onnx", "onnx_ir", "torch._subclasses.fake_tensor")]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.filterwarnings("ignore", ONE_NAME)
            warnings.filterwarnings("ignore", NO_REFERENCE)
            yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)
