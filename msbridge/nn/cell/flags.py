"""Modes and flags of a Cell: training, precision, recomputation; and what scripts set for graph mode.

Follows: mindspore.nn.Cell (2.10).
"""

from typing import Any, Self

import torch

from msbridge.core.autograd.pytree import map_tensors
from msbridge.core.autograd.recompute import Contexts, recomputing_with
from msbridge.core.checks.arguments import boolean, non_negative_int, one_of
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context.grad_state import RepeatedCall
from msbridge.core.jit import Compiled, JitConfig, announce_inputs, backend_of
from msbridge.core.releases.rows import Default
from msbridge.core.tensor.tensor import wrap
from msbridge.core.types import dtype as mstype
from msbridge.distributed.groups.group import get_group_size
from msbridge.distributed.shard import Shard
from msbridge.nn.cell.call_settings import preparers
from msbridge.nn.cell.calls import CellCalls
from msbridge.nn.cell.compiler_attributes import RECOMPUTED, Marks
from msbridge.nn.cell.precision import MixedPrecisionType
from msbridge.nn.cell.state_dict import States

_FLAGS = Default("nn.Cell.add_flags", "_func_graph_flags")  # the attribute that scripts look for
_PRECISIONS = {"fp16": mstype.float16, "fp32": mstype.float32, "bf16": mstype.bfloat16}


