"""Floating-point parameters for a converted network, and a list of its observers."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.core.parameter.parameter import Parameter
from msbridge.nn.cell.cell import Cell
from msbridge.nn.quantization.observers import FakeQuantWithMinMaxObserver
from msbridge.nn.quantization.quantizer import WEIGHTED, reset_learned

__all__ = ["load_nonquant_param_into_quant_net", "query_quant_layers"]

ENDS = ("minq", "maxq", "quant_max")  # of observers, which a network that is not quantised does not have


def load_nonquant_param_into_quant_net(
    quant_model: Cell, params_dict: Mapping[str, Parameter], quant_new_params: Sequence[str] | None = None
) -> None:
    """Fill a converted network from a checkpoint of the original: parameters of one kind are taken in their order.

    Args:
        quant_model: the converted network.
        params_dict: name → Parameter, of a checkpoint.
        quant_new_params: last parts of the names that only the converted network has.

    Raises:
        TypeError: `quant_new_params` is not a list.
        ValueError: a parameter of the network has no counterpart.

    Follows: mindspore.compression.quant.load_nonquant_param_into_quant_net (1.9).
    """
    if quant_new_params is not None:
        instance(quant_new_params, "quant_new_params", "load_nonquant_param_into_quant_net", list)
    new = quant_new_params or ()
    kinds = {*ENDS, *(name.rpartition(".")[2] for name in params_dict)}
    waiting = {kind: _parameters_ending_with(kind, params_dict) for kind in kinds}
    for name, parameter in quant_model.parameters_and_names():
        kind = name.rpartition(".")[2]
        if kind not in waiting:
            if kind not in new:
                raise ValueError(f"For 'load_nonquant_param_into_quant_net', nothing in the file matches {name!r}.")
            continue
        for source, value in itertools.islice(waiting[kind], 1):
            parameter.set_data(value)
            print(f"init model param {name} with checkpoint param {source}")  # noqa: T201  scripts' logs show it
    for _, cell in quant_model.cells_and_names():
        if isinstance(cell, WEIGHTED) and cell.fake_quant_weight.mode == "LEARNED_SCALE":
            observer = cell.fake_quant_weight
            reset_learned(cell, observer.quant_dtype, observer.per_channel)


def _parameters_ending_with(kind: str, parameters: Mapping[str, Parameter]) -> Iterator[tuple[str, Any]]:
    return iter([(name, value) for name, value in parameters.items() if name.endswith(kind)])


def query_quant_layers(network: Cell) -> None:
    """Print the path of every observer of a network, and the type that it simulates.

    Raises:
        TypeError: `network` is not a Cell.

    Follows: mindspore.compression.quant.query_quant_layers (1.9).
    """
    instance(network, "network", "query_quant_layers", Cell)
    for path, cell in network.cells_and_names():
        if isinstance(cell, FakeQuantWithMinMaxObserver):
            print(f"{path:60}\t{cell.quant_dtype!s:10}")  # noqa: T201
