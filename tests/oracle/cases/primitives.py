"""Primitive classes, the way r1.x scripts call them: made once with attributes, then applied."""

from mindspore import Tensor
from mindspore.ops import composite as C
from mindspore.ops import functional as F  # noqa: F401  used by the expressions
from mindspore.ops import operations as P  # noqa: F401

from tests.oracle.case import Case, each, rand

add_all = C.MultitypeFuncGraph("add_all")


@add_all.register("Tensor", "Tensor")
def _add_tensors(x: Tensor, y: Tensor) -> Tensor:
    return x + y


@add_all.register("Number", "Number")
def _add_numbers(x: float, y: float) -> float:
    return x + y


@add_all.register("Number", "Tensor")
def _scale(x: float, y: Tensor) -> Tensor:
    return y * x


def double(x: Tensor) -> Tensor:
    return x * 2


def plus(x: Tensor, y: Tensor) -> Tensor:
    return x + y


CASES = [
    # the most used ones of public scripts
    *each(
        """
        P.Cast()(x, ms.float16)
        P.Reshape()(x, (3, 2))
        P.Concat(axis=1)((x, x))
        P.Shape()(x)
        P.ReduceSum(keep_dims=False)(x, 1)
        P.ExpandDims()(x, -1)
        P.Transpose()(x, (1, 0))
        P.MatMul(transpose_b=True)(x, x)
        P.ReduceMean(keep_dims=True)(x, 1)
        P.Mul()(x, x)
        P.Squeeze(axis=0)(x[:1])
        P.ReLU()(x)
        P.OneHot(axis=-1)(Tensor([0, 1], ms.int32), 3, Tensor(1.0), Tensor(0.0))
        P.Add()(x, x)
        P.TensorAdd()(x, 1.0)
        P.Tile()(x, (2, 1))
        P.Select()(x > 0, x, -x)
        P.DType()(x)
        P.Fill()(ms.float32, (2, 2), 1.5)
        P.Fill()(ms.int32, (3,), 7)
        P.Split(axis=1, output_num=3)(x)
        P.BatchMatMul()(x[None], x.T[None])
        P.Sigmoid()(x)
        P.Greater()(x, 0)
        P.ArgMaxWithValue(axis=1)(x)
        P.ArgMaxWithValue(1, keep_dims=True)(x)
        P.Sub()(x, 1)
        P.Equal()(x, x)
        P.GatherNd()(x, Tensor([[0, 1], [1, 2]], ms.int32))
        P.Gather()(x, Tensor([0, 2], ms.int32), 1)
        P.Log()(x * x + 1)
        P.Softmax(axis=1)(x)
        P.ZerosLike()(x)
        P.OnesLike()(x)
        P.RealDiv()(x, Tensor(2.0))
        P.Reciprocal()(x + 5)
        P.TopK(sorted=True)(x, 2)
        P.LogicalAnd()(x > 0, x < 1)
        P.LogicalOr()(x > 0, x < -1)
        P.LogicalNot()(x > 0)
        P.Minimum()(x, 0.5)
        P.Maximum()(x, Tensor(0.5))
        P.LessEqual()(x, 0.5)
        P.Exp()(x)
        P.LogSoftmax(axis=-1)(x)
        P.Square()(x)
        P.ReduceMax(keep_dims=True)(x, 0)
        P.ReduceMin()(x, (0, 1))
        P.ReduceProd()(x, 0)
        P.Pow()(x, 2)
        P.NotEqual()(x, 0)
        P.Sqrt()(x * x)
        P.Flatten()(x[None])
        P.Argmax(axis=1)(x)
        P.Argmax(axis=-1, output_type=ms.int32)(x)
        P.Argmin(axis=0)(x)
        P.StridedSlice()(x, (0, 0), (2, 2), (1, 1))
        P.StridedSlice(begin_mask=1, end_mask=2)(x, (1, 0), (2, 1), (1, 1))
        P.Zeros()((2, 3), ms.float32)
        P.Ones()((2,), ms.int32)
        P.Neg()(x)
        P.BiasAdd()(x, Tensor([1.0, 2.0, 3.0]))
        P.GreaterEqual()(x, 0)
        P.Less()(x, 0)
        P.Slice()(x, (0, 1), (2, 2))
        P.Stack(axis=0)((x, x))
        P.Unstack(axis=0)(x)
        P.SmoothL1Loss(beta=0.5)(x, x * 0)
        P.AddN()((x, x, x))
        P.Abs()(x)
        P.Tanh()(x)
        P.Sign()(x)
        P.Floor()(x)
        P.Round()(x)
        P.Ceil()(x)
        P.Cos()(x)
        P.Sin()(x)
        P.Erf()(x)
        P.Size()(x)
        P.Rank()(x)
        P.Identity()(x)
        P.identity()(x)
        P.identity()((x, 3))
        P.IsFinite()(x)
        P.IsNan()(x)
        P.IsInf()(x)
        P.CumSum()(x, 1)
        P.ReduceAll()(x > -9, 1)
        P.ReduceAny(True)(x > 9, 1)
        P.ReverseV2(axis=[1])(x)
        P.Sort(axis=1)(x)
        P.ScalarToTensor()(3, ms.float32)
        P.TupleToArray()((1, 2, 3))
        P.TensorScatterUpdate()(x, Tensor([[0, 0]]), Tensor([9.0]))
        P.ScatterNd()(Tensor([[0], [2]]), Tensor([1.0, 2.0]), (4,))
        P.GatherD()(x, 1, Tensor([[0], [2]]))
        P.BroadcastTo((2, 2, 3))(x)
        P.MaskedFill()(x, x > 0, 0.0)
        P.MaskedSelect()(x, x > 0)
        P.SquaredDifference()(x, x + 1)
        P.L2Normalize(axis=1)(x)
        P.LayerNorm()(x, Tensor([1.0, 1.0, 1.0]), Tensor([0.0, 0.0, 0.0]))[0]
        P.Dropout(1.0)(x)
        P.Eye()(2, 3, ms.float32)
        P.LinSpace()(Tensor(0.0), Tensor(1.0), 3)
        P.Range()(Tensor(0), Tensor(3), Tensor(1))
        P.Meshgrid()((Tensor([1, 2]), Tensor([3, 4, 5])))
        P.InvertPermutation()((1, 0, 2))
        P.UnsortedSegmentSum()(x, Tensor([1, 0], ms.int32), 2)
        P.FloorDiv()(x, 0.5)
        P.FloorMod()(x, 0.75)
        P.Mod()(x, 0.75)
        P.Div()(x, 2)
        P.DivNoNan()(x, x * 0)
        P.Atan2()(x, x + 3)
        P.Asin()(x / 4)
        P.ACos()(x / 4)
        P.Rsqrt()(x * x + 1)
        P.Log1p()(x * x)
        P.Softplus()(x)
        P.Elu()(x)
        P.ReLU6()(x * 4)
        P.GeLU()(x)
        P.HSwish()(x)
        P.Mish()(x)
        P.Diag()(x[0])
        P.DiagPart()(x[:, :2])
        P.Unique()(Tensor([1, 2, 1]))
        P.InplaceAdd((0,))(x, x[:1])
        P.NMSWithMask(0.5)(Tensor([[0.0, 0.0, 2.0, 2.0, 0.9], [0.0, 0.0, 2.0, 2.1, 0.8], [5.0, 5.0, 6.0, 6.0, 0.7]]))
        P.SigmoidCrossEntropyWithLogits()(x, x * 0)
        P.BinaryCrossEntropy('mean')(ops.sigmoid(x), ops.ones_like(x), ops.ones_like(x))
        P.ResizeBilinearV2()(x[None, None], (4, 6))
        P.ResizeNearestNeighbor((4, 6))(x[None, None])
        P.Depend()(x, x + 1)
    """,
        x=rand(2, 3),
    ),
    # less common ones
    *each(
        """
        P.BoundingBoxDecode(max_shape=(10, 10))(Tensor([[0.0, 1.0, 4.0, 5.0]]), Tensor([[0.1, 0.2, 0.1, 0.0]]))
        P.BoundingBoxEncode()(Tensor([[0.0, 1.0, 4.0, 5.0]]), Tensor([[1.0, 1.0, 5.0, 6.0]]))
        P.ROIAlign(2, 2, 1.0, 2)(x[None, None], Tensor([[0.0, 0.0, 0.0, 2.0, 1.0]]))
        P.CropAndResize()(x[None, :, :, None], Tensor([[0.0, 0.0, 1.0, 1.0]]), Tensor([0], ms.int32), (2, 2))
        P.CropAndResize('bilinear_v2')(x[None, ..., None], Tensor([[0, 0.1, 0.6, 0.9]]), Tensor([0], ms.int32), (3, 4))
        P.CropAndResize('bilinear_v2')(x[None, ..., None], Tensor([[0.9, 0.5, 0.2, 1]]), Tensor([0], ms.int32), (3, 2))
        P.CropAndResize('bilinear_v2', 9.0)(x[None, ..., None], Tensor([[-1, 0, 1, 2.]]), Tensor([0], ms.int32), (2, 4))
        P.ReverseSequence(1)(x, Tensor([2, 3]))
        P.CheckValid()(Tensor([[0.0, 0.0, 4.0, 4.0], [-1.0, 0.0, 9.0, 4.0]]), Tensor([8.0, 8.0, 1.0]))
        P.MaxPool3D(2, 1)(x.reshape(1, 1, 1, 2, 3).tile((1, 1, 2, 1, 1)))
        P.Conv3D(1, 1)(x.reshape(1, 1, 1, 2, 3), Tensor(np.full((1, 1, 1, 1, 1), 2.0), ms.float32))
        P.AdaptiveAvgPool2D((1, 2))(x[None, None])
        P.MaxPoolWithArgmax(2, 1)(x[None, None])
        P.ScatterNdAdd()(ms.Parameter(x, name='p'), Tensor([[0, 0]]), Tensor([5.0]))
        P.StandardNormal()((2, 3)).shape
        P.UniformReal()((2, 3)).shape
        P.StandardLaplace()((2, 3)).shape
        P.RandomChoiceWithMask(2)(x > -9)[0].shape
        P.TrilIndices(2, 3)()
        P.Hypot()(x, x)
        P.Real()(x.astype(ms.complex64))
        P.Tril()(x), P.Triu(1)(x)
        P.Ger()(x[0], x[1])
        P.MatrixDeterminant()(x[:, :2])
        P.UnravelIndex()(Tensor([5]), Tensor([2, 3]))
        P.Addcmul()(x, x, x, Tensor(2.0))
        P.Acosh()(x * x + 1)
        P.Asinh()(x)
        P.Trunc()(x)
        P.LogicalXor()(x > 0, x < 1)
        P.NonZero()(x)
        P.Lgamma()(x * x + 1)
        P.Erfinv()(x / 4)
        P.Angle()(x.astype(ms.complex64))
        P.SearchSorted()(Tensor([[0.0, 1.0, 2.0]]), Tensor([[0.5, 1.0]]))
        P.FillDiagonal(9.0)(x)
        P.ScalarSummary() is not None, P.ImageSummary() is not None
        P.HookBackward(lambda g: g)(x)
        P.SpaceToDepth(2)(x.reshape(1, 1, 2, 3)[:, :, :, :2])
        P.ResizeBilinearV2(align_corners=True)(x[None, None], (3, 5))
        P.ResizeBilinearV2(half_pixel_centers=True)(x[None, None], (1, 5))
        P.UnsortedSegmentMax()(x, Tensor([1, 0], ms.int32), 2)
        P.CumProd()(x, 1)
        P.Lerp()(x, x + 1, Tensor(0.5))
        P.IndexAdd(0)(ms.Parameter(x, name='p'), Tensor([1], ms.int32), x[:1])
        P.Einsum('ij->ji') is not None
        P.LessEqual()(x, x), P.ApproximateEqual(0.1)(x, x + 0.05)
        P.HSigmoid()(x), P.SeLU()(x), P.Softsign()(x), P.Tan()(x)
        P.Atan()(x), P.Sinh()(x), P.Cosh()(x), P.Atanh()(x / 4)
        P.Padding(3)(x[:, :1])
        P.Bernoulli()(x * 0 + 1, Tensor([1.0])).dtype
        P.Multinomial()(x * x + 1, 2).shape
    """,
        x=rand(2, 3),
    ),
    *each("""
        F.scalar_add(1, 2), F.scalar_mul(2, 3), F.scalar_sub(5, 3), F.scalar_div(6, 3)
        F.tensor_pow(Tensor([2.0]), 2), F.tensor_mul(Tensor([2.0]), 3), F.tensor_sub(Tensor([2.0]), 1)
        F.tensor_lt(Tensor([2.0]), 1), F.tensor_ge(Tensor([2.0]), 1)
        F.tensor_floordiv(Tensor([7]), 2), F.tensor_mod(Tensor([7]), 4), F.tensor_div(Tensor([7.0]), 2)
        F.assign(ms.Parameter(Tensor([1.0]), name='p'), Tensor([2.0]))
        F.logical_and(Tensor([True]), Tensor([False])), F.logical_not(Tensor([True]))
        F.sqrt(Tensor([4.0])), F.square(Tensor([3.0])), F.exp(Tensor([0.0])), F.reduce_sum(Tensor([1.0, 2.0]))
        F.gather(Tensor([1.0, 2.0]), Tensor([1]), 0), F.tile(Tensor([1.0]), (2,)), F.fill(ms.float32, (2,), 1)
        ops.constexpr(len)((1, 2, 3))
        ops.inv(Tensor([2.0, 4.0])), ops.randint_like(Tensor([1, 2]), 0, 2).shape
        ops.renorm(Tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0)
        ops.blackman_window(Tensor(5)), ops.bartlett_window(Tensor(4))
        ops.fold(Tensor(np.ones((1, 4, 4)), ms.float32), Tensor([3, 3], ms.int32), [2, 2])
        ops.dropout3d(Tensor(np.ones((1, 1, 1, 1, 2)), ms.float32), p=0.0)
        ops.multinomial(Tensor([0.0, 1.0]), 2)
    """),
    *each(
        """
        P.ApplyMomentum()(ms.Parameter(x, name='v'), ms.Parameter(x * 0, name='a'), 0.1, x, 0.9)
        P.SGD()(ms.Parameter(x, name='p'), x, Tensor(0.1), x * 0, Tensor(0.9), x * 0 + 1)
    """,
        x=rand(2, 3),
    ),
    # attributes
    *each("""
        P.ReduceSum(True).keep_dims, P.Concat(2).axis, P.Split(1, 2).output_num
        P.MatMul(transpose_b=True).transpose_b
        P.Conv2D(3, 2).out_channel, P.Conv2D(3, 2).kernel_size, P.Conv2D(3, 2).pad_mode
        P.ReLU().name, P.MatMul().name, P.Add().name
        P.Softmax(axis=1).name
        P.OneHot().axis
        isinstance(P.ReLU(), ops.Primitive), isinstance(P.Add(), ops.PrimitiveWithInfer)
        True
        F.add is ops.add, C.GradOperation is ops.GradOperation
        P.ReLU().add_prim_attr('a', 1).attrs['a']
        P.ReLU().set_device('CPU') is not None
        P.ReLU().shard(((1,),)) is not None
    """),
    # composites and functional names
    *each(
        """
        F.cast(x, ms.int32)
        F.depend(x, x + 1)
        F.shape(x)
        F.reshape(x, (-1,))
        F.tuple_to_array((1, 2))
        F.scalar_to_tensor(2.0)
        F.dtype(x)
        F.stop_gradient(x)
        F.partial(plus, x)(x)
        F.identity(x)
        F.expand_dims(x, 0)
        F.ones_like(x)
        F.zeros_like(x)
        F.select(x > 0, x, x * 0)
        F.equal(x, x)
        F.concat((x, x))
        F.make_range(3)
        F.size(x), F.rank(x)
        C.clip_by_value(x, Tensor(-0.5), Tensor(0.5))
        C.clip_by_global_norm((x, x), 1.0)
        C.ones_like(x)
        C.zeros_like(x)
        C.HyperMap()(double, (x, x + 1))
        C.HyperMap()(plus, (x, x), (x, x * 2))
        C.HyperMap()(F.partial(plus, x), (x, x + 1))
        C.HyperMap()(double, ((x, x), x))
        C.HyperMap()(double, [x, x])
        C.Map()(double, (x, x + 1))
        C.HyperMap()(add_all, (x, 1), (x, 2))
        C.HyperMap()(F.partial(add_all, 3), (x, x))
        add_all(x, x)
        add_all(1, 2.5)
        add_all(2, x)
        ops.tuple_to_array((1.0, 2.0))
        ops.arange(x.shape[0])
        ops.tensor_add(x, x)
        ops.addn([x, x])
        ops.count_nonzero(x)
        ops.reduce_max(x)
        True
    """,
        x=rand(2, 3),
    ),
    Case("add_all('a', 'b')", raises=ValueError),
    # used inside a Cell, gradients flow
    *each(
        """
        P.MatMul()(x, x)
        P.ReduceMean()(P.Square()(x), ())
        P.Concat(0)((x, P.ReLU()(x)))
        P.Gather()(x, Tensor([0, 0, 1]), 0)
        P.Softmax()(x) * P.Cast()(x > 0, ms.float32)
        P.Select()(x > 0, x, P.Exp()(x))
        P.Transpose()(P.Reshape()(x, (1, 4)), (1, 0))
        P.StridedSlice()(x, (0, 0), (2, 1), (1, 1))
        P.Tile()(x, (2, 2))
        P.Depend()(x, x) * 2
        P.TopK()(x, 1)[0]
        P.BroadcastTo((3, 2, 2))(x)
        P.L2Normalize(axis=0)(x)
        P.Maximum()(x, 0)
        P.GatherNd()(x, Tensor([[0, 0], [0, 0], [1, 1]]))
        C.HyperMap()(double, (x, x))
        C.clip_by_value(x, Tensor(-0.5), Tensor(0.5))
    """,
        x=rand(2, 2),
        grad=True,
    ),
    # inputs by keyword, which primitives of 2.x take
    *each(
        """
        P.ReduceMax(keep_dims=True)(x, axis=1)
        P.ReduceSum()(x=x, axis=(0, 1))
        P.ReduceAny()(x=x > 0, axis=0)
        P.Gather()(x, input_indices=Tensor([0, 1], ms.int32), axis=1)
        P.Cast()(input_x=x, dtype=ms.int32)
        P.Reshape()(x, shape=(3, 2))
        P.CumSum()(input=x, axis=0)
        P.MatMul()(x, mat2=x.T)
        P.Softmax()(input=x)
        P.Argmax(axis=1)(input_x=x)
        P.LinSpace()(start=Tensor(0.0), stop=Tensor(1.0), num=3)
        P.OneHot()(indices=Tensor([0]), depth=3, on_value=Tensor(1.0), off_value=Tensor(0.0))
    """,
        x=rand(2, 3),
    ),
    *each(
        """
        P.ReduceMax()(Tensor([1.0]), axes=0)
        P.ReduceMax()(Tensor([1.0]), keep_dims=True)
        P.Softmax(axis=-1)(Tensor([1.0]), axis=0)
        P.ReLU()(x=Tensor([1.0]))
    """,
        raises=TypeError,
        says="input",
    ),
    # wrong attributes and arguments
    *each(
        """
        P.Concat(axis='a')((Tensor([1.0]), Tensor([2.0])))
        P.Cast()(Tensor([1.0]), 'foo')
        P.ReLU()(1)
        P.Reshape()(Tensor([1.0]), 'a')
        P.Softmax('a')(Tensor([1.0]))
        P.OneHot()(Tensor([1]), 'a', Tensor(1.0), Tensor(0.0))
    """,
        raises=TypeError,
    ),
    *each(
        """
        P.Softmax(5)(Tensor([1.0]))
        P.Concat(3)((Tensor([1.0]), Tensor([2.0])))
        P.Reshape()(Tensor([1.0, 2.0]), (3,))
        P.MaxPool(2, 2, 'foo')
        P.Conv2D(1, 1, pad_mode='foo')
        P.Transpose()(Tensor([[1.0]]), (0, 0))
        P.Gather()(Tensor([1.0]), Tensor([0]), 4)
    """,
        raises=ValueError,
    ),
]
