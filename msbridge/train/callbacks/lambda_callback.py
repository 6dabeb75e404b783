"""A callback made of functions."""

from collections.abc import Callable

from msbridge.core.runtime.callback import Callback, RunContext

Hook = Callable[[RunContext], None] | None


class LambdaCallback(Callback):
    """Calls the functions that it is given; each is called with the run context.

    Args:
        on_train_epoch_begin: called before each epoch of training.
        on_train_epoch_end: called after each epoch of training.
        on_train_step_begin: called before each step of training.
        on_train_step_end: called after each step of training.
        on_train_begin: called before training.
        on_train_end: called after training.
        on_eval_epoch_begin: called before the pass of an evaluation.
        on_eval_epoch_end: called after the pass of an evaluation.
        on_eval_step_begin: called before each step of an evaluation.
        on_eval_step_end: called after each step of an evaluation.
        on_eval_begin: called before an evaluation.
        on_eval_end: called after an evaluation.

    Follows: mindspore.train.LambdaCallback (2.10).
    """

    def __init__(
        self,
        on_train_epoch_begin: Hook = None,
        on_train_epoch_end: Hook = None,
        on_train_step_begin: Hook = None,
        on_train_step_end: Hook = None,
        on_train_begin: Hook = None,
        on_train_end: Hook = None,
        on_eval_epoch_begin: Hook = None,
        on_eval_epoch_end: Hook = None,
        on_eval_step_begin: Hook = None,
        on_eval_step_end: Hook = None,
        on_eval_begin: Hook = None,
        on_eval_end: Hook = None,
    ) -> None:
        super().__init__()
        hooks = {
            "on_train_epoch_begin": on_train_epoch_begin,
            "on_train_epoch_end": on_train_epoch_end,
            "on_train_step_begin": on_train_step_begin,
            "on_train_step_end": on_train_step_end,
            "on_train_begin": on_train_begin,
            "on_train_end": on_train_end,
            "on_eval_epoch_begin": on_eval_epoch_begin,
            "on_eval_epoch_end": on_eval_epoch_end,
            "on_eval_step_begin": on_eval_step_begin,
            "on_eval_step_end": on_eval_step_end,
            "on_eval_begin": on_eval_begin,
            "on_eval_end": on_eval_end,
        }
        self.__dict__.update({name: hook or _do_nothing for name, hook in hooks.items()})


def _do_nothing(run_context: RunContext) -> None:
    """Stand where no function is given."""
