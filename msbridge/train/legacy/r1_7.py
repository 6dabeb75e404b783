"""LambdaCallback of 1.7: its functions are called in training and in evaluation."""

from typing import Any

from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.train.callbacks.lambda_callback import Hook


class LambdaCallback(Callback):
    """Calls the functions that it is given, in training and in evaluation.

    Follows: mindspore.train.callback.LambdaCallback (1.7).
    """

    def __init__(
        self,
        epoch_begin: Hook = None,
        epoch_end: Hook = None,
        step_begin: Hook = None,
        step_end: Hook = None,
        begin: Hook = None,
        end: Hook = None,
    ) -> None:
        super().__init__()
        hooks = {
            "epoch_begin": epoch_begin,
            "epoch_end": epoch_end,
            "step_begin": step_begin,
            "step_end": step_end,
            "begin": begin,
            "end": end,
        }
        self.__dict__.update({name: hook or _do_nothing for name, hook in hooks.items()})


def _do_nothing(run_context: RunContext) -> None:
    """Do what a hook that is not given does."""


OVERRIDES: dict[str, Any] = {"train.LambdaCallback": LambdaCallback}
