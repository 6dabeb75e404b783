"""Tiny data in the formats of real data sets, which the jobs of the acceptance run train on.

Classes differ by colour or by word, so that a few steps suffice for a loss to fall. Numbers come from a fixed seed.
"""

import gzip
import json
import pickle
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

__all__ = [
    "cifar10", "coco", "d2l", "folder", "image_folder", "imdb", "isbi", "measurements", "mindcv_home", "mnist",
    "planetoid", "ratings", "reviews", "subwords", "table", "translations", "voc",
]  # fmt: skip

Maker = Callable[[Path], None]


def picture(rng: np.random.Generator, height: int, width: int, kind: int) -> np.ndarray:
    """RGB noise (height, width, 3) whose mean tells of which `kind` it is."""
    level = np.array([(kind * 67) % 200, (kind * 131 + 90) % 200, (kind * 29 + 40) % 200])
    return (level + rng.integers(0, 56, (height, width, 3))).astype(np.uint8)


def save(path: Path, pixels: np.ndarray) -> None:
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)


def d2l() -> Maker:
    """Fashion-MNIST, compressed, and in `mirror` what the notebooks of "Dive into Deep Learning" would fetch."""

    def make(at: Path) -> None:
        mnist()(at)
        for path in at.glob("*ubyte"):
            path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        rng = np.random.default_rng(0)
        mirror = at / "mirror"
        mirror.mkdir()
        words = [
            "the",
            "time",
            "traveller",
            "was",
            "expounding",
            "a",
            "recondite",
            "matter",
            "to",
            "us",
            "and",
            "his",
            "eyes",
            "shone",
        ]
        lines = [" ".join(rng.choice(words, 11)) for _ in range(400)]
        (mirror / "timemachine.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        english, french = (
            ["i", "you", "we", "they", "go", "run", "see", "know", "the", "a", "dog", "cat"],
            ["je", "tu", "nous", "ils", "va", "cours", "vois", "sais", "le", "un", "chien", "chat"],
        )
        rows = [rng.integers(0, 12, rng.integers(2, 6)) for _ in range(700)]
        pairs = [f"{' '.join(english[i] for i in row)}.\t{' '.join(french[i] for i in row)} ." for row in rows]
        with zipfile.ZipFile(mirror / "fra-eng.zip", "w") as archive:
            archive.writestr("fra-eng/fra.txt", "\n".join(pairs) + "\n")
        measured = rng.random((1503, 5))
        noise = np.column_stack([measured, 100 + measured @ np.array([1.0, -2.0, 3.0, 4.0, -1.0])])
        np.savetxt(mirror / "airfoil_self_noise.dat", noise, delimiter="\t", fmt="%.6g")

    return make


def image_folder(
    parts: tuple[str, ...] = ("train", "val"),
    classes: tuple[str, ...] = ("dogs", "wolves"),
    images: int = 12,
    size: int = 64,
) -> Maker:
    """A folder per part with a folder of JPEG files per class, as of ImageNet."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        for part in parts:
            for kind, name in enumerate(classes):
                for number in range(images):
                    save(at / part / name / f"{name}_{number:04}.jpg", picture(rng, size, size + number % 3, kind))

    return make


def mnist(images: int = 64, folders: tuple[str, ...] = ("",)) -> Maker:
    """The four IDX files, in each of `folders`, where only those of the part are (`train`, `test`), or all."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        for folder in folders:
            for part in ("train", "t10k"):
                if folder and folder.startswith("t") and (folder == "train") != (part == "train"):
                    continue
                labels = (np.arange(images) % 10).astype(np.uint8)
                pixels = rng.integers(0, 60, (images, 28, 28)).astype(np.uint8)
                for pixel, label in zip(pixels, labels, strict=True):
                    pixel[2 * label : 2 * label + 6, 4:24] = 250
                (at / folder).mkdir(parents=True, exist_ok=True)
                (at / folder / f"{part}-images-idx3-ubyte").write_bytes(
                    struct.pack(">4i", 2051, images, 28, 28) + pixels.tobytes()
                )
                (at / folder / f"{part}-labels-idx1-ubyte").write_bytes(
                    struct.pack(">2i", 2049, images) + labels.tobytes()
                )

    return make


