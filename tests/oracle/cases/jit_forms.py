"""Bodies of functions that `jit` marks: what comes back, of which type and dtype, and which classes are raised.

A body is code between empty lines; it has one argument, `x`.
"""

from tests.oracle.case import Case, rand
from tests.oracle.compiled import compiled  # noqa: F401  used by the expressions

X = rand(2, 3)
BODIES = """
pass

return map(lambda a, b: a + b, (1, 2), (3, 4))

return map(lambda a: a * 2, [1, 2])

return zip([1, 2], (3, 4))

return x.max(1)

return x.min(-1, True)

return x.max(dim=1)

return x.max(1, keepdim=True)

return x.min(-1, keepdim=False)

return x.max(axis=1), x.min()

return range(0, 6, 2)

return enumerate([5, 6], 1)

return filter(lambda a: a % 2 == 1, (1, 2, 3))

return (a * a for a in (1, 2))

return {'a': x}.keys(), {'a': 1}.values(), {'a': 2}.items()

return x, range(3), [zip((1,), (2,))], {'k': range(2)}

return (x, x + 1)

return [x, 1]

return {'a': x, 'b': 2}

return (x, [1, (2, x)], {'k': (x, None)})

return 3

return 2.5

return True

return 'abc'

y = x.half()
w = y.reshape(3, 1, 1, 2)
image = x.reshape(1, 1, 2, 3)
conv = mint.nn.functional.conv2d
return (conv(image, w).dtype, conv(image.half(), w.float()).dtype, conv(image, w.float(), y[0]).dtype)

y = x.half()
line = x.reshape(1, 2, 3)
return (
    mint.nn.functional.conv1d(line, y.reshape(1, 2, 3)).dtype,
    mint.nn.functional.conv3d(x.reshape(1, 1, 1, 2, 3), y.reshape(6, 1, 1, 1, 1)).dtype,
    mint.nn.functional.conv_transpose2d(x.reshape(1, 1, 2, 3), y.reshape(1, 6, 1, 1)).dtype,
)

y = x.half()
return (mint.addmm(x[:, :2], y, y.reshape(3, 2)).dtype, mint.addmm(y[:, :2], x, x.reshape(3, 2)).dtype)

y = x.half()
left, right = x.reshape(1, 2, 3), y.reshape(1, 3, 2)
return (mint.baddbmm(x[:, :2], left, right).dtype, mint.baddbmm(y[:, :2], left, right).dtype)

y = x.half()
return (mint.index_add(x, 0, Tensor([1, 0]), y).dtype, mint.index_add(y, 0, Tensor([1, 0]), x).dtype)

y = x.half()
return (ops.rms_norm(x, y[0])[0].dtype, ops.rms_norm(y, x[0])[0].dtype)

y = x.half()
s = y[0]
return mint.nn.functional.batch_norm(x, s, s, s, s).dtype

y = x.half()
return (x.masked_scatter(x > 0, y), y.masked_scatter(x > 0, x))

return x.max(-1, keepdim=True)[1]

return x.dtype

return x.shape

return x.size

return x.ndim

return len(x)

return Tensor([1, 2, 3])

return x.shape[0] * 2 + 0.5

return ()

return []

return {}

return (x,)

return x.sum().item()

return float(x.sum())

return int(x.sum())

return bool(x.sum() > 0)

return x.tolist()

return x.asnumpy()

return list(range(3))

return list(zip((1, 2), (3, 4)))

return list(enumerate((5, 6)))

return list(map(lambda a: a + 1, (1, 2)))

return tuple(map(lambda a: a + 1, (1, 2)))

return sorted([3, 1, 2])

return sum([1, 2, 3])

return (max(1, 5), min((3, 2)), abs(-2), round(2.6), pow(2, 3))

return divmod(7, 2)

return (any([False, True]), all((True, False)))

return (isinstance(x, Tensor), isinstance(1, int))

return (hasattr(x, 'shape'), hasattr(x, 'foo'))

return type(1) == int

return list(reversed([1, 2]))

return list(filter(lambda a: a > 1, [1, 2, 3]))

return ('a' + 'b', 'ab' * 2, '%d' % 3)

return f'v{x.shape[0]}'

return '{}-{}'.format(1, 2)

return ('abc'.upper(), 'a,b'.split(','), 'abc'.startswith('a'))

return np.array([1, 2])

return (6 & 3, 6 | 1, 6 ^ 2, ~5, 1 << 3, 8 >> 1)

return (1 < 2 < 3, 1 == 1.0, 'a' in 'abc', 2 in (1, 2), None is None, not 0)

return (1 and 2, 0 or 3, None or 4, '' or 'x')

return 1 if x.shape[0] == 2 else 2

return (x + Tensor(1.0, ms.float64), x + np.float64(2))

return (Tensor(1) + 1, Tensor(1.5) + 1, Tensor([1, 2]) * 1.5, Tensor([True]) + 1)

y = x * 1
y *= 2
y -= 1
return y

return (ops.zeros((2,)), ops.ones((1,), ms.int32), ops.full((2,), 3), ops.arange(3), ops.eye(2))

return (x.astype(ms.int32), ops.cast(x, ms.float16), x.int(), x.half(), x.bool(), x.float(), x.long())

return (x is None, x is not None)

return (x.shape == (2, 3), (1, 2) + (3,), [1] + [2], (1,) * 3)

return ops.ones((x.shape[0], 1)) * x.shape[1]

return (ops.maximum(x, 0), max(x.shape), ops.clamp(x, 0, 2))

if x.sum() > 0:
    return x
return -x

if x.sum() > 100:
    y = x
elif x.sum() > 0:
    y = x * 2
else:
    y = x * 3
return y

if x.shape[0] > 1:
    return 1
return x

if x.sum() > 0:
    return 1
return 2

if x.sum() > 0:
    y = x
else:
    y = x[0]
return y

i = 0
while i < 3:
    x = x + i
    i += 1
return (x, i)

i = Tensor(0)
while i < 3:
    x = x + i
    i += 1
return (x, i)

i = 0
while True:
    i += 1
    if i > 4:
        break
    if i == 2:
        continue
    x = x + i
return x

while x.sum() < 100:
    x = x * 2
    if x.sum() > 30:
        break
return x

for i in range(3):
    x = x + i
return x

y = 0
for row in x:
    y = y + row
return y

out = []
for i in range(3):
    out.append(x[0] * i)
return out

out = []
for i in range(3):
    out.append(x[0] * i)
return ops.stack(out)

s = 0
for k, v in {'a': 1, 'b': 2}.items():
    s += v
return x + s

s = x
for a, b in zip((1, 2), (3, 4)):
    s = s + a * b
return s

for i, row in enumerate(x):
    x = x + row * i
return x

for i in range(10):
    if i == 3:
        break
    x = x + 1
return x

for i in range(10):
    if i == 2:
        return x * i
return x

if x.sum() > 0:
    if x.max() > 4:
        return x + 1
    return x + 2
return x

return x if x.sum() > 0 else -x

return x.sum() > 0 and x.max() > 100

return x.sum() > 0 or x.max() > 100

return 0 < x.sum() < 100

return (3 in [1, 2, 3], 1 not in (2,))

if x.shape[0] in (2, 3):
    return x
return -x

assert x.shape[0] == 2, 'bad'
return x

if x.sum() > 0:
    pass
return x

return ([i * 2 for i in range(3)], [x * i for i in (1, 2)])

return [i for i in range(5) if i % 2 == 0]

return {str(i): i for i in range(2)}

return sum((i for i in range(3)))

return [[i * j for i in range(2)] for j in range(2)]

a = [1, 2, 3]
a[0] = x
a.append(4)
a.insert(0, 9)
a.pop()
a.extend([7])
a.reverse()
return a

a = [1, 2]
a.clear()
a += [3]
return (a, len(a))

a = [1, 2, 1]
return (a.count(1), a.index(2), a.copy())

d = {'a': x}
d['b'] = 2
d.update({'c': 3})
return (d, list(d.keys()), list(d.values()), d.get('z', 5), 'a' in d, len(d))

a, b = x
c, *d = (1, 2, 3)
return (a, b, c, d)

return (ops.concat([*[x, x]], 0), (*x.shape, 1))

a, b = (1, 2)
a, b = (b, a)
return (a, b)

return (x[0], x[:, 1], x[..., -1], x[1:, ::2], x[None], x[x > 0], x[Tensor([1, 0])], x[0, 1])

x[0] = 9
return x

return ((1, 2, 3)[1:], [1, 2, 3][-1], 'abc'[0])

return {'a': {'b': x}}['a']['b']

a = [x, x + 1]
return len(a)

global G2
G2 = 3
return x

f = lambda a, b=2: a * b
return (f(x), f(x, 3), f(b=1, a=x))

def f(a):
    return a + x
return (f(x), f(1))

def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)
return fact(4) + x

return (x * np.pi, np.sqrt(4.0))

print('in', x.shape)
return x

print(x)
return x

return (getattr(x, 'shape'), getattr(x, 'foo', 3))

return (x.sum(0).reshape(3, 1).T, x.mean(axis=1, keep_dims=True))

return x.astype('float16')

return x

y: int = 2
return x * y

a = b = x + 1
return a + b

return Tensor(x.asnumpy() + 1)

return (Tensor([x.shape[0], 5]), Tensor((1.5, 2)))

return (Tensor([1, 2], ms.float16).dtype, ms.Tensor(3).dtype)

return sum((x, x + 1))

return ops.HyperMap()(ops.relu, (x, -x))

return (ops.shape(x), ops.rank(x), ops.size(x), ops.dtype(x))

return ops.rand(2, 3).shape

if x.sum() < -99:
    raise ValueError('t')
return x
"""
ERRORS = {
    AssertionError: """
assert x.shape[0] == 3, 'bad'
return x

assert False
""",
    ValueError: """
if x:
    return 1
return 2

raise ValueError('v')

if x.sum() > 0:
    raise ValueError('t')
return x

return x + Tensor(np.ones(5, np.float32))

return ops.softmax(x, 7)

return x.reshape(5)
""",
    AttributeError: """
return (mint.sum(x, dim=1), mint.add(x, 1, alpha=2), mint.relu(x))

return x.foo
""",
    RuntimeError: """
if x.shape[0] == 2:
    raise RuntimeError('r')
return x
""",
    IndexError: """
return x[5]

return [1, 2][5]
""",
    NameError: """
return undefined_name + x
""",
    TypeError: """
return x + 'a'

return None + x

return ops.softmax(x, 'a')

return 'a' + 1

return ms.Tensor('a')

for i in 3:
    x = x + i
return x

return mint.scatter(x, 1, Tensor([[0], [1]]), x.half())

raise TypeError
""",
}


def bodies(text: str) -> list[str]:
    return text.strip().split("\n\n")


CASES = [
    *[Case(f"compiled({body!r})(x)", x=X) for body in bodies(BODIES)],
    *[Case(f"compiled({body!r})(x)", x=X, raises=error) for error, text in ERRORS.items() for body in bodies(text)],
]
