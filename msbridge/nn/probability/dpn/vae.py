"""Variational autoencoders."""

from msbridge.core.checks.arguments import positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.dense import Dense
from msbridge.nn.layers.shape import OneHot
from msbridge.ops.elementwise.elementwise.functions import exp
from msbridge.ops.random.distributions.functions import normal, standard_normal
from msbridge.ops.shape.joining.functions import concat

__all__ = ["VAE", "ConditionalVAE"]


class _Autoencoder(Cell):
    """An encoder to a normal distribution, and a decoder of what is drawn from it.

    Args:
        encoder: returns `hidden_size` numbers.
        decoder: takes as many.
        hidden_size: length of what is between them and the code.
        latent_size: length of the code.
        beside: how many numbers are beside the code for the decoder.
    """

    def __init__(self, encoder: Cell, decoder: Cell, hidden_size: int, latent_size: int, beside: int) -> None:
        super().__init__()
        if not isinstance(encoder, Cell) or not isinstance(decoder, Cell):
            raise TypeError("The encoder and decoder should be Cell type.")
        owner = type(self).__name__
        self.encoder = encoder
        self.decoder = decoder
        self.hidden_size = positive_int(hidden_size, "hidden_size", owner)
        self.latent_size = positive_int(latent_size, "latent_size", owner)
        if hidden_size < latent_size:
            raise ValueError("The latent_size should be less than or equal to the hidden_size.")
        self.dense1 = Dense(hidden_size, latent_size)
        self.dense2 = Dense(hidden_size, latent_size)
        self.dense3 = Dense(latent_size + beside, hidden_size)

    def _encode(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Return the mean and the logarithm of the variance of the code."""
        hidden = self.encoder(*inputs)
        return self.dense1(hidden), self.dense2(hidden)

    def _decode(self, z: Tensor) -> Tensor:
        return self.decoder(self.dense3(z))

    def _sample_code(self, *inputs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return a code, its mean and its standard deviation."""
        mean, log_var = self._encode(*inputs)
        sd = exp(0.5 * log_var)
        return normal(mean.shape, mean, sd, 0), mean, sd

    def _sample_prior(self, count: int, shape: tuple[int, ...]) -> Tensor:
        positive_int(count, "generate_nums", type(self).__name__)
        if not isinstance(shape, tuple) or len(shape) != 4 or shape[0] not in (-1, count):
            raise ValueError("The shape should be (generate_nums, C, H, W) or (-1, C, H, W).")
        return standard_normal((count, self.latent_size), 0)


class VAE(_Autoencoder):
    """A variational autoencoder: `x → (reconstruction, x, mean, standard deviation)`.

    Args:
        encoder: returns `hidden_size` numbers.
        decoder: takes as many.
        hidden_size: length of what is between them and the code.
        latent_size: length of the code.

    Raises:
        TypeError: a network is not a Cell, or a size not an int.
        ValueError: a size is not positive, or the code longer than `hidden_size`.

    Follows: mindspore.nn.probability.dpn.VAE (1.x).
    """

    def __init__(self, encoder: Cell, decoder: Cell, hidden_size: int, latent_size: int) -> None:
        super().__init__(encoder, decoder, hidden_size, latent_size, 0)

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        z, mean, sd = self._sample_code(x)
        return self._decode(z), x, mean, sd

    def generate_sample(self, generate_nums: int, shape: tuple[int, ...]) -> Tensor:
        """Decode codes that are drawn from the prior.

        Args:
            generate_nums: how many.
            shape: of the result, (generate_nums, channels, height, width); the first may be -1.

        Raises:
            ValueError: another shape.
        """
        return self._decode(self._sample_prior(generate_nums, shape)).reshape(shape)

    def reconstruct_sample(self, x: Tensor) -> Tensor:
        """Return the reconstruction of data."""
        return self._decode(self._sample_code(x)[0])


class ConditionalVAE(_Autoencoder):
    """A variational autoencoder of data with labels: `(x, y) → (reconstruction, x, mean, standard deviation)`.

    Args:
        encoder: takes data and labels, returns `hidden_size` numbers.
        decoder: takes as many.
        hidden_size: length of what is between them and the code.
        latent_size: length of the code.
        num_classes: how many labels there are.

    Raises:
        TypeError: a network is not a Cell, or a size not an int.
        ValueError: a size is not positive, or the code longer than `hidden_size`.

    Follows: mindspore.nn.probability.dpn.ConditionalVAE (1.x).
    """

    def __init__(self, encoder: Cell, decoder: Cell, hidden_size: int, latent_size: int, num_classes: int) -> None:
        classes = positive_int(num_classes, "num_classes", "ConditionalVAE")
        super().__init__(encoder, decoder, hidden_size, latent_size, classes)
        self.num_classes = classes
        self.one_hot = OneHot(depth=num_classes)

    def _decode_of(self, z: Tensor, y: Tensor) -> Tensor:
        return self._decode(concat((z, self.one_hot(y)), 1))

    def construct(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        z, mean, sd = self._sample_code(x, y)
        return self._decode_of(z, y), x, mean, sd

    def generate_sample(self, sample_y: Tensor, generate_nums: int, shape: tuple[int, ...]) -> Tensor:
        """Decode codes that are drawn from the prior.

        Args:
            sample_y: a label for each.
            generate_nums: how many.
            shape: of the result, (generate_nums, channels, height, width); the first may be -1.

        Raises:
            ValueError: another shape.
        """
        return self._decode_of(self._sample_prior(generate_nums, shape), sample_y).reshape(shape)

    def reconstruct_sample(self, x: Tensor, y: Tensor) -> Tensor:
        """Return the reconstruction of data with labels."""
        return self._decode_of(self._sample_code(x, y)[0], y)
