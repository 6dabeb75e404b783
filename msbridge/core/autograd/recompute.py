"""Functions whose intermediate results are not kept for the backward pass, but computed again there.

Follows: mindspore.recompute (2.10).
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import checkpoint

from msbridge.core import torch_private
from msbridge.core.checks.arguments import boolean
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context.grad_state import running
from msbridge.core.random.seeds import SameDraws
from msbridge.core.tensor.thread_local_data import Standpoint

__all__ = ["Contexts", "Recomputing", "recomputing_with", "set_early_stop"]

Contexts = Callable[[], tuple[AbstractContextManager[Any], AbstractContextManager[Any]]]


@dataclass(frozen=True, slots=True)
class Recomputing:
    """Settings of recomputation."""

    early_stop: bool = True  # stop when all that is needed was computed
    contexts: Contexts | None = None  # makes the blocks in which the function runs first, and again; or None
    keeps_draws: bool = True  # draw the same random numbers again

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function and keep only its inputs, if a gradient function is recording."""
        first, second = (nullcontext(), nullcontext()) if self.contexts is None else self.contexts()
        if not (running() and torch.is_grad_enabled()):
            with first:
                return function(*args, **kwargs)
        again = _Again(self.keeps_draws, second)
        return torch_private.checkpoint(
            *(lambda *inputs: function(*inputs, **kwargs), *args),
            use_reentrant=False,
            preserve_rng_state=False,  # see `SameDraws`
            context_fn=lambda: (first, again),
            early_stop=self.early_stop,
        )


class _Again:
    """State that a recomputed function finds as it was: thread-local data, and the random numbers."""

    def __init__(self, keeps_draws: bool, inner: AbstractContextManager[Any]) -> None:
        self._blocks = (Standpoint(), *([SameDraws()] if keeps_draws else []), inner)

    def __enter__(self) -> None:
        self._entered = ExitStack()
        for block in self._blocks:
            self._entered.enter_context(block)  # type: ignore[arg-type]

    def __exit__(self, *error: Any) -> bool | None:
        return self._entered.__exit__(*error)


def recomputing_with(
    use_reentrant: bool, output_recompute: bool, early_stop: bool, contexts: Contexts | None, op: str
) -> Recomputing:
    """Return the settings of recomputation from MindSpore's arguments.

    Raises:
        TypeError: `output_recompute` is not a bool.
        ValueError: there are contexts, which are only for `use_reentrant=False`.
    """
    if boolean(output_recompute, "output_recompute", op.rpartition(".")[2]):
        without_effect(f"{op}.output_recompute", output_recompute)
    elif use_reentrant and contexts is not None:
        raise ValueError(f"For '{op}', context_fn is only for use_reentrant=False.")
    return Recomputing(early_stop, contexts)


def set_early_stop(enable: bool) -> AbstractContextManager[Any]:
    """Return a block in which functions that are to be computed again stop early, or not, for any arguments.

    Follows: mindspore.common.recompute._set_recompute_early_stop (2.10).
    """
    return checkpoint.set_checkpoint_early_stop(enable)
