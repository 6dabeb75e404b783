"""The Args, Returns and Raises of an operator that is a row, from the dtypes that it takes and returns.

    "real -> float"        # no complex numbers; Float32 of integers and bools, else the dtype of the input

A test calls every row with every dtype, so what the docstring says is what happens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["TAKEN", "Sections", "parse"]

BOOL, INTEGER, FLOAT, COMPLEX = "bool", "integer", "float", "complex"
TAKEN: Mapping[str, tuple[str, frozenset[str]]] = {  # the words, if any, and the kinds of dtype that they represent
    "any": ("", frozenset({BOOL, INTEGER, FLOAT, COMPLEX})),
    "number": ("any dtype but Bool", frozenset({INTEGER, FLOAT, COMPLEX})),
    "real": ("any dtype but Complex", frozenset({BOOL, INTEGER, FLOAT})),
    "real number": ("integers or floats", frozenset({INTEGER, FLOAT})),
    "inexact": ("floats or complex numbers", frozenset({FLOAT, COMPLEX})),
    "float": ("floats", frozenset({FLOAT})),
    "integer": ("integers", frozenset({INTEGER})),
    "integer or bool": ("integers or bools", frozenset({INTEGER, BOOL})),
}
RETURNED: Mapping[str, str] = {  # what follows the dtype of the input, or the promoted one
    "same": "",
    "float": "; Float32 for integers and bools",
    "number": "; Int64 for bools",
    "half": "; Float16 for bools and 8-bit integers, Float32 for other integers",
    "component": "; for complex numbers the float of half the size",
    "real float": "; Float32 for all but floats",
}
FIXED: Mapping[str, str] = {  # the dtypes that do not follow the input's
    "bool": "Bool",
    "narrow": "Float32, unless an input is Float16 or Float32: the promoted dtype then",
}


@dataclass(frozen=True, slots=True)
class Sections:
    """The dtypes that a row takes and returns."""

    takes: str  # a key of TAKEN
    returns: str  # a key of RETURNED or FIXED

    def text(self, names: Sequence[str], given: str, lacking: str, beside: str = "", *settings: str) -> str:
        """Return the sections of an operator of one or two inputs, indented as in a function.

        Args:
            names: of the inputs.
            given: what an input may be, such as "a Tensor".
            lacking: when a TypeError is raised, regardless of the dtype.
            beside: what else is asked of the second input.
            settings: lines of the other arguments.
        """
        inputs, result = self.inputs_and_result(names, given, beside)
        taken, _ = TAKEN[self.takes]
        lines = ["Args:", *(f"    {line}" for line in (*inputs, *settings)), ""]
        lines += ["Returns:", f"    {result}", "", "Raises:"]
        lines += [f"    TypeError: {lacking}{', or is of another dtype' * bool(taken)}."]
        lines += ["    ValueError: the shapes do not broadcast."] * (len(names) > 1)
        return "\n".join(f"    {line}".rstrip() for line in lines)

    def inputs_and_result(self, names: Sequence[str], given: str, beside: str = "") -> tuple[list[str], str]:
        """Return a line for each input, and what comes out; the arguments are those of `text`."""
        first, *others = names
        taken, _ = TAKEN[self.takes]
        what = f"shape; {taken}" if taken else "shape and dtype"
        lines = [f"{first}: {given} of any {what}."]
        lines += [f"{other}: {given} that broadcasts against `{first}`{beside}." for other in others]
        return lines, f"A Tensor of {self._describe_result(first, bool(others))}."

    def _describe_result(self, first: str, is_broadcast: bool) -> str:
        shape = "the broadcast shape" if is_broadcast else f"the shape of `{first}`"
        if self.returns in FIXED:
            return f"{shape}; {FIXED[self.returns]}"
        return (
            f"{shape} and the promoted dtype{RETURNED[self.returns]}"
            if is_broadcast
            else (f"the shape and dtype of `{first}`{RETURNED[self.returns]}")
        )


def parse(dtypes: str) -> Sections:
    """Return the sections that "TAKES -> RETURNS" describes."""
    takes, _, returns = dtypes.partition(" -> ")
    if takes not in TAKEN or returns not in {*RETURNED, *FIXED}:
        raise ValueError(f"{dtypes!r} is not of the form 'TAKES -> RETURNS'.")
    return Sections(takes, returns)
