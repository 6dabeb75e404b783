"""Explanations by gradients. Judge: the formulas in NumPy, on a small network."""

import numpy as np
import pytest
import torch

from msbridge import Tensor, int32
from msbridge.contrib.explainer.explanation import Deconvolution, GradCAM, Gradient, GuidedBackprop
from tests.contrib.explainer.helpers_explainer import HEAD, IMAGES, Net, convolved, gradient

LABELS = Tensor([2, 0], int32)


@pytest.mark.parametrize(
    ("method", "rule"), [(Gradient, "gradient"), (Deconvolution, "deconvolution"), (GuidedBackprop, "guided")]
)
@pytest.mark.parametrize("targets", [LABELS, Tensor(1, int32), 1])
def test_the_greatest_magnitude_over_the_channels(method, rule, targets):
    labels = np.broadcast_to(targets.asnumpy() if isinstance(targets, Tensor) else targets, 2)
    expected = [np.abs(gradient(image, label, rule)).max(0) for image, label in zip(IMAGES, labels, strict=True)]
    found = method(Net())(Tensor(IMAGES), targets)
    assert found.shape == (2, 1, 8, 10)
    np.testing.assert_allclose(found.asnumpy()[:, 0], expected, rtol=1e-4, atol=1e-6)


def test_gradcam_of_a_layer():
    expected = []
    for image, label in zip(IMAGES, (2, 0), strict=True):
        hidden = convolved(image)
        weights = (HEAD[label][:, None, None] / hidden[0].size * (hidden > 0)).mean((1, 2))
        expected.append(np.maximum((weights[:, None, None] * hidden).sum(0), 0))
    resized = torch.nn.functional.interpolate(torch.tensor(np.stack(expected))[:, None], (8, 10), mode="bilinear")
    net = Net()
    found = GradCAM(net, layer="conv")(Tensor(IMAGES), LABELS)
    np.testing.assert_allclose(found.asnumpy(), resized.numpy(), rtol=1e-4, atol=1e-6)
    again = GradCAM(net, layer="conv")(Tensor(IMAGES), LABELS)
    np.testing.assert_array_equal(found.asnumpy(), again.asnumpy())


def test_gradcam_of_the_input():
    means = np.stack([gradient(image, 1).mean((1, 2), keepdims=True) for image in IMAGES])
    expected = np.maximum((means * IMAGES).sum(1, keepdims=True), 0)
    found = GradCAM(Net())(Tensor(IMAGES), 1)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-4, atol=1e-6)


def test_the_network_is_in_inference_mode_and_has_no_hooks():
    net = Net()
    net.set_train(True)
    explainer = GuidedBackprop(net)
    assert explainer.network is net
    assert not net.training
    np.testing.assert_allclose(
        Gradient(net)(Tensor(IMAGES), 0).asnumpy()[0, 0], np.abs(gradient(IMAGES[0], 0)).max(0), rtol=1e-4, atol=1e-6
    )


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Gradient(len), TypeError, "network"),
        (lambda: GradCAM(Net(), "no"), ValueError, "conv"),
        (lambda: GradCAM(Net(), 1), TypeError, "layer"),
        (lambda: Gradient(Net())(IMAGES, 1), TypeError, "inputs"),
        (lambda: Gradient(Net())(Tensor(IMAGES[0]), 1), ValueError, "shape"),
        (lambda: Gradient(Net())(Tensor(IMAGES), "a"), TypeError, "targets"),
        (lambda: Gradient(Net())(Tensor(IMAGES), Tensor([0, 1, 2], int32)), ValueError, "targets"),
    ],
)
def test_bad_argument(make, error, words):
    with pytest.raises(error, match=words):
        make()
