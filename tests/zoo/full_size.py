"""The networks whose `.mindir` files must go both ways, at their full sizes where these are usual: see both_ways.py."""

# mypy: ignore-errors
import mindspore as ms
import mindspore.ops.operations as P
import numpy as np
from mindspore import Tensor, nn, ops


def normal(*shape):
    return Tensor(np.random.RandomState(0).randn(*shape).astype(np.float32))


def whole(below, *shape):
    return Tensor(np.random.RandomState(0).randint(0, below, shape).astype(np.int32))


class LeNet(nn.Cell):
    def __init__(self, classes=10):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.relu, self.pool, self.flatten = nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()
        self.fc1, self.fc2, self.fc3 = nn.Dense(400, 120), nn.Dense(120, 84), nn.Dense(84, classes)

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.flatten(self.pool(self.relu(self.conv2(x))))
        return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))


class Bottleneck(nn.Cell):
    def __init__(self, inner, width, stride):
        super().__init__()
        outer = 4 * width
        self.conv1, self.bn1 = nn.Conv2d(inner, width, 1), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = nn.Conv2d(width, width, 3, stride, "pad", 1), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = nn.Conv2d(width, outer, 1), nn.BatchNorm2d(outer, gamma_init=0.1)
        self.relu, self.down = nn.ReLU(), None
        if inner != outer or stride > 1:
            self.down = nn.SequentialCell([nn.Conv2d(inner, outer, 1, stride), nn.BatchNorm2d(outer)])

    def construct(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn3(self.conv3(self.relu(self.bn2(self.conv2(y)))))
        return self.relu(y + (x if self.down is None else self.down(x)))


class ResNet50(nn.Cell):
    def __init__(self, classes=1000):
        super().__init__()
        self.conv1, self.bn1, self.relu = nn.Conv2d(3, 64, 7, 2, "pad", 3), nn.BatchNorm2d(64), nn.ReLU()
        self.pool, inner, layers = nn.MaxPool2d(3, 2, "same"), 64, []
        for stage, (width, count) in enumerate([(64, 3), (128, 4), (256, 6), (512, 3)]):
            for number in range(count):
                layers.append(Bottleneck(inner, width, 2 if stage and not number else 1))
                inner = 4 * width
        self.layers, self.mean = nn.SequentialCell(layers), ops.ReduceMean(keep_dims=True)
        self.flatten, self.fc = nn.Flatten(), nn.Dense(2048, classes)

    def construct(self, x):
        x = self.layers(self.pool(self.relu(self.bn1(self.conv1(x)))))
        return self.fc(self.flatten(self.mean(x, (2, 3))))


class Inverted(nn.Cell):
    def __init__(self, inner, outer, stride, expand):
        super().__init__()
        wide, layers = inner * expand, []
        if expand != 1:
            layers += [nn.Conv2d(inner, wide, 1), nn.BatchNorm2d(wide), nn.ReLU6()]
        layers += [nn.Conv2d(wide, wide, 3, stride, "pad", 1, group=wide), nn.BatchNorm2d(wide), nn.ReLU6()]
        layers += [nn.Conv2d(wide, outer, 1), nn.BatchNorm2d(outer)]
        self.conv, self.same = nn.SequentialCell(layers), stride == 1 and inner == outer

    def construct(self, x):
        return x + self.conv(x) if self.same else self.conv(x)


class MobileNetV2(nn.Cell):
    ROWS = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))

    def __init__(self, classes=1000):
        super().__init__()
        layers, inner = [nn.Conv2d(3, 32, 3, 2, "pad", 1), nn.BatchNorm2d(32), nn.ReLU6()], 32
        for expand, outer, count, stride in self.ROWS:
            for number in range(count):
                layers.append(Inverted(inner, outer, 1 if number else stride, expand))
                inner = outer
        layers += [nn.Conv2d(320, 1280, 1), nn.BatchNorm2d(1280), nn.ReLU6()]
        self.features, self.mean = nn.SequentialCell(layers), P.ReduceMean()
        self.head = nn.SequentialCell([nn.Dropout(p=0.2), nn.Dense(1280, classes)])

    def construct(self, x):
        return self.head(self.mean(self.features(x), (2, 3)))


