"""Number formats of reports, and long names: differences with an exponent, ratios without, in three digits."""

import math
import re

__all__ = ["HEAD", "MAX_NAME_LENGTH", "amount", "exact", "ratio", "short"]


WRITTEN_OUT = 1e5  # from here on ratios have an exponent
EXPONENT = re.compile(r"e([+-])0+(?=\d)")
MAX_NAME_LENGTH = 38  # characters of a name in a table
HEAD = 10  # of them before what is left out: the end distinguishes layers


def amount(value: float) -> str:
    """Return a difference, such as 3.27e-4."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else _special(value)
    digits, _, power = f"{value:.2e}".partition("e")
    return f"{digits}e{int(power)}"


def ratio(value: float) -> str:
    """Format a ratio, such as 4920, 1.04 or 2.91e6."""
    if math.isfinite(value) and abs(value) >= WRITTEN_OUT:
        return amount(value)
    return f"{float(f'{value:.3g}'):.12g}" if math.isfinite(value) else _special(value)


def exact(value: float, digits: int = 7) -> str:
    """Return a value with more digits, such as 2.703522 or 1.2e-5."""
    return EXPONENT.sub(r"e\1", f"{value:.{digits}g}").replace("e+", "e") if math.isfinite(value) else _special(value)


def short(name: str) -> str:
    """Return a name with its middle left out where it is long."""
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[:HEAD]}…{name[len(name) - (MAX_NAME_LENGTH - HEAD - 1) :]}"


def _special(value: float) -> str:
    return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"
