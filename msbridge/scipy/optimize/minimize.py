"""Minima of functions."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msbridge.core.checks.arguments import instance
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.tensor.tensor import Tensor
from msbridge.scipy.optimize.lagrange import minimize_lagrange
from msbridge.scipy.optimize.quasi_newton import minimize_bfgs, minimize_lbfgs

__all__ = ["OptimizeResults", "lagrange_para_check", "minimize"]

_METHODS: dict[str, Callable[..., Any]] = {"bfgs": minimize_bfgs, "lbfgs": minimize_lbfgs}


class OptimizeResults(NamedTuple):
    """The results of `minimize`.

    Attributes:
        x: where.
        success: the gradient is small enough there.
        status: 0; 1 after as many steps as were allowed; 3 or more where a search along a line failed.
        fun: the value.
        jac: the gradient.
        hess_inv: the inverse Hessian, of BFGS.
        nfev: number of evaluations.
        njev: number of gradients.
        nit: number of steps.
    """

    x: Tensor
    success: bool
    status: int
    fun: float
    jac: Tensor
    hess_inv: Tensor | None
    nfev: int
    njev: int
    nit: int


def minimize(
    func: Callable[..., Tensor],
    x0: Tensor,
    args: tuple[Any, ...] = (),
    method: str | None = None,
    jac: Callable[[Tensor], Tensor] | None = None,
    hess: Any = None,
    hessp: Any = None,
    bounds: Any = None,
    constraints: Sequence[Callable[..., Tensor]] = (),
    tol: Sequence[float] | None = None,
    callback: Any = None,
    options: dict[str, Any] | None = None,
) -> Any:
    """Find a minimum of a function of a vector.

    Args:
        func: the function of a Tensor of shape (n,), and of `args`, that returns a 0-d Tensor.
        x0: where to begin.
        args: further arguments of `func`.
        method: "BFGS", "LBFGS" or "LAGRANGE", in any case.
        jac: the gradient of `func`; None computes it.
        hess: scipy's; without effect.
        hessp: scipy's; without effect.
        bounds: scipy's; without effect. The Lagrangian method takes `lower` and `upper` in its options.
        constraints: functions that must not be positive, of the Lagrangian method.
        tol: how far each constraint may be above 0, of the Lagrangian method.
        callback: scipy's; without effect.
        options: of the method: `maxiter`, `norm`, `gtol`, `line_search_maxiter`, `history_size` (LBFGS); `obj_weight`,
            `lower`, `upper`, `learning_rate`, `coincide_fun`, `rounds`, `steps`, `log_sw` (LAGRANGE).

    Returns:
        OptimizeResults; of the Lagrangian method, LagrangeResults.

    Raises:
        TypeError: an argument is of another type, or there is no such option.
        ValueError: there is no such method.

    Follows: mindspore.scipy.optimize.minimize (2.10).
    """
    for name, value in (("hess", hess), ("hessp", hessp), ("bounds", bounds), ("callback", callback)):
        if value is not None:
            without_effect(f"mindspore.scipy.optimize.minimize.{name}", value)
    if method is None:
        raise ValueError("For 'minimize', name a method: 'BFGS', 'LBFGS' or 'LAGRANGE'.")
    instance(args, "args", "minimize", tuple)
    name, options = method.lower(), options or {}
    if name == "lagrange":
        lagrange_para_check(func, constraints, options, tol)
        return minimize_lagrange(func, x0, constraints, tol, **options)
    if name not in _METHODS:
        raise ValueError(f"For 'minimize', method must be 'BFGS', 'LBFGS' or 'LAGRANGE', got {method!r}.")
    minimum = _METHODS[name](lambda x: func(x, *args), x0, jac, **options)
    return OptimizeResults(
        x=minimum.x,
        success=minimum.is_converged and not minimum.failed,
        status=minimum.status,
        fun=minimum.value,
        jac=minimum.gradient,
        hess_inv=minimum.inverse,
        nfev=minimum.evaluations,
        njev=minimum.evaluations,
        nit=minimum.steps,
    )


def lagrange_para_check(
    func: Any, constraints: Sequence[Any], options: dict[str, Any], tol: Sequence[float] | None
) -> None:
    """Check what the Lagrangian method takes.

    Raises:
        TypeError: `func` or a constraint is not a function.
        ValueError: `tol` does not have a number for each constraint.

    Follows: mindspore.scipy.optimize.minimize.lagrange_para_check (2.10).
    """
    for one in (func, *constraints, *(options[name] for name in ("coincide_fun",) if options.get(name) is not None)):
        if not callable(one):
            raise TypeError(f"For 'minimize', func and constraints must be functions, got {type(one).__name__}.")
    if tol is not None and len(tol) != len(constraints):
        raise ValueError(f"For 'minimize', tol must have {len(constraints)} numbers, got {len(tol)}.")
