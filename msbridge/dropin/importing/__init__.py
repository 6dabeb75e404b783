"""Serving `mindspore`: the import finder, the module map, modules' `__getattr__`, install and uninstall."""
