"""Networks of other fields (tables, graphs, points, games), each as a torch module and as the Cell made of it."""

import random
from itertools import pairwise

import torch
from torch.nn import functional

import msbridge as ms
from msbridge import mint, nn, ops
from tests.zoo.held_out.images import Example, conv, images, relu


class Vae(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.encode = torch.nn.Linear(12, width)
        self.mu = torch.nn.Linear(width, 4)
        self.logvar = torch.nn.Linear(width, 4)
        self.decode = torch.nn.Linear(4, width)
        self.out = torch.nn.Linear(width, 12)

    def forward(self, x, noise):
        hidden = functional.relu(self.encode(x))
        mu, logvar = self.mu(hidden), self.logvar(hidden)
        z = mu + noise * torch.exp(0.5 * logvar)
        return torch.sigmoid(self.out(functional.relu(self.decode(z)))), mu, logvar


class VaeCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.encode = nn.Dense(12, width)
        self.mu = nn.Dense(width, 4)
        self.logvar = nn.Dense(width, 4)
        self.decode = nn.Dense(4, width)
        self.out = nn.Dense(width, 12)
        self.relu = relu(size)
        self.sigmoid = size.choice([nn.Sigmoid(), ops.sigmoid, mint.sigmoid])
        self.fault = fault

    def construct(self, x, noise):
        hidden = self.relu(self.encode(x))
        mu, logvar = self.mu(hidden), self.logvar(hidden)
        if self.fault == "swapped heads":
            mu, logvar = logvar, mu
        z = mu + noise * ops.exp(logvar if self.fault == "variance" else 0.5 * logvar)
        hidden = self.decode(z)
        hidden = hidden if self.fault == "no activation" else self.relu(hidden)
        return self.sigmoid(self.out(hidden)), mu, logvar


def vae(size: random.Random, fault: str) -> Example:
    width = size.choice([8, 10])
    return Vae(width), VaeCell(width, size, fault), (torch.randn(3, 12), torch.randn(3, 4))


class Siamese(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, width, 3)
        self.bn = torch.nn.BatchNorm2d(width)
        self.fc = torch.nn.Linear(width, 6)
        self.out = torch.nn.Linear(6, 1)

    def embed(self, x):
        return self.fc(torch.relu(self.bn(self.conv(x))).mean((2, 3)))

    def forward(self, x, y):
        return self.out(torch.abs(self.embed(x) - self.embed(y)))


class SiameseCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.conv = conv(1, width, 3)
        self.bn = nn.BatchNorm2d(width)
        self.fc = nn.Dense(width, 6)
        self.fc2 = nn.Dense(6, 6) if fault == "unused" else None
        self.out = nn.Dense(6, 1)
        self.relu = relu(size)
        self.distance = size.choice(
            [lambda x, y: ops.abs(x - y), lambda x, y: (x - y).abs(), lambda x, y: ops.Abs()(ops.sub(x, y))]
        )
        if fault == "squared":
            self.distance = lambda x, y: ops.square(x - y)
        self.other = fault == "second way"

    def embed(self, x, second=False):
        out = self.bn(self.conv(x))
        return self.fc((out if second and self.other else self.relu(out)).mean((2, 3)))

    def construct(self, x, y):
        return self.out(self.distance(self.embed(x), self.embed(y, True)))


def siamese(size: random.Random, fault: str) -> Example:
    width = size.choice([4, 6])
    return Siamese(width), SiameseCell(width, size, fault), (images(size, 1, 8, 2), images(size, 1, 8, 2))


class Recommender(torch.nn.Module):
    """Neural collaborative filtering."""

    def __init__(self, rows: int, width: int):
        super().__init__()
        self.user = torch.nn.Embedding(rows, width)
        self.item = torch.nn.Embedding(rows, width)
        self.user_mlp = torch.nn.Embedding(rows, width)
        self.item_mlp = torch.nn.Embedding(rows, width)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(2 * width, width), torch.nn.ReLU())
        self.predict = torch.nn.Linear(2 * width, 1)

    def forward(self, user, item):
        product = self.user(user) * self.item(item)
        deep = self.mlp(torch.cat([self.user_mlp(user), self.item_mlp(item)], -1))
        return self.predict(torch.cat([product, deep], -1)).squeeze(-1)


