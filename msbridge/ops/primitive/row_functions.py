"""Functions made of the rows of a table: they have the signature that the row says, and get their arguments by name."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from msbridge.core.errors.exception_classes import class_for_count
from msbridge.ops.primitive.primitive import REQUIRED

__all__ = ["row_function"]

_KIND = inspect.Parameter.POSITIONAL_OR_KEYWORD
_PLAIN = (bool, int, float, str)


def row_function(
    name: str,
    run: Callable[[Mapping[str, Any]], Any],
    inputs: Mapping[str, Any],
    attributes: Mapping[str, Any],
    result: Any,
    doc: str,
) -> Callable[..., Any]:
    """Return a function that hands its arguments to `run`, by name.

    Args:
        name: of the primitive that is made of it, for messages.
        run: computes, of all inputs and attributes.
        inputs: of a call, in order: the annotation of each. One that ends with `?` is None where it is not given.
        attributes: the default of each, `REQUIRED` for none.
        result: the annotation of the result.
        doc: the docstring.

    Raises:
        TypeError: (when called) there are too few arguments or too many; the class of the table for some primitives.
    """
    defaults: dict[str, Any] = {key.removesuffix("?"): None if key[-1] == "?" else REQUIRED for key in inputs}
    defaults |= attributes
    filled = {key: value for key, value in defaults.items() if value is not REQUIRED}

    def function(*args: Any, **named: Any) -> Any:
        given = filled | dict(zip(defaults, args, strict=False)) | named
        if len(args) > len(defaults) or len(given) < len(defaults):
            raise class_for_count(name)(f"For '{name}', the inputs are ({', '.join(inputs)}), got {len(args)}.")
        return run(given)

    kinds = {key.removesuffix("?"): kind for key, kind in inputs.items()}
    kinds |= {key: type(each) if isinstance(each, _PLAIN) else Any for key, each in attributes.items()}
    function.__name__ = function.__qualname__ = name
    function.__module__, function.__doc__ = run.__module__, doc
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(key, _KIND, default=each, annotation=kinds[key]) for key, each in defaults.items()],
        return_annotation=result,
    )
    return function
