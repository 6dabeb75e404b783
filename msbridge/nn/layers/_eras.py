"""A layer whose name stood for another layer in old releases: both are served under it."""

import inspect
from typing import Any, ClassVar

from msbridge.core.releases.release import at_least
from msbridge.nn.cell.cell import Cell


class OfBothEras(Cell):
    """Constructs the old layer where its own arguments are named, or an old release is followed.

    A subclass that a script defines is always of the new layer.
    """

    _old_arguments: ClassVar[frozenset[str]]  # only the old layer has these
    _since: ClassVar[str]  # the first release with the new layer

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        is_ours = "_since" in vars(cls)  # a copy or a checkpoint of the object constructs without arguments
        if is_ours and (cls._old_arguments & kwargs.keys() or ((args or kwargs) and not at_least(cls._since))):
            return cls._old_form()(*args, **kwargs)
        return super().__new__(cls)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _, *arguments = inspect.signature(cls.__init__).parameters.values()
        cls.__signature__ = inspect.Signature(arguments)  # type: ignore[attr-defined]  # editors would show __new__'s

    @classmethod
    def _old_form(cls) -> type[Cell]:
        raise NotImplementedError
