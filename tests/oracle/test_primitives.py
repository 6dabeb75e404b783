"""Every primitive of `ops.operations` has at least two recorded cases; those that the CPU build of MindSpore cannot
run are held to formulas in NumPy: the ones below, and those of the tests of their own topic."""

import ast
import gzip
import importlib
import json
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from mindspore import Parameter, Tensor
from mindspore.ops import operations as P
from mindspore.ops.operations import _quant_ops as Q

from msbridge.dropin.stand_ins import stands_in
from tests.oracle.case import load, words
from tests.oracle.families import FAMILIES, HERE

TESTS = HERE.parent
WORD = re.compile(r"[A-Za-z_]\w*")
RELEASE = json.loads(gzip.decompress((HERE / "names" / "2.10.0.json.gz").read_bytes()))
NAMES = RELEASE["modules"]["mindspore.ops.operations"]
OF_TOPICS = words(
    """
    ActULQClampMaxGrad ActULQClampMinGrad ActsULQ ActsULQInputGrad ApplyKerasMomentum BatchNormFold BatchNormFold2
    BatchNormFold2D BatchNormFold2Grad BatchNormFold2GradD BatchNormFold2GradReduce BatchNormFoldD BatchNormFoldGrad
    BatchNormFoldGradD CacheSwapTable CholeskyTrsm ComputeAccidentalHits CorrectionMul CorrectionMulGrad
    CorrectionMulGradReduce CusBatchMatMul CusCholeskyTrsm CusFusedAbsMax1 CusImg2Col CusMatMulCube
    CusMatMulCubeDenseLeft CusMatMulCubeDenseRight CusMatMulCubeFraczLeftCast CusMatMulCubeFraczRightMul
    CusMatrixCombine CusTranspose02314 DepthwiseConv2dNative DetTriangle Dilation2D DropoutDoMask DropoutGenMask
    DumpGradient DynamicAssign DynamicGRUV2 DynamicRNN ExtractImagePatches FakeQuantParam FakeQuantPerChannelGrad
    FakeQuantPerLayerGrad FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannel
    FakeQuantWithMinMaxVarsPerChannelGradient FloatStatus FusedWeightScaleApplyMomentum HistogramFixedWidth
    InstanceNorm LARSUpdate LambApplyOptimizerAssign LambApplyWeightAssign LoadIm2Col LogSoftmaxExt MoveTo
    MultilabelMarginLoss NPUAllocFloatStatus NPUClearFloatStatus NPUGetFloatStatus NewIm2Col NonMaxSuppressionV3
    PagedAttention PagedAttentionMask PyFunc Quantile Randperm ReshapeAndCache Reusing Roll SoftMarginLoss
    SparseApplyAdadelta SparseApplyFtrlV2 SparseApplyProximalAdagrad SplitV TransShape TripletMarginLoss TypeAs
    ApplyRotaryPosEmb GroupTopk UpdateThorGradient WtsARQ ms_kernel
    """
)
"""No kernel on the CPU, or no such primitive in PyNative mode: the tests of their topics have formulas."""
OF_PROCESSES = words(
    """
    AllGather AllReduce AlltoAll Barrier Broadcast CollectiveGather CollectiveScatter NeighborExchange Reduce
    ReduceScatter Reshard Send _AllSwap
    """
)
"""These speak with other processes; tests/distributed starts them."""
QUANT = [f"FakeLearnedScaleQuantPer{kind}Grad{end}" for kind in ("Layer", "Channel") for end in ("", "D", "DReduce")]
RNG = np.random.default_rng(7)
X = np.round(RNG.uniform(-2, 2, (4, 2, 2, 2)) * 64) / 64
ROWS, MATRIX = X[:, :, 0, 0], X.reshape(4, 8)[:3, :3] + 3 * np.eye(3)


linalg = pytest.importorskip("scipy.linalg")


def tensor(array: object) -> Tensor:
    return Tensor(np.asarray(array, np.float32))


