"""What readers of images are asked, of which folder; `answer` asks, MindSpore (`record_images.py`) or msbridge."""

import inspect
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tests.dataset import image_layouts as layouts

Answer = dict[str, Any]
INLINE_VALUES = 16


@dataclass(frozen=True)
class Case:
    """A reader of a folder.

    Attributes:
        layout: the function of `image_layouts.py` that makes the files.
        call: the expression, in which `at` is the folder.
        changed: files with other bytes; None takes one away.
        without: parts of the answer that are not compared, for the reason that stands beside the case.
    """

    layout: str
    call: str
    changed: Mapping[str, bytes | None] = field(default_factory=dict)
    without: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        changes = ", ".join(f"{path}: {data and zlib.crc32(data)}" for path, data in self.changed.items())
        return f"{self.layout}: {self.call}" + (f" [{changes}]" if changes else "")


def each(layout: str, reader: str, *calls: str, **options: Any) -> list[Case]:
    return [Case(layout, f"ds.{reader}({call})", **options) for call in calls]


def damaged(layout: str, call: str, *changes: Mapping[str, bytes | None], **options: Any) -> list[Case]:
    return [Case(layout, call, changed, **options) for changed in changes]


def usages(layout: str, reader: str, *names: str | None) -> list[Case]:
    """Each part, then shards, samplers, and what is refused."""
    first = names[0]
    return each(
        layout, reader, *(f"at, {name!r}, shuffle=False" for name in names), "at, usage='other'", "at, usage=1"
    ) + common(layout, reader, f"at, {first!r}")


def common(layout: str, reader: str, start: str) -> list[Case]:
    return each(
        layout,
        reader,
        f"{start}, shuffle=False, num_shards=2, shard_id=1",
        f"{start}, shuffle=False, num_samples=1",
        f"{start}, sampler=ds.SubsetSampler([1, 0])",
        f"{start}, sampler=ds.SequentialSampler(), shuffle=False",
        f"{start}, sampler=ds.SequentialSampler(), num_shards=2, shard_id=0",
        f"{start}, sampler=ds.SequentialSampler(), num_samples=2",
        f"{start}, num_shards=2",
        f"{start}, shard_id=0",
        f"{start}, num_shards=2, shard_id=2",
        f"{start}, shuffle=1",
        f"{start}, num_samples='2'",
        start.replace("at", "at + '/nope'", 1),
        start.replace("at", "1", 1),
    )


def decoding(layout: str, reader: str, start: str, image: str) -> list[Case]:
    """Decoded images, and one that is damaged or missing."""
    decoded = f"ds.{reader}({start}, shuffle=False, decode=True)"
    lost = f"ds.{reader}({start}, shuffle=False)"
    return [
        Case(layout, decoded),
        Case(layout, decoded.replace("True", "1")),
        *damaged(layout, decoded, {image: b"no image"}, {image: b""}),
        Case(layout, lost, {image: None}),
    ]


PNG = layouts.png(77)
MNIST_IMAGES, MNIST_LABELS = layouts.idx(3, 0)
COCO = "at + '/images', at + '/{0}.json', {0!r}"
ONE = b'{"images": [{"id": 3, "file_name": "a.jpg"}], "annotations": [{"id": 1, "image_id": %d}], "categories": []}'
RENAMED = "rename('_meta-filename', 'name')"
TASKS = ("Detection", "Stuff", "Keypoint", "Panoptic", "Captioning")

