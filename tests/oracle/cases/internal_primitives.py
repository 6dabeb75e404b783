"""Primitives that MindSpore keeps for its own modules, and which libraries import."""

from mindspore.ops.operations import _inner_ops as I  # noqa: F401  used by the expressions

from tests.oracle.case import Case, each, ints, rand

CASES = [
    *each(
        """
        I.bit_and(6, 3)
        I.bit_or(6, 3)
        I.string_getitem('abc', 1)
        I.string_getitem('abc', -1)
        I.string_mul('ab', 2)
        I.string_mul('ab', 0)
        I.SliceGetItem()(slice(1, 2, 3), 'stop')
        I.SliceGetItem()(slice(None, 2), 'start')
        I.IsInstance()(3, ms.int64)
        I.IsInstance()(1.5, ms.float32)
        I.IsInstance()(1.5, ms.float64)
        I.IsInstance()(True, ms.bool_)
        I.IsInstance()('a', ms.string)
        I.IsInstance()(1, ms.number)
        I.IsInstance()([1], ms.list_)
        I.IsInstance()((1,), ms.tuple_)
        I.IsInstance()([1], ms.number)
        I.IsSubClass()(ms.float32, ms.float_)
        I.IsSubClass()(ms.bool_, ms.number)
        I.IsSubClass()(ms.uint8, ms.int_)
        I.IsSubClass()(ms.int32, ms.int64)
        I.issubclass_(ms.int32, ms.int_)
        I.IsParameter()(3)
        I.TopTypeof()((1,))
        I.TopTypeof()([1])
        I.TopTypeof()(1)
        I.TopTypeof()(True)
        I.TopTypeof()(1.5)
        str(I.TopTypeof()('a'))
        I.IsConstant()(3)
        I.IsConstant()(None)
        I.Format()('a{}b{}', 1, 2)
        I.Format()('{}-{:.2f}', 'a', 1.5)
        I.TileSize()((2, 3), (4, 6), 2)
        I.TileSize()((2, 3), (2, 3), 3)
        repr(I.IsConstant())
        I.DynamicBroadcastGradientArgs()(Tensor([4, 2, 1]), Tensor([2, 7]))
        I.DynamicBroadcastGradientArgs()(Tensor([3]), Tensor([3]))
        I.DynamicBroadcastGradientArgs()(Tensor([2, 1, 3]), Tensor([5, 1]))
        """
    ),
    *each(
        """
        I.IsInstance()(x, ms.tensor_type)
        I.IsInstance()(x, ms.float32)
        I.IsParameter()(Parameter(x))
        I.IsParameter()(x)
        I.SameTypeShape()(x, x + 1)
        I.same_type_shape_(x, x)
        I.MixedPrecisionCast()(ms.float16, x)
        I.MixedPrecisionCast()(ms.float16, (x, (x, 1.5)))
        I.GetGrad()(((0, x), (1, x + 1)), 1)
        I.GetGrad()(((0, x), ('w', x + 1)), Parameter(x, name='w'))
        I.ConvertToDynamic()(x)
        I.ConvertToDynamic(True)(x)
        I.DynamicBroadcastTo()(x, (2, 2, 3))
        I.DynamicBroadcastTo()(x, Tensor([1, 2, 3]))
        I.ClipByNorm()(x, Tensor([1.0]))
        I.ClipByNorm()(x, Tensor(100.0))
        I.CopyWithSlice()(x, x + 1)
        I.TensorCopySlices()(x, x[:1] + 5, (1,), (2,), (1,))
        I.TensorCopySlices()(x, x + 5, (0,), (2,), (1,))
        I.SelectView()(x, 1, 0)
        I.SelectView()(x, 2, 1)
        I.SiLU()(x)
        """,
        x=rand(2, 3),
    ),
    Case("I.CopyWithSlice()(x, y)", x=rand(3), y=rand(3)),
    Case("I.SiLU()(x)", x=rand(4)),
    Case(
        "I.DynamicStitch()([Tensor([0, 2], ms.int32), Tensor([1], ms.int32)], [x, y])",
        x=ints(2, 2),
        y=ints(1, 2),
    ),
    Case(
        "I.DynamicStitch()([Tensor([3], ms.int32), Tensor([[0, 1], [2, 3]], ms.int32)], [x[:1], x[1:].view(2, 2, 2)])",
        x=ints(5, 2),
    ),
    *each(
        """
        I.SameTypeShape()(x, x[0])
        I.check_bprop((x,), (x[0],))
        I.CheckBprop('a')((x,), (x, x))
        """,
        x=rand(2, 3),
        raises=ValueError,
    ),
    *each(
        """
        I.SameTypeShape()(x, x > 0)
        I.SameTypeShape()(1, x)
        I.check_bprop((x,), (x > 0,))
        I.CheckBprop('a')(1, (x, x))
        I.GetGrad()(((0, x),), 'a')
        I.IsSubClass()(3, ms.int_)
        I.IsInstance()(1, 3)
        I.SliceGetItem()(3, 'start')
        I.ClipByNorm(1.5)
        I.Quant(1, 0.0)
        I.StackPop(1, 2)
        """,
        x=rand(2, 3),
        raises=TypeError,
    ),
    Case("I.SliceGetItem()(slice(1, 2), 'x')", raises=AttributeError),
    Case("I.GetGrad()(((0, x),), 3)", x=rand(2), raises=RuntimeError),
    Case("I.Quant(1.0, 0.0, False, 'X')", raises=ValueError, says="round_mode"),
    Case("I.DynamicBroadcastTo()(x, (4, 3))", x=rand(2, 1), raises=ValueError),
]