class RecommenderCell(nn.Cell):
    def __init__(self, rows: int, width: int, size: random.Random, fault: str):
        super().__init__()
        self.user = nn.Embedding(rows, width)
        self.item = nn.Embedding(rows, width)
        self.user_mlp = nn.Embedding(rows, width)
        self.item_mlp = nn.Embedding(rows, width)
        self.mlp = nn.SequentialCell(nn.Dense(2 * width, width), nn.ReLU())
        self.predict = nn.Dense(2 * width, 1)
        self.cat = size.choice(
            [lambda parts: ops.cat(parts, -1), ops.Concat(axis=-1), lambda parts: mint.cat(parts, -1)]
        )
        self.fault = fault

    def construct(self, user, item):
        first, second = self.user(user), self.item(item)
        product = first + second if self.fault == "sum" else first * second
        if self.fault == "ids swapped":
            user, item = item, user
        deep = self.mlp(self.cat((self.user_mlp(user), self.item_mlp(item))))
        return self.predict(self.cat((product, deep))).squeeze(-1)


def recommender(size: random.Random, fault: str) -> Example:
    rows, width = size.choice([9, 14]), size.choice([4, 6])
    users, items = torch.randint(0, rows, (5,)), torch.randint(0, rows, (5,))
    return Recommender(rows, width), RecommenderCell(rows, width, size, fault), (users, items)


