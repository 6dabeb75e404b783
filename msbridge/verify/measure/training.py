"""Training: gradients, losses, weights and moving statistics of both networks."""

import copy
import statistics
from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.autograd.grad import value_and_grad
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.verify.measure.difference import Difference, compare_tensors
from msbridge.verify.pair.weights import Weights
from msbridge.verify.record.arguments import Arguments
from msbridge.verify.record.pytree import tensors
from msbridge.verify.record.timing import now

# A gradient sums over batch and places, with cancellation, and torch's own error may be small by chance: on 200 equal
# pairs of networks the greatest ratio was 38; faults reach a million.
SUMMED = 10.0
TIMED = 4  # steps of which the times without the first have a median that says something
Loss = Callable[..., torch.Tensor]
Gradients = tuple[torch.Tensor, dict[str, torch.Tensor]]  # the loss, and the gradients by name


def weighted_sum(*outputs: torch.Tensor) -> torch.Tensor:
    """Return the mean of each output times fixed random weights, so that no gradient is zero by symmetry."""
    total = torch.zeros(())
    for number, output in enumerate(outputs):
        if output.is_floating_point():
            generator = torch.Generator().manual_seed(number)
            factors = torch.randn(output.shape, generator=generator).to(output)
            total = total + (output * factors).mean() + 0.5 * output.square().mean()
    return total


def gradients(
    module: torch.nn.Module, cell: Cell, given: Arguments, weights: Weights, loss: Loss | None, seed: int
) -> dict[str, Difference]:
    """Compare the gradient of every weight that both networks train, in inference mode.

    Returns:
        torch's name → the difference; the noise is that of torch's gradient against float64.
    """
    module.eval()
    cell.set_train(False)
    theirs = torch_gradients(module, given, loss or weighted_sum, seed)[1]
    ours = cell_gradients(cell, given, loss or weighted_sum, seed)[1]
    reference = _wide_gradients(module, given, loss or weighted_sum, seed)
    differences = {}
    for pair in weights.pairs:
        wanted = pair.of(theirs)
        if wanted is not None and pair.cell in ours:
            own = without_padding_row(module, pair.sources[0], ours[pair.cell])
            differences[pair.torch] = compare_tensors(own, wanted, pair.of(reference)).allowing(SUMMED)
    return differences


def without_padding_row(module: torch.nn.Module, name: str, slope: torch.Tensor) -> torch.Tensor:
    """Zero what torch does not compute: the gradient of an Embedding's padding row, which MindSpore trains."""
    owner = module.get_submodule(name.rpartition(".")[0])
    if isinstance(owner, torch.nn.Embedding) and owner.padding_idx is not None:
        slope = slope.clone()
        slope[owner.padding_idx] = 0
    return slope


def steps(
    module: torch.nn.Module,
    cell: Cell,
    given: Arguments,
    weights: Weights,
    loss: Loss | None,
    seed: int,
    count: int,
    learning_rate: float,
    seconds: dict[str, float],
) -> dict[str, Difference]:
    """Train both for some steps of plain gradient descent, and compare losses, weights and moving statistics.

    The values of both are as before afterwards; `seconds` gets the median time of the steps behind the first,
    where there are enough of them.
    """
    loss = loss or weighted_sum
    saved = {name: one.detach().clone() for name, one in module.state_dict().items() if isinstance(one, torch.Tensor)}
    kept = {name: one._data.clone() for name, one in cell.parameters_and_names()}
    module.train()
    cell.set_train(True)
    losses: tuple[list[torch.Tensor], list[torch.Tensor]] = ([], [])
    times: list[tuple[float, float]] = []
    try:
        for step in range(count):
            began = now()
            value, slopes = torch_gradients(module, given, loss, seed + step)
            losses[0].append(value)
            _descend(dict(module.named_parameters()), slopes, learning_rate)
            middle = now()
            value, slopes = cell_gradients(cell, given, loss, seed + step)
            losses[1].append(value)
            _descend({name: one._data for name, one in cell.parameters_and_names()}, slopes, learning_rate)
            times.append((middle - began, now() - middle))
        if count >= TIMED:
            medians = (statistics.median(one) for one in zip(*times[1:], strict=True))
            seconds |= dict(zip(("torch training step", "cell training step"), medians, strict=True))
        differences: dict[str, Difference] = {
            "loss of each step": _compare_trained(torch.stack(losses[1]), torch.stack(losses[0]), count)
        }
        after = {name: one.detach() for name, one in module.state_dict().items() if isinstance(one, torch.Tensor)}
        for one in weights.pairs:
            wanted = one.of(after)
            if wanted is not None:
                differences[one.torch] = _compare_trained(one.parameter._data.detach(), wanted, count)
    finally:
        module.load_state_dict(saved, strict=False)
        with torch.no_grad():
            for name, parameter in cell.parameters_and_names():
                parameter._data.copy_(kept[name])
    return differences


def _compare_trained(own: torch.Tensor, wanted: torch.Tensor, count: int) -> Difference:
    """Compare after training: every step adds the rounding of a forward and a backward pass of the whole network."""
    return compare_tensors(own, wanted).allowing(64 * max(count, 1))


def _descend(parameters: dict[str, Any], slopes: dict[str, torch.Tensor], learning_rate: float) -> None:
    with torch.no_grad():
        for name, slope in slopes.items():
            parameters[name].sub_(learning_rate * slope)


def torch_gradients(
    module: torch.nn.Module, given: Arguments, loss: Loss, seed: int, is_wide: bool = False
) -> Gradients:
    """Return the loss of a torch module and the gradients of its parameters, by name."""
    torch.manual_seed(seed)
    named = {name: one for name, one in module.named_parameters() if one.requires_grad}
    args, kwargs = given.of(module, is_wide)
    value = loss(*tensors(module(*args, **kwargs)))
    slopes = torch.autograd.grad(value, list(named.values()), allow_unused=True)
    return value.detach(), {name: one for name, one in zip(named, slopes, strict=True) if one is not None}


def cell_gradients(cell: Cell, given: Arguments, loss: Loss, seed: int) -> Gradients:
    """Return the loss of a Cell and the gradients of its trained parameters, by name."""
    torch.manual_seed(seed)
    named = {name: one for name, one in cell.parameters_and_names() if one.requires_grad}

    args, kwargs = given.of(cell)

    def forward(*inputs: Tensor) -> Tensor:
        return wrap(loss(*tensors(cell(*inputs, **kwargs))))

    value, slopes = value_and_grad(forward, None, list(named.values()))(*args)
    return value._data.detach(), {name: one._data for name, one in zip(named, slopes, strict=True)}


def _wide_gradients(module: torch.nn.Module, given: Arguments, loss: Loss, seed: int) -> dict[str, torch.Tensor]:
    try:
        twin = copy.deepcopy(module).double()
        return torch_gradients(twin, given, loss, seed, is_wide=True)[1]
    except (RuntimeError, TypeError):  # no float64 here; the rounding unit judges
        return {}
