import numpy as np
import pytest

from msbridge.dataset.vision import c_transforms, py_transforms

PLANES = np.arange(24, dtype=np.uint8).reshape(3, 2, 4)


def test_red_and_blue_change_places() -> None:
    pixels = PLANES.transpose(1, 2, 0)
    np.testing.assert_array_equal(c_transforms.RgbToBgr()(pixels), pixels[..., ::-1])
    np.testing.assert_array_equal(py_transforms.RgbToBgr()(PLANES), PLANES[::-1])
    np.testing.assert_array_equal(py_transforms.RgbToBgr(True)(pixels), pixels[..., ::-1])
    with pytest.raises(TypeError):
        py_transforms.RgbToBgr(True)(PLANES)


def test_to_tensor_divides_in_float64() -> None:
    pixels = np.arange(256, dtype=np.uint8).reshape(16, 16)
    found = py_transforms.ToTensor()(pixels)
    np.testing.assert_array_equal(found, (pixels / 255.0).astype(np.float32)[None])
    with pytest.raises(TypeError):
        py_transforms.ToTensor()(np.zeros(3))


def test_padding_adds_a_plane_of_zeros() -> None:
    padded = py_transforms.NormalizePad([0.0], [2.0], "float16")(PLANES.astype(np.float32))
    assert (padded.shape, padded.dtype) == ((4, 2, 4), np.float16)
    np.testing.assert_array_equal(padded[:3], PLANES / 2)
    assert not padded[3].any()


def test_a_type_is_called_output_type() -> None:
    assert py_transforms.ToType(output_type=np.float64)(PLANES).dtype == np.float64
