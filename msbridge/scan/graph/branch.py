"""A branch on a Tensor: the compiler joins what both ways of it yield."""

import ast
from dataclasses import dataclass

from msbridge.scan.graph.value_kinds import ValueKind

__all__ = ["Branch"]


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch on a Tensor, after both ways of it were walked.

    Attributes:
        node: where it is.
        assigned: what each name that a way assigns represents after the one and after the other.
        one: what the body returns, if it ends so.
        other: what the other way returns, if it ends so: without an `else`, all that follows.
    """

    node: ast.If
    assigned: tuple[tuple[ValueKind, ValueKind], ...]
    one: ValueKind | None
    other: ValueKind | None

    @property
    def returned(self) -> tuple[tuple[ValueKind, ValueKind], ...]:
        """The type that both ways return, where both do."""
        return ((self.one, self.other),) if self.one and self.other else ()

    @property
    def joined(self) -> tuple[tuple[ValueKind, ValueKind], ...]:
        """The one value that the compiler makes of both."""
        ends = (body[-1] for body in (self.node.body, self.node.orelse) if body)
        return self.returned if any(isinstance(one, ast.Return) for one in ends) else self.assigned