class Flags(States, CellCalls, Marks):
    """The flags of a Cell, and of those below it."""

    _flags: dict[str, Any]
    requires_grad: bool

    def set_train(self, mode: bool = True) -> Self:
        """Switch training on or off, for this Cell and all below it.

        Follows: mindspore.nn.Cell.set_train (2.10).
        """
        self.__dict__["_phase"] = "train" if mode else "predict"
        for _, cell in self.cells_and_names():
            cell.__dict__["training"] = cell._flags["training"] = mode
        return self

    def set_grad(self, requires_grad: bool = True) -> Self:
        """Declare that gradients of this Cell will be asked for.

        Gradients are recorded by gradient functions only. But a step that calls this Cell in training, and then takes
        the gradient of the same call, counts as one run for the statistics of BatchNorm.

        Follows: mindspore.nn.Cell.set_grad (2.10).
        """
        self.requires_grad = requires_grad
        self._call_settings().repeated_call = RepeatedCall() if requires_grad else None
        self._refresh_call()
        return self

    def to_float(self, dst_type: mstype.Type) -> Self:
        """Compute in another floating type: inputs and parameters are cast for the call; the parameters stay.

        Args:
            dst_type: float16, float32 or bfloat16; holds for this Cell and all below it, until set again there.

        Raises:
            ValueError: another type.

        Follows: mindspore.nn.Cell.to_float (2.10).
        """
        one_of(dst_type, "dst_type", "to_float", _PRECISIONS.values())
        for _, cell in self.cells_and_names():
            cell.add_flags(**{name: dst_type == dtype for name, dtype in _PRECISIONS.items()})
        return self

    def recompute(
        self,
        *,
        use_reentrant: bool = True,
        output_recompute: bool = False,
        early_stop: bool = True,
        context_fn: Contexts | None = None,
        **kwargs: Any,
    ) -> None:
        """Keep no intermediate results of this Cell for the backward pass, but compute them again there.

        Args:
            use_reentrant: MindSpore's choice of an implementation; torch has one.
            output_recompute: not to keep the output either; without effect, which is said once.
            early_stop: stop when all that is needed was computed.
            context_fn: makes the blocks in which this Cell runs first, and again; not with `use_reentrant`.
            kwargs: mp_comm_recompute, parallel_optimizer_comm_recompute, recompute_slice_activation; about parallel
                communication, without effect in one process. `mode=False` switches it off.

        Raises:
            TypeError: an argument is not a bool.
            ValueError: another argument, or `context_fn` with `use_reentrant`.

        Follows: mindspore.nn.Cell.recompute (2.10).
        """
        known = {"mode", "mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation"}
        if kwargs.keys() - known:
            raise ValueError(f"Recompute keyword {sorted(kwargs.keys() - known)[0]} is not recognized!")
        for name, value in kwargs.items():
            boolean(value, name, "recompute")
        recomputing = recomputing_with(
            use_reentrant, output_recompute, early_stop, context_fn, "mindspore.nn.Cell.recompute"
        )
        is_on = kwargs.get("mode", True)
        self._call_settings().recomputing = recomputing if is_on else None
        self._refresh_call()
        if is_on:
            self._recompute(output_recompute=output_recompute)

    def _recompute(self, should_add_flag: bool = True, output_recompute: bool = False) -> None:
        """Mark this Cell and those below it as recomputed, for who reads scopes and flags; those marked stay."""
        boolean(output_recompute, "output_recompute", "recompute")
        if self._has_config_recompute:
            return
        self.__dict__["_has_config_recompute"] = True
        scope = self._scope or ""
        self.__dict__["_scope"] = scope if scope.startswith(RECOMPUTED) else RECOMPUTED + scope
        if should_add_flag:
            self.add_flags(output_recompute=output_recompute)
        for cell in self.cells():
            cell._recompute(False, True)

    def add_flags(self, **flags: Any) -> Self:
        """Set attributes, and remember them as flags.

        One of fp16, fp32 and bf16 that is true makes this Cell compute in that type, and those below it that were not
        given one; one that is false changes nothing.

        Follows: mindspore.nn.Cell.add_flags (2.10).
        """
        self._flags.update(flags)
        self.__dict__.update(flags)
        self.__dict__[_FLAGS.value] = self._flags
        for name in _PRECISIONS.keys() & flags.keys():
            if flags[name]:
                self._compute_in(_PRECISIONS[name].torch)
        return self

    def _compute_in(self, precision: torch.dtype) -> None:
        for _, cell in self.cells_and_names():
            settings = cell._call_settings()
            if cell is self or settings.precision is None:
                settings.precision = precision

    def add_flags_recursive(self, **flags: Any) -> Self:
        """Set attributes on this Cell and all below it, and remember them as flags.

        Follows: mindspore.nn.Cell.add_flags_recursive (2.10).
        """
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """Return the flags of this Cell.

        Follows: mindspore.nn.Cell.get_flags (2.10).
        """
        return self._flags

    @property
    def mixed_precision_type(self) -> MixedPrecisionType | None:
        """The type that `to_float` or a flag asked for; None for none."""
        settings = self._special
        precision = None if settings is None else settings.precision
        return None if precision is None else MixedPrecisionType.of(precision)

    @mixed_precision_type.setter
    def mixed_precision_type(self, value: MixedPrecisionType | None) -> None:
        self._call_settings().precision = None if value is None else MixedPrecisionType(value).dtype()
        self._refresh_call()

    def get_mixed_precision_type(self) -> MixedPrecisionType:
        """Return the type that `to_float` or a flag asked for; NOTSET for none.

        Follows: mindspore.nn.Cell.get_mixed_precision_type (2.10).
        """
        return self.mixed_precision_type or MixedPrecisionType.NOTSET

    def set_mixed_precision_type(self, mixed_type: MixedPrecisionType) -> None:
        """Compute in a type, or in none with NOTSET; holds for this Cell only.

        Follows: mindspore.nn.Cell.set_mixed_precision_type (2.10).
        """
        self.mixed_precision_type = mixed_type

    def set_broadcast_flag(self, mode: bool = True) -> Self:
        """Set the flag `broadcast_flag`, by which data parallel steps broadcast the parameters; all processes do it.

        Follows: mindspore.nn.Cell.set_broadcast_flag (2.10).
        """
        return self.add_flags_recursive(broadcast_flag=mode)

    def set_boost(self, boost_type: str) -> Self:
        """Set the flag of a way to accelerate training, which has no effect here, as is said once.

        Raises:
            ValueError: it is not "less_bn".

        Follows: mindspore.nn.Cell.set_boost (2.10).
        """
        one_of(boost_type, "boost_type", "set_boost", ("less_bn",))
        without_effect("mindspore.nn.Cell.set_boost", boost_type)
        return self.add_flags_recursive(less_bn=True)

    def cast_inputs(self, inputs: tuple, dst_type: mstype.Type) -> tuple:
        """Return the inputs with the Tensors among them cast."""
        return map_tensors(lambda tensor: wrap(tensor._data.to(dst_type.torch)), tuple(inputs))

    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Announce the inputs of calls; graph mode refuses others.

        Args:
            inputs: for each input a Tensor of its shape and dtype, a placeholder `Tensor(shape=[None, 3], dtype=…)`,
                or a constant.
            kwargs: the same by the names of the arguments of `construct`; those that are not named may be anything.

        Raises:
            TypeError: in graph mode, there are more or fewer than `construct` takes.
            ValueError: some are named and some are not, or there is no such argument.

        Follows: mindspore.nn.Cell.set_inputs (2.10).
        """
        self.__dict__["_inputs"] = self._call_settings().expected = announce_inputs(
            self.construct,  # type: ignore[attr-defined]  # Cell's
            inputs,
            kwargs,
        )
        self._refresh_call()

    def get_inputs(self) -> Any:
        """Return the inputs that `set_inputs` announced; None if it was not called."""
        return self.__dict__.get("_inputs")

    def set_jit_config(self, jit_config: JitConfig) -> None:
        """Choose how this Cell is compiled, in either mode: "O2" compiles its `construct`.

        "O1" records CUDA graphs; on other devices it prepares the inference, as `msbridge.optimize` does. The first
        configuration stays.

        Raises:
            AttributeError: it is not a JitConfig.

        Follows: mindspore.nn.Cell.set_jit_config (2.10).
        """
        if "_jit_config" in self.__dict__:
            return
        self.__dict__["_jit_config"] = jit_config.jit_config_dict
        backend = backend_of(self.jit_config_dict["jit_level"])
        if backend is not None:
            self._call_settings().compiled = Compiled(self.construct, backend)  # type: ignore[attr-defined]  # Cell's
        elif prepare := preparers.get(self.jit_config_dict["jit_level"]):
            self._call_settings().prepared = prepare(self)

    def _compile_like(self, network: Any) -> None:
        """Take the jit configuration of what this Cell is put around: its graph is a part of this one's."""
        settings = getattr(network, "jit_config_dict", None)
        if settings:
            self.set_jit_config(JitConfig(settings["jit_level"]))

    def _announce_again(self) -> None:
        """Let a copy have the announced inputs and the jit configuration of its original."""
        if "_inputs" in self.__dict__:
            self._call_settings().expected = self.__dict__["_inputs"]
        if settings := self.__dict__.pop("_jit_config", None):
            self.set_jit_config(JitConfig(settings["jit_level"]))

    @property
    def jit_config_dict(self) -> dict[str, Any]:
        """The settings of `set_jit_config`."""
        return self.__dict__.get("_jit_config", {})

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Self:
        """Set the communication fusion group of every parameter; one process does not communicate.

        Follows: mindspore.nn.Cell.set_comm_fusion (2.10).
        """
        non_negative_int(fusion_type, "fusion_type", "set_comm_fusion")
        for parameter in self.trainable_params(recurse):
            parameter.comm_fusion = fusion_type
        return self

    def shard(
        self,
        in_strategy: Any,
        out_strategy: Any = None,
        parameter_plan: Any = None,
        device: str = "Ascend",
        level: int = 0,
    ) -> Self:
        """Divide the inputs and Parameters over several processes; one computes the whole.

        Args:
            in_strategy: for each input a tuple with the number of parts of each axis, or a Layout.
            out_strategy: likewise for each output; None leaves them as they are.
            parameter_plan: by the names of Parameters, how they are divided.
            device: accepted, as by the earlier releases that had it.
            level: likewise.

        Returns:
            This Cell.

        Raises:
            TypeError: in several processes: a strategy is not a tuple of tuples of ints or of Layouts, or a plan no
                dict.
            ValueError: in several processes: a plan does not fit its Parameter.

        Follows: mindspore.nn.Cell.shard (2.10).
        """
        if get_group_size() > 1:
            own = self.__dict__.get("_undivided", self.construct)  # type: ignore[attr-defined]  # Cell's
            self.__dict__["_undivided"] = own
            divided = Shard().of_cell(self, own, in_strategy, out_strategy, parameter_plan, device, level)
            self.__dict__["construct"] = divided
        return self
