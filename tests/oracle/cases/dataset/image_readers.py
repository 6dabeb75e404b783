"""Readers of images and annotations: parts, shards, samplers, odd settings, damaged files.

A line below `[layout reader]` is the arguments of the reader, and behind a bar those of `ask`. What is left out: sizes
where MindSpore reckons with files that are not there (CIFAR-10), counts rows of other classes or endings, or says 0 and
reads two; the order in which MindSpore walks over the events of WIDER FACE. Labels of SST-2 are those of one class, for
classes are numbered there in the order in which the file system lists them.
"""

# ruff: noqa: E501

import inspect
from collections.abc import Iterator
from pathlib import Path

import mindspore.dataset as ds

from tests.dataset import image_layouts as layouts
from tests.oracle.case import Case, under_headings
from tests.oracle.cases.dataset._files import case_context  # noqa: F401
from tests.oracle.cases.dataset._readers import ask  # noqa: F401

EXACT = True
NEEDS = "scipy"
PNG = layouts.png(77)
MNIST_IMAGES, MNIST_LABELS = layouts.idx(3, 0)
ONE = b'{"images": [{"id": 3, "file_name": "a.jpg"}], "annotations": [{"id": 1, "image_id": %d}], "categories": []}'
ANNOTATIONS = (
    'b"{nope"',
    'b"{}"',
    'b\'{"images": [], "annotations": [], "categories": []}\'',
    "ONE % 3",
    "ONE % 4",
    'b\'{"images": [{"id": 3}], "annotations": [], "categories": []}\'',
)


def read(path: str) -> bytes:
    return Path(path).read_bytes()


def signature(name: str) -> list[list[str]]:
    """Names and defaults of the arguments of a reader."""
    parameters = list(inspect.signature(getattr(ds, name).__init__).parameters.values())[1:]
    return [[each.name, repr(each.default)] for each in parameters]


def each(layout: str, reader: str, *lines: str) -> list[Case]:
    return [asked(f"{layout} {reader}", line) for line in lines]


def asked(heading: str, line: str) -> Case:
    layout, reader = heading.split(" ")
    call, _, more = line.partition(" | ")
    call = call if call.startswith("ds.") else f"ds.{reader}({call})"
    return Case(f"ask('{layout}', lambda at: {call}{more and ', '}{more})", may_raise=True)


def usages(layout: str, reader: str, *names: str | None) -> list[Case]:
    """Each part, then shards, samplers, and what is refused."""
    parts = each(
        layout, reader, *(f"at, {name!r}, shuffle=False" for name in names), "at, usage='other'", "at, usage=1"
    )
    return parts + common(layout, reader, f"at, {names[0]!r}")


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
    decoded, lost = f"{start}, shuffle=False, decode=True", f"{start}, shuffle=False"
    damaged = [f"{decoded} | {{{image!r}: {data}}}" for data in ("b'no image'", "b''")]
    return each(layout, reader, decoded, decoded.replace("True", "1"), *damaged, f"{lost} | {{{image!r}: None}}")


