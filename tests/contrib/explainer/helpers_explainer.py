"""A small classifier, and what it computes in NumPy."""

import numpy as np

from msbridge import Tensor, nn

RNG = np.random.default_rng(3)
WEIGHT = RNG.normal(size=(4, 2, 3, 3)).astype(np.float32)
HEAD = RNG.normal(size=(3, 4)).astype(np.float32)
IMAGES = RNG.normal(size=(2, 2, 8, 10)).astype(np.float32)


class Net(nn.Cell):
    """A convolution, a ReLU, the mean over the places, and a dense layer."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 4, 3, pad_mode="valid", weight_init=Tensor(WEIGHT))
        self.relu = nn.ReLU()
        self.drop = nn.Dropout(p=0.5)
        self.fc = nn.Dense(4, 3, weight_init=Tensor(HEAD), has_bias=False)

    def construct(self, x):
        return self.fc(self.drop(self.relu(self.conv(x)).mean((2, 3))))


def convolved(image):
    """Return what the convolution returns, shape (4, h - 2, w - 2)."""
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), (1, 2))
    return np.einsum("ochw,cijhw->oij", WEIGHT, windows)


def logits(image):
    """Return the logits, shape (3,)."""
    return HEAD @ np.maximum(convolved(image), 0).mean((1, 2))


def probabilities(image):
    """Return the probabilities, shape (3,)."""
    exponentials = np.exp(logits(image))
    return exponentials / exponentials.sum()


def gradient(image, label, rule="gradient"):
    """Return the gradient of a logit by the image; the rule is that of the ReLU."""
    hidden = convolved(image)
    above = np.broadcast_to((HEAD[label] / hidden[0].size)[:, None, None], hidden.shape)
    passed = {
        "gradient": above * (hidden > 0),
        "deconvolution": np.maximum(above, 0),
        "guided": np.maximum(above, 0) * (hidden > 0),
    }[rule]
    result = np.zeros_like(image)
    for row in range(3):
        for column in range(3):
            part = np.einsum("oc,oij->cij", WEIGHT[:, :, row, column], passed)
            result[:, row : row + hidden.shape[1], column : column + hidden.shape[2]] += part
    return result
