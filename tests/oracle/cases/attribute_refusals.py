"""Constructions, and which public attributes of the objects refuse to be set, to the value that they have."""

from types import ModuleType
from typing import Any

from tests.oracle.case import Case
from tests.oracle.cases import attributes
from tests.oracle.cases.dataset._files import case_context  # noqa: F401


class Assignments(Case):
    """A line whose answer is the names of the attributes that refuse."""

    def _evaluate(self, module: ModuleType) -> list[str]:
        value = eval(self.expression, vars(attributes))
        return refusals(value, attributes.attribute_names(value))


def refusals(value: Any, names: Any) -> list[str]:
    """Return those of an object's attributes that cannot be set to the value that they have."""
    return [name for name in names if has(value, name) and refuses(value, name)]


def has(value: Any, name: str) -> bool:
    try:
        return hasattr(value, name)
    except Exception:
        return False


def refuses(value: Any, name: str) -> bool:
    try:
        setattr(value, name, getattr(value, name))
    except Exception:
        return True
    return False


CASES = [Assignments(case.name, may_raise=True) for case in attributes.CASES]
