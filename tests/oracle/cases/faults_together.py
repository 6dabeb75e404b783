"""Which class is raised where several arguments do not fit, or one of another type: types come before values."""

from mindspore import Tensor, amp  # noqa: F401  # the expressions name them

from tests.oracle.case import each, rand

SHARED = {"x": rand(2, 3), "t": rand(2, 3), "image": rand(1, 2, 5, 5)}

CASES = [
    *each(
        """
        ops.argmin(1.5, x, [1])
        ops.coo_add(x, t, x)
        ops.csr_div(x, 2)
        ops.csr_mul((1, 2), ())
        ops.csr_mv(x, t)
        """,
        raises=AttributeError,
        **SHARED,
    ),
    *each(
        """
        mint.nn.functional.kl_div(x, t, [1])
        mint.nn.functional.nll_loss(x, Tensor([1, 2]), reduction=1.5)
        ops.amax(x, Tensor(3), x)
        ops.avg_pool1d(x, ())
        ops.cosine_embedding_loss(x, t, 5, 0.0, [1])
        ops.cross_entropy(3, Tensor([1, 2]), None, -100, 'x')
        ops.csr_add(x, t, x, x)
        ops.csr_to_dense(x)
        ops.ctc_loss(x, t, t, t, 0, 3)
        ops.l1_loss(3, t, 'x')
        ops.mse_loss(x, 3, 'x')
        ops.mse_loss(x, 3, 3)
        ops.ones(t, x)
        ops.unique_consecutive(x, t)
        ops.zeros(x, x)
        """,
        raises=TypeError,
        **SHARED,
    ),
    *each(
        """
        bool(x)
        mint.nn.functional.mse_loss(x, t, 'x')
        ops.huber_loss(x, t, None)
        ops.kl_div(x, 3, 'x')
        ops.mse_loss(x, t, 3)
        ops.multilabel_margin_loss(x, 3, 'x')
        x.item()
        """,
        raises=ValueError,
        **SHARED,
    ),
]

CASES += each(
    """
    amp.DynamicLossScaler(2, 2, 2).adjust(Tensor([True, False]))
    amp.DynamicLossScaler(2, 2, 2).adjust(Tensor([[True, True]]))
    """,
    raises=ValueError,
)
