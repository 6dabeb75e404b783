"""Models that the user passes, or names as `package.module:factory` or `package/module.py:factory`."""

import importlib
import traceback
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.user_modules import split_spec
from msbridge.core.checks.suggestions import did_you_mean


def factory(target: str) -> Any:
    """Import `package.module:factory` and call it; return what it makes.

    Raises:
        CheckpointError: the text has another form, or there is no such thing.
    """
    module_name, attribute = split_spec(target)
    if not module_name or not attribute:
        raise CheckpointError(f"{target!r} must be 'package.module:factory' or 'package/module.py:factory'.")
    if module_name.startswith("."):
        raise CheckpointError(f"{target!r}: the file must be below the current folder.")
    try:
        value: Any = importlib.import_module(module_name)
        for part in attribute.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        raise CheckpointError(_explain_import(target, error)) from error
    return value() if callable(value) and not isinstance(value, torch.nn.Module) else value


def _explain_import(target: str, error: Exception) -> str:
    """Return why a target cannot be imported: its file is not there, or what Python says."""
    file = Path(target.rpartition(":")[0])
    if file.suffix != ".py" or file.exists():
        return f"{target!r} cannot be imported: {error}."
    beside = [each.name for each in file.parent.glob("*.py")] if file.parent.is_dir() else []
    return f"{target!r}: there is no file {file}.{did_you_mean(file.name, beside)}"


def build_module(model: torch.nn.Module | str | None) -> torch.nn.Module | None:
    """Build a module on the meta device, where it takes no memory; on the CPU where its constructor needs numbers.

    Raises:
        CheckpointError: the factory fails, or makes something else.
    """
    if not isinstance(model, str):
        return model
    try:
        with torch.device("meta"):
            built = factory(model)
    except CheckpointError:
        raise
    except Exception:
        built = _call_factory(model)
    if not isinstance(built, torch.nn.Module):
        raise CheckpointError(f"{model!r} made {type(built).__name__}, not a torch.nn.Module.")
    return built


def build_cell(cell: Any) -> Any:
    """Build a Cell; one that is given, or None, comes back as it is.

    Raises:
        CheckpointError: the factory fails, or makes something else.
    """
    built = _call_factory(cell) if isinstance(cell, str) else cell
    if built is not None and not hasattr(built, "parameters_and_names"):
        raise CheckpointError(f"{cell!r} is {type(built).__name__}, not a Cell.")
    return built


def _call_factory(target: str) -> Any:
    """Call the user's factory; say where it fails."""
    try:
        return factory(target)
    except CheckpointError:
        raise
    except Exception as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        where = f"{last.filename}, line {last.lineno}"
        raise CheckpointError(f"{target!r} fails: {type(error).__name__}: {error} ({where}).") from error