LINES = r"""
[mnist FashionMnistDataset]
at, shuffle=False
[mnist KMnistDataset]
at, 'test', shuffle=False
[mnist MnistDataset]
at, 'train', shuffle=False | {"a-train-images.idx3-ubyte": MNIST_IMAGES, "a-train-labels.idx1-ubyte": MNIST_LABELS}
at, 'train', shuffle=False | { "train-images": b"ignored", "xtrain-images-idx3-ubyteX": MNIST_IMAGES, "xtrain-labels-idx1-ubyteX": MNIST_LABELS, }
at, 'train', shuffle=False | {"train-images-idx3-ubyte": MNIST_IMAGES[:-1]}
at, 'train', shuffle=False | {"train-images-idx3-ubyte": None}
at, 'train', shuffle=False | {"train-labels-idx1-ubyte": MNIST_LABELS[:-1]}
at, 'train', shuffle=False | {"train-labels-idx1-ubyte": b""}
[emnist EMnistDataset]
at, 'letters', 'train', shuffle=False
at, 'letters', 'test', shuffle=False
at, 'letters', None, shuffle=False
at, 'mnist', 'train', shuffle=False
at, 'mnist', 'test', shuffle=False
at, 'mnist', None, shuffle=False
at, 'digits', 'all', shuffle=False
at, 'other'
at, 'mnist', 'other'
at, 'mnist', 'all', sampler=ds.SubsetSampler([2, 1])
at, 'mnist', sampler=ds.PKSampler(1)
[qmnist QMnistDataset]
at, 'train', shuffle=False
at, 'test', shuffle=False
at, 'nist', shuffle=False
at, 'all', shuffle=False
at, None, shuffle=False
at, 'train', False, shuffle=False
at, 'train', 1
at, 'other'
at, 'all', False, shuffle=False, num_shards=2, shard_id=1
at, 'train', shuffle=False | {"qmnist-train-images-idx3-ubyte": None}
at, 'train', shuffle=False | {"qmnist-train-labels-idx2-int": b""}
at, 'train', shuffle=False | {"qmnist-train-labels-idx2-int": MNIST_LABELS}
at, 'train', shuffle=False | {"qmnist-train-images-idx3-ubyte": MNIST_IMAGES[:-1]}
[cifar10 Cifar10Dataset]
at, 'test', shuffle=False, num_samples=3
at, sampler=ds.SubsetSampler([0, 1, 10000, 10001]) | without='size'
[stl10 STL10Dataset]
at, 'train', shuffle=False | {"train_X.bin": None}
at, 'train', shuffle=False | {"train_y.bin": None}
at, 'train', shuffle=False | {"train_y.bin": b"\1"}
at, 'train', shuffle=False | {"train_X.bin": bytes(27650)}
at, shuffle=False | {"unlabeled_X.bin": None}
at, shuffle=False | {"train_y.bin": None}
at, 'train', sampler=ds.PKSampler(1)
[semeion SemeionDataset]
at, shuffle=False
at, shuffle=False | {"semeion.data": None}
at, shuffle=False | {"semeion.data": b"0.0 1.0 0\n"}
at, shuffle=False | {"semeion.data": layouts.semeion()["semeion.data"].replace(b"0.0000", b"x", 1)}
[svhn SVHNDataset]
at, 'train', shuffle=False
at, 'test', shuffle=False
at, 'extra', shuffle=False
at, 'all', shuffle=False
at, None, shuffle=False
at, 'other'
at, 1
at, 'all', shuffle=False, num_shards=2, shard_id=1
at, 'test', shuffle=False | {"test_32x32.mat": None}
at, 'test', shuffle=False | {"test_32x32.mat": b"no" * 200}
[photo_tour PhotoTourDataset]
at, 'liberty', 'test', shuffle=False
at, 'liberty', sampler=ds.SubsetSampler([0, 1, 17, 255, 256, 259])
at, 'other'
at, 'liberty', 'other'
at, 'yosemite', shuffle=False
at, 'liberty', 'test', shuffle=False | {"liberty/info.txt": None}
[nothing FakeImageDataset]
3, (4, 5, 3), 10, 0, shuffle=False
4, (7, 3, 1), 7, 2**31 - 2, shuffle=False
2, (40, 40, 3), 1000, 5, shuffle=False
5, [2, 2, 3], sampler=ds.SubsetSampler([4, 0])
5, (2, 2), 10
0
2, (2, 2, 0)
2, 3
2, num_classes=0
2, (1, 1, 1), shuffle=False, num_shards=2, shard_id=1
[usps USPSDataset]
at, 'train', shuffle=False
at, 'test', shuffle=False
at, 'all', shuffle=False, num_parallel_workers=2
at, None, shuffle=False, num_parallel_workers=2
at, shuffle=False, num_parallel_workers=1
at, 'train', shuffle=ds.Shuffle.INFILE
at, 'train', shuffle=ds.Shuffle.FILES
at, 'train', shuffle=False, num_shards=2, shard_id=0, num_parallel_workers=2
at, 'train', shuffle=False, num_shards=2, shard_id=1, num_parallel_workers=2
at, 'all', shuffle=False, num_shards=2, shard_id=0, num_parallel_workers=2
at, 'all', shuffle=False, num_shards=2, shard_id=1, num_parallel_workers=2
at, 'all', shuffle=False, num_samples=8, num_parallel_workers=2
at, 'other'
at, shuffle=1
at, num_shards=2
at, shard_id=0
at, num_shards=2, shard_id=2
at + '/nope'
at, 'test', shuffle=False | {"usps.t": b"3 1:0.5 2:0.1\n"}
at, 'test', shuffle=False | {"usps.t": layouts.usps()["usps.t"].replace(b"1 1:", b"x 1:")}
at, 'test', shuffle=False | {"usps.t": b""}
at, 'test', shuffle=False | {"usps.t": b"\n" + layouts.usps()["usps.t"] + b"\n"}
at, 'test', shuffle=False | {"usps.t": None}, without='count'
[image_folder ImageFolderDataset]
at, shuffle=False
at, shuffle=False, extensions=['.jpg', '.png']
at, shuffle=False, extensions=['png']
at, shuffle=False, class_indexing={'b': -7, 'a': 3}
at, shuffle=False, class_indexing={}
at, extensions='.png'
at, class_indexing=['a']
at, decrypt=1
at, shuffle=False, decrypt=lambda path: path[-3:].encode()
at, shuffle=False, decrypt=lambda path: 1
at, shuffle=False, decrypt=lambda path: 1 / 0
at, shuffle=False, decode=True, decrypt=read
at, shuffle=False, class_indexing={'b': 7} | without='size'
[nothing ImageFolderDataset]
at, shuffle=False
[caltech256 Caltech256Dataset]
at, shuffle=False
[nothing Caltech256Dataset]
at, shuffle=False
[omniglot OmniglotDataset]
at, shuffle=False
at, False, shuffle=False
at, background=1
[nothing OmniglotDataset]
at, shuffle=False
[lsun LSUNDataset]
at, 'test', shuffle=False | without='size'
at, classes=['tower', 'bridge'], shuffle=False
at, 'train', ['classroom'], shuffle=False
at, classes=['zoo']
at, classes='tower'
[one_class_of_sst2 RenderedSST2Dataset]
at, 'train', shuffle=False
at, 'val', shuffle=False
at, 'test', shuffle=False
at, 'all', shuffle=False | without='size'
at, shuffle=False | without='size'
at, 'valid'
at, 1
[sun397 SUN397Dataset]
at, shuffle=False
at | {"ClassName.txt": None}
at | {"ClassName.txt": b"/z/none\n"}
at | {"ClassName.txt": b""}
[food101 Food101Dataset]
at, shuffle=False | {"meta/test.txt": None}
[places365 Places365Dataset]
at, 'val', False, shuffle=False
at, small=False, shuffle=False
at, small=1
at, shuffle=False | {"categories_places365.txt": None}
at, shuffle=False | {"places365_train_standard.txt": None}
at, shuffle=False | {"places365_train_standard.txt": b"/a/b/1.jpg\n"}
at, shuffle=False | {"places365_train_standard.txt": b"\n/a/b/1.jpg 4\n\n"}
at, 'val', sampler=ds.PKSampler(1)
[flickr FlickrDataset]
at + '/images', at + '/tokens', shuffle=False
at + '/images', at + '/none'
at + '/none', at + '/tokens'
at, 1
at + '/images', at + '/tokens', shuffle=False | {"tokens": b"2.jpg#0 A dog\n"}
at + '/images', at + '/tokens', shuffle=False | {"tokens": b"2.jpg#0\tA\tdog\n3.jpg#0\tB\n"}
at + '/images', at + '/tokens', shuffle=False | {"tokens": b""}
[sbu SBUDataset]
at, shuffle=False
at, shuffle=False | {"SBU_captioned_photo_dataset_urls.txt": None}
at, shuffle=False | {"SBU_captioned_photo_dataset_captions.txt": None}
at, shuffle=False | {"SBU_captioned_photo_dataset_urls.txt": b"http://x.jpg\n"}
[nothing SBUDataset]
at
[lfw LFWDataset]
at, 'people', '10fold', shuffle=False
at, 'people', 'train', shuffle=False
at, 'people', 'test', shuffle=False
at, 'people', 'all', shuffle=False
at, 'people', None, shuffle=False
at, 'pairs', '10fold', shuffle=False
at, 'pairs', 'train', shuffle=False
at, 'pairs', 'test', shuffle=False
at, 'pairs', 'all', shuffle=False
at, 'pairs', None, shuffle=False
at, None, '10fold', shuffle=False
at, None, 'train', shuffle=False
at, None, 'test', shuffle=False
at, None, 'all', shuffle=False
at, None, None, shuffle=False
at, usage='test', image_set='original', shuffle=False
at, usage='test', image_set='funneled', shuffle=False
at, usage='test', image_set='deepfunneled', shuffle=False
at, 'other'
at, usage='other'
at, image_set='other'
at, 'pairs', shuffle=False, num_shards=2, shard_id=1
at, usage='test', shuffle=False | {"lfw-names.txt": None}
at, usage='test', shuffle=False | {"peopleDevTest.txt": None}
[manifest ManifestDataset]
at + '/manifest.json', 'train', shuffle=False
at + '/manifest.json', 'eval', shuffle=False
at + '/manifest.json', 'inference', shuffle=False
at + '/manifest.json', shuffle=False, class_indexing={'dog': 11, 'ant': 5}
at + '/manifest.json', class_indexing=['dog']
at + '/manifest.json', sampler=ds.SubsetSampler([2, 0])
at + '/none.json'
1
at + '/manifest.json', shuffle=False | {"1.jpg": None}
at + '/manifest.json', shuffle=False | {"manifest.json": b"{nope\n"}
at + '/manifest.json', shuffle=False | {"manifest.json": b'{"usage": "train"}\n'}
at + '/manifest.json', shuffle=False | {"manifest.json": b'{"source": "AT/none.jpg", "usage": "train", "annotation": [{"name": "a"}]}\n'}
at + '/manifest.json', 'eval', sampler=ds.PKSampler(1)
[voc VOCDataset]
at, 'Detection', sampler=ds.PKSampler(1) | without='size'
at, shuffle=False
at, 'Segmentation', 'val', shuffle=False, decode=True
at, 'Segmentation', 'train', shuffle=False, extra_metadata=True
at, 'Detection', shuffle=False
at, 'Detection', 'val', shuffle=False, decode=True
at, 'Detection', shuffle=False, class_indexing={'dog': 5, 'cat': 1}
at, 'Detection', shuffle=False, class_indexing={'dog': 5, 'cat': 1, 'zebra': 0, 'ant': 3}
at, 'Detection', 'none', shuffle=False
at, 'Detection', 'other'
at, 'Segmentation', 'train', {'a': 1}
at, 'Detection', class_indexing=['a']
at, 'other'
at, 1
at, 'Detection', 1
at, 'Detection', decrypt=1
at, 'Detection', shuffle=False, decrypt=lambda path: path[-3:].encode()
at, 'Segmentation', shuffle=False, decrypt=lambda path: path[-3:].encode()
at, 'Detection', sampler=ds.SubsetSampler([2, 0])
at, 'Detection', shuffle=False, num_shards=2, shard_id=1
ds.VOCDataset(at, 'Detection', shuffle=False, extra_metadata=True).rename('_meta-filename', 'name')
ds.VOCDataset(at, shuffle=False, extra_metadata=True).rename('_meta-filename', 'name')
at, 'Detection', shuffle=False | {"Annotations/b.xml": None}
at, 'Detection', shuffle=False | {"Annotations/b.xml": b"<annotation><obj"}
at, 'Detection', shuffle=False | {"Annotations/b.xml": b"<annotation></annotation>"}
at, 'Detection', shuffle=False | {"Annotations/b.xml": b"<annotation><object><name>d</name></object></annotation>"}
at, 'Detection', shuffle=False | {"Annotations/b.xml": layouts.voc()["Annotations/b.xml"].replace(b"<name>zebra</name>", b"")}
at, 'Detection', shuffle=False | {"Annotations/b.xml": layouts.voc()["Annotations/b.xml"].replace(b"<xmin>1", b"<xmin>5")}
at, 'Detection', shuffle=False | {"Annotations/b.xml": layouts.voc()["Annotations/b.xml"].replace(b"<xmin>1", b"<xmin>x")}
at, 'Detection', shuffle=False | {"Annotations/b.xml": layouts.voc()["Annotations/b.xml"].replace(b"<xmin>1", b"<xmin>-1")}
at, 'Detection', shuffle=False | {"Annotations/b.xml": layouts.voc()["Annotations/b.xml"].replace(b"annotation", b"other")}
at, 'Detection', shuffle=False | {"ImageSets/Main/train.txt": b"b\r\na\r\n"}
at, 'Detection', shuffle=False | {"ImageSets/Main/train.txt": b"b  1\n"}
[kitti KITTIDataset]
at, sampler=ds.PKSampler(1) | without='size'
at, shuffle=False | {"data_object_label_2/training/label_2/000001.txt": None}
[celeba CelebADataset]
at, usage='all', shuffle=False
at, usage='train', shuffle=False
at, usage='valid', shuffle=False
at, usage='test', shuffle=False
at, usage=None, shuffle=False
at, usage='other'
at, sampler=ds.PKSampler(1)
at, decrypt=1
at, shuffle=False, decrypt=lambda path: path[-3:].encode()
at, extensions='.jpg'
at, extensions=['.jpg', '.png'], shuffle=False | without='size'
at, extensions=['jpg'], shuffle=False | without='size'
at, usage='test', extensions=['.png'], shuffle=False | without='size'
at, usage='train', shuffle=False | {"list_eval_partition.txt": None}, without='names count'
at, shuffle=False | {"list_attr_celeba.txt": None}
at, shuffle=False | {"list_attr_celeba.txt": b""}
at, shuffle=False | {"list_attr_celeba.txt": b"x\nBald\n000001.jpg 1\n"}
at, shuffle=False | {"list_attr_celeba.txt": b"1\nBald\n000001.jpg x\n"}, without='size'
[cityscapes CityscapesDataset]
at, 'train', shuffle=False
at, 'test', shuffle=False
at, 'val', shuffle=False
at, 'all', shuffle=False
at, 'val', 'fine', 'instance', shuffle=False
at, 'val', 'fine', 'semantic', shuffle=False
at, 'val', 'fine', 'polygon', shuffle=False
at, 'val', 'fine', 'color', shuffle=False
at, 'val', 'fine', 'polygon', shuffle=False, decode=True
at, 'other'
at, 'train_extra'
at, 'test', 'coarse'
at, task='other'
at, quality_mode='other'
at, None
at, 'val', shuffle=False | {"leftImg8bit/val/aachen/aachen_000000_000019_leftImg8bit.png": None}
at, 'val', shuffle=False | {"leftImg8bit/val/aachen/readme.txt": b"", "leftImg8bit/val/readme.txt": b""}
[cityscapes_coarse CityscapesDataset]
at, 'train', 'coarse', 'color', shuffle=False
at, 'train_extra', 'coarse', 'color', shuffle=False
at, 'val', 'coarse', 'color', shuffle=False
at, 'all', 'coarse', 'color', shuffle=False
[nothing CityscapesDataset]
at
[div2k DIV2KDataset]
at, 'train', shuffle=False
at, 'valid', shuffle=False
at, 'all', shuffle=False
at, 'train', 'bicubic', 8, shuffle=False
at, 'train', 'unknown', 3, shuffle=False
at, 'train', 'mild', 4, shuffle=False
at, 'train', 'difficult', 4, shuffle=False
at, 'train', 'wild', 4, shuffle=False
at, 'other'
at, None
at, 'train', 'other'
at, 'train', 'bicubic', 5
at, 'train', 'unknown', 8
at, 'train', 'mild', 2
at, scale='2'
at, shuffle=False | {"DIV2K_train_HR/0001.png": None}
at, shuffle=False | {"DIV2K_train_HR/x.txt": b"x", "DIV2K_train_HR/0003.jpg": PNG}
[nothing DIV2KDataset]
at
[nothing KITTIDataset]
at
[wider_face WIDERFaceDataset]
at, 'train', shuffle=False | without='order'
at, 'valid', shuffle=False | without='order'
at, 'all', shuffle=False | without='order'
at, None, shuffle=False | without='order'
at, 'test', shuffle=False
at, 'other'
at, 'test', sampler=ds.SubsetSampler([1, 0])
at, 'train', shuffle=False | {"WIDER_train/images/0--P/train_1.jpg": None}
[coco CocoDataset]
at + '/images', at + '/Detection.json', 'Detection', shuffle=False
at + '/images', at + '/Stuff.json', 'Stuff', shuffle=False
at + '/images', at + '/Keypoint.json', 'Keypoint', shuffle=False
at + '/images', at + '/Panoptic.json', 'Panoptic', shuffle=False
at + '/images', at + '/Captioning.json', 'Captioning', shuffle=False
at + '/images', at + '/Detection.json', 'Detection', shuffle=False, extra_metadata=True
ds.CocoDataset(at + '/images', at + '/Detection.json', 'Detection', shuffle=False, extra_metadata=True).rename('_meta-filename', 'name')
at + '/images', at + '/Stuff.json', 'Stuff', shuffle=False, extra_metadata=True
ds.CocoDataset(at + '/images', at + '/Stuff.json', 'Stuff', shuffle=False, extra_metadata=True).rename('_meta-filename', 'name')
at + '/images', at + '/Keypoint.json', 'Keypoint', shuffle=False, extra_metadata=True
ds.CocoDataset(at + '/images', at + '/Keypoint.json', 'Keypoint', shuffle=False, extra_metadata=True).rename('_meta-filename', 'name')
at + '/images', at + '/Panoptic.json', 'Panoptic', shuffle=False, extra_metadata=True
ds.CocoDataset(at + '/images', at + '/Panoptic.json', 'Panoptic', shuffle=False, extra_metadata=True).rename('_meta-filename', 'name')
at + '/images', at + '/Captioning.json', 'Captioning', shuffle=False, extra_metadata=True
ds.CocoDataset(at + '/images', at + '/Captioning.json', 'Captioning', shuffle=False, extra_metadata=True).rename('_meta-filename', 'name')
at + '/images', at + '/Detection.json', 'Detection', shuffle=False, decode=True
at + '/images', at + '/Detection.json', 'Detection', shuffle=False, decrypt=lambda path: path[-3:].encode()
at + '/images', at + '/Detection.json', 'Detection', decrypt=1
at + '/images', at + '/Detection.json', 'Detection', sampler=ds.PKSampler(1)
at + '/images', at + '/Detection.json', 'Detection', sampler=ds.SubsetSampler([2, 0])
at + '/images', at + '/Detection.json', 'Detection', shuffle=False, num_shards=2, shard_id=1
at, at + '/Detection.json', 'detection'
at, at + '/Detection.json', 1
at, at + '/none.json'
at + '/none', at + '/Detection.json'
ds.CocoDataset(at + '/images', at + '/Detection.json', 'Detection', extra_metadata=True, shuffle=False).project(['_meta-filename', 'iscrowd'])
ds.CocoDataset(at + '/images', at + '/Detection.json', 'Detection', extra_metadata=True, shuffle=False).batch(1).take(2)
at + '/images', at + '/Detection.json', 'Detection', shuffle=False | {"Detection.json": layouts.coco()["Detection.json"].replace(b'"category_id": 37', b'"category_id": 3')}
at + '/images', at + '/Detection.json', 'Detection', shuffle=False | {"Detection.json": layouts.coco()["Detection.json"].replace(b"[9, 10, 11, 12]", b"[9, 10]")}
at + '/images', at + '/Detection.json', 'Detection', shuffle=False | {"Detection.json": layouts.coco()["Detection.json"].replace(b'"categories"', b'"x"')}
at + '/images', at + '/Detection.json', 'Detection', shuffle=False | {"Detection.json": layouts.coco()["Detection.json"].replace(b'"isthing"', b'"x"')}
at + '/images', at + '/Panoptic.json', 'Panoptic', shuffle=False | {"Panoptic.json": layouts.coco()["Panoptic.json"].replace(b'"isthing"', b'"x"')}
[caltech101 Caltech101Dataset]
at, 'category', shuffle=False
at, 'annotation', shuffle=False
at, 'all', shuffle=False
at, None, shuffle=False
at, 'other'
at, 1
at, 'all', shuffle=False | {"Annotations/ant/annotation_0001.mat": None}
at, 'all', shuffle=False | {"Annotations/ant/annotation_0001.mat": b"no" * 200}
[flowers102 Flowers102Dataset]
at, 'Classification', 'train', shuffle=False
at, 'Classification', 'valid', shuffle=False
at, 'Classification', 'test', shuffle=False
at, 'Classification', 'all', shuffle=False
at, 'Segmentation', 'train', shuffle=False
at, 'Segmentation', 'valid', shuffle=False
at, 'Segmentation', 'test', shuffle=False
at, 'Segmentation', 'all', shuffle=False
at, None, None, shuffle=False
at, 'other'
at, usage='other'
at, 'Segmentation', shuffle=False, num_shards=2, shard_id=1
at, shuffle=False | {"setid.mat": None}
at, shuffle=False | {"imagelabels.mat": None}
at, shuffle=False | {"setid.mat": b"no" * 200}
[nothing Flowers102Dataset]
at
[sbd SBDataset]
at, 'Boundaries', 'train', shuffle=False
at, 'Boundaries', 'val', shuffle=False
at, 'Boundaries', 'train_noval', shuffle=False
at, 'Boundaries', 'all', shuffle=False
at, 'Segmentation', 'train', shuffle=False
at, 'Segmentation', 'val', shuffle=False
at, 'Segmentation', 'train_noval', shuffle=False
at, 'Segmentation', 'all', shuffle=False
at, 'other'
at, usage='other'
at, shuffle=False, num_shards=2, shard_id=1
at, shuffle=False | {"train.txt": None}
at, shuffle=False | {"cls/c.mat": None}
at, shuffle=False | {"cls/c.mat": b"no" * 200}
"""