class Double(nn.SequentialCell):
    def __init__(self, inner, outer):
        layers = [nn.Conv2d(inner, outer, 3, has_bias=True), nn.BatchNorm2d(outer), nn.ReLU()]
        super().__init__([*layers, nn.Conv2d(outer, outer, 3), nn.BatchNorm2d(outer), nn.ReLU()])


class UNet(nn.Cell):
    def __init__(self, width=16, depth=3):
        super().__init__()
        sizes = [width << level for level in range(depth + 1)]
        self.first, self.pool = Double(1, width), nn.MaxPool2d(2, 2)
        self.downs = nn.CellList([Double(a, b) for a, b in zip(sizes, sizes[1:])])  # noqa: B905, RUF007
        self.ups = nn.CellList([nn.Conv2dTranspose(2 * one, one, 2, 2, "valid") for one in sizes[-2::-1]])
        self.joins = nn.CellList([Double(2 * one, one) for one in sizes[-2::-1]])
        self.out = nn.Conv2d(width, 2, 1, has_bias=True)

    def construct(self, x):
        x = self.first(x)
        kept = [x]
        for down in self.downs:
            x = down(self.pool(x))
            kept.append(x)
        for level in range(len(self.ups)):
            x = ops.concat((kept[-2 - level], self.ups[level](x)), 1)
            x = self.joins[level](x)
        return ops.softmax(self.out(x), 1)


class Tagger(nn.Cell):
    """An LSTM over words."""

    def __init__(self):
        super().__init__()
        self.table, self.fc = nn.Embedding(50, 16), nn.Dense(48, 7)
        self.lstm = nn.LSTM(16, 24, num_layers=2, batch_first=True, bidirectional=True)
        self.h, self.c = Tensor(np.zeros((4, 2, 24), np.float32)), Tensor(np.zeros((4, 2, 24), np.float32))

    def construct(self, x):
        y, (h, c) = self.lstm(self.table(x), (self.h, self.c))
        return self.fc(y), h, c


class Attention(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Dense(width, width) for _ in range(4))
        self.heads, self.each, self.drop = heads, width // heads, nn.Dropout(p=0.1)

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.heads, self.each).transpose(0, 2, 1, 3)

    def construct(self, x, mask):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = ops.matmul(q, k.swapaxes(-1, -2)) / self.each**0.5 + (1.0 - mask) * -10000.0
        y = ops.matmul(self.drop(ops.softmax(scores, -1)), v)
        return self.o(y.transpose(0, 2, 1, 3).reshape(x.shape))


class Block(nn.Cell):
    def __init__(self, width, heads, approximate):
        super().__init__()
        self.attention, self.n1, self.n2 = Attention(width, heads), nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.up, self.gelu, self.down = nn.Dense(width, 4 * width), nn.GELU(approximate), nn.Dense(4 * width, width)

    def construct(self, x, mask):
        x = self.n1(x + self.attention(x, mask))
        return self.n2(x + self.down(self.gelu(self.up(x))))


class Bert(nn.Cell):
    def __init__(self, width=48, heads=4, depth=12):
        super().__init__()
        self.words, self.places, self.types = nn.Embedding(99, width), nn.Embedding(32, width), nn.Embedding(2, width)
        self.norm, self.blocks = nn.LayerNorm((width,)), nn.CellList([Block(width, heads, False) for _ in range(depth)])
        self.pooler, self.tanh = nn.Dense(width, width), nn.Tanh()
        self.numbers = Tensor(np.arange(10).astype(np.int32))

    def construct(self, ids, types, mask):
        x = self.norm(self.words(ids) + self.places(self.numbers) + self.types(types))
        mask = mask.astype(ms.float32).expand_dims(1).expand_dims(1)
        for block in self.blocks:
            x = block(x, mask)
        return x, self.tanh(self.pooler(x[:, 0]))


class GPT(nn.Cell):
    """Writes tokens in a loop of which Python knows the end."""

    def __init__(self, width=32, length=12):
        super().__init__()
        self.words, self.places, self.length = nn.Embedding(17, width), nn.Embedding(length, width), length
        self.blocks = nn.CellList([Block(width, 4, True) for _ in range(2)])
        self.head = nn.Dense(width, 17, has_bias=False)
        self.mask = Tensor(np.tril(np.ones((length, length))).astype(np.float32))
        self.numbers = Tensor(np.arange(length).astype(np.int32))

    def construct(self, ids):
        i = 4
        while i < self.length:
            x = self.words(ids) + self.places(self.numbers)
            for block in self.blocks:
                x = block(x, self.mask)
            following = ops.argmax(self.head(x)[:, i - 1], -1).astype(ms.int32)
            ids = ops.where(self.numbers == i, following.expand_dims(1), ids)
            i += 1
        return ids


