"""Functions that reach the methods of Tensor."""

from mindspore.ops import tensor_method as T  # noqa: F401  used by the expressions

from tests.oracle.case import Case, each, ints, rand, words

UNARY = words(
    "abs ceil cos cosh erf erfc exp expm1 floor frac isfinite isinf isneginf log1p neg reciprocal round "
    "sigmoid sin sinc sinh square tan tanh trunc all any max min median mean_ext prod std sum_ext t flatten "
    "argmax argmin argsort sort nan_to_num hardshrink diag histc"
)
POSITIVE = words("log log10 log2 sqrt rsqrt")
BINARY = words(
    "add_ext sub_ext subtract mul div true_divide maximum minimum atan2 arctan2 eq ne not_equal less le "
    "greater greater_equal remainder allclose expand_as view_as inplace_mul inplace_sub remainder_ "
    "floor_divide_ floor_div xlogy"
)
OLD_UNARY = words(
    "all argmax argmin argsort count_nonzero flatten isneginf max min mean median nansum permute prod sort std "
    "sum t tril unbind var"
)
OLD_BINARY = words(
    "add sub sub_ mul pow fmod remainder mod greater_equal isclose logaddexp logaddexp2 expand_as view_as type_as outer"
)

CASES = [
    *[Case(f"T.tensor_{name}(x)", x=rand(2, 3) if name != "diag" else rand(3)) for name in UNARY],
    *[Case(f"T.deprecated_tensor_{name}(x)", x=rand(2, 3)) for name in OLD_UNARY],
    *[Case(f"T.tensor_{name}(x)", x=rand(2, 3, low=1, high=3)) for name in POSITIVE],
    *[Case(f"T.tensor_{name}(x)", x=rand(2, 3, low=-0.9, high=0.9)) for name in ("atanh",)],
    *[Case(f"T.deprecated_tensor_{name}(x)", x=rand(2, 3, low=-0.9, high=0.9)) for name in ("acos", "asin", "atan")],
    *[Case(f"T.tensor_{name}(x, y)", x=rand(2, 3, low=1, high=3), y=rand(2, 3, low=1, high=3)) for name in BINARY],
    *[
        Case(f"T.deprecated_tensor_{name}(x, y)", x=rand(3, low=1, high=3), y=rand(3, low=1, high=3))
        for name in OLD_BINARY
    ],
    *each(
        """
        T.tensor_all(x, 1, True)
        T.tensor_any(x > 0, 0)
        T.reduce_tensor_any(x > 0, 0, True)
        x.chunk(2, dim=1)
        x.permute()
        x[:, 0].addmv(x, x[0], 2, 3)
        x[0].diag(0)
        T.tensor_argmax(x, 1, True)
        T.deprecated_tensor_argmax(x, axis=1, keepdims=True)
        T.tensor_chunk(x, 2, dim=1)
        T.deprecated_tensor_chunk(x, 2, axis=1)
        T.tensor_clamp_scalar(x, -1, 1)
        T.tensor_clamp_tensor(x, Tensor(-1.0), Tensor(1.0))
        T.tensor_cumsum(x, 1)
        T.deprecated_tensor_cumsum(x, axis=0)
        T.tensor_gather_ext(x, 1, Tensor([[0], [2]]))
        T.deprecated_tensor_gather(x, Tensor([1, 0]), 1)
        T.tensor_index_select(x, 1, Tensor([2, 0]))
        T.deprecated_tensor_index_select(x, axis=1, index=Tensor([2, 0]))
        T.tensor_index_add(x, 0, Tensor([1], ms.int32), x[:1], alpha=2)
        T.deprecated_tensor_index_add(x, Tensor([1], ms.int32), x[:1], 0)
        T.tensor_lerp(x, x + 1, Tensor(0.25))
        T.tensor_masked_fill(x, x > 0, 7)
        T.tensor_masked_select(x, x > 0)
        T.tensor_masked_scatter(x, x > 0, x + 10)
        T.tensor_maxdim(x, 1)
        T.tensor_mindim(x, 0, True)
        T.tensor_median_dim(x, 1)
        T.tensor_matmul(x, x.T)
        T.deprecated_tensor_matmul(x, x.T)
        T.tensor_mm(x, x.T)
        T.deprecated_tensor_mm(x, x.T)
        T.deprecated_tensor_dot(x, x.T)
        T.tensor_addmm(x[:, :2], x, x.T)
        T.deprecated_tensor_addmm(x[:, :2], x, x.T, beta=2, alpha=3)
        T.tensor_addmv(x[:, 0], x, x[0])
        T.deprecated_tensor_addmv(x[:, 0], x, x[0], 2, 3)
        T.deprecated_tensor_addcdiv(x, x, x + 5, Tensor(2.0))
        T.deprecated_tensor_narrow(x, 1, 1, 2)
        T.tensor_new_ones(x, (2,))
        T.tensor_new_zeros(x, (2,), dtype=ms.int32)
        T.tensor_pow_tensor_tensor(x, Tensor(2.0))
        T.deprecated_tensor_repeat_interleave(x, 2, 1)
        T.tensor_reshape(x, 3, 2)
        T.tensor_scatter(x, 1, Tensor([[0], [2]]), x[:, :1])
        T.deprecated_tensor_scatter(x, axis=1, index=Tensor([[0], [2]]), src=x[:, :1])
        T.deprecated_tensor_scatter_add(x, Tensor([[0, 1]]), Tensor([5.0]))
        T.tensor_select_ext(x, 1, 2)
        T.deprecated_tensor_select(x, x > 0, x + 10)
        T.tensor_split_tensor(x, 2, 1)
        T.tensor_split_with_size(x, [1, 2], 1)
        T.deprecated_tensor_split(x, 1, axis=0)
        T.tensor_squeeze(x[:1], 0)
        T.deprecated_tensor_unsqueeze(x, 1)
        T.tensor_std(x, 1, correction=1)
        T.deprecated_tensor_std(x, 1, 1, True)
        T.deprecated_tensor_var(x, 1, 1)
        T.deprecated_tensor_take(x, Tensor([0, 4]))
        T.tensor_take(x, Tensor([0, 4]))
        T.tensor_tile(x, (1, 2))
        T.deprecated_tensor_tile(x, (2, 1))
        T.tensor_to(x, ms.float16)
        T.tensor_topk(x, 2)
        T.deprecated_tensor_topk(x, 1, dim=0)
        T.tensor_transpose_ext(x, 0, 1)
        T.deprecated_tensor_transpose(x, 1, 0)
        T.tensor_triu(x, 1)
        T.tensor_where(x > 0, x, x + 10)
        T.deprecated_tensor_where(x, x > 0, x + 10)
        T.deprecated_tensor_logsumexp(x, 1)
        T.deprecated_tensor_nansum(x, 1, True)
        T.tensor_broadcast_to(x, (2, 2, 3))
        T.tensor_gelu(x, approximate="tanh")
        T.tensor_logical_and(x > 0, x < 1)
        T.tensor_logical_not(x > 0)
        T.tensor_logical_or(x > 0, x < -1)
        T.tensor_logical_xor(x > 0, x < 1)
        T.tensor_real(x)
        T.deprecated_tensor_inverse(x[:, :2])
        T.tensor_inverse(x[:, :2])
        T.tensor_div_deal_sequence(x, [1.0, 2.0, 4.0])
        T.tensor_div_deal_sequence((1.0, 2.0, 4.0), x + 5)
        T.deprecated_tensor_add(x, [1.0, 2.0, 3.0])
        T.deprecated_tensor_sub(x, (1.0, 2.0, 3.0))
        """,
        x=rand(2, 3),
    ),
    *each(
        """
        T.tensor_addbmm(x[0], x, x)
        T.deprecated_tensor_addbmm(x[0], x, x, beta=2, alpha=3)
        T.deprecated_baddbmm(x, x, x, beta=2)
        """,
        x=rand(2, 3, 3),
    ),
    *each(
        """
        T.tensor_bincount(i)
        T.tensor_gcd(i, i + 4)
        T.deprecated_bitwise_and(i, i + 1)
        T.deprecated_bitwise_or(i, i + 1)
        T.deprecated_bitwise_xor(i, i + 1)
        T.fmod_tensor(i, Tensor(3, ms.int32))
        T.fmod_scalar(i, 3)
        """,
        i=ints(4, low=0, high=9),
    ),
    Case("T.deprecated_pixel_shuffle(x, 2)", x=rand(1, 4, 2, 2)),
    Case("T.deprecated_tensor_diag(x)", x=rand(3)),
    Case("T.tensor_diag(x, 1)", x=rand(3), raises=ValueError),
    Case("T.deprecated_tensor_gather(x, Tensor([0]), 1.5)", x=rand(2, 3), raises=TypeError),
    Case("T.deprecated_tensor_select(x, 1, x)", x=rand(2, 3), raises=TypeError),
]
