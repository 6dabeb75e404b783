"""Measuring a step: what autograd keeps for the backward pass, layer by layer, and which operators run."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.torch_private import TorchDispatchMode, tree_leaves
from msbridge.device.report.facts import Layer, Memory, Operator
from msbridge.device.report.places import Paths, cells_of
from msbridge.device.rounding import NARROWED, name_of

__all__ = ["Footprint", "Operators"]

BACKWARD = "the backward pass"
MAX_LAYERS = 12  # of those that keep the most


class Footprint:
    """The memory of one call of a gradient function.

    Args:
        inputs: what its function is called with.
        weights: the Parameters that are differentiated.
    """

    def __init__(self, inputs: Sequence[Any], weights: Sequence[Any]) -> None:
        self._batch_data = [value._data for value in inputs if isinstance(value, Tensor)]
        self._weights = {id(weight): weight for weight in weights}
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
        known = {weight._data.untyped_storage().data_ptr() for weight in self._weights.values()}
        batch = _batch_size(self._batch_data)
        inputs = {data.untyped_storage().data_ptr(): data.untyped_storage().nbytes() for data in self._batch_data}
        maps = growing = 0
        layers: Counter[tuple[str, str]] = Counter()
        for pointer, (size, shape, place) in self._kept.items():
            if pointer in known or pointer in inputs:
                continue
            maps += size
            layers[place] += size
            if batch and shape and shape[0] % batch == 0:
                growing += size
        total_inputs = sum(inputs.values())
        found = tuple(Layer(path, kind, size) for (path, kind), size in layers.most_common(MAX_LAYERS) if size)
        grown = growing + (total_inputs if batch else 0)
        return Memory(0, 0, self._gradients, total_inputs, maps, grown, batch, found)

    def _note(self, data: torch.Tensor) -> torch.Tensor:
        storage = data.untyped_storage()
        if storage.data_ptr() not in self._kept:
            cells = cells_of()
            if cells and id(cells[-1]) not in self._networks:
                self._networks.add(id(cells[-1]))
                self._weights.update({id(weight): weight for weight in cells[-1].get_parameters()})
            self._kept[storage.data_ptr()] = storage.nbytes(), data.shape, self._paths.of(cells)
        return data


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
