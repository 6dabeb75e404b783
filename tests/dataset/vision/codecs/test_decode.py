import struct
import zlib

import numpy as np
import pytest

from msbridge.dataset.vision.codecs import decode


def png(width: int, height: int) -> bytes:
    """An image of a size that its bytes do not have."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(len(data), kind + data) for kind, data in ((b"IHDR", head), (b"IDAT", b""), (b"IEND", b""))]
    framed = [struct.pack(">I", length) + data + struct.pack(">I", zlib.crc32(data)) for length, data in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


def test_an_image_of_too_many_pixels_is_refused_before_it_is_made() -> None:
    """As MindSpore does: RuntimeError of OpenCV's limit, Pillow's own error of Pillow's."""
    pil = pytest.importorskip("PIL.Image")
    with pytest.raises(RuntimeError, match="image decode failed: pixels <="):
        decode.decode_image(png(60_000, 60_000))
    with pytest.raises(pil.DecompressionBombError):
        decode.decode_with_pil(png(60_000, 60_000))


@pytest.mark.parametrize("data", [b"", b"none", b"GIF89a" + bytes(20), b"\xff\xd8\xff\xe0" + b"\xff" * 60, png(8, 8)])
def test_what_is_no_image_is_an_error_of_one_class(data: bytes) -> None:
    pytest.importorskip("PIL.Image")
    with pytest.raises(RuntimeError, match="image decode failed"):
        decode.Decode()(np.frombuffer(data, np.uint8))
    with pytest.raises(ValueError, match="image decode failed"):
        decode.Decode(to_pil=True)(np.frombuffer(data, np.uint8))


def test_postscript_is_not_run() -> None:
    pytest.importorskip("PIL.Image")
    with pytest.raises(ValueError, match="PostScript is a program"):
        decode.decode_with_pil(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n")
