"""Names, order and defaults of the arguments of what public scripts call most."""

import inspect
import re

import mindspore as ms

from tests.oracle.case import GAP, Case, words

# What msbridge accepts beyond the release: arguments of other releases, or of the same operator under another name.
EXTRAS = {
    "nn.EmbeddingLookup": {"vocab_cache_size"},
    "nn.SoftmaxCrossEntropyWithLogits": {"is_grad"},
    "numpy.pad": {"kwargs"},  # the release swallows what it does not know
    "ops.add": {"alpha"},
    "ops.avg_pool2d": {"strides"},
    "ops.grid_sample": {"interpolation_mode"},
    "ops.linspace": {"num", "stop"},
    "ops.multinomial": {"num_sample"},
    "ops.norm": {"axis", "p", "keep_dims"},
    "ops.split": {"input_x", "output_num"},
    "ops.sub": {"alpha"},
}
# What the release requires, and an argument of another release may be there.
REQUIRED = {
    ("ops.linspace", "end"),
    ("ops.linspace", "steps"),
    ("ops.multinomial", "num_samples"),
    ("ops.split", "split_size_or_sections"),
    ("ops.split", "tensor"),
}
OF_EVERY_CELL = {"auto_prefix", "flags"}


def signature(path: str) -> object:
    """Arguments in their order, each with its default; defaults that do not print alike on both sides show as dots."""
    found: object = ms
    for name in path.split("."):
        found = getattr(found, name)
    if isinstance(found, ms.ops.Primitive):
        return GAP  # before 1.8, an instance whose call takes `*args`
    left_out = (
        {"boundary"}
        | EXTRAS.get(path, set())
        | (OF_EVERY_CELL if path.startswith("nn.") and path != "nn.Cell" else set())
    )
    kept = [p for p in parameters_of(found) if p.name not in left_out]
    return [(p.name, "required" if (path, p.name) in REQUIRED else shown(p.default)) for p in kept]


def parameters_of(found: object) -> list[inspect.Parameter]:
    """The parameters, of what a decorator of 1.10 hides behind `*args, **kwargs` those of its function."""
    seen = [*inspect.signature(found).parameters.values()]
    closure = getattr(found.__init__ if isinstance(found, type) else found, "__closure__", None)
    if [p.name for p in seen] != ["args", "kwargs"] or not closure:
        return seen
    hidden = next(cell.cell_contents for cell in closure if inspect.isfunction(cell.cell_contents))
    return [p for p in inspect.signature(hidden).parameters.values() if p.name != "self"]


def shown(default: object) -> str:
    if default is inspect.Parameter.empty:
        return "required"
    plain = type(default) in (bool, int, float, str, tuple, type(None))
    return repr(default) if plain or re.fullmatch(r"mindspore\.\w+", repr(default)) else "…"


