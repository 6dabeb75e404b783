"""Edits of a text by the places of its syntax tree: what no edit touches stays as its author wrote it.

A syntax tree knows where its nodes begin and end, but nothing of comments, blanks and parentheses. A tree that keeps
those would have to be built, changed and written as a whole; an edit replaces a stretch of the text, and everything
around it, comments included, stays by itself. Edits nest: `render` returns an expression with the
edits inside it, and the whole may then be replaced::

    F.gelu(self.fc(x.size(0)))          three edits, innermost first:
                   ^^^^^^^^^            x.shape[0]
    ^^^^^^                              ops.gelu

"""

import ast
from bisect import bisect_left, insort
from dataclasses import dataclass, field

__all__ = ["Edit", "Text"]


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A stretch of the text, and what replaces it."""

    start: int
    end: int  # equal to `start` where something is inserted
    order: int  # of insertions at the same place
    text: str = field(compare=False)


class Text:
    """A source and its edits.

    Args:
        source: the text.
    """

    def __init__(self, source: str):
        self.source = source
        self.lines = source.splitlines(keepends=True) or [""]
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line))
        self._is_ascii = [line.isascii() for line in self.lines]
        self.edits: list[Edit] = []
        self._count = 0

    def place(self, line: int, column: int) -> int:
        """Return the place in the text of a line, from 1, and a column in bytes, as syntax trees have them."""
        row = line - 1
        if not self._is_ascii[row]:
            column = len(self.lines[row].encode()[:column].decode())
        return self._starts[row] + column

    def start(self, node: ast.AST) -> int:
        """Return the position of a node's first character."""
        return self.place(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        """Return the position behind a node."""
        return self.place(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def line_of(self, place: int) -> int:
        """Return the line, from 1, of a place."""
        return max(1, bisect_left(self._starts, place + 1))

    def line_start(self, line: int) -> int:
        """Return the position of the first character of a line, from 1."""
        return self._starts[min(line - 1, len(self._starts) - 1)]

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace a stretch; edits inside it are forgotten, what was inserted at its end is not."""
        if end > start:
            first, last = (bisect_left(self.edits, Edit(place, place, 0, "")) for place in (start, end + 1))
            self.edits[first:last] = [
                one for one in self.edits[first:last] if one.end > end or one.start == one.end == end
            ]
        self._count += 1
        insort(self.edits, Edit(start, end, self._count, text))

    def insert(self, place: int, text: str) -> None:
        """Insert a text."""
        self.replace(place, place, text)

    def insert_before(self, place: int, text: str) -> None:
        """Insert a text before what was inserted at the same place."""
        insort(self.edits, Edit(place, place, 0, text))

    def render(self, start: int, end: int) -> str:
        """Return a stretch of the text with its edits."""
        parts, last = [], start
        for edit in self.edits[bisect_left(self.edits, Edit(start, start, 0, "")) :]:
            if edit.start > end:
                break
            if edit.start >= last and edit.end <= end:
                parts += [self.source[last : edit.start], edit.text]
                last = edit.end
        return "".join([*parts, self.source[last:end]])

    def of(self, node: ast.AST) -> str:
        """Return the text of a node with its edits."""
        return self.render(self.start(node), self.end(node))

    def original(self, node: ast.AST) -> str:
        """Return the text of a node as it was."""
        return self.source[self.start(node) : self.end(node)]

    def result(self) -> str:
        """Return the whole text with all edits."""
        return self.render(0, len(self.source))
