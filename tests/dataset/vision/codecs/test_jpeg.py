from functools import cache
from pathlib import Path

import numpy as np
import pytest

from msbridge.dataset import vision
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.vision.codecs import decode, jpeg

pytest.importorskip("cv2")
KINDS = [
    "444", "422", "420", "progressive", "restarts", "rgb", "grey", "cmyk", "turned", "one pixel", "trailing bytes",
    "without its end", "damaged",
]  # fmt: skip
OPENCV_DIFFERS = {"cmyk", "without its end"}


@cache
def recorded() -> dict[str, np.ndarray]:
    with np.load(Path(__file__).parents[2] / "jpeg.npz") as file:
        return dict(file)


@pytest.mark.parametrize("kind", KINDS)
def test_the_pixels_are_mindspores(kind: str) -> None:
    pytest.importorskip("simplejpeg")
    np.testing.assert_array_equal(vision.Decode()(recorded()[f"file:{kind}"]), recorded()[f"image:{kind}"])


@pytest.mark.parametrize("kind", sorted(set(KINDS) - OPENCV_DIFFERS))
def test_opencv_alone_decodes_the_same(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jpeg, "_simplejpeg", lambda: None)
    np.testing.assert_array_equal(vision.Decode()(recorded()[f"file:{kind}"]), recorded()[f"image:{kind}"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_rows_stay_the_same_where_the_others_are_left_out(kind: str) -> None:
    encoded, image = recorded()[f"file:{kind}"], recorded()[f"image:{kind}"]
    before = encoded.copy()
    for rows in range(1, len(image)):
        found = decode.decode_image(encoded, rows)
        assert len(found) >= rows
        np.testing.assert_array_equal(found[:rows], image[:rows])
    np.testing.assert_array_equal(encoded, before)


def test_rows_are_left_out_of_plain_files() -> None:
    pytest.importorskip("simplejpeg")
    assert len(decode.decode_image(recorded()["file:420"], 3)) == 3 + jpeg.MARGIN


@pytest.mark.parametrize("kind", KINDS)
def test_the_size_is_known_before_decoding(kind: str) -> None:
    frame = jpeg.frame_of(recorded()[f"file:{kind}"])
    assert frame is not None
    assert (frame.height, frame.width) == recorded()[f"image:{kind}"].shape[:2]


def test_a_file_that_is_cut_off_is_refused() -> None:
    for rows in (None, 3):
        with pytest.raises(RuntimeError, match="image decode failed"):
            decode.decode_image(recorded()["file:420"][:-400], rows)


@pytest.mark.parametrize("end", range(2, 40))
def test_a_header_that_is_cut_off_has_no_size(end: int) -> None:
    assert jpeg.frame_of(recorded()["file:420"][:end]) is None


def test_a_crop_of_a_file_is_the_crop_of_its_image() -> None:
    encoded, image = recorded()["file:420"], recorded()["image:420"]
    crops = [vision.RandomCropDecodeResize(9, (0.1, 0.6)), vision.RandomResizedCrop(9, (0.1, 0.6))]
    for number in range(20):
        of_file, of_image = [
            crop.transform_value(value, RowRandom(number)) for crop, value in zip(crops, (encoded, image), strict=True)
        ]
        np.testing.assert_array_equal(of_file, of_image)
