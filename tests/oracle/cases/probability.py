"""Distributions and bijectors: every function, parameters of the construction and of the call, refusals, samples.

Samples are judged by their means and deviations. MindSpore's logarithms and exponentials on the CPU are good to a few
millionths, which differences of them show.
"""

import mindspore.nn.probability.bijector as msb
import mindspore.nn.probability.bnn_layers as bnn  # noqa: F401
import mindspore.nn.probability.distribution as msd
import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import Case, each, rand, values

ROUNDED = 2e-5
# Kind: how it is made, its functions of a value, its moments, the name of its parameters' kind.
OF_A_VALUE = "prob log_prob cdf log_cdf survival_function log_survival"
MOMENTS = "mean sd var mode entropy"
KINDS = {
    "Normal": ("[0.5, -1.0], 2.0", OF_A_VALUE, MOMENTS),
    "Cauchy": ("[0.5, -1.0], 2.0", OF_A_VALUE, "mode entropy"),
    "Logistic": ("[0.5, -1.0], 2.0", OF_A_VALUE, MOMENTS),
    "Uniform": ("[0.5, -1.0], 2.0", "prob cdf survival_function", "mean sd var entropy"),
    "LogNormal": ("[0.5, -1.0], 2.0", OF_A_VALUE, MOMENTS),
    "Gumbel": ("[0.5, -1.0], 2.0", OF_A_VALUE, MOMENTS),
    "Gamma": ("[0.5, 3.0], [2.0, 1.0]", OF_A_VALUE, MOMENTS),
    "Beta": ("[0.5, 3.0], [2.0, 1.5]", "prob log_prob", MOMENTS),
    "Exponential": ("[0.5, 2.0]", OF_A_VALUE, MOMENTS),
    "Geometric": ("[0.5, 0.2]", OF_A_VALUE, MOMENTS),
    "Bernoulli": ("[0.5, 0.2]", OF_A_VALUE, "mean sd var entropy"),
    "Poisson": ("[0.5, 2.0]", "prob log_prob cdf survival_function", "mean sd var mode"),
    "Categorical": ("[[0.5, 0.2, 0.3], [0.1, 0.2, 0.7]]", "prob log_prob cdf survival_function", MOMENTS),
    "HalfNormal": ("[0.5, 1.0], 2.0", "prob log_prob", ""),
    "Laplace": ("[0.5, 1.0], 2.0", "prob log_prob", ""),
    "StudentT": ("[0.5, 1.0], 2.0, 3.0", "prob log_prob", ""),
}
# Where the value lies: inside the support, and around its edges.
INSIDE = {"Beta": (0.125, 0.75), "Uniform": (0.75, 1.5), "Bernoulli": (1, 0), "Categorical": (2, 0)}
PAIRS = {  # parameters of another distribution of the kind
    "Normal": "a, b",
    "Cauchy": "a, b",
    "Uniform": "-b - 2, b + 2",
    "LogNormal": "a, b",
    "Gumbel": "a, b",
    "Gamma": "b, b + 1",
    "Beta": "b, b + 1",
    "Exponential": "b",
    "Geometric": "b / 4",
    "Bernoulli": "b / 4",
}
DRAWN = "Normal Logistic Uniform LogNormal Gumbel Exponential Geometric Bernoulli Categorical"


def of(kind: str, *arguments: object) -> msd.Distribution:
    return getattr(msd, kind)(*arguments)


def moments(drawn: Tensor) -> tuple:
    """Shape and dtype of samples, and their mean and deviation by column."""
    numbers = drawn.asnumpy().astype(np.float64)
    return drawn.shape, str(drawn.dtype), numbers.mean(0), numbers.std(0)


def about(distribution: msd.Distribution) -> tuple:
    shapes = distribution.batch_shape, distribution.broadcast_shape, distribution.is_scalar_batch
    return repr(distribution), shapes, distribution.seed, distribution.name, str(distribution.dtype)


def layer(cell: nn.Cell, x: Tensor) -> tuple:
    """Names and shapes of the Parameters, the shape of the output, and how it looks printed."""
    return [(p.name, p.shape, p.requires_grad) for p in cell.get_parameters()], cell(x).shape, repr(cell)


