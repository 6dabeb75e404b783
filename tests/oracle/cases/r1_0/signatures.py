"""Names, order and defaults of the arguments of all that 1.0.0 publishes; what later releases added may follow."""

import importlib
import inspect
import re

from tests.oracle.case import Case


def found(path):
    """Arguments of what a dotted path below mindspore names; without those that take any number."""
    module, _, name = path.rpartition(".")
    value = getattr(importlib.import_module("mindspore" + f".{module}" * bool(module)), name)
    asked = getattr(getattr(value, "__init__", value), "decorated_func", None)  # what a primitive of 1.0.0 keeps
    listed = list(inspect.signature(asked or value).parameters.values())
    return [p for p in listed[bool(asked) :] if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def arguments(path, count):
    """Names of the first `count` arguments, whether each is required, and whether one behind them is."""
    required = [(p.name, p.default is p.empty) for p in found(path)]
    return required[:count], any(is_required for _, is_required in required[count:])


def defaults(path, count):
    """Defaults of the first `count` arguments; those that do not print alike everywhere show as dots."""
    return [shown(p.default) for p in found(path)[:count]]


def shown(default):
    if default is inspect.Parameter.empty:
        return "required"
    is_plain = type(default) in (bool, int, float, str, tuple, type(None))
    return repr(default) if is_plain or re.fullmatch(r"mindspore\.\w+", repr(default)) else "…"


def counted(room, text):
    """Paths and counts of `Name:count` words."""
    pairs = (word.split(":") for word in text.split())
    return [(f"{room}.{name}".lstrip("."), int(count)) for name, count in pairs]


PUBLISHED = [
    *counted(
        "nn",
        """
        Accuracy:1 ActQuant:7 Adam:9 AdamWeightDecay:6 AvgPool1d:3 AvgPool2d:3 BatchNorm1d:9 BatchNorm2d:9
        Cell:2 CellList:0 CentralCrop:1 ClipByNorm:0 Conv1d:11 Conv1dTranspose:11 Conv2d:11 Conv2dBnAct:17
        Conv2dBnFoldQuant:24 Conv2dBnWithoutFoldQuant:18 Conv2dQuant:16 Conv2dTranspose:11 CosineDecayLR:3
        CosineEmbeddingLoss:2 Dense:6 DenseBnAct:8 DenseQuant:11 DistributedGradReducer:3 Dropout:2
        DynamicLossScaleUpdateCell:3 ELU:1 Embedding:5 EmbeddingLookup:6 ExponentialDecayLR:4 F1:0 FTRL:9
        FakeQuantWithMinMax:11 Fbeta:1 FixedLossScaleUpdateCell:1 Flatten:0 GELU:0 GetNextSingleOp:3
        GlobalBatchNorm:10 GraphKernel:2 GroupNorm:6 HSigmoid:0 HSigmoidQuant:7 HSwish:0 HSwishQuant:7
        ImageGradients:0 InverseDecayLR:4 L1Loss:1 LARS:5 LGamma:0 LSTM:7 LSTMCell:6 Lamb:6 LayerNorm:6
        LazyAdam:9 LeakyReLU:1 LeakyReLUQuant:7 LinSpace:3 LogSigmoid:0 LogSoftmax:1 Loss:0 MAE:0 MSE:0
        MSELoss:1 MSSSIM:6 MatMul:2 MatrixDiag:0 MatrixDiagPart:0 MatrixSetDiag:0 MaxPool2d:3 Metric:0
        Momentum:6 MulQuant:6 NaturalExpDecayLR:4 Norm:2 OneHot:5 Optimizer:4 PReLU:2 PSNR:1 Pad:2
        ParameterUpdate:1 PolynomialDecayLR:5 Precision:1 ProximalAdagrad:8 RMSProp:9 Range:3 ReLU:0 ReLU6:0
        Recall:1 ReduceLogSumExp:2 SGD:7 SSIM:5 SequentialCell:0 Sigmoid:0 SmoothL1Loss:1 Softmax:1
        SoftmaxCrossEntropyWithLogits:2 SparseToDense:0 Tanh:0 TensorAddQuant:6 Top1CategoricalAccuracy:0
        Top5CategoricalAccuracy:0 TopKCategoricalAccuracy:1 TrainOneStepCell:3
        TrainOneStepWithLossScaleCell:3 Unfold:4 VirtualDatasetCellTriple:1 WarmUpLR:2 WithEvalCell:3
        WithGradCell:3 WithLossCell:2 get_activation:1 get_metric_fn:1 names:0
    """,
    ),
    *counted(
        "ops.operations",
        """
        ACos:0 Abs:0 AccumulateNV2:0 Acosh:0 Adam:2 AddN:0 AllGather:1 AllReduce:2 ApplyAdaMax:0
        ApplyAdadelta:0 ApplyAdagrad:1 ApplyAdagradV2:2 ApplyAddSign:0 ApplyCenteredRMSProp:1 ApplyFtrl:1
        ApplyGradientDescent:0 ApplyMomentum:3 ApplyPowerSign:0 ApplyProximalAdagrad:1
        ApplyProximalGradientDescent:0 ApplyRMSProp:1 ApproximateEqual:1 ArgMaxWithValue:2 ArgMinWithValue:2
        Argmax:2 Argmin:2 Asin:0 Asinh:0 Assert:1 Assign:0 AssignAdd:0 AssignSub:0 Atan:0 Atan2:0 Atanh:0
        AvgPool:3 BNTrainingReduce:0 BNTrainingUpdate:3 BasicLSTMCell:4 BatchMatMul:2 BatchNorm:2
        BatchToSpace:2 BatchToSpaceND:2 BesselI0e:0 BesselI1e:0 BiasAdd:0 BinaryCrossEntropy:1 BitwiseAnd:0
        BitwiseOr:0 BitwiseXor:0 BoundingBoxDecode:4 BoundingBoxEncode:2 Broadcast:2 BroadcastTo:1
        CTCGreedyDecoder:1 CTCLoss:3 Cast:0 Ceil:0 CheckBprop:1 CheckValid:0 Concat:1 ControlDepend:1
        Conv2D:8 Conv2DBackpropInput:9 Cos:0 Cosh:0 CropAndResize:2 CumProd:2 CumSum:2 DType:0
        DataFormatDimMap:2 Depend:0 DepthToSpace:1 DepthwiseConv2dNative:8 Diag:0 DiagPart:0 Div:0
        DivNoNan:0 Dropout:1 DropoutDoMask:0 DropoutGenMask:2 DynamicShape:0 EditDistance:1 Elu:1
        EmbeddingLookup:0 Eps:0 Equal:0 EqualCount:0 Erf:0 Erfc:0 Exp:0 ExpandDims:0 Expm1:0 Eye:0 Fill:0
        Flatten:0 FloatStatus:0 Floor:0 FloorDiv:0 FloorMod:0 FusedBatchNorm:3 FusedBatchNormEx:3
        FusedSparseAdam:2 FusedSparseFtrl:5 FusedSparseLazyAdam:2 FusedSparseProximalAdagrad:1 Gamma:2
        GatherNd:0 GatherV2:0 GeSwitch:0 Gelu:0 GetNext:4 Greater:0 GreaterEqual:0 HSigmoid:0 HSwish:0
        HistogramFixedWidth:2 HistogramSummary:0 HookBackward:2 IFMR:5 IOU:1 ImageSummary:0 InTopK:1
        InplaceAdd:1 InplaceSub:1 InplaceUpdate:1 InsertGradientOf:1 Inv:0 Invert:0 InvertPermutation:0
        IsFinite:0 IsInf:0 IsInstance:0 IsNan:0 IsSubClass:0 KLDivLoss:1 L2Loss:0 L2Normalize:2 LARSUpdate:3
        LRN:5 LSTM:6 LayerNorm:3 Less:0 LessEqual:0 Log:0 Log1p:0 LogSoftmax:1 LogicalAnd:0 LogicalNot:0
        LogicalOr:0 MakeRefKey:1 MatMul:2 MaxPool:3 MaxPoolWithArgmax:3 Maximum:0 Merge:0 Minimum:0
        MirrorPad:1 Mod:0 Mul:0 Multinomial:1 NMSWithMask:1 NPUAllocFloatStatus:0 NPUClearFloatStatus:0
        NPUGetFloatStatus:0 Neg:0 NotEqual:0 OneHot:1 OnesLike:0 PReLU:0 Pack:1 Pad:1 Padding:1
        ParallelConcat:0 Partial:0 Poisson:2 PopulationCount:0 Pow:0 Print:0 Pull:0 Push:2 RNNTLoss:1
        ROIAlign:5 RandomCategorical:1 RandomChoiceWithMask:3 Rank:0 ReLU:0 ReLU6:0 ReLUV2:0 RealDiv:0
        Reciprocal:0 ReduceAll:1 ReduceAny:1 ReduceMax:1 ReduceMean:1 ReduceMin:1 ReduceOp:0 ReduceProd:1
        ReduceScatter:2 ReduceSum:1 Reshape:0 ResizeBilinear:2 ResizeNearestNeighbor:2 ReverseSequence:2
        ReverseV2:1 Rint:0 Round:0 Rsqrt:0 SGD:3 SameTypeShape:0 ScalarCast:0 ScalarSummary:0
        ScalarToArray:0 ScalarToTensor:0 ScatterAdd:1 ScatterDiv:1 ScatterMax:1 ScatterMin:1 ScatterMul:1
        ScatterNd:0 ScatterNdAdd:1 ScatterNdSub:1 ScatterNdUpdate:1 ScatterNonAliasingAdd:0 ScatterSub:1
        ScatterUpdate:1 Select:0 Shape:0 Sigmoid:0 SigmoidCrossEntropyWithLogits:0 Sign:0 Sin:0 Sinh:0
        Size:0 Slice:0 SmoothL1Loss:1 Softmax:1 SoftmaxCrossEntropyWithLogits:0 Softplus:0 Softsign:0 Sort:2
        SpaceToBatch:2 SpaceToBatchND:2 SpaceToDepth:1 SparseApplyAdagrad:3 SparseApplyAdagradV2:4
        SparseApplyFtrl:5 SparseApplyFtrlV2:6 SparseApplyProximalAdagrad:1 SparseGatherV2:0
        SparseSoftmaxCrossEntropyWithLogits:1 SparseToDense:0 Split:2 Sqrt:0 Square:0 SquareSumAll:0
        SquaredDifference:0 Squeeze:1 StandardLaplace:2 StandardNormal:2 StridedSlice:5 Sub:0 Tan:0 Tanh:0
        TensorAdd:0 TensorScatterUpdate:0 TensorSummary:0 Tile:0 TopK:1 Transpose:0 TruncateDiv:0
        TruncateMod:0 TruncatedNormal:2 TupleToArray:0 UniformInt:2 UniformReal:2 Unique:0 Unpack:1
        UnsortedSegmentMin:0 UnsortedSegmentProd:0 UnsortedSegmentSum:0 Xdivy:0 Xlogy:0 ZerosLike:0
        identity:0
    """,
    ),
    *counted(
        "ops.composite",
        """
        GradOperation:3 HyperMap:1 MultitypeFuncGraph:2 add_flags:1 clip_by_value:3 core:1 gamma:4 laplace:4
        multinomial:4 normal:4 poisson:3 uniform:5
    """,
    ),
    *counted(
        "dataset.vision.c_transforms",
        """
        AutoContrast:2 Border:0 BoundingBoxAugment:2 CenterCrop:1 CutMixBatch:3 CutOut:2 Decode:1
        ImageBatchFormat:0 Inter:0 MixUpBatch:1 Normalize:2 Pad:3 RandomAffine:6 RandomColor:1
        RandomColorAdjust:4 RandomCrop:5 RandomCropDecodeResize:5 RandomCropWithBBox:5
        RandomHorizontalFlip:1 RandomHorizontalFlipWithBBox:1 RandomPosterize:1 RandomResize:1
        RandomResizeWithBBox:1 RandomResizedCrop:5 RandomResizedCropWithBBox:5 RandomRotation:5
        RandomSelectSubpolicy:1 RandomSharpness:1 RandomSolarize:1 RandomVerticalFlip:1
        RandomVerticalFlipWithBBox:1 Rescale:2 Resize:2 ResizeWithBBox:2
        SoftDvppDecodeRandomCropResizeJpeg:4 SoftDvppDecodeResizeJpeg:1 UniformAugment:2
    """,
    ),
    *counted(
        "dataset.vision.py_transforms",
        """
        AutoContrast:2 Border:0 CenterCrop:1 Cutout:2 Decode:0 Equalize:0 FiveCrop:1 Grayscale:1 HWC2CHW:0
        HsvToRgb:1 Inter:0 Invert:0 LinearTransformation:2 MixUp:3 Normalize:2 Pad:3 RandomAffine:6
        RandomColor:1 RandomColorAdjust:4 RandomCrop:5 RandomErasing:6 RandomGrayscale:1
        RandomHorizontalFlip:1 RandomPerspective:3 RandomResizedCrop:5 RandomRotation:5 RandomSharpness:1
        RandomVerticalFlip:1 Resize:2 RgbToHsv:1 TenCrop:2 ToPIL:0 ToTensor:1 ToType:1 UniformAugment:2
    """,
    ),
    *counted(
        "dataset.transforms.c_transforms",
        """
        Compose:1 Concatenate:3 Fill:1 Mask:3 OneHot:1 PadEnd:2 RandomApply:2 RandomChoice:1 Relational:0
        Slice:0 TypeCast:1
    """,
    ),
    *counted(
        "dataset.transforms.py_transforms",
        """
        Compose:1 OneHotOp:2 RandomApply:2 RandomChoice:1 RandomOrder:1
    """,
    ),
    *counted(
        "dataset.text",
        """
        JiebaTokenizer:4 Lookup:3 Ngram:4 PythonTokenizer:1 SPieceTokenizerLoadType:0
        SPieceTokenizerOutType:0 SentencePieceModel:0 SentencePieceTokenizer:2 SlidingWindow:2 ToNumber:1
        TruncateSequencePair:1 UnicodeCharTokenizer:1 WordpieceTokenizer:5 to_bytes:2 to_str:2
    """,
    ),
    *counted(
        "dataset",
        """
        CLUEDataset:8 CSVDataset:9 CelebADataset:10 Cifar100Dataset:8 Cifar10Dataset:8 CocoDataset:10
        DistributedSampler:5 GeneratorDataset:11 GraphData:7 ImageFolderDataset:11 ManifestDataset:10
        MindDataset:10 MnistDataset:8 NumpySlicesDataset:8 PKSampler:5 PaddedDataset:1 RandomSampler:2
        Schema:1 SequentialSampler:2 SubsetRandomSampler:2 TFRecordDataset:10 TextFileDataset:6
        VOCDataset:11 WeightedRandomSampler:3 zip:1
    """,
    ),
    *counted(
        "train.callback",
        """
        Callback:0 CheckpointConfig:6 LossMonitor:1 ModelCheckpoint:3 RunContext:1 SummaryCollector:7
        TimeMonitor:1
    """,
    ),
    *counted(
        "train.serialization",
        """
        build_searched_strategy:1 export:3 load_checkpoint:2 load_param_into_net:2 merge_sliced_parameter:2
        parse_print:1 save_checkpoint:4
    """,
    ),
    *counted(
        "train.loss_scale_manager",
        """
        DynamicLossScaleManager:3 FixedLossScaleManager:2 LossScaleManager:0
    """,
    ),
    *counted(
        "common.initializer",
        """
        Constant:1 HeNormal:3 HeUniform:0 Initializer:0 Normal:1 One:0 TruncatedNormal:1 Uniform:1
        XavierUniform:1 Zero:0 initializer:3
    """,
    ),
    *counted(
        "nn.probability.distribution",
        """
        Bernoulli:4 Categorical:5 Distribution:4 Exponential:4 Geometric:4 Normal:5
        TransformedDistribution:5 Uniform:5
    """,
    ),
    *counted(
        "nn.probability.bijector",
        """
        Bijector:5 Exp:1 PowerTransform:3 ScalarAffine:3 Softplus:2
    """,
    ),
    *counted(
        "context",
        """
        ParallelMode:0 get_auto_parallel_context:1 get_context:1 get_ps_context:1
        reset_auto_parallel_context:0 reset_ps_context:0 set_auto_parallel_context:0 set_context:0
        set_ps_context:0
    """,
    ),
    *counted(
        "mindrecord",
        """
        Cifar100ToMR:2 Cifar10ToMR:2 CsvToMR:4 FileReader:4 FileWriter:2 ImageNetToMR:4 MindPage:2
        MnistToMR:3 TFRecordToMR:4
    """,
    ),
    *counted(
        "",
        """
        DatasetHelper:4 Model:7 Parameter:4 ParameterTuple:0 RowTensor:3 SparseTensor:3 Tensor:2 Type:0
        connect_network_with_dataset:2 dtype_to_nptype:1 dtype_to_pytype:1 get_level:0 get_log_config:0
        get_py_obj_dtype:1 get_seed:0 issubclass_:2 ms_function:3 pytype_to_dtype:1 set_seed:1
    """,
    ),
    *counted(
        "nn.dynamic_lr",
        """
        cosine_decay_lr:5 exponential_decay_lr:6 inverse_decay_lr:6 natural_exp_decay_lr:6
        piecewise_constant_lr:2 polynomial_decay_lr:7 warmup_lr:4
    """,
    ),
    *counted(
        "communication.management",
        """
        create_group:2 destroy_group:1 get_group_rank_from_world_rank:2 get_group_size:1 get_local_rank:1
        get_local_rank_size:1 get_rank:1 get_world_rank_from_group_rank:2 init:1 release:0
    """,
    ),
    *counted(
        "train.model",
        """
        Model:7
    """,
    ),
    *counted(
        "train.summary",
        """
        SummaryRecord:5
    """,
    ),
    *counted(
        "train.amp",
        """
        build_train_network:4
    """,
    ),
    *counted(
        "dataset.callback",
        """
        DSCallback:1 WaitedDSCallback:1
    """,
    ),
]

CASES = [
    *[Case(f"arguments('{path}', {count})") for path, count in PUBLISHED],
    *[Case(f"defaults('{path}', {count})") for path, count in PUBLISHED if count],
]
