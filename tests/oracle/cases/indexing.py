"""Reading and writing parts of a tensor."""

import mindspore as ms
import numpy as np
from mindspore import Tensor

from tests.oracle.case import Case, arange, each, rand

EXACT = True


def put(t: Tensor, index: object, value: object) -> Tensor:
    """`t[index] = value`."""
    t[index] = value
    return t


def put_then_source(part: object, t: Tensor, value: object) -> Tensor:
    """Write to a part of `t` that was taken by indexing or reshaping, and return `t`."""
    part(t)[0] = value
    return t


def steps(t: Tensor, *statements: str) -> Tensor:
    """Run statements on `t`."""
    for statement in statements:
        exec(statement, {"t": t, "Tensor": Tensor, "ms": ms, "np": np})
    return t


def alias(t: Tensor) -> tuple:
    other = t
    t[0] = 5
    return t is other, other


CASES = [
    *each(
        """
        t[0]
        t[1]
        t[-1]
        t[1, 2]
        t[1, -1]
        t[:, 1]
        t[:, -1]
        t[0:2]
        t[1:]
        t[:-1]
        t[::2]
        t[1:3, 0:2]
        t[1:3, ::2]
        t[::-1]
        t[:, ::-1]
        t[2:0:-1]
        t[-1:-3:-1, 1]
        t[5:]
        t[2:1]
        t[-10:10]
        t[..., 0]
        t[0, ...]
        t[...]
        t[:]
        t[()]
        t[None]
        t[:, None]
        t[None, ..., None]
        t[..., None, 1]
        t[True]
        t[[0, 2]]
        t[[0, -1]]
        t[[0]]
        t[[2, 1, 0, 0]]
        t[[True, False, True]]
        t[[0, 1], [1, 2]]
        t[[0, 1], 1]
        t[1, [0, 3]]
        t[:, [0, 3]]
        t[[0, 2], :]
        t[[0, 2], 1:3]
        t[[[0, 1], [1, 2]]]
        t[Tensor(1)]
        t[Tensor([0, 2])]
        t[Tensor([0, 2], ms.int32)]
        t[Tensor([[0, 1], [2, 0]])]
        t[Tensor([0, 1]), Tensor([1, 2])]
        t[Tensor([[0], [1]]), Tensor([1, 2])]
        t[Tensor([0, 1]), 2]
        t[:, Tensor([1, 1, 0])]
        t[Tensor([True, False, True])]
        t[Tensor([False, False, False])]
        t[t > 5]
        t[(t % 2) == 0]
        t[t > 100]
        t[:, Tensor([True, False, True, False])]
        t[Tensor([True, False, True]), 1]
        t[Tensor(0):Tensor(2)]
        t[Tensor(1), Tensor(2)]
        t[1][2]
        t[1:][0]
        t[0, 0].shape
        t[(0, 1)]
        t[(slice(0, 2), 1)]
        t[[0, 1], None]
        t[None, [0, 1]]
        t[..., [0, 1]]
    """,
        t=arange(3, 4, dtype="int64"),
    ),
    *each(
        """
        t[0, [0, 1], [0, 1]]
        t[[0, 1], :, [0, 1]]
        t[:, [0, 1], [0, 1]]
        t[[0, 1], [0, 1]]
        t[[0, 1], 0]
        t[0, :, [0, 1]]
        t[[0, 1], :, 0]
        t[[[0, 1]], [[0], [1]]]
        t[1, ..., 2]
        t[..., 2]
        t[:, None, 1]
        t[:, :, 1:3]
        t[::2, ::-1, 1]
        t[Tensor([0, 1]), :, Tensor([0, 1])]
        t[t > 10]
        t[Tensor([[True, False, True], [False, True, False]])]
        t[:, Tensor([True, False, True])]
        t[1, Tensor([True, False, True])]
        t[0:1, [0, 2]]
        t[None, 0, None]
        t[..., None].shape
        t[-1, -1, -1]
        t[0, 1:, [1, 2]]
    """,
        t=arange(2, 3, 4),
    ),
    *each(
        """
        t[3]
        t[-4]
        t[0, 5]
        t[0, 0, 0]
        t[..., ...]
        t[1.0]
        t[Tensor([1.0])]
        t['a']
        t[range(2)]
        t[[]]
        t[False]
        t[[5]]
    """,
        t=arange(3, 4),
        raises=IndexError,
    ),
    Case("Tensor(1)[0]", raises=TypeError),
    Case("t[::0]", t=arange(3), raises=ValueError),
    Case("t[Tensor([True, False])]", t=arange(3), raises=ValueError),
    Case("t[Tensor([5])]", t=arange(3), raises=(RuntimeError, IndexError)),
    Case("Tensor([1])[0][0]", raises=TypeError),
    # gradients through indexing
    *each(
        """
        x[0]
        x[1:, ::2]
        x[:, -1]
        x[[0, 0, 2]]
        x[Tensor([0, 2]), Tensor([1, 1])]
        x[..., None]
        x[x > 0]
        x[::2][0]
    """,
        x=rand(3, 4),
        grad=True,
    ),
    # writing
    *each(
        """
        put(t, 0, 9)
        put(t, -1, 9)
        put(t, (1, 2), 9)
        put(t, (slice(None), 1), 9)
        put(t, slice(0, 2), 9)
        put(t, slice(None, None, 2), 9)
        put(t, (slice(1, None), slice(0, 2)), 9)
        put(t, Ellipsis, 9)
        put(t, (Ellipsis, 0), 9)
        put(t, (0, Ellipsis), 9)
        put(t, slice(None), 9)
        put(t, None, 9)
        put(t, True, 9)
        put(t, [0, 2], 9)
        put(t, [0, -1], 9)
        put(t, [], 9)
        put(t, (slice(None), []), 9)
        put(t, ([0, 1], [1, 2]), 9)
        put(t, (slice(None), [0, 3]), 9)
        put(t, (1, [0, 3]), 9)
        put(t, Tensor(1), 9)
        put(t, Tensor([0, 2]), 9)
        put(t, (Tensor([0, 1]), Tensor([1, 2])), 9)
        put(t, Tensor([True, False, True]), 9)
        put(t, t > 5, 9)
        put(t, t > 100, 9)
        put(t, 0, 2.7)
        put(t, 0, True)
        put(t, 0, Tensor(7))
        put(t, 0, Tensor([7]))
        put(t, 0, Tensor([7.9]))
        put(t, 0, Tensor([1, 2, 3, 4]))
        put(t, 0, [1, 2, 3, 4])
        put(t, 0, (1, 2, 3, 4))
        put(t, slice(0, 2), Tensor([1, 2, 3, 4]))
        put(t, slice(0, 2), Tensor([[1], [2]]))
        put(t, slice(0, 2), Tensor([[1, 2, 3, 4]]))
        put(t, (slice(None), 1), Tensor([1, 2, 3]))
        put(t, (slice(None), 1), [1, 2, 3])
        put(t, [0, 2], Tensor([[1, 2, 3, 4], [5, 6, 7, 8]]))
        put(t, [0, 2], Tensor([1, 2, 3, 4]))
        put(t, ([0, 1], [1, 2]), Tensor([7, 8]))
        put(t, Tensor([True, False, True]), Tensor([1, 2, 3, 4]))
        put(t, (slice(1, 3), slice(1, 3)), Tensor([[1, 2], [3, 4]]))
        put(t, (slice(None), slice(None, None, 2)), Tensor([[1, 2]]))
        put(t, slice(2, 1), 9)
        put(t, Ellipsis, Tensor([1, 2, 3, 4]))
        put(t, [0, 0], Tensor([[1, 1, 1, 1], [2, 2, 2, 2]]))
        put(t, (0, slice(None)), t[1])
        put(t, slice(1, 3), t[0:2].copy())
        steps(t, 't[0][1] = 50')
        steps(t, 't[1:][0] = 50')
        steps(t, 't[0] += 5')
        steps(t, 't[:, 1] *= 2')
        steps(t, 't[t > 5] = 0')
        steps(t, 't[0], t[1] = t[1].copy(), t[0].copy()')
        steps(t, 't[[0, 1]] += 1')
        steps(t, 't[0, 0] = t[2, 3]')
        steps(t, 't[0] = 1', 't[1] = 2', 't[2] = 3')
    """,
        t=arange(3, 4, dtype="int64"),
    ),
    *each(
        """
        put(t, 0, 1.5)
        put(t, 0, True)
        put(t, 0, 3)
        put(t, 0, Tensor([1, 2], ms.int32))
        put(t, 0, Tensor([1.5, 2.5], ms.float64))
        put(t, 0, Tensor([1.5, 2.5], ms.float16))
        put(t, 0, float('nan'))
        put(t, (slice(None), 0), 1.25)
        put(t, t > 1, 0.5)
        put(t, t > 1, Tensor(0.5))
        put(t, Tensor([[True, False], [False, True]]), 0)
        alias(t)
        put_then_source(lambda t: t[0], t, 7)
        put_then_source(lambda t: t[:, 1], t, 7)
        put_then_source(lambda t: t[0:1], t, 7)
        put_then_source(lambda t: t.view(4), t, 7)
        put_then_source(lambda t: t.reshape(4), t, 7)
        put_then_source(lambda t: t.swapaxes(0, 1), t, 7)
        put_then_source(lambda t: t[None][0], t, 7)
    """,
        t=arange(2, 2),
    ),
    *each("""
        put(Tensor([True, False]), 0, False)
        put(Tensor([True, False]), 1, 1)
        put(Tensor([1, 2], ms.uint8), 0, 7)
        put(Tensor([1.0, 2.0], ms.float16), 0, 0.1)
        put(Parameter(Tensor([1.0, 2.0]), name='w'), 0, 5).asnumpy()
        type(put(Parameter(Tensor([1.0, 2.0]), name='w'), 0, 5))
        put(Tensor([0.0, 0.0, 0.0]), Tensor([0, 0]), Tensor([1.0, 2.0]))
        put(Tensor(np.zeros((2, 2, 2)), ms.float32), (0, slice(None), 1), Tensor([1.0, 2.0]))
        put(Tensor(np.zeros((2, 2, 2)), ms.float32), (Ellipsis, 1), Tensor([1.0, 2.0]))
        put(Tensor(np.zeros((2, 2, 2)), ms.float32), ([0, 1], slice(None), [0, 1]), 3)
        put(Tensor(np.zeros((2, 2, 2)), ms.float32), (1, [0, 1]), Tensor([[1.0, 2.0], [3.0, 4.0]]))
    """),
    *each(
        """
        put(t, 5, 1)
        put(t, 'a', 1)
        put(t, (0, 0, 0), 1)
        put(t, 1.0, 1)
    """,
        t=arange(3, 4),
        raises=IndexError,
    ),
    *each(
        """
        put(t, 0, np.array([1.0, 2.0]))
        put(t, 0, None)
    """,
        t=arange(2, 2),
        raises=TypeError,
    ),
    *each(
        """
        put(t, slice(None), Tensor([1.0, 2.0]))
        put(t, 0, [1, 2])
    """,
        t=arange(3, 3),
        raises=ValueError,
    ),
]
