"""What constructors refuse: the class of error for each of many values, right and wrong, of each of their arguments.

An answer is {argument: a letter for each of VALUES}; `LETTERS` says what they represent.
"""

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import mindspore as ms
from mindspore import Tensor, nn, ops

from tests.oracle.case import Case

LISTED = """
    None | 'bad' | '' | -2 | -1 | 0 | 1 | 2 | 3 | 7 | 9 | -1.5 | -0.5 | 0.0 | 0.5 | 1.0 | 1.5 | 100.5 | True |
    False | () | (1,) | (1, 2) | (1, 2, 3) | (1, 2, 3, 4) | (1, 1, 2, 2) | (1, 2, 3, 4, 5) | (1, 1, 2, 2, 2) |
    (1, 2, 3, 4, 5, 6) | (1, 2, 3, 4, 5, 6, 7) | (0, 0) | (-1, 1) | (0.5, 0.5) | (0.5, 1.5) | (True, True) |
    [] | [1] | [1, 2] | [1, 2, 3, 4] | [0.5, 1.5] | ms.float32 | ms.int32 | ms.int64 | ms.bool_ | ms.float16 |
    Tensor(1.0) | {}
"""
VALUES = [value.strip() for value in LISTED.split("|")]
LETTERS = {None: ".", "TypeError": "T", "ValueError": "V", "RuntimeError": "R", "KeyError": "K", "AttributeError": "A"}


class Refusals(Case):
    """A call whose arguments are replaced, one after the other; those that refuse nothing are left out."""

    def _evaluate(self, module: ModuleType) -> dict[str, str]:
        rows = {argument: "".join(letters(self.expression, argument)) for argument in names_of(self.expression)}
        return {argument: row for argument, row in rows.items() if row.strip(".")}


def names_of(call: str) -> list[str]:
    """Return the names of what the class of a call can be given."""
    kind = eval(ast.unparse(_parsed(call).func), scope())
    parameters = inspect.signature(kind.__init__).parameters.values()
    return [
        one.name
        for one in parameters
        if one.name != "self" and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    ]


