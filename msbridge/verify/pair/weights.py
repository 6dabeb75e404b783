"""Weights: which parameter of a Cell answers to which tensor of a torch module, loaded or checked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from msbridge.converters.names.by_model.cells import slots_of
from msbridge.converters.names.by_model.modules import pairs_of_module
from msbridge.converters.names.by_order.matching import Calls
from msbridge.converters.names.by_order.similarity import traits_of
from msbridge.converters.names.matching import pair_tensors
from msbridge.converters.names.parameter_table import Pair
from msbridge.core.parameter.parameter import Parameter
from msbridge.nn.cell.cell import Cell
from msbridge.verify.pair.ruled import Made, Make, Ruled, apply_rule_file, make_output, rename_pair
from msbridge.verify.record.networks import Network, is_step, paths

BY_CALLS, BY_DEFINITION = "order of calls", "order of definition"
Data = torch.Tensor
Join = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Weight:
    """One tensor on both sides."""

    torch: str  # its name in the state dict
    cell: str  # its name in the Cell
    value: Data  # torch's tensor, with MindSpore's axes
    parameter: Parameter  # the Cell's
    by: str  # how the two were found to belong together: "name", "rule", "order of calls" or "order of definition"
    trained: tuple[bool, bool] = (True, True)  # whether torch trains it, and whether the Cell does
    sources: tuple[str, ...] = ()  # names of the tensors it is made of; several where a rule joins them
    make: Make | None = None  # makes the Cell's tensor of them; None where that is not a linear map (weight norm)
    is_whole: bool = True  # whether no rule splits or joins it

    def of(self, tensors: Mapping[str, Data]) -> Data | None:
        """Return the Cell's expected form of torch's gradients or values; None where there is no such thing."""
        if self.make is None or not all(name in tensors for name in self.sources):
            return None
        return self.make([tensors[name] for name in self.sources]).reshape(tuple(self.parameter.shape))


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights of both networks.

    Attributes:
        pairs: what belongs together.
        only_torch: names of torch's tensors without a counterpart.
        only_cell: names of the Cell's parameters without one.
        layers: path of a torch layer → path of the Cell that holds its weights.
        joins: (paths of torch's layers, paths of the Cell's) that answer to each other only together.
        unused_rules: which of the user's rules fit no name.
        moved: (torch's name, the Cell's) of what the order of calls pairs differently from that of definition.
        lacking: (torch's name, the Cell's) of biases that rules make and the Cell's layers do not have.
    """

    pairs: Sequence[Weight] = ()
    only_torch: Sequence[str] = ()
    only_cell: Sequence[str] = ()
    layers: Mapping[str, str] = field(default_factory=dict)
    joins: Sequence[Join] = ()
    unused_rules: Sequence[str] = ()
    moved: Sequence[tuple[str, str]] = ()
    lacking: Sequence[tuple[str, str]] = ()

    def same_bits(self, is_loaded: bool) -> list[tuple[Data, Data]]:
        """Return (the Cell's tensor, torch's) of all pairs that hold the same bits; loaded ones are not compared."""
        data = [(one.parameter._data, one.value) for one in self.pairs]
        return [two for two in data if two[0].dtype == two[1].dtype and (is_loaded or torch.equal(*two))]


