"""Rarely used parts of MindSpore's API, served under its paths all the same.

It is not the core's promise. Nothing imports it: the rooms below name it in tables of lazy names, and the module map
of the drop-in leads to it, so that it is imported when a script first uses a name of it.
"""
