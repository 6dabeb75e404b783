"""Images. Judge: the real MindSpore 2.10 (numbers), torch where 2.10 has no kernel."""

import inspect

import numpy as np
import pytest
from torch.nn import functional as F

from msbridge import Tensor, nn, ops
from tests.tensors import arange, close, tensor

X = arange(1, 1, 3, 4)


RESIZED = [
    (lambda: ops.interpolate(X, (2, 6), mode="nearest"), [[0, 0, 0.1, 0.2, 0.2, 0.3], [0.4, 0.4, 0.5, 0.6, 0.6, 0.7]]),
    (lambda: ops.interpolate(X, (2, 2), mode="area"), [[0.25, 0.45], [0.65, 0.85]]),
    (
        lambda: ops.interpolate(X, (3, 8), mode="bilinear", align_corners=True)[:, :, :1],
        [[0, 0.04286, 0.08571, 0.12857, 0.17143, 0.21429, 0.25714, 0.3]],
    ),
    (
        lambda: ops.interpolate(X, (6, 4), mode="bicubic")[:, :, :2],
        [[-0.03529, 0.06471, 0.16471, 0.26471], [0.06715, 0.16715, 0.26715, 0.36715]],
    ),
    (lambda: ops.ResizeBilinearV2()(X, (2, 2)), [[0, 0.2], [0.6, 0.8]]),
    (lambda: ops.ResizeBilinear((3, 8))(X)[:, :, :1], [[0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.3]]),
    (
        lambda: ops.ResizeBilinearV2(half_pixel_centers=True)(X, (3, 8))[:, :, :1],
        [[0, 0.025, 0.075, 0.125, 0.175, 0.225, 0.275, 0.3]],
    ),
    (lambda: ops.ResizeBicubic()(X, (3, 8))[:, :, :1], [[0, 0.04062, 0.1, 0.15, 0.2, 0.25938, 0.3, 0.30938]]),
    (lambda: ops.ResizeNearestNeighbor((3, 6))(X)[:, :, :1], [[0, 0, 0.1, 0.2, 0.2, 0.3]]),
    (lambda: ops.ResizeNearestNeighbor((3, 6), True)(X)[:, :, :1], [[0, 0.1, 0.1, 0.2, 0.2, 0.3]]),
    (lambda: ops.ResizeNearestNeighborV2(False, True)(X, (3, 6))[:, :, :1], [[0, 0.1, 0.1, 0.2, 0.3, 0.3]]),
]


@pytest.mark.parametrize(("call", "expected"), RESIZED)
def test_resized(call, expected) -> None:
    close(call()[0, 0], expected)


def test_resize_of_integers_keeps_the_dtype() -> None:
    x = Tensor(np.arange(4, dtype=np.int32).reshape(1, 1, 2, 2))
    assert ops.ResizeNearestNeighbor((4, 4))(x).dtype == x.dtype


def test_upsample_layer_and_resize_layer() -> None:
    close(nn.Upsample(size=(6, 8), mode="bilinear")(X), ops.interpolate(X, (6, 8), mode="bilinear").asnumpy())
    close(nn.ResizeBilinear()(X, scale_factor=2), ops.ResizeBilinearV2()(X, (6, 8)).asnumpy())


def test_grid_sample() -> None:
    grid = tensor(np.linspace(-1.2, 1.2, 12).reshape(1, 2, 3, 2))
    close(ops.grid_sample(X, grid)[0, 0], [[0, 0.07074, 0.41909], [0.76818, 0.90504, 0.118]])
    close(ops.grid_sample(X, grid, "nearest", "border")[0, 0], [[0, 0, 0.5], [0.6, 1.1, 1.1]])
    close(ops.GridSampler2D(align_corners=True)(X, grid)[0, 0, 0], [0.00509, 0.21727, 0.45727])


def test_affine_grid() -> None:
    theta = tensor([[[1, 0.5, 0], [0, 1, 0.2]]])
    close(ops.affine_grid(theta, (1, 1, 2, 3))[0, 0, 0], [-0.91667, -0.3])
    close(ops.AffineGrid(True)(theta, (1, 1, 2, 3))[0, 0, 0], [-1.5, -0.8])


def test_crop_and_resize() -> None:
    image = Tensor(X._data.permute(0, 2, 3, 1))
    boxes = tensor([[0, 0, 1, 1], [0.2, 0.1, 1.3, 0.8]])
    result = ops.crop_and_resize(image, boxes, tensor([0, 0], np.int32), (2, 3))
    close(result[:, :, :, 0], [[[0, 0.15, 0.3], [0.8, 0.95, 1.1]], [[0.19, 0.295, 0.4], [0, 0, 0]]])
    nearest = ops.CropAndResize("nearest")(image, boxes[:1], tensor([0], np.int32), (2, 3))
    close(nearest[0, :, :, 0], [[0, 0.2, 0.3], [0.8, 1.0, 1.1]])