def pair_weights(
    module: torch.nn.Module, cell: Cell, rules: Path | None = None, calls: tuple[Calls, Calls] | None = None
) -> Weights:
    """Find the parameter of the Cell for every tensor of the module: by rules, by the converted name, then by order.

    Args:
        module: the torch module.
        cell: the Cell.
        rules: a file of the user's rules.
        calls: in which order the layers of both run; without them the order of definition counts.

    Raises:
        CheckpointError: the rules are not in order, or do not go with the Cell.
    """
    state = {name: one for name, one in module.state_dict(keep_vars=True).items() if isinstance(one, Data)}
    pairs = [one for one in pairs_of_module(module, cell) if one.mindspore is not None]
    parameters = dict(cell.parameters_and_names())
    by_name = {parameter.name: key for key, parameter in parameters.items()} | {key: key for key in parameters}
    shapes = {name: tuple(parameters[key].shape) for name, key in by_name.items()}
    said = apply_rule_file(rules, state, shapes) if rules is not None else Ruled()
    weights = [
        _make_weight("rule", one, state, by_name[one.target], parameters[by_name[one.target]]) for one in said.made
    ]
    taken = {one.cell for one in weights}
    rest = [slot for slot in slots_of(cell) if slot.key not in taken]
    traits = traits_of(module.named_modules()), traits_of(cell.cells_and_names())
    ordered = pair_tensors([_rename_by_rules(one, said.renamed) for one in pairs], rest, traits, calls, said.settled)
    by = BY_DEFINITION if calls is None else BY_CALLS
    for how, ordered_pairs in (("name", ordered.by_name), (by, ordered.by_order)):
        weights += [_weight(pair, state, slot.key, parameters[slot.key], how) for pair, slot in ordered_pairs]
    for cut in ordered.cuts:
        step = cut.step(cut.torch, cut.mindspore)
        given = [tuple(state[name].shape) for name in cut.torch]
        for number, key in enumerate(cut.mindspore):
            weights.append(_make_weight(by, make_output(step, number, given), state, key, parameters[key]))
    joins = dict.fromkeys([*said.joins, *((_paths(cut.torch), _paths(cut.mindspore)) for cut in ordered.cuts)])
    taken = {one.cell for one in weights}
    tracks = {_path(key) for key in taken}
    order = {name: number for number, name in enumerate(state)}
    weights.sort(key=lambda one: order[one.sources[0]])
    return Weights(
        weights,
        [*(name for name, _ in said.lacking), *(one.torch for one in ordered.unpaired)],
        # statistics that torch does not keep (InstanceNorm) are not used either
        [
            key
            for key, one in parameters.items()
            if key not in taken and (one.requires_grad or _path(key) not in tracks)
        ],
        _layers(module, cell, [one for one in weights if one.is_whole]),
        [join for join in joins if _are_steps(module, join[0]) and _are_steps(cell, join[1])],
        said.unused,
        lacking=said.lacking,
    )


def _path(key: str) -> str:
    return key.rpartition(".")[0]


def _paths(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(_path, names)))


def load(weights: Weights) -> None:
    """Write torch's values into the Cell, in the Cell's dtypes."""
    with torch.no_grad():
        for one in weights.pairs:
            one.parameter._data.copy_(one.value)


def _weight(pair: Pair, state: Mapping[str, Data], key: str, parameter: Parameter, by: str) -> Weight:
    make: Make | None = None if pair.folded else pair.to_mindspore
    value = pair.to_mindspore([state[name].detach() for name in pair.sources])
    trained = _is_trained(state[pair.torch]), parameter.requires_grad
    return Weight(pair.torch, key, value, parameter, by, trained, sources=(pair.torch,), make=make)


def _make_weight(by: str, output: Made, state: Mapping[str, Data], key: str, parameter: Parameter) -> Weight:
    data = [state[name].detach() for name in output.sources]
    trained = any(_is_trained(state[name]) for name in output.sources), parameter.requires_grad
    return Weight(
        output.label,
        key,
        output.make(data),
        parameter,
        by,
        trained,
        sources=output.sources,
        make=output.make,
        is_whole=output.is_whole,
    )


def _is_trained(one: Data) -> bool:
    return isinstance(one, torch.nn.Parameter) and one.requires_grad  # a buffer's counterpart is not trained either


def _rename_by_rules(pair: Pair, names: Mapping[str, str]) -> Pair:
    new = names.get(pair.torch)
    return pair if new is None else replace(pair, mindspore=rename_pair(pair, new))


def _layers(module: torch.nn.Module, cell: Cell, pairs: Iterable[Weight]) -> dict[str, str]:
    """Return the layer on the other side for each layer that is one step and owns weights."""
    whole = [{path for path, layer in paths(network) if is_step(layer)} for network in (module, cell)]
    layers: dict[str, str] = {}
    for one in pairs:
        mine, other = (_owner(name, steps) for name, steps in zip((one.torch, one.cell), whole, strict=True))
        if mine is not None and other is not None:
            layers.setdefault(mine, other)
    return layers


def _are_steps(network: Network, names: Iterable[str]) -> bool:
    """Whether each of some paths is a layer that is one step."""
    return set(names) <= {path for path, layer in paths(network) if is_step(layer)}


def _owner(name: str, steps: set[str]) -> str | None:
    """Return the outermost layer above a tensor that is one step."""
    parts = name.split(".")[:-1]
    for length in range(len(parts) + 1):
        if (path := ".".join(parts[:length])) in steps:
            return path
    return None
