"""Networks that together call every rule by which a `.mindir` file is written; the real MindSpore runs what comes out.

python tests/train/record_exported.py PY …    # asks real releases whether they give the same numbers
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import msbridge
from msbridge import Tensor, mint, nn, ops

Case = tuple[Callable[[], Any], tuple[Any, ...]]

_random = np.random.default_rng(5)


def rand(*shape: int) -> Tensor:
    return Tensor(_random.uniform(0.05, 0.95, shape).astype(np.float32))


def whole(below: int, *shape: int, dtype: Any = np.int32) -> Tensor:
    return Tensor(_random.integers(0, below, shape).astype(dtype))


def truth(*shape: int) -> Tensor:
    return Tensor(_random.integers(0, 2, shape).astype(bool))


class Of(nn.Cell):
    """A function as a Cell, with the layers that it uses."""

    def __init__(self, function: Callable[..., Any], **layers: nn.Cell) -> None:
        super().__init__()
        for name, layer in layers.items():
            setattr(self, name, layer)
        self._function = function

    def construct(self, *inputs: Tensor) -> Any:
        return self._function(self, *inputs) if self._cells else self._function(*inputs)


UNARY = """
abs neg relu sigmoid tanh exp ceil floor round sign erf erfc expm1 sin cos tan sinh cosh atan asinh square silu
gelu mish softsign hardswish hardsigmoid selu elu relu6 leaky_relu trunc isnan isinf isfinite logsigmoid hardshrink
softshrink celu log log1p sqrt rsqrt reciprocal asin acos atanh erfinv lgamma log2 log10 softplus"""
BINARY = ["add", "sub", "mul", "div", "maximum", "minimum", "atan2", "floor_div", "floor_mod", "fmod", "pow", "hypot"]
COMPARING = ["equal", "ne", "lt", "le", "gt", "ge"]


def unary(x: Tensor) -> Any:
    return [getattr(ops, name)(x) for name in UNARY.split()] + [ops.acosh(x + 1), ops.gelu(x, approximate="none")]


def binary(x: Tensor, y: Tensor) -> Any:
    found = [getattr(ops, name)(x, y) for name in BINARY]
    return [
        *found,
        1 - x,
        1 / x,
        2**x,
        x**3 + x**2 + x**0.5 + x ** (-0.5),
        ops.lerp(x, y, 0.3),
        ops.addcmul(x, y, y, 0.5),
    ]


def whole_numbers(x: Tensor, y: Tensor, p: Tensor, q: Tensor) -> Any:
    found = [getattr(ops, name)(x, y) for name in COMPARING]
    found += [
        ops.logical_and(p, q),
        ops.logical_or(p, q),
        ops.logical_xor(p, q),
        ops.logical_not(p),
        ~x,
        p & q,
        p * 2.5,
    ]
    found += [ops.bitwise_and(x, y), ops.bitwise_or(x, y), x / (y + 1), x * 2.5, x + y.astype(msbridge.int64) * 2 - 1]
    kinds = (msbridge.int64, msbridge.float16, msbridge.float64, msbridge.bool_, msbridge.uint8)
    return found + [x.astype(kind) for kind in kinds] + [x.sum(1), p.any(), p.all(1)]


def choosing(x: Tensor, y: Tensor, p: Tensor) -> Any:
    found = [ops.clamp(x, 0.2, 0.7), ops.clamp(x, y, None), ops.where(x > 0.5, x, y), ops.where(x > 0.5, x, 0.5)]
    return [*found, ops.masked_fill(x, p, -1e9), x * p]


def moving(x: Tensor) -> Any:
    found = [x.reshape(2, -1), x.transpose(1, 0), x.expand_dims(1).squeeze(1).unsqueeze(-1), ops.tile(x, (2, 1, 2))]
    found += [ops.broadcast_to(x[:, :1], (2, 3, 4)), ops.concat((x, x), 1), ops.stack((x, x), 1), ops.flip(x, (0, 1))]
    found += [*ops.split(x, 2, 1), *ops.split(x, [1, 3], 1), *ops.unstack(x, 1), ops.roll(x, 1, 0), x.swapaxes(0, 1)]
    found += [x[:, 1:3], x[1], x[-1], x[::2], x[:, -2:], x[0:2, ..., None], ops.repeat_interleave(x, 2, 0)]
    found += [ops.pad(x, (1, 2)), ops.pad(x, (1, 2, 1, 0), "constant", 3.0), ops.tril(x), ops.triu(x, 1)]
    return [*found, ops.meshgrid(x[0], x[:, 0]), _written(x), (3, 2.5, True, (x, [x + 1])), ops.ones((2, 2))]


def _written(x: Tensor) -> Tensor:
    x = x * 1
    x[0] = 0
    x[:, 1:3] = x[:, 0:2]
    x[:, ::2] = 5.0
    return x


def images(x: Tensor) -> Any:
    found = [ops.pad(x, (1, 1, 1, 1), mode) for mode in ("reflect", "replicate")]
    found += [ops.interpolate(x, size=(6, 6), mode="nearest"), ops.interpolate(x, size=(5, 7), mode="bilinear")]
    return [*found, ops.interpolate(x, size=(6, 6), mode="bilinear", align_corners=True), ops.pixel_shuffle(x, 2)]


def taking(x: Tensor, i: Tensor, j: Tensor) -> Any:
    found = [
        ops.gather(x, i, 1),
        ops.gather_elements(x, 1, j),
        x[i],
        x[i, i],
        x[:, i, i],
        x[i, :, i],
        x[Tensor([0, -1])],
    ]
    found += [
        ops.one_hot(j[0], 5),
        ops.tensor_scatter_elements(x, j, x[:, :2], 1),
        ops.gather_nd(x, i.reshape(1, 3, 1)),
    ]
    indices = i.reshape(3, 1)
    found += [ops.TensorScatterUpdate()(x, indices, x[:3]), ops.tensor_scatter_add(x, indices, x[:3])]
    return [*found, ops.scatter_nd(indices, x[:3], (5, 4, 4)), x + ops.arange(4).astype(msbridge.float32)]


def reducing(x: Tensor) -> Any:
    found = [
        getattr(ops, name)(x, 1) for name in ("sum", "mean", "prod", "amax", "amin", "cumsum", "cumprod", "max", "min")
    ]
    found += [x.sum(), x.mean(axis=-1, keep_dims=True), x.argmax(1), x.argmax(), x.argmin(1), x.std(), x.var(1)]
    found += [ops.ArgMaxWithValue(1)(x), ops.topk(x, 2), ops.topk(x, 2, 0, False), ops.sort(x, 1, True), ops.norm(x)]
    found += [ops.logsumexp(x, 1), ops.softmax(x, 0), ops.log_softmax(x, 0), mint.var(x, 1), ops.L2Normalize(1)(x)]
    return [*found, ops.norm(x, dim=1, keepdim=True)]


def multiplying(x: Tensor, y: Tensor) -> Any:
    found = [
        ops.matmul(x, y),
        ops.matmul(x, y[0]),
        ops.matmul(x[0], y[0]),
        ops.matmul(x, y[0, :, 0]),
        ops.outer(x[0, 0], x[0, 0]),
    ]
    return [*found, ops.bmm(x, y), ops.BatchMatMul(transpose_b=True)(x, x), ops.einsum("bij,bjk->bik", x, y)]


def convolutions() -> nn.Cell:
    settings: list[dict[str, Any]] = [
        {"pad_mode": "same"},
        {"pad_mode": "valid", "has_bias": True},
        {"pad_mode": "pad", "padding": (1, 0, 2, 1)},
        {"pad_mode": "same", "stride": 2},
        {"group": 4, "has_bias": True},
        {"dilation": 2, "group": 2},
    ]
    layers: dict[str, nn.Cell] = {f"conv{n}": nn.Conv2d(4, 4, 3, **one) for n, one in enumerate(settings)}
    layers |= {"up": nn.Conv2dTranspose(4, 2, 3, stride=2, has_bias=True), "row": nn.Conv1d(4, 3, 3, has_bias=True)}
    layers |= {"up_row": nn.Conv1dTranspose(4, 2, 4, stride=2, pad_mode="pad", padding=1)}
    layers |= {"volume": nn.Conv3d(4, 3, 3, has_bias=True)}
    layers |= {"up_volume": nn.Conv3dTranspose(4, 2, 3, stride=2, pad_mode="pad", padding=1)}

    def construct(self: Any, x: Tensor, v: Tensor) -> Any:
        found = [getattr(self, f"conv{n}")(x) for n in range(len(settings))]
        return [*found, self.up(x), self.row(x[:, :, 0]), self.up_row(x[:, :, 0]), self.volume(v), self.up_volume(v)]

    return Of(construct, **layers)


def pools() -> nn.Cell:
    layers = [nn.MaxPool2d(2, 2), nn.MaxPool2d(3, 2, pad_mode="same"), nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)]
    layers += [nn.MaxPool2d(3, 2, pad_mode="pad", padding=0, ceil_mode=True), nn.AvgPool2d(2, 2)]
    layers += [
        nn.AvgPool2d(3, 2, pad_mode="same"),
        nn.AdaptiveAvgPool2d(1),
        nn.AdaptiveAvgPool2d(3),
        nn.AdaptiveAvgPool2d(4),
    ]
    layers += [nn.AvgPool2d(3, 2, pad_mode="pad", padding=1, count_include_pad=with_pad) for with_pad in (True, False)]
    rows = [nn.MaxPool1d(2, 2), nn.AvgPool1d(2, 2)]

    def construct(self: Any, x: Tensor) -> Any:
        return [layer(x) for layer in self.images] + [layer(x[0]) for layer in self.rows]

    return Of(construct, images=nn.CellList(layers), rows=nn.CellList(rows))


def adaptive() -> nn.Cell:
    volumes = [nn.AdaptiveAvgPool3d(size) for size in (1, (2, 2, 3), (None, 1, 2))]
    volumes += [nn.AdaptiveMaxPool3d((2, 3, 1))]
    pictures = [nn.AdaptiveMaxPool2d((2, None), return_indices=True), nn.AdaptiveAvgPool2d((None, 3))]

    def construct(self: Any, x: Tensor) -> Any:
        return [layer(x) for layer in self.volumes] + [layer(x[:, 0]) for layer in self.pictures]

    return Of(construct, volumes=nn.CellList(volumes), pictures=nn.CellList(pictures))


def norms() -> nn.Cell:
    layers = {
        "batch": nn.BatchNorm2d(4),
        "rows": nn.BatchNorm1d(4),
        "volumes": nn.BatchNorm3d(4),
        "layer": nn.LayerNorm((3,)),
    }
    layers |= {"layers": nn.LayerNorm((3, 3), 2, 2), "group": nn.GroupNorm(2, 4), "instance": nn.InstanceNorm2d(4)}

    def construct(self: Any, x: Tensor) -> Any:
        found = [self.batch(x), self.rows(x[:, :, 0, 0]), self.volumes(x.expand_dims(2)), self.layer(x), self.layers(x)]
        return [*found, self.group(x), self.instance(x)]

    return Of(construct, **layers)


def sequences() -> nn.Cell:
    layers: dict[str, nn.Cell] = {"table": nn.Embedding(10, 4), "hot": nn.Embedding(10, 4, use_one_hot=True)}
    layers |= {"lstm": nn.LSTM(4, 3, 2, batch_first=True), "gru": nn.GRU(4, 3, bidirectional=True), "rnn": nn.RNN(4, 3)}
    layers |= {"cell": nn.LSTMCell(4, 3), "attention": nn.MultiheadAttention(4, 2, batch_first=True)}
    layers |= {"encoder": nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)}

    def construct(self: Any, tokens: Tensor, h: Tensor) -> Any:
        x = self.table(tokens)
        found = [x, self.hot(tokens), self.lstm(x), self.gru(x), self.rnn(x), self.cell(x[0], (h, h))]
        return [*found, self.attention(x, x, x), self.encoder(x)]

    return Of(construct, **layers)


def detecting(x: Tensor) -> Any:
    boxes = ops.concat((x[:, :2], x[:, :2] + 0.3 + x[:, 2:4], x[:, 4:]), 1)
    return ops.NMSWithMask(0.3)(boxes), ops.IOU()(boxes[:, :4] * 9, boxes[:2, :4] * 9)


def masks(x: Tensor) -> Any:
    return x[x > 0.5], ops.masked_select(x, x < 0.5), ops.nonzero(x > 0.3), x[:, 0][x[:, 0] > 2]


def algebra(x: Tensor, i: Tensor) -> Any:
    square = x @ x.T + ops.eye(3, 3, msbridge.float32)
    found = [ops.inverse(square), ops.cholesky(square), ops.det(square), ops.slogdet(square)]
    found += [ops.cdist(x, x + 1), ops.cdist(x, x + 1, 1.0), ops.diagonal(x, 1), ops.trace(square)]
    reduced = (ops.tensor_scatter_max, ops.tensor_scatter_min, ops.tensor_scatter_mul)
    return [*found, *(one(x, i.reshape(2, 1), x[:2] * 2) for one in reduced)]


def lengths() -> nn.Cell:
    """Of inputs of which several lengths are free."""

    def construct(self: Any, x: Tensor, y: Tensor) -> Any:
        rows, columns, _ = x.shape
        found = [self.dense(x), x.expand_dims(1), x.reshape((-1, 1)).reshape(x.shape), x.mean((0, 1))]
        found += [ops.broadcast_to(y, (rows, y.shape[0])), ops.tile(x, (2, 1, 1)).reshape((2, rows, columns, -1))]
        found += [ops.arange(columns), ops.arange(columns, 0, -1).astype(msbridge.float32), ops.zeros((rows, 2))]
        found += [x.sum(1) / columns, x * columns**-0.5, columns - y, ops.pad(x, (1, 1)).reshape((rows, -1))]
        return [*found, x[:, columns // 2 :], x + ops.arange(rows).reshape((-1, 1, 1)).astype(msbridge.float32)]

    return Of(construct, dense=nn.Dense(3, 2, activation="relu"))


def complex_numbers(x: Tensor, y: Tensor) -> Any:
    z = ops.Complex()(x, y)
    found = [z, ops.real(z), z.imag(), ops.angle(z), ops.conj(z), ops.abs(z * z), ops.view_as_real(z)]
    return [*found, z + 2 * ops.conj(z), ops.polar(ops.abs(x), y), x.astype(msbridge.complex64)]


def spectra(x: Tensor, y: Tensor) -> Any:
    z = ops.Complex()(x, y)
    found = [ops.fft(x), ops.ifft(z, 6, 0, "forward"), ops.fftn(x, norm="ortho"), ops.rfft2(x), ops.irfft(z)]
    return [*found, ops.hfft(z), ops.real(ops.ifft(ops.fft(x) * ops.conj(ops.fft(y))))]


def steps() -> nn.Cell:
    """Recurrent layers of which the number of steps and the batch are free."""
    settings = {"num_layers": 2, "bidirectional": True, "batch_first": True}
    layers: dict[str, nn.Cell] = {"both": nn.LSTM(4, 3, **settings), "one": nn.LSTM(6, 2, has_bias=False)}

    def construct(self: Any, x: Tensor, h: Tensor) -> Any:
        outputs, state = self.both(x, (h, h * 0.5))
        return outputs, state, self.one(outputs.swapaxes(0, 1))[0], outputs[:, -1]

    return Of(construct, **layers)


def batches() -> nn.Cell:
    """Layers of which the batch is free."""
    layers: dict[str, nn.Cell] = {"gru": nn.GRU(4, 3, 2, batch_first=True), "lstm": nn.LSTM(4, 3, batch_first=True)}
    layers |= {"same": nn.Conv2dTranspose(1, 2, 3, stride=2, has_bias=True)}
    layers |= {"padded": nn.Conv2dTranspose(1, 2, 3, pad_mode="pad", padding=1)}

    def construct(self: Any, x: Tensor, h: Tensor) -> Any:
        image = x.expand_dims(1)
        found = [self.gru(x, h), self.lstm(x, (h[:1], h[1:])), self.same(image), self.padded(image)]
        return [*found, x.std(-1), x.var((1,))]

    return Of(construct, **layers)


class Assigning(nn.Cell):
    """Reads its Parameters before, between and after it assigns to them."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = msbridge.Parameter(Tensor(1.0, msbridge.float32), name="steps", requires_grad=False)
        self.moving = msbridge.Parameter(Tensor(np.zeros(3, np.float32)), name="moving", requires_grad=False)

    def construct(self, x: Tensor) -> Any:
        before = x * self.steps
        ops.assign(self.steps, self.steps * 2)
        self.moving = 0.9 * self.moving + 0.1 * x.mean(0)
        between = x * self.steps - self.moving
        ops.assign_add(self.steps, Tensor(5.0, msbridge.float32))
        return before, between, x * self.steps


