"""Packages that some text transforms need: an extra, imported when used."""

import importlib
from types import ModuleType


def package(name: str, owner: str) -> ModuleType:
    """Import a package of the extra `text`.

    Raises:
        ImportError: it is not installed; the message says how to get it.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f'{owner} needs the package {name}: pip install "msbridge[text]"') from error
