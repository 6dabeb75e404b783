"""The classes behind `grad` and `vmap`, which libraries use as such."""

from collections.abc import Callable
from typing import Any

from msbridge.core.autograd.grad import GradOperation, grad, value_and_grad
from msbridge.core.autograd.vmap import vmap
from msbridge.core.checks.arguments import instance

Function = Callable[..., Any]


class Grad:
    """A factory of gradient functions with every setting.

    Args:
        get_all: differentiate all inputs; else the first.
        get_by_list: differentiate weights.
        sens_param: the last argument of the gradient function is the gradient of the output.
        get_by_position: differentiate the inputs at `grad_position`.
        has_aux: the function returns more behind what is differentiated; the gradient function returns it, too.
        get_value: return the function's result before the gradients.
        return_ids: return each gradient with the position of its input, or the name of its weight.
        merge_forward: MindSpore's leave to join passes; without effect on results.

    Inputs:
        fn: the function to differentiate.
        weights: the Parameters to differentiate.
        grad_position: the positions of inputs to differentiate.

    Outputs:
        The gradient function, of the inputs of `fn`.

    Raises:
        TypeError: an argument is not a bool.

    Follows: mindspore.ops.composite._Grad (2.10).
    """

    def __init__(
        self,
        get_all: bool = False,
        get_by_list: bool = False,
        sens_param: bool = False,
        get_by_position: bool = False,
        has_aux: bool = False,
        get_value: bool = False,
        return_ids: bool = False,
        merge_forward: bool = False,
    ) -> None:
        self.get_all = get_all
        self.merge_forward = merge_forward
        self.get_by_list = instance(get_by_list, "get_by_list", "_Grad", bool)
        self.sens_param = instance(sens_param, "sens_param", "_Grad", bool)
        self.get_by_position = instance(get_by_position, "get_by_position", "_Grad", bool)
        self.has_aux = instance(has_aux, "has_aux", "_Grad", bool)
        self.get_value = instance(get_value, "get_value", "_Grad", bool)
        self.return_ids = instance(return_ids, "return_ids", "_Grad", bool)

    def __call__(self, fn: Function, weights: Any = None, grad_position: Any = 0) -> Function:
        """Return the gradient function of `fn`.

        Args:
            fn: a function or Cell.
            weights: Parameters, where `get_by_list` is set.
            grad_position: a tuple, where `get_by_position` is set; else it is not looked at.

        Raises:
            RuntimeError: `grad_position` is not a tuple.
        """
        if not self.get_by_position:
            return GradOperation(self.get_all, self.get_by_list, self.sens_param)(fn, weights)
        if not isinstance(grad_position, tuple):
            raise RuntimeError(f"For '_Grad', grad_position must be a tuple, got {grad_position!r}.")
        if self.sens_param:
            return self._with_sens(fn, weights, grad_position)
        transform = value_and_grad if self.get_value else grad
        return transform(fn, grad_position, weights if self.get_by_list else None, self.has_aux, self.return_ids)

    def _with_sens(self, fn: Function, weights: Any, grad_position: tuple[int, ...]) -> Function:
        every = GradOperation(True, self.get_by_list, True)(fn, weights)

        def gradient(*args: Any, **kwargs: Any) -> Any:
            gradients = every(*args, **kwargs)
            inputs = gradients[0] if self.get_by_list else gradients
            chosen = tuple(inputs[place] for place in grad_position)
            result = chosen[0] if len(chosen) == 1 else chosen
            return (result, gradients[1]) if self.get_by_list else result

        return gradient


class Vmap:
    """A factory of vectorized functions: `Vmap()(fn, in_axes, out_axes)` is `vmap(fn, in_axes, out_axes)`.

    Inputs:
        fn: a function of single elements.
        in_axes: which axis of each input is the batch.
        out_axes: where the batch axis of each output goes.

    Outputs:
        The vectorized function.

    Follows: mindspore.ops.composite._Vmap (2.10).
    """

    def __call__(self, fn: Function, in_axes: Any = 0, out_axes: Any = 0) -> Function:
        """Return the function that goes over an axis of its inputs."""
        return vmap(fn, in_axes, out_axes)
