"""The base of layers with distributions for weights."""

from collections.abc import Callable, Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell

__all__ = ["Variational", "a_posterior", "a_prior"]

Prior = Cell | Callable[..., Cell]
Posterior = Callable[..., Cell]


def a_prior(given: Prior, argument: str) -> Cell:
    """Return a prior: what is given, or what it makes.

    Raises:
        TypeError: it is not of a normal distribution, or one without parameters.
    """
    prior = given if isinstance(given, Cell) else given()
    for name, distribution in prior.name_cells().items():
        if name != "normal":
            raise TypeError(f"The type of distribution of `{argument}` must be `normal`")
        if not all(isinstance(getattr(distribution, held), Tensor) for held in ("_mean_value", "_sd_value")):
            raise TypeError(f"The input form of `{argument}` is incorrect: it must have a mean and a deviation")
    return prior


def a_posterior(given: Posterior, shape: Sequence[int], name: str, argument: str) -> Cell:
    """Return the posterior of a weight.

    Raises:
        TypeError: `given` does not take a name and a shape, or makes no normal distribution.
    """
    try:
        posterior = given(shape=shape, name=name)
    except TypeError as error:
        raise TypeError(f"The type of `{argument}` must be `NormalPosterior`") from error
    if any(cell != "normal" for cell in posterior.name_cells()):
        raise TypeError(f"The type of distribution of `{argument}` must be `normal`")
    return posterior


class Variational:
    """Mixed into a layer: its priors and posteriors, and how far the one is from the other."""

    has_bias: bool

    def _distribute(
        self,
        weight_shape: Sequence[int],
        bias_shape: Sequence[int],
        weight_prior_fn: Prior,
        weight_posterior_fn: Posterior,
        bias_prior_fn: Prior,
        bias_posterior_fn: Posterior,
    ) -> None:
        self.weight_prior = a_prior(weight_prior_fn, "weight_prior_fn")
        self.weight_posterior = a_posterior(weight_posterior_fn, weight_shape, "bnn_weight", "weight_posterior_fn")
        if self.has_bias:
            self.bias_prior = a_prior(bias_prior_fn, "bias_prior_fn")
            self.bias_posterior = a_posterior(bias_posterior_fn, bias_shape, "bnn_bias", "bias_posterior_fn")

    def compute_kl_loss(self) -> Tensor:
        """Return the summed divergence of the priors from the posteriors."""
        total = _kl_divergence(self.weight_prior, self.weight_posterior)
        return total + _kl_divergence(self.bias_prior, self.bias_posterior) if self.has_bias else total

    def apply_variational_bias(self, inputs: Tensor) -> Tensor:
        """Add a bias drawn again."""
        return self.bias_add(inputs, self.bias_posterior("sample"))  # type: ignore[attr-defined]

    def _format_posteriors(self) -> str:
        weight = self.weight_posterior
        text = f"weight_mean={weight.mean}, weight_std={weight.untransformed_std}, has_bias={self.has_bias}"
        if self.has_bias:
            bias = self.bias_posterior
            text += f", bias_mean={bias.mean}, bias_std={bias.untransformed_std}"
        return text


def _kl_divergence(prior: Cell, posterior: Cell) -> Tensor:
    kind, parameters = posterior("get_dist_type"), posterior("get_dist_args")
    return prior("kl_loss", kind, *parameters).sum()
