"""The update engine, which every optimizer uses: all parameters of a bucket change in one call of a rule.

A policy (`cells`, `experimental`, `mint.optim`) says which parameters share a bucket, under which names state is held,
and where learning rates and weight decays come from. The engine gets them, once a step and in one place: as numbers on
the CPU, and as 0-d tensors elsewhere (`core.parameter.step_scalars`), so that no step waits for the device.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import torch

from msbridge.core.context.grad_state import in_place
from msbridge.core.errors.explain import describe
from msbridge.core.jit import keep_out_of_graphs
from msbridge.core.parameter import step_scalars
from msbridge.core.parameter.map_parameter import MapParameter
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.parameter.step_scalars import Scalar, number, scalar_parameter
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell, replaceable
from msbridge.ops.framework.composite.functions import HyperMap, Map
from msbridge.ops.training.optimizer_updates import lists
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["Bucket", "Engine", "NumberRate"]

_numel, _is_contiguous = torch.Tensor.numel, torch.Tensor.is_contiguous


class Bucket:
    """Parameters that are updated in one call of a rule, and the scalars of a step, as rules take them.

    Attributes:
        indices: their positions among all parameters, or None for all of them in order.
        rate: what holds or computes their learning rate: a Parameter, or a Cell that is called with the step.
        options: the settings of their group: "weight_decay" and others.
        step: the number of this step, from 1; it is 1 in every step of an optimizer that counts none.
        lr: the learning rate of this step.
        decay: the weight decay of this step.
        memory: scalars that a rule carries to the next step, outside the state that is saved, as Tensors.
        overflow: whether this step is to change nothing, as 1.0 or 0.0 in a 0-d tensor; None if it is to change all.
        sizes: how many elements each gradient had when they were last looked at.
        is_plain: whether the memory of the parameters was contiguous then.
    """

    __slots__ = ("decay", "indices", "is_plain", "lr", "memory", "options", "overflow", "rate", "sizes", "step")

    def __init__(self, rate: Parameter | Cell, options: Mapping[str, Any]) -> None:
        self.indices: list[int] | None = []
        self.rate = rate
        self.options = options
        self.step: Scalar = 1
        self.lr: Scalar = 0.0
        self.decay: Scalar = 0.0
        self.memory: dict[str, Tensor] = {}
        self.overflow: torch.Tensor | None = None
        self.sizes: list[int] = []
        self.is_plain = False

    @property
    def is_first(self) -> Any:
        """Whether this step is the first: a bool, or a 0-d tensor of one."""
        return self.step == 1

    def but_first(self, value: float) -> Scalar:
        """Return `value`, and 0 in the first step."""
        if isinstance(self.step, torch.Tensor):
            return (self.step != 1).to(self.step.dtype) * value if value else 0.0
        return 0.0 if self.step == 1 else value

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

    _leaves_out = False  # whether the rule takes the overflow of a bucket and changes nothing where there is one
    _takes_decay = False  # whether `_update` applies weight decay; otherwise it is added to the gradients before
    use_parallel = False  # whether this process updates some of the parameters, and other processes the others

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Keep what the optimizer is made with, for `init_args`; here, as a class's own would hide its signature."""
        made = super().__new__(cls)
        made.__dict__["_made_with"] = args, kwargs
        return made

    def __init__(self) -> None:
        super().__init__(auto_prefix=False)
        self._buckets: list[Bucket] = []
        self._slots: dict[str, tuple[str, float | str]] = {}
        self._counter = ""
        self._first_count = 0
        self._has_tensors = False
        self._done: Any = True

    @replaceable
    def construct(self, gradients: Sequence[Tensor]) -> Any:
        """Update all parameters from their gradients, with the options that hold now.

        Args:
            gradients: one per parameter, in the order of `parameters`.

        Returns:
            True, or for most optimizers of `mindspore.nn` a tuple of it, one per parameter.

        Raises:
            RuntimeError: there is not one gradient per parameter.
            TypeError: a gradient is not a Tensor, or of integers.
            ValueError: a gradient has another shape than its parameter.
        """
        parameters = self.parameters
        if len(gradients) != len(parameters):
            raise RuntimeError(
                f"For '{type(self).__name__}', one gradient per parameter is needed: {len(parameters)}, "
                f"got {len(gradients)}."
            )
        for observer in observers.active:
            observer.update(self)
        self._begin_step()
        with in_place():
            self._update_all(parameters, gradients)
        if self.use_parallel:
            self._take_updates()
        if self._counter:
            step_scalars.add(getattr(self, self._counter), 1)
        return self._done

    def _update_all(self, parameters: Sequence[Tensor], gradients: Sequence[Tensor]) -> None:
        for bucket in self._buckets:
            p: Tensors = bucket.of(parameters)
            try:
                g: Tensors = bucket.of(gradients)
            except AttributeError as error:
                raise self._no_tensor(gradients) from error
            if list(map(_numel, g)) != bucket.sizes:  # torch's fused kernels read past the end of a small one (2.13)
                g = self._check_gradient_shapes(bucket, p, g)
            if not (bucket.is_plain and all(map(_is_contiguous, g))):
                g = lists.match_strides(g, p)
            if g[0].dtype is not p[0].dtype:
                g = [grad.to(parameter.dtype) for grad, parameter in zip(g, p, strict=True)]
            g = self._prepare_gradients(bucket, g)
            if not self._takes_decay:
                g = lists.add_weight_decay(p, g, bucket.decay)
            if bucket.overflow is None or self._leaves_out:
                self._update(bucket, p, g)
            else:
                changed = [*p, *self._state_of(bucket)]
                before = [data.clone() for data in changed]
                self._update(bucket, p, g)
                lists.restore_on_overflow(changed, before, bucket.overflow)

    def _state_of(self, bucket: Bucket) -> Tensors:
        """Return the state that the rule changes beside the parameters."""
        return [data for name in self._slots for data in bucket.of(getattr(self, name))]

    def _no_tensor(self, gradients: Sequence[Any]) -> Exception:
        """Return the error for gradients of which one is not a Tensor."""
        odd = next(item for item in gradients if not isinstance(item, Tensor))
        return TypeError(f"For '{type(self).__name__}', every gradient must be a Tensor, but got {describe(odd)}.")

    def _check_gradient_shapes(self, bucket: Bucket, p: Tensors, g: Tensors) -> Tensors:
        """Look at gradients of other sizes than those of the step before; return them, those of tables padded."""
        gradients = [*g]
        growing = False
        for place, (index, parameter) in enumerate(zip(bucket.indices or range(len(p)), p, strict=True)):
            known, grad = self.parameters[index], gradients[place]
            if isinstance(known, MapParameter):
                growing = True
                gradients[place] = grad = known.pad_gradient(grad)
                for name in self._slots:
                    getattr(self, name)[index].follow(known)
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
        bucket.sizes = [] if growing else list(map(_numel, g))  # a table that grows is looked at in every step
        bucket.is_plain = all(map(_is_contiguous, p))
        return gradients

    def _begin_step(self) -> None:
        """Put the step count, the learning rates and the weight decays of this step into the buckets."""
        done = getattr(self, self._counter) if self._counter else None
        sources = [self._rate_source(bucket) for bucket in self._buckets]
        device = self.parameters[0]._data.device
        is_tensor = self.__dict__["_has_tensors"] = step_scalars.are_tensors(device)
        step: Scalar = 1
        if done is not None:
            now = step_scalars.wide(done._data, device) if is_tensor else number(done)
            step = now - (self._first_count - 1)
        overflow = step_scalars.overflow()
        if overflow is not None:
            overflow = overflow.to(device, torch.float32)
        rates: dict[int, Scalar] = {}
        for bucket, source in zip(self._buckets, sources, strict=True):
            if id(source) not in rates:
                is_number = isinstance(source, Parameter) and not is_tensor
                rates[id(source)] = float(number(source)) if is_number else self._value(source, done, is_scalar=True)
            decay = bucket.options["weight_decay"]
            bucket.lr = rates[id(source)]
            bucket.decay = decay if type(decay) is float else self._value(decay, done)
            bucket.step = step
            bucket.overflow = overflow

    def _value(self, source: Any, done: Parameter | None = None, *, is_scalar: bool = False) -> Scalar:
        """Return a scalar of this step, such as its learning rate, without waiting for the device.

        Args:
            source: a number, a Tensor, or a Cell that is called with the number of steps done.
            done: that number.
            is_scalar: call the Cell with a 0-d Tensor, as schedules take it, rather than with `done` itself.
        """
        if type(source) is float:
            return source
        is_tensor = self._has_tensors
        if isinstance(source, Cell):
            if isinstance(source, NumberRate) and self._is_readable(done):
                value = source.number_at(number(done))  # type: ignore[arg-type]  # a list that has ended says so
                if not is_tensor:
                    return value
            source, is_tensor = _call_schedule(source, done, is_scalar), True
        if not isinstance(source, Tensor):
            return float(source)
        return step_scalars.wide(source._data, self.parameters[0]._data.device) if is_tensor else float(number(source))

    def _is_readable(self, done: Parameter | None) -> bool:
        """Whether the count of steps lies in memory that the host reads without waiting."""
        return done is not None and done._data.is_cpu and not torch.compiler.is_compiling()

    def _carried_scalar(self, bucket: Bucket, name: str, start: Scalar) -> Scalar:
        """Return a scalar that the step before left to this one with `_carry`, or `start`."""
        if name not in bucket.memory:
            bucket.memory[name] = scalar_parameter(np.float64(1.0), name)
            bucket.memory[name]._data.mul_(start)  # a step that overflows finds its start all the same
        return self._value(bucket.memory[name])

    def _carry(self, bucket: Bucket, name: str, value: Scalar) -> None:
        """Leave a scalar to the next step."""
        step_scalars.put(bucket.memory[name], value)

    def _rate_source(self, bucket: Bucket) -> Any:
        """Return the holder of a bucket's learning rate: its `rate`, or a number."""
        return bucket.rate

    def _prepare_gradients(self, bucket: Bucket, g: Tensors) -> Tensors:
        """Return the gradients as the rule takes them, before weight decay."""
        return g

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        """Apply the rule to one bucket."""
        raise NotImplementedError(
            f"{type(self).__name__} must define construct, or _update for one bucket of parameters."
        )

    def _take_updates(self) -> None:
        """Overwrite the parameters that other processes have updated."""
        raise NotImplementedError

    def _fill_buckets(self, first: int, rows: Iterable[tuple[Parameter, Any, Mapping[str, Any], Hashable]]) -> None:
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
        setattr(self, name, scalar_parameter(start, name))


class NumberRate:
    """A schedule that also knows its rate as a number, without computing on tensors."""

    def number_at(self, global_step: int) -> float:
        """Return the rate after `global_step` steps."""
        raise NotImplementedError


def _call_schedule(source: Cell, done: Parameter | None, is_scalar: bool) -> Any:
    """Return the value of a schedule after the steps done."""
    return source(wrap(done._data.reshape(())) if is_scalar else done)  # type: ignore[union-attr]


keep_out_of_graphs(Engine, "__call__")
