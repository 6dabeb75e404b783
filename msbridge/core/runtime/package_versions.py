"""Versions of installed packages."""

from importlib.metadata import PackageNotFoundError, version

__all__ = ["version_of"]


def version_of(package: str) -> str | None:
    """Return the version of a package; None where it is not installed, as when it is run from a folder."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