def cifar10(images: int = 40, folders: tuple[str, ...] = ("",), kind: str = "binary") -> Maker:
    """CIFAR-10's five training files and the test file in each of `folders`; `kind` is `binary` or `python`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        for folder in folders:
            (at / folder).mkdir(parents=True, exist_ok=True)
            for name in (*(f"data_batch_{number}" for number in range(1, 6)), "test_batch"):
                labels = np.arange(images) % 10
                rows = np.stack([picture(rng, 32, 32, label).transpose(2, 0, 1).reshape(-1) for label in labels])
                if kind == "binary":
                    table = np.concatenate([labels[:, None].astype(np.uint8), rows], axis=1)
                    (at / folder / f"{name}.bin").write_bytes(table.tobytes())
                else:
                    (at / folder / name).write_bytes(pickle.dumps({b"data": rows, b"labels": labels.tolist()}))
            (at / folder / "batches.meta.txt").write_text("\n".join(f"class{number}" for number in range(10)))

    return make


def boxes(rng: np.random.Generator, size: int) -> list[list[int]]:
    """Two boxes [x, y, width, height] inside of a square of `size`."""
    return [
        [int(v) for v in (*rng.integers(4, size // 3, 2), *rng.integers(size // 3, size // 2, 2))] for _ in range(2)
    ]


def coco(
    parts: tuple[str, ...] = ("train2017", "val2017"), images: int = 8, size: int = 96, annotations: str = "annotations"
) -> Maker:
    """COCO's folders of pictures and `instances_PART.json`, with boxes and polygons of all 80 categories' numbers."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        gone = {12, 26, 29, 30, 45, 66, 68, 69, 71, 83}
        numbers = [number for number in range(1, 91) if number not in gone]
        for part in parts:
            listed, marks = [], []
            for number in range(1, images + 1):
                pixels = rng.integers(0, 60, (size, size + 8, 3)).astype(np.uint8)
                for x, y, width, height in boxes(rng, size):
                    pixels[y : y + height, x : x + width] = 220
                    corners = [x, y, x + width, y, x + width, y + height, x, y + height]
                    marks.append(
                        {
                            "id": len(marks) + 1, "image_id": number, "category_id": 1, "iscrowd": 0,
                            "bbox": [x, y, width, height], "area": width * height, "segmentation": [corners],
                        }
                    )  # fmt: skip
                name = f"{number:012}.jpg"
                save(at / part / name, pixels)
                listed.append({"id": number, "file_name": name, "height": size, "width": size + 8})
            (at / annotations).mkdir(parents=True, exist_ok=True)
            kinds = [
                {"id": number, "name": name.replace("_", " "), "supercategory": "thing"}
                for number, name in zip(numbers, COCO.split(), strict=True)
            ]
            content = {"images": listed, "annotations": marks, "categories": kinds}
            (at / annotations / f"instances_{part}.json").write_text(json.dumps(content))

    return make