CASES: list[Case] = [
    # --- one file or a few
    *usages("mnist", "MnistDataset", "train", "test", "all", None),
    *each("mnist", "FashionMnistDataset", "at, shuffle=False"),
    *each("mnist", "KMnistDataset", "at, 'test', shuffle=False"),
    *damaged(
        "mnist",
        "ds.MnistDataset(at, 'train', shuffle=False)",
        {"a-train-images.idx3-ubyte": MNIST_IMAGES, "a-train-labels.idx1-ubyte": MNIST_LABELS},
        {
            "train-images": b"ignored",
            "xtrain-images-idx3-ubyteX": MNIST_IMAGES,
            "xtrain-labels-idx1-ubyteX": MNIST_LABELS,
        },
        {"train-images-idx3-ubyte": MNIST_IMAGES[:-1]},
        {"train-images-idx3-ubyte": None},
        {"train-labels-idx1-ubyte": MNIST_LABELS[:-1]},
        {"train-labels-idx1-ubyte": b""},
    ),
    *each(
        "emnist",
        "EMnistDataset",
        *(
            f"at, {name!r}, {usage!r}, shuffle=False"
            for name in ("letters", "mnist")
            for usage in ("train", "test", None)
        ),
        "at, 'digits', 'all', shuffle=False",
        "at, 'other'",
        "at, 'mnist', 'other'",
        "at, 'mnist', 'all', sampler=ds.SubsetSampler([2, 1])",
    ),
    *each(
        "qmnist",
        "QMnistDataset",
        *(f"at, {usage!r}, shuffle=False" for usage in ("train", "test", "nist", "all", None)),
        "at, 'train', False, shuffle=False",
        "at, 'train', 1",
        "at, 'other'",
        "at, 'all', False, shuffle=False, num_shards=2, shard_id=1",
    ),
    *damaged(
        "qmnist",
        "ds.QMnistDataset(at, 'train', shuffle=False)",
        {"qmnist-train-images-idx3-ubyte": None},
        {"qmnist-train-labels-idx2-int": b""},
        {"qmnist-train-labels-idx2-int": MNIST_LABELS},
        {"qmnist-train-images-idx3-ubyte": MNIST_IMAGES[:-1]},
    ),
    *each("cifar10", "Cifar10Dataset", "at, 'test', shuffle=False, num_samples=3"),
    *each(  # MindSpore reckons with six files
        "cifar10", "Cifar10Dataset", "at, sampler=ds.SubsetSampler([0, 1, 10000, 10001])", without=("size",)
    ),
    *usages("stl10", "STL10Dataset", "train", "test", "unlabeled", "train+unlabeled", "all", None),
    *damaged(
        "stl10",
        "ds.STL10Dataset(at, 'train', shuffle=False)",
        {"train_X.bin": None},
        {"train_y.bin": None},
        {"train_y.bin": b"\1"},
        {"train_X.bin": bytes(27650)},
    ),
    *damaged("stl10", "ds.STL10Dataset(at, shuffle=False)", {"unlabeled_X.bin": None}, {"train_y.bin": None}),
    *each("semeion", "SemeionDataset", "at, shuffle=False"),
    *common("semeion", "SemeionDataset", "at"),
    *damaged(
        "semeion",
        "ds.SemeionDataset(at, shuffle=False)",
        {"semeion.data": None},
        {"semeion.data": b"0.0 1.0 0\n"},
        {"semeion.data": layouts.semeion()["semeion.data"].replace(b"0.0000", b"x", 1)},
    ),
    *each("svhn", "SVHNDataset", *(f"at, {part!r}, shuffle=False" for part in ("train", "test", "extra", "all", None))),
    *each("svhn", "SVHNDataset", "at, 'other'", "at, 1", "at, 'all', shuffle=False, num_shards=2, shard_id=1"),
    *damaged(
        "svhn", "ds.SVHNDataset(at, 'test', shuffle=False)", {"test_32x32.mat": None}, {"test_32x32.mat": b"no" * 200}
    ),
    *each(
        "photo_tour",
        "PhotoTourDataset",
        "at, 'liberty', 'test', shuffle=False",
        "at, 'liberty', sampler=ds.SubsetSampler([0, 1, 17, 255, 256, 259])",
        "at, 'other'",
        "at, 'liberty', 'other'",
    ),
    *each("photo_tour", "PhotoTourDataset", "at, 'yosemite', shuffle=False"),
    *damaged("photo_tour", "ds.PhotoTourDataset(at, 'liberty', 'test', shuffle=False)", {"liberty/info.txt": None}),
    *each(
        "nothing",
        "FakeImageDataset",
        "3, (4, 5, 3), 10, 0, shuffle=False",
        "4, (7, 3, 1), 7, 2**31 - 2, shuffle=False",
        "2, (40, 40, 3), 1000, 5, shuffle=False",
        "5, [2, 2, 3], sampler=ds.SubsetSampler([4, 0])",
        "5, (2, 2), 10",
        "0",
        "2, (2, 2, 0)",
        "2, 3",
        "2, num_classes=0",
        "2, (1, 1, 1), shuffle=False, num_shards=2, shard_id=1",
    ),
    *each(
        "usps",
        "USPSDataset",
        *(f"at, {usage!r}, shuffle=False" for usage in ("train", "test", "all", None)),
        "at, shuffle=False, num_parallel_workers=1",
        "at, 'train', shuffle=ds.Shuffle.INFILE",
        "at, 'train', shuffle=ds.Shuffle.FILES",
        *(
            f"at, {usage!r}, shuffle=False, num_shards=2, shard_id={shard}, num_parallel_workers=2"
            for usage in ("train", "all")
            for shard in (0, 1)
        ),
        "at, 'all', shuffle=False, num_samples=8",
        "at, 'other'",
        "at, shuffle=1",
        "at, num_shards=2",
        "at, shard_id=0",
        "at, num_shards=2, shard_id=2",
        "at + '/nope'",
    ),
    *damaged(
        "usps",
        "ds.USPSDataset(at, 'test', shuffle=False)",
        {"usps.t": b"3 1:0.5 2:0.1\n"},
        {"usps.t": layouts.usps()["usps.t"].replace(b"1 1:", b"x 1:")},
        {"usps.t": b""},
        {"usps.t": b"\n" + layouts.usps()["usps.t"] + b"\n"},
    ),
    *damaged("usps", "ds.USPSDataset(at, 'test', shuffle=False)", {"usps.t": None}, without=("count",)),
    # --- a folder for each class
    *each(
        "image_folder",
        "ImageFolderDataset",
        "at, shuffle=False",
        "at, shuffle=False, extensions=['.jpg', '.png']",
        "at, shuffle=False, extensions=['png']",
        "at, shuffle=False, class_indexing={'b': -7, 'a': 3}",
        "at, shuffle=False, class_indexing={}",
        "at, extensions='.png'",
        "at, class_indexing=['a']",
        "at, decrypt=1",
        "at, shuffle=False, decrypt=lambda path: path[-3:].encode()",
        "at, shuffle=False, decrypt=lambda path: 1",
        "at, shuffle=False, decrypt=lambda path: 1 / 0",
        "at, shuffle=False, decode=True, decrypt=read",
    ),
    *each(  # MindSpore counts the images of other classes too
        "image_folder", "ImageFolderDataset", "at, shuffle=False, class_indexing={'b': 7}", without=("size",)
    ),
    *common("image_folder", "ImageFolderDataset", "at"),
    *decoding("image_folder", "ImageFolderDataset", "at", "a/1.png"),
    *each("nothing", "ImageFolderDataset", "at, shuffle=False"),
    *each("caltech256", "Caltech256Dataset", "at, shuffle=False"),
    *common("caltech256", "Caltech256Dataset", "at"),
    *decoding("caltech256", "Caltech256Dataset", "at", "001.ak47/001_0001.jpg"),
    *each("nothing", "Caltech256Dataset", "at, shuffle=False"),
    *each("omniglot", "OmniglotDataset", "at, shuffle=False", "at, False, shuffle=False", "at, background=1"),
    *common("omniglot", "OmniglotDataset", "at"),
    *decoding("omniglot", "OmniglotDataset", "at", "images_background/b/c1/01.png"),
    *each("nothing", "OmniglotDataset", "at, shuffle=False"),
    *usages("lsun", "LSUNDataset", "train", "valid", "all", None),
    *each("lsun", "LSUNDataset", "at, 'test', shuffle=False", without=("size",)),  # MindSpore says 0, and reads two
    *each(
        "lsun",
        "LSUNDataset",
        "at, classes=['tower', 'bridge'], shuffle=False",
        "at, 'train', ['classroom'], shuffle=False",
        "at, classes=['zoo']",
        "at, classes='tower'",
    ),
    *decoding("lsun", "LSUNDataset", "at, 'valid'", "bridge_val/2.jpg"),
    # MindSpore numbers the classes in the order in which the file system lists them: labels of one class are compared.
    *each(
        "one_class_of_sst2",
        "RenderedSST2Dataset",
        *(f"at, {name!r}, shuffle=False" for name in ("train", "val", "test")),
    ),
    *each(
        "one_class_of_sst2", "RenderedSST2Dataset", "at, 'all', shuffle=False", "at, shuffle=False", without=("size",)
    ),
    *each("one_class_of_sst2", "RenderedSST2Dataset", "at, 'valid'", "at, 1"),
    *decoding("one_class_of_sst2", "RenderedSST2Dataset", "at, 'test'", "test/negative/3.png"),
    *each("sun397", "SUN397Dataset", "at, shuffle=False"),
    *common("sun397", "SUN397Dataset", "at"),
    *decoding("sun397", "SUN397Dataset", "at", "b/lands/sun_1.jpg"),
    *damaged(
        "sun397",
        "ds.SUN397Dataset(at)",
        {"ClassName.txt": None},
        {"ClassName.txt": b"/z/none\n"},
        {"ClassName.txt": b""},
    ),
    # --- lists of images
    *usages("food101", "Food101Dataset", "train", "test", "all", None),
    *decoding("food101", "Food101Dataset", "at", "images/pho/3.jpg"),
    *damaged("food101", "ds.Food101Dataset(at, shuffle=False)", {"meta/test.txt": None}),
    *usages("places365", "Places365Dataset", "train-standard", "train-challenge", "val", None),
    *each(
        "places365",
        "Places365Dataset",
        "at, 'val', False, shuffle=False",
        "at, small=False, shuffle=False",
        "at, small=1",
    ),
    *decoding("places365", "Places365Dataset", "at", "data_256_standard/c/3.jpg"),
    *damaged(
        "places365",
        "ds.Places365Dataset(at, shuffle=False)",
        {"categories_places365.txt": None},
        {"places365_train_standard.txt": None},
        {"places365_train_standard.txt": b"/a/b/1.jpg\n"},
        {"places365_train_standard.txt": b"\n/a/b/1.jpg 4\n\n"},
    ),
    *each("flickr", "FlickrDataset", "at + '/images', at + '/tokens', shuffle=False"),
    *decoding("flickr", "FlickrDataset", "at + '/images', at + '/tokens'", "images/1.jpg"),
    *each("flickr", "FlickrDataset", "at + '/images', at + '/none'", "at + '/none', at + '/tokens'", "at, 1"),
    *damaged(
        "flickr",
        "ds.FlickrDataset(at + '/images', at + '/tokens', shuffle=False)",
        {"tokens": b"2.jpg#0 A dog\n"},
        {"tokens": b"2.jpg#0\tA\tdog\n3.jpg#0\tB\n"},
        {"tokens": b""},
    ),
    *each("sbu", "SBUDataset", "at, shuffle=False"),
    *common("sbu", "SBUDataset", "at"),
    *decoding("sbu", "SBUDataset", "at", "sbu_images/m_1_2_x.jpg"),
    *damaged(
        "sbu",
        "ds.SBUDataset(at, shuffle=False)",
        {"SBU_captioned_photo_dataset_urls.txt": None},
        {"SBU_captioned_photo_dataset_captions.txt": None},
        {"SBU_captioned_photo_dataset_urls.txt": b"http://x.jpg\n"},
    ),
    *each("nothing", "SBUDataset", "at"),
    *each(
        "lfw",
        "LFWDataset",
        *(
            f"at, {task!r}, {usage!r}, shuffle=False"
            for task in ("people", "pairs", None)
            for usage in ("10fold", "train", "test", "all", None)
        ),
        *(f"at, usage='test', image_set={name!r}, shuffle=False" for name in ("original", "funneled", "deepfunneled")),
        "at, 'other'",
        "at, usage='other'",
        "at, image_set='other'",
        "at, 'pairs', shuffle=False, num_shards=2, shard_id=1",
    ),
    *decoding("lfw", "LFWDataset", "at, 'people', 'test'", "lfw_funneled/Cy_C/Cy_C_0001.jpg"),
    *damaged(
        "lfw", "ds.LFWDataset(at, usage='test', shuffle=False)", {"lfw-names.txt": None}, {"peopleDevTest.txt": None}
    ),
    *each(
        "manifest",
        "ManifestDataset",
        *(f"at + '/manifest.json', {usage!r}, shuffle=False" for usage in ("train", "eval", "inference")),
        "at + '/manifest.json', shuffle=False, class_indexing={'dog': 11, 'ant': 5}",
        "at + '/manifest.json', class_indexing=['dog']",
        "at + '/manifest.json', sampler=ds.SubsetSampler([2, 0])",
        "at + '/none.json'",
        "1",
    ),
    *decoding("manifest", "ManifestDataset", "at + '/manifest.json'", "1.jpg")[:2],
    *damaged(
        "manifest",
        "ds.ManifestDataset(at + '/manifest.json', shuffle=False)",
        {"1.jpg": None},
        {"manifest.json": b"{nope\n"},
        {"manifest.json": b'{"usage": "train"}\n'},
        {"manifest.json": b'{"source": "AT/none.jpg", "usage": "train", "annotation": [{"name": "a"}]}\n'},
    ),
    # --- classes for samplers; of each class there is one row
    Case("stl10", "ds.STL10Dataset(at, 'train', sampler=ds.PKSampler(1))"),
    Case("emnist", "ds.EMnistDataset(at, 'mnist', sampler=ds.PKSampler(1))"),
    Case("places365", "ds.Places365Dataset(at, 'val', sampler=ds.PKSampler(1))"),
    Case("manifest", "ds.ManifestDataset(at + '/manifest.json', 'eval', sampler=ds.PKSampler(1))"),
    Case("voc", "ds.VOCDataset(at, 'Detection', sampler=ds.PKSampler(1))", without=("size",)),
    Case("kitti", "ds.KITTIDataset(at, sampler=ds.PKSampler(1))", without=("size",)),
    # --- annotations
    *each(
        "celeba",
        "CelebADataset",
        *(f"at, usage={name!r}, shuffle=False" for name in ("all", "train", "valid", "test", None)),
        "at, usage='other'",
        "at, sampler=ds.PKSampler(1)",
        "at, decrypt=1",
        "at, shuffle=False, decrypt=lambda path: path[-3:].encode()",
        "at, extensions='.jpg'",
    ),
    *each(  # MindSpore counts rows of other endings too
        "celeba",
        "CelebADataset",
        "at, extensions=['.jpg', '.png'], shuffle=False",
        "at, extensions=['jpg'], shuffle=False",
        "at, usage='test', extensions=['.png'], shuffle=False",
        without=("size",),
    ),
    *common("celeba", "CelebADataset", "at"),
    *decoding("celeba", "CelebADataset", "at", "000001.jpg"),
    *damaged(
        "celeba",
        "ds.CelebADataset(at, usage='train', shuffle=False)",
        {"list_eval_partition.txt": None},
        without=("names", "count"),
    ),
    *damaged(
        "celeba",
        "ds.CelebADataset(at, shuffle=False)",
        {"list_attr_celeba.txt": None},
        {"list_attr_celeba.txt": b""},
        {"list_attr_celeba.txt": b"x\nBald\n000001.jpg 1\n"},
    ),
    *damaged(  # MindSpore finds it out on reading
        "celeba",
        "ds.CelebADataset(at, shuffle=False)",
        {"list_attr_celeba.txt": b"1\nBald\n000001.jpg x\n"},
        without=("size",),
    ),
    *each(
        "cityscapes",
        "CityscapesDataset",
        *(f"at, {usage!r}, shuffle=False" for usage in ("train", "test", "val", "all")),
        *(f"at, 'val', 'fine', {task!r}, shuffle=False" for task in ("instance", "semantic", "polygon", "color")),
        "at, 'val', 'fine', 'polygon', shuffle=False, decode=True",
        "at, 'other'",
        "at, 'train_extra'",
        "at, 'test', 'coarse'",
        "at, task='other'",
        "at, quality_mode='other'",
        "at, None",
    ),
    *each(
        "cityscapes_coarse",
        "CityscapesDataset",
        *(f"at, {usage!r}, 'coarse', 'color', shuffle=False" for usage in ("train", "train_extra", "val", "all")),
    ),
    *common("cityscapes", "CityscapesDataset", "at"),
    *decoding(
        "cityscapes", "CityscapesDataset", "at, 'val'", "gtFine/val/aachen/aachen_000000_000019_gtFine_instanceIds.png"
    ),
    *damaged(
        "cityscapes",
        "ds.CityscapesDataset(at, 'val', shuffle=False)",
        {"leftImg8bit/val/aachen/aachen_000000_000019_leftImg8bit.png": None},
        {"leftImg8bit/val/aachen/readme.txt": b"", "leftImg8bit/val/readme.txt": b""},
    ),
    *each("nothing", "CityscapesDataset", "at"),
    *each(
        "div2k",
        "DIV2KDataset",
        *(f"at, {usage!r}, shuffle=False" for usage in ("train", "valid", "all")),
        *(
            f"at, 'train', {kind!r}, {scale}, shuffle=False"
            for kind, scale in (("bicubic", 8), ("unknown", 3), ("mild", 4), ("difficult", 4), ("wild", 4))
        ),
        "at, 'other'",
        "at, None",
        "at, 'train', 'other'",
        "at, 'train', 'bicubic', 5",
        "at, 'train', 'unknown', 8",
        "at, 'train', 'mild', 2",
        "at, scale='2'",
    ),
    *common("div2k", "DIV2KDataset", "at"),
    *decoding("div2k", "DIV2KDataset", "at", "DIV2K_train_LR_bicubic/X2/0001x2.png"),
    *damaged(
        "div2k",
        "ds.DIV2KDataset(at, shuffle=False)",
        {"DIV2K_train_HR/0001.png": None},
        {"DIV2K_train_HR/x.txt": b"x", "DIV2K_train_HR/0003.jpg": PNG},
    ),
    *each("nothing", "DIV2KDataset", "at"),
    *usages("kitti", "KITTIDataset", "train", "test", None),
    *decoding("kitti", "KITTIDataset", "at", "data_object_image_2/training/image_2/000001.png"),
    *decoding("kitti", "KITTIDataset", "at, 'test'", "data_object_image_2/testing/image_2/000001.png")[:3],
    *damaged("kitti", "ds.KITTIDataset(at, shuffle=False)", {"data_object_label_2/training/label_2/000001.txt": None}),
    *each("nothing", "KITTIDataset", "at"),
    # MindSpore's order of rows is the one in which the file system lists the images.
    *each(
        "wider_face",
        "WIDERFaceDataset",
        *(f"at, {usage!r}, shuffle=False" for usage in ("train", "valid", "all", None)),
        without=("order",),
    ),
    *each(
        "wider_face",
        "WIDERFaceDataset",
        "at, 'test', shuffle=False",
        "at, 'other'",
        "at, 'test', sampler=ds.SubsetSampler([1, 0])",
    ),
    *decoding("wider_face", "WIDERFaceDataset", "at, 'test'", "WIDER_test/images/0--P/test_2.jpg")[:4],
    *damaged(
        "wider_face", "ds.WIDERFaceDataset(at, 'train', shuffle=False)", {"WIDER_train/images/0--P/train_1.jpg": None}
    ),
    *[case for task in TASKS for case in each("coco", "CocoDataset", f"{COCO.format(task)}, shuffle=False")],
    *[
        case
        for task in TASKS
        for case in (
            *each("coco", "CocoDataset", f"{COCO.format(task)}, shuffle=False, extra_metadata=True"),
            Case("coco", f"ds.CocoDataset({COCO.format(task)}, shuffle=False, extra_metadata=True).{RENAMED}"),
        )
    ],
    *each(
        "coco",
        "CocoDataset",
        f"{COCO.format('Detection')}, shuffle=False, decode=True",
        f"{COCO.format('Detection')}, shuffle=False, decrypt=lambda path: path[-3:].encode()",
        f"{COCO.format('Detection')}, decrypt=1",
        f"{COCO.format('Detection')}, sampler=ds.PKSampler(1)",
        f"{COCO.format('Detection')}, sampler=ds.SubsetSampler([2, 0])",
        f"{COCO.format('Detection')}, shuffle=False, num_shards=2, shard_id=1",
        "at, at + '/Detection.json', 'detection'",
        "at, at + '/Detection.json', 1",
        "at, at + '/none.json'",
        "at + '/none', at + '/Detection.json'",
    ),
    *[
        Case("coco", f"ds.CocoDataset({COCO.format('Detection')}, extra_metadata=True, shuffle=False).{operator}")
        for operator in ("project(['_meta-filename', 'iscrowd'])", "batch(1).take(2)")
    ],
    *decoding("coco", "CocoDataset", COCO.format("Detection"), "images/a.jpg")[2:],
    *[
        case
        for task in TASKS
        for case in damaged(
            "coco",
            f"ds.CocoDataset({COCO.format(task)}, shuffle=False)",
            {f"{task}.json": b"{nope"},
            {f"{task}.json": b"{}"},
            {f"{task}.json": b'{"images": [], "annotations": [], "categories": []}'},
            {f"{task}.json": ONE % 3},
            {f"{task}.json": ONE % 4},
            {f"{task}.json": b'{"images": [{"id": 3}], "annotations": [], "categories": []}'},
        )
    ],
    *damaged(
        "coco",
        f"ds.CocoDataset({COCO.format('Detection')}, shuffle=False)",
        {"Detection.json": layouts.coco()["Detection.json"].replace(b'"category_id": 37', b'"category_id": 3')},
        {"Detection.json": layouts.coco()["Detection.json"].replace(b"[9, 10, 11, 12]", b"[9, 10]")},
        {"Detection.json": layouts.coco()["Detection.json"].replace(b'"categories"', b'"x"')},
        {"Detection.json": layouts.coco()["Detection.json"].replace(b'"isthing"', b'"x"')},
    ),
    *damaged(
        "coco",
        f"ds.CocoDataset({COCO.format('Panoptic')}, shuffle=False)",
        {"Panoptic.json": layouts.coco()["Panoptic.json"].replace(b'"isthing"', b'"x"')},
    ),
    *each(
        "voc",
        "VOCDataset",
        "at, shuffle=False",
        "at, 'Segmentation', 'val', shuffle=False, decode=True",
        "at, 'Segmentation', 'train', shuffle=False, extra_metadata=True",
        "at, 'Detection', shuffle=False",
        "at, 'Detection', 'val', shuffle=False, decode=True",
        "at, 'Detection', shuffle=False, class_indexing={'dog': 5, 'cat': 1}",
        "at, 'Detection', shuffle=False, class_indexing={'dog': 5, 'cat': 1, 'zebra': 0, 'ant': 3}",
        "at, 'Detection', 'none', shuffle=False",
        "at, 'Detection', 'other'",
        "at, 'Segmentation', 'train', {'a': 1}",
        "at, 'Detection', class_indexing=['a']",
        "at, 'other'",
        "at, 1",
        "at, 'Detection', 1",
        "at, 'Detection', decrypt=1",
        "at, 'Detection', shuffle=False, decrypt=lambda path: path[-3:].encode()",
        "at, 'Segmentation', shuffle=False, decrypt=lambda path: path[-3:].encode()",
        "at, 'Detection', sampler=ds.SubsetSampler([2, 0])",
        "at, 'Detection', shuffle=False, num_shards=2, shard_id=1",
    ),
    Case("voc", "ds.VOCDataset(at, 'Detection', shuffle=False, extra_metadata=True).rename('_meta-filename', 'name')"),
    Case("voc", "ds.VOCDataset(at, shuffle=False, extra_metadata=True).rename('_meta-filename', 'name')"),
    *decoding("voc", "VOCDataset", "at", "SegmentationClass/c.png")[2:],
    *decoding("voc", "VOCDataset", "at, 'Detection'", "JPEGImages/c.jpg")[2:],
    *damaged(
        "voc",
        "ds.VOCDataset(at, 'Detection', shuffle=False)",
        {"Annotations/b.xml": None},
        {"Annotations/b.xml": b"<annotation><obj"},
        {"Annotations/b.xml": b"<annotation></annotation>"},
        {"Annotations/b.xml": b"<annotation><object><name>d</name></object></annotation>"},
        {"Annotations/b.xml": layouts.voc()["Annotations/b.xml"].replace(b"<name>zebra</name>", b"")},
        {"Annotations/b.xml": layouts.voc()["Annotations/b.xml"].replace(b"<xmin>1", b"<xmin>5")},
        {"Annotations/b.xml": layouts.voc()["Annotations/b.xml"].replace(b"<xmin>1", b"<xmin>x")},
        {"Annotations/b.xml": layouts.voc()["Annotations/b.xml"].replace(b"<xmin>1", b"<xmin>-1")},
        {"Annotations/b.xml": layouts.voc()["Annotations/b.xml"].replace(b"annotation", b"other")},
        {"ImageSets/Main/train.txt": b"b\r\na\r\n"},
        {"ImageSets/Main/train.txt": b"b  1\n"},
    ),
    # --- MATLAB's annotations
    *each(
        "caltech101",
        "Caltech101Dataset",
        *(f"at, {kind!r}, shuffle=False" for kind in ("category", "annotation", "all", None)),
        "at, 'other'",
        "at, 1",
    ),
    *common("caltech101", "Caltech101Dataset", "at"),
    *decoding("caltech101", "Caltech101Dataset", "at, 'all'", "101_ObjectCategories/ant/image_0001.jpg")[:4],
    *damaged(
        "caltech101",
        "ds.Caltech101Dataset(at, 'all', shuffle=False)",
        {"Annotations/ant/annotation_0001.mat": None},
        {"Annotations/ant/annotation_0001.mat": b"no" * 200},
    ),
    *each(
        "flowers102",
        "Flowers102Dataset",
        *(
            f"at, {task!r}, {usage!r}, shuffle=False"
            for task in ("Classification", "Segmentation")
            for usage in ("train", "valid", "test", "all")
        ),
        "at, None, None, shuffle=False",
        "at, 'other'",
        "at, usage='other'",
        "at, 'Segmentation', shuffle=False, num_shards=2, shard_id=1",
    ),
    *decoding("flowers102", "Flowers102Dataset", "at, 'Segmentation'", "segmim/segmim_00002.jpg"),
    *damaged(
        "flowers102",
        "ds.Flowers102Dataset(at, shuffle=False)",
        {"setid.mat": None},
        {"imagelabels.mat": None},
        {"setid.mat": b"no" * 200},
    ),
    *each("nothing", "Flowers102Dataset", "at"),
    *each(
        "sbd",
        "SBDataset",
        *(
            f"at, {task!r}, {usage!r}, shuffle=False"
            for task in ("Boundaries", "Segmentation")
            for usage in ("train", "val", "train_noval", "all")
        ),
        "at, 'other'",
        "at, usage='other'",
        "at, shuffle=False, num_shards=2, shard_id=1",
    ),
    *decoding("sbd", "SBDataset", "at, 'Segmentation'", "img/c.jpg"),
    *damaged(
        "sbd", "ds.SBDataset(at, shuffle=False)", {"train.txt": None}, {"cls/c.mat": None}, {"cls/c.mat": b"no" * 200}
    ),
]


