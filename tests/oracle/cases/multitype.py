"""Python's operators as functions with a body for each combination of types."""

from mindspore.ops.composite import multitype_ops as M  # noqa: F401  used by the expressions
from mindspore.ops.composite.multitype_ops import add_impl, pow_impl, zeros_like_impl  # noqa: F401

from tests.oracle.case import Case, each, rand

CASES = [
    *each(
        """
        M.add(1, 2)
        M.add('a', 'b')
        M.add((1,), (2,))
        M.add([1], [2])
        add_impl.add(1.5, 2)
        M.sub(7, 4)
        M.mul(7, 4)
        M.div(7, 4)
        M.floordiv(7, 4)
        M.mod(7, 4)
        M.pow_(2, 3)
        pow_impl.pow_(2.0, 3)
        M.getitem((1, 2), 1)
        M.getitem([1, 2, 3], slice(0, 2))
        M.getitem({'a': 1}, 'a')
        M.setitem([1, 2], 0, 5)
        M.in_(1, (1, 2))
        M.in_('a', {'a': 1})
        M.not_in_(1, [1, 2])
        M.logical_not(0)
        M.logical_not(())
        M.logical_and(1, 0)
        M.logical_or(0, 2)
        M.uadd(2)
        M.invert(2)
        M.negative(2)
        M.left_shift(2, 1)
        M.right_shift(8, 1)
        M.bitwise_and(6, 3)
        M.bitwise_or(6, 3)
        M.bitwise_xor(6, 3)
        M.equal(1, 1)
        M.equal(None, 1)
        M.not_equal('a', 'b')
        M.less(1, 2)
        M.less_equal(2, 2)
        M.greater(1, 2)
        M.greater_equal((1,), (2,))
        M.augassign_mul(3, 4)
        zeros_like_impl.zeros_like_leaf(2)
        zeros_like_impl.zeros_like_leaf(2.5)
        """
    ),
    *each(
        """
        M.add(x, 2)
        M.add(x, x)
        M.getitem(x, 1)
        M.getitem(x, (0, slice(1, 3)))
        M.setitem(x, 0, 5)
        M.zeros_like(x)
        M.ones_like((x, 2))
        M.less(x, 1)
        M.negative(x)
        M.pow_(x, 2)
        """,
        x=rand(2, 3),
    ),
    Case("M.add(None, 1)", raises=TypeError),
    Case("M.logical_and(x > 0, x < 1)", x=rand(2, 3), raises=ValueError),
    Case("M.less('a', 1)", raises=TypeError),
]
