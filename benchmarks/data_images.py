"""Pipelines of images: images per second, against MindSpore's own engine and torch's DataLoader.

    python -m benchmarks.data_images [--oracle PYTHON] [--rounds N] [--only PIPELINE]

JPEG files of 500 × 375 pixels, as a script for ImageNet reads them in training and in evaluation; and 50,000 images of
32 × 32 in memory, as one for CIFAR does. The files lie in the page cache, for everybody. PYTHON names an interpreter
with the real MindSpore, which runs the same lines with the same number of workers. The DataLoader decodes with Pillow,
and has the number of worker processes with which it is fastest. Each contender runs in a process of its own. The limit
is what decoding whole files takes by itself, in one thread; in training only the rows down to the crop are decoded.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks import peer
from benchmarks.epochs import best, compared, in_turns
from benchmarks.table import Row, at_least

FILES, WORKERS, TORCH_WORKERS = 384, (1, 2), (0, 1, 2)
ROUNDS = 2
DECODERS = ("simplejpeg", "OpenCV")
AGAINST_MINDSPORE = {"train": 1.5, "evaluate": 1.5, "cifar": 4.0}
AGAINST_TORCH = {"train": 2.5, "evaluate": 2.5}
NAMES = {"train": "JPEG training", "evaluate": "JPEG evaluation", "cifar": "CIFAR training"}

_NUMBERS = """
MEAN, STD = [0.485 * 255, 0.456 * 255, 0.406 * 255], [0.229 * 255, 0.224 * 255, 0.225 * 255]
"""
_COUNTED = """
data = None
for _ in range(EPOCHS):
    clock.start()
    data = data or made()
    clock.stop(sum(len(batch[1]) for batch in data))
"""
_PIPELINE = f"""
import sys
import numpy as np
whose, kind, folder, workers, batch = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
if whose == "mindspore":
    import mindspore.dataset as ds
    from mindspore.dataset import vision
else:
    from msbridge import dataset as ds
    from msbridge.dataset import vision
{_NUMBERS}
EPOCHS = 3 if kind == "cifar" else 4
images = np.random.default_rng(0).integers(0, 256, (50000, 32, 32, 3), np.uint8) if kind == "cifar" else None
labels = np.arange(50000, dtype=np.int32) % 10
chains = {{
    "train": [vision.RandomCropDecodeResize(224), vision.RandomHorizontalFlip(), vision.Normalize(MEAN, STD)],
    "evaluate": [vision.Decode(), vision.Resize(256), vision.CenterCrop(224), vision.Normalize(MEAN, STD)],
    "cifar": [
        vision.RandomCrop(32, 4), vision.RandomHorizontalFlip(), vision.Rescale(1 / 255.0, 0.0),
        vision.Normalize([0.4914, 0.4822, 0.4465], [0.2023, 0.1994, 0.2010]),
    ],
}}
def made():
    if kind == "cifar":
        data = ds.NumpySlicesDataset({{"image": images, "label": labels}}, shuffle=True)
    else:
        data = ds.ImageFolderDataset(folder, num_parallel_workers=workers, shuffle=kind == "train")
    data = data.map([*chains[kind], vision.HWC2CHW()], "image", num_parallel_workers=workers)
    return data.batch(batch, num_parallel_workers=workers).create_tuple_iterator(num_epochs=EPOCHS)
{_COUNTED}
"""
_LOADER = f"""
import math, random, sys
from pathlib import Path
import numpy as np
import torch
from PIL import Image
kind, folder, workers, batch = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
{_NUMBERS}
EPOCHS = 4
MEAN, STD = torch.tensor(MEAN).view(3, 1, 1), torch.tensor(STD).view(3, 1, 1)
class Files(torch.utils.data.Dataset):
    def __init__(self):
        classes = sorted(path for path in Path(folder).iterdir())
        self.files = [(path, label) for label, name in enumerate(classes) for path in sorted(name.iterdir())]
    def __len__(self):
        return len(self.files)
    def __getitem__(self, index):
        path, label = self.files[index]
        image = Image.open(path).convert("RGB")
        image = self.part(image) if kind == "train" else self.centre(image)
        data = torch.from_numpy(np.array(image)).permute(2, 0, 1).float()
        return data.sub_(MEAN).div_(STD), label
    def part(self, image):
        for _ in range(10):
            area = image.width * image.height * random.uniform(0.08, 1)
            ratio = math.exp(random.uniform(math.log(3 / 4), math.log(4 / 3)))
            width, height = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if width <= image.width and height <= image.height:
                break
        else:
            width, height = image.size
        left, top = random.randint(0, image.width - width), random.randint(0, image.height - height)
        image = image.resize((224, 224), Image.BILINEAR, (left, top, left + width, top + height))
        return image.transpose(Image.FLIP_LEFT_RIGHT) if random.random() < 0.5 else image
    def centre(self, image):
        scale = 256 / min(image.size)
        image = image.resize((int(image.width * scale), int(image.height * scale)), Image.BILINEAR)
        left, top = (image.width - 224) // 2, (image.height - 224) // 2
        return image.crop((left, top, left + 224, top + 224))
