"""Primitives on the parts of sparse and ragged tensors."""

from mindspore import Tensor
from mindspore.ops import operations  # noqa: F401  # the expressions use them
from mindspore.ops.operations import _csr_ops, sparse_ops  # noqa: F401

from tests.oracle.case import Case, each, ints, rand

AT = Tensor([[0, 1], [1, 0], [1, 2]])
OTHER = Tensor([[0, 1], [0, 2], [2, 1]])
SHAPE = Tensor([3, 4])
HEAD = Tensor([3, 4]).astype("int32"), Tensor([0, 3]).astype("int32")
ROWS = Tensor([0, 1, 3, 3]).astype("int32"), Tensor([1, 0, 2]).astype("int32")
ROWS_B = Tensor([0, 2, 2, 3]).astype("int32"), Tensor([0, 1, 3]).astype("int32")
BATCH = Tensor([2, 2, 3]).astype("int32"), Tensor([0, 2, 5]).astype("int32")
ROWS_OF_BATCH = Tensor([0, 1, 2, 0, 2, 3]).astype("int32"), Tensor([1, 2, 0, 1, 2]).astype("int32")
LEFT = Tensor([[1, 2, 3], [2, 2, 1]]).astype("int32")
RIGHT = Tensor([[1, 5, 3], [2, 7, 9]]).astype("int32")
PICK = Tensor([0, 2, 1, 0]).astype("int32")
IDS = Tensor([0, 0, 1, 2]).astype("int32")
GAPS = Tensor([0, 0, 2, 2]).astype("int32")
EVEN = Tensor([3, 3])
TWO = Tensor([[0, 0, 2], [1, 2, 0]])
FLAT = Tensor([2, 3]).astype("int32")
SORTED = Tensor([[0, 0, 1], [1, 1, 0], [1, 1, 2]]).astype("int32")
FIVE = Tensor([5]).astype("int32")


def csr(values: Tensor) -> tuple:
    return *HEAD, *ROWS, values


def csr_b(values: Tensor) -> tuple:
    return *HEAD, *ROWS_B, values


def batch(values: Tensor) -> tuple:
    return *BATCH, *ROWS_OF_BATCH, values