def known(cell: nn.Cell) -> nn.Cell:
    """Weights that are drawn with hardly any deviation: outputs do not depend on what is drawn."""
    for p in cell.trainable_params():
        fill = -20.0 if "std" in p.name else np.cos(np.arange(p.size)).reshape(p.shape)
        p.set_data(Tensor(np.broadcast_to(fill, p.shape).astype(np.float32)))
    return cell


class Halved(msb.Bijector):
    def __init__(self) -> None:
        super().__init__(name="Halved", param={})

    def _forward(self, x: Tensor) -> Tensor:
        return x / 2

    def _inverse(self, y: Tensor) -> Tensor:
        return y * 2

    def _inverse_log_jacobian(self, y: Tensor) -> Tensor:
        return y * 0 + float(np.log(2))


class OfLogCdf(msd.Distribution):
    """Defines one function, from which the others follow."""

    def __init__(self, rate: object = None) -> None:
        super().__init__(None, Tensor([1.0]).dtype, "OfLogCdf", {"param_dict": {"rate": rate}})
        self.rate = self._add_parameter(rate, "rate")

    def _log_cdf(self, value: Tensor, rate: Tensor | None = None) -> Tensor:
        return -value * self._check_param_type(rate)


CASES = []
for kind, (made, of_value, of_none) in KINDS.items():
    inside = values(*INSIDE.get(kind, (1.5, 2.0)))
    for name in of_value.split():
        CASES.append(Case(f"msd.{kind}({made}).{name}(x)", x=inside, tolerance=ROUNDED))
        CASES.append(Case(f"msd.{kind}({made})('{name}', x)", x=values([-0.5], [0.0], [3.0]), tolerance=ROUNDED))
    CASES += [Case(f"msd.{kind}({made}).{name}()", tolerance=ROUNDED) for name in of_none.split()]
    CASES.append(
        Case(f"about(msd.{kind}({made}, seed=3)){'[1:]' * (kind in ('Beta', 'Gamma'))}")
    )  # with their operators
    if kind not in ("HalfNormal", "Laplace", "StudentT"):
        CASES.append(Case(f"msd.{kind}({made}).get_dist_args(), msd.{kind}({made})('get_dist_type')"))
    if kind in PAIRS:
        for name in ("kl_loss", "cross_entropy"):
            text = f"msd.{kind}({made}).{name}('{kind}', {PAIRS[kind]})"
            CASES.append(Case(text, grad=kind != "Beta", a=rand(2), b=rand(2, low=0.5), tolerance=5e-5))
        CASES.append(Case(f"msd.{kind}({made}).kl_loss('Other', x, x)", x=rand(2), raises=ValueError))
    if kind in DRAWN.split():
        CASES.append(
            Case(f"moments(msd.{kind}({made}).sample((20000,)){'.log()' * (kind == 'LogNormal')})", tolerance=0.06)
        )
        CASES.append(Case(f"msd.{kind}({made}).sample().shape, msd.{kind}({made}).sample((3, 1)).shape"))
