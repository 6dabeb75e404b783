"""Functions that MindSpore's own modules use, and variants with torch's arguments."""

from mindspore.ops import composite, functional

from tests.oracle.case import Case, each, rand, values

X, Y = rand(2, 3), rand(2, 3)
inner, compose = functional, composite

CASES = [
    *each(
        """
        inner.broadcast_gradient_args((2, 3), (3,))
        inner.broadcast_gradient_args((2, 1), (1, 3))
        inner.broadcast_gradient_args((1,), (1,))
        inner.broadcast_gradient_args((), (2,))
        inner.broadcast_gradient_args((4, 1, 3), (4, 5, 1))
        inner.broadcast_gradient_args((1, 3), (3,))
        inner.broadcast_gradient_args((2,), (1, 1))
        inner.shape_mul((2, 3, 4))
        inner.shape_mul(())
        inner.tuple_div((4, 6), (2, 3))
        inner.is_sequence_shape_unknown((1, 2))
        inner.is_sequence_value_unknown((1, 2))
        inner.isconstant(3)
        compose.augassign_add(3, 4)
        compose.augassign_add([1], [2])
        compose.augassign_add((1,), (2,))
        compose.augassign_mul('a', 2)
        compose.augassign_mul((1, 2), 2)
        compose.augassign_div(7, 2)
        compose.augassign_floordiv(7, 2)
        compose.augassign_mod(7, 4)
        compose.hyper_add(1, 2)
        """
    ),
    Case("inner.tuple_div((4, 6), (2, 5))", raises=RuntimeError, says="divisible"),
    Case("inner.tuple_div((4, 6), (2,))", raises=RuntimeError),
    *each(
        """
        compose.hyper_add((x, 2), (y, 3))
        compose.augassign_sub(x, y)
        compose.augassign_add((1, 2, 3), x)
        inner.isnan_ext(x)
        inner.diff_ext(x, dim=0)
        inner.float_power_ext(x * x, 2)
        inner.pows(x, 2)
        inner.tensor_muls(x, 2.0)
        inner.tensor_slice(x, (0, 1), (2, 2))
        inner.reshape_(x, (3, 2))
        inner.shape_(x)
        """,
        x=X,
        y=Y,
    ),
    Case("compose.augassign_add({}, {})", raises=TypeError),
    Case("inner.pows(x, y)", x=values(1.0, 2.0, 3.0), y=values(2.0, 0.5, 1.0), grad=True),
]
