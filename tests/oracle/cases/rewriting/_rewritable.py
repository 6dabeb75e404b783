"""Small networks of all forms that scripts rewrite; run by msbridge and by the real MindSpore."""

# ruff: noqa: RET504

import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops import functional as F
from mindspore.ops import operations as P

SCALE = 2.0


def double(x):
    y = x + x
    return ops.relu(y)


def twice(x, times=2):
    x = double(x) * times
    return x


class Plain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, weight_init="ones")
        self.bn = nn.BatchNorm2d(2)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(72, 3, weight_init="ones", bias_init="ones")

    def construct(self, x):
        """Of one input."""
        x = self.conv(x)
        x = self.bn(x)
        x = self.relu(x)
        x = self.flatten(x)
        x = self.fc(x)
        return x


class Nested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.fc = nn.Dense(4, 4, weight_init="ones", bias_init="ones")
        self.add = P.Add()

    def construct(self, x, y=None):
        return self.add(self.relu(self.fc(x)), self.relu(x)) + 1


class Sub(nn.Cell):
    def __init__(self, width=4):
        super().__init__()
        self.fc = nn.Dense(width, 4, weight_init="ones", bias_init="ones")
        self.act = nn.Tanh()

    def construct(self, x):
        return self.act(self.fc(x))


class Tree(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = Sub()
        self.second = Sub()
        self.relu = nn.ReLU()

    def construct(self, x):
        a = self.first(x)
        b = self.second(a)
        return self.relu(a - b)


class Sequence(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(
            nn.Dense(4, 4, weight_init="ones", bias_init="ones"),
            nn.ReLU(),
            Sub(),
            nn.SequentialCell(nn.Tanh(), nn.ReLU()),
        )
        self.head = nn.Dense(4, 2, weight_init="ones", bias_init="ones")

    def construct(self, x):
        x = self.body(x)
        x = self.head(x)
        return x


class Listed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cells_ = nn.CellList([nn.Dense(4, 4, weight_init="ones", bias_init="ones"), nn.ReLU(), Sub()])

    def construct(self, x):
        for cell in self.cells_:
            x = cell(x)
        return x


class Branches(nn.Cell):
    def __init__(self, deep=True):
        super().__init__()
        self.deep = deep
        self.relu = nn.ReLU()
        self.fc = nn.Dense(4, 4, weight_init="ones", bias_init="ones")

    def construct(self, x):
        if self.deep:
            x = self.fc(x)
            x = self.relu(x)
        else:
            x = self.relu(x)
        if not self.deep:
            x = x + 1
        if x.sum() > 0:
            x = x * 2
        return x


class Early(nn.Cell):
    def __init__(self, early=True):
        super().__init__()
        self.early = early
        self.relu = nn.ReLU()

    def construct(self, x):
        if self.early:
            return self.relu(x)
        x = x + 1
        return x


class Loops(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.times = 3

    def construct(self, x):
        for i in range(self.times):
            x = self.relu(x + i)
        n = 0
        while n < 2:
            x = x * 2
            n += 1
        return x


class Tuples(nn.Cell):
    def __init__(self):
        super().__init__()
        self.split = ops.Split(1, 2)
        self.relu = nn.ReLU()
        self.w = Parameter(Tensor(np.ones((1, 2), np.float32)), name="w")

    def construct(self, x):
        a, b = self.split(x)
        c = d = self.relu(a)
        e = (c, d + self.w)
        f, g = e
        z = [a, b][1]
        shape = x.shape
        return f * b, g, shape[0], z


class Calls(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4, weight_init="ones", bias_init="ones")
        self.reduce = ops.ReduceSum(keep_dims=True)

    def helper(self, x, scale=1):
        y = self.fc(x)
        return y * scale

    @staticmethod
    def fixed(x):
        return x + 3

    def construct(self, x):
        x = self.helper(x, scale=2)
        x = double(x)
        x = twice(x, times=3)
        x = ops.relu(x)
        x = F.abs(x)
        x = P.Abs()(x)
        x = ops.sum(x, -1, keepdim=True)
        x = self.fixed(x)
        x = x.reshape((-1, 1))
        x = self.reduce(x, -1)
        y = len(x.shape)
        z = max(y, 1)
        return x * z


class Expressions(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.bias = 0.5

    def construct(self, x, *others, scale=1.0, **more):
        y = x * SCALE + self.bias
        z = -y if scale else y
        z += 1
        w = self.bias > 0 and z.sum() < 100 and self.bias
        p: int = 4
        t = [self.relu(v) for v in (y, z)]
        d = {"a": y, "b": z}
        s = "name"
        q = x[0:1, None]
        m = (lambda v: v + 1)(z)
        assert p == 4
        len(s)
        return d["a"] + t[0] + q[0] + m * w


class Base(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4, weight_init="ones", bias_init="ones")

    def construct(self, x):
        return self.fc(x)

    def tail(self, x):
        return x + 1


class Derived(Base):
    size = 7

    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x):
        x = super().construct(x)
        x = self.tail(x)
        return self.relu(x)


class Inherits(Base):
    pass


class Twofold(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.fc = nn.Dense(4, 4, weight_init="ones", bias_init="ones")

    def construct(self, x):
        x = self.relu(x)
        x = self.fc(x)
        x = self.relu(x)
        x = self.fc(x)
        y = self.relu(x)
        return y


class Kwargs(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.add = P.Add()
        self.sub = Sub()

    def construct(self, input, other=None):
        y = self.relu(input=input)
        z = self.sub(x=self.relu(y))
        return self.add(y, z)


class Named(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.ones(4, np.float32)), name="alpha")
        self.inner = Sub()
        self.__secret = 2.0

    def construct(self, x):
        x = self.inner(x) * self.weight
        return self.inner(x) * self.__secret


class Chain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, 4, weight_init="ones", bias_init="ones")
        self.second = nn.Dense(4, 4, weight_init="ones", bias_init="ones")
        self.relu = nn.ReLU()
        self.tanh = nn.Tanh()
        self.body = nn.SequentialCell(nn.Dense(4, 4, weight_init="ones", bias_init="ones"), nn.Tanh(), Sub())
        self.add = P.Add()

    def construct(self, x):
        a = self.relu(self.first(x))
        b = self.tanh(self.second(a))
        c = self.body(b)
        return self.add(a, c)
