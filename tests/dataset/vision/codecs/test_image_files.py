from pathlib import Path

import numpy as np
import pytest

from msbridge.core.tensor.tensor import Tensor
from msbridge.dataset import vision

IMAGE = np.arange(4 * 5 * 3).reshape(4, 5, 3).astype(np.uint8)


@pytest.mark.usefixtures("folder")
def test_what_is_written_is_read() -> None:
    vision.write_png("image.png", IMAGE)
    np.testing.assert_array_equal(vision.read_image("image.png"), IMAGE)
    np.testing.assert_array_equal(vision.read_file("image.png"), vision.encode_png(IMAGE))
    assert vision.read_image("image.png", vision.ImageReadMode.GRAYSCALE).shape == (4, 5, 1)
    vision.write_jpeg("image.jpg", Tensor(IMAGE), 90)
    np.testing.assert_array_equal(vision.read_file("image.jpg"), vision.encode_jpeg(IMAGE, 90))
    vision.write_file("bytes", np.array([1, 2], np.uint8))
    assert Path("bytes").read_bytes() == b"\1\2"


@pytest.mark.usefixtures("folder")
def test_an_unchanged_image_loses_its_alpha_channel() -> None:
    image = pytest.importorskip("PIL.Image")
    image.fromarray(np.dstack([IMAGE, IMAGE[..., :1]])).save("rgba.png")
    np.testing.assert_array_equal(vision.read_image("rgba.png"), IMAGE)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: vision.read_image("nothing"), RuntimeError),
        (lambda: vision.read_image("."), RuntimeError),
        (lambda: vision.read_image(5), TypeError),
        (lambda: vision.read_image(__file__, 1), TypeError),
        (lambda: vision.read_image(__file__), RuntimeError),
        (lambda: vision.read_file("nothing"), RuntimeError),
        (lambda: vision.write_file("no/where", np.zeros(1, np.uint8)), RuntimeError),
        (lambda: vision.write_file("x", np.zeros(1)), RuntimeError),
        (lambda: vision.write_file("x", np.zeros((1, 1), np.uint8)), RuntimeError),
        (lambda: vision.write_file("x", b"x"), TypeError),
        (lambda: vision.write_jpeg("x", IMAGE, 0), RuntimeError),
        (lambda: vision.write_jpeg("x", IMAGE, 1.5), TypeError),
        (lambda: vision.write_png("x", IMAGE, 10), RuntimeError),
        (lambda: vision.encode_png(IMAGE, "6"), TypeError),
        (lambda: vision.encode_jpeg(IMAGE, 101), RuntimeError),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_read_or_written_raises_mindspores_class(call: object, expected: type) -> None:
    with pytest.raises(expected):
        call()
