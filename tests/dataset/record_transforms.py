"""Ask MindSpore for the results of `transform_cases.py`: `python tests/dataset/record_transforms.py`, in an "
"environment that has it."""

import io
import json
import lzma
import pathlib
import sys

import mindspore as ms
import numpy as np
from mindspore.dataset import transforms, vision

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from tests.dataset.transform_cases import CASES, INPUTS, REFUSED

TARGET = pathlib.Path(__file__).with_name("transforms.xz")
NAMES = {
    "vision": vision,
    "transforms": transforms,
    "Inter": vision.Inter,
    "Border": vision.Border,
    "Relational": transforms.Relational,
    "ms": ms,
    "np": np,
}


def encoded_images() -> dict[str, np.ndarray]:
    from PIL import Image

    random = np.random.RandomState(3)
    smooth = np.cumsum(np.cumsum(random.randint(-3, 4, (17, 22, 3)), 0), 1) % 256
    made = {}
    for name, mode, form in (("jpeg", "RGB", "JPEG"), ("jpeg_grey", "L", "JPEG"), ("png", "RGB", "PNG")):
        made[name] = Image.fromarray(smooth.astype(np.uint8)).convert(mode), form
    made["png_alpha"] = Image.fromarray(random.randint(0, 256, (6, 7, 4)).astype(np.uint8), "RGBA"), "PNG"
    encoded = {}
    for name, (image, form) in made.items():
        buffer = io.BytesIO()
        image.save(buffer, form)
        encoded[name] = np.frombuffer(buffer.getvalue(), np.uint8)
    return encoded


def outcome(action) -> list[np.ndarray] | str:
    try:
        result = action()
    except Exception as error:
        return type(error).__name__
    return [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]


def main() -> None:
    stored = {f"input:{name}": data for name, data in encoded_images().items()}
    inputs = INPUTS | {name.removeprefix("input:"): data for name, data in stored.items()}
    for expression, name in CASES:
        key = f"case:{expression} of {name}"
        values = [inputs[part].copy() for part in name.split("+")]
        found = outcome(lambda: eval(expression, NAMES)(*values))  # noqa: B023 - called at once
        if isinstance(found, str):
            stored[key] = np.array(found)
            continue
        for part, array in enumerate(found):
            stored[f"{key}:{part}"] = array
    for expression in REFUSED:
        found = outcome(lambda: (eval(expression, NAMES), 0)[1])  # noqa: B023 - called at once
        stored[f"refused:{expression}"] = np.array(found if isinstance(found, str) else "accepted")
    store(stored)


def store(arrays: dict[str, np.ndarray]) -> None:
    """Write all arrays one behind the other: a member for each would take more than the values themselves."""
    index = {key: [array.dtype.str, array.shape] for key, array in arrays.items()}
    joined = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays.values())
    TARGET.write_bytes(lzma.compress(json.dumps(index).encode() + b"\n" + joined))


if __name__ == "__main__":
    main()
