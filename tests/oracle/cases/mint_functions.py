"""`mindspore.mint`: torch's names and defaults for the same operators."""

from tests.oracle.case import each, rand

CASES = [
    *each(
        """
        mint.add(x, y)
        mint.sub(x, y, alpha=2)
        mint.mul(x, y)
        mint.div(x, y)
        mint.exp(x)
        mint.abs(x)
        mint.square(x)
        mint.sqrt(mint.abs(x))
        mint.tanh(x)
        mint.sigmoid(x)
        mint.matmul(x, y.T)
        mint.cat((x, y), dim=0)
        mint.split(x, 1, dim=0)
        mint.chunk(x, 2)
        mint.reshape(x, (3, 2))
        mint.permute(x, (1, 0))
        mint.transpose(x, 0, 1)
        mint.unsqueeze(x, 0)
        mint.squeeze(x[None], 0)
        mint.flatten(x)
        mint.where(x > 0, x, y)
        mint.maximum(x, y)
        mint.minimum(x, y)
        mint.clamp(x, -1, 1)
        mint.sum(x, dim=1, keepdim=True)
        mint.mean(x, dim=0)
        mint.max(x, dim=1)
        mint.min(x, dim=0)
        mint.prod(x, dim=1)
        mint.all(x > 0), mint.any(x > 0)
        mint.eq(x, y), mint.gt(x, y), mint.le(x, y)
        mint.gather(x, 1, Tensor([[0], [1]]))
        mint.masked_select(x, x > 0)
        mint.flip(x, (0,))
        mint.tile(x, (2, 1))
        mint.broadcast_to(x, (2, 2, 3))
        mint.isfinite(x)
        mint.pow(x, 2)
        mint.erf(x)
        mint.nn.functional.relu(x)
        mint.nn.functional.silu(x)
        mint.nn.functional.softmax(x, 1)
        mint.nn.functional.linear(x, y)
        mint.nn.functional.softplus(x)
        mint.nn.functional.dropout(x, 0.0)
        type(mint.nn.Linear(2, 3)).__name__, [p.name for p in mint.nn.Linear(2, 3).get_parameters()]
        mint.nn.ReLU()(x)
    """,
        x=rand(2, 3),
        y=rand(2, 3, low=0.5),
    ),
]