def losses() -> nn.Cell:
    layers = {
        "entropy": nn.CrossEntropyLoss(),
        "square": nn.MSELoss(),
        "line": nn.L1Loss(),
        "smooth": nn.SmoothL1Loss(),
    }
    layers |= {
        "logits": nn.BCEWithLogitsLoss(),
        "sparse": nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
    }

    def construct(self: Any, x: Tensor, y: Tensor, labels: Tensor) -> Any:
        found = [self.entropy(x, labels), self.sparse(x, labels), self.square(x, y), self.line(x, y), self.smooth(x, y)]
        return [*found, self.logits(x, y)]

    return Of(construct, **layers)


def halves() -> nn.Cell:
    """Layers in float16 among others, as `auto_mixed_precision` and `to_float` make them."""
    layers = [nn.Conv2d(4, 4, 3).to_float(msbridge.float16), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(p=0.5)]
    return nn.SequentialCell([*layers, nn.Flatten(), nn.Dense(36, 2, activation="relu").to_float(msbridge.float16)])


CASES: dict[str, Case] = {
    "unary": (lambda: Of(unary), (rand(2, 3),)),
    "binary": (lambda: Of(binary), (rand(2, 3), rand(3))),
    "whole_numbers": (lambda: Of(whole_numbers), (whole(9, 2, 3), whole(9, 2, 3), truth(2, 3), truth(2, 3))),
    "choosing": (lambda: Of(choosing), (rand(2, 3), rand(3), truth(1, 3))),
    "moving": (lambda: Of(moving), (rand(3, 4),)),
    "images": (lambda: Of(images), (rand(1, 4, 3, 3),)),
    "taking": (lambda: Of(taking), (rand(4, 4, 4), whole(4, 3), whole(4, 4, 2, 4, dtype=np.int64))),
    "reducing": (lambda: Of(reducing), (rand(3, 4),)),
    "multiplying": (lambda: Of(multiplying), (rand(2, 3, 4), rand(2, 4, 3))),
    "convolutions": (convolutions, (rand(2, 4, 5, 5), rand(1, 4, 3, 3, 3))),
    "pools": (pools, (rand(1, 2, 6, 6),)),
    "norms": (norms, (rand(2, 4, 3, 3),)),
    "sequences": (sequences, (whole(10, 2, 3), rand(3, 3))),
    "detecting": (lambda: Of(detecting), (rand(9, 5),)),
    "masks": (lambda: Of(masks), (rand(3, 4),)),
    "algebra": (lambda: Of(algebra), (rand(3, 4), whole(3, 2))),
    "losses": (losses, (rand(4, 5), rand(4, 5), whole(5, 4))),
    "lengths": (lengths, (rand(2, 4, 3), rand(5))),
    "assigning": (Assigning, (rand(2, 3),)),
    "adaptive": (adaptive, (rand(1, 2, 5, 4, 6),)),
    "halves": (halves, (rand(1, 4, 3, 3),)),
    "complex_numbers": (lambda: Of(complex_numbers), (rand(2, 4), rand(2, 4))),
    "spectra": (lambda: Of(spectra), (rand(2, 4), rand(2, 4))),
    "steps": (steps, (rand(2, 5, 4), rand(4, 2, 3))),
    "batches": (batches, (rand(2, 5, 4), rand(2, 2, 3))),
}


FREE = {
    "batches": [(None, 5, 4), (2, None, 3)],
    "lengths": [(None, None, 3), (None,)],
    "steps": [(None, None, 4), (4, None, 3)],
}


def asked(name: str) -> list[Tensor]:
    """Return the inputs that `export` is given: those of a case, or their shapes with free lengths."""
    inputs = CASES[name][1]
    shapes = FREE.get(name, [one.shape for one in inputs])
    return [
        Tensor(shape=shape, dtype=one.dtype) if None in shape else one
        for one, shape in zip(inputs, shapes, strict=True)
    ]


def built(name: str) -> tuple[nn.Cell, tuple[Any, ...]]:
    """Return a network in inference, always with the same parameters, and its inputs."""
    make, inputs = CASES[name]
    net = make().set_train(False)
    generator = np.random.default_rng(7)
    for parameter in net.get_parameters():
        values = generator.uniform(0.1, 0.6, parameter.shape)
        parameter.set_data(Tensor(values, parameter.dtype))
    return net, inputs


def flat(value: Any) -> list[np.ndarray]:
    """Return the outputs of a network as arrays, in order."""
    if isinstance(value, tuple | list):
        return [one for part in value for one in flat(part)]
    return [value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)]
