"""How reports write numbers, as the page does: differences with an exponent, ratios without; three digits."""

import math

__all__ = ["amount", "ratio"]


WRITTEN_OUT = 1e5  # from here on ratios have an exponent


def amount(value: float) -> str:
    """Return a difference, such as 3.27e-4."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else _special(value)
    digits, _, power = f"{value:.2e}".partition("e")
    return f"{digits}e{int(power)}"


def ratio(value: float) -> str:
    """Return how many times something is another, such as 4920, 1.04 or 2.91e6."""
    if math.isfinite(value) and abs(value) >= WRITTEN_OUT:
        return amount(value)
    return f"{float(f'{value:.3g}'):.12g}" if math.isfinite(value) else _special(value)


def _special(value: float) -> str:
    return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"