CASES = [
    *each(
        """
        sparse_ops.SparseDenseCwiseMul()(AT, v, SHAPE, d)
        sparse_ops.SparseDenseCwiseMul()(AT, v, SHAPE, d[:, :1])
        sparse_ops.SparseSoftmax()(AT, v, SHAPE)
        sparse_ops.SparseSoftmax()(OTHER, v, SHAPE)
        operations.SparseTensorDenseAdd()(AT, v, SHAPE, d)
        operations.SparseTensorDenseMatmul()(AT, v, SHAPE, d.reshape(4, 3))
        sparse_ops.CSRSparseMatrixToSparseTensor()(*csr(v))
        sparse_ops.CSRSparseMatrixToDense()(*csr(v))
        _csr_ops.CSRReduceSum()(*ROWS, v, (3, 4), 1)
        _csr_ops.CSRMV()(*ROWS, v, (3, 4), d[:1].reshape(4, 1))
        _csr_ops.CSRMul()(*ROWS, v, (3, 4), d)
        sparse_ops.SparseSegmentSum()(d, PICK, IDS)
        sparse_ops.SparseSegmentSumWithNumSegments()(d, PICK, GAPS, FIVE)
        sparse_ops.SparseSegmentSqrtN()(d, PICK, IDS)
        sparse_ops.SparseSegmentSqrtNWithNumSegments()(d, PICK, GAPS, FIVE)
        sparse_ops.SparseSegmentMeanWithNumSegments()(d, PICK, GAPS, FIVE)
        sparse_ops.SparseSegmentSumWithNumSegments()(d, PICK, IDS, FIVE)
        sparse_ops.SparseSegmentSqrtNWithNumSegments()(d, PICK, IDS, FIVE)
        sparse_ops.SparseSegmentMeanWithNumSegments()(d, PICK, IDS, FIVE)
        """,
        v=rand(3),
        d=rand(3, 4),
        grad=True,
    ),
    *each(
        """
        sparse_ops.SparseDenseCwiseAdd()(AT, v, SHAPE, d)
        sparse_ops.SparseDenseCwiseAdd()(AT, v, SHAPE, d[0])
        _csr_ops.CSRDiv()(*ROWS, v, (3, 4), d + 3)
        _csr_ops.CSRMM()(*ROWS, v, (3, 4), d.reshape(4, 3))
        _csr_ops.CSRGather()(*ROWS, d, (3, 4))
        _csr_ops.CSR2COO()(ROWS[0], 3), _csr_ops.COO2CSR()(Tensor([0, 1, 1]).astype(ms.int32), 3)
        operations.SparseSlice()(AT, v, SHAPE, Tensor([0, 1]), Tensor([2, 3]))
        operations.SparseSlice()(AT, v, SHAPE, Tensor([1, 0]), Tensor([5, 5]))
        sparse_ops.SparseSparseMaximum()(AT, v, SHAPE, OTHER, v * 2, SHAPE)
        sparse_ops.SparseSparseMinimum()(AT, v, SHAPE, OTHER, v * 2, SHAPE)
        sparse_ops.SparseReorder()(AT[::-1], v, SHAPE)
        sparse_ops.SparseReorder()(OTHER[::-1], v, SHAPE)
        sparse_ops.SparseSparseMaximum()(AT, v, SHAPE, AT, v * 2, SHAPE)
        sparse_ops.SparseSparseMinimum()(AT, v, SHAPE, AT, v * 2, SHAPE)
        sparse_ops.SparseTensorToCSRSparseMatrix()(OTHER.astype(ms.int32), v, SHAPE.astype(ms.int32))
        sparse_ops.SparseToDenseV2()(AT, SHAPE, v, Tensor(7.0))
        sparse_ops.SparseToDenseV2(False)(AT, SHAPE, v, Tensor(7.0))
        sparse_ops.SparseToDenseV2()(Tensor([1, 3, 2]), Tensor([5]), v, Tensor(7.0))
        sparse_ops.SparseConcat(1)([AT, OTHER], [v, v * 2], [SHAPE, SHAPE])
        sparse_ops.SparseConcat()((AT, OTHER), (v, v * 2), (SHAPE, SHAPE))
        sparse_ops.SparseAdd()(AT, v, SHAPE, OTHER, v * 2, SHAPE, Tensor(0.0))
        sparse_ops.SparseAdd()(AT, v, SHAPE, OTHER, v * 2, SHAPE, Tensor(100.0))
        sparse_ops.SparseFillEmptyRows()(AT, v, SHAPE, Tensor(9.0))
        sparse_ops.SparseFillEmptyRows()(OTHER, v, Tensor([5, 4]), Tensor(9.0))
        sparse_ops.SparseMatrixNNZ()(*csr(v))
        sparse_ops.SparseMatrixNNZ()(*batch(d.reshape(-1)[:5]))
        sparse_ops.SparseMatrixTranspose()(*csr(v))
        sparse_ops.SparseMatrixTranspose()(*batch(d.reshape(-1)[:5]))
        sparse_ops.SparseMatrixTranspose(conjugate=True)(*csr(v.astype(ms.complex64)))
        sparse_ops.SparseMatrixSoftmax(ms.float32)(*csr(v * 1))
        sparse_ops.SparseMatrixSoftmax(ms.float32)(csr(v * 1)[0], Tensor(v.size, ms.int32), *csr(v * 1)[2:])
        sparse_ops.CSRSparseMatrixToDense()(*batch(d.reshape(-1)[:5]))
        sparse_ops.CSRSparseMatrixToSparseTensor()(*batch(d.reshape(-1)[:5]))
        sparse_ops.SparseTensorToCSRSparseMatrix()(AT.astype(ms.int32), v, SHAPE.astype(ms.int32))
        sparse_ops.DenseToCSRSparseMatrix()(d, AT.astype(ms.int32))
        sparse_ops.DenseToCSRSparseMatrix()(d.reshape(2, 2, 3), SORTED)
        sparse_ops.SparseMatrixMatMul()(*csr(v), d.reshape(4, 3))
        sparse_ops.SparseMatrixMatMul(transpose_x1=True)(*csr(v), d)
        sparse_ops.SparseMatrixMatMul(transpose_x2=True, transpose_output=True)(*csr(v), d)
        sparse_ops.SparseMatrixMatMul(adjoint_x1=True, conjugate_output=True)(*csr(v), d)
        sparse_ops.SparseMatrixMatMul()(*batch(d.reshape(-1)[:5]), d.reshape(2, 3, 2))
        sparse_ops.SparseMatrixAdd()(*csr(v), *csr_b(v * 2), Tensor(1.0), Tensor(2.0))
        sparse_ops.SparseMatrixAdd()(*csr(v), *csr(v), Tensor(1.0), Tensor(-1.0))
        sparse_ops.SparseCountSparseOutput()(AT, Tensor([1, 1, 3]), SHAPE, v)
        sparse_ops.SparseCountSparseOutput(True, 2, 7)(AT, Tensor([1, 1, 3]), SHAPE, v)
        sparse_ops.SparseCountSparseOutput(minlength=6)(AT, Tensor([2, 1, 1]), SHAPE, v)
        sparse_ops.RaggedTensorToSparse(ms.int64)([Tensor([0, 3, 3, 7])], d.reshape(-1)[:7])
        sparse_ops.RaggedTensorToSparse(ms.int64)([Tensor([0, 1, 3]), Tensor([0, 2, 2, 5])], d.reshape(-1)[:5])
        operations.RaggedRange(Tsplits=ms.int64)(Tensor([2.0, 5.0]), Tensor([3.5, 5.0]), Tensor([0.5, 1.0]))
        """,
        v=rand(3),
        d=rand(3, 4),
    ),
    *each(
        """
        operations.RaggedRange(Tsplits=ms.int32)(Tensor([2, 5, 8]), Tensor([3, 5, 12]), Tensor([1, 1, 2]))
        operations.RaggedRange(ms.int64)(Tensor([9, 5]), Tensor([3, 5]), Tensor([-2, 1]))
        sparse_ops.DenseToDenseSetOperation()(LEFT, RIGHT)
        sparse_ops.DenseToDenseSetOperation("b-a")(LEFT, RIGHT)
        sparse_ops.DenseToDenseSetOperation("union")(LEFT, RIGHT)
        sparse_ops.DenseToDenseSetOperation("intersection")(LEFT, RIGHT)
        sparse_ops.SparseAddmm()(AT[:2].astype(ms.int32), n[0, :2], FLAT, n[:, :2], n[:2, :2], n[0, :1], n[0, 1:2])
        sparse_ops.SparseAddmm()(AT[:2].astype(ms.int32), n[1, :2], FLAT, n[:, 1:], n[1:, 1:], n[0, 1:2], n[0, :1])
        sparse_ops.Sspaddmm()(AT[:2], n[0, :2], EVEN, OTHER[:2], n[1, :2], EVEN, n, n[0, 0], n[1, 1])
        sparse_ops.Sspaddmm()(AT[:2], n[0, :2], EVEN, TWO, n[1], EVEN, n, n[0, 0], n[1, 1])
        """,
        n=ints(3, 3),
    ),
    *each(
        """
        sparse_ops.SparseMatrixSoftmax("a")
        sparse_ops.DenseToDenseSetOperation(1)
        sparse_ops.RaggedTensorToTensor(1)
        sparse_ops.RaggedTensorToTensor([1])
        sparse_ops.RaggedTensorToSparse(ms.float32)
        operations.RaggedRange(ms.float32)
        """,
        raises=TypeError,
    ),
    *each(
        """
        sparse_ops.DenseToDenseSetOperation("x")(LEFT, RIGHT)
        sparse_ops.RaggedTensorToTensor(["A"])
        sparse_ops.RaggedTensorToTensor([])
        sparse_ops.RaggedTensorToTensor(["VALUE_ROWIDS"])
        sparse_ops.RaggedTensorToTensor(["ROW_SPLITS", "VALUE_ROWIDS"])
        sparse_ops.RaggedTensorToTensor(["FIRST_DIM_SIZE", "ROW_SPLITS"])
        sparse_ops.SparseSegmentSum()(Tensor([[0.0], [1.0], [2.0]]), PICK, GAPS)
        sparse_ops.SparseSegmentSqrtN()(Tensor([[0.0], [1.0], [2.0]]), PICK, GAPS)
        sparse_ops.SparseSegmentSum()(Tensor([[0.0], [1.0], [2.0]]), PICK, IDS[::-1])
        """,
        raises=ValueError,
    ),
    Case("sparse_ops.SparseToDenseV2()(AT[:1].tile((2, 1)), SHAPE, v, Tensor(7.0))", v=rand(2), raises=ValueError),
]