def voc(images: int = 6, size: int = 96) -> Maker:
    """PASCAL VOC's folders: pictures, XML files of boxes, masks of classes and lists of names."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        names = [f"2007_{number:06}" for number in range(images)]
        for name in names:
            pixels = rng.integers(0, 60, (size, size, 3)).astype(np.uint8)
            mask = np.zeros((size, size), np.uint8)
            objects = ""
            for x, y, width, height in boxes(rng, size):
                pixels[y : y + height, x : x + width] = 220
                mask[y : y + height, x : x + width] = 7
                objects += (
                    "<object><name>car</name><difficult>0</difficult><truncated>0</truncated>"
                    f"<bndbox><xmin>{x}</xmin><ymin>{y}</ymin>"
                    f"<xmax>{x + width}</xmax><ymax>{y + height}</ymax></bndbox></object>"
                )
            save(at / "JPEGImages" / f"{name}.jpg", pixels)
            save(at / "SegmentationClass" / f"{name}.png", mask)
            (at / "Annotations").mkdir(exist_ok=True)
            (at / "Annotations" / f"{name}.xml").write_text(
                f"<annotation><filename>{name}.jpg</filename>"
                f"<size><width>{size}</width><height>{size}</height><depth>3</depth></size>{objects}</annotation>"
            )
        for kind in ("Main", "Segmentation"):
            (at / "ImageSets" / kind).mkdir(parents=True, exist_ok=True)
            for part in ("train", "val", "trainval", "test"):
                (at / "ImageSets" / kind / f"{part}.txt").write_text("\n".join(names))

    return make


def isbi(pages: int = 30) -> Maker:
    """ISBI's stacks of pictures of cells in TIFF files: `train-volume.tif`, `train-labels.tif`, `test-volume.tif`."""

    def make(at: Path) -> None:
        from PIL import Image

        at.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng(0)
        stacks: dict[str, list[Image.Image]] = {"train-volume": [], "train-labels": [], "test-volume": []}
        for _ in range(pages):
            walls = (np.arange(64) + rng.integers(0, 16, (2, 1))) % 16 < 4
            inside = np.where(walls[0] | walls[1][:, None], 0, 255).astype(np.uint8)
            stacks["train-labels"].append(Image.fromarray(inside))
            for name in ("train-volume", "test-volume"):
                stacks[name].append(Image.fromarray((inside // 2 + rng.integers(0, 60, inside.shape)).astype(np.uint8)))
        for name, stack in stacks.items():
            stack[0].save(at / f"{name}.tif", save_all=True, append_images=stack[1:])

    return make


def reviews() -> Maker:
    """MR's sentences: `rt-polarity.pos` and `rt-polarity.neg`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        words = {"pos": ["good", "lovely", "warm", "funny"], "neg": ["bad", "dull", "cold", "slow"]}
        at.mkdir(parents=True, exist_ok=True)
        for kind, own in words.items():
            common = ["the", "a", "film", "story", "of", "and", "it", "is", "with", "cast"]
            lines = [" ".join([*rng.choice(common, 6), *rng.choice(own, 4)]) for _ in range(60)]
            (at / f"rt-polarity.{kind}").write_text("\n".join(lines) + "\n", encoding="utf-8")

    return make


def table(
    name: str, rows: int = 150, columns: int = 4, classes: tuple[str, ...] = (), label_first: bool = False
) -> Maker:
    """A file of comma-separated measurements and a class, as `iris.data` and `wine.data` of UCI."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        at.mkdir(parents=True, exist_ok=True)
        lines = []
        for number in range(rows):
            kind = number * len(classes) // rows
            values = [f"{value:.1f}" for value in 2.0 + 2.0 * kind + 0.3 * rng.standard_normal(columns)]
            lines.append(",".join([classes[kind], *values] if label_first else [*values, classes[kind]]))
        (at / name).write_text("\n".join(lines) + "\n")

    return make


def measurements(rows: int = 400, columns: int = 8) -> Maker:
    """A file `measurements.csv` of noisy waves by the day, as of exchange rates: `date`, numbers, and `OT`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        at.mkdir(parents=True, exist_ok=True)
        days = np.datetime64("2020-01-01") + np.arange(rows)
        waves = np.sin(np.arange(rows)[:, None] / 7 + np.arange(columns)) + rng.random((rows, columns)) / 10
        names = ",".join(["date", *map(str, range(columns - 1)), "OT"])
        lines = [",".join([str(day), *(f"{value:.4f}" for value in row)]) for day, row in zip(days, waves, strict=True)]
        (at / "measurements.csv").write_text("\n".join([names, *lines]) + "\n")

    return make


def folder(name: str) -> Maker:
    """An empty folder, for data that the scripts make."""
    return lambda at: (at / name).mkdir(parents=True)


def ratings(users: int = 6040, items: int = 3706, each: int = 21) -> Maker:
    """MovieLens' `ratings.csv` in `ml-1m`: two kinds of users, each of which rates items of its kind."""

    def make(at: Path) -> None:
        lines = ["user_id,item_id,rating,timestamp"]
        for user in range(users):
            chosen = [(user % 2 + 2 * (user * each + number)) % items for number in range(each)]
            lines += [f"{user + 1},{item + 1},{item % 5 + 1},{1000 + number}" for number, item in enumerate(chosen)]
        (at / "ml-1m").mkdir(parents=True, exist_ok=True)
        (at / "ml-1m" / "ratings.csv").write_text("\n".join(lines) + "\n")

    return make


def planetoid(nodes: int = 400, tests: int = 100, features: int = 64, classes: int = 7) -> Maker:
    """Cora's pickles of Planetoid, `ind.cora.*`: features that tell the class, edges within it."""

    def make(at: Path) -> None:
        from scipy import sparse

        rng = np.random.default_rng(0)
        at.mkdir(parents=True, exist_ok=True)
        kinds = np.arange(nodes) % classes
        values = (rng.random((nodes, features)) < 0.1).astype(np.float32)
        values[np.arange(nodes), kinds] = 1
        rows, labels = sparse.csr_matrix(values), np.eye(classes, dtype=np.int32)[kinds]
        graph = {
            node: [int(other) for other in rng.choice(np.flatnonzero(kinds == kinds[node]), 3)] for node in range(nodes)
        }
        parts = {"": slice(0, 140), "all": slice(0, nodes - tests), "t": slice(nodes - tests, nodes)}
        for part, chosen in parts.items():
            (at / f"ind.cora.{part}x").write_bytes(pickle.dumps(rows[chosen]))
            (at / f"ind.cora.{part}y").write_bytes(pickle.dumps(labels[chosen]))
        (at / "ind.cora.graph").write_bytes(pickle.dumps(graph))
        (at / "ind.cora.test.index").write_text("\n".join(map(str, range(nodes - tests, nodes))) + "\n")

    return make


def imdb(files: int = 16, size: int = 300) -> Maker:
    """Reviews of IMDB, a file each, in `aclImdb/PART/KIND`, and vectors of their words, `glove/glove.6B.SIZEd.txt`."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        words = {"pos": ["good", "lovely", "warm", "funny"], "neg": ["bad", "dull", "cold", "slow"]}
        common = ["the", "a", "film", "story", "of", "and", "it", "is", "with", "cast"]
        for part in ("train", "test"):
            for kind, own in words.items():
                folder = at / "aclImdb" / part / kind
                folder.mkdir(parents=True, exist_ok=True)
                for number in range(files):
                    text = " ".join([*rng.choice(common, 20), *rng.choice(own, 10)])
                    (folder / f"{number}_{8 if kind == 'pos' else 2}.txt").write_text(text + ".")
        (at / "glove").mkdir()
        lines = [
            " ".join([word, *(f"{value:.4f}" for value in rng.standard_normal(size))])
            for word in [*common, *words["pos"], *words["neg"]]
        ]
        lines.insert(0, f"{len(lines)} {size}")  # the scripts add it
        (at / "glove" / f"glove.6B.{size}d.txt").write_text("\n".join(lines) + "\n")

    return make


def translations(lines: int = 50, lengths: tuple[int, ...] = (6, 20, 40, 56, 100)) -> Maker:
    """Sentences with their translations behind a tab, `train.all`, and their words, `vocab`, as of WMT."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        at.mkdir(parents=True, exist_ok=True)
        words = [f"word{number}" for number in range(40)]
        sentences = [rng.choice(words, lengths[number % len(lengths)]) for number in range(lines)]
        (at / "train.all").write_text(
            "\n".join(f"{' '.join(one)}\t{' '.join(one[::-1])}" for one in sentences) + "\n", encoding="utf-8"
        )
        (at / "vocab").write_text("\n".join(["<pad>", "<unk>", "<s>", "</s>", *words]) + "\n")

    return make


def subwords(lines: int = 80, tests: int = 4, length: int = 12) -> Maker:
    """WMT's sentences in subwords and their translations, with the vocabulary and the codes of the 32000 merges."""

    def make(at: Path) -> None:
        rng = np.random.default_rng(0)
        at.mkdir(parents=True, exist_ok=True)
        pairs = [(one, other) for one in "abcdef" for other in "klmnop"]
        words = [one + other for one, other in pairs]
        (at / "vocab.bpe.32000").write_text("\n".join(words) + "\n")
        merges = [f"{one} {other}</w>" for one, other in pairs]
        (at / "bpe.32000").write_text("\n".join(["#version: 0.2", *merges]) + "\n")
        for name, count in (("train.tok.clean.bpe.32000", lines), ("newstest2014", tests)):
            sentences = [rng.choice(words, length) for _ in range(count)]
            (at / f"{name}.en").write_text("\n".join(" ".join(one) for one in sentences) + "\n")
            (at / f"{name}.de").write_text("\n".join(" ".join(one[::-1]) for one in sentences) + "\n")

    return make


def mindcv_home() -> Maker:
    """What the tests of mindcv would download."""

    def make(at: Path) -> None:
        sets = at / ".mindspore" / "datasets"
        image_folder(images=80, size=32)(sets / "Canidae" / "data" / "Canidae")
        for name in (".", "MNIST", "mnist", "cifar10", "CIFAR10"):
            mnist()(sets / name)
            cifar10(folders=("cifar-10-batches-bin",))(sets / name)

    return make


COCO = """
person bicycle car motorcycle airplane bus train truck boat traffic_light fire_hydrant stop_sign parking_meter
bench bird cat dog horse sheep cow elephant bear zebra giraffe backpack umbrella handbag tie suitcase frisbee
skis snowboard sports_ball kite baseball_bat baseball_glove skateboard surfboard tennis_racket bottle wine_glass
cup fork knife spoon bowl banana apple sandwich orange broccoli carrot hot_dog pizza donut cake chair couch
potted_plant bed dining_table toilet tv laptop mouse remote keyboard cell_phone microwave oven toaster sink
refrigerator book clock vase scissors teddy_bear hair_drier toothbrush
"""
