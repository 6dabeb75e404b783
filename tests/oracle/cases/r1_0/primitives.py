"""Primitives that have a CPU kernel in 1.0.0: results, and gradients through GradOperation."""

from tests.oracle.case import Case, bools, each, ints, rand, values
from tests.oracle.cases.r1_0._graph import CallTuple, both, forward, in_graph_mode, run  # noqa: F401  used by the expressions

PAIR = {"x": rand(2, 3), "y": rand(2, 3, low=0.5)}
IMAGE = rand(2, 2, 5, 6)

CASES = [
    *each(
        """
        both(P.TensorAdd(), x, y)
        both(P.Add() if hasattr(P, 'Add') else P.TensorAdd(), x, y)
        both(P.Sub(), x, y)
        both(P.Mul(), x, y)
        both(P.RealDiv(), x, y)
        both(P.Div(), x, y)
        both(P.Pow(), y, y)
        both(P.Maximum(), x, y)
        both(P.Minimum(), x, y)
        run(P.Less(), x, y)
        run(P.LessEqual(), x, y)
        run(P.Greater(), x, y)
        run(P.GreaterEqual(), x, y)
        run(P.Equal(), x, x)
        run(P.NotEqual(), x, y)
        both(P.FloorDiv(), x, y)
        both(P.SquaredDifference(), x, y)
        both(P.TensorAdd(), x, y[0])
        both(P.Mul(), x, y[:, :1])
        both(P.Sub(), x, y[:1])
        both(P.AddN(), x, y)
        both(CallTuple(P.AddN()), x, y)
        both(CallTuple(P.Concat(0)), x, y)
        both(CallTuple(P.Concat(1)), x, y)
        both(CallTuple(P.Concat(-1)), x, y)
        run(CallTuple(P.Pack()), x, y)
        run(CallTuple(P.Pack(1)), x, y)
        run(P.EqualCount(), x.astype(ms.int32) if hasattr(x, 'astype') else x, x)
    """,
        **PAIR,
    ),
    *each(
        """
        both(P.ReLU(), x)
        both(P.ReLU6(), x)
        both(P.Sigmoid(), x)
        both(P.Tanh(), x)
        both(P.Elu(), x)
        both(P.Gelu(), x)
        both(P.Softplus(), x)
        both(P.Softsign(), x)
        both(P.HSwish(), x)
        both(P.HSigmoid(), x)
        both(P.Square(), x)
        both(P.Neg(), x)
        both(P.Abs(), x)
        both(P.Exp(), x)
        both(P.Sign(), x)
        both(P.Floor(), x)
        both(P.Ceil(), x)
        both(P.Round(), x)
        both(P.Sin(), x)
        both(P.Cos(), x)
        both(P.Erf(), x)
        run(P.ZerosLike(), x)
        run(P.OnesLike(), x)
        both(P.Softmax(), x)
        both(P.Softmax(0), x)
        both(P.Softmax((0,)), x)
        both(P.LogSoftmax(), x)
        both(P.LogSoftmax(0), x)
        run(P.Argmax(), x)
        run(P.Argmax(0), x)
        run(P.Argmax(-1, ms.int32), x)
        run(P.Argmin(), x)
        run(P.ArgMaxWithValue(), x)
        run(P.ArgMinWithValue(1), x)
        run(P.ArgMaxWithValue(1, True), x)
        both(P.ReduceMean(), x)
        both(P.ReduceSum(), x)
        both(P.ReduceMax(), x)
        both(P.ReduceMin(), x)
        both(P.ReduceProd(), x)
        both(P.ReduceMean(True), x)
        both(P.ReduceMean(True), x, constants=(0,))
        both(P.ReduceMean(), x, constants=(1,))
        both(P.ReduceSum(keep_dims=True), x, constants=(1,))
        both(P.ReduceSum(), x, constants=(-1,))
        both(P.ReduceSum(), x, constants=((0, 1),))
        both(P.ReduceMax(), x, constants=(0,))
        both(P.ReduceMax(True), x, constants=(1,))
        both(P.Reshape(), x, constants=((3, 2),))
        both(P.Reshape(), x, constants=((-1,),))
        both(P.ExpandDims(), x, constants=(0,))
        both(P.ExpandDims(), x, constants=(-1,))
        both(P.Transpose(), x, constants=((1, 0),))
        both(P.Flatten(), x)
        both(P.Tile(), x, constants=((2, 1),))
        run(P.Shape(), x)
        run(P.Rank(), x)
        run(P.Size(), x)
        run(P.DType(), x)
        both(P.Slice(), x, constants=((0, 1), (2, 2)))
        both(P.Slice(), x, constants=((1, 0), (1, 3)))
        both(P.StridedSlice(), x, constants=((0, 0), (2, 3), (1, 2)))
        both(P.StridedSlice(), x, constants=((0, 1), (1, 3), (1, 1)))
        both(P.StridedSlice(shrink_axis_mask=1), x, constants=((0, 1), (1, 3), (1, 1)))
        both(P.StridedSlice(begin_mask=1, end_mask=2), x, constants=((1, 1), (2, 2), (1, 1)))
        both(P.Identity() if hasattr(P, 'Identity') else P.identity(), x)
        run(P.Cast(), x, constants=(ms.int32,))
        run(P.Cast(), x, constants=(ms.float16,))
        run(P.Cast(), x, constants=(ms.bool_,))
        run(P.Split(1, 3), x)
        run(P.Unpack(), x)
        run(P.Unpack(1), x)
        run(P.TopK(), x, constants=(2,))
        run(P.L2Loss(), x)
        run(P.L2Normalize(), x)
        run(P.L2Normalize(1), x)
        both(P.ReverseV2([0]), x)
        both(P.BroadcastTo((2, 2, 3)), x)
        run(P.IsNan(), x)
        run(P.IsFinite(), x)
        run(P.LogicalNot(), x)
        both(P.Squeeze(), x)
        both(P.Dropout(1.0), x)
        run(P.Fill(), constants=(ms.float32, (2, 2), 1))
        run(P.Eye(), constants=(2, 3, ms.float32))
        run(P.ScalarToArray(), constants=(2.0,))
        run(P.ScalarToTensor(), constants=(2.0,))
        run(P.ScalarToTensor(), constants=(2, ms.int32))
        run(P.TupleToArray(), constants=((1, 2, 3),))
        run(P.InvertPermutation(), constants=((2, 0, 1),))
        run(P.ScalarCast(), constants=(2.5, ms.int32))
        both(P.Pad(((1, 0), (0, 2))), x)
        run(P.MirrorPad(), x, constants=(((1, 0), (0, 2)),))
        both(P.CumSum(), x, constants=(0,))
        both(P.Rsqrt(), x)
        both(P.Reciprocal(), x)
        run(P.Print(), x)
        both(P.Depend(), x, x)
    """,
        x=rand(2, 3),
    ),
    *each(
        """
        both(P.Sqrt(), x)
        both(P.Log(), x)
        both(P.Rsqrt(), x)
        both(P.Reciprocal(), x)
        both(P.Inv(), x)
        both(P.Log1p(), x)
        both(P.Pow(), x, constants=(2.0,))
        both(P.Pow(), x, constants=(0.5,))
        both(P.Mul(), x, constants=(2.0,))
        both(P.TensorAdd(), x, constants=(1,))
        both(P.RealDiv(), x, constants=(4,))
        both(P.Sub(), x, constants=(1.5,))
    """,
        x=rand(2, 3, low=0.25),
    ),
    *each(
        """
        both(P.MatMul(), x, y)
        both(P.MatMul(transpose_a=True), x, x)
        both(P.MatMul(transpose_b=True), x, x)
        both(P.MatMul(True, True), x, y)
        both(P.BatchMatMul(), x, y)
    """,
        x=rand(3, 3),
        y=rand(3, 3),
    ),
    Case("both(P.BatchMatMul(), x, y)", x=rand(2, 3, 4), y=rand(2, 4, 2)),
    Case("both(P.BatchMatMul(transpose_b=True), x, y)", x=rand(2, 3, 4), y=rand(2, 2, 4)),
    Case("both(P.BiasAdd(), x, b)", x=rand(2, 3), b=rand(3)),
    Case("both(P.BiasAdd(), x, b)", x=rand(2, 3, 2, 2), b=rand(3)),
    *each(
        """
        run(P.GatherV2(), x, i, constants=(0,))
        run(P.GatherV2(), x, i, constants=(1,))
        run(P.GatherV2(), x, i, constants=(-1,))
        run(P.GatherNd(), x, i)
        run(P.SparseGatherV2(), x, i, constants=(0,))
        run(P.EmbeddingLookup(), x, i, constants=(0,))
        run(P.EmbeddingLookup(), x, i, constants=(1,))
        both(P.UnsortedSegmentSum(), x, i, constants=(3,))
    """,
        x=rand(3, 3),
        i=ints(2, low=0, high=3),
    ),
    *each(
        """
        run(P.OneHot(), i, on, off, constants=())
        run(P.OneHot(), i, constants=(4, Tensor(1.0, ms.float32), Tensor(0.0, ms.float32)))
        run(P.OneHot(0), i, constants=(4, Tensor(1.0, ms.float32), Tensor(0.0, ms.float32)))
        run(P.OneHot(), i, constants=(3, Tensor(2.0, ms.float32), Tensor(-1.0, ms.float32)))
        run(P.Unique(), i)
        run(P.Cast(), i, constants=(ms.float32,))
        run(P.Cast(), i, constants=(ms.bool_,))
        run(P.TensorAdd(), i, i)
        run(P.Sub(), i, i)
        run(P.Mul(), i, i)
        run(P.Less(), i, i)
        run(P.Equal(), i, i)
        run(P.EqualCount(), i, i)
        run(P.Reshape(), i, constants=((1, -1),))
        run(P.FloorDiv(), i, constants=(2,))
        run(P.Mod(), i, constants=(2,))
        run(P.TensorAdd(), i, constants=(1,))
        run(P.Mul(), i, constants=(3,))
        run(P.Square(), i)
        run(P.Neg(), i)
        run(P.ReduceSum(), i)
        run(P.ReduceMax(), i)
        run(P.ReduceMean(), i)
        run(CallTuple(P.Concat()), i, i)
    """,
        i=ints(5, low=0, high=3),
    ),
    *each(
        """
        both(P.MaxPool(2, 2), x)
        both(P.MaxPool(2, 1), x)
        both(P.MaxPool(3, 2, 'same'), x)
        both(P.MaxPool((2, 3), (1, 2), 'SAME'), x)
        both(P.MaxPool(2, 2, padding='valid'), x)
        both(P.MaxPool(ksize=2, strides=2), x)
        both(P.AvgPool(2, 2), x)
        both(P.AvgPool(3, 2, 'same'), x)
        both(P.AvgPool(ksize=2, strides=1, padding='valid'), x)
        run(P.MaxPoolWithArgmax(2, 2), x)
        both(P.ReduceMean(True), x, constants=((2, 3),))
        both(P.ReduceMean(), x, constants=((2, 3),))
        both(P.Transpose(), x, constants=((0, 2, 3, 1),))
        both(P.Reshape(), x, constants=((2, -1),))
        both(P.Flatten(), x)
        both(P.ResizeNearestNeighbor((3, 3)), x)
        both(P.ResizeBilinear((3, 3)), x)
        both(P.StridedSlice(), x, constants=((0, 0, 1, 1), (2, 2, 4, 5), (1, 1, 1, 2)))
        both(P.Slice(), x, constants=((0, 0, 1, 1), (1, 2, 2, 3)))
        both(P.SpaceToDepth(1), x)
        both(P.LRN(), x)
    """,
        x=IMAGE,
    ),
    *each(
        """
        both(P.Conv2D(3, 2), x, w)
        both(P.Conv2D(3, (2, 2), pad_mode='same'), x, w)
        both(P.Conv2D(3, 2, pad_mode='pad', pad=1), x, w)
        both(P.Conv2D(out_channel=3, kernel_size=2, stride=2), x, w)
        both(P.Conv2D(3, 2, mode=1, pad_mode='valid', pad=0, stride=(1, 1), dilation=1, group=1), x, w)
        both(P.Conv2D(3, 2, dilation=2), x, w)
    """,
        x=IMAGE,
        w=rand(3, 2, 2, 2),
        tolerance=1e-4,  # sums in any order
    ),
    Case("run(P.Conv2DBackpropInput(3, 2), d, w, constants=((2, 2, 5, 6),))", d=rand(2, 3, 4, 5), w=rand(3, 2, 2, 2)),
    Case("run(P.FusedBatchNorm(mode=0), x, *[s] * 4)", x=IMAGE, s=rand(2, low=0.5)),
    Case("run(P.BatchNorm(True), x, *[s] * 4)", x=IMAGE, s=rand(2, low=0.5)),
    Case("run(P.LayerNorm(), x, s, s)", x=rand(2, 3), s=rand(3)),
    Case("run(P.SoftmaxCrossEntropyWithLogits(), x, y)", x=rand(2, 3), y=values([1, 0, 0], [0, 0, 1])),
    Case("both(P.SparseSoftmaxCrossEntropyWithLogits(), x, y)", x=rand(2, 3), y=ints(2, low=0, high=3)),
    Case("run(P.SparseSoftmaxCrossEntropyWithLogits(), x, y)", x=rand(4, 3), y=ints(4, low=0, high=3)),
    Case("run(P.SparseSoftmaxCrossEntropyWithLogits(is_grad=True), x, y)", x=rand(4, 3), y=ints(4, low=0, high=3)),
    Case("run(P.SmoothL1Loss(), x, y)", x=rand(4, 3), y=rand(4, 3)),
    Case("run(P.SmoothL1Loss(0.5), x, y)", x=rand(4, 3), y=rand(4, 3)),
    Case("run(P.SigmoidCrossEntropyWithLogits(), x, y)", x=rand(4, 3), y=rand(4, 3)),
    Case("run(P.BinaryCrossEntropy(), x, y, w)", x=rand(4, low=0.1, high=0.9), y=rand(4, low=0.1, high=0.9), w=rand(4)),
    Case("run(P.KLDivLoss(), x, y)", x=rand(4), y=rand(4, low=0.1, high=0.9)),
    Case("run(P.PReLU(), x, w)", x=rand(2, 3), w=rand(3)),
    Case("run(P.Select(), c, x, y)", c=bools(2, 3), x=rand(2, 3), y=rand(2, 3)),
    Case("run(P.LogicalAnd(), c, d)", c=bools(2, 3), d=bools(2, 3)),
    Case("run(P.LogicalOr(), c, d)", c=bools(2, 3), d=bools(2, 3)),
    Case("run(P.LogicalNot(), c)", c=bools(2, 3)),
    Case("run(P.ScatterNd(), i, x, constants=((4, 3),))", i=values([0], [2], dtype="int32"), x=rand(2, 3)),
    *each(
        """
        repr(P.ReLU())
        str(P.Conv2D(3, 3))
        repr(P.MaxPool(2, 2))
        repr(P.Concat(1))
        repr(P.ReduceMean())
        repr(P.MatMul(transpose_b=True))
        repr(P.Softmax())
        repr(P.Dropout())
        repr(P.TopK())
        P.ReLU().name
        P.TensorAdd().name
        P.GatherV2().name
        P.Gelu().name
        P.Pack().name
        P.Unpack().name
        P.Identity().name if hasattr(P, 'Identity') else P.identity().name
        P.Conv2D(3, 3).stride
        P.Conv2D(3, 3).pad_mode
        P.Conv2D(3, 3).kernel_size
        P.MaxPool(2, 2).ksize
        P.MaxPool(2, 2).strides
        P.Concat(1).axis
        P.ReduceMean().keep_dims
        P.Softmax().axis
        P.Dropout().keep_prob
        P.TopK().sorted
        P.OneHot().axis
        P.TensorAdd is getattr(P, 'Add', P.TensorAdd)
    """
    ),
]
