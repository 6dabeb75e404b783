"""Fan-in and fan-out of a weight, and the gains of nonlinearities, for initializers."""

import math


def fans(shape: tuple[int, ...]) -> tuple[float, float]:
    """Return (fan_in, fan_out) of a weight laid out (out, in, …).

    Raises:
        ValueError: it has fewer than two axes.
    """
    if len(shape) < 2:
        raise ValueError(f"'fan_in' and 'fan_out' need a shape of at least two axes, got {shape}.")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def gain_of(nonlinearity: str, negative_slope: float) -> float:
    """Return the gain of a nonlinearity."""
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + negative_slope**2))
    gains = {"relu": math.sqrt(2.0), "tanh": 5.0 / 3, "sigmoid": 1.0, "linear": 1.0}
    if nonlinearity in gains or nonlinearity.startswith("conv"):
        return gains.get(nonlinearity, 1.0)
    raise ValueError(f"The nonlinearity must be one of {', '.join(gains)}, leaky_relu, conv*, got {nonlinearity!r}.")
