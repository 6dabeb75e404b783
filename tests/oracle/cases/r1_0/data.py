"""The data engine of 1.0.0: pipelines, its C++ and Python transforms, text, MindRecord."""

# ruff: noqa: F401  # the expressions use what is imported

import gzip
import struct
import tempfile
from pathlib import Path

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore.dataset import text
from mindspore.dataset.transforms import c_transforms as TC
from mindspore.dataset.transforms import py_transforms as TP
from mindspore.dataset.vision import Border, Inter
from mindspore.dataset.vision import c_transforms as VC
from mindspore.dataset.vision import py_transforms as VP
from mindspore.mindrecord import FileReader, FileWriter

from tests.oracle.case import Case, each

IMAGE = (np.sin(np.arange(8 * 10 * 3)) * 127 + 128).astype(np.uint8).reshape(8, 10, 3)
FLOATS = (IMAGE / 255).astype(np.float32)


def numbers(count=6, sampler=None, **options):
    order = {"sampler": sampler} if sampler else {"shuffle": False}
    return ds.NumpySlicesDataset((np.arange(count, dtype=np.int32),), ["x"], **order, **options)


def pairs(count=4):
    x = np.arange(count * 2).reshape(count, 2).astype(np.float32)
    return ds.NumpySlicesDataset((x, np.arange(count)), ["x", "y"], shuffle=False)


def rows(dataset):
    """All rows, as tuples of arrays."""
    return [tuple(item.asnumpy() for item in row) for row in dataset.create_tuple_iterator()]


def dicts(dataset, **options):
    return list(dataset.create_dict_iterator(**options))


def kinds(dataset, **options):
    """Classes of what a dictionary iterator yields."""
    return {name: type(value).__name__ for name, value in next(dataset.create_dict_iterator(**options)).items()}


def facts(dataset):
    """What a pipeline says of itself."""
    shapes = [list(shape) for shape in dataset.output_shapes()]
    kinds = [str(kind) for kind in dataset.output_types()]
    return shapes, kinds, dataset.get_dataset_size(), dataset.get_batch_size(), dataset.get_repeat_count()


def mapped(operations, array=IMAGE, **options):
    """One array through operations of a pipeline."""
    operations = operations if isinstance(operations, list) else [operations]
    source = ds.NumpySlicesDataset([array], ["x"], shuffle=False)
    return rows(source.map(operations=operations, input_columns=["x"], **options))[0]


def shape_of(operations, array=IMAGE):
    """Shape and dtype of a random operation's result."""
    result = mapped(operations, array)[0]
    return result.shape, str(result.dtype)


def mixed():
    """Images of a batch, mixed."""
    source = ds.NumpySlicesDataset(([IMAGE] * 2, [[0, 1], [1, 0]]), ["i", "l"], shuffle=False)
    return rows(source.batch(2).map(VC.MixUpBatch(1.0), ["i", "l"]))[0][0]


def pythonic(*operations):
    """A picture through Python transforms, as an array."""
    result = TP.Compose([VP.ToPIL(), *operations, np.asarray])(IMAGE)
    result = result[0] if isinstance(result, tuple) else result
    return np.asarray(result)


def generated():
    for i in range(3):
        yield np.array([i, i + 1]), np.array(i * 1.5)


def ragged():
    """Rows of growing length."""
    return ds.GeneratorDataset(lambda: ((np.arange(i + 1),) for i in range(3)), ["a"])


class Source:
    """Rows by number."""

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return np.array([index]), np.array([index * 2.0], np.float32)


