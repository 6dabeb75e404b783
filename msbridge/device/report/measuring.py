"""Measuring a step: what stays on the device, what autograd keeps, layer by layer, and which operators run."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.torch_private import TorchDispatchMode, storage_id, tree_leaves
from msbridge.device.report.facts import Layer, Memory, Operator
from msbridge.device.report.places import Paths, cells_of
from msbridge.device.rounding import NARROWED, name_of

__all__ = ["Footprint", "Operators", "Resident"]

BACKWARD = "the backward pass"
MAX_LAYERS = 12  # of those that keep the most


class Footprint:
    """The memory of one call of a gradient function.

    Args:
        inputs: what its function is called with.
        weights: the Parameters that are differentiated.
        stand_in: returns what autograd keeps instead of a tensor of the script, where only shapes are computed.
    """

    def __init__(
        self,
        inputs: Sequence[Any],
        weights: Sequence[Any],
        stand_in: Callable[[torch.Tensor], torch.Tensor] | None = None,
    ) -> None:
        self._stand_in = stand_in
        self._batch_data = [value._data for value in inputs if isinstance(value, Tensor)]
        self._weights: dict[int, Any] = {}
        self._represented: list[torch.Tensor] = []  # held, so that no other tensor gets the memory of one
        self._add_weights(weights)
        self._represent(self._batch_data)
        self._kept: dict[int, tuple[int, torch.Size, tuple[str, str]]] = {}
        self._paths = Paths()
        self._networks: set[int] = set()
        self._gradients = 0
        self._hooks = torch.autograd.graph.saved_tensors_hooks(self._note, _same)

    def begin(self) -> None:
        """Listen to what autograd keeps."""
        self._hooks.__enter__()

    def end(self, gradients: Sequence[torch.Tensor] | None) -> None:
        """Listen no more."""
        self._hooks.__exit__(None, None, None)
        self._gradients = sum(data.nbytes for data in gradients or ())

    def parameters(self) -> Iterable[Any]:
        """Return the Parameters that were met: those that are differentiated, and the others of their networks."""
        return self._weights.values()

    def memory(self) -> Memory:
        """Return the memory that the call needs; parameters and optimizer are left at 0."""
        known = {storage_id(weight._data) for weight in self._weights.values()}
        batch = _batch_size(self._batch_data)
        inputs = {storage_id(data): data.untyped_storage().nbytes() for data in self._batch_data}
        maps = growing = 0
        layers: Counter[tuple[str, str]] = Counter()
        known |= inputs.keys() | {storage_id(data) for data in self._represented}
        for storage, (size, shape, place) in self._kept.items():
            if storage in known:
                continue
            maps += size
            layers[place] += size
            if batch and shape and shape[0] % batch == 0:
                growing += size
        total_inputs = sum(inputs.values())
        found = tuple(Layer(path, kind, size) for (path, kind), size in layers.most_common(MAX_LAYERS) if size)
        grown = growing + (total_inputs if batch else 0)
        return Memory(0, 0, self._gradients, total_inputs, maps, grown, batch, found)

    def _add_weights(self, weights: Iterable[Any]) -> None:
        added = [weight for weight in weights if id(weight) not in self._weights]
        self._weights.update({id(weight): weight for weight in added})
        self._represent(weight._data for weight in added)

    def _represent(self, datas: Iterable[torch.Tensor]) -> None:
        if self._stand_in is not None:
            self._represented += map(self._stand_in, datas)

    def _note(self, data: torch.Tensor) -> torch.Tensor:
        storage = storage_id(data)
        if storage not in self._kept:
            cells = cells_of()
            if cells and id(cells[-1]) not in self._networks:
                self._networks.add(id(cells[-1]))
                self._add_weights(cells[-1].get_parameters())
            self._kept[storage] = data.untyped_storage().nbytes(), data.shape, self._paths.of(cells)
        return data


class Resident:
    """The memory that stays on the device between steps: Parameters, and the state of optimizers, each once."""

    def __init__(self) -> None:
        self._parameters: dict[int, int] = {}
        self._states: dict[int, int] = {}
        self._optimizers: set[int] = set()

    def add_parameters(self, parameters: Iterable[Any]) -> None:
        """Add Parameters; the state of an optimizer may be among them, as a training step's Cell has it."""
        self._parameters.update({id(parameter): parameter._data.nbytes for parameter in parameters})

    def add_optimizer(self, optimizer: Any) -> bool:
        """Add what an optimizer trains, and its state; return whether it is a new one."""
        if id(optimizer) in self._optimizers:
            return False
        self._optimizers.add(id(optimizer))
        self.add_parameters(optimizer.parameters)
        trained = {id(parameter) for parameter in optimizer.parameters}
        state = [parameter for parameter in optimizer.get_parameters() if id(parameter) not in trained]
        self._states.update({id(parameter): parameter._data.nbytes for parameter in state})
        return True

    @property
    def parameters(self) -> int:
        """The bytes of the Parameters that are no optimizer's state."""
        return sum(nbytes for identity, nbytes in self._parameters.items() if identity not in self._states)

    @property
    def optimizer(self) -> int:
        """The bytes of the state of optimizers."""
        return sum(self._states.values())

    def with_step(self, memory: Memory) -> Memory:
        """Return the memory of a step together with what stays on the device."""
        return replace(memory, parameters=self.parameters, optimizer=self.optimizer)


