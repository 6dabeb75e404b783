"""Finding what a variational autoencoder cannot reconstruct."""

from typing import Any

import numpy as np

from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.optim.cells.adam import Adam
from msbridge.nn.probability.dpn.vae import VAE
from msbridge.nn.probability.infer.elbo import ELBO
from msbridge.nn.probability.infer.svi import SVI
from msbridge.nn.steps.wrappers import WithLossCell

__all__ = ["VAEAnomalyDetection"]


class VAEAnomalyDetection:
    """Scores samples by how far a variational autoencoder's reconstruction is from them.

    Args:
        encoder: returns `hidden_size` numbers.
        decoder: takes as many.
        hidden_size: length of what is between them and the code.
        latent_size: length of the code.

    Raises:
        TypeError: a network is not a Cell, or a size not an int.
        ValueError: a size is not positive, or the code longer than `hidden_size`.

    Follows: mindspore.nn.probability.toolbox.VAEAnomalyDetection (1.x).
    """

    def __init__(self, encoder: Cell, decoder: Cell, hidden_size: int = 400, latent_size: int = 20) -> None:
        self.vae: Any = VAE(encoder, decoder, hidden_size, latent_size)

    def train(self, train_dataset: Any, epochs: int = 5) -> Cell:
        """Train the autoencoder on a dataset with the columns "image" and "label", and return it."""
        optimizer = Adam(self.vae.trainable_params(), learning_rate=0.001)
        self.vae = SVI(WithLossCell(self.vae, ELBO()), optimizer).run(train_dataset, epochs)
        return self.vae

    def predict_outlier_score(self, sample_x: Tensor) -> Any:
        """Return the Euclidean distance of samples from their reconstruction, one number for all of them."""
        reconstruction = self.vae.reconstruct_sample(sample_x)
        return np.sqrt(np.square(sample_x.asnumpy() - reconstruction.asnumpy()).sum())

    def predict_outlier(self, sample_x: Tensor, threshold: float = 100.0) -> Any:
        """Return whether the score reaches `threshold`."""
        return self.predict_outlier_score(sample_x) >= threshold
