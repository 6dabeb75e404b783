"""Ask MindSpore what it decodes from JPEG files of many kinds: `python tests/dataset/record_jpeg.py`, in an environment
that has it and Pillow."""

import io
import pathlib

import numpy as np
from mindspore.dataset import vision

TARGET = pathlib.Path(__file__).with_name("jpeg.npz")
HEIGHT, WIDTH = 41, 27


def files() -> dict[str, bytes]:
    from PIL import Image

    random = np.random.RandomState(5)
    smooth = np.cumsum(np.cumsum(random.randint(-1, 2, (HEIGHT, WIDTH, 4)), 0), 1) % 256
    four = smooth.astype(np.uint8)
    image = Image.fromarray(four[..., :3])

    def jpeg(source=image, **settings) -> bytes:
        buffer = io.BytesIO()
        source.save(buffer, "JPEG", **settings)
        return buffer.getvalue()

    turned = Image.Exif()
    turned[0x0112] = 6
    plain = jpeg(quality=85)
    damaged = bytearray(plain)
    damaged[len(plain) * 2 // 3] ^= 0x55
    return {
        "444": jpeg(subsampling=0),
        "422": jpeg(subsampling=1),
        "420": plain,
        "progressive": jpeg(progressive=True),
        "restarts": jpeg(restart_marker_rows=1),
        "rgb": jpeg(keep_rgb=True),
        "grey": jpeg(image.convert("L")),
        "cmyk": jpeg(Image.fromarray(four, "CMYK"), quality=95),
        "turned": jpeg(exif=turned),
        "one pixel": jpeg(image.crop((0, 0, 1, 1))),
        "trailing bytes": plain + b"more",
        "without its end": plain[:-2],
        "damaged": bytes(damaged),
    }


def main() -> None:
    stored = {}
    for name, data in files().items():
        stored[f"file:{name}"] = np.frombuffer(data, np.uint8)
        stored[f"image:{name}"] = vision.Decode()(stored[f"file:{name}"])
    np.savez_compressed(TARGET, **stored)


if __name__ == "__main__":
    main()