LAYERS = words("""
    Accuracy AdamWeightDecay AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveMaxPool1d AdaptiveMaxPool2d AvgPool1d
    AvgPool2d AvgPool3d BCELoss BCEWithLogitsLoss BatchNorm1d BatchNorm2d BatchNorm3d BiDense CTCLoss
    ConstantPad2d Conv1d Conv1dTranspose Conv2d Conv2dTranspose Conv3d Conv3dTranspose CosineDecayLR
    CosineEmbeddingLoss CosineSimilarity CrossEntropyLoss Dense Dropout DynamicLossScaleUpdateCell ELU Embedding
    EmbeddingLookup ExponentialDecayLR F1 FastGelu FixedLossScaleUpdateCell Flatten GELU GRUCell GaussianNLLLoss
    GraphCell GroupNorm HShrink HSigmoid HSwish InstanceNorm1d InstanceNorm2d InstanceNorm3d L1Loss LRN LSTMCell
    LayerNorm LeakyReLU Linear LogSigmoid LogSoftmax Loss LossBase MAE MAELoss MSELoss MaxPool1d MaxPool2d
    MaxPool3d Metric MultiheadAttention NLLLoss OneHot Optimizer PReLU Pad ParameterUpdate PolynomialDecayLR
    Precision RMSELoss RNNCell ROC ReLU ReLU6 Recall ReflectionPad2d SequentialCell SiLU Sigmoid SmoothL1Loss
    SoftMarginLoss SoftShrink Softmax SoftmaxCrossEntropyWithLogits Softmin SyncBatchNorm Tanh
    Top1CategoricalAccuracy Top5CategoricalAccuracy TrainOneStepCell TrainOneStepWithLossScaleCell Transformer
    TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer Tril TripletMarginLoss
    Unfold WarmUpLR WithEvalCell WithLossCell auc cosine_decay_lr exponential_decay_lr get_activation
    inverse_decay_lr piecewise_constant_lr rearrange_inputs warmup_lr
""")
FUNCTIONS = words("""
    abs add add_flags addn all amax amin any arange argmax argmin assign assign_add assign_sub atan2 avg_pool2d
    bartlett_window batch_dot bernoulli bias_add binary_cross_entropy binary_cross_entropy_with_logits
    blackman_window bmm broadcast_to bucketize cast cat cdist clamp clip_by_global_norm clip_by_norm
    clip_by_value concat cos cross_entropy ctc_greedy_decoder cumsum deformable_conv2d dense diag div dot
    dropout dropout2d dropout3d elu equal erf exp expand_dims eye fill flatten float_power fold full full_like
    gather gather_elements gather_nd ge gelu ger grad grid_sample gt inner interpolate intopk inv
    is_floating_point isnan kl_div leaky_relu linspace log log_softmax logdet logical_or logsumexp masked_select
    matmul max maximum mean median meshgrid min minimum mse_loss mul multinomial narrow neg nonzero norm normal
    not_equal one_hot ones ones_like pad permute pow prim_attr_register prod randint randint_like randn
    random_poisson rank relu renorm repeat_elements repeat_interleave reshape scalar_to_array scalar_to_tensor
    scatter scatter_mul select shape sigmoid sign sin slogdet softmax sort split sqrt square squeeze stack
    standard_laplace standard_normal std std_mean stop_gradient sub sum svd tanh tensor_dot
    tensor_scatter_elements tile topk transpose tuple_to_array uniform uniform_candidate_sampler unique
    unsqueeze unstack value_and_grad var var_mean vmap zeros zeros_like
""")
PRIMITIVES = words("""
    ACos Abs Acosh AdaptiveAvgPool2D Add AddN Addcdiv Addcmul AllGather AllReduce AlltoAll Angle ArgMaxWithValue
    ArgMinWithValue Argmax Argmin Asin Asinh Assign AssignAdd Atan Atan2 Atanh AvgPool BatchMatMul BatchNorm
    Bernoulli BiasAdd BinaryCrossEntropy BitwiseAnd BitwiseOr BitwiseXor BoundingBoxDecode BoundingBoxEncode
    Broadcast BroadcastTo Bucketize CTCLoss Cast Ceil CheckValid Cholesky CholeskyInverse CholeskySolve Complex
    Concat Conj Conv2D Conv2DBackpropInput Conv2DTranspose Conv3D Cos Cosh CropAndResize Cross CumProd CumSum
    Cummax Cummin CumulativeLogsumexp DType Depend DepthToSpace Diag Digamma Div DivNoNan Dropout Dropout2D
    Einsum Elu EmbeddingLookup Equal Erf Erfc Erfinv Exp ExpandDims Expm1 Eye Fill FillDiagonal Flatten
    FloatStatus Floor FloorDiv Fmax Fmin Gather GatherD GatherNd GatherV2 GeLU Gelu Geqrf Ger GradOperation
    Greater GreaterEqual HSwish Heaviside HistogramSummary HookBackward HyperMap Hypot IOU Identity Igamma
    Igammac Imag ImageSummary Inv InvertPermutation IsFinite IsInf IsNan KLDivLoss L2Loss L2Normalize LRN
    LayerNorm LeftShift Lerp Less LessEqual Lgamma LinSpace Log Log1p LogMatrixDeterminant LogSoftmax LogicalAnd
    LogicalNot LogicalOr LogicalXor LpNorm LuSolve LuUnpack Map MaskedFill MatMul MatrixDeterminant MatrixExp
    MatrixPower MaxPool MaxPool3D MaxPoolWithArgmax Maximum Meshgrid Minimum MirrorPad Mod Mul Multinomial
    MultitypeFuncGraph NLLLoss NMSWithMask NPUAllocFloatStatus NPUClearFloatStatus NPUGetFloatStatus Neg
    NextAfter NonZero NotEqual OneHot Ones OnesLike Orgqr Ormqr Pack Pad Partial Polar Polygamma Pow Primitive
    PrimitiveWithInfer Print Qr ROIAlign RandomChoiceWithMask Randperm ReLU ReLU6 Real RealDiv Reciprocal
    ReduceMax ReduceMean ReduceMin ReduceOp ReduceScatter ReduceSum Reshape ResizeBilinearV2
    ResizeNearestNeighbor ReverseSequence ReverseV2 RmsNorm Round Rsqrt ScalarSummary ScalarToArray
    ScalarToTensor ScatterAdd ScatterNd ScatterNdAdd ScatterNdUpdate SearchSorted Select Shape Sigmoid
    SigmoidCrossEntropyWithLogits Sign Sin Sinc Sinh Size Slice SmoothL1Loss Softmax
    SoftmaxCrossEntropyWithLogits Softplus Sort SparseGatherV2 SparseSoftmaxCrossEntropyWithLogits SparseToDense
    Split Sqrt Square Squeeze Stack StandardNormal StridedSlice Sub Svd Tan Tanh TensorAdd TensorSummary Tile
    TopK Trace Transpose TransposeView Tril TrilIndices Triu TriuIndices Trunc TupleToArray UniformReal Unique
    UniqueConsecutive UnravelIndex UnsortedSegmentSum Unstack Xlogy Zeros ZerosLike
""")
OTHERS = words("""
    Callback DatasetHelper DynamicLossScaleManager FixedLossScaleManager LearningRateScheduler LossMonitor Model
    ModelCheckpoint ParallelMode ParameterTuple RunContext TimeMonitor common.initializer.Constant
    common.initializer.HeNormal common.initializer.HeUniform common.initializer.Initializer
    common.initializer.Normal common.initializer.One common.initializer.TruncatedNormal
    common.initializer.Uniform common.initializer.XavierNormal common.initializer.XavierUniform
    common.initializer.Zero common.initializer.initializer connect_network_with_dataset data_sink
    dtype_to_nptype dtype_to_pytype get_auto_parallel_context get_context get_seed grad jacfwd jacrev jit_class
    lazy_inline load_checkpoint load_param_into_net manual_seed mutable pytype_to_dtype
    reset_auto_parallel_context set_deterministic set_device set_seed tensor train.Accuracy
    train.CosineSimilarity train.F1 train.Loss train.MAE train.Metric train.Precision train.ROC train.Recall
    train.Top1CategoricalAccuracy train.Top5CategoricalAccuracy train.auc value_and_grad vjp vmap
""")
NUMPY = words("""
    abs absolute add amax amin append apply_along_axis apply_over_axes arange arccos arccosh arcsin
    arcsinh arctan arctan2 arctanh argmax argmin argwhere array array_equal array_equiv array_split
    array_str asarray asfarray atleast_1d atleast_2d atleast_3d average bartlett bincount bitwise_and
    bitwise_not bitwise_or bitwise_xor blackman broadcast_arrays broadcast_to cbrt ceil choose clip
    column_stack concatenate convolve copysign corrcoef correlate cos cosh count_nonzero cov cross cumprod
    cumsum deg2rad diag diag_indices diagflat diagonal diff digitize divide divmod dot dsplit dstack
    ediff1d empty empty_like equal exp exp2 expand_dims expm1 eye fabs fft.fft fft.fft2 fft.fftfreq
    fft.fftn fft.fftshift fft.hfft fft.hfft2 fft.hfftn fft.ifft fft.ifft2 fft.ifftn fft.ifftshift
    fft.ihfft fft.ihfft2 fft.ihfftn fft.irfft fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftfreq
    fft.rfftn fix flip fliplr flipud float_power floor floor_divide fmod full full_like gcd geomspace
    gradient greater greater_equal hamming hanning heaviside histogram histogram2d histogram_bin_edges
    histogramdd hsplit hstack hypot identity in1d indices inner interp intersect1d invert isclose isfinite
    isin isinf isnan isneginf isposinf isscalar ix_ kron lcm less less_equal linspace log log10 log1p log2
    logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul max maximum mean
    meshgrid min minimum mod moveaxis multi_dot multiply nancumsum nanmax nanmean nanmin nanstd nansum
    nanvar negative norm not_equal ones ones_like outer pad piecewise polyadd polyder polyint polymul
    polysub polyval positive power promote_types ptp rad2deg radians rand randint randn ravel
    ravel_multi_index reciprocal remainder repeat reshape result_type rint roll rollaxis rot90
    searchsorted select setdiff1d sign signbit sin sinh size sometrue split sqrt square squeeze stack std
    subtract sum swapaxes take take_along_axis tan tanh tensordot tile trace transpose trapz tri tril
    tril_indices tril_indices_from triu triu_indices triu_indices_from true_divide trunc unique
    unravel_index unwrap vander var vsplit vstack where zeros zeros_like
""")

CASES = [
    *[Case(f"signature('nn.{name}')") for name in LAYERS],
    *[Case(f"signature('ops.{name}')") for name in FUNCTIONS + PRIMITIVES],
    *[Case(f"signature('{name}')") for name in OTHERS],
    *[Case(f"signature('numpy.{name}')") for name in NUMPY],
]
