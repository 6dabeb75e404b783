"""Call settings of a Cell besides its `construct`."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from msbridge.core.autograd.recompute import Recomputing
from msbridge.core.context.grad_state import RepeatedCall
from msbridge.core.jit.compiler import Compiled
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.hooks import Hooks, Registered

__all__ = ["CallSettings", "preparers"]

# Make what runs in place of a Cell's `construct` in inference, by the jit_level that asks for it: rooms above this one.
preparers: dict[str, Callable[[Any], Callable[..., Any]]] = {}


class CallSettings:
    """Call settings of one Cell besides `construct`.

    Args:
        owner: the Cell.

    Attributes:
        precision: the torch dtype that inputs and own parameters are cast to, or None.
        recomputing: keep no intermediate results for the backward pass; compute them again.
        saving: a function for what the backward pass keeps of the forward pass, and one that returns it.
        parameter_hooks: what is computed of parameters for a call.
        compiled: runs in place of `construct`, after `set_jit_config`; or None.
        expected: what `set_inputs` announced, which graph mode compares with the inputs.
        in_graph: the same by the jit_level of the context or of a function of `jit`, by what compiles or prepares it.
        prepared: runs in place of `construct` in inference, after `msbridge.optimize`; or None.
        is_naming: two own parameters have one name: the first call names all by their places.
        repeated_call: after `set_grad()`: notes the calls, of which a gradient function may repeat the last.
        has_bprop: gradients come from the Cell's own `bprop`.
        pre_hooks, hooks: run before and after `construct`.
        with_kwargs: the numbers of those that are given the keyword arguments as well.
        always_called: the numbers of `hooks` that run after a failure, too.
        backward_pre_hooks, backward_hooks: see the gradients of the outputs, and of the inputs.
    """

    __slots__ = (
        *("always_called", "backward_hooks", "backward_pre_hooks", "compiled", "expected"),
        *("has_bprop", "hooks", "in_graph"),
        *(
            "is_naming",
            "parameter_hooks",
            "pre_hooks",
            "precision",
            "prepared",
            "recomputing",
            "repeated_call",
            "saving",
        ),
        "with_kwargs",
    )
    _COPIED = ("always_called", "parameter_hooks", "precision", "recomputing", "saving", "with_kwargs")
    _HOOKS = ("backward_hooks", "backward_pre_hooks", "hooks", "pre_hooks")

    def __init__(self, owner: Any) -> None:
        self.precision: torch.dtype | None = None
        self.recomputing: Recomputing | None = None
        self.saving: tuple[Callable[[Tensor], Any], Callable[[Any], Tensor]] | None = None
        self.parameter_hooks: list[tuple[Parameter, Callable[[Tensor], Tensor]]] = []
        self.compiled: Compiled | None = None
        self.prepared: Callable[..., Any] | None = None
        self.expected: Any = None
        self.in_graph: dict[str, Callable[..., Any]] = {}
        self.is_naming = False
        self.has_bprop = hasattr(type(owner), "bprop")
        self.repeated_call: RepeatedCall | None = None
        self.pre_hooks, self.hooks = Hooks(owner), Hooks(owner)
        self.with_kwargs, self.always_called = Registered(), Registered()
        self.backward_pre_hooks, self.backward_hooks = Hooks(owner), Hooks(owner)

    def has_hooks(self) -> bool:
        """Whether calls run hooks."""
        return bool(self.pre_hooks or self.hooks or self.backward_pre_hooks or self.backward_hooks)

    def is_plain(self) -> bool:
        """Whether there is nothing to do besides `construct`."""
        return not any(getattr(self, name) for name in self.__slots__)

    def settings_of_copy(self) -> dict[str, Any]:
        """Return the settings that a copy of the Cell takes over."""
        settings = {name: value for name in self._COPIED if (value := getattr(self, name))}
        return settings | {name: list(hooks.items()) for name in self._HOOKS if (hooks := getattr(self, name))}

    def take(self, kept: Mapping[str, Any]) -> None:
        """Set what another one kept."""
        for name, value in kept.items():
            if name in self._HOOKS:
                getattr(self, name).update(value)
            else:
                setattr(self, name, value)
