"""Small networks, which the real MindSpore exported to the files that the tests read."""

# mypy: ignore-errors
import mindspore as ms
import mindspore.ops.operations as P
import numpy as np
from mindspore import Tensor, nn, ops


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 5, pad_mode="valid")
        self.bn = nn.BatchNorm2d(3)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(48, 4)
        self.drop = nn.Dropout(p=0.5)

    def construct(self, x):
        return ops.softmax(self.drop(self.fc(self.flatten(self.pool(self.relu(self.bn(self.conv(x))))))), -1)


class Bottleneck(nn.Cell):
    def __init__(self, inner, middle, outer, stride):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(inner, middle, 1), nn.BatchNorm2d(middle)
        self.c2 = nn.Conv2d(middle, middle, 3, stride, pad_mode="pad", padding=1)
        self.b2 = nn.BatchNorm2d(middle)
        self.c3, self.b3 = nn.Conv2d(middle, outer, 1), nn.BatchNorm2d(outer)
        self.relu = nn.ReLU()
        self.down = nn.SequentialCell(nn.Conv2d(inner, outer, 1, stride), nn.BatchNorm2d(outer))

    def construct(self, x):
        y = self.relu(self.b1(self.c1(x)))
        y = self.b3(self.c3(self.relu(self.b2(self.c2(y)))))
        return self.relu(y + self.down(x))


class ResNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem, self.bn = nn.Conv2d(3, 4, 7, 2, pad_mode="same"), nn.BatchNorm2d(4)
        self.pool = nn.MaxPool2d(3, 2, pad_mode="same")
        self.layers = nn.SequentialCell(Bottleneck(4, 4, 8, 1), Bottleneck(8, 4, 16, 2))
        self.relu, self.mean, self.flatten = ops.ReLU(), ops.ReduceMean(keep_dims=True), nn.Flatten()
        self.fc = nn.Dense(16, 5)

    def construct(self, x):
        x = self.layers(self.pool(self.relu(self.bn(self.stem(x)))))
        return self.fc(self.flatten(self.mean(x, (2, 3))))


class MobileNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.SequentialCell(nn.Conv2d(3, 4, 3, 2, pad_mode="pad", padding=1), nn.BatchNorm2d(4), nn.ReLU6())
        self.wide = nn.SequentialCell(nn.Conv2d(4, 8, 1), nn.BatchNorm2d(8), nn.ReLU6())
        self.deep = nn.Conv2d(8, 8, 3, group=8, pad_mode="pad", padding=1)
        self.thin = nn.Conv2d(8, 4, 1)
        self.fc = nn.Dense(4, 3)

    def construct(self, x):
        x = self.first(x)
        x = x + self.thin(self.deep(self.wide(x)))
        return self.fc(ops.mean(x, (2, 3)))


class UNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(1, 4, 3), nn.Conv2d(4, 8, 3)
        self.pool, self.up = nn.MaxPool2d(2, 2), nn.Conv2dTranspose(8, 4, 2, 2)
        self.out, self.cat = nn.Conv2d(8, 1, 1), P.Concat(1)
        self.relu, self.sigmoid = nn.LeakyReLU(), nn.Sigmoid()

    def construct(self, x):
        a = self.relu(self.a(x))
        y = self.up(self.relu(self.b(self.pool(a))))
        y = self.sigmoid(self.out(self.cat((a, y))))
        return ops.interpolate(y, size=(12, 12), mode="bilinear", align_corners=True)


class LSTM(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 4)
        self.lstm = nn.LSTM(4, 5, batch_first=True, bidirectional=True)
        self.fc = nn.Dense(10, 2)

    def construct(self, x, h, c):
        y, (h, c) = self.lstm(self.table(x), (h, c))
        return self.fc(y), h, c


