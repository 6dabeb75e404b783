"""Hooks on weights and inputs, which gradient functions differentiate under aliases."""

from typing import Any

__all__ = ["PendingHook"]


class PendingHook:
    """The handle of a hook on a weight or input: every gradient function puts it on the alias that it differentiates.

    Args:
        owner: the weight or input.
        hook: the hook.
        current: the handle on the alias of the gradient function that is running.
    """

    def __init__(self, owner: Any, hook: Any, current: Any = None) -> None:
        self._hooks: list[Any] = owner.__dict__.setdefault("_pending_hooks", [])
        self._hook = hook
        self._current = current
        self._hooks.append(hook)

    def remove(self) -> None:
        """Remove the hook."""
        if self._hook in self._hooks:
            self._hooks.remove(self._hook)
        if self._current is not None:
            self._current.remove()
