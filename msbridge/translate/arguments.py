"""Arguments of a call as text: their spans, with the parentheses around them, and their replacement in place."""

import ast
from collections.abc import Mapping

from msbridge.translate.edits import Text

__all__ = ["Arguments", "dot_of"]


def dot_of(text: Text, node: ast.Attribute) -> int:
    """Return the position of an attribute's dot."""
    return text.source.rindex(".", text.start(node), text.end(node) - len(node.attr))


class Arguments:
    """Arguments of a call.

    Args:
        text: the file.
        node: the call.

    Attributes:
        opened: where the opening parenthesis is.
        closed: where the closing one is.
        nodes: the arguments in the order of the text.
    """

    def __init__(self, text: Text, node: ast.Call):
        self.text = text
        self.closed = text.end(node) - 1
        self.opened = self._skip(text.end(node.func), ")")
        self.nodes: list[ast.expr | ast.keyword] = sorted([*node.args, *node.keywords], key=text.start)
        self.spans = self._spans()

    def _skip(self, place: int, also: str = "") -> int:
        """Return the next place of neither blanks nor comments."""
        source = self.text.source
        while place < len(source):
            if source[place] == "#":
                place = source.index("\n", place)
            elif source[place].isspace() or source[place] == "\\" or source[place] in also:
                place += 1
            else:
                break
        return place

    def _spans(self) -> list[tuple[int, int]]:
        spans = []
        start = self._skip(self.opened + 1)
        for one in self.nodes:
            place = max(self.text.end(one), start)
            end = place
            while True:
                place = self._skip(place)
                if place >= self.closed or self.text.source[place] == ",":
                    break
                place += 1  # a closing parenthesis around the argument
                end = place
            spans.append((start, end))
            start = self._skip(min(place + 1, self.closed))
        return spans

    def write(self, changes: Mapping[int, str | None], extras: list[str]) -> None:
        """Replace arguments.

        Args:
            changes: by the `id` of a node, its new text; None takes it out. Others stay.
            extras: what follows.
        """
        kept = [index for index, one in enumerate(self.nodes) if changes.get(id(one), "") is not None]
        if not kept:
            if self.nodes or extras:
                self.text.replace(self.opened + 1, self.closed, ", ".join(extras))
            return
        for index in kept:
            new = changes.get(id(self.nodes[index]))
            start, end = self.spans[index]
            if new is not None and new != self.text.render(start, end):
                self._write_one(index, new)
        for index, (start, _) in enumerate(self.spans):
            if index not in kept and index < kept[-1]:
                self.text.replace(start, self.spans[index + 1][0], "")
        tail = "".join(f", {one}" for one in extras)
        last, end = self.spans[kept[-1]][1], self.spans[-1][1]
        if end > last:
            self.text.replace(last, end, tail)
        elif tail:
            self.text.insert(last, tail)

    def _write_one(self, index: int, new: str) -> None:
        """Write one argument; where only its name changes, the rest stays with its comments."""
        node, (start, end) = self.nodes[index], self.spans[index]
        value = node.value if isinstance(node, ast.keyword) else node
        name, is_named, rest = new.partition("=")
        if is_named and name.isidentifier() and rest == self.text.of(value):
            if isinstance(node, ast.keyword):
                self.text.replace(start, start + len(node.arg or ""), name)
            else:
                self.text.insert(start, f"{name}=")
        elif new == self.text.of(value) and isinstance(node, ast.expr):
            return
        else:
            self.text.replace(start, end, new)