class Attention(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Dense(width, width) for _ in range(4))
        self.softmax, self.transpose = nn.Softmax(), P.Transpose()
        self.times, self.times_transposed = P.BatchMatMul(), P.BatchMatMul(transpose_b=True)
        self.heads, self.drop = heads, nn.Dropout(p=0.1)

    def split(self, x, batch, length, width):
        return self.transpose(x.reshape(batch, length, self.heads, width // self.heads), (0, 2, 1, 3))

    def construct(self, x, mask):
        batch, length, width = x.shape
        q, k, v = (self.split(one(x), batch, length, width) for one in (self.q, self.k, self.v))
        scores = self.times_transposed(q, k) / 1.5 + (1.0 - mask.astype(x.dtype)) * -10000.0
        y = self.times(self.drop(self.softmax(scores)), v)
        return self.o(self.transpose(y, (0, 2, 1, 3)).reshape(batch, length, width))


class Block(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = Attention(width, heads)
        self.n1, self.n2 = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.forward = nn.SequentialCell(nn.Dense(width, 2 * width), nn.GELU(), nn.Dense(2 * width, width))

    def construct(self, x, mask):
        x = self.n1(x + self.attention(x, mask))
        return self.n2(x + self.forward(x))


class Bert(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words, self.places, self.types = nn.Embedding(11, 8), nn.Embedding(16, 8), nn.Embedding(2, 8)
        self.norm, self.block = nn.LayerNorm((8,)), Block(8, 2)
        self.pool, self.hot = nn.Dense(8, 8, activation="tanh"), nn.OneHot(depth=3)
        self.numbers = Tensor(np.arange(6).astype(np.int32))

    def construct(self, ids, types, mask):
        x = self.norm(self.words(ids) + self.places(self.numbers) + self.types(types))
        x = self.block(x, mask.expand_dims(1).expand_dims(1))
        return x, self.pool(x[:, 0]), self.hot(types)


class GPT(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words, self.block, self.head = nn.Embedding(7, 8), Block(8, 2), nn.Dense(8, 7, has_bias=False)
        self.mask = Tensor(np.tril(np.ones((6, 6))).astype(np.float32))
        self.one, self.zero = Tensor(1, ms.int32), Tensor(0, ms.int32)

    def construct(self, ids, start):
        i = start
        while i < 6:
            following = ops.argmax(self.head(self.block(self.words(ids), self.mask)), -1).astype(ms.int32)
            hot = ops.one_hot(i, 6, self.one, self.zero)
            ids = ids * (1 - hot) + ops.gather(following, i - 1, 1).reshape(-1, 1) * hot
            i = i + 1
        return ids


class Detector(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.nms, self.top = nn.Conv2d(3, 5, 1), P.NMSWithMask(0.5), P.TopK()

    def construct(self, x):
        y = self.conv(x).transpose(0, 2, 3, 1).reshape(-1, 5)
        boxes, index, mask = self.nms(ops.concat((y[:, :2], y[:, :2] + ops.exp(y[:, 2:4]) + 1, y[:, 4:]), 1))
        values, best = self.top(boxes[:, 4], 3)
        return boxes, index, mask, values, best


class Assigning(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = ms.Parameter(Tensor(np.float32(2)), name="count", requires_grad=False)

    def construct(self, x):
        ops.assign_add(self.count, ops.ones_like(self.count))
        a = x * self.count
        ops.assign(self.count, self.count + 10)
        return a + self.count


class Loops(nn.Cell):
    def construct(self, x, k):
        for i in range(2):
            if k > i:  # noqa: SIM108 - a condition in the graph is what is tried
                x = x + 1
            else:
                x = x * 2
        pair, n, total = (x, x * 2), k, x
        while n > 0:
            if n == 3:
                n = n - 1
                continue
            if total.sum() > 1000:
                break
            m = n
            while m > 0:
                total, m = total + pair[1], m - 1
            n = n - 1
        return total, pair, (k, n)


class LongLoop(nn.Cell):
    def construct(self, x, n):
        i = ops.zeros_like(n)
        while i < n:
            if i % 2 == 0:
                x = x + 1
            i = i + 1
        return x


class Early(nn.Cell):
    """Leaves a loop in three ways, and writes to what it was given."""

    def construct(self, x, n):
        i = ops.zeros_like(n)
        while i < n:
            if x.sum() > 9.0:
                break
            if x.max() > 4.0:
                return x * 2, i
            if i % 3 == 1:
                i = i + 2
                continue
            x += 1.0
            i = i + 1
        return x, i


class Closures(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(3, 3), nn.Dense(3, 3), nn.ReLU()])

    def construct(self, x, i):
        def plus(y):
            return y * x + 1

        chosen = plus if x.sum() > 0 else (lambda y: y - x)
        return self.layers[i](chosen(x))


class Constants(nn.Cell):
    def __init__(self):
        super().__init__()
        names = "int8 uint8 int16 int32 int64 float16 float32 float64 bool uint16 uint32 uint64 complex64"
        self.tensors = [Tensor(np.arange(3).astype(name)) for name in names.split()]

    def construct(self, x):
        return (*self.tensors, x, 3, 2.5, True)


class Mixed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.LayerNorm((4,))
        self.fc = nn.Dense(4, 2)

    def construct(self, x):
        return self.fc(self.norm(ops.relu(self.bn(self.conv(x))).mean((2, 3))))


class Dynamic(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.fc = nn.Conv2d(3, 4, 3), nn.Dense(4, 2)

    def construct(self, x):
        y = self.conv(x)
        y = y.reshape((y.shape[0], 4, -1)).mean(-1)
        return self.fc(y), ops.nonzero(y > 0).astype(ms.float32).sum()


class Quantised(nn.Cell):
    def __init__(self):
        super().__init__()
        weight = np.random.randint(-127, 127, (4, 3)).astype(np.int8)
        self.weight = ms.Parameter(Tensor(weight), name="weight", requires_grad=False)
        self.scale = ms.Parameter(Tensor(np.random.rand(4, 1).astype(np.float32)), name="scale")
        self.low, self.high = Tensor(-128.0, ms.float32), Tensor(127.0, ms.float32)

    def construct(self, x):
        q = ops.clip_by_value(ops.round(x / 0.05), self.low, self.high).astype(ms.int8)
        return ops.matmul(q.astype(ms.float32) * 0.05, (self.weight.astype(ms.float32) * self.scale).T)


class Operators(nn.Cell):
    def construct(self, x):
        parts = ops.split(x, 2, axis=1)
        several = ops.stack(parts, 0), ops.tile(x, (2, 1)), ops.cumsum(x, 1), ops.sort(x)[0], x[:, 1:3]
        chosen = ops.where(x > 0, x, ops.zeros_like(x)), ops.clip_by_value(x, -0.5, 0.5), ops.masked_fill(x, x > 0, 1.0)
        plain = ops.maximum(x, 0.0), ops.pow(x, 2), x**3, ops.abs(x), ops.floor(x), -x, x // 0.3, x % 0.3
        curves = ops.erf(x), ops.elu(x), ops.gelu(x), ops.hardswish(x), ops.log_softmax(x, -1)
        reduced = ops.norm(x), x.std(1), x.var(), x.max(), x.argmax(1)
        return several, chosen, plain, curves, reduced, ops.logical_not(x > 0), ops.ones((2, 3), ms.float32)


class Settings(nn.Cell):
    """Primitives whose settings are words, or computed."""

    def construct(self, x, i):
        rows, columns = ops.meshgrid(x[0], x[:, 0], indexing="ij")
        pooled = ops.max_pool2d(x.expand_dims(0).expand_dims(0), 2, return_indices=True)
        return rows, columns, ops.index_fill(x, 0, i, 1.0), pooled, ops.broadcast_to(x[:1], (x[:, 0].shape[0], 4))


class Lengths(nn.Cell):
    def construct(self, x):
        rows, columns = x.shape
        return ops.broadcast_to(x[:1], (rows, columns)), ops.zeros((rows, 2), ms.float32), ops.arange(columns)


class Positions(nn.Cell):
    """What was Int32 in 2.0."""

    def construct(self, x, n):
        return ops.max(x, 1), ops.min(x, 0)[1], P.Range()(Tensor(0, ms.int32), n, Tensor(1, ms.int32))


def normal(*shape):
    return Tensor(np.random.RandomState(0).randn(*shape).astype(np.float32))


def whole(values):
    return Tensor(np.array(values, np.int32))


def mixed(level):
    return ms.amp.auto_mixed_precision(Mixed(), level)


IDS = [[0, 3, 1, 6, 2, 5], [4, 4, 0, 1, 2, 3]]
CASES = {
    "lenet": lambda: (LeNet(), normal(2, 1, 12, 12)),
    "resnet": lambda: (ResNet(), normal(1, 3, 32, 32)),
    "mobilenet": lambda: (MobileNet(), normal(2, 3, 16, 16)),
    "unet": lambda: (UNet(), normal(1, 1, 8, 8)),
    "lstm": lambda: (LSTM(), whole([[0, 1, 2], [3, 4, 5]]), normal(2, 2, 5), normal(2, 2, 5)),
    "bert": lambda: (Bert(), whole(IDS), whole([[0, 0, 0, 1, 1, 1]] * 2), whole([[1, 1, 1, 1, 1, 0]] * 2)),
    "gpt": lambda: (GPT(), whole(IDS), whole(2)),
    "detector": lambda: (Detector(), normal(1, 3, 3, 3)),
    "assigning": lambda: (Assigning(), normal(3)),
    "loops": lambda: (Loops(), normal(2, 2), whole(5)),
    "long_loop": lambda: (LongLoop(), normal(2), whole(3000)),
    "early": lambda: (Early(), normal(2, 2), whole(9)),
    "closures": lambda: (Closures(), normal(2, 3), whole(1)),
    "constants": lambda: (Constants(), normal(2)),
    "mixed_2": lambda: (mixed("O2"), normal(2, 3, 6, 6)),
    "mixed_3": lambda: (mixed("O3"), normal(2, 3, 6, 6)),
    "dynamic": lambda: (Dynamic(), normal(2, 3, 6, 6)),
    "quantised": lambda: (Quantised(), normal(2, 3)),
    "settings": lambda: (Settings(), normal(3, 4), whole([0, 2])),
    "lengths": lambda: (Lengths(), normal(3, 4)),
    "operators": lambda: (Operators(), normal(3, 4)),
    "positions": lambda: (Positions(), Tensor([[0.0, 2, 2, 9, -3, 1], [0, 2, 2, 8, 1, 4]], ms.float32), whole(5)),
}
UNKNOWN_SHAPES = {"dynamic": (None, 3, None, None), "lengths": (None, None)}
