"""Autoencoders trained by variational inference, as scripts of r1.x do, and outliers found by them."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import dataset as ds
from msbridge import nn
from msbridge.nn.probability.anomaly import VAEAnomalyDetection
from msbridge.nn.probability.dpn import VAE, ConditionalVAE
from msbridge.nn.probability.infer import ELBO, SVI

SIZE = 16
X = np.tile(np.linspace(0, 1, SIZE, dtype=np.float32).reshape(1, 4, 4), (32, 1, 1, 1))
Y = (np.arange(32) % 2).astype(np.int32)


class Encoder(nn.Cell):
    def __init__(self, beside: int = 0) -> None:
        super().__init__()
        self.fc1 = nn.Dense(SIZE + beside, 12)
        self.one_hot = nn.OneHot(depth=beside or 1)
        self.flatten = nn.Flatten()

    def construct(self, x: ms.Tensor, y: ms.Tensor | None = None) -> ms.Tensor:
        x = self.flatten(x)
        return ms.ops.relu(self.fc1(x if y is None else ms.ops.concat((x, self.one_hot(y)), 1)))


class Decoder(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Dense(12, SIZE)

    def construct(self, z: ms.Tensor) -> ms.Tensor:
        return ms.ops.reshape(ms.ops.sigmoid(self.fc1(z)), (-1, 1, 4, 4))


class WithLabels(nn.Cell):
    """A network that takes labels and its loss, as scripts write it."""

    def __init__(self, network: nn.Cell, loss: nn.Cell) -> None:
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = network, loss
        self.backbone_network = network

    def construct(self, x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        return self._loss_fn(self._backbone(x, y), y)


def images() -> ds.Dataset:
    return ds.NumpySlicesDataset({"image": X, "label": Y}, shuffle=False).batch(8)


def test_an_autoencoder_learns_to_reconstruct() -> None:
    ms.set_seed(1)
    vae = VAE(Encoder(), Decoder(), hidden_size=12, latent_size=3)
    with_loss = nn.WithLossCell(vae, ELBO(latent_prior="Normal", output_prior="Normal"))
    inference = SVI(net_with_loss=with_loss, optimizer=nn.Adam(vae.trainable_params(), learning_rate=0.05))
    before = float(with_loss(ms.Tensor(X), ms.Tensor(Y)).asnumpy()) / len(X)
    assert inference.run(train_dataset=images(), epochs=20) is vae
    assert inference.get_train_loss() < 0.5 * before
    assert vae.generate_sample(5, (5, 1, 4, 4)).shape == vae.generate_sample(5, (-1, 1, 4, 4)).shape == (5, 1, 4, 4)
    reconstruction, x, mean, sd = vae(ms.Tensor(X))
    assert (reconstruction.shape, x.shape, mean.shape, sd.shape) == (X.shape, X.shape, (32, 3), (32, 3))
    assert np.abs(vae.reconstruct_sample(ms.Tensor(X)).asnumpy() - X).mean() < 0.25


def test_a_conditional_one_takes_labels() -> None:
    ms.set_seed(1)
    vae = ConditionalVAE(Encoder(2), Decoder(), hidden_size=12, latent_size=3, num_classes=2)
    inference = SVI(WithLabels(vae, ELBO()), nn.Adam(vae.trainable_params(), learning_rate=0.05))
    inference.run(images(), 1)
    assert vae.generate_sample(ms.Tensor(Y[:4]), 4, (4, 1, 4, 4)).shape == (4, 1, 4, 4)
    assert vae.reconstruct_sample(ms.Tensor(X), ms.Tensor(Y)).shape == X.shape


def test_outliers_score_higher() -> None:
    ms.set_seed(1)
    detection = VAEAnomalyDetection(Encoder(), Decoder(), hidden_size=12, latent_size=3)
    detection.train(images(), 3)
    usual, other = ms.Tensor(X[:1]), ms.Tensor(X[:1] * 9 - 4)
    assert detection.predict_outlier_score(other) > detection.predict_outlier_score(usual)
    assert detection.predict_outlier(other, 5.0)
    assert not detection.predict_outlier(usual)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="output_prior"):
        ELBO(output_prior="Bernoulli")
    with pytest.raises(TypeError, match="ELBO"):
        SVI(nn.WithLossCell(nn.Dense(2, 2), nn.MSELoss()), nn.SGD(nn.Dense(2, 2).trainable_params()))
    with pytest.raises(ValueError, match="latent_size"):
        VAE(Encoder(), Decoder(), 3, 12)
    with pytest.raises(ValueError, match="shape"):
        VAE(Encoder(), Decoder(), 12, 3).generate_sample(5, (4, 1, 4, 4))
    with pytest.raises(TypeError, match="Cell"):
        VAE(None, Decoder(), 12, 3)
