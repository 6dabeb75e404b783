"""Weights: which parameter of a Cell answers to which tensor of a torch module, loaded or checked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from msbridge.converters.layers import Pair, pairs_of_module
from msbridge.converters.weight_norm import fold
from msbridge.core.parameter import Parameter
from msbridge.nn.cell import Cell
from msbridge.verify.trace import is_step, paths

GATES = {"LSTM": 4, "GRU": 3, "LSTMCell": 4, "GRUCell": 3}
Data = torch.Tensor
Leaf = tuple[str, tuple[int, ...] | None]
# Other names that the same tensor has in a layer of another kind (mint's, or one written by hand).
SYNONYMS = {
    "beta": "bias",
    "embedding_table": "weight",
    "gamma": "weight",
    "mean": "running_mean",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
    "variance": "running_var",
    "w": "weight",
}


@dataclass(slots=True, eq=False)
class Weight:
    """One tensor on both sides.

    Attributes:
        torch: its name in the state dict.
        cell: its name in the Cell.
        value: torch's tensor, with MindSpore's axes.
        parameter: the Cell's.
        by: how the two were found to belong together: "name" or "order".
        trained: whether torch trains it, and whether the Cell does.
        issue: what is wrong with the Cell's values, when they are checked.
        kind: the issue in one word.
    """

    torch: str
    cell: str
    value: Data
    parameter: Parameter
    by: str
    trained: tuple[bool, bool] = (True, True)
    issue: str = ""
    kind: str = ""


@dataclass(slots=True, eq=False)
class Weights:
    """The weights of both networks.

    Attributes:
        pairs: what belongs together.
        only_torch: names of torch's tensors without a counterpart.
        only_cell: names of the Cell's parameters without one.
        layers: path of a torch layer → path of the Cell that holds its weights.
    """

    pairs: list[Weight] = field(default_factory=list)
    only_torch: list[str] = field(default_factory=list)
    only_cell: list[str] = field(default_factory=list)
    layers: dict[str, str] = field(default_factory=dict)


def pair_weights(module: torch.nn.Module, cell: Cell) -> Weights:
    """Find the parameter of the Cell for every tensor of the module: by the name conversion gives, then by order."""
    state = module.state_dict(keep_vars=True)
    wanted = [one for one in pairs_of_module(module) if one.mindspore is not None]
    parameters = dict(cell.parameters_and_names())
    by_name = {parameter.name: key for key, parameter in parameters.items()} | {key: key for key in parameters}
    found, left, taken = Weights(), [], set()
    for pair in wanted:
        key = by_name.get(pair.mindspore or "")
        if key is not None and key not in taken and tuple(parameters[key].shape) == pair.mindspore_shape:
            found.pairs.append(_weight(pair, state, key, parameters[key], "name"))
            taken.add(key)
        else:
            left.append(pair)
    rest = [key for key in parameters if key not in taken]
    for pair, key in _by_order(left, rest, parameters):
        found.pairs.append(_weight(pair, state, key, parameters[key], "order"))
        taken.add(key)
    matched = {one.torch for one in found.pairs}
    found.only_torch = [one.torch for one in left if one.torch not in matched and not one.optional]
    tracks = {_path(one.cell) for one in found.pairs}
    found.only_cell = [
        key for key, one in parameters.items() if key not in taken and (one.requires_grad or _path(key) not in tracks)
    ]  # statistics that torch does not keep (InstanceNorm) are not used either
    order = {pair.torch: number for number, pair in enumerate(wanted)}
    found.pairs.sort(key=lambda one: order[one.torch])
    found.layers = _layers(module, cell, found.pairs)
    return found


def _path(key: str) -> str:
    return key.rpartition(".")[0]


def load(weights: Weights) -> None:
    """Write torch's values into the Cell, in the Cell's dtypes."""
    with torch.no_grad():
        for one in weights.pairs:
            one.parameter._data.copy_(one.value)


def check(weights: Weights, kinds: Mapping[str, str]) -> None:
    """Compare the Cell's values with what conversion would give, and say what is wrong with those that differ.

    Args:
        weights: the pairs; `issue` and `kind` are set.
        kinds: path of a torch layer → its class, for the order of gates.
    """
    for one in weights.pairs:
        own = one.parameter._data.detach()
        if torch.equal(own, one.value.to(own.dtype)):
            continue
        layer = kinds.get(one.torch.rpartition(".")[0], "")
        one.kind, one.issue = _issue(one, own, weights.pairs, GATES.get(layer, 0))


def _issue(one: Weight, own: torch.Tensor, others: Sequence[Weight], gates: int) -> tuple[str, str]:
    value = one.value.to(own.dtype)
    if own.dim() >= 2 and own.shape[0] == own.shape[1] and torch.equal(own, value.transpose(0, 1)):
        return "weight transposed", f"{one.cell} is {one.torch} with its first two axes exchanged"
    for other in others:
        if other is one or other.value.shape != value.shape or not torch.equal(own, other.value.to(own.dtype)):
            continue
        if own.unique().numel() > 1 or other.torch.rpartition(".")[0] == one.torch.rpartition(".")[0]:
            return "weights swapped", f"{one.cell} holds the values of {other.torch}, not of {one.torch}"
    if gates and own.shape[0] % gates == 0 and (order := _gate_order(own, value, gates)):
        return "gate order", f"the gates of {one.cell} stand in the order {order}, torch's is {tuple(range(gates))}"
    if own.unique().numel() == 1:
        return "weight not loaded", f"{one.cell} is {own.flatten()[0].item():g} everywhere: nothing was loaded into it"
    for name, same in (("flipped", value.flip(tuple(range(2, value.dim())) or (0,))), ("negated", -value)):
        if torch.equal(own, same):
            return "weight values", f"{one.cell} is {one.torch} {name}"
    wide, reference = own.double(), value.double()
    unequal = own != value
    share, count = unequal.double().mean().item(), int(unequal.sum())
    if torch.allclose(wide, reference, rtol=2e-2, atol=1e-6 * reference.abs().max().item()) and share > 0.5:
        for dtype in (torch.float16, torch.bfloat16):
            if torch.equal(own, value.to(dtype).to(own.dtype)):
                return "dtype", f"{one.cell} is {one.torch} rounded to {str(dtype).removeprefix('torch.')}"
    factor = ((wide * reference).sum() / reference.square().sum()).item()
    if share > 0.5 and torch.allclose(wide, factor * reference, rtol=1e-4, atol=1e-7 * reference.abs().max().item()):
        return "weight values", f"{one.cell} is {one.torch} times {factor:.4g}"
    if own.numel() > 1 and torch.equal(own.flatten().sort()[0], value.flatten().sort()[0]):
        return "weight order", f"{one.cell} holds the values of {one.torch} in another order"
    worst = (wide - reference).abs().max().item()
    text = f"{one.cell} differs from {one.torch} in {count} of {own.numel()} values, by up to {worst:.3g}"
    return "weight values", text


def _gate_order(own: torch.Tensor, value: torch.Tensor, gates: int) -> tuple[int, ...] | None:
    mine, theirs = own.chunk(gates), value.chunk(gates)
    order = [next((j for j, other in enumerate(theirs) if torch.equal(block, other)), -1) for block in mine]
    return tuple(order) if sorted(order) == list(range(gates)) else None


def _weight(pair: Pair, state: Mapping[str, Any], key: str, parameter: Parameter, by: str) -> Weight:
    value = state[pair.torch].detach()
    if pair.magnitude is not None:
        value = fold(pair.axes).apply([state[pair.magnitude].detach(), value])[0]
    elif pair.axes is not None:
        value = pair.axes.apply(value, pair.torch)
    is_buffer = not isinstance(state[pair.torch], torch.nn.Parameter)  # its counterpart is a parameter not trained
    trained = (not is_buffer and state[pair.torch].requires_grad, parameter.requires_grad)
    return Weight(pair.torch, key, value, parameter, by, trained)


def _by_order(
    left: Sequence[Pair], rest: Sequence[str], parameters: Mapping[str, Parameter]
) -> Iterable[tuple[Pair, str]]:
    """Pair what the names did not settle: layer by layer in order, where the names inside and the shapes agree.

    The second round takes other layers' names of the same tensor too.
    """
    for names in ({}, SYNONYMS):
        ours: dict[str, dict[Leaf, Pair]] = {}
        for pair in left:
            leaf = (pair.mindspore or "").rpartition(".")[2]
            group = ours.setdefault(_path(pair.torch), {})
            group[names.get(leaf, leaf), pair.mindspore_shape] = pair
        theirs: dict[str, dict[Leaf, str]] = {}
        for key in rest:
            path, _, leaf = key.rpartition(".")
            theirs.setdefault(path, {})[names.get(leaf, leaf), tuple(parameters[key].shape)] = key
        needed = [{leaf for leaf, key in group.items() if parameters[key].requires_grad} for group in theirs.values()]
        found = []
        for mine, number in _in_step([set(group) for group in ours.values()], list(map(set, theirs.values())), needed):
            other = list(theirs.values())[number]
            found += [(pair, other[leaf]) for leaf, pair in list(ours.values())[mine].items()]
        yield from found
        taken = {id(pair) for pair, _ in found}, {key for _, key in found}
        left = [pair for pair in left if id(pair) not in taken[0]]
        rest = [key for key in rest if key not in taken[1]]


def _in_step(
    ours: Sequence[set[Leaf]], theirs: Sequence[set[Leaf]], needed: Sequence[set[Leaf]]
) -> list[tuple[int, int]]:
    """Pair as many layers of two sequences as possible, in order.

    A pair is possible when the Cell has all that torch has, and torch all that the Cell trains.
    """
    best = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    fits = [[need <= mine <= other for other, need in zip(theirs, needed, strict=True)] for mine in ours]
    for i in range(len(ours) - 1, -1, -1):
        for j in range(len(theirs) - 1, -1, -1):
            both = best[i + 1][j + 1] + 1 if fits[i][j] else 0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], both)
    found, i, j = [], 0, 0
    while i < len(ours) and j < len(theirs):
        if fits[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def _layers(module: torch.nn.Module, cell: Cell, pairs: Iterable[Weight]) -> dict[str, str]:
    """Give the layer on the other side for each layer that is one step and owns weights."""
    whole = [{path for path, layer in paths(network) if is_step(layer)} for network in (module, cell)]
    found: dict[str, str] = {}
    for one in pairs:
        mine, other = (_owner(name, steps) for name, steps in zip((one.torch, one.cell), whole, strict=True))
        if mine is not None and other is not None:
            found.setdefault(mine, other)
    return found


def _owner(name: str, steps: set[str]) -> str | None:
    """Give the outermost layer above a tensor that is one step."""
    parts = name.split(".")[:-1]
    for length in range(len(parts) + 1):
        if (path := ".".join(parts[:length])) in steps:
            return path
    return None
