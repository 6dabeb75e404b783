"""What a tensor says about itself, and how it becomes a Python or numpy value."""

from mindspore import Tensor

from tests.oracle.case import Case, arange, each, values

EXACT = True


def augmented(t: Tensor, statement: str) -> tuple:
    """Run `t += 1` or its like: what `t` is then, what another name shows, whether they are the same object."""
    scope = {"t": t, "u": t}
    exec(statement, scope)
    return scope["t"], scope["u"], scope["t"] is scope["u"]


def copied_into(t: Tensor, source: Tensor) -> Tensor:
    t.copy_(source)
    return t


CASES = [
    *each(
        """
        t.shape, t.size, t.ndim, t.itemsize, t.nbytes, t.strides, t.dtype
        type(t.shape)
        t.T
        t.dim(), t.numel(), len(t), t.nelement()
        t.tolist()
        t.asnumpy()
        t.numpy()
        t.flatten().shape
        t.device
        t.has_init
        t.is_contiguous()
        t.transpose().is_contiguous()
        t.stride()
        t.is_floating_point(), t.is_complex(), t.is_signed()
    """,
        t=arange(2, 3),
    ),
    *each(
        """
        t.shape, t.size, t.ndim, t.nbytes, t.strides, t.dtype
        t.tolist()
        t.item()
        t.numpy()
    """,
        t=values(5, dtype="int64"),
    ),
    *each("""
        Tensor(2).tolist(), Tensor(2.5).item(), Tensor([True]).item(), Tensor([[3]]).item()
        Tensor(1.5).shape, Tensor(1.5).size, Tensor(1.5).ndim
        Tensor(np.zeros((0, 3))).size, Tensor(np.zeros((0, 3))).shape, len(Tensor(np.zeros((0, 3))))
        Tensor([1.0], ms.bfloat16).itemsize, Tensor([1.0], ms.bfloat16).nbytes
        Tensor([1], ms.int8).itemsize, Tensor([1.0], ms.float64).nbytes, Tensor([True]).nbytes
        bool(Tensor([1])), int(Tensor(2)), float(Tensor([1.5])), [0, 1, 2][Tensor(1)]
        int(Tensor(2.7)), float(Tensor(3)), bool(Tensor(0.0)), complex(Tensor(1.5))
        round(Tensor(2.5).item()), int(Tensor([True]))
        1 in Tensor([1, 2]), 3 in Tensor([1, 2])
        list(Tensor([1, 2]))
        [row.shape for row in Tensor([[1, 2], [3, 4]])]
        (lambda a, b: a + b)(*Tensor([1, 2]))
        max(Tensor([1, 5, 2])), sorted(Tensor([3, 1, 2]))
        sum(Tensor([1, 2, 3]))
        Tensor([1, 2]) == None, Tensor([1, 2]) != None
        Tensor([1, 2]) == 'a', Tensor([1, 2]) != 'a'
        Tensor([1, 2]) == [1, 3]
        Tensor([1, 2]) == (1, 2)
        Tensor([1, 2]) is None
        np.sum(Tensor([1, 2]).asnumpy())
        np.array(Tensor([1, 2]))
        np.asarray(Tensor([1.5]))
        np.add(Tensor([1, 2]).asnumpy(), 1)
        np.ones(2) + Tensor([1.0, 2.0])
        type(np.ones(2) + Tensor([1.0, 2.0]))
        [1.0, 2.0] + Tensor([1.0, 2.0])
        Tensor([1.0, 2.0]) + [1.0, 2.0]
        Tensor([1, 2]).astype(ms.float16), Tensor([1, 2]).astype('float32'), Tensor([1.5]).astype(ms.int32)
        Tensor([-1.5, 1.5]).astype(ms.int32)
        Tensor([0.0, 2.0]).astype(ms.bool_)
        Tensor([0, 2]).astype('bool_')
        Tensor([1.5]).astype('int64'), Tensor([1.5]).astype('float64'), Tensor([1]).astype('half')
        Tensor([1, 2]).to(ms.float32)
        Tensor([1, 2]).float(), Tensor([1.5]).int(), Tensor([1.5]).long(), Tensor([0, 1]).bool(), Tensor([1]).half()
        Tensor([300, -1]).astype(ms.uint8)
        Tensor([1.0, 2.0]).type(ms.int32)
        Tensor([1.0]).type_as(Tensor([1]))
        Tensor([1, 2]).copy()
        Tensor([1, 2]).value()
        Tensor([5, 6]).itemset(0, 7)
        Tensor([[1, 2], [3, 4]]).itemset((0, 1), 9)
        isinstance(Tensor([1]), ms.Tensor), isinstance(Parameter(Tensor([1.0])), Tensor)
        len({Tensor([1]): 1, Tensor([2]): 2})
        ms.is_tensor(Tensor([1]))
        ops.shape(Tensor([[1, 2]])), ops.size(Tensor([1, 2])), ops.rank(Tensor([[1]])), ops.dtype(Tensor([1]))
        ops.is_tensor(1)
        abs(Tensor([-1, 2])), +Tensor([1]), -Tensor([1.5]), ~Tensor([True, False])
        divmod(7, 2), Tensor([7]) // 2, Tensor([7]) % 2
        Tensor([1, 2]) @ Tensor([3, 4])
        Tensor([[1.0, 2.0]]) @ Tensor([[3.0], [4.0]])
        2 ** Tensor([1.0, 2.0]), 7 // Tensor([2, 3]), 7 % Tensor([2, 3]), 1 - Tensor([1, 2]), 1 / Tensor([2.0, 4.0])
        Tensor([1, 2]) & Tensor([1, 1]), Tensor([1, 2]) | Tensor([1, 1]), Tensor([1, 2]) ^ Tensor([3, 3])
        Tensor([True, False]) & True, Tensor([True, False]) | Tensor([False, False]), Tensor([True]) ^ True
    """),
    # `t += x` makes a new tensor
    *each(
        """
        augmented(t, 't += 1')
        augmented(t, 't -= 1')
        augmented(t, 't *= 2')
        augmented(t, 't /= 2')
        augmented(t, 't //= 2')
        augmented(t, 't **= 2')
        augmented(t, 't %= 2')
        type(augmented(Parameter(t, name='w'), 't += 1')[0])
        augmented(Parameter(t, name='w'), 't += 1')[1].asnumpy()
    """,
        t=arange(3),
    ),
    # Left out: add_, mul_ and their like, which the CPU build of 2.10 computes without writing.
    Case("copied_into(t, t * 3)", t=arange(3)),
    Case("augmented(Tensor([1]), 't += 1.5')"),
    Case("int(Tensor([1, 2]))", raises=ValueError, says="one element"),
    Case("bool(Tensor([1, 2]))", raises=ValueError, says="one element"),
    Case("Tensor([1, 2]).item()", raises=ValueError, says="one element"),
    Case("len(Tensor(1))", raises=TypeError, says="0-"),
    Case("list(Tensor(1))", raises=TypeError, says="0-d"),
    Case("Tensor([1]).size()", raises=TypeError, says="not callable"),
    Case("Tensor([1]).foo", raises=AttributeError, says="'foo'"),
    Case("Tensor([1, 2]) == Tensor([1, 2, 3])", raises=ValueError),
    Case("Tensor([1, 2]) + np.array([1, 2])", raises=TypeError),
    Case("Tensor([1, 2]) + None", raises=TypeError),
    Case("Tensor([1, 2]) + 'a'", raises=TypeError),
    Case("Tensor([1]).astype('foo')", raises=TypeError, says="foo"),
    Case("Tensor([1]).astype(3)", raises=TypeError),
    Case("Tensor([1])()", raises=TypeError, says="not callable"),
    Case("Tensor([1]).grad", raises=AttributeError, says="grad"),
    Case("Tensor([1]).backward()", raises=AttributeError, says="backward"),
]
