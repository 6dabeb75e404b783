"""The drop-in: serves msbridge's objects wherever a script says `mindspore`."""

from msbridge.dropin.importing.install import install, installed, uninstall

__all__ = ["install", "installed", "uninstall"]