CASES += [
    # parameters of the call, in place of those of the construction
    *each(
        """
        msd.Normal().log_prob(x, a, b)
        msd.Normal(0.0, 1.0).prob(x, a)
        msd.Normal(0.0, 1.0).prob(x, sd=b)
        msd.Normal().cdf(x, mean=a, sd=b)
        msd.Cauchy().log_prob(x, a, b)
        msd.Cauchy().cdf(x, a, b)
        msd.Logistic().log_prob(x, a, b)
        msd.Logistic().log_survival(x, a, b)
        msd.LogNormal().log_prob(x, a, b)
        msd.LogNormal().cdf(x, a, b)
        msd.Uniform().prob(x, a - 4, a + 4)
        msd.Uniform().cdf(x, a - 4, a + 4)
        msd.Gamma().log_prob(x, b, b + 1)
        msd.Laplace().log_prob(x, a, b)
        msd.HalfNormal().prob(x, a, b)
        msd.StudentT().log_prob(x, b, a, b + 1)
        msd.Exponential().log_prob(x, b)
        msd.Poisson().log_prob(x, b)
        msb.Exp()(msd.Normal()).log_prob(x, a, b)
        msb.Softplus(2.0)(msd.Normal()).log_prob(x, a, b)
        """,
        x=rand(2, low=0.25),
        a=rand(2),
        b=rand(2, low=0.5),
        grad=True,
        tolerance=1e-4,
    ),
    *each(
        """
        msd.Bernoulli().log_prob(x, p)
        msd.Bernoulli().cdf(x, probs1=p)
        msd.Geometric().log_prob(x, p)
        msd.Geometric().mean(p), msd.Geometric().var(p)
        msd.Categorical().log_prob(x, p / p.sum())
        msd.Categorical().prob(x, p / p.sum())
        msd.Categorical().entropy(p / p.sum())
        msd.Categorical().kl_loss('Categorical', p / p.sum(), p[::-1] / p.sum())
        msd.Categorical().cross_entropy('Categorical', p / p.sum(), p[::-1] / p.sum())
        """,
        x=values(0, 1),
        p=values(0.25, 0.625),
        tolerance=ROUNDED,
    ),
    *each(
        """
        msd.Normal(0.0, 1.0, dtype=ms.float16).prob(x), msd.Normal(0.0, 1.0, dtype=ms.float64).mean()
        msd.Normal(x.astype(ms.int32), 2).parameter_type
        msd.Normal(x.astype(ms.float64), 2).parameter_type
        msd.Normal(x.astype(ms.float16), 2).mean()
        msd.Normal(np.array([1.0, 2.0], np.float16), 1.0).sd()
        msd.Normal(0, 1).prob(x.astype(ms.int32))
        msd.Normal([1.0, 2.0], [[1.0], [2.0]]).sample((3,)).shape
        msd.Normal(x, 1.0).sample((3,), x, x).shape
        msd.Normal(Tensor(1.0), 1.0).is_scalar_batch
        list(msd.Normal(0.0, 1.0).parameters)
        [p.name for p in msd.Normal(Parameter(x, name='m'), 2.0).get_parameters()]
        msd.Normal(0.0, 1.0).get_dist_args(x)
        msd.Poisson([1.5], dtype=ms.int32).prob(x)
        msd.Bernoulli([0.5, 0.2], dtype=ms.float32).sample((2,)).dtype
        msd.Categorical([0.2, 0.8]).log_prob(Tensor(1.0))
        msd.Categorical([0.2, 0.8]).log_prob(Tensor([0.5, -0.5, 1.2, 2.0, -1.0]))
        msd.Categorical([0.2, 0.8]).cdf(Tensor([0.5, -0.5, 1.2, 2.0, -1.0]))
        msd.Categorical([[0.2, 0.8]]).entropy()
        msd.Categorical([0.2, 0.8]).sample().shape
        OfLogCdf(0.5).cdf(x), OfLogCdf(0.5).survival_function(x), OfLogCdf(0.5).log_survival(x)
        OfLogCdf().batch_shape, repr(OfLogCdf(2.0)), OfLogCdf().cdf(x, x)
        """,
        x=values(1, 2),
        tolerance=ROUNDED,
    ),
    *each(
        """
        msd.Normal(0.0, 1.0).prob(1.0)
        msd.Normal(0.0, 1.0).prob(x, 1.0)
        msd.Normal(0.0, 1.0).prob(x, x, x.astype(ms.float16))
        msd.Normal(0.0, 1.0).prob(x, other=x)
        msd.Normal(0.0, 1.0).sample([2])
        msd.Normal(0.0, 1.0).kl_loss('Normal', 1.0, x)
        msd.Normal().mean()
        msd.Normal(True, 1.0)
        msd.Normal('a', 1.0)
        msd.Normal((1.0,), 1.0)
        msd.Normal(x, x.astype(ms.float16))
        msd.Normal(0.0, 1.0, dtype=ms.int32)
        msd.Normal(0.0, 1.0, seed='a')
        msd.Normal(0.0, 1.0, name=3)
        msd.Bernoulli(0.5, dtype=ms.bool_)
        msd.Gamma(2.0, [1.0])
        msd.Beta(2.0, [1.0])
        msd.Poisson(2.0)
        msd.Gumbel(0, 1)
        msd.TransformedDistribution(3, 4)
        msb.Exp()(msd.Bernoulli(0.5))
        msb.Exp().forward(1.0)
        msb.Exp().forward(x.astype(ms.int32))
        msb.ScalarAffine(x, 1)
        msb.Softplus(True)
        msb.Invert(3)
        msb.Bijector()
        """,
        x=values(1, 2),
        raises=TypeError,
    ),
    *each(
        """
        msd.Normal(0.0, -1.0)
        msd.Normal(0.0, 1.0, seed=-1)
        msd.Bernoulli(1.5)
        msd.Geometric([0.5, 0.0])
        msd.Exponential(-2.0)
        msd.Gamma([1.0], [-1.0])
        msd.Uniform(2.0, 1.0)
        msd.Categorical(0.2)
        msd.Categorical([0.2, 0.7])
        msd.StudentT(-1.0, 0.0, 1.0)
        msd.Cauchy(0.0, 1.0).mean()
        msd.Cauchy(0.0, 1.0)('var')
        msb.Exp()(msd.Normal(0.0, 1.0)).mean()
        msb.PowerTransform(-1.0)
        msb.GumbelCDF(0.0, -1.0)
        """,
        raises=ValueError,
    ),
    *each(
        """
        msd.Normal(0.0, 1.0)('nothing')
        msd.Beta([2.0], [2.0]).cdf(Tensor([0.5]))
        msd.Poisson([1.0]).entropy()
        msd.HalfNormal(0.0, 1.0).mean()
        msd.Laplace(0.0, 1.0).cdf(Tensor([0.5]))
        msd.StudentT(2.0, 0.0, 1.0).sample((2,))
        msd.Logistic(0.0, 1.0).kl_loss('Logistic', Tensor([1.0]), Tensor([1.0]))
        msb.Exp()(msd.Normal(0.0, 1.0)).sd()
        OfLogCdf(0.5).prob(Tensor([1.0]))
        OfLogCdf(0.5).get_dist_type()
        """,
        raises=NotImplementedError,
        says="not implemented",
    ),
    Case("msb.Exp()('sideways', Tensor([1.0]))", raises=Exception),
    # bijectors
    *each(
        """
        msb.Exp().forward(x)
        msb.Exp()('inverse', x)
        msb.Exp().inverse_log_jacobian(x)
        msb.PowerTransform([0.0, 2.0]).forward(x)
        msb.PowerTransform([0.0, 2.0]).inverse(x)
        msb.PowerTransform([0.0, 2.0]).inverse_log_jacobian(x)
        msb.ScalarAffine(2.0, [1.0, 3.0]).forward(x)
        msb.ScalarAffine(2.0, [1.0, 3.0]).inverse(x)
        msb.Softplus([1.0, 2.0]).forward(x)
        msb.Softplus([1.0, 2.0]).inverse(x)
        msb.Softplus([1.0, 2.0]).forward_log_jacobian(x)
        msb.Softplus([1.0, 2.0]).inverse_log_jacobian(x)
        msb.GumbelCDF([1.0, 2.0], 2.0).forward(x)
        msb.GumbelCDF([1.0, 2.0], 2.0).inverse(x / 3)
        msb.GumbelCDF([1.0, 2.0], 2.0).forward_log_jacobian(x)
        msb.GumbelCDF([1.0, 2.0], 2.0).inverse_log_jacobian(x / 3)
        msb.Invert(msb.Exp()).forward(x)
        msb.Invert(msb.Softplus())('inverse', x)
        msb.Invert(msb.Exp()).forward_log_jacobian(x)
        """,
        x=rand(2, low=0.25),
        grad=True,
        tolerance=ROUNDED,
    ),
    *each(  # their gradient is NaN in MindSpore: of a division by the power, zero, that is not selected
        """
        msb.Exp().forward_log_jacobian(x)
        msb.PowerTransform([0.0, 2.0]).forward_log_jacobian(x)
        msb.Invert(msb.Exp()).inverse_log_jacobian(x)
        """,
        x=rand(2, low=0.25),
        tolerance=ROUNDED,
    ),
    *each(
        """
        msb.ScalarAffine([2.0, -3.0], 1.0).forward_log_jacobian(x), msb.ScalarAffine(2.0).inverse_log_jacobian(x)
        msb.Softplus().forward(x), msb.Softplus().inverse(Tensor([1e-8, 30.0]))
        msb.Exp().forward(x.astype(ms.float16)), msb.Exp().forward(x.astype(ms.float64)).dtype
        [repr(b) for b in (msb.Exp(), msb.PowerTransform(0.5), msb.ScalarAffine([1.0]), msb.GumbelCDF())]
        repr(msb.Invert(msb.Exp())), msb.Invert(msb.Exp()).name, msb.Invert(msb.Exp(), 'a').name
        [(b.batch_shape, b.is_scalar_batch, b.is_constant_jacobian) for b in (msb.Exp(), msb.ScalarAffine([1.0, 2.0]))]
        Halved()('forward', x), Halved().inverse(x), Halved().batch_shape
        msd.TransformedDistribution(Halved(), msd.Normal(0.0, 1.0)).log_prob(x)
        msb.Exp()(msd.Normal(0.0, 1.0)).log_prob(Tensor([-1.0, 0.0, 1.0]))
        msb.Exp()(msd.Normal(0.0, 1.0)).log_survival(Tensor([0.5, 1.0]))
        msb.ScalarAffine(2.0, 1.0)(msd.Normal(0.5, 1.0)).mean()
        about(msb.Exp()(msd.Normal([1.0, 2.0], 1.0)))[1:]
        about(msd.TransformedDistribution(seed=3, name='T', bijector=msb.Exp(), distribution=msd.Normal(0.0, 1.0)))
        msb.ScalarAffine([1.0, 2.0], [[1.0]])(msd.Normal([1.0, 2.0], 1.0)).sample((3,)).shape
        """,
        x=values(-30, 30),
        tolerance=ROUNDED,
    ),
    # layers of distributions
    *each(
        """
        layer(bnn.DenseReparam(4, 3), x)
        layer(bnn.DenseReparam(4, 3, activation='relu', has_bias=False), x)
        layer(bnn.DenseLocalReparam(4, 3), x)
        layer(bnn.ConvReparam(2, 3, 3, has_bias=True), x.reshape(1, 2, 2, 4))
        layer(bnn.ConvReparam(2, 4, (2, 1), stride=2, pad_mode='pad', padding=1, group=2), x.reshape(1, 2, 2, 4))
        known(bnn.DenseReparam(4, 3))(x), known(bnn.DenseReparam(4, 3)).compute_kl_loss()
        known(bnn.DenseLocalReparam(4, 3, 'tanh'))(x)
        known(bnn.ConvReparam(2, 3, 3))(x.reshape(1, 2, 2, 4))
        known(bnn.ConvReparam(2, 3, 3, has_bias=True)).compute_kl_loss()
        bnn.NormalPrior()('prob', x), repr(bnn.NormalPrior(mean=1, std=2))
        known(bnn.NormalPosterior('w', [4]))('log_prob', x)
        known(bnn.NormalPosterior('w', [4]))('get_dist_args'), bnn.NormalPosterior('w', [4])('get_dist_type')
        bnn.WithBNNLossCell(known(nn.SequentialCell(bnn.DenseReparam(4, 3))), nn.MSELoss(), 2, 0.001)(x, x[:, :3])
        """,
        x=rand(4, 4),
        tolerance=2e-4,  # what is drawn moves the outputs
    ),
    *each(
        """
        bnn.DenseReparam(4, 3, has_bias=1)
        bnn.DenseReparam(4, 3, weight_posterior_fn=lambda x: x)
        bnn.NormalPosterior('a', 3)
        bnn.NormalPosterior(3, [3])
        bnn.NormalPosterior('a', [3], loc_std=-1)
        bnn.NormalPosterior('a', [3], loc_mean=True)
        bnn.WithBNNLossCell(bnn.DenseReparam(4, 3), nn.MSELoss(), True)
        """,
        raises=TypeError,
    ),
    *each(
        """
        bnn.DenseReparam(0, 3)
        bnn.DenseReparam(4, 3, activation=3)
        bnn.ConvReparam(3, 4, 3, pad_mode='x')
        bnn.ConvReparam(3, 4, 3, group=2)
        bnn.WithBNNLossCell(bnn.DenseReparam(4, 3), nn.MSELoss(), 1, -1)
        """,
        raises=ValueError,
    ),
]
