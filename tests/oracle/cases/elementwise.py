"""Functions of each element: values, edge values and gradients."""

from tests.oracle.case import Case, each, ints, rand, scalar, special, values, words

ANY = words("""abs ceil floor round trunc sign neg square exp expm1 sin cos tan sinh cosh tanh atan asinh erf erfc
    sigmoid relu""")
POSITIVE = words("sqrt rsqrt log log2 log10 log1p reciprocal lgamma digamma")
INSIDE = words("asin acos atanh")
PAIRS = words("add sub mul div pow maximum minimum atan2 hypot fmod remainder floor_div xlogy")
PRIMITIVES = words(
    "Abs Ceil Floor Round Sign Neg Square Exp Expm1 Sin Cos Tan Sinh Cosh Tanh Atan Asinh Erf Erfc Sigmoid ReLU"
)
NUMBERS = words("abs ceil floor neg square exp expm1 sin cos tanh erf sigmoid sign trunc round")

CASES = [
    *[Case(f"ops.{name}(x)", x=rand(2, 3), grad=True) for name in ANY],
    *[Case(f"ops.{name}(x)", x=rand(2, 3, low=0.5, high=3), grad=True) for name in POSITIVE],
    *[Case(f"ops.{name}(x)", x=rand(2, 3, low=-0.9, high=0.9), grad=True) for name in INSIDE],
    *[Case(f"ops.{name}(x)", x=rand(2, 3, low=1.5, high=3), grad=True) for name in ("acosh", "log", "sqrt")],
    *[Case(f"ops.{name}(x, y)", x=rand(2, 3, low=0.5), y=rand(3, low=0.5, high=3), grad=True) for name in PAIRS],
    *[Case(f"ops.{name}()(x)", x=rand(2, 3)) for name in PRIMITIVES],
    *[
        Case(f"ops.{name}()(x)", x=rand(2, 3, low=0.5))
        for name in ("Sqrt", "Rsqrt", "Log", "Log1p", "Reciprocal", "Inv")
    ],
    *[
        Case(f"ops.{name}(x)", x=special())
        for name in (*NUMBERS, "sqrt", "log", "reciprocal", "isnan", "isinf", "isfinite")
    ],
    *[
        Case(f"x.{name}()", x=rand(2, 3))
        for name in words("abs ceil floor round exp sin cos tanh sigmoid square neg erf")
    ],
    *[Case(f"x.{name}()", x=rand(3, low=0.5)) for name in words("log sqrt rsqrt log1p reciprocal")],
    *[
        Case(f"ops.{name}(x)", x=rand(4, dtype="float16"))
        for name in ("exp", "tanh", "abs", "sigmoid", "relu", "square")
    ],
    *[Case(f"ops.{name}(x)", x=rand(4, dtype="float64")) for name in ("exp", "tanh", "abs", "sin", "square")],
    *[Case(f"ops.{name}(x)", x=ints(2, 3)) for name in ("abs", "neg", "square", "sign", "relu")],
    *[Case(f"ops.{name}(x)", x=scalar(0.5), grad=True) for name in ("exp", "tanh", "sigmoid", "square")],
    Case("ops.round(x)", x=values(0.5, 1.5, 2.5, -0.5, -1.5)),
    Case("ops.sqrt(x)", x=values(4, 9, dtype="int32")),
    *each(
        """
        ops.clip_by_value(x, -1, 1)
        ops.clip_by_value(x, clip_value_min=0)
        ops.clip_by_value(x, None, 0.5)
        ops.clamp(x, -1, 1)
        ops.clamp(x, min=0.25)
        ops.clip(x, -0.5, 0.5)
        x.clip(-1, 1)
        x.clamp(-1, 1)
        ops.clip_by_value(x, Tensor(-0.5), Tensor(0.5))
        ops.pow(x, 2)
        ops.pow(x, 3.0)
        x ** 2
        x.pow(2)
        2 ** x
        ops.square(x) + ops.exp(x)
        -x
        x * x
        x / 3
        3 / (x + 3)
        x - 1
        1 - x
        x.add(1)
        x.sub(1)
        x.mul(2)
        x.div(2)
        ops.add(x, 1)
        ops.sub(1, x)
        ops.mul(x, x)
        ops.addn([x, x, x])
        ops.AddN()([x, x])
        ops.lerp(x, x + 1, 0.25)
        ops.addcmul(x, x, x, 0.5)
        ops.sinc(x)
        ops.logaddexp(x, x + 1)
        ops.logaddexp2(x, x - 1)
        ops.copysign(x, -x)
        ops.frac(x)
        ops.deg2rad(x)
        ops.rad2deg(x)
        ops.exp2(x)
        ops.float_power(x, 2)
        ops.positive(x)
        ops.negative(x)
        ops.absolute(x)
        ops.nan_to_num(x)
        ops.stop_gradient(x) * x
        ops.identity(x)
        ops.Identity()(x)
        ops.SquaredDifference()(x, x + 2)
        ops.SquaredDifference()(x, x * 2)
        ops.DivNoNan()(x, x * 0)
        ops.Xdivy()(x, x + 3)
        ops.xdivy(x, x + 3)
        ops.Xlogy()(x, x * x + 1)
        ops.clip_by_norm(x, 1.0)
        ops.clip_by_norm(x, 100.0)
        ops.clip_by_global_norm([x, x + 1], 1.0)
        ops.clip_by_global_norm((x, x), 100.0)
    """,
        x=rand(2, 3),
        grad=True,
    ),
    *each(
        """
        ops.nan_to_num(x)
        ops.nan_to_num(x, 1.0, 2.0, -2.0)
        x.isnan()
        x * 0
        x + 1
        x == x
        x.nan_to_num(0.0)
    """,
        x=special(),
    ),
    *each(
        """
        ops.relu(x)
        ops.maximum(x, 0)
        ops.minimum(x, 1)
        ops.clip_by_value(x, -1, 1)
    """,
        x=special(nan=False),
    ),
    *each(
        """
        ops.floor_div(x, y)
        ops.floor_mod(x, y)
        ops.FloorDiv()(x, y)
        ops.FloorMod()(x, y)
        ops.Mod()(x, y)
        ops.truncate_div(x, y)
        ops.truncate_mod(x, y)
        x // y
        x % y
        ops.bitwise_and(x, y)
        ops.bitwise_or(x, y)
        ops.bitwise_xor(x, y)
        ops.gcd(x, y)
        ops.lcm(x, y)
        ops.maximum(x, y)
        x.floor_divide(y)
        ops.bitwise_left_shift(x, y)
        ops.bitwise_right_shift(x, y)
    """,
        x=ints(6, low=-20, high=20),
        y=ints(6, low=1, high=5),
    ),
    *[
        Case("ops.population_count(x), ops.PopulationCount()(x)", x=ints(2, 3, low=low, high=100, dtype=dtype))
        for dtype, low in (
            ("int8", -100),
            ("int16", -100),
            ("int32", -100),
            ("int64", -100),
            ("uint8", 0),
            ("uint32", 0),
        )
    ],
    Case("ops.population_count(x)", x=rand(3), raises=TypeError, says="input"),
    *each("""
        ops.real(Tensor([1 + 2j])), ops.imag(Tensor([1 + 2j])), ops.conj(Tensor([1 + 2j])), ops.angle(Tensor([1j]))
        Tensor([1 + 2j]) * Tensor([2 - 1j])
        ops.polar(Tensor([1.0]), Tensor([0.0]))
        ops.cast(Tensor([1.5, -1.5]), ms.int32), ops.Cast()(Tensor([1]), ms.float32), ops.cast(Tensor([1]), ms.bool_)
        ops.cast(1.5, ms.int32), ops.cast(Tensor([1.5]), ms.float16)
    """),
    # broadcasting
    *each(
        """
        x + y
        x * y
        ops.maximum(x, y)
        ops.sub(x, y)
        x / (y + 5)
        ops.pow(ops.abs(x) + 1, y)
    """,
        x=rand(3, 1),
        y=rand(2, 1, 4),
        grad=True,
    ),
    Case("x + y", x=rand(0, 3), y=rand(3)),
    Case("x + y", x=rand(2, 3), y=rand(2), raises=ValueError),
    Case("ops.add(x, y)", x=rand(2), y=rand(3), raises=ValueError),
    Case("ops.mul(x, y)", x=rand(2, 3), y=rand(2, 2), raises=ValueError),
]