def test_pads_of_edges() -> None:
    x = arange(1, 1, 2, 3)
    close(nn.ReflectionPad2d((1, 0, 0, 1))(x)[0, 0], [[0.1, 0, 0.1, 0.2], [0.4, 0.3, 0.4, 0.5], [0.1, 0, 0.1, 0.2]])
    close(nn.ConstantPad2d((1, 0, 0, 1), 0.5)(x)[0, 0, 2], [0.5] * 4)
    close(nn.ReplicationPad2d(1)(x), F.pad(x._data, (1, 1, 1, 1), "replicate").numpy())
    assert nn.ZeroPad2d(1)(x).shape == (1, 1, 4, 5)
    assert nn.ReflectionPad1d(1)(arange(3, 4)).shape == (3, 6)


def test_similarity_of_images() -> None:
    same, noisy = Tensor(np.full((2, 3, 16, 16), 0.5, np.float32)), arange(2, 3, 16, 16) / 200
    close(nn.SSIM()(same, same), [1, 1])
    assert nn.SSIM()(same, noisy).asnumpy().max() < 0.9
    close(nn.PSNR(255)(same * 2, same * 0), [48.1308] * 2)
    close(nn.MSSSIM(power_factors=(0.5, 0.5), filter_size=3)(same, same), [1, 1])


def test_gradients_and_middle_of_images() -> None:
    below, beside = nn.ImageGradients()(X)
    close(below[0, 0], [[0.4] * 4, [0.4] * 4, [0] * 4])
    close(beside[0, 0, 0], [0.1, 0.1, 0.1, 0])
    close(nn.CentralCrop(0.5)(arange(1, 4, 4)), [[[0.5, 0.6], [0.9, 1.0]]])
    assert nn.CentralCrop(0.33)(arange(3, 10, 11)).shape == (3, 4, 5)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: ops.interpolate(X, (2, 2), mode="foo"), ValueError, "mode"),
        (lambda: ops.interpolate(X), ValueError, "size"),
        (lambda: ops.interpolate(X, (2, 2), 2.0), ValueError, "size"),
        (lambda: ops.interpolate(X, (5, 5), mode="nearest", align_corners=True), ValueError, "align_corners"),
        (lambda: ops.crop_and_resize(X, X, X, (2, 2), "foo"), ValueError, "method"),
        (lambda: nn.CentralCrop(0.0), ValueError, "central_fraction"),
        (lambda: nn.ImageGradients()(arange(2, 2)), ValueError, "4 axes"),
        (lambda: nn.ResizeBilinear()(X), ValueError, "size"),
    ],
)
def test_bad_argument(call, error, says) -> None:
    with pytest.raises(error, match=says):
        call()


def test_older_words_for_resizing_and_sampling() -> None:
    x = Tensor(np.arange(16.0, dtype=np.float32).reshape(1, 1, 4, 4))
    corners = ops.interpolate(x, size=(6, 6), mode="bilinear", align_corners=True)
    assert np.array_equal(ops.interpolate(x, sizes=(6, 6), mode="bilinear"), corners)
    assert np.array_equal(ops.interpolate(x, scales=(1.0, 1.0, 1.5, 1.5), mode="bilinear"), corners)
    half = ops.interpolate(x, sizes=(6, 6), coordinate_transformation_mode="half_pixel", mode="bilinear")
    assert np.array_equal(half, ops.interpolate(x, size=(6, 6), mode="bilinear"))
    with pytest.raises(ValueError, match="coordinate_transformation_mode"):
        ops.interpolate(x, sizes=(6, 6), coordinate_transformation_mode="asymmetric", mode="bilinear")
    grid = Tensor(np.linspace(-0.9, 0.9, 18, dtype=np.float32).reshape(1, 3, 3, 2))
    nearest = ops.grid_sample(x, grid, "nearest")
    assert np.array_equal(ops.grid_sample(x, grid, interpolation_mode="nearest"), nearest)


def test_the_older_forms_of_interpolate_are_taken_and_not_shown() -> None:
    """Judge: 2.10 for the signature; for the call a script that chooses between the forms by it (1.10 was not run)."""
    found = ops.interpolate(
        X, roi=None, scales=None, sizes=(4, 4), mode="bilinear", coordinate_transformation_mode="half_pixel"
    )
    assert found.shape == (*X.shape[:2], 4, 4)
    assert "sizes" not in inspect.signature(ops.interpolate).parameters
    with pytest.raises(ValueError, match="'roi' must be None"):
        ops.interpolate(X, roi=X, sizes=(4, 4), mode="bilinear")