def lines(content, operations=None):
    """The lines of a text file through operations; text decoded."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.txt"
        path.write_text(content, encoding="utf-8")
        dataset = ds.TextFileDataset(str(path), shuffle=False)
        if operations is not None:
            listed = operations if isinstance(operations, list) else [operations]
            dataset = dataset.map(operations=listed, input_columns=["text"])
        found = [row["text"] for row in dataset.create_dict_iterator(output_numpy=True)]
    return [text.to_str(item).tolist() if item.dtype.kind == "S" else item for item in found]


def digits(**options):
    """Made-up digits in MNIST's format."""
    with tempfile.TemporaryDirectory() as folder:
        images = np.arange(3 * 28 * 28).reshape(3, -1).astype(np.uint8)
        head = struct.pack(">IIII", 2051, 3, 28, 28)
        Path(folder, "train-images-idx3-ubyte").write_bytes(head + images.tobytes())
        Path(folder, "train-labels-idx1-ubyte").write_bytes(struct.pack(">II", 2049, 3) + bytes([3, 1, 2]))
        dataset = ds.MnistDataset(folder, shuffle=False, **options)
        return facts(dataset), [
            (r["image"].shape, str(r["image"].dtype), r["label"]) for r in dicts(dataset, output_numpy=True)
        ]