class Detector(nn.Cell):
    """A head of boxes and scores, and NMS over them."""

    def __init__(self):
        super().__init__()
        self.backbone = nn.SequentialCell([nn.Conv2d(3, 8, 3, 2), nn.BatchNorm2d(8), nn.LeakyReLU(0.1)])
        self.boxes, self.score = nn.Conv2d(8, 4, 1, has_bias=True), nn.Conv2d(8, 1, 1, has_bias=True)
        self.nms, self.top = P.NMSWithMask(0.5), P.TopK()
        rows, columns = np.mgrid[0:4, 0:4] * 1.2
        self.grid = Tensor(np.stack([columns.ravel(), rows.ravel()], 1).astype(np.float32))

    def construct(self, x):
        x = self.backbone(x)
        boxes = self.boxes(x).transpose(0, 2, 3, 1).reshape(-1, 4)
        scores = ops.sigmoid(self.score(x).reshape(-1, 1))
        first = self.grid + boxes[:, :2]
        corners = ops.concat((first, first + ops.exp(boxes[:, 2:]) * 2, scores), 1)
        kept, index, mask = self.nms(corners)
        best, places = self.top(kept[:, 4] * mask.astype(ms.float32), 5)
        return kept, index, mask, best, ops.gather(kept, places, 0)


class Quantised(nn.Cell):
    """Dense layers of int8 weights with a scale for each row; inputs are rounded to int8."""

    def __init__(self):
        super().__init__()
        random = np.random.RandomState(3)
        for number, (outer, inner) in enumerate([(16, 8), (4, 16)]):
            weight = Tensor(random.randint(-127, 128, (outer, inner)).astype(np.int8))
            scale = Tensor((random.rand(outer, 1) * 0.02 + 0.001).astype(np.float32))
            setattr(self, f"weight{number}", ms.Parameter(weight, f"weight{number}", requires_grad=False))
            setattr(self, f"scale{number}", ms.Parameter(scale, f"scale{number}", requires_grad=False))

    def dense(self, x, weight, scale):
        q = ops.clamp(ops.round(x / 0.05), -128.0, 127.0).astype(ms.int8)
        return ops.matmul(q.astype(ms.float32) * 0.05, (weight.astype(ms.float32) * scale).T)

    def construct(self, x):
        return self.dense(ops.relu(self.dense(x, self.weight0, self.scale0)), self.weight1, self.scale1)


def mixed(network, level):
    return ms.amp.auto_mixed_precision(network, level)


NETWORKS = {
    "lenet": lambda: (LeNet(), normal(2, 1, 32, 32)),
    "lenet_free_batch": lambda: (LeNet(), normal(2, 1, 32, 32)),
    "resnet50": lambda: (ResNet50(), normal(1, 3, 64, 64)),
    "mobilenet_v2": lambda: (MobileNetV2(), normal(2, 3, 64, 64)),
    "unet": lambda: (UNet(), normal(1, 1, 32, 32)),
    "lstm": lambda: (Tagger(), whole(50, 2, 9)),
    "bert": lambda: (Bert(), whole(99, 2, 10), whole(2, 2, 10), whole(2, 2, 10)),
    "gpt": lambda: (GPT(), whole(17, 2, 12)),
    "detector": lambda: (Detector(), normal(1, 3, 8, 8)),
    "half_lenet_1": lambda: (mixed(LeNet(), "O1"), normal(2, 1, 32, 32)),
    "half_lenet_2": lambda: (mixed(LeNet(), "O2"), normal(2, 1, 32, 32)),
    "half_unet_2": lambda: (mixed(UNet(8, 2), "O2"), normal(1, 1, 16, 16)),
    "half_lenet_3": lambda: (mixed(LeNet(), "O3"), normal(2, 1, 32, 32)),
    "quantised": lambda: (Quantised(), normal(3, 8)),
}
FREE = {"lenet_free_batch": [(None, 1, 32, 32)]}
