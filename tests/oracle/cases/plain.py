"""Operators on Python's numbers, tuples and lists, as primitives."""

from mindspore.ops.operations import _scalar_ops as numbers  # noqa: F401  used by the expressions
from mindspore.ops.operations import _sequence_ops as lists  # noqa: F401

from tests.oracle.case import Case, each, rand

BINARY = ["Add", "Div", "Eq", "FloorDiv", "Ge", "Gt", "Le", "Lt", "Max", "Min", "Mod", "Mul", "Pow", "Sub"]
ORDER = ["equal", "greater_equal", "greater_than", "le", "lt"]

CASES = [
    *[Case(f"numbers.Scalar{name}()({pair})") for name in BINARY for pair in ("7, 2", "-1.5, 2")],
    *[Case(f"numbers.Scalar{name}()(7, 0)", raises=ValueError) for name in ("Div", "FloorDiv", "Mod")],
    *[Case(f"numbers.Scalar{name}()({x})") for name in ("Bool", "Log", "Uadd", "Usub") for x in (2.5, 3)],
    *[Case(f"numbers.bit_{name}()({pair})") for name in ("and", "or") for pair in ("6, 3", "True, False")],
    *each("numbers.bool_not()(6)\nnumbers.bool_not()(False)\nrepr(numbers.ScalarAdd())"),
    Case("numbers.ScalarLog()(0)", raises=ValueError),
    Case("numbers.ScalarAdd()('a', 1)", raises=TypeError),
    Case("numbers.ScalarAdd('a')", raises=TypeError),
    Case("numbers.ScalarAdd()(2, x)", x=rand(2, 3)),
    *[Case(f"lists.tuple_{name}()({pair})") for name in ORDER for pair in ("(1, 2), (1, 3)", "(4,), (4,)")],
    *[Case(f"lists.list_{name}()({pair})") for name in ORDER for pair in ("[1, 2], [1, 3]", "[4], [4]")],
    *each(
        """
        lists.InSequence()(1, (1, 2))
        lists.InSequence()(3, [1, 2])
        lists.ListAppend()([1, 2], 3)
        lists.ListAppend()([1.5], 2.5)
        lists.ListInsert()([1, 2], 0, 3)
        lists.ListInsert()([1, 2], -1, 3)
        lists.ListInsert()([1, 2], 5, 3)
        lists.ListAppendAndInsertGrad()([1, 2, 3], -1)
        lists.ListAppendAndInsertGrad()([1, 2, 3], 1)
        lists.ListToTensor()([1, 2], ms.int64)
        lists.ListToTensor()([1, 2.5], ms.float32)
        lists.TupleToTensor()((1, 2.5), ms.float32)
        lists.TupleToTensor()(range(3), ms.int64)
        lists.TupleToTensor()([1, 2], ms.int64)
        lists.SequenceAdd()((1,), (2, 3))
        lists.SequenceAdd()([1], [])
        lists.SequenceCount()((1, 2, 1), 1)
        lists.SequenceCount()([1, 2], 5)
        lists.SequenceIndex()((1, 2, 1), 1, 0, 3)
        lists.SequenceIndex()((1, 2, 1), 1, 1, 3)
        lists.SequenceMax()((1, 3))
        lists.SequenceMax()([1.5, 0.5])
        lists.SequenceMin()((1, 3))
        lists.SequenceMin()([1.5, 0.5])
        lists.SequenceMul()((1, 2), 2)
        lists.SequenceMul()([1], 0)
        lists.SequenceSlice()((1, 2, 3), 0, 2, 1)
        lists.SequenceSlice()([1, 2, 3], 2, 0, -1)
        lists.SequenceZerosLike()((1, 2))
        lists.SequenceZerosLike()((1.5, True))
        list(lists.make_range()(0, 5, 2))
        list(lists.make_range()(5, 0, -2))
        lists.sequence_len()([1])
        lists.sequence_len()((1, 2))
        lists.shape_mul()((2, 3))
        lists.shape_mul()(())
        repr(lists.SequenceStack(1))
        """
    ),
    *each(
        """
        lists.TensorToTuple()(x)
        lists.TensorToTuple()(x[:1])
        lists.TensorToTuple()(2)
        lists.TensorToList()(x)
        lists.TensorToList()(x[0])
        lists.TensorToScalar()(x[0])
        lists.TensorToScalar()(x[:1])
        lists.TensorToScalar()(x)
        lists.SequenceZerosLike()([x, x])
        """,
        x=rand(3),
    ),
    *each("lists.TensorToTuple()(x)\nlists.TensorToList()(x)", x=rand(2, 2)),
    Case("lists.ListAppend()([1], 2.5)", raises=TypeError),
    Case("lists.ListToTensor()((1, 2), ms.int64)", raises=RuntimeError),
    Case("lists.SequenceAdd()((1,), [2])", raises=TypeError),
    Case("lists.SequenceAdd()((1,))", raises=TypeError),
    Case("lists.SequenceIndex()((1, 2, 1), 7, 0, 3)", raises=ValueError),
    Case("lists.SequenceIndex()((1, 2), 2)", raises=TypeError),
    Case("lists.SequenceStack('a')", raises=TypeError, says="axis"),
    Case("lists.TensorToTuple()(x[0])", x=rand(3), raises=TypeError),
    Case("lists.shape_mul()([2, 3])", raises=ValueError),
]
