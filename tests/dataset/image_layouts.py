"""Small folders in the layouts of public data sets: by name, the files and their bytes.

Without msbridge and MindSpore: both read the same files.
"""

import io
import json
import struct
import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

Files = dict[str, bytes]
ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".JPG", ".JPEG", ".PNG", ".gif", ".txt", "")


def noise(seed: int, *shape: int) -> np.ndarray:
    return np.random.RandomState(seed).randint(0, 256, shape).astype(np.uint8)


def png(seed: int) -> bytes:
    """An image of 3 × 2 pixels; its bytes are the same with all versions of zlib."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 2, 3, 8, 2, 0, 0, 0)
    pixels = b"".join(b"\0" + row.tobytes() for row in noise(seed, 3, 2, 3))
    stored = b"\x78\x01" + struct.pack("<BHH", 1, len(pixels), len(pixels) ^ 0xFFFF) + pixels
    stored += struct.pack(">I", zlib.adler32(pixels))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", stored) + chunk(b"IEND", b"")


def bmp(seed: int, side: int = 1024) -> bytes:
    """A grey image."""
    offset = 14 + 40 + 1024
    header = b"BM" + struct.pack("<IHHI", offset + side * side, 0, 0, offset)
    header += struct.pack("<IiiHHIIiiII", 40, side, side, 1, 8, 0, side * side, 0, 0, 256, 0)
    palette = b"".join(bytes((level, level, level, 0)) for level in range(256))
    return header + palette + noise(seed, side, side)[::-1].tobytes()


def mat(**variables: Any) -> bytes:
    from scipy.io import savemat

    buffer = io.BytesIO()
    savemat(buffer, variables)
    return buffer.getvalue()


def text(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def images(paths: Iterable[str], first: int = 0) -> Files:
    return {path: png(first + number) for number, path in enumerate(paths)}


def mixed(folder: str, first: int = 0, start: str = "") -> Files:
    """Images of all endings."""
    return images((f"{folder}/{start}{number}{ending}" for number, ending in enumerate(ENDINGS)), first)


def idx(count: int, seed: int) -> tuple[bytes, bytes]:
    pixels = struct.pack(">4I", 2051, count, 28, 28) + noise(seed, count, 28, 28).tobytes()
    return pixels, struct.pack(">2I", 2049, count) + bytes(range(seed, seed + count))


def mnist() -> Files:
    files = {}
    for seed, stem in enumerate(("train", "t10k")):
        pixels, labels = idx(3, 10 * seed)
        files |= {f"{stem}-images-idx3-ubyte": pixels, f"{stem}-labels-idx1-ubyte": labels}
    return files


def emnist() -> Files:
    files = {}
    stems = [f"{name}-{part}" for name in ("letters", "mnist") for part in ("train", "test")]
    for seed, stem in enumerate(stems):
        pixels, labels = idx(2, 10 * seed)
        files |= {f"emnist-{stem}-images-idx3-ubyte": pixels, f"emnist-{stem}-labels-idx1-ubyte": labels}
    return files


def qmnist() -> Files:
    files = {}
    for seed, stem in enumerate(("qmnist-train", "qmnist-test", "xnist")):
        labels = struct.pack(">3I", 3074, 3, 8) + (np.arange(24) + 100 * seed).astype(">u4").tobytes()
        files |= {f"{stem}-images-idx3-ubyte": idx(3, seed)[0], f"{stem}-labels-idx2-int": labels}
    return files


def svhn() -> Files:
    files = {}
    for seed, part in enumerate(("train", "test", "extra")):
        digits = np.array([[10], [seed], [7]], np.uint8)
        files[f"{part}_32x32.mat"] = mat(X=noise(seed, 32, 32, 3, 3), y=digits)
    return files


def stl10() -> Files:
    files = {
        f"{part}_X.bin": noise(seed, count, 27648).tobytes()
        for seed, (part, count) in enumerate((("train", 2), ("test", 3), ("unlabeled", 1)))
    }
    return files | {"train_y.bin": bytes((1, 10)), "test_y.bin": bytes((2, 3, 4))}


def semeion() -> Files:
    def line(seed: int, label: int) -> str:
        bits = [f"{bit}.0000" for bit in noise(seed, 256) % 2]
        return " ".join([*bits, *("1" if place == label else "0" for place in range(10))]) + " "

    return {"semeion.data": text(line(0, 3), line(1, 0), line(2, 9))}


def usps() -> Files:
    def line(seed: int) -> str:
        pixels = [f"{place + 1}:{(value - 128) / 128:.4f}" for place, value in enumerate(noise(seed, 256).tolist())]
        return " ".join([str(seed % 10 + 1), *pixels]) + " "

    return {"usps": text(*map(line, range(7))), "usps.t": text(line(20), line(29))}


def image_folder() -> Files:
    return mixed("b") | images(("a/2.png", "a/10.png", "a/1.png", "loose.png"), 20)


def caltech101() -> Files:
    files = {}
    for seed, (name, folder, count) in enumerate(
        (("Faces", "Faces_2", 2), ("airplanes", "Airplanes_Side_2", 1), ("ant", "ant", 1))
    ):
        for number in range(1, count + 1):
            files[f"101_ObjectCategories/{name}/image_{number:04}.jpg"] = png(10 * seed + number)
            outline = np.arange(8.0).reshape(2, 4)[:, : 2 + number] + seed
            files[f"Annotations/{folder}/annotation_{number:04}.mat"] = mat(obj_contour=outline)
    return files | images(("101_ObjectCategories/BACKGROUND_Google/image_0001.jpg",), 99)


def caltech256() -> Files:
    return mixed("002.flag") | images(("001.ak47/001_0002.jpg", "001.ak47/001_0001.jpg"), 20)


def celeba() -> Files:
    names = ("000002.jpg", "000001.jpg", "000003.png", "000004.JPG", "000005.jpg")
    values = ("-1  1 1", "1 -1 -1", "1 1 1", "1 1 -1", "-1 -1 -1")
    attributes = (f"{name} {value}" for name, value in zip(names, values, strict=True))
    parts = (f"{name} {part}" for name, part in zip(names, (0, 1, 2, 0, 2), strict=True))
    return images(names) | {
        "list_attr_celeba.txt": text("5", "5_o_Clock_Shadow Bald Young", *attributes),
        "list_eval_partition.txt": text(*parts),
    }


def cityscapes(folder: str = "gtFine", parts: tuple[str, ...] = ("train", "test", "val")) -> Files:
    files: Files = {}
    cities = ("bochum_000001", "bochum_000000", "aachen_000000")
    for seed, (part, place) in enumerate((part, place) for part in parts for place in cities):
        city = place.partition("_")[0]
        stem = f"{folder}/{part}/{city}/{place}_000019_{folder}"
        files[f"leftImg8bit/{part}/{city}/{place}_000019_leftImg8bit.png"] = png(10 * seed)
        tasks = ("color", "instanceIds", "labelIds")
        files |= images((f"{stem}_{task}.png" for task in tasks), 10 * seed + 1)
        files[f"{stem}_polygons.json"] = json.dumps({"imgHeight": seed, "objects": []}).encode()
    return files


def coco() -> Files:
    pictures = [(7, "b.jpg"), (3, "a.jpg"), (9, "c.x.jpg"), (5, "d.jpg")]
    listed = [{"id": number, "file_name": name} for number, name in pictures]
    names = ("person", "dog", "brush")
    categories = [{"id": 18 * place + 1, "name": name, "isthing": int(place != 1)} for place, name in enumerate(names)]
    boxes = [
        {"image_id": 3, "bbox": [1, 2, 3.5, 4], "category_id": 19, "iscrowd": 0},
        {"image_id": 7, "bbox": [5, 6, 7, 8], "category_id": 1, "iscrowd": 1},
        {"image_id": 3, "bbox": [9, 10, 11, 12], "category_id": 37, "iscrowd": 0},
        {"image_id": 9, "bbox": [0, 0, 1, 1], "category_id": 1},
    ]
    outlines = [
        {"image_id": 3, "segmentation": [[1, 2, 3, 4, 5, 6]], "iscrowd": 0},
        {"image_id": 7, "segmentation": [[1, 2], [3, 4, 5, 6.5]], "iscrowd": 0},
        {"image_id": 3, "segmentation": {"counts": [10, 20, 30, 40], "size": [2, 2]}, "iscrowd": 1},
    ]
    points = [
        {"image_id": 3, "keypoints": [1, 2, 2, 3, 4, 1], "num_keypoints": 2},
        {"image_id": 3, "keypoints": [0, 0, 0, 7, 8, 2], "num_keypoints": 1},
        {"image_id": 7, "keypoints": [1, 2, 2], "num_keypoints": 1},
    ]
    things = [{"bbox": [5, 6, 7, 8], "category_id": 37, "iscrowd": 1, "area": 60}, boxes[0] | {"area": 7}]
    segments = [{"image_id": 3, "segments_info": things}, {"image_id": 7, "segments_info": things[:1]}]
    captions = [
        {"image_id": 3, "caption": "A dog"},
        {"image_id": 7, "caption": "B"},
        {"image_id": 3, "caption": "A longer ü"},
    ]
    tasks = {"Detection": boxes, "Stuff": outlines, "Keypoint": points, "Panoptic": segments, "Captioning": captions}
    files = images((f"images/{name}" for _, name in pictures), 0)
    for task, annotations in tasks.items():
        numbered = [{"id": number} | annotation for number, annotation in enumerate(annotations)]
        tree = {"images": listed, "annotations": numbered, "categories": categories}
        files[f"{task}.json"] = json.dumps(tree).encode()
    return files


def div2k() -> Files:
    paths = []
    for part, names in (("train", ("0002", "0001")), ("valid", ("0801",))):
        for name in names:
            paths.append(f"DIV2K_{part}_HR/{name}.png")
            for kind in ("bicubic", "unknown"):
                paths += [f"DIV2K_{part}_LR_{kind}/X{scale}/{name}x{scale}.png" for scale in (2, 3, 4)]
            paths += [f"DIV2K_{part}_LR_{kind}/{name}x4{kind[0]}.png" for kind in ("mild", "difficult", "wild")]
            paths.append(f"DIV2K_{part}_LR_x8/{name}x8.png")
    return images(paths)


def flickr() -> Files:
    lines = [f"{name}.jpg#{number}\tSentence {number} of {name} ." for name in ("2", "1") for number in range(3)]
    return images(("images/2.jpg", "images/1.jpg", "images/3.jpg")) | {"tokens": text(*lines, "", "2.jpg#3\tLast")}


def flowers102() -> Files:
    files = images(f"{kind}_{number:05}.jpg" for kind in ("jpg/image", "segmim/segmim") for number in range(1, 5))
    sets = mat(trnid=np.array([[3, 1]]), tstid=np.array([[2]]), valid=np.array([[4]]))
    return files | {"imagelabels.mat": mat(labels=np.array([[77, 1, 102, 5]], np.uint8)), "setid.mat": sets}


def food101() -> Files:
    dishes = ("apple_pie/2", "apple_pie/1", "pho/3", "pho/4")
    lists = {"meta/train.txt": text(*dishes[:3]), "meta/test.txt": text(dishes[3]), "meta/classes.txt": text("pho")}
    return images(f"images/{dish}.jpg" for dish in (*dishes, "pho/5")) | lists


def kitti() -> Files:
    def line(kind: str, seed: int) -> str:
        return f"{kind} 0.{seed} {seed - 1} 1.5 {10 + seed}.0 20.5 30 40.25 1.5 1.6 3.7 0.1 1.2 30.5 -1.57"

    kinds = ("Car", "DontCare", "Pedestrian", "Van", "Truck", "Person_sitting", "Cyclist", "Tram", "Misc")
    rows = (kinds[:2], kinds[2:3], (), kinds)
    labels = {
        f"data_object_label_2/training/label_2/{number:06}.txt": text(
            *(line(kind, seed) for seed, kind in enumerate(row))
        )
        for number, row in enumerate(rows)
    }
    paths = [f"data_object_image_2/training/image_2/{number:06}.png" for number in (2, 0, 3, 1)]
    return images([*paths, *(f"data_object_image_2/testing/image_2/{number:06}.png" for number in (1, 0))]) | labels


def lfw() -> Files:
    people = {"Zed_A": 2, "Ann_B": 3, "Cy_C": 1}
    paths = [
        f"{folder}/{name}/{name}_{number:04}.jpg"
        for folder in ("lfw", "lfw-deepfunneled", "lfw_funneled")
        for name, count in people.items()
        for number in range(1, count + 1)
    ]
    return images(paths) | {
        "lfw-names.txt": text("Ann_B\t3", "Cy_C\t1", "Zed_A\t2"),
        "peopleDevTrain.txt": text("2", "Zed_A\t2", "Ann_B\t3"),
        "peopleDevTest.txt": text("1", "Cy_C\t1"),
        "people.txt": text("2", "2", "Zed_A\t2", "Cy_C\t1", "1", "Ann_B\t3"),
        "pairsDevTrain.txt": text("2", "Ann_B\t1\t3", "Zed_A\t1\t2", "Ann_B\t1\tZed_A\t2", "Cy_C\t1\tAnn_B\t2"),
        "pairsDevTest.txt": text("1", "Zed_A\t2\t1", "Cy_C\t1\tZed_A\t1"),
        "pairs.txt": text("2\t1", "Ann_B\t1\t2", "Ann_B\t2\tCy_C\t1", "Zed_A\t1\t2", "Cy_C\t1\tZed_A\t1"),
    }


def lsun() -> Files:
    scenes = ("tower_train", "tower_val", "bridge_train", "bridge_val", "zoo_train", "test")
    return mixed("bedroom_train") | images((f"{scene}/{number}.jpg" for scene in scenes for number in (2, 1)), 20)


def manifest() -> Files:
    def line(name: str, usage: str, *labels: str) -> str:
        annotation = [{"name": label, "type": "modelarts/image_classification"} for label in labels]
        return json.dumps({"source": f"{name}", "usage": usage, "annotation": annotation})

    lines = (
        line("AT/0.jpg", "train", "dog"),
        line("AT/1.jpg", "TRAIN", "cat"),
        line("AT/2.jpg", "eval", "bird"),
        line("AT/3.jpg", "train", "dog", "cat"),
        line("AT/4.jpg", "inference"),
        line("AT/5.jpg", "train"),
        line("AT/6.txt", "train", "ant"),
        line("AT/0.jpg", "train", "ant"),
    )
    return images(f"{number}.jpg" for number in range(6)) | {"6.txt": b"text", "manifest.json": text(*lines)}


def omniglot() -> Files:
    paths = ("b/c1/02.png", "b/c1/01.png", "a/c1/01.png")
    background = images((f"images_background/{path}" for path in paths), 20) | mixed("images_background/b/c2")
    return background | images(("images_evaluation/z/c1/01.png", "images_evaluation/a/c2/01.png"), 30)


def photo_tour() -> Files:
    pairs = ("3 1 0 2 1 0 0", "0 0 0 1 0 0 0", "257 5 0 258 6 0 0")
    points = (f"{number // 2} 0" for number in range(260))
    sheets = {f"liberty/patches000{number}.bmp": bmp(number) for number in range(2)}
    return sheets | {"liberty/info.txt": text(*points), "liberty/m50_100000_100000_0.txt": text(*pairs)}


def places365() -> Files:
    lists = {
        "categories_places365.txt": text("/a/b 0", "/c 5"),
        "places365_train_standard.txt": text("/a/b/1.jpg 0", "/a/b/2.png 0", "/c/3.jpg 5"),
        "places365_train_challenge.txt": text("/x/1.jpg 7"),
        "places365_val.txt": text("2.jpg 3", "1.jpg 4"),
    }
    paths = []
    for size in ("256", "large"):
        paths += [f"data_{size}_standard/{name}" for name in ("a/b/1.jpg", "a/b/2.png", "c/3.jpg")]
        paths += [f"data_{size}_challenge/x/1.jpg", f"val_{size}/1.jpg", f"val_{size}/2.jpg"]
    return images(paths) | lists


def rendered_sst2() -> Files:
    places = (f"{part}/{kind}" for part in ("train", "test", "valid") for kind in ("positive", "negative"))
    return images(f"{place}/{number}.png" for place in places for number in (2, 1)) | {"train/positive/a.jpg": png(90)}


def one_class_of_sst2() -> Files:
    return mixed("train/negative") | images(("valid/negative/1.png", "val/negative/2.png", "test/negative/3.png"), 20)


def sbd() -> Files:
    from scipy.sparse import csc_array

    files: Files = {"train.txt": text("b", "a"), "val.txt": text("c"), "train_noval.txt": text("a")}
    for seed, name in enumerate("abc"):
        boundaries = np.empty((20, 1), object)
        for category in range(20):
            boundaries[category, 0] = csc_array((noise(20 * seed + category, 3, 2) % 2).astype(np.uint8))
        kind = [("Boundaries", object), ("Segmentation", object), ("CategoriesPresent", object)]
        classes = np.zeros((1, 1), kind)
        classes[0, 0] = (boundaries, noise(seed, 3, 2) % 21, np.array([[1]]))
        files |= {f"img/{name}.jpg": png(seed), f"cls/{name}.mat": mat(GTcls=classes)}
    return files


def sbu() -> Files:
    flickr_ids = ("2723/4385058960_b0", "3326/3596303505_3c", "1/2_x")
    urls = text(*(f"http://static.flickr.com/{name}.jpg" for name in flickr_ids))
    captions = text("A B ", "  C d", "E ü")
    lists = {"SBU_captioned_photo_dataset_urls.txt": urls, "SBU_captioned_photo_dataset_captions.txt": captions}
    return images(("sbu_images/m_2723_4385058960_b0.jpg", "sbu_images/m_1_2_x.jpg")) | lists


def sun397() -> Files:
    paths = ("a/pool/outdoor/sun_2.jpg", "a/pool/outdoor/sun_1.jpg", "b/lands/sun_1.jpg", "b/unlisted/sun_1.jpg")
    lists = {"ClassName.txt": text("/b/lands", "", "/a/abbey", "/a/pool/outdoor")}
    return mixed("a/abbey", start="sun_") | images(("a/abbey/moon.jpg",), 50) | images(paths, 20) | lists


def voc() -> Files:
    def item(name: str, corners: Iterable[float], rest: str = "") -> str:
        box = "".join(
            f"<{name}>{at}</{name}>" for name, at in zip(("xmin", "ymin", "xmax", "ymax"), corners, strict=True)
        )
        return f"<object><name>{name}</name>{rest}<bndbox>{box}</bndbox></object>"

    part = "<part><name>head</name><bndbox><xmin>1</xmin></bndbox></part>"
    rest = "<truncated>1</truncated><difficult>1</difficult>"
    objects = {
        "a": item("dog", (10, 20, 30, 40)) + item("cat", (1.7, 2.2, 3.5, 4), rest),
        "b": item("zebra", (1, 2, 3, 4), "<pose>Unspecified</pose><truncated>Unspecified</truncated>"),
        "c": item("dog", (5, 5, 6, 6), "<difficult>0</difficult>" + part),
    }
    lists = {"Segmentation/train": "ca", "Segmentation/val": "b", "Main/train": "cba", "Main/val": "b", "Main/none": ""}
    files = {f"ImageSets/{name}.txt": text(*names) for name, names in lists.items()}
    files |= {f"Annotations/{name}.xml": f"<annotation>{each}</annotation>".encode() for name, each in objects.items()}
    folders = (("JPEGImages", ".jpg"), ("SegmentationClass", ".png"))
    return files | images(f"{folder}/{name}{ending}" for folder, ending in folders for name in "abc")


def wider_face() -> Files:
    faces = ("1 2 3 4 0 1 0 1 2 0 ", "10 20 30 40 2 0 1 0 0 1 ")
    split = "wider_face_split/wider_face"
    return images(
        f"WIDER_{part}/images/0--P/{part}_{number}.jpg" for part in ("train", "val", "test") for number in (1, 2)
    ) | {
        f"{split}_train_bbx_gt.txt": text(
            "0--P/train_2.jpg", "2", *faces, "0--P/train_1.jpg", "1", "5 6 7 8 1 1 1 1 1 1 "
        ),
        f"{split}_val_bbx_gt.txt": text("0--P/val_1.jpg", "0", "0 0 0 0 0 0 0 0 0 0 ", "0--P/val_2.jpg", "1", faces[0]),
        f"{split}_test_filelist.txt": text("0--P/test_2.jpg", "0--P/test_1.jpg"),
    }


def cifar10() -> Files:
    """Files of the real length: MindSpore reads no shorter ones."""

    def rows(seed: int) -> bytes:
        whole = np.zeros((10_000, 3073), np.uint8)
        whole[:, 0] = np.arange(10_000) % 10
        whole[:2, 1:] = noise(seed, 2, 3072)
        return whole.tobytes()

    return {"data_batch_1.bin": rows(1), "test_batch.bin": rows(9)}


def write(files: Files, folder: Path) -> None:
    """Write the files; AT represents the folder in a manifest."""
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.replace(b"AT/", f"{folder}/".encode()) if path.endswith("manifest.json") else data)


def cityscapes_coarse() -> Files:
    return cityscapes("gtCoarse", ("train", "train_extra", "val"))


def nothing() -> Files:
    return {}


@cache
def layout(name: str) -> Files:
    """Return the files of a layout, which a function of this module makes."""
    files: Files = globals()[name]()
    return files
