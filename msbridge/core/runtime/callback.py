"""The callback of a run, and its run context: for training, and for pipelines that keep step with it."""

from types import FunctionType, TracebackType
from typing import Any

from msbridge.core.runtime.shared_sections import with_arguments

__all__ = ["Callback", "RunContext"]

_CONTEXT = "run_context: of the run; `original_args()` returns its parameters, `request_stop()` ends it."


class RunContext:
    """Passes the run's parameters to callbacks, and receives their request to stop.

    Args:
        original_args: the parameters.

    Raises:
        TypeError: `original_args` is not a dict.

    Follows: mindspore.train.RunContext (2.10).
    """

    def __init__(self, original_args: dict[str, Any]) -> None:
        if not isinstance(original_args, dict):
            raise TypeError(
                f"The argument 'original_args' of RunContext should be dict type, but got {type(original_args)}."
            )
        self._original_args = original_args
        self._is_stop_requested = False

    def original_args(self) -> Any:
        """Return the parameters.

        Returns:
            A dict that attributes read, too: `cur_epoch_num`, `cur_step_num`, `batch_num`, `net_outputs` and others.
        """
        return self._original_args

    def request_stop(self) -> None:
        """Request the run to end after the step that is under way."""
        self._is_stop_requested = True

    def get_stop_requested(self) -> bool:
        """Whether a callback has asked the run to end.

        Returns:
            A bool.
        """
        return self._is_stop_requested


class Callback:
    """Base of all callbacks; a script's own ones define what they need.

    Callbacks are context managers: they are entered before a run and left after it, also after an error.

    Examples:
        >>> class Counting(ms.Callback):
        ...     steps = 0
        ...     def on_train_step_end(self, run_context):
        ...         self.steps += 1
        >>> counting, net = Counting(), nn.Dense(1, 1)
        >>> rows = [(np.float32([x]), np.float32([x])) for x in range(4)]
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
        >>> model.train(2, ds.GeneratorDataset(rows, ["x", "y"]).batch(2), [counting])
        >>> counting.steps
        4

    Follows: mindspore.train.Callback (2.10).
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__module__.startswith("msbridge."):
            _describe_context(cls)

    def __enter__(self) -> "Callback":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        pass

    def begin(self, run_context: RunContext) -> None:
        """Called once before the first epoch."""

    def epoch_begin(self, run_context: RunContext) -> None:
        """Called before each epoch."""

    def epoch_end(self, run_context: RunContext) -> None:
        """Called after each epoch."""

    def step_begin(self, run_context: RunContext) -> None:
        """Called before each step, or sink."""

    def step_end(self, run_context: RunContext) -> None:
        """Called after each step, or sink."""

    def end(self, run_context: RunContext) -> None:
        """Called once after the last epoch."""

    def on_train_begin(self, run_context: RunContext) -> None:
        """Called once before training."""
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """Called before each epoch of training."""
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Called after each epoch of training, and after the evaluation that belongs to it."""
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Called before each step, or sink, of training."""
        self.step_begin(run_context)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Called after each step, or sink, of training."""
        self.step_end(run_context)

    def on_train_end(self, run_context: RunContext) -> None:
        """Called once after training."""
        self.end(run_context)

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Called before an evaluation."""
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context: RunContext) -> None:
        """Called before the pass of an evaluation."""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context: RunContext) -> None:
        """Called after the pass of an evaluation."""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context: RunContext) -> None:
        """Called before each step of an evaluation."""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Called after each step of an evaluation."""
        self.step_end(run_context)

    def on_eval_end(self, run_context: RunContext) -> None:
        """Called after an evaluation."""
        self.end(run_context)


def _describe_context(owner: type) -> None:
    """Describe the argument of the methods that a class defines, all of which have the same."""
    for method in vars(owner).values():
        doc = getattr(method, "__doc__", None) or ""
        if isinstance(method, FunctionType) and doc and "Args:" not in doc and _takes_context(method):
            method.__doc__ = with_arguments(doc, _CONTEXT, " " * 8)


def _takes_context(method: FunctionType) -> bool:
    return method.__code__.co_varnames[: method.__code__.co_argcount] == ("self", "run_context")


_describe_context(Callback)