class Operators(TorchDispatchMode):
    """Counts the operators that run in this block, and looks at the values of those that an Ascend narrows."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # guarding against torch.compile would import it: 3 s

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch 2.13 does not annotate it
        self._calls: Counter[tuple[str, str]] = Counter()
        self._dtypes: dict[tuple[str, str], set[str]] = {}
        self._peaks: dict[tuple[str, str], list[torch.Tensor]] = {}
        self._vanished: dict[tuple[str, str], list[torch.Tensor]] = {}
        self._paths = Paths()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if func.is_view:
            return result
        name = name_of(func)
        given = [data for data in tree_leaves((args, kwargs)) if isinstance(data, torch.Tensor)]
        key = name, (self._place() if name in NARROWED else "")
        self._calls[key] += 1
        self._dtypes.setdefault(key, set()).update(str(data.dtype).removeprefix("torch.") for data in given)
        if name in NARROWED:
            made = [data for data in tree_leaves(result) if isinstance(data, torch.Tensor)]
            self._look_at(key, [data for data in (*given, *made) if data.dtype is torch.float32 and data.numel()])
        return result

    def summarize(self) -> tuple[Operator, ...]:
        """Return the operators, those that are narrowed first; reads values from the device."""
        return tuple(
            Operator(
                *(name, NARROWED.get(name, ""), place, tuple(sorted(self._dtypes[name, place])), calls),
                peak=max((float(data) for data in self._peaks.get((name, place), ())), default=None),
                vanished=max((float(data) for data in self._vanished.get((name, place), ())), default=0.0),
            )
            for (name, place), calls in sorted(
                self._calls.items(), key=lambda item: (item[0][0] not in NARROWED, -item[1], item[0])
            )
        )

    def _place(self) -> str:
        path, kind = self._paths.of(cells_of())
        return f"{path} ({kind})" if path else kind or BACKWARD

    def _look_at(self, key: tuple[str, str], datas: Sequence[torch.Tensor]) -> None:
        if not datas:
            return
        self._peaks.setdefault(key, []).append(torch.stack([data.detach().abs().amax() for data in datas]).amax())
        shares = [((data.half() == 0) & (data != 0)).float().mean() for data in map(torch.Tensor.detach, datas)]
        self._vanished.setdefault(key, []).append(torch.stack(shares).amax())


def _same(data: torch.Tensor) -> torch.Tensor:
    return data


def _batch_size(datas: Sequence[torch.Tensor]) -> int:
    """Return the length of the first axis that all inputs have in common; 0 where there is none."""
    lengths = {data.shape[0] for data in datas if data.ndim}
    return lengths.pop() if len(lengths) == 1 else 0
