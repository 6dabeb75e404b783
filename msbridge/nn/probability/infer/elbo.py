"""The loss of variational inference."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.losses.elementwise import MSELoss
from msbridge.nn.probability.distribution.normal import Normal
from msbridge.ops.framework.creation.functions import ones_like, zeros_like

__all__ = ["ELBO"]


class ELBO(Cell):
    """The negative evidence lower bound: how far the reconstruction is from the data, and the code from its prior.

    Args:
        latent_prior: the distribution of the code: "Normal".
        output_prior: the distribution of the data: "Normal", which makes its part the summed square error.

    Raises:
        ValueError: another distribution.

    Follows: mindspore.nn.probability.infer.ELBO (1.x).
    """

    def __init__(self, latent_prior: str = "Normal", output_prior: str = "Normal") -> None:
        super().__init__()
        for name, value in (("latent_prior", latent_prior), ("output_prior", output_prior)):
            if value != "Normal":
                raise ValueError(f"The values of {name} now only support Normal, but got {value!r}.")
        self.posterior = Normal()
        self.recon_loss = MSELoss(reduction="sum")

    def construct(self, data: tuple[Tensor, Tensor, Tensor, Tensor], label: Tensor) -> Tensor:
        """Return the loss.

        Args:
            data: the reconstruction, the data, and the mean and standard deviation of the code.
            label: not read.
        """
        reconstruction, x, mean, sd = data
        divergence = self.posterior("kl_loss", "Normal", zeros_like(mean), ones_like(mean), mean, sd)
        return self.recon_loss(x, reconstruction) + divergence.sum()
