"""One call of a gradient function, phase by phase.

Nothing records gradients unless one of these calls is running. Weights and inputs have no history of their own: for its
thread a call lends them aliases that torch records, so that other threads see none of it, and takes these back:

    borrow      weights and inputs ──► aliases that require a gradient, lent to this thread
      │
    run         output = fn(*args): operators read the aliases, torch records them
      │
    gradients   torch's engine, from the heads (the output's tensors) to the sources (the aliases)
      │
    restore     aliases are taken back, also after a failure; what fn has assigned to a weight or input meanwhile
      │         is written into the memory of that Tensor; observers hear that it is over
      │
    arrange     (output without its history, gradients in the form that was asked for)

In PyNative mode an input stays the Tensor that it is, and its alias is lent: where it is there twice, is a weight too,
or is used by the function without being passed to it, its gradients are summed. In a graph inputs are values: each
place of each input gets a Tensor of its own.

A call inside another one records its own gradients for the outer one (`create_graph`), and leaves the history of its
output. Inside `vmap` or a compiled region only torch.func may take gradients (`_compute_in_transform`).
"""

import operator
from collections.abc import Callable, Iterable
from typing import Any

import torch

from msbridge.core.autograd.backward import alias_of, gradients_of, heads_of, release, sens_of
from msbridge.core.autograd.grad_spec import GradSpec, Inputs, can_have_gradient
from msbridge.core.autograd.none_gradients import wrap_gradients
from msbridge.core.autograd.pytree import map_tensors, unwrap_tree, wrap_tree
from msbridge.core.context.grad_state import repeats, state
from msbridge.core.context.graph_mode import is_graph
from msbridge.core.jit.graph_results import apart
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime import observers
from msbridge.core.runtime.call_wrappers import GRADIENT_CALLS
from msbridge.core.runtime.device_to_host import link
from msbridge.core.sparse.base import SparseBase
from msbridge.core.tensor.integer_gradients import dual_of
from msbridge.core.tensor.memory import overwrite, renew
from msbridge.core.tensor.recorded_writes import apply_recorded_writes
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.thread_local_data import alias_to_lend, lend, put_back, put_in_place, take_back
from msbridge.core.torch_private import peek_interpreter_stack, set_grad_enabled

__all__ = ["Differentiation"]

_COUNTS_FROZEN = False
"""Whether weights that are frozen have gradients in PyNative mode, too; in a graph they always have."""


