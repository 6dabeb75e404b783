"""Exceptions of graphs: MindSpore's compiler refuses a missing key and a division by zero as wrong values."""

import dis
from types import CodeType

__all__ = ["explain"]

_OF_PYTHON = ("BINARY_SUBSCR", "BINARY_OP")


def explain(error: KeyError | ZeroDivisionError) -> Exception:
    """Return the exception that a graph raises for Python's; the same one where a `raise` or a library made it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not _is_of(trace.tb_frame.f_code, trace.tb_lasti):
        return error
    if isinstance(error, KeyError):
        return ValueError(f"The key {error.args[0]!r} does not exist in the dict.")
    return ValueError(f"The divisor must not be zero: {error}.")


def _is_of(code: CodeType, place: int) -> bool:
    """Whether an operator or an item of Python's is at a place of the code."""
    return any(step.offset == place and step.opname in _OF_PYTHON for step in dis.get_instructions(code))
