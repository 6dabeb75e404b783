"""The family of operators on Python's values: the class of a primitive from a function of Python."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from msbridge.ops.primitive.primitive import Primitive


class OnValues(Primitive):
    """A primitive without attributes that computes as a function of Python does."""

    function: ClassVar[Callable[..., Any]]

    def __init__(self) -> None:
        super().__init__(type(self).__name__)

    def __call__(self, *args: Any) -> Any:
        return type(self).function(*args)


def on_values(rows: Mapping[str, Callable[..., Any]], says: str) -> dict[str, type[OnValues]]:
    """Make the classes of a table.

    Args:
        rows: name of the primitive → its function.
        says: the path of the module that has these primitives in MindSpore.
    """
    return {
        name: type(
            name,
            (OnValues,),
            {
                "function": staticmethod(function),
                "__doc__": f"Compute `{function.__name__}` of Python's values.\n\nFollows: {says}.{name} (2.10).",
                "__module__": "msbridge.ops.operations",
            },
        )
        for name, function in rows.items()
    }
