"""ONNX files, through torch's exporter."""

import contextlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.files.atomic_write import copy, naming, replacing
from msbridge.converters.files.temporary_files import folder_for
from msbridge.converters.formats.ckpt import PERMISSIONS
from msbridge.core.autograd.pytree import map_tensors, tensors_of
from msbridge.core.context.graph_mode import as_graph
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.bridge.conversion import to_torch_module
from msbridge.nn.cell.cell import Cell
from msbridge.train.exporting.tracing import explain_untraceable, quiet

__all__ = ["program_of", "write"]

PLAIN = Tensor | int | float | bool | None

Names = list[str] | None


def program_of(
    op: str,
    net: Cell,
    inputs: Sequence[Any],
    input_names: Names,
    output_names: Names,
    dynamic_axes: Mapping[str, Mapping[int, str]],
) -> Any:
    """Let torch make the ONNX program of a network in inference mode."""
    _need_packages(op)
    _check_inputs(op, inputs)
    with _inference(net), as_graph():
        net(*inputs)  # an input that does not fit is an error of the network's, in its own words
        names = _name_inputs(op, net, inputs, input_names)
        if unknown := set(dynamic_axes) - set(names):
            raise ValueError(f"For '{op}', 'dynamic_axes' names {sorted(unknown)}, but the inputs are {names}.")
        axes = [dict(dynamic_axes.get(name, {})) for name in names]
        left, wanted = iter(axes), iter(axes)
        examples = map_tensors(lambda tensor: _example(tensor, next(left)), inputs)
        try:
            with quiet(), torch.no_grad():
                return torch.onnx.export(
                    to_torch_module(net),
                    examples,
                    input_names=names,
                    output_names=output_names,
                    dynamic_shapes=_shapes(_bind(net, inputs), wanted) if dynamic_axes else None,
                    dynamo=True,
                    verbose=False,
                    custom_translation_table={
                        torch.ops.aten.sort.stable: _sort,
                        torch.ops.higher_order.while_loop: _while_loop,
                    },
                )
        except RuntimeError as error:
            raise RuntimeError(f"For '{op}', {_reason(net, error)}") from error


def _reason(net: Cell, error: Exception) -> str:
    """Explain why torch's exporter failed: for want of an operator in ONNX, or because it cannot follow the network."""
    name, cause = type(net).__name__, error.__cause__ or error
    if missing := re.search(r"translating node.*target=(?:torch\.ops\.)?([\w.]+)", str(cause), re.DOTALL):
        return f"ONNX has no form of {missing[1]}, which {name} computes: leave it to the caller, or compute otherwise."
    return explain_untraceable(name, net, cause)


def _sort(data: Any, stable: bool | None = None, dim: int = -1, descending: bool = False) -> Any:
    """Sort in ONNX, whose TopK keeps the order of equal values; torch (2.13) only translates sorts that may not."""
    from onnxscript import opset18

    op: Any = opset18
    length = op.Reshape(op.Gather(op.Shape(data), op.Constant(value_int=dim)), op.Constant(value_ints=[1]))
    return op.TopK(data, length, axis=dim, largest=int(descending), sorted=1)


def _while_loop(*given: Any) -> Any:
    """Translate a loop as torch does, but calls in it as of no version: torch (2.13) fails at a loop in a loop."""
    from msbridge.core.torch_private import onnx_exporter_core as _core
    from msbridge.core.torch_private import onnx_higher_order_operators as hop

    translated = hop.higher_order_while_loop(*given)
    tracer: Any = _core.current_tracer
    for node in tracer.nodes:
        if node.domain:
            node.version = None
    return translated


def _example(tensor: Tensor, axes: Iterable[int]) -> torch.Tensor:
    """Return an input for the exporter: another tensor object, with 2 where a length of 1 would be taken as fixed."""
    data = tensor._data.detach()
    for axis in axes:
        if data.shape[axis] == 1:
            data = data.repeat_interleave(2, axis)
    return data


def _need_packages(op: str) -> None:
    try:
        import onnx  # noqa: F401
        import onnxscript  # noqa: F401
    except ImportError as error:
        raise ImportError(f"For '{op}', ONNX needs onnx and onnxscript: pip install 'msbridge[onnx]'") from error


def _check_inputs(op: str, value: Any) -> None:
    if isinstance(value, tuple | list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            _check_inputs(op, item)
    elif not isinstance(value, PLAIN):
        raise TypeError(f"For '{op}', inputs must be Tensors, numbers or None, but got {type(value)}.")


def _name_inputs(op: str, net: Cell, inputs: Sequence[Any], given: Names) -> list[str]:
    """Name every Tensor of the inputs: as asked for, else by the parameter of `construct` that takes it."""
    names = []
    for name, value in _bind(net, inputs).items():
        count = len(tensors_of(value))
        is_single = isinstance(value, Tensor)
        names += [name] if is_single else [f"{name}_{number}" for number in range(count)]
    if given and len(given) > len(names):
        raise ValueError(f"For '{op}', 'input_names' has {len(given)} names, but the inputs are {names}.")
    return [*(given or []), *names[len(given or []) :]]


def _bind(net: Cell, inputs: Sequence[Any]) -> dict[str, Any]:
    """Return the inputs by the parameters of `construct`."""
    return inspect.signature(net.construct).bind(*inputs).arguments


def _shapes(value: Any, axes: Iterator[Mapping[int, str]]) -> Any:
    """Replace Tensors by their axes of any length, and everything else by None."""
    if isinstance(value, Tensor):
        return next(axes)
    if isinstance(value, tuple | list):
        return type(value)([_shapes(item, axes) for item in value])
    return {key: _shapes(item, axes) for key, item in value.items()} if isinstance(value, dict) else None


@contextlib.contextmanager
def _inference(net: Cell) -> Iterator[None]:
    """Switch a network to inference, and every Cell back to what it was."""
    modes = [(cell, cell.training) for _, cell in net.cells_and_names()]
    net.set_train(False)
    try:
        yield
    finally:
        for cell, mode in modes:
            cell.training = mode


def write(program: Any, target: Path, encrypt: Callable[[bytes], bytes] | None = None, **options: bool) -> None:
    """Write the files of a program beside the target, then where they belong: the model last."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with naming(target), folder_for(target) as folder:
        made = folder / target.name
        program.save(made, external_data=False, **options)
        for part in sorted(folder.iterdir(), reverse=True):
            if encrypt and part == made:
                with replacing(target, PERMISSIONS) as sink:
                    sink.write(encrypt(part.read_bytes()))
            else:
                copy(part, target.with_name(part.name), PERMISSIONS)
