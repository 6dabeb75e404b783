"""The update engine, on which every optimizer stands: all parameters of a bucket change in one call of a rule.

A policy (`cells`, `experimental`, `mint.optim`) says which parameters share a bucket, under which names state is held,
and where learning rates and weight decays come from. The engine reads them, once a step and in one place.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core import observing
from msbridge.core.errors import describe
from msbridge.core.parameter import Parameter
from msbridge.core.recording import in_place
from msbridge.core.tensor import Tensor, wrap
from msbridge.nn.cell import Cell
from msbridge.nn.optim import rules
from msbridge.nn.optim.rules import Tensors
from msbridge.ops.composite.functions import HyperMap, Map

__all__ = ["Bucket", "Engine", "host_parameter", "read"]

_numel = torch.Tensor.numel


class Bucket:
    """Parameters that are updated in one call of a rule, and the scalars of a step, as rules take them.

    Attributes:
        indices: their positions among all parameters, or None for all of them in order.
        rate: what holds or computes their learning rate: a Parameter, or a Cell that is called with the step.
        options: the settings of their group: "weight_decay" and others.
        step: the number of this step, from 1; it is 1 in every step of an optimizer that counts none.
        lr: the learning rate of this step.
        decay: the weight decay of this step.
        memory: scalars that a rule carries to the next step, outside the state that is saved.
        sizes: how many elements each gradient had when they were last looked at.
    """

    __slots__ = ("decay", "indices", "lr", "memory", "options", "rate", "sizes", "step")

    def __init__(self, rate: Parameter | Cell, options: Mapping[str, Any]) -> None:
        self.indices: list[int] | None = []
        self.rate = rate
        self.options = options
        self.step = 1
        self.lr = 0.0
        self.decay = 0.0
        self.memory: dict[str, Any] = {}
        self.sizes: list[int] = []

    def of(self, tensors: Sequence[Tensor]) -> list[torch.Tensor]:
        """Return the torch tensors of this bucket out of those of all parameters."""
        if self.indices is None:
            return [tensor._data for tensor in tensors]
        return [tensors[index]._data for index in self.indices]


class Engine(Cell):
    """Base of all optimizers; a subclass defines `_update`, or `construct`."""

    # For the `construct` of subclasses, which scripts take for given.
    hyper_map = HyperMap()
    map_ = Map()

    _takes_decay = False  # whether `_update` applies weight decay; otherwise it is added to the gradients before

    def __init__(self) -> None:
        super().__init__(auto_prefix=False)
        self._buckets: list[Bucket] = []
        self._slots: dict[str, tuple[str, float | str]] = {}
        self._counter = ""
        self._first_count = 0
        self._done: Any = True

    def construct(self, gradients: Sequence[Tensor]) -> Any:
        """Update all parameters from their gradients, with the options that hold now.

        Args:
            gradients: one per parameter, in the order of `parameters`.

        Returns:
            True, or for most optimizers of `mindspore.nn` a tuple of it, one per parameter.

        Raises:
            RuntimeError: there is not one gradient per parameter.
            TypeError: a gradient is no Tensor, or of integers.
            ValueError: a gradient has another shape than its parameter.
        """
        parameters = self.parameters
        if len(gradients) != len(parameters):
            raise RuntimeError(
                f"For '{type(self).__name__}', one gradient per parameter is needed: {len(parameters)}, "
                f"got {len(gradients)}."
            )
        for observer in observing.active:
            observer.update(self, gradients)
        self._begin_step()
        with in_place():
            self._update_all(parameters, gradients)
        if self._counter:
            getattr(self, self._counter)._data.add_(1)
        return self._done

    def _update_all(self, parameters: Sequence[Tensor], gradients: Sequence[Tensor]) -> None:
        for bucket in self._buckets:
            p: Tensors = bucket.of(parameters)
            try:
                g: Tensors = bucket.of(gradients)
            except AttributeError as error:
                raise self._no_tensor(gradients) from error
            if list(map(_numel, g)) != bucket.sizes:  # torch's fused kernels read past the end of a small one (2.13)
                self._check_gradients(bucket, p, g)
            if g[0].dtype is not p[0].dtype:
                g = [grad.to(parameter.dtype) for grad, parameter in zip(g, p, strict=True)]
            g = self._prepared(bucket, g)
            self._update(bucket, p, g if self._takes_decay else rules.decayed(p, g, bucket.decay))

    def _no_tensor(self, gradients: Sequence[Any]) -> Exception:
        """Return the error for gradients of which one is no Tensor."""
        odd = next(item for item in gradients if not isinstance(item, Tensor))
        return TypeError(f"For '{type(self).__name__}', every gradient must be a Tensor, but got {describe(odd)}.")

    def _check_gradients(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        """Look at gradients of other sizes than those of the step before."""
        for index, parameter, grad in zip(bucket.indices or range(len(p)), p, g, strict=True):
            known = self.parameters[index]
            if grad.shape != parameter.shape:
                raise ValueError(
                    f"For '{type(self).__name__}', the gradient of '{known.name}' must have its shape "
                    f"{known.shape}, but got {tuple(grad.shape)}."
                )
            if not (grad.is_floating_point() or grad.is_complex()):
                raise TypeError(
                    f"For '{type(self).__name__}', the gradient of '{known.name}' must be of a floating dtype, "
                    f"but got {describe(wrap(grad))}."
                )
        bucket.sizes = list(map(_numel, g))

    def _begin_step(self) -> None:
        """Put the step count, the learning rates and the weight decays of this step into the buckets."""
        done = getattr(self, self._counter) if self._counter else None
        step = 1 if done is None else int(read(done)) - self._first_count + 1
        rates: dict[int, float] = {}
        for bucket in self._buckets:
            source = self._rate_source(bucket)
            if id(source) not in rates:
                rates[id(source)] = read(source, done, is_scalar=True)
            bucket.lr = rates[id(source)]
            bucket.decay = read(bucket.options["weight_decay"], done)
            bucket.step = step

    def _rate_source(self, bucket: Bucket) -> Any:
        """Return what holds or computes the learning rate of a bucket now: its `rate`, or a number."""
        return bucket.rate

    def _prepared(self, bucket: Bucket, g: Tensors) -> Tensors:
        """Return the gradients as the rule takes them, before weight decay."""
        return g

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        """Apply the rule to one bucket."""
        raise NotImplementedError(
            f"{type(self).__name__} must define construct, or _update for one bucket of parameters."
        )

    def _share(self, first: int, rows: Iterable[tuple[Parameter, Any, Mapping[str, Any], Hashable]]) -> None:
        """Put parameters into buckets.

        Args:
            first: the position of the first of them among all parameters.
            rows: for each of them itself, its rate, its options, and the key: parameters of one key, dtype and device
                share a bucket.
        """
        buckets: dict[tuple, Bucket] = {}
        for index, (parameter, rate, options, key) in enumerate(rows, first):
            whole_key = key, parameter._data.dtype, parameter._data.device
            buckets.setdefault(whole_key, Bucket(rate, options)).indices.append(index)  # type: ignore[union-attr]
        self._buckets.extend(buckets.values())

    def _keep(self, name: str, start: float | str = "zeros", *, prefix: str = "") -> None:
        """Hold one tensor of state for each parameter, in the attribute `name` and as Parameters "prefix.…"."""
        self._slots[name] = (prefix or name, start)
        setattr(self, name, self.parameters.clone(prefix=prefix or name, init=start))

    def _count(self, name: str, start: Any = 0) -> None:
        """Count the steps in the Parameter `name`, from `start`; a plain number makes it a 0-d int32."""
        start = np.asarray(start, None if isinstance(start, np.ndarray) else np.int32)
        self._counter, self._first_count = name, int(start.flat[0])
        setattr(self, name, host_parameter(start, name))


def host_parameter(value: Any, name: str) -> Parameter:
    """Make a Parameter that stays on the host, where reading it does not wait for the device."""
    return Parameter(Tensor(value, device="CPU"), name=name, device="CPU")


def read(source: Any, done: Parameter | None = None, *, is_scalar: bool = False) -> float:
    """Return a scalar of a step, such as its learning rate, as a number: what waits for the device, if it lies there.

    Args:
        source: a number, a Tensor, or a Cell that is called with the number of steps done.
        done: that number.
        is_scalar: call the Cell with a 0-d Tensor, as schedules take it, rather than with `done` itself.
    """
    if type(source) is float:
        return source
    if isinstance(source, Cell):
        source = source(wrap(done._data.reshape(())) if is_scalar else done)  # type: ignore[union-attr]
    return float(source._data.item()) if isinstance(source, Tensor) else float(source)
