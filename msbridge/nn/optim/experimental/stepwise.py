"""SGD, Rprop and ASGD with `param_groups`."""

from typing import Any

from msbridge.core.checks.arguments import in_range, instance
from msbridge.core.parameter import step_scalars
from msbridge.core.parameter.step_scalars import Scalar
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.optim.checks import GROUPED, check_nesterov
from msbridge.nn.optim.engine import Bucket
from msbridge.nn.optim.experimental.optimizer import Optimizer
from msbridge.ops.training.optimizer_updates import descents, lists, rules
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["ASGD", "SGD", "Rprop"]


class SGD(Optimizer):
    """Stochastic gradient descent; with momentum v = momentum·v + (1 - dampening)·g, but v = g in the first step.

    Args:
        params, lr: as in every experimental optimizer.
        momentum: at least 0.
        dampening: share of the gradient that momentum leaves out.
        weight_decay: as in every experimental optimizer.
        nesterov: look one step ahead; needs momentum > 0 and no dampening.
        maximize: as in every experimental optimizer.

    Inputs, Outputs: as in every experimental optimizer.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.SGD (2.10).
    """

    _leaves_out = True
    _takes_decay = True

    def __init__(
        self,
        params: Any,
        lr: float | Tensor,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        instance(lr, "lr", "SGD", (float, int, Tensor))
        if lr < 0.0:
            raise ValueError(f"For 'SGD', invalid learning rate: {lr}; it must be at least 0.")
        for name, value in (("momentum", momentum), ("dampening", dampening)):
            instance(value, name, "SGD", (int, float))
        if momentum < 0.0:
            raise ValueError(f"For 'SGD', invalid momentum value: {momentum}; it must be at least 0.")
        check_nesterov(nesterov, momentum, dampening)
        options = {"lr": lr, "momentum": float(momentum), "dampening": float(dampening), "weight_decay": weight_decay}
        more = {"nesterov": nesterov, "maximize": maximize, "grad_centralization": False}
        super().__init__(params, {**options, **more})
        self._keep("accum")
        self._keep("stat", "ones")  # of ones until the first step is done

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        options = bucket.options
        if options["momentum"] == 0.0:
            descents.descent(p, g, bucket.lr, bucket.decay, bucket.overflow)
            return
        dampening = float(options["dampening"]) * (1 - self._begin(bucket))
        mu, nesterov, v = options["momentum"], options["nesterov"], bucket.of(self.accum)
        descents.momentum(p, g, v, bucket.lr, mu, bucket.decay, nesterov, dampening, bucket.overflow)

    def _begin(self, bucket: Bucket) -> Scalar:
        """Return 1 if no step with momentum was done, here or before the state was loaded, and 0 if one was."""
        stat = bucket.of(self.stat)
        if self._has_tensors:
            is_first: Scalar = step_scalars.wide(stat[0].flatten()[:1].sum(), stat[0].device)
        else:
            first = bucket.indices[0] if bucket.indices else 0
            is_first = float(step_scalars.memory_of(self.stat[first]).flat[:1].sum())
            if not is_first:
                return 0.0
        lists.clear(stat, bucket.overflow)
        return is_first


class Rprop(Optimizer):
    """Resilient backpropagation: only the signs of the gradients count.

    Args:
        params: as in every experimental optimizer.
        lr: the first step of every element, > 0.
        etas: factors that shrink, in (0, 1), and grow, > 1, the steps.
        step_sizes: the smallest and the largest step.
        maximize: as in every experimental optimizer.

    Inputs, Outputs: as in every experimental optimizer.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.Rprop (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 0.01,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        maximize: bool = False,
    ) -> None:
        GROUPED.above(lr, "lr", "Rprop")
        GROUPED.above(etas[1], "etas[1]", "Rprop", 1)
        in_range(etas[0], "etas[0]", "Rprop", 0.0, 1.0, "()")
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize})
        self._keep("prev")
        self._keep("step_size")
        self._count("step_t")

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        state = bucket.of(self.prev), bucket.of(self.step_size)
        options = bucket.options
        rules.rprop(p, g, *state, options["etas"], options["step_sizes"], bucket.lr, bucket.is_first)


class ASGD(Optimizer):
    """Averaged stochastic gradient descent; the average is in the parameters `ax.*`.

    Args:
        params, lr: as in every experimental optimizer.
        lambd: decay of the parameters.
        alpha: power of the rate's decay.
        t0: the step at which averaging begins.
        weight_decay, maximize: as in every experimental optimizer.

    Inputs, Outputs: as in every experimental optimizer.

    Raises:
        TypeError: `lambd` or `t0` is not a float.
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.ASGD (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 0.01,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0.0,
        maximize: bool = False,
    ) -> None:
        GROUPED.above(lr, "lr", "ASGD")
        GROUPED.at_least(weight_decay, "weight_decay", "ASGD")
        for name, value in (("lambd", lambd), ("t0", t0)):
            GROUPED.floating(value, name, "ASGD")
        options = {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay}
        super().__init__(params, {**options, "maximize": maximize})
        self._keep("ax")
        self._count("step_t")

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        eta, mu = self._carried_scalar(bucket, "eta", bucket.lr), self._carried_scalar(bucket, "mu", 1.0)
        options = bucket.options
        rules.averaged_sgd(p, g, bucket.of(self.ax), eta, options["lambd"], mu)
        after = rules.averaging(bucket.lr, bucket.step, options["lambd"], options["alpha"], options["t0"])
        self._carry(bucket, "eta", after[0])
        self._carry(bucket, "mu", after[1])
