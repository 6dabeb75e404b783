"""Wrong weights: why a Cell that keeps its own weights does not hold what conversion would produce."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch

from msbridge.verify.explain.findings import Cause, Fact, Finding, Name, fact, first
from msbridge.verify.pair.weights import Weight, Weights

GATES = {"LSTM": 4, "GRU": 3, "LSTMCell": 4, "GRUCell": 3}
COARSE = (torch.float16, torch.bfloat16)


def wrong_weights(weights: Weights, kinds: Mapping[str, str]) -> dict[str, Finding]:
    """Compare the Cell's values with what conversion would produce.

    Args:
        weights: the pairs.
        kinds: path of a torch layer → its class, for the order of gates.

    Returns:
        The Cell's name of a weight → what is wrong with it.
    """
    findings = {}
    for pair in weights.pairs:
        own = pair.parameter._data.detach()
        value = pair.value.to(own.dtype)
        if not torch.equal(own, value):
            case = WrongWeight(pair, own, value, weights, GATES.get(kinds.get(_path(pair.sources[0]), ""), 0))
            if finding := first(WRONG_VALUES, case):  # the last of them always applies
                findings[pair.cell] = replace(
                    finding, layer=_path(pair.sources[0]) or pair.torch, cell=_path(pair.cell) or pair.cell
                )
    return findings


@dataclass(frozen=True, slots=True, eq=False)
class WrongWeight:
    """A weight whose values are not torch's."""

    weight: Weight  # the pair
    own: torch.Tensor  # the Cell's values
    value: torch.Tensor  # torch's, in the Cell's dtype
    others: Weights  # all pairs
    gates: int  # how many gates the layer has

    def fact(self, name: str, /, **values: object) -> Fact:
        """Return a fact about this weight."""
        return fact(name, cell=Name(self.weight.cell), torch=Name(self.weight.torch), **values)

    @property
    def share_unequal(self) -> float:
        """The share of its values that are wrong, from 0 to 1."""
        return (self.own != self.value).double().mean().item()


def _find_transpose(case: WrongWeight) -> Fact | None:
    own = case.own
    is_square = own.dim() >= 2 and own.shape[0] == own.shape[1]
    return case.fact("transposed") if is_square and torch.equal(own, case.value.transpose(0, 1)) else None


def _find_swap(case: WrongWeight) -> Fact | None:
    weight, ours, value = case.weight, case.own, case.value
    for other in case.others.pairs:
        if other is weight or other.value.shape != value.shape or not torch.equal(ours, other.value.to(ours.dtype)):
            continue
        if ours.unique().numel() > 1 or _path(other.sources[0]) == _path(weight.sources[0]):
            return case.fact("swapped", other=Name(other.torch))
    return None


def _gate_order(case: WrongWeight) -> Fact | None:
    if not case.gates or case.own.shape[0] % case.gates:
        return None
    mine, theirs = case.own.chunk(case.gates), case.value.chunk(case.gates)
    order = tuple(next((j for j, other in enumerate(theirs) if torch.equal(block, other)), -1) for block in mine)
    return case.fact("gates", order=order) if sorted(order) == list(range(case.gates)) else None


def _not_loaded(case: WrongWeight) -> Fact | None:
    return case.fact("not loaded", value=case.own.flatten()[0].item()) if case.own.unique().numel() == 1 else None


def _find_flip(case: WrongWeight) -> Fact | None:
    value = case.value
    if torch.equal(case.own, value.flip(tuple(range(2, value.dim())) or (0,))):
        return case.fact("flipped")
    return case.fact("negated") if torch.equal(case.own, -value) else None


def _find_rounding(case: WrongWeight) -> Fact | None:
    for dtype in COARSE if case.share_unequal > 0.5 else ():
        if torch.equal(case.own, case.value.to(dtype).to(case.own.dtype)):
            return case.fact("rounded", dtype=dtype)
    return None


def _find_scale(case: WrongWeight) -> Fact | None:
    own, value = case.own.double(), case.value.double()
    factor = ((own * value).sum() / value.square().sum()).item()
    limit = 1e-7 * value.abs().max().item()
    is_scaled = case.share_unequal > 0.5 and torch.allclose(own, factor * value, rtol=1e-4, atol=limit)
    return case.fact("weight scaled", factor=factor) if is_scaled else None


def _find_permutation(case: WrongWeight) -> Fact | None:
    is_same = case.own.numel() > 1 and torch.equal(case.own.flatten().sort()[0], case.value.flatten().sort()[0])
    return case.fact("weight reordered") if is_same else None


def _unequal(case: WrongWeight) -> Fact:
    count, worst = int((case.own != case.value).sum()), (case.own.double() - case.value.double()).abs().max().item()
    return case.fact("unequal values", count=count, of=case.own.numel(), worst=worst)


# Torch's tensor is not in the Cell as it should be; the first that applies is the reason.
WRONG_VALUES = (
    Cause("weight transposed", _find_transpose, "exchange axes"),
    Cause("weights swapped", _find_swap, "load the right one"),
    Cause("gate order", _gate_order, "order of gates"),
    Cause("weight not loaded", _not_loaded, "load it"),
    Cause("weight values", _find_flip, "convert"),
    Cause("dtype", _find_rounding, "keep dtype"),
    Cause("weight values", _find_scale, "convert"),
    Cause("weight order", _find_permutation, "convert"),
    Cause("weight values", _unequal, "convert"),
)


def _path(name: str) -> str:
    return name.rpartition(".")[0]