def letters(call: str, argument: str) -> Iterator[str]:
    """Yield the letter for each value of an argument."""
    known = scope()
    order = [*_order(call)]
    for value in VALUES:
        node = _parsed(call)
        given = {one.arg: one for one in node.keywords}
        replaced = ast.parse(value, mode="eval").body
        if argument in given:
            given[argument].value = replaced
        elif argument in order[: len(node.args)]:
            node.args[order.index(argument)] = replaced
        else:
            node.keywords.append(ast.keyword(argument, replaced))
        try:
            eval(compile(ast.fix_missing_locations(ast.Expression(node)), call, "eval"), known)
            yield LETTERS[None]
        except Exception as error:  # whatever it is, it is what was asked for
            yield next((LETTERS[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in LETTERS), "?")


def _order(call: str) -> list[str]:
    kind = eval(ast.unparse(_parsed(call).func), scope())
    return [name for name in inspect.signature(kind).parameters if name != "self"]


def _parsed(call: str) -> ast.Call:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    return node


def scope() -> dict[str, Any]:
    """Return the names that calls use."""
    return {"ms": ms, "Tensor": Tensor, "nn": nn, "ops": ops, "P": ops.operations}


CALLS = """
    P.Adam(use_nesterov=True)
    P.AdamNoUpdateParam(use_nesterov=True)
    P.AdaptiveAvgPool2D((1, 2))
    P.AdaptiveAvgPool3D(0)
    P.AdaptiveMaxPool2D((1, 2))
    P.AffineGrid(align_corners=True)
    P.AllGather('g')
    P.AllGatherV('g')
    P.AllReduce('max')
    P.AlltoAll(2, 0, 0, 'g')
    P.AlltoAllV('g', 2)
    P.AlltoAllVC(None, 3, True)
    P.ApplyAdagradDA()
    P.ApplyAdagradV2(epsilon=0.1, update_slots=False)
    P.ApplyAdamWithAmsgrad(beta1=0.8, beta2=0.9, epsilon=0.001)
    P.ApplyAdamWithAmsgradV2(use_locking=True)
    P.ApplyCenteredRMSProp()
    P.ApplyFtrl(use_locking=True)
    P.ApplyMomentum(use_locking=True)
    P.ApplyProximalAdagrad(use_locking=True)
    P.ApplyRMSProp(use_locking=True)
    P.ApproximateEqual(0.1)
    P.Argmax(axis=-1, output_type=ms.int32)
    P.Argmin(axis=0)
    P.Assert(3)
    P.AvgPool3D(2, 1, 'pad', 1, False, False)
    P.BartlettWindow(False, ms.float64)
    P.BasicLSTMCell(1.0, 0.5)
    P.BatchISendIRecv(('irecv',), (0,), [[2]], [ms.float32], 'g')
    P.BatchToSpaceND([2, 2], [[0, 0], [0, 1]])
    P.Bernoulli()
    P.BiasAdd()
    P.BinaryCrossEntropy('mean')
    P.BlackmanWindow(periodic=False, dtype=ms.float16)
    P.BoundingBoxDecode(max_shape=(10, 10))
    P.BoundingBoxEncode()
    P.Broadcast(3, 'g')
    P.BroadcastTo((2, 2, 3))
    P.Bucketize([1.0, 3.0])
    P.CTCGreedyDecoder(merge_repeated=False)
    P.CTCLossV2(0)
    P.Cauchy([2, 3], 1.0, 2.0)
    P.ChannelShuffle(3)
    P.CholeskySolve(True)
    P.Col2Im([2, 2], [1, 1], [0, 0], [1, 1])
    P.CollectiveGather(2, 'g')
    P.CombinedNonMaxSuppression(clip_boxes=False)
    P.Conv3D(1, 1)
    P.Conv3DTranspose(in_channel=2, out_channel=1, kernel_size=2, pad_mode='pad', pad=1, stride=2)
    P.CropAndResize()
    P.CumulativeLogsumexp(exclusive=True)
    P.DataFormatDimMap('NCHW', 'NHWC')
    P.DataFormatVecPermute('NCHW', 'NHWC')
    P.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2), deformable_groups=1, modulated=True)
    P.DepthToSpace(2)
    P.Dropout2D(1.0)
    P.EditDistance(False)
    P.Einsum('ij->ji')
    P.ExtractGlimpse(False, False, False, 'zero')
    P.ExtractVolumePatches([1, 1, 2, 2, 2], [1, 1, 1, 1, 1], 'VALID')
    P.FFTWithSize(1, True, True, 'backward', True, (7,))
    P.FillDiagonal(9.0)
    P.FractionalAvgPool([1.0, 1.4, 2.0, 1.0], True, True, True, 5, 6)
    P.FractionalMaxPool([1.0, 1.5, 1.5, 1.0], True, False, True, 5, 6)
    P.FractionalMaxPool3DWithFixedKsize(2, (2, 2, 2))
    P.FractionalMaxPoolWithFixedKsize(2, (2, 2))
    P.FusedAdaFactor(True, True, True)
    P.FusedAdaFactorWithGlobalNorm(enable_first_moment=True)
    P.FusedCastAdamWeightDecay()
    P.FusedSparseAdam(use_nesterov=True)
    P.FusedSparseFtrl(lr=0.1, l1=0.0, l2=0.0, lr_power=-0.5)
    P.FusedSparseLazyAdam(use_nesterov=True)
    P.FusedSparseProximalAdagrad()
    P.GetNext([ms.float32], [(2,)], 1, 'q')
    P.GridSampler2D('nearest', 'border', True)
    P.GridSampler3D('nearest', 'border', True)
    P.HammingWindow(False, 0.5, 0.4, dtype=ms.float32)
    P.Histogram(4, -2.0, 2.0)
    P.Im2Col(2, strides=1, dilations=1, pads=1)
    P.InTopK(2)
    P.IndexAdd(1, True, False)
    P.IndexPut(1)
    P.InplaceAdd((1, 0))
    P.InplaceIndexAdd(0)
    P.InplaceSub((1, 0))
    P.InplaceUpdate((9,))
    P.IsClose(rtol=0.0, atol=0.5)
    P.L2Normalize(axis=1)
    P.ListDiff(out_idx=ms.int64)
    P.LogNormalReverse(4.0, 2.0)
    P.LogSpace(5, 2)
    P.LogUniformCandidateSampler(1, 5, True, 5, 1)
    P.LowerBound(ms.int64)
    P.Lstsq(True)
    P.LuUnpack(True, False)
    P.MatrixDiagPartV3('LEFT_LEFT')
    P.MatrixDiagV3('LEFT_RIGHT')
    P.MatrixInverse(adjoint=True)
    P.MatrixPower(-1)
    P.MatrixSetDiagV3('RIGHT_LEFT')
    P.MatrixSolve(adjoint=True)
    P.MatrixSolveLs(False)
    P.MatrixTriangularSolve(lower=False, adjoint=True)
    P.MaxPool3D(2, 1)
    P.MaxPool3DWithArgmax((2, 2, 3), 1, 1, (1, 1, 1), True, 'NCDHW', ms.int32)
    P.MaxPoolWithArgmax(2, 1)
    P.MaxPoolWithArgmaxV2((2, 3), strides=1, pads=1, argmax_type=ms.int32)
    P.MaxUnpool2D(2, 2, 0, (1, 1, 5, 5))
    P.MaxUnpool3D(2)
    P.Meshgrid()
    P.MultiMarginLoss(p=2, margin=0.5, reduction='none')
    P.Multinomial()
    P.MultinomialWithReplacement(2, True)
    P.Mvlgamma(2)
    P.NMSWithMask(0.5)
    P.NanToNum(1.0, 2.0, 3.0)
    P.NoRepeatNGram(3)
    P.NonDeterministicInts(ms.int32)
    P.NthElement(reverse=True)
    P.NuclearNorm((0, 1), True)
    P.Pack(axis=1)
    P.PadV3('constant')
    P.Padding(4)
    P.ParameterizedTruncatedNormal(1, 2)
    P.Pdist(1.0)
    P.ROIAlign(2, 2, 0.5, 2, 0)
    P.RandomCategorical(ms.int32)
    P.RandomChoiceWithMask(2)
    P.RandomGamma(1, 2)
    P.RandomPoisson(dtype=ms.float32)
    P.RandomShuffle(1, 1)
    P.RandpermV2(0, 0)
    P.Receive(1, 0, [2, 3], ms.int32, 'g', 'h')
    P.Reduce(1, 'min', 'g')
    P.ReduceScatter('sum', 'g')
    P.ReduceStd(axis=1, unbiased=False, keep_dims=True)
    P.Renorm(1, 0, 1.0)
    P.ResizeArea(True)
    P.ResizeLinear1D('half_pixel')
    P.ResizeNearestNeighbor((4, 6))
    P.ReverseSequence(1)
    P.ReverseV2(axis=[1])
    P.SGD(dampening=0.1, weight_decay=0.01)
    P.STFT(8, 4, 8, False, True, True)
    P.SampleDistortedBoundingBoxV2(1, 1)
    P.ScaleAndTranslate('gaussian', False)
    P.ScatterAddWithAxis(0)
    P.ScatterNdAdd()
    P.SearchSorted()
    P.SmoothL1Loss(beta=0.5)
    P.Softmax(axis=1)
    P.Sort(axis=1)
    P.SpaceToBatchND([2, 2], [[0, 0], [2, 0]])
    P.SparseApplyAdagrad(0.1, update_slots=False)
    P.SparseApplyAdagradV2(lr=0.1, epsilon=0.1, update_slots=False)
    P.SparseApplyFtrl(lr=0.1, l1=0.0, l2=0.0, lr_power=-0.5)
    P.SparseApplyRMSProp(0.9, 0.5, 1e-06)
    P.SplitV([1, 1], 0, 2)
    P.Squeeze(axis=0)
    P.Stack(axis=0)
    P.StandardLaplace(seed=2)
    P.StandardNormal()
    P.TopK(sorted=True)
    P.Tril()
    P.TrilIndices(2, 3)
    P.Triu(1)
    P.TriuIndices(2, 2, -1, ms.int64)
    P.UniformCandidateSampler(1, 4, True, 4, seed=1)
    P.UniformInt(seed=3)
    P.UniformReal()
    P.Unpack(axis=1)
    P.Unstack(axis=0)
    P.UpperBound(out_type=ms.int64)
    nn.Accuracy()
    nn.AdaptiveAvgPool1d(7)
    nn.AdaptiveAvgPool2d(1)
    nn.AdaptiveAvgPool3d(2)
    nn.AdaptiveMaxPool1d(7)
    nn.AvgPool1d(3, 1, pad_mode='same')
    nn.AvgPool2d(3, 1, pad_mode='pad', padding=1, count_include_pad=False)
    nn.BCELoss(reduction='mean')
    nn.BatchNorm1d(3, momentum=0.5)
    nn.BatchNorm2d(2, gamma_init='zeros', beta_init='ones', moving_mean_init=0.5, moving_var_init=2)
    nn.BatchNorm3d(2)
    nn.BiDense(20, 30, 40, has_bias=False)
    nn.Cell()
    nn.ChannelShuffle(2)
    nn.ClipByNorm()
    nn.ConstantPad1d((1, 2), 0.5)
    nn.ConstantPad2d(1, 3.0)
    nn.Conv1d(2, 3, 3, has_bias=True, pad_mode='valid')
    nn.Conv1dTranspose(2, 3, 3, stride=2, has_bias=True, pad_mode='valid')
    nn.Conv2d(2, 1, 3, 1, 'same', 0, 1, 1, False, 'ones', 'zeros', 'NCHW')
    nn.Conv2dTranspose(2, 3, 3, stride=2, pad_mode='pad', padding=1, output_padding=1)
    nn.Conv3d(2, 2, 2, stride=2, pad_mode='pad', padding=1)
    nn.Conv3dTranspose(2, 2, 2, stride=2)
    nn.CosineDecayLR(0.01, 0.1, 4)
    nn.CosineEmbeddingLoss(margin=0.1)
    nn.CosineSimilarity()
    nn.CrossEntropyLoss(label_smoothing=0.2, reduction='sum')
    nn.Dense(3, 2, 'ones', 'zeros', True, 'relu')
    nn.DenseThor(3, 4, 'ones', 'ones', activation='relu')
    nn.Dropout(p=0.1)
    nn.Dropout1d()
    nn.Dropout2d(p=0.5)
    nn.Dropout3d(0.2)
    nn.DynamicLossScaleUpdateCell(16, 2, 2)
    nn.Embedding(3, 2, True, 'ones')
    nn.EmbeddingThor(5, 2, True, embedding_table='ones')
    nn.ExponentialDecayLR(0.1, 0.9, 4, True)
    nn.GELU(approximate=False)
    nn.GRUCell(2, 3)
    nn.GetNextSingleOp([ms.float32], [(2,)], 'q')
    nn.GroupNorm(2, 2, 1e-05, True)
    nn.Hardtanh(-1.5, 2.5)
    nn.HingeEmbeddingLoss(2.5, 'sum')
    nn.HuberLoss(delta=0.5)
    nn.InstanceNorm1d(8)
    nn.InstanceNorm3d(8, affine=False)
    nn.InverseDecayLR(0.1, 0.5, 2, True)
    nn.L1Loss(reduction='sum')
    nn.L1Regularizer(0.1)
    nn.LRN()
    nn.LSTMCell(2, 3)
    nn.LayerNorm([5, 6], begin_norm_axis=2, begin_params_axis=2)
    nn.MAELoss(reduction='none')
    nn.MSELoss(reduction='sum')
    nn.MarginRankingLoss(margin=0.2)
    nn.MaxPool1d(3, 2, pad_mode='same')
    nn.MaxPool2d(2, 2, pad_mode='pad', padding=0, ceil_mode=True)
    nn.MultiFieldEmbeddingLookup(300, 40, 5)
    nn.MultiLabelSoftMarginLoss()
    nn.MultiheadAttention(64, 4, kdim=32, vdim=32)
    nn.NLLLoss(ignore_index=0, reduction='sum')
    nn.NaturalExpDecayLR(0.1, 0.9, 4, True)
    nn.Norm()
    nn.PReLU(4, 0.1)
    nn.Pad(((0, 0), (1, 1)), 'REFLECT')
    nn.PoissonNLLLoss()
    nn.PolynomialDecayLR(0.1, 0.01, 2, 0.5, True)
    nn.Precision()
    nn.RNNCell(80, 90, has_bias=False)
    nn.RReLU(0.5, 0.5)
    nn.ReduceLogSumExp(0)
    nn.ReflectionPad1d(2)
    nn.ReflectionPad2d(1)
    nn.ReplicationPad1d(1)
    nn.ReplicationPad2d((1, 2, 0, 1))
    nn.SampledSoftmaxLoss(2, 3)
    nn.SoftShrink(0.25)
    nn.Softmax(axis=0)
    nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean')
    nn.SparseTensorDenseMatmul(adjoint_st=True)
    nn.SyncBatchNorm(2)
    nn.Transformer(4, 2, 1, 1, 8)
    nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0)
    nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)
    nn.Unflatten(1, (2, 2))
    nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1])
    nn.WarmUpLR(0.1, 4)
    nn.ZeroPad2d((1, 0, 2, 1))
    ops.AvgPool(kernel_size=2, strides=2, pad_mode='valid')
    ops.BCEWithLogitsLoss('sum')
    ops.BatchNorm(is_training=False)
    ops.Conv2DBackpropInput(3, 2)
    ops.Conv2DTranspose(3, 2)
    ops.ExtractImagePatches([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1])
    ops.GradOperation(True, True, True)
    ops.IOU()
    ops.KLDivLoss('sum')
    ops.LRN()
    ops.LSTM(2, 2, 1, True, False, 0.0)
    ops.LpNorm(1, 2)
    ops.Median(False, 1, True)
    ops.MirrorPad('REFLECT')
    ops.NLLLoss('sum')
    ops.Pad(((0, 0), (1, 1)))
    ops.ScatterAdd()
    ops.ScatterNdUpdate()
    ops.ScatterUpdate()
    ops.SparseSoftmaxCrossEntropyWithLogits()
    ops.SparseTensorDenseMatmul()
    ops.composite.GradOperation(get_all=True)
"""
CASES = [Refusals(line.strip()) for line in CALLS.strip().splitlines()]
