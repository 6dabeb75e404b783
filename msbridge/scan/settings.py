"""Settings of a scan in a project's pyproject.toml: the table `[tool.msbridge.scan]`, with the names of the options."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msbridge.core.checks.option_records import defaults_of, options_of
from msbridge.core.checks.suggestions import did_you_mean
from msbridge.scan.options import Options

__all__ = ["SettingsError", "project_settings"]


_KINDS: Mapping[type, tuple[str, Callable[[Any], bool]]] = {
    bool: ("true or false", lambda value: isinstance(value, bool)),
    str: ("a string", lambda value: isinstance(value, str)),
    type(None): ("a string", lambda value: isinstance(value, str)),
    tuple: ("a list of strings", lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value)),
}
"""What a setting must be, by the type of the option's default, in words and as a test."""


class SettingsError(ValueError):
    """A table of settings that cannot be read."""


def project_settings(folder: Path) -> Mapping[str, Any]:
    """Return the settings of the nearest pyproject.toml in a folder or above it; empty where it has none.

    Raises:
        SettingsError: the file is not TOML, or a setting has an unknown name or a value of the wrong type.
    """
    places = (above / "pyproject.toml" for above in (folder.resolve(), *folder.resolve().parents))
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        return {}
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # TOMLDecodeError and UnicodeDecodeError are ValueErrors
        raise SettingsError(f"{path}: {error}") from None
    settings = read.get("tool", {}).get("msbridge", {}).get("scan", {})
    return {name.replace("-", "_"): _check_setting(path, name, value) for name, value in settings.items()}


def _check_setting(path: Path, name: str, value: Any) -> Any:
    """Return the value of a setting, which has the type of the option's default."""
    options, defaults = options_of(Options), defaults_of(Options)
    known = name.replace("-", "_")
    if known not in options:
        near = did_you_mean(known, options)
        raise SettingsError(f"{path}: [tool.msbridge.scan] has no setting {name!r}.{near}")
    asked, fits = _KINDS[type(defaults[known])]
    if not fits(value):
        raise SettingsError(f"{path}: [tool.msbridge.scan] {name} must be {asked}, but is {value!r}.")
    if options[known].choices and value not in options[known].choices:
        choices = ", ".join(options[known].choices)
        raise SettingsError(f"{path}: [tool.msbridge.scan] {name} must be one of {choices}, but is {value!r}.")
    return value
