"""Functions and methods of 1.10: their arguments by name and in place, and what they returned."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn  # noqa: F401

from tests.oracle.case import Case
from tests.oracle.cases._tried import tried, tries  # noqa: F401

X = Tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], ms.float32)
SMALL = X / 4
SQUARE = Tensor([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], ms.float32)
LINE = Tensor([1.0, 2.0, 3.0], ms.float32)
ROWS = Tensor(np.arange(4).reshape(1, 1, 4), ms.float32)
IMAGE = Tensor(np.arange(16).reshape(1, 1, 4, 4) / 4 - 1, ms.float32)
VOLUME = Tensor(np.arange(8).reshape(1, 1, 2, 2, 2), ms.float32)
BOOLS = Tensor(X.asnumpy() > 0)  # 1.1 compares no Float32 on a CPU
N = Tensor([6, 3, 9], ms.int32)
LABELS = Tensor([0, 2], ms.int32)


def squared(x):
    return x * x


def both(x, y):
    return x * y, x


# ruff: noqa: E501
EXPRESSIONS = """
X.argmax(), X.argmax(1), X.argmin(), X.argmin(0)
X.max(1), X.max(1, True), X.max(initial=5.0), X.min(initial=Tensor(-3.0)), X.min(0, initial=0.25)
X.median(False, 1, True), ops.median(X + 0, False, 1), ops.median(LINE, global_median=False, axis=0, keep_dims=True)
X.norm(1), X.norm(0, 3, True), X.norm([0, 1], p=1), X.norm(axis=1, p=2, keep_dims=True, epsilon=1e-12)
ops.norm(X, [0, 1], p=2), ops.norm(X, 1), ops.norm(input_x=X, axis=0, p=1, keep_dims=True)
X.split(1, 3), X.split(axis=0, output_num=2), ops.split(X, 1, 3), ops.split(X), ops.split(input_x=X, axis=0, output_num=2)
BOOLS.all(), BOOLS.all(1, True), BOOLS.any(axis=0), BOOLS.any(())
X.amax(()), X.amax(1, True), X.amin(axis=0, keep_dims=True), X.mean(()), X.prod(()), X.prod(1, True)
X.add(y=X), X.atan2(y=X), X.pow(power=2), X.approximate_equal(y=X, tolerance=0.1)
N.bitwise_and(x=N), N.bitwise_or(x=N), N.bitwise_xor(x=N)
X.addcdiv(x1=X, x2=X, value=Tensor([2.0])), X.addcmul(x1=X, x2=X, value=Tensor([2.0]))
X.swapaxes(axis1=0, axis2=1), LINE.ger(x=LINE), X.renorm(p=1, dim=0, maxnorm=1.0)
X.index_fill(dim=1, index=Tensor([0], ms.int32), value=9.0), X.index_fill(1, Tensor([0], ms.int32), 9.0)
ops.argmax(X), ops.argmax(X, 0), ops.argmax(x=X, axis=0, output_type=ms.int32), ops.argmin(X), ops.argmin(x=X, axis=0)
ops.std(X), ops.std(X, 1, True, False), ops.std(X, 1, False, True), ops.std(input_x=X, axis=0, unbiased=False, keep_dims=True)
ops.all(x=BOOLS, axis=1, keep_dims=True), ops.any(x=BOOLS, axis=()), ops.amax(x=X, axis=(), keep_dims=False), ops.amin(X, 1, True), ops.prod(X, ())
ops.avg_pool2d(IMAGE, 2, 2), ops.avg_pool2d(IMAGE, 2, 1, 'same'), ops.avg_pool2d(x=IMAGE, kernel_size=2, strides=2, pad_mode='valid', data_format='NCHW')
ops.dropout(X, 0.0), ops.dropout(X, 0.5, 3, 4)[0].shape, ops.dropout(x=X, p=0.5, seed0=1, seed1=2)[1].shape
ops.dropout2d(IMAGE, 0.0), ops.dropout2d(x=IMAGE, p=0.5)[1].shape, ops.dropout3d(VOLUME, 0.0), ops.dropout3d(x=VOLUME, p=0.5)[1].dtype
ops.interpolate(ROWS, None, None, (8,), 'align_corners', 'linear'), ops.interpolate(ROWS, scales=(1.0, 1.0, 2.0))
ops.interpolate(ROWS, sizes=(7,), coordinate_transformation_mode='half_pixel'), ops.interpolate(ROWS, sizes=(6,), coordinate_transformation_mode='asymmetric')
ops.interpolate(IMAGE, sizes=(2, 2), mode='bilinear'), ops.interpolate(IMAGE, scales=(1.0, 1.0, 2.0, 1.0), mode='bilinear')
ops.interpolate(IMAGE, sizes=(8, 6), coordinate_transformation_mode='asymmetric', mode='bilinear')
ops.meshgrid((LINE, LINE + 2)), ops.meshgrid((LINE, LINE[:2]), 'ij'), ops.meshgrid(inputs=(LINE, LINE, LINE), indexing='ij')
ops.pad(X, ((1, 0), (0, 2))), ops.pad(input_x=X, paddings=((0, 0), (1, 1)))
ops.random_gamma(Tensor([2], ms.int32), Tensor([1.0]), 1, 2).shape, ops.standard_laplace((2,), 1, 2).shape, ops.standard_normal((2,), 1, 2).shape
ops.standard_normal(shape=(3,), seed=1, seed2=2).dtype, ops.standard_laplace(shape=(3,), seed=1, seed2=2).dtype
ops.vjp(squared, X, X), ops.vjp(both, (X, X), (X, X)), ops.vjp(fn=squared, inputs=LINE, v=LINE)
nn.BCELoss()(Tensor([0.5, 0.25]), Tensor([1.0, 0.0])), nn.BCELoss(None, 'sum')(Tensor([0.5, 0.25]), Tensor([1.0, 0.0]))
nn.AvgPool2d(2, 2, 'same', 'NCHW')(IMAGE), nn.MaxPool2d(2, 2, 'valid', 'NCHW')(IMAGE)
ops.abs(x=X), ops.acos(x=SMALL), ops.acosh(x=X + 3), ops.asin(x=SMALL), ops.atan(x=X), ops.ceil(x=X), ops.cos(x=X), ops.cosh(x=X)
ops.erf(x=X), ops.erfc(x=X), ops.exp(x=X), ops.expm1(x=X), ops.floor(x=X), ops.log(x=X + 2), ops.log1p(x=SMALL)
ops.logical_not(x=BOOLS), ops.matrix_determinant(x=SQUARE), ops.neg(x=X), ops.nonzero(x=X), ops.relu(x=X), ops.round(x=X), ops.sin(x=X)
ops.sinh(x=X), ops.square(x=X), ops.tan(x=X), ops.unique(x=N), ops.isreal(x=X), ops.log_matrix_determinant(x=SQUARE)
ops.add(x=X, y=X), ops.atan2(x=X, y=X), ops.div(x=X, y=X + 3), ops.equal(x=X, y=X), ops.logical_and(x=BOOLS, y=BOOLS), ops.logical_or(x=BOOLS, y=BOOLS)
ops.mul(x=X, y=X), ops.pow(x=X, y=2), ops.sub(x=X, y=X), ops.xlogy(x=X, y=X + 3), ops.bitwise_and(x=N, y=N), ops.bitwise_or(x=N, y=N), ops.bitwise_xor(x=N, y=N)
ops.ger(x1=LINE, x2=LINE), ops.matmul(x1=X, x2=SQUARE), ops.outer(x1=LINE, x2=LINE), ops.dot(x1=X, x2=SQUARE)
ops.flatten(input_x=IMAGE), ops.ones_like(input_x=X), ops.sigmoid(input_x=X), ops.tanh(input_x=X), ops.trunc(input_x=X)
ops.squeeze(input_x=ROWS, axis=()), ops.concat(input_x=(X, X), axis=1), ops.stack(input_x=(X, X), axis=1), ops.transpose(input_x=X, input_perm=(1, 0))
ops.reshape(input_x=X, input_shape=(3, 2)), ops.tile(input_x=X, multiples=(1, 2)), ops.broadcast_to(x=LINE, shape=(2, 3)), ops.renorm(input_x=X, p=1, dim=0, maxnorm=1.0)
ops.addcdiv(input_data=X, x1=X, x2=X, value=Tensor([2.0])), ops.addcmul(input_data=X, x1=X, x2=X, value=Tensor([2.0]))
ops.affine_grid(theta=Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), output_size=(1, 1, 2, 2), align_corners=False)
ops.grid_sample(input_x=IMAGE, grid=ops.zeros((1, 2, 2, 2), ms.float32), interpolation_mode='bilinear', padding_mode='zeros', align_corners=False)
ops.narrow(inputs=X, axis=1, start=0, length=2), ops.gather_elements(x=X, dim=1, index=Tensor([[0], [1]])), ops.masked_select(x=X, mask=BOOLS)
ops.cross_entropy(inputs=X, target=LABELS), ops.smooth_l1_loss(logits=X, labels=X + 2, beta=0.5, reduction='mean')
ops.eye(n=2, m=3, t=ms.int32), ops.ones(shape=(2,), type=ms.float32), ops.lerp(start=X, end=X + 1, weight=0.5)
ops.range(start=Tensor(0, ms.int32), limit=Tensor(5, ms.int32), delta=Tensor(2, ms.int32)), ops.linspace(start=Tensor(0.0), stop=Tensor(4.0), num=3)
ops.cummax(x=X, axis=1), ops.cummin(x=X, axis=1), ops.logsumexp(x=X, axis=1, keep_dims=True), ops.cdist(x=X, y=X, p=2.0), ops.pdist(x=X, p=2.0)
ops.rot90(x=X, k=1, dims=[0, 1]), ops.soft_shrink(x=X, lambd=0.5), ops.svd(a=SQUARE, full_matrices=False, compute_uv=False)
ops.baddbmm(x=ROWS, batch1=ROWS, batch2=ops.ones((1, 4, 4), ms.float32), beta=1, alpha=1)
ops.adaptive_avg_pool1d(input_x=ROWS, output_size=2)
""".strip().splitlines()

CASES = [Case(tries(one)) for one in EXPRESSIONS]
