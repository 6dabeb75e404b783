"""Names of earlier releases that scripts may import, and that refuse to be made."""

from typing import Any

from msbridge.core.releases.arguments import signature_of


def refuse(name: str, was: str, why: str) -> type:
    """Make a class with the arguments that it had, whose construction says why it is not to be had.

    Args:
        name: the class's.
        was: its arguments, without `self`.
        why: a sentence.
    """

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(f"{name} is not available in msbridge: {why}")

    __init__.__signature__ = signature_of(", ".join(filter(None, ("self", was))))  # type: ignore[attr-defined]
    return type(name, (), {"__init__": __init__, "__doc__": f"Refused: {why}", "__module__": __name__})
