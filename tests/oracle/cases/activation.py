"""Activations: as functions, primitives and layers, with gradients."""

from tests.oracle.case import Case, each, rand, special, words

X = rand(3, 4, low=-4, high=4)
FUNCTIONS = words("""relu relu6 sigmoid tanh gelu softplus softsign silu mish elu selu celu hardswish hardsigmoid
    hardtanh leaky_relu logsigmoid softmax log_softmax softmin hardshrink softshrink tanhshrink fast_gelu""")
PRIMITIVES = words(
    "ReLU ReLU6 Sigmoid Tanh GeLU Softplus Softsign Elu SeLU HSwish HSigmoid Softmax LogSoftmax Mish FastGeLU"
)
LAYERS = words("""ReLU ReLU6 Sigmoid Tanh GELU FastGelu ELU SeLU CELU SiLU Mish HSwish HSigmoid LeakyReLU Softmax
    LogSoftmax Softmin LogSigmoid SoftShrink HShrink Tanhshrink Softsign Hardtanh PReLU""")
NAMES = words("relu relu6 sigmoid tanh gelu softmax logsoftmax elu hswish hsigmoid leakyrelu logsigmoid prelu")

# CPU kernels of these gradients round early; that of selu is wrong and left out.
APPROXIMATE = {"mish": 1e-3, "Mish": 1e-3, "tanh": 1e-4, "Tanh": 1e-4}

CASES = [
    *[Case(f"ops.{name}(x)", x=X, grad=name != "selu", tolerance=APPROXIMATE.get(name)) for name in FUNCTIONS],
    *[Case(f"ops.{name}()(x)", x=X, grad=name != "SeLU", tolerance=APPROXIMATE.get(name)) for name in PRIMITIVES],
    *[Case(f"nn.{name}()(x)", x=X, grad=name != "SeLU", tolerance=APPROXIMATE.get(name)) for name in LAYERS],
    *[Case(f"nn.get_activation('{name}')(x)", x=X) for name in NAMES],
    *[Case(f"type(nn.get_activation('{name}')).__name__") for name in NAMES],
    *[
        Case(f"ops.{name}(x)", x=special(nan=False))
        for name in ("relu", "sigmoid", "tanh", "softplus", "elu", "leaky_relu", "silu")
    ],
    *[Case(f"ops.{name}(x)", x=rand(4, dtype="float16")) for name in ("relu", "sigmoid", "gelu", "softmax", "elu")],
    *each(
        """
        ops.softmax(x, 0)
        ops.softmax(x, axis=1)
        ops.log_softmax(x, 0)
        ops.Softmax(axis=0)(x)
        ops.LogSoftmax(axis=0)(x)
        x.softmax(0)
        nn.Softmax(axis=0)(x)
        nn.LogSoftmax(0)(x)
        ops.gelu(x, approximate='tanh')
        ops.gelu(x, approximate='none')
        nn.GELU(approximate=False)(x)
        nn.GELU(True)(x)
        ops.leaky_relu(x, 0.1)
        nn.LeakyReLU(0.01)(x)
        nn.LeakyReLU(alpha=0.3)(x)
        nn.ELU(1.0)(x)
        ops.celu(x, 2.0)
        ops.hardtanh(x, -0.5, 0.75)
        ops.hardshrink(x, 1.0)
        ops.softshrink(x, 1.0)
        nn.SoftShrink(0.25)(x)
        ops.softplus(x, 2, 3)
        ops.prelu(x, Tensor([0.1, 0.2, 0.3, 0.4]))
        ops.PReLU()(x, Tensor([0.25]))
        nn.PReLU(4, 0.1)(x)
        ops.rrelu(x, 0.2, 0.2)
        ops.threshold(x, 0.5, 9.0)
        nn.Threshold(0.5, 9.0)(x)
        ops.glu(x)
        nn.GLU(0)(x[:2])
        ops.relu(x) - ops.relu(-x)
        nn.ReLU()(x).sum()
        nn.Softmax2d()(x.reshape(1, 3, 2, 2))
        nn.LRN()(x.reshape(1, 3, 2, 2))
        mint.nn.functional.relu(x)
        mint.nn.functional.softmax(x, dim=1)
    """,
        x=X,
        grad=True,
    ),
    Case("ops.softmax(x)", x=rand(1)),
    *each(
        """
        ops.gumbel_softmax(x).shape
        ops.gumbel_softmax(x, hard=True).sum(-1)
    """,
        x=X,
    ),
    Case("ops.softmax(x, 3)", x=rand(2), raises=ValueError, says="axis"),
    Case("ops.softmax(x, -2)", x=rand(2), raises=ValueError, says="axis"),
    Case("ops.relu(None)", raises=TypeError),
    Case("ops.relu([1.0])", raises=TypeError),
    Case("ops.relu(x, foo=1)", x=rand(2), raises=TypeError, says="foo"),
    Case("nn.get_activation('foo')", raises=KeyError, says="foo"),
    Case("type(nn.get_activation(None))"),
]

CASES += [
    Case("nn.GLU()(x)", x=rand(2, 3), raises=ValueError, says="even"),
    Case("ops.glu(x)", x=rand(3), raises=ValueError, says="even"),
    Case("mint.nn.functional.glu(x)", x=rand(2, 3), raises=RuntimeError, says="even"),
    Case("nn.GLU(0)(x)", x=rand(2, 3)),
]
