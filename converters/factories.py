"""Networks that the user names as `package.module:factory`."""

from typing import Any

import torch

from msbridge.converters.errors import CheckpointError


def factory(target: str) -> Any:
    """Import `package.module:factory` and call it; give what it makes.

    Raises:
        CheckpointError: the text has another form, or there is no such thing.
    """
    import importlib

    module_name, colon, attribute = target.partition(":")
    if not colon or not module_name or not attribute:
        raise CheckpointError(f"{target!r} must be 'package.module:factory'.")
    try:
        found: Any = importlib.import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise CheckpointError(f"{target!r} cannot be imported: {error}.") from error
    return found() if callable(found) and not isinstance(found, torch.nn.Module) else found