@GRADIENT_CALLS.register
class Differentiation:
    """One call of a gradient function: `compute` returns (output, gradients).

    Args:
        fn: what is differentiated.
        args: its positional arguments.
        kwargs: its arguments by name.
        spec: which inputs and weights, and the form of the result.
        sens: the gradient of the output; None for ones.
        has_aux: only the first output is differentiated.
        fit_sens: returns `sens` as one tensor for each head.
    """

    __slots__ = (
        "_aliases",
        "_fit_sens",
        "_gradients",
        "_has_aux",
        "_hook_handles",
        "_input_aliases",
        "_is_graph",
        "_is_nested",
        "_lent",
        "_lent_before",
        "_sens",
        "_sources",
        "_watching",
        "args",
        "fn",
        "kwargs",
        "spec",
    )

    def __init__(
        self,
        fn: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        spec: GradSpec,
        sens: Any = None,
        has_aux: bool = False,
        fit_sens: Callable[..., Any] = sens_of,
    ) -> None:
        self.fn = fn
        self.args = args
        self.kwargs = kwargs
        self.spec = spec
        self._sens = sens
        self._has_aux = has_aux
        self._fit_sens = fit_sens

    def compute(self) -> tuple[Any, Any]:
        """Run the function and compute its gradients: (output, gradients)."""
        self.spec.check()
        if torch.compiler.is_compiling() or peek_interpreter_stack() is not None:
            return self._compute_in_transform()
        args, kwargs = self._borrow()
        self._gradients: list[torch.Tensor] | None = None
        was_recording = torch.is_grad_enabled()
        set_grad_enabled(True)  # a context of torch's takes a microsecond more
        try:
            output = self._run(args, kwargs)
            self._gradients = self._gradients_of(output)
            if state.rebound and not self._is_nested:
                output = apart(release(output), self.args)
        finally:
            set_grad_enabled(was_recording)
            self._restore()
        return self._arrange(output)

    def _borrow(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Bind aliases of weights and inputs to this thread, and return what to call the function with."""
        self._is_nested = state.depth > 0
        self._is_graph = is_graph()
        self._sources: list[torch.Tensor] = []
        self._lent: list[Tensor] = []
        self._aliases: dict[int, torch.Tensor] = {}  # of what is lent, by its identity and in its order
        self._hook_handles: list[Any] = []
        self._input_aliases: dict[int, list[tuple[Tensor, Tensor]]] = {}  # by position: input, what replaces it
        self._alias_weights(self.spec.weights or ())
        self._watching = () if self._is_nested else observers.active
        weight_count = len(self._lent)
        called_with = self._alias_inputs() if self.spec.positions else (self.args, self.kwargs)
        for observer in self._watching:
            observer.begin_gradients(self.args, self._lent[:weight_count])
        self._lent_before = lend(self._lent, list(self._aliases.values()))
        state.depth += 1
        return called_with

    def _alias_weights(self, weights: Iterable[Any]) -> None:
        """Make an alias of each weight, unless an outer call records it already."""
        sources, lent, aliases = self._sources, self._lent, self._aliases
        counts_frozen = self._is_graph or _COUNTS_FROZEN
        for weight in weights:
            data = weight._data
            if not data.requires_grad and (weight._requires_grad or counts_frozen):
                alias = aliases.get(id(weight))
                if alias is None:
                    alias = alias_to_lend(data) if data.is_floating_point() else dual_of(data)
                    aliases[id(weight)] = alias
                    lent.append(weight)
                    if "_pending_hooks" in weight.__dict__:
                        self._call_hooks_on(weight, alias)
                data = alias
            sources.append(data)

    def _call_hooks_on(self, weight: Any, alias: torch.Tensor) -> None:
        if hooks := weight.__dict__["_pending_hooks"]:
            observers.call_out(f"it calls the hooks of '{weight.name}'")
            self._hook_handles += map(alias.register_hook, hooks)

    def _alias_inputs(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Make an alias of each input to differentiate, and return what to call the function with."""
        inputs = Inputs(self.args, self.kwargs)
        sources: list[torch.Tensor] = []
        for position in self.spec.positions:
            if position >= len(inputs.values):
                self.fn(*self.args, **self.kwargs)  # what is wrong with the call comes first
                raise RuntimeError(f"Position index {position} is exceed input size.")
            value = inputs.values[position]
            if type(value) is not Tensor and not can_have_gradient(value):
                continue
            pairs = self._input_aliases[position] = []

            def put_alias(original: Tensor, pairs: list[tuple[Tensor, Tensor]] = pairs) -> Tensor:
                data = self._alias_input(original)
                sources.append(data)
                pairs.append((original, wrap(data) if self._is_graph else original))
                return pairs[-1][1]

            inputs.values[position] = map_tensors(put_alias, value)
        self._sources = sources + self._sources
        return inputs.arguments()

    def _alias_input(self, original: Tensor) -> torch.Tensor:
        """Return an alias of an input: in a graph a new one, else the one that is lent in its place."""
        data = None if self._is_graph else self._aliases.get(id(original))
        if data is None:
            data = alias_of(original._data)
            for hook in original.__dict__.get("_pending_hooks", ()) if data.requires_grad else ():
                data.register_hook(hook)
            if not self._is_graph:
                self._aliases[id(original)] = data
                self._lent.append(original)
        return data

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the function."""
        outer, state.is_graph = state.is_graph, self._is_graph
        try:
            state.is_repeat = state.has_noted and repeats(self.fn, self.args)
            return self.fn(*args, **kwargs)
        finally:
            state.is_repeat = False
            state.is_graph = outer

    def _gradients_of(self, output: Any) -> list[torch.Tensor]:
        """Return the gradients of the sources."""
        heads = heads_of(_first_of(output) if self._has_aux else output)
        if not heads:
            _check_empty(output)
        sens = self._fit_sens(self._sens, heads)
        return gradients_of(heads, self._sources, sens, create_graph=self._is_nested)

    def _restore(self) -> None:
        """Take back what is lent, and write what the function has assigned into the memory of weights and inputs."""
        state.depth -= 1
        apply_recorded_writes()
        current = take_back(self._lent, self._lent_before)
        if not all(map(operator.is_, current, self._aliases.values())):
            for tensor, alias, data in zip(self._lent, self._aliases.values(), current, strict=True):
                if data is not alias:
                    write = renew if isinstance(tensor, Parameter) and not self._is_graph else overwrite
                    write(tensor, data.detach())
        for handle in self._hook_handles:
            handle.remove()
        if self._is_graph:
            self._write_back_inputs()
        for observer in reversed(self._watching):
            observer.end_gradients(self._gradients)

    def _write_back_inputs(self) -> None:
        aliases = iter(self._sources)  # those of inputs come first
        for pairs in self._input_aliases.values():
            for original, stand_in in pairs:
                if stand_in._data is not next(aliases):
                    original._data.data.copy_(stand_in._data.detach())

    def _arrange(self, output: Any) -> tuple[Any, Any]:
        """Return the output without the history of this call, and the gradients in the form that was asked for."""
        if not self._is_nested:
            output = release(output)
            if self._is_graph and not state.is_graph:  # where a function of `jit` or a Cell runs this, the graph ends
                output = apart(output, self.args)
            link.pending = True
        found = self._gradients or []
        gradients = wrap_gradients(found, self._sources) if self._is_graph else list(map(wrap, found))
        if not self._input_aliases:
            return output, self.spec.arrange({}, tuple(gradients))
        values = Inputs(self.args, self.kwargs).values
        in_order = iter(gradients)
        # the gradient of a sparse one is sparse in graphs only
        whole = (Tensor,) if self._is_graph else (Tensor, SparseBase)
        of_inputs = {
            position: next(in_order)
            if isinstance(values[position], whole)
            else map_tensors(lambda _: next(in_order), values[position])
            for position in self._input_aliases
        }
        return output, self.spec.arrange(of_inputs, tuple(in_order))

    def _compute_in_transform(self) -> tuple[Any, Any]:
        """Do what `compute` does inside vmap or a compiled region."""
        weights = self.spec.weights or ()
        values = Inputs(self.args, self.kwargs).values
        positions = [position for position in self.spec.positions if isinstance(values[position], Tensor)]
        count = len(positions)

        def over_torch(*sources: torch.Tensor) -> Any:
            inputs = Inputs(self.args, self.kwargs)
            for position, source in zip(positions, sources[:count], strict=True):
                inputs.values[position] = wrap(source)
            args, kwargs = inputs.arguments()
            before = put_in_place(weights, sources[count:])
            try:
                output = self.fn(*args, **kwargs)
            finally:
                put_back(weights, before)
            return tuple(heads_of(_first_of(output) if self._has_aux else output)), unwrap_tree(output)

        state.depth += 1
        try:
            sources = [value._data for value in (*(values[position] for position in positions), *weights)]
            heads, pull_back, output = torch.func.vjp(over_torch, *sources, has_aux=True)  # type: ignore[misc]
            cotangents = self._fit_sens(self._sens, list(heads)) or [torch.ones_like(head) for head in heads]
            gradients = pull_back(tuple(cotangents))
        finally:
            state.depth -= 1
        wrapped = tuple(map(wrap, gradients))
        of_inputs = dict(zip(positions, wrapped[:count], strict=True))
        return wrap_tree(output), self.spec.arrange(of_inputs, wrapped[count:])


def _first_of(output: Any) -> Any:
    """Return the differentiated value of an output with auxiliary values."""
    if not isinstance(output, tuple) or len(output) < 2:
        kind = RuntimeError if is_graph() else ValueError  # the compiler's, or that of PyNative mode
        raise kind("When has_aux is True, the function must return a tuple of two values or more.")
    return output[0]


def _check_empty(output: Any) -> None:
    if isinstance(output, tuple | list) and not output:
        raise RuntimeError("The function returns an empty tuple or list, of which there is no gradient.")