def folders(**options):
    """Pictures in folders of classes."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("b", "a"):
            Path(folder, name).mkdir()
            VP.ToPIL()(IMAGE).save(str(Path(folder, name, "0.png")))
        dataset = ds.ImageFolderDataset(folder, shuffle=False, decode=True, **options)
        return dataset.num_classes(), [(r["image"].shape, int(r["label"])) for r in dicts(dataset, output_numpy=True)]


def csv(**options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.csv")
        path.write_text("1,2.5,a\n2,3.5,b\n", encoding="utf-8")
        found = dicts(ds.CSVDataset([str(path)], shuffle=False, **options), output_numpy=True)
        return [{k: repr(v.item()) for k, v in row.items()} for row in found]


SCHEMA = {
    "label": {"type": "int32"},
    "score": {"type": "float32"},
    "name": {"type": "string"},
    "mask": {"type": "int64", "shape": [-1]},
    "data": {"type": "bytes"},
}


def written(folder):
    path = str(Path(folder, "a.mindrecord"))
    writer = FileWriter(path, 1)
    writer.add_schema(SCHEMA, "made up")
    writer.add_index(["label"])
    masks = [np.arange(i + 1) for i in range(3)]
    content = [
        {"label": i, "score": i / 2, "name": f"n{i}", "mask": masks[i], "data": bytes([i] * (i + 1))} for i in range(3)
    ]
    writer.write_raw_data(content)
    writer.commit()
    return path


def plus_one(x):
    return np.array(x + 1, x.dtype)


def padded(path):
    """The second half of a padded file."""
    added = {"padded_sample": {"label": 9}, "num_padded": 1}
    return ds.MindDataset(path, columns_list=["label"], shuffle=False, num_shards=2, shard_id=1, **added)


def arrays(dataset):
    return dicts(dataset, output_numpy=True)


def records(action):
    with tempfile.TemporaryDirectory() as folder:
        return action(written(folder))


def read_back(path):
    reader = FileReader(path, 1)
    found = [
        {k: (v.tolist() if isinstance(v, np.ndarray) else repr(v)) for k, v in row.items()} for row in reader.get_next()
    ]
    reader.close()
    return found


def plain(row):
    return {
        name: (str(value.dtype), value.tolist() if value.dtype.kind != "S" else str(value))
        for name, value in row.items()
    }


def vocabulary(words=("a", "b", "c"), **options):
    return text.Vocab.from_list(list(words), **options)


CASES = [
    *each(
        """
        rows(numbers())
        rows(numbers().batch(4))
        rows(numbers().batch(4, True))
        rows(numbers().batch(4, drop_remainder=True).repeat(2))
        rows(numbers(3).repeat(2).batch(2))
        rows(numbers().skip(2).take(3))
        rows(numbers(3).concat(numbers(2)))
        rows(numbers(3) + numbers(2))
        rows(numbers().filter(lambda x: x % 2 == 0, input_columns=['x']))
        rows(numbers(3).map(lambda x: np.array(x * 2, x.dtype), input_columns=['x']))
        rows(numbers(3).map(operations=[lambda x: np.array(x * 2, x.dtype), plus_one], input_columns='x'))
        rows(numbers(3).map(lambda x: (x, np.array(x + 1, x.dtype)), ['x'], ['a', 'b'], ['b', 'a']))
        rows(pairs().map(lambda x, y: (x + y).astype(y.dtype), ['x', 'y'], ['z'], ['z']))
        rows(pairs().project(['y']))
        rows(pairs().rename(['x'], ['z']))
        rows(ds.zip((numbers(3), numbers(3).rename('x', 'z'))))
        rows(numbers(3).zip(numbers(2).rename('x', 'z')))
        rows(pairs().batch(2, per_batch_map=lambda a, b, info: (a, b), input_columns=['x', 'y']))
        rows(numbers(2).flat_map(lambda x: numbers(2)))
        rows(ds.GeneratorDataset(generated, ['a', 'b']))
        rows(ds.GeneratorDataset(Source(), ['a', 'b'], shuffle=False))
        rows(ds.GeneratorDataset(Source(), ['a', 'b'], shuffle=False, num_shards=2, shard_id=1))
        rows(ds.GeneratorDataset(Source(), ['a', 'b'], sampler=[3, 1]))
        rows(ds.GeneratorDataset(Source(), ['a', 'b'], sampler=ds.SequentialSampler(1, 2)))
        rows(ds.GeneratorDataset(Source(), ['a', 'b'], column_types=[ms.int32, ms.float64], shuffle=False))
        rows(ds.GeneratorDataset(Source(), ['a', 'b'], num_samples=2, shuffle=False))
        rows(ds.NumpySlicesDataset({'a': [1, 2], 'b': [3, 4]}, shuffle=False))
        rows(ds.NumpySlicesDataset([[1, 2], [3, 4]], shuffle=False))
        rows(ds.NumpySlicesDataset(([1, 2], [3.5, 4.5]), shuffle=False))
        rows(ds.NumpySlicesDataset([1.5, 2.5], ['a'], shuffle=False))
        rows(ds.NumpySlicesDataset(['a', 'b'], ['a'], shuffle=False))
        rows(numbers(num_shards=2, shard_id=1))
        rows(numbers(num_samples=2))
        sorted(int(r[0]) for r in rows(numbers().shuffle(6)))
        len(rows(numbers(sampler=ds.RandomSampler(num_samples=4))))
        rows(numbers(sampler=ds.SequentialSampler(2, 3)))
        sorted(int(r[0]) for r in rows(numbers(sampler=ds.SubsetRandomSampler([1, 4]))))
        rows(numbers(sampler=ds.DistributedSampler(2, 1, False)))
        rows(numbers(5, sampler=ds.DistributedSampler(2, 1, False)))
        [part.get_dataset_size() for part in numbers().split([4, 2], randomize=False)]
        [rows(part) for part in numbers().split([0.5, 0.5], randomize=False)]
        rows(pairs(3).batch(2, pad_info={'x': ([3], -1)}))
        rows(ragged().batch(3, pad_info={'a': ([4], 0)}))
        rows(ragged().batch(3, pad_info={}))
        rows(numbers(4).map(TC.TypeCast(ms.float16), 'x'))
        rows(ds.PaddedDataset([{'a': np.array([1])}, {'a': np.array([2])}]))
        facts(numbers())
        facts(numbers().batch(4))
        facts(numbers().batch(4, True).repeat(3))
        facts(pairs().batch(2))
        facts(numbers().take(4).skip(1))
        facts(ds.GeneratorDataset(Source(), ['a', 'b']))
        facts(ds.zip((numbers(3), numbers(2).rename('x', 'z'))))
        facts(numbers().filter(lambda x: x > 1, ['x']))
        numbers().get_col_names()
        pairs().batch(2).get_col_names()
        pairs().rename('x', 'z').get_col_names()
        kinds(numbers())
        kinds(numbers(), output_numpy=True)
        kinds(numbers(), num_epochs=1)
        [type(v).__name__ for v in next(numbers().create_tuple_iterator())]
        [type(v).__name__ for v in next(numbers().create_tuple_iterator(output_numpy=True))]
        [type(v).__name__ for v in next(iter(numbers()))]
        next(pairs().create_tuple_iterator(columns=['y']))
        str(next(numbers().create_dict_iterator())['x'].dtype)
        (lambda it: [it.get_next() for _ in range(8)])(numbers().create_dict_iterator())
        (lambda it: [it.get_next() for _ in range(8)])(numbers().create_tuple_iterator())
        [len(list(numbers().batch(2).create_dict_iterator(num_epochs=1))) for _ in range(2)]
        (lambda it: [len(list(it)), len(list(it))])(numbers().create_dict_iterator(num_epochs=2))
        sum(1 for _ in numbers().repeat(3).create_dict_iterator())
        ds.config.get_prefetch_size()
        ds.config.get_seed()
        ds.config.get_num_parallel_workers()
        ds.config.get_monitor_sampling_interval()
        digits()
        digits(num_samples=2)
        folders()
        folders(class_indexing={'a': 5, 'b': 2})
        csv(column_names=['a', 'b', 'c'])
        csv(column_names=['a', 'b', 'c'], column_defaults=[1, 2.0, ''])
        csv(column_names=['a', 'b', 'c'], num_samples=1)
    """
    ),
    *each(
        """
        mapped(VC.Resize((4, 5)))
        mapped(VC.Resize(4))
        mapped(VC.Resize((16, 20), Inter.NEAREST))
        mapped(VC.Resize((16, 20), interpolation=Inter.BICUBIC))
        mapped(VC.Rescale(1 / 255, 0.0))
        mapped(VC.Rescale(0.5, -1.0))
        mapped(VC.Normalize([100.0, 110.0, 120.0], [50.0, 60.0, 70.0]))
        mapped(VC.HWC2CHW())
        mapped([VC.Rescale(1 / 255, 0.0), VC.HWC2CHW()])
        mapped(VC.CenterCrop(4))
        mapped(VC.CenterCrop((4, 6)))
        mapped(VC.CenterCrop((12, 12)))
        mapped(VC.Pad(1))
        mapped(VC.Pad((1, 2)))
        mapped(VC.Pad((1, 2, 3, 4), 7))
        mapped(VC.Pad(2, padding_mode=Border.EDGE))
        mapped(VC.Pad(2, padding_mode=Border.REFLECT))
        mapped(VC.Pad(2, padding_mode=Border.SYMMETRIC))
        mapped(VC.RandomHorizontalFlip(1.0))
        mapped(VC.RandomHorizontalFlip(0.0))
        mapped(VC.RandomVerticalFlip(1.0))
        mapped(VC.Invert())
        mapped(VC.Equalize())
        mapped(VC.AutoContrast())
        mapped(VC.AutoContrast(10.0))
        mapped(VC.RandomColor((1.0, 1.0)))
        mapped(VC.RandomSharpness((1.0, 1.0)))
        mapped(VC.RandomPosterize((4, 4)))
        mapped(VC.RandomSolarize((10, 200)))
        mapped(VC.RandomRotation((90, 90)))
        mapped(VC.RandomRotation((90, 90), expand=True))
        mapped(VC.RandomColorAdjust((1.0, 1.0)))
        mapped(VC.RandomCrop((8, 10)))
        mapped(TC.TypeCast(ms.float32))
        mapped(TC.TypeCast(ms.int64), np.array([1.7, 2.2]))
        mapped(TC.OneHot(4), np.array(2))
        mapped(TC.OneHot(4), np.array([0, 3]))
        mapped(TC.Fill(3), np.array([1, 2]))
        mapped(TC.PadEnd([4], 9), np.array([1, 2]))
        mapped(TC.Mask(TC.Relational.GT, 1), np.array([1, 2]))
        mapped(TC.Slice(slice(1, 3)), np.arange(5))
        mapped(TC.Slice([0, 2]), np.arange(5))
        mapped(TC.Slice(1), np.arange(5))
        mapped(TC.Concatenate(0, np.array([9]), np.array([8])), np.array([1, 2]))
        mapped(TC.Duplicate(), np.array([1, 2]), output_columns=['a', 'b'], column_order=['a', 'b'])
        mapped(TC.Compose([TC.TypeCast(ms.float32), TC.TypeCast(ms.int32)]), np.array([1.5]))
        mapped(TC.RandomApply([TC.TypeCast(ms.float32)], 1.0), np.array([1]))
        mapped(TC.RandomChoice([TC.TypeCast(ms.float32)]), np.array([1]))
        shape_of(VC.RandomCrop(4))
        shape_of(VC.RandomCrop((4, 4), (2, 2, 2, 2)))
        shape_of(VC.RandomCrop(12, pad_if_needed=True))
        shape_of(VC.RandomResizedCrop(5))
        shape_of(VC.RandomResizedCrop((5, 6), (0.5, 1.0)))
        shape_of(VC.RandomResize(6))
        shape_of(VC.RandomRotation(30))
        shape_of(VC.RandomColorAdjust(0.5, 0.5, 0.5, 0.1))
        shape_of(VC.RandomAffine(15))
        shape_of(VC.CutOut(2, 2))
        shape_of(VC.UniformAugment([VC.RandomHorizontalFlip(), VC.RandomVerticalFlip()]))
        shape_of(VC.RandomSelectSubpolicy([[(VC.RandomRotation(45), 0.5)]]))
        shape_of([VC.Resize((6, 6)), VC.RandomCrop(4), VC.Normalize([1.0] * 3, [2.0] * 3), VC.HWC2CHW()])
        mixed().shape
        pythonic(VP.ToTensor())
        pythonic(VP.ToTensor(np.float64))
        pythonic(VP.ToTensor(), VP.Normalize((0.5, 0.5, 0.5), (0.2, 0.3, 0.4)))
        pythonic(VP.Resize((4, 5)))
        pythonic(VP.Resize(4, Inter.NEAREST))
        pythonic(VP.CenterCrop(4))
        pythonic(VP.Grayscale())
        pythonic(VP.Grayscale(3))
        pythonic(VP.Pad(1))
        pythonic(VP.Pad((1, 2), 5))
        pythonic(VP.Pad(2, padding_mode=Border.REFLECT))
        pythonic(VP.RandomHorizontalFlip(1.0))
        pythonic(VP.RandomVerticalFlip(1.0))
        pythonic(VP.FiveCrop(4), lambda crops: np.stack([np.asarray(c) for c in crops]))
        pythonic(VP.TenCrop(4), lambda crops: np.stack([np.asarray(c) for c in crops]))
        pythonic(VP.Invert())
        pythonic(VP.Equalize())
        pythonic(VP.AutoContrast())
        pythonic(VP.RandomColor((1.0, 1.0)))
        pythonic(VP.RandomSharpness((1.0, 1.0)))
        pythonic(VP.RandomRotation((90, 90)))
        pythonic(VP.RandomGrayscale(1.0))
        pythonic(VP.ToTensor(), VP.RgbToHsv())
        pythonic(VP.ToTensor(), VP.RgbToHsv(), VP.HsvToRgb())
        pythonic(VP.ToTensor(), VP.Cutout(2)).shape
        pythonic(VP.ToTensor(), VP.RandomErasing(1.0)).shape
        pythonic(VP.RandomCrop(4)).shape
        pythonic(VP.RandomResizedCrop(5)).shape
        pythonic(VP.RandomColorAdjust(0.5)).shape
        pythonic(VP.RandomPerspective(0.3, 1.0)).shape
        pythonic(VP.RandomAffine(15)).shape
        pythonic(VP.UniformAugment([VP.RandomHorizontalFlip(0.0)], 1))
        pythonic(VP.ToTensor(), VP.ToType(np.float16))
        pythonic(VP.ToTensor(), VP.LinearTransformation(np.eye(240), np.zeros(240)))
        pythonic(TP.RandomOrder([VP.RandomHorizontalFlip(1.0)]))
        pythonic(TP.RandomApply([VP.RandomHorizontalFlip(1.0)], 1.0))
        pythonic(TP.RandomChoice([VP.RandomHorizontalFlip(1.0)]))
        VP.ToPIL()(IMAGE).size
        np.asarray(VP.HWC2CHW()(IMAGE))
        TP.OneHotOp(4)(np.array(2))
        TP.OneHotOp(4, 0.1)(np.array(2))
        TP.OneHotOp(num_classes=3)(np.array([1]))
        VC.Resize((4, 5))(IMAGE).shape
        VC.HWC2CHW()(IMAGE).shape
    """,
        tolerance=1e-4,
    ),
    *each(
        """
        lines('a b\\nc d\\n')
        lines('Hello World\\n', text.WhitespaceTokenizer())
        lines('Hello, World!\\n', text.BasicTokenizer(True))
        lines('Hello, World!\\n', text.BasicTokenizer())
        lines('Hello\\n', text.CaseFold())
        lines('abc\\n', text.UnicodeCharTokenizer())
        lines('Hello world, 42\\n', text.UnicodeScriptTokenizer())
        lines('a1b2\\n', text.RegexReplace('[0-9]', '-'))
        lines('a1b2\\n', text.RegexTokenizer('[0-9]'))
        lines('a1b2\\n', text.RegexTokenizer('[0-9]', '[0-9]'))
        lines('ａｂ\\n', text.NormalizeUTF8())
        lines('a b\\n', text.PythonTokenizer(lambda s: s.split()))
        lines('a b c\\n', [text.WhitespaceTokenizer(), text.Lookup(vocabulary())])
        lines('a x\\n', [text.WhitespaceTokenizer(), text.Lookup(vocabulary(special_tokens=['<unk>']), '<unk>')])
        lines('a b c d\\n', [text.WhitespaceTokenizer(), text.Ngram(2)])
        lines('a b c\\n', [text.WhitespaceTokenizer(), text.Ngram([1, 2], separator='-')])
        lines('a b c d\\n', [text.WhitespaceTokenizer(), text.SlidingWindow(2)])
        lines('1 2\\n', [text.WhitespaceTokenizer(), text.ToNumber(ms.int32)])
        lines('1.5 2\\n', [text.WhitespaceTokenizer(), text.ToNumber(ms.float32)])
        lines('abc\\n', text.WordpieceTokenizer(vocabulary(['a', '##b', '##c'])))
        lines('a b abc\\n', text.BertTokenizer(vocabulary(['a', '##b', '##c', 'b'])))
        vocabulary().lookup('a') if hasattr(vocabulary(), 'lookup') else 0
        text.to_str(np.array([b'a', b'b']))
        text.to_bytes(np.array(['a', 'b']))
    """
    ),
    *each(
        """
        records(read_back)
        records(lambda p: [plain(r) for r in dicts(ds.MindDataset(p, shuffle=False), output_numpy=True)])
        records(lambda p: [plain(r) for r in arrays(ds.MindDataset(p, ['label', 'mask'], shuffle=False))])
        records(lambda p: facts(ds.MindDataset(p, columns_list=['label'], shuffle=False)))
        records(lambda p: len(dicts(ds.MindDataset(p, columns_list=['label'], num_shards=2, shard_id=0))))
        records(lambda p: kinds(ds.MindDataset(p, shuffle=False)))
        records(lambda p: [int(r['label']) for r in arrays(padded(p))])
        records(lambda p: sorted(path.name for path in Path(p).parent.iterdir()))
        records(lambda p: ds.MindDataset(p).get_dataset_size())
    """
    ),
]
