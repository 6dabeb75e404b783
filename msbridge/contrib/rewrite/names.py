"""Names that are not taken yet."""

import re

__all__ = ["CLASSES", "FUNCTIONS", "Names"]


class Names:
    """Names in use, each with the next number that makes a new one of it."""

    def __init__(self) -> None:
        self._next: dict[str, int] = {}

    def add(self, name: str) -> None:
        """Note that `name` is in use."""
        self._next.setdefault(name, 1)

    def unique(self, name: str) -> str:
        """Return `name`, with a number behind it where it is taken; a single underscore always stays."""
        if name == "_":
            return name
        if name not in self._next:
            self._next[name] = 1
            numbered = re.fullmatch(r"(.*)_([0-9]+)", name)
            if numbered is None or not int(numbered[2]) or self._next.get(numbered[1], -1) <= int(numbered[2]):
                return name
        while True:
            found = f"{name}_{self._next[name]}"
            self._next[name] += 1
            if found not in self._next:
                return found


CLASSES = Names()  # of rewritten networks, and below of functions that they call: of the whole process, as in MindSpore
FUNCTIONS = Names()