def cases() -> Iterator[Case]:
    yield from usages("mnist", "MnistDataset", "train", "test", "all", None)
    yield from usages("stl10", "STL10Dataset", "train", "test", "unlabeled", "train+unlabeled", "all", None)
    yield from common("semeion", "SemeionDataset", "at")
    yield from common("image_folder", "ImageFolderDataset", "at")
    yield from decoding("image_folder", "ImageFolderDataset", "at", "a/1.png")
    yield from common("caltech256", "Caltech256Dataset", "at")
    yield from decoding("caltech256", "Caltech256Dataset", "at", "001.ak47/001_0001.jpg")
    yield from common("omniglot", "OmniglotDataset", "at")
    yield from decoding("omniglot", "OmniglotDataset", "at", "images_background/b/c1/01.png")
    yield from usages("lsun", "LSUNDataset", "train", "valid", "all", None)
    yield from decoding("lsun", "LSUNDataset", "at, 'valid'", "bridge_val/2.jpg")
    yield from decoding("one_class_of_sst2", "RenderedSST2Dataset", "at, 'test'", "test/negative/3.png")
    yield from common("sun397", "SUN397Dataset", "at")
    yield from decoding("sun397", "SUN397Dataset", "at", "b/lands/sun_1.jpg")
    yield from usages("food101", "Food101Dataset", "train", "test", "all", None)
    yield from decoding("food101", "Food101Dataset", "at", "images/pho/3.jpg")
    yield from usages("places365", "Places365Dataset", "train-standard", "train-challenge", "val", None)
    yield from decoding("places365", "Places365Dataset", "at", "data_256_standard/c/3.jpg")
    yield from decoding("flickr", "FlickrDataset", "at + '/images', at + '/tokens'", "images/1.jpg")
    yield from common("sbu", "SBUDataset", "at")
    yield from decoding("sbu", "SBUDataset", "at", "sbu_images/m_1_2_x.jpg")
    yield from decoding("lfw", "LFWDataset", "at, 'people', 'test'", "lfw_funneled/Cy_C/Cy_C_0001.jpg")
    yield from decoding("manifest", "ManifestDataset", "at + '/manifest.json'", "1.jpg")[:2]
    yield from common("celeba", "CelebADataset", "at")
    yield from decoding("celeba", "CelebADataset", "at", "000001.jpg")
    yield from common("cityscapes", "CityscapesDataset", "at")
    yield from decoding(
        "cityscapes", "CityscapesDataset", "at, 'val'", "gtFine/val/aachen/aachen_000000_000019_gtFine_instanceIds.png"
    )
    yield from common("div2k", "DIV2KDataset", "at")
    yield from decoding("div2k", "DIV2KDataset", "at", "DIV2K_train_LR_bicubic/X2/0001x2.png")
    yield from usages("kitti", "KITTIDataset", "train", "test", None)
    yield from decoding("kitti", "KITTIDataset", "at", "data_object_image_2/training/image_2/000001.png")
    yield from decoding("kitti", "KITTIDataset", "at, 'test'", "data_object_image_2/testing/image_2/000001.png")[:3]
    yield from decoding("wider_face", "WIDERFaceDataset", "at, 'test'", "WIDER_test/images/0--P/test_2.jpg")[:4]
    yield from decoding("coco", "CocoDataset", "at + '/images', at + '/Detection.json', 'Detection'", "images/a.jpg")[
        2:
    ]
    yield from decoding("voc", "VOCDataset", "at", "SegmentationClass/c.png")[2:]
    yield from decoding("voc", "VOCDataset", "at, 'Detection'", "JPEGImages/c.jpg")[2:]
    yield from common("caltech101", "Caltech101Dataset", "at")
    yield from decoding("caltech101", "Caltech101Dataset", "at, 'all'", "101_ObjectCategories/ant/image_0001.jpg")[:4]
    yield from decoding("flowers102", "Flowers102Dataset", "at, 'Segmentation'", "segmim/segmim_00002.jpg")
    yield from decoding("sbd", "SBDataset", "at, 'Segmentation'", "img/c.jpg")
    for task in ("Detection", "Stuff", "Keypoint", "Panoptic", "Captioning"):
        start = f"at + '/images', at + '/{task}.json', {task!r}, shuffle=False"
        yield from each("coco", "CocoDataset", *(f"{start} | {{'{task}.json': {content}}}" for content in ANNOTATIONS))
    for heading, line in under_headings(LINES):
        yield asked(heading, line)
    readers = {heading.split(" ")[1] for heading, _ in under_headings(LINES)}
    yield from (Case(f"signature({name!r})") for name in sorted(readers))


CASES = list(cases())