def blocks(array: np.ndarray, size: int = 2) -> np.ndarray:
    """Put the images of a batch, in groups of size·size, next to each other pixel by pixel."""
    batch, channels, height, width = array.shape
    parts = array.reshape(size, size, batch // size**2, channels, height, width)
    return parts.transpose(2, 3, 4, 0, 5, 1).reshape(batch // size**2, channels, height * size, width * size)


def scattered() -> Tensor:
    return P.ScatterNonAliasingAdd()(Parameter(tensor(ROWS), name="p"), Tensor([[2], [0]]), tensor(ROWS[:2]))


def stepped() -> tuple[np.ndarray, np.ndarray]:
    """The weight after a step of Adam whose gradient is divided by a norm; and the same by its formula."""
    states = [Parameter(tensor(array), name=f"p{index}") for index, array in enumerate((ROWS, ROWS / 4, ROWS**2))]
    settings = [tensor(value) for value in (0.1, 0.9, 0.5, 1e-3, 0.25)]
    P.FusedCastAdamWeightDecay()(*states, *settings, Tensor(ROWS.astype(np.float16)), tensor(2.0))
    gradient = ROWS / 2
    m, v = 0.9 * ROWS / 4 + 0.1 * gradient, 0.5 * ROWS**2 + 0.5 * gradient**2
    return states[0].asnumpy(), ROWS - 0.1 * (m / (np.sqrt(v) + 1e-3) + 0.25 * ROWS)


def reflectors() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A matrix as LAPACK leaves it after a QR decomposition: reflectors, their factors, and Q."""
    (raw, tau), _ = linalg.qr(MATRIX, mode="raw")
    return raw, tau, linalg.qr(MATRIX)[0]


RAW, TAU, ORTHOGONAL = reflectors()
DENSE, RMS = blocks(X), np.sqrt((ROWS**2).mean(-1, keepdims=True) + 1e-6)
FORMULAS = {
    "AccumulateNV2": [
        lambda: (P.AccumulateNV2()((tensor(X), tensor(X), tensor(-3 * X))), -X),
        lambda: (P.AccumulateNV2()([tensor(ROWS)]), ROWS),
    ],
    "BatchToSpace": [
        lambda: (P.BatchToSpace(2, [[0, 0], [0, 0]])(tensor(X)), DENSE),
        lambda: (P.BatchToSpace(block_size=2, crops=[[1, 0], [0, 2]])(tensor(X)), DENSE[:, :, 1:, :-2]),
    ],
    "BatchToSpaceNDV2": [
        lambda: (P.BatchToSpaceNDV2()(tensor(X), Tensor([2, 2]), Tensor([[0, 0], [0, 0]])), DENSE),
        lambda: (P.BatchToSpaceNDV2()(tensor(X), Tensor([2, 2]), Tensor([[0, 1], [1, 0]])), DENSE[:, :, :-1, 1:]),
    ],
    "CountNonZero": [
        lambda: (P.CountNonZero()(tensor([[0, 1, 2], [0, 0, -3]])), 3),
        lambda: (P.CountNonZero((1,))(tensor([[0, 1, 2], [0, 0, -3]])), [2, 1]),
    ],
    "DynamicShape": [lambda: (P.DynamicShape()(tensor(X)), X.shape), lambda: (P.DynamicShape()(tensor(ROWS)), (4, 2))],
    "EuclideanNorm": [
        lambda: (P.EuclideanNorm()(tensor(ROWS), Tensor([0])), np.sqrt((ROWS**2).sum(0))),
        lambda: (P.EuclideanNorm(True)(tensor(ROWS), Tensor([0, 1])), np.sqrt((ROWS**2).sum(keepdims=True))),
    ],
    "Fills": [
        lambda: (P.Fills()(tensor(ROWS), 2.5), np.full_like(ROWS, 2.5)),
        lambda: (P.Fills()(tensor(ROWS), Tensor(-1.0)), np.full_like(ROWS, -1)),
    ],
    "Fmin": [
        lambda: (P.Fmin()(tensor(ROWS), tensor(-ROWS)), np.fmin(ROWS, -ROWS)),
        lambda: (P.Fmin()(tensor([np.nan, 2.0]), tensor([1.0, np.nan])), [1.0, 2.0]),
    ],
    "FusedCastAdamWeightDecay": [stepped, stepped],
    "GatherV2": [
        lambda: (P.GatherV2()(tensor(ROWS), Tensor([2, 0]), 0), ROWS[[2, 0]]),
        lambda: (P.GatherV2()(tensor(ROWS), Tensor([[1]]), 1), ROWS[:, [[1]]]),
    ],
    "LerpScalar": [
        lambda: (P.LerpScalar()(tensor(ROWS), tensor(-ROWS), 0.25), ROWS / 2),
        lambda: (P.LerpScalar()(tensor(ROWS), tensor(ROWS + 1), 2.0), ROWS + 2),
    ],
    "MatrixExp": [
        lambda: (P.MatrixExp()(tensor(MATRIX)), linalg.expm(MATRIX)),
        lambda: (P.MatrixExp()(tensor(np.zeros((2, 3, 3)))), np.broadcast_to(np.eye(3), (2, 3, 3))),
    ],
    "Ormqr": [
        lambda: (P.Ormqr()(tensor(RAW), tensor(TAU), tensor(MATRIX)), ORTHOGONAL @ MATRIX),
        lambda: (P.Ormqr(False, True)(tensor(RAW), tensor(TAU), tensor(MATRIX)), MATRIX @ ORTHOGONAL.T),
    ],
    "ScalarToArray": [lambda: (P.ScalarToArray()(5), 5), lambda: (P.ScalarToArray()(1.5), 1.5)],
    "ScatterNonAliasingAdd": [
        lambda: (scattered()[0], ROWS[0] + ROWS[1]),
        lambda: (scattered()[1:], np.stack([ROWS[1], ROWS[2] + ROWS[0], ROWS[3]])),
    ],
    "SpaceToBatch": [
        lambda: (P.SpaceToBatch(2, [[0, 0], [0, 0]])(tensor(DENSE)), X),
        lambda: (
            blocks(P.SpaceToBatch(2, [[1, 1], [0, 2]])(tensor(DENSE)).asnumpy()),
            np.pad(DENSE, ((0, 0), (0, 0), (1, 1), (0, 2))),
        ),
    ],
    "RmsNorm": [
        lambda: (P.RmsNorm()(tensor(ROWS), tensor([1.0, 2.0]))[0], ROWS / RMS * [1, 2]),
        lambda: (P.RmsNorm()(tensor(ROWS), tensor([1.0, 2.0]))[1], 1 / RMS),
    ],
    "SparseGatherV2": [
        lambda: (P.SparseGatherV2()(tensor(ROWS), Tensor([2, 0]), 0), ROWS[[2, 0]]),
        lambda: (P.SparseGatherV2()(tensor(ROWS), Tensor([[1]]), 1), ROWS[:, [[1]]]),
    ],
}


def defined_words(module: object) -> dict[str, set[str]]:
    """Return the words of every function and class that a file of cases defines: an expression may name the helper."""
    definitions = ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
    kinds = ast.FunctionDef | ast.ClassDef
    return {node.name: set(WORD.findall(ast.unparse(node))) for node in definitions if isinstance(node, kinds)}


def recorded() -> Counter[str]:
    """Count for every word how many cases use it."""
    counts: Counter[str] = Counter()
    for family in FAMILIES:
        module, cases = load(family)
        defined = defined_words(module)
        for case in cases:
            named = set(WORD.findall(case.name))
            counts.update(named.union(*(defined[word] for word in named & defined.keys())))
    return counts


def is_there(module: ModuleType, name: str) -> bool:
    return hasattr(module, name) and not stands_in(getattr(module, name))


def test_every_primitive_has_two_recorded_cases_or_a_formula() -> None:
    counts = recorded()
    elsewhere = {*OF_TOPICS, *OF_PROCESSES, *FORMULAS, *QUANT}
    few = [name for name in NAMES if is_there(P, name) and counts[name] < 2 and name not in elsewhere]
    assert not few, f"record two cases of each: {few}"


def test_every_primitive_of_an_inner_module_has_two_recorded_cases_or_a_test() -> None:
    counts, listed = recorded(), set(NAMES)
    held = words_of_tests()
    few = {
        name
        for path, names in RELEASE["modules"].items()
        if path.startswith("mindspore.ops.operations.") and path.rpartition(".")[2][0] != "_"
        for name in names
        if name[0].isupper() and name not in listed | held and counts[name] < 2
        if is_there(importlib.import_module(path), name)
    }
    assert not few, f"record two cases of each: {sorted(few)}"


def words_of_tests() -> set[str]:
    """Return every word of the tests of topics."""
    files = [path for path in TESTS.rglob("test_*.py") if HERE not in path.parents]
    return set().union(*(WORD.findall(path.read_text(encoding="utf-8")) for path in files))


def test_the_tests_of_topics_name_what_they_are_said_to_hold() -> None:
    assert not set(OF_TOPICS) - words_of_tests()


@pytest.mark.parametrize("name", FORMULAS)
def test_a_primitive_without_a_recording_gives_what_its_formula_gives(name: str) -> None:
    for case in FORMULAS[name]:
        result, expected = case()
        found = result.asnumpy() if isinstance(result, Tensor) else result
        np.testing.assert_allclose(found, np.asarray(expected), rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("kind", ["Layer", "Channel"])
@pytest.mark.parametrize("neg_trunc", [True, False])
def test_gradients_of_a_learned_scale(kind: str, neg_trunc: bool) -> None:
    channels = kind == "Channel"
    settings = {"channel_axis": 1} if channels else {}
    scale = np.array([0.75, 1.5]) if channels else np.array([1.25])
    steps = np.array([127.0])
    part = ROWS / scale
    low = 0 if neg_trunc else -1
    inside = (part >= low) & (part <= 1)
    by_element = np.floor(part.clip(low, 1) * steps + 0.5) / steps - part * inside
    summed = by_element.sum(0 if channels else None).reshape(-1)
    inputs = [tensor(array) for array in (np.ones_like(ROWS), ROWS, scale, steps)]
    whole, _, _ = (getattr(Q, name) for name in QUANT if kind in name)
    _, by_parts, reduced = (getattr(Q, name) for name in QUANT if kind in name)
    dx, dscale = whole(neg_trunc=neg_trunc, **settings)(*inputs)
    dx_again, parts = by_parts(neg_trunc=neg_trunc, **settings)(*inputs)
    for found, expected in (
        (dx, inside),
        (dx_again, inside),
        (parts, by_element),
        (dscale, summed),
        (reduced(**settings)(parts), summed),
    ):
        np.testing.assert_allclose(found.asnumpy().reshape(np.shape(expected)), expected, atol=1e-5)