class FactorisationMachine(torch.nn.Module):
    def __init__(self, rows: int, width: int):
        super().__init__()
        self.linear = torch.nn.Embedding(rows, 1)
        self.factors = torch.nn.Embedding(rows, width)
        self.deep = torch.nn.Sequential(
            torch.nn.Linear(4 * width, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU(), torch.nn.Linear(8, 1)
        )
        self.bias = torch.nn.Parameter(torch.randn(1))

    def forward(self, x):
        factors = self.factors(x)
        pairs = 0.5 * (factors.sum(1) ** 2 - (factors**2).sum(1)).sum(1, keepdim=True)
        return torch.sigmoid(self.linear(x).sum(1) + pairs + self.deep(factors.flatten(1)) + self.bias)


class FactorisationMachineCell(nn.Cell):
    def __init__(self, rows: int, width: int, size: random.Random, fault: str):
        super().__init__()
        self.linear = nn.Embedding(rows, 1)
        self.factors = nn.Embedding(rows, width)
        self.deep = nn.SequentialCell(nn.Dense(4 * width, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dense(8, 1))
        self.bias = ms.Parameter(ops.zeros((1,), ms.float32), name="bias")
        self.square = size.choice([ops.square, lambda x: ops.pow(x, 2), lambda x: x * x])
        self.fault = fault

    def construct(self, x):
        factors = self.factors(x)
        pairs = self.square(factors.sum(1)) - self.square(factors).sum(1)
        pairs = pairs.sum(1, keepdims=True)
        if self.fault != "no half":
            pairs = 0.5 * pairs
        total = self.linear(x).sum(1) + pairs + self.deep(factors.reshape(x.shape[0], -1))
        return ops.sigmoid(total if self.fault == "no bias" else total + self.bias)


def factorisation(size: random.Random, fault: str) -> Example:
    rows, width = size.choice([9, 14]), size.choice([3, 4])
    x = torch.randint(0, rows, (3, 4))
    return FactorisationMachine(rows, width), FactorisationMachineCell(rows, width, size, fault), (x,)


class AutoEncoder(torch.nn.Module):
    def __init__(self, sizes: tuple[int, ...]):
        super().__init__()
        encoder, decoder = [], []
        for inputs, outputs in pairwise(sizes):
            encoder += [torch.nn.Linear(inputs, outputs), torch.nn.Softplus()]
            decoder = [torch.nn.Linear(outputs, inputs), torch.nn.Softplus(), *decoder]
        self.encoder = torch.nn.Sequential(*encoder)
        self.decoder = torch.nn.Sequential(*decoder[:-1])

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Softplus(nn.Cell):
    def construct(self, x):
        return ops.softplus(x)


class AutoEncoderCell(nn.Cell):
    def __init__(self, sizes: tuple[int, ...], size: random.Random, fault: str):
        super().__init__()
        encoder, decoder = [], []
        for inputs, outputs in pairwise(sizes):
            encoder += [nn.Dense(inputs, outputs), Softplus()]
            decoder = [nn.Dense(outputs, inputs), Softplus(), *decoder]
        if fault == "relu":
            encoder[1] = nn.ReLU()
        self.encoder = nn.SequentialCell(encoder)
        self.decoder = nn.SequentialCell(decoder[:-1])
        self.half = fault == "half precision"

    def construct(self, x):
        hidden = self.encoder(x)
        if self.half:
            hidden = hidden.astype(ms.float16).astype(ms.float32)
        return self.decoder(hidden)


def auto_encoder(size: random.Random, fault: str) -> Example:
    sizes = size.choice([(10, 6, 3), (12, 8, 4), (9, 7, 5, 3)])
    return AutoEncoder(sizes), AutoEncoderCell(sizes, size, fault), (torch.randn(4, sizes[0]),)


class Duel(torch.nn.Module):
    """The dueling Q network of an agent that sees frames of bytes."""

    def __init__(self, width: int, actions: int):
        super().__init__()
        self.conv = torch.nn.Conv2d(4, width, 4, 2)
        self.hidden = torch.nn.Linear(width * 16, 16)
        self.value = torch.nn.Linear(16, 1)
        self.advantage = torch.nn.Linear(16, actions)

    def forward(self, x):
        x = functional.relu(self.conv(x / 255.0)).flatten(1)
        x = functional.relu(self.hidden(x))
        advantage = self.advantage(x)
        return self.value(x) + advantage - advantage.mean(1, keepdim=True)


class DuelCell(nn.Cell):
    def __init__(self, width: int, actions: int, size: random.Random, fault: str):
        super().__init__()
        self.conv = conv(4, width, 4, 2)
        self.hidden = nn.Dense(width * 16, 16)
        self.value = nn.Dense(16, 1)
        self.advantage = nn.Dense(16, actions)
        self.relu = relu(size)
        self.mean = size.choice(
            [lambda x: ops.mean(x, 1, True), ops.ReduceMean(True), lambda x: x.mean(1, keep_dims=True)]
        )
        if isinstance(self.mean, ops.ReduceMean):
            self.mean = lambda x: ops.ReduceMean(True)(x, 1)
        if fault == "mean axis":
            self.mean = lambda x: ops.mean(x, 0, True)
        self.scale = 1.0 if fault == "no scaling" else 255.0

    def construct(self, x):
        x = self.relu(self.conv(x / self.scale))
        x = self.relu(self.hidden(x.reshape(x.shape[0], -1)))
        advantage = self.advantage(x)
        return self.value(x) + advantage - self.mean(advantage)


def duel(size: random.Random, fault: str) -> Example:
    width, actions = size.choice([3, 4]), size.choice([3, 5])
    x = torch.randint(0, 256, (3, 4, 10, 10)).float()
    return Duel(width, actions), DuelCell(width, actions, size, fault), (x,)


class Points(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv1 = torch.nn.Conv1d(3, width, 1)
        self.bn1 = torch.nn.BatchNorm1d(width)
        self.conv2 = torch.nn.Conv1d(width, width, 1)
        self.fc = torch.nn.Linear(2 * width, 4)

    def forward(self, x):
        x = self.conv2(functional.relu(self.bn1(self.conv1(x))))
        return self.fc(torch.cat([x.max(2)[0], x.mean(2)], 1))


class PointsCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.conv1 = nn.Conv1d(3, width, 1, has_bias=True)
        self.bn1 = nn.BatchNorm1d(width)
        self.conv2 = nn.Conv1d(width, width, 1, has_bias=True)
        self.fc = nn.Dense(2 * width, 4)
        self.relu = relu(size)
        self.fault = fault

    def construct(self, x):
        x = self.conv1(x)
        x = self.bn1(self.relu(x)) if self.fault == "norm after relu" else self.relu(self.bn1(x))
        x = self.conv2(x)
        most = ops.min(x, 2)[0] if self.fault == "min" else ops.max(x, 2)[0]
        return self.fc(ops.cat((most, ops.mean(x, 2)), 1))


def points(size: random.Random, fault: str) -> Example:
    width = size.choice([4, 6, 8])
    return Points(width), PointsCell(width, size, fault), (torch.randn(2, 3, 9),)


class GraphConvolutions(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.lin1 = torch.nn.Linear(5, width, bias=False)
        self.bias1 = torch.nn.Parameter(torch.randn(width))
        self.lin2 = torch.nn.Linear(width, 3, bias=False)
        self.bias2 = torch.nn.Parameter(torch.randn(3))

    def forward(self, x, adjacency):
        degree = adjacency.sum(1).clamp(min=1).pow(-0.5)
        spread = degree[:, None] * adjacency * degree[None, :]
        x = torch.relu(spread @ self.lin1(x) + self.bias1)
        return spread @ self.lin2(x) + self.bias2


class GraphConvolutionsCell(nn.Cell):
    def __init__(self, width: int, size: random.Random, fault: str):
        super().__init__()
        self.lin1 = nn.Dense(5, width, has_bias=False)
        self.bias1 = ms.Parameter(ops.zeros((width,), ms.float32), name="bias1")
        self.lin2 = nn.Dense(width, 3, has_bias=False)
        self.bias2 = ms.Parameter(ops.zeros((3,), ms.float32), name="bias2")
        self.relu = relu(size)
        self.fault = fault

    def construct(self, x, adjacency):
        degree = ops.pow(ops.clamp(adjacency.sum(1), min=1), -0.5)
        spread = degree[:, None] * adjacency * degree[None, :]
        if self.fault == "transposed":
            spread = spread.T
        if self.fault == "not normalised":
            spread = adjacency
        x = self.relu(ops.matmul(spread, self.lin1(x)) + self.bias1)
        return ops.matmul(spread, self.lin2(x)) + self.bias2


def graph(size: random.Random, fault: str) -> Example:
    width = size.choice([4, 6, 8])
    adjacency = (torch.rand(7, 7) < 0.5).float() + torch.eye(7)
    return (
        GraphConvolutions(width),
        GraphConvolutionsCell(width, size, fault),
        (torch.randn(7, 5), adjacency.clamp(max=1)),
    )


class Highway(torch.nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        self.transforms = torch.nn.ModuleList(torch.nn.Linear(width, width) for _ in range(depth))
        self.gates = torch.nn.ModuleList(torch.nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for transform, gate in zip(self.transforms, self.gates, strict=True):
            share = torch.sigmoid(gate(x))
            x = share * torch.relu(transform(x)) + (1 - share) * x
        return x


class HighwayCell(nn.Cell):
    def __init__(self, width: int, depth: int, size: random.Random, fault: str):
        super().__init__()
        self.transforms = nn.CellList([nn.Dense(width, width) for _ in range(depth)])
        self.gates = nn.CellList([nn.Dense(width, width) for _ in range(depth)])
        self.relu = relu(size)
        self.fault = fault

    def construct(self, x):
        for transform, gate in zip(self.transforms, self.gates, strict=True):
            share = ops.sigmoid(gate(x))
            new = self.relu(transform(x))
            x = share * x + (1 - share) * new if self.fault == "carry" else share * new + (1 - share) * x
        return x


def highway(size: random.Random, fault: str) -> Example:
    width, depth = size.choice([4, 6]), size.choice([1, 2, 3])
    return Highway(width, depth), HighwayCell(width, depth, size, fault), (torch.randn(3, width),)


class Field(torch.nn.Module):
    """A small radiance field: sines of the coordinates, then dense layers with a skip."""

    def __init__(self, width: int, bands: int):
        super().__init__()
        self.bands = bands
        inputs = 3 + 6 * bands
        self.first = torch.nn.Linear(inputs, width)
        self.second = torch.nn.Linear(width + inputs, width)
        self.density = torch.nn.Linear(width, 1)
        self.colour = torch.nn.Linear(width, 3)

    def forward(self, x):
        parts = [x]
        for band in range(self.bands):
            parts += [torch.sin(2.0**band * x), torch.cos(2.0**band * x)]
        x = torch.cat(parts, -1)
        hidden = functional.relu(self.first(x))
        hidden = functional.relu(self.second(torch.cat([x, hidden], -1)))
        return torch.cat([torch.sigmoid(self.colour(hidden)), functional.softplus(self.density(hidden))], -1)


class FieldCell(nn.Cell):
    def __init__(self, width: int, bands: int, size: random.Random, fault: str):
        super().__init__()
        self.bands = bands
        inputs = 3 + 6 * bands
        self.first = nn.Dense(inputs, width)
        self.second = nn.Dense(width + inputs, width)
        self.density = nn.Dense(width, 1)
        self.colour = nn.Dense(width, 3)
        self.relu = relu(size)
        self.fault = fault

    def construct(self, x):
        parts = [x]
        for band in range(self.bands):
            angle = 2.0**band * x
            parts += (
                [ops.cos(angle), ops.sin(angle)] if self.fault == "cosine first" else [ops.sin(angle), ops.cos(angle)]
            )
        x = ops.cat(parts, -1)
        hidden = self.relu(self.first(x))
        hidden = self.relu(self.second(ops.cat((x, hidden), -1)))
        density = self.density(hidden)
        density = self.relu(density) if self.fault == "relu density" else ops.softplus(density)
        return ops.cat((ops.sigmoid(self.colour(hidden)), density), -1)


def field(size: random.Random, fault: str) -> Example:
    width, bands = size.choice([8, 10]), size.choice([1, 2])
    return Field(width, bands), FieldCell(width, bands, size, fault), (torch.randn(5, 3),)


class MetricHead(torch.nn.Module):
    """An embedding for faces: cosine similarity to the centre of every class."""

    def __init__(self, width: int, classes: int):
        super().__init__()
        self.bn1 = torch.nn.BatchNorm1d(8)
        self.dense = torch.nn.Linear(8, width)
        self.bn2 = torch.nn.BatchNorm1d(width, affine=False)
        self.centres = torch.nn.Parameter(torch.randn(classes, width))

    def forward(self, x):
        x = self.bn2(functional.leaky_relu(self.dense(self.bn1(x)), 0.1))
        return 30.0 * functional.linear(functional.normalize(x), functional.normalize(self.centres))


class MetricHeadCell(nn.Cell):
    def __init__(self, width: int, classes: int, size: random.Random, fault: str):
        super().__init__()
        self.bn1 = nn.BatchNorm1d(8)
        self.dense = nn.Dense(8, width)
        self.bn2 = nn.BatchNorm1d(width, affine=False)
        self.centres = ms.Parameter(ops.zeros((classes, width), ms.float32), name="centres")
        self.act = nn.LeakyReLU(0.2 if fault == "slope" else 0.1)
        self.product = size.choice([lambda x, y: ops.matmul(x, y.T), ops.MatMul(transpose_b=True), ops.dense])
        self.axis = 0 if fault == "normalised axis" else 1
        self.normed = fault != "centres not normalised"

    def construct(self, x):
        x = self.bn2(self.act(self.dense(self.bn1(x))))
        x = x / ops.norm(x, dim=self.axis, keepdim=True)
        centres = self.centres / ops.norm(self.centres, dim=1, keepdim=True) if self.normed else self.centres
        return 30.0 * self.product(x, centres)


def metric_head(size: random.Random, fault: str) -> Example:
    width, classes = size.choice([5, 7]), size.choice([3, 4])
    return MetricHead(width, classes), MetricHeadCell(width, classes, size, fault), (torch.randn(6, 8),)
