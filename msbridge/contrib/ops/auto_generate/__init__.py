"""The primitives that MindSpore generates; libraries call them themselves.

A primitive of `mappings/generated.tsv` is made when it is asked for, and so is what belongs to it: an instance, as
`add_ext_op`, the function of the same inputs and attributes, as `add_ext`, and the entries that take them in one list,
as `pyboost_add_ext`, or one after the other, as `softmax_impl`. The other files here define what has no other face.

Follows: mindspore.ops.auto_generate (2.10).
"""

from msbridge.contrib.ops.auto_generate.naming import UnknownName, find, rows

__all__ = sorted(rows())


def __getattr__(name: str) -> object:
    """Return a primitive of the table, or what belongs to one."""
    try:
        return find(name)
    except UnknownName as error:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}. {error}".rstrip(), name=name) from None