def made():
    return torch.utils.data.DataLoader(
        Files(), batch, shuffle=kind == "train", num_workers=workers, persistent_workers=workers > 0
    )
{_COUNTED}
"""
_DECODING = """
import sys
from pathlib import Path
import numpy as np
decoder, folder = sys.argv[1], sys.argv[2]
if decoder == "simplejpeg":
    import simplejpeg
    decode = simplejpeg.decode_jpeg
else:
    import cv2
    cv2.setNumThreads(1)
    decode = lambda data: cv2.imdecode(data, cv2.IMREAD_COLOR_RGB)
paths = sorted(Path(folder).glob("*/*.jpg"))
for _ in range(4):
    clock.start()
    for path in paths:
        decode(np.fromfile(path, np.uint8))
    clock.stop(len(paths))
"""


def run(oracle: str | None = None, rounds: int = ROUNDS, only: str | None = None) -> list[Row]:
    """Measure, and return two rows for each pipeline, peer and number of workers.

    Args:
        oracle: an interpreter with the real MindSpore; None leaves those rows out.
        rounds: how often each contender has a turn.
        only: the pipeline; None measures all.
    """
    with tempfile.TemporaryDirectory() as folder:
        write_jpegs(Path(folder))
        tasks = [("train", 32), ("evaluate", 32), ("cifar", 32), ("cifar", 128)]
        measured = [_of(kind, folder, batch, oracle, rounds) for kind, batch in tasks if only in (None, kind)]
    return [row for rows in measured for row in rows]


def _of(kind: str, folder: str, batch: int, oracle: str | None, rounds: int) -> list[Row]:
    name, unit = f"{NAMES[kind]}, batch {batch}", "images/s"
    contenders = {}
    for count in WORKERS:
        settings = (kind, folder, str(count), str(batch))
        contenders[f"msbridge, {count}"] = [sys.executable, _PIPELINE, "msbridge", *settings]
        if oracle:
            contenders[f"MindSpore, {count}"] = [oracle, _PIPELINE, "mindspore", *settings]
    if kind in AGAINST_TORCH:
        for count in TORCH_WORKERS:
            contenders[f"DataLoader, {count}"] = [sys.executable, _LOADER, kind, folder, str(count), str(batch)]
        contenders |= {decoder: [sys.executable, _DECODING, decoder, folder] for decoder in DECODERS}
    paces = in_turns(contenders, rounds)
    rows = []
    if oracle:
        for count in WORKERS:
            ours, theirs = paces[f"msbridge, {count}"], paces[f"MindSpore, {count}"]
            workers = f"{count} worker" + "s" * (count > 1)
            rows += compared(f"{name}, {workers}", ours, "MindSpore", theirs, AGAINST_MINDSPORE[kind], unit)
    if kind in AGAINST_TORCH:
        _, ours = best({key: pace for key, pace in paces.items() if key.startswith("msbridge")})
        loader, theirs = best({key: pace for key, pace in paces.items() if key.startswith("DataLoader")})
        rows += compared(f"{name}, best", ours, f"torch {loader} workers", theirs, AGAINST_TORCH[kind], unit)
        unit += " of processor time"
        for decoder in DECODERS:
            rate = paces[decoder].by_processor
            rows.append(at_least(f"{name}, limit", ours.by_processor, f"{decoder}, decoding only", rate, 0, unit))
    return rows


def write_jpegs(folder: Path) -> None:
    """Write JPEG files of 500 × 375 and 375 × 500 pixels, quality 90: smooth areas and texture, about 90 KB each."""
    import cv2

    random = np.random.default_rng(0)
    for number in range(FILES):
        height, width = (500, 375) if number % 3 == 0 else (375, 500)
        smooth = cv2.resize(
            random.integers(0, 256, (8, 8, 3), np.uint8), (width, height), interpolation=cv2.INTER_CUBIC
        )
        rough = random.normal(0, 25, (height // 2, width // 2, 3)).astype(np.float32)
        texture = cv2.resize(rough, (width, height)) + random.normal(0, 6, (height, width, 1))
        place = folder / f"class{number % 8}"
        place.mkdir(exist_ok=True)
        image = np.clip(smooth + texture, 0, 255).astype(np.uint8)
        cv2.imwrite(str(place / f"{number:04}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])


if __name__ == "__main__":
    peer.main(
        run,
        __doc__,
        rounds={"type": int, "default": ROUNDS, "help": "how often each contender has a turn"},
        only={"choices": NAMES, "help": "the pipeline to measure"},
    )