def answer(ds: Any, case: Case, folder: Path) -> Answer:
    """Write the files, and ask the reader for columns, size, classes and rows; an error is told by its class."""
    write(case, folder)
    try:
        data = dataset(ds, case, folder)
    except Exception as error:
        return {"raises": type(error).__name__}
    return {
        "names": _asked(data.get_col_names),
        "size": _asked(data.get_dataset_size),
        "classes": _asked(data.get_class_indexing),
        "count": _asked(lambda: data.num_classes() if callable(data.num_classes) else data.num_classes),
        "rows": _asked(lambda: [_row(row) for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]),
    }


def signatures(ds: Any) -> dict[str, list[list[str]]]:
    """Return names and defaults of the arguments of all readers that are asked."""
    readers = sorted({case.call.partition("(")[0].removeprefix("ds.") for case in CASES})
    parameters = {name: list(inspect.signature(getattr(ds, name).__init__).parameters.values())[1:] for name in readers}
    return {name: [[each.name, repr(each.default)] for each in found] for name, found in parameters.items()}


def write(case: Case, folder: Path) -> None:
    """Write the files of a case."""
    files = layouts.layout(case.layout) | dict(case.changed)
    layouts.write({path: data for path, data in files.items() if data is not None}, folder)


def dataset(ds: Any, case: Case, folder: Path) -> Any:
    """Make the dataset of a case."""
    return eval(case.call, {"ds": ds, "at": str(folder), "read": lambda path: Path(path).read_bytes()})


def _asked(question: Any) -> Any:
    try:
        return question()
    except Exception as error:
        return type(error).__name__


def _row(row: Mapping[str, np.ndarray]) -> dict[str, list[Any]]:
    return {name: _described(value) for name, value in row.items()}


def _described(value: np.ndarray) -> list[Any]:
    """The dtype, the shape, and the values or, of many, a checksum."""
    if value.dtype.kind in "US":
        return [value.dtype.kind, list(value.shape), value.tolist()]
    if value.size <= INLINE_VALUES:
        return [str(value.dtype), list(value.shape), value.tolist()]
    return [str(value.dtype), list(value.shape), zlib.crc32(np.ascontiguousarray(value).tobytes())]
