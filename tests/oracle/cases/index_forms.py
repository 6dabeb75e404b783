"""Indices of unusual form: lists of lists, masks of other lengths, False; arrays of views."""

import mindspore as ms
from mindspore import Tensor, ops  # noqa: F401  # the expressions name them

from tests.oracle.case import arange, each

EXACT = True


def put(t, index, value):
    t[index] = value
    return t


def array_written(part, t):
    """Write into the array of a part of `t`; return both."""
    found = part(t)
    found.asnumpy()[..., :1] = 99
    return t, found


@ms.jit
def cut_by_float(t):
    return t[1.5:2]


@ms.jit
def put_false(t):
    t[False] = 1
    return t


CASES = [
    *each(
        """
        put(t, [[0, 1], [1, 0]], 0)
        put(t, [[0], [1]], 7)
        put(t, [(0, 1), (1, 2)], Tensor([8.0, 9.0]))
        put(t, [[0, 1], [0]], 7)
        put(t, [[True, False, True]], 7)
        put(t, [[]], 7)
        t[0, Tensor([True, False])]
        t[Tensor([True, False]), 0]
        t[:, Tensor([True, False])]
        t[(Tensor([[True, False], [False, True]]),)]
        put(t, (0, Tensor([True, False])), 7)
        put(t, (slice(None), Tensor([True, False])), 7)
        put(t, False, 1)
        put(t, (False, 0), 1)
        put(t, (None, False), 1)
        put_false(t)
        t[True]
        put(t[True], 0, 5)
        put(t, slice(3, 1), (8.0, 9.0))
        array_written(lambda x: x[0], t)
        array_written(lambda x: x[1:], t)
        array_written(lambda x: x[:, 0], t)
        array_written(lambda x: x.T, t)
        array_written(lambda x: x.reshape(-1), t)
        array_written(lambda x: x[None], t)
        array_written(lambda x: x.expand_dims(0), t)
        array_written(lambda x: x.squeeze(), t)
        array_written(lambda x: ops.transpose(x, (1, 0)), t)
        array_written(lambda x: x.split(1)[0], t)
        array_written(lambda x: x[...], t)
        array_written(lambda x: x.value(), t)
        array_written(lambda x: x * 1, t)
        array_written(lambda x: x.astype(ms.float32), t)
        """,
        t=arange(3, 4),
    ),
    *each(
        """
        put(Tensor(3.0), False, 1)
        """
    ),
    *each(
        """
        t[[True, False]]
        t[0, [True, False]]
        put(t, [True], 0)
        t[[{}]]
        put(t, [5], 0)
        put(t, 0, 1j)
        put(t, Tensor([1.0]), 'a')
        """,
        raises=IndexError,
        t=arange(3, 4),
    ),
    *each(
        """
        t[1:'a']
        t[1.5:2]
        put(t, slice(0, 2.0), 0)
        t[Tensor([5])]
        t[Tensor(-5)]
        t[Tensor([5]), 0]
        put(t, Tensor([-5]), 0)
        """,
        raises=RuntimeError,
        t=arange(3, 4),
    ),
    *each(
        """
        t[Tensor([0, 1]):]
        cut_by_float(t)
        t[0, 1.5]
        t[[0.5]]
        put(t, (0, 1.5), 0)
        put(Tensor(3.0), [0], 1)
        put(Tensor(3.0), Tensor(0), 1)
        """,
        raises=TypeError,
        t=arange(3, 4),
    ),
    *each(
        """
        t[::1.5]
        put(t, Tensor([5]), 0)
        t[[0, 1], [0, 1, 0]]
        put(t, (Tensor([0, 1]), Tensor([0, 1, 0])), 0)
        Tensor(3.0)[[0]]
        Tensor(3.0)[:1]
        """,
        raises=ValueError,
        t=arange(3, 4),
    ),
]
