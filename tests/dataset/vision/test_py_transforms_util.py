import numpy as np
import pytest

from msbridge.dataset.vision import py_transforms_util as util

pil = pytest.importorskip("PIL.Image")
PIXELS = np.random.RandomState(2).randint(0, 256, (6, 9, 3)).astype(np.uint8)
IMAGE = pil.fromarray(PIXELS)


def test_functions_of_pil_images() -> None:
    assert util.is_pil(IMAGE)
    assert util.resize(IMAGE, 4, 2).size == (6, 4)
    assert util.resize(IMAGE, (5, 7), 2).size == (7, 5)
    assert [part.size for part in util.five_crop(IMAGE, (2, 3))] == [(3, 2)] * 5
    assert util.pad(IMAGE, 2, (1, 2, 3), "constant").size == (13, 10)
    assert util.rotate(IMAGE, 90, 0, True, None, 0).size == (6, 9)
    np.testing.assert_array_equal(util.horizontal_flip(IMAGE), PIXELS[:, ::-1])
    np.testing.assert_array_equal(util.vertical_flip(IMAGE), PIXELS[::-1])
    np.testing.assert_array_equal(util.crop(IMAGE, 1, 2, 3, 4), PIXELS[1:4, 2:6])
    np.testing.assert_array_equal(util.center_crop(IMAGE, (2, 3)), PIXELS[2:4, 3:6])
    np.testing.assert_array_equal(util.invert_color(IMAGE), 255 - PIXELS)
    np.testing.assert_array_equal(util.grayscale(IMAGE, 1), IMAGE.convert("L"))
    corners = [(0, 0), (8, 0), (8, 5), (0, 5)]
    np.testing.assert_array_equal(util.perspective(IMAGE, corners, corners, 0), PIXELS)
    for same in (util.adjust_brightness, util.adjust_contrast, util.adjust_saturation):
        np.testing.assert_array_equal(same(IMAGE, 1.0), PIXELS)
    with pytest.raises(TypeError, match="PIL image"):
        util.horizontal_flip(PIXELS)


def test_what_transforms_of_scripts_check_with() -> None:
    assert [util.is_numpy(one) for one in (PIXELS, [1], np.float32(1), IMAGE)] == [True, False, False, False]
    assert "PIL image, not <class 'list'>" in util.augment_error_message.format(list)


def test_functions_of_arrays() -> None:
    planes = util.hwc_to_chw(PIXELS)
    np.testing.assert_array_equal(planes, PIXELS.transpose(2, 0, 1))
    np.testing.assert_array_equal(util.to_pil(PIXELS), IMAGE)
    np.testing.assert_allclose(util.to_tensor(IMAGE, np.float32), planes / 255, rtol=1e-6)
    np.testing.assert_array_equal(util.rgb_to_bgrs(planes, False), planes[::-1])
    unit = PIXELS / 255
    np.testing.assert_allclose(util.hsv_to_rgbs(util.rgb_to_hsvs(unit, True), True), unit, atol=1e-12)
    assert not util.erase(planes, 0, 0, 6, 9, 0).any()
    assert util.to_type(planes, np.float64).dtype == np.float64
    np.testing.assert_array_equal(util.linear_transform(np.array([1.0, 2.0]), np.eye(2) * 3, np.ones(2)), [0, 3])
