"""Files that only OpenCV decodes, or only the first rows of; what `Decode` returns is recorded, `dataset.jpeg`."""

from functools import cache

import numpy as np
import pytest

from msbridge.dataset import vision
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.vision.codecs import decode, jpeg
from tests.dataset.images import KINDS, file

pytest.importorskip("cv2")
OPENCV_DIFFERS = {"cmyk", "without_its_end"}


@cache
def decoded(kind: str) -> np.ndarray:
    pytest.importorskip("simplejpeg")
    return vision.Decode()(file(f"{kind}.jpg"))


@pytest.mark.parametrize("kind", sorted(set(KINDS) - OPENCV_DIFFERS))
def test_opencv_alone_decodes_the_same(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = decoded(kind)
    monkeypatch.setattr(jpeg, "_simplejpeg", lambda: None)
    np.testing.assert_array_equal(vision.Decode()(file(f"{kind}.jpg")), expected)


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_rows_stay_the_same_where_the_others_are_left_out(kind: str) -> None:
    encoded, image = file(f"{kind}.jpg"), decoded(kind)
    before = encoded.copy()
    for rows in range(1, len(image)):
        found = decode.decode_image(encoded, rows)
        assert len(found) >= rows
        np.testing.assert_array_equal(found[:rows], image[:rows])
    np.testing.assert_array_equal(encoded, before)


def test_rows_are_left_out_of_plain_files() -> None:
    pytest.importorskip("simplejpeg")
    assert len(decode.decode_image(file("420.jpg"), 3)) == 3 + jpeg.MARGIN


@pytest.mark.parametrize("kind", KINDS)
def test_the_size_is_known_before_decoding(kind: str) -> None:
    frame = jpeg.frame_of(file(f"{kind}.jpg"))
    assert frame is not None
    assert (frame.height, frame.width) == decoded(kind).shape[:2]


def test_a_file_that_is_cut_off_is_refused() -> None:
    for rows in (None, 3):
        with pytest.raises(RuntimeError, match="image decode failed"):
            decode.decode_image(file("420.jpg")[:-400], rows)


@pytest.mark.parametrize("end", range(2, 40))
def test_a_header_that_is_cut_off_has_no_size(end: int) -> None:
    assert jpeg.frame_of(file("420.jpg")[:end]) is None


def test_a_crop_of_a_file_is_the_crop_of_its_image() -> None:
    encoded, image = file("420.jpg"), decoded("420")
    crops = [vision.RandomCropDecodeResize(9, (0.1, 0.6)), vision.RandomResizedCrop(9, (0.1, 0.6))]
    for number in range(20):
        of_file, of_image = [
            crop.transform_value(value, RowRandom(number)) for crop, value in zip(crops, (encoded, image), strict=True)
        ]
        np.testing.assert_array_equal(of_file, of_image)
