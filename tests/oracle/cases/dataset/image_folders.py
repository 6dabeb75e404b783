"""Folders of images and of MNIST files, odd or damaged."""

# ruff: noqa: E501, F401, E741

import gzip
import struct

import mindspore.dataset as ds
import numpy as np

from tests.dataset import image_layouts as layouts
from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context, rows, write

P = layouts.png(1)
I, L = layouts.idx(2, 0)


def R(data):
    return [data.get_col_names(), data.get_dataset_size(), rows(data)]


def folder(files, reader="ImageFolderDataset", **options):
    for name, data in files.items():
        write(name, data)
    return R(getattr(ds, reader)(".", **{"shuffle": False, **options}))


def mn(files, usage="train", reader="MnistDataset", **options):
    for name, data in files.items():
        write(name, data)
    return R(getattr(ds, reader)(".", usage, **{"shuffle": False, **options}))


CASES = each(
    r"""
folder({"a/1.png": P, "b/2.png": P})
folder({"a/1.PNG": P, "b/2.JPG": P, "b/3.jpeg": P, "b/4.bmp": P, "b/5.gif": P, "b/6.webp": P, "b/7.tif": P})
folder({"a/1.png": P, "a/.hidden.png": P, ".h/2.png": P})
folder({"a/1.png": P, "empty/x.txt": b""})
folder({"a/1.png": P, "b/sub/2.png": P})
folder({"a/b/c/1.png": P, "a/2.png": P, "z/3.png": P})
folder({"1.png": P})
folder({"1.png": P, "a/2.png": P})
folder({"a/1.png": P, "a/Thumbs.db": b"x", "a/.DS_Store": b"x", "__MACOSX/a/._1.png": b"x"})
folder({"a/1.png": P, "__MACOSX/._1.png": P})
folder({"10/1.png": P, "9/1.png": P, "2/1.png": P})
folder({"B/1.png": P, "a/1.png": P, "_c/1.png": P})
folder({"a/10.png": P, "a/9.png": layouts.png(2), "a/1.png": layouts.png(3)})
folder({"é/1.png": P, "ü b/ü 2.png": P})
folder({"a/1.png": P, "b/2.png": P}, class_indexing={"c": 2})
folder({"a/1.png": P, "b/2.png": P}, class_indexing={"a": "x"})
folder({"a/1.png": P, "b/2.png": P}, class_indexing={"a": 1, "b": 1})
folder({"a/1.png": P, "b/2.png": P}, class_indexing={1: 1})
folder({"a/1.txt": P, "b/2.png": P}, extensions=[".txt"])
folder({"a/1.TXT": P, "b/2.png": P}, extensions=[".txt"])
folder({"a/1.png": P, "b/2.png": P}, extensions=[])
folder({"a/1.png": P, "b/2.png": P}, extensions=(".png",))
folder({"a/1.png": P, "b/2.jpg": P}, extensions=[".PNG"])
folder({"a/1.tar.png": P, "b/2": P})
folder({"a/1.png": b"", "b/2.png": P})
folder({"a/1.png": b"", "b/2.png": P}, decode=True)
folder({"a/1.png": b"abc", "b/2.png": P}, decode=True)
folder({"a/1.png": P[:-20], "b/2.png": P}, decode=True)
folder({"a/1.png": P + b"xx", "b/2.png": P}, decode=True)
folder({"a/1.jpg": P}, decode=True)
folder({"a/1.png": P}, recursive=True)
folder({"a/x": b""})
folder({})
folder({"a/1.png": P, "b/2.png": P}, num_samples=1)
folder({"a/1.png": P, "b/2.png": P}, num_samples=0)
folder({"a/1.png": P, "b/2.png": P}, num_samples=-1)
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, num_shards=2, shard_id=1)
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=ds.PKSampler(1))
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=ds.SubsetSampler([2]))
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=ds.SubsetSampler([3]))
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=[2, 0])
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=2)
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": L})
mn({"train-images.idx3-ubyte": I, "train-labels.idx1-ubyte": L})
mn({"train-images-idx3-ubyte.gz": gzip.compress(I), "train-labels-idx1-ubyte.gz": gzip.compress(L)})
mn({"MNIST/raw/train-images-idx3-ubyte": I, "MNIST/raw/train-labels-idx1-ubyte": L})
mn({"train/train-images-idx3-ubyte": I, "train/train-labels-idx1-ubyte": L})
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": L}, "test")
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": L}, "all")
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": L}, None)
mn({"t10k-images-idx3-ubyte": I, "t10k-labels-idx1-ubyte": L}, "test")
mn({"test-images-idx3-ubyte": I, "test-labels-idx1-ubyte": L}, "test")
mn({"Train-Images-idx3-ubyte": I, "Train-Labels-idx1-ubyte": L})
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": L + b"x"})
mn({"train-images-idx3-ubyte": I + b"x", "train-labels-idx1-ubyte": L})
mn({"train-images-idx3-ubyte": I[:-1], "train-labels-idx1-ubyte": L})
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": L[:-1]})
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": layouts.idx(3, 0)[1]})
mn({"train-images-idx3-ubyte": I})
mn({"train-labels-idx1-ubyte": L})
mn({"train-images-idx3-ubyte": L, "train-labels-idx1-ubyte": I})
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": b""})
mn({"train-images-idx3-ubyte": b"", "train-labels-idx1-ubyte": L})
mn({"train-images-idx3-ubyte": struct.pack(">4I", 2051, 0, 28, 28), "train-labels-idx1-ubyte": struct.pack(">2I", 2049, 0)})
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": L}, "train", "FashionMnistDataset")
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": L}, "train", "KMnistDataset")
mn({"a-train-images-idx3-ubyte": I, "a-train-labels-idx1-ubyte": L})
mn({"train-images-idx3-ubyte (1)": I, "train-labels-idx1-ubyte (1)": L})
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": L, ".train-labels-idx1-ubyte": b"x"})
mn({"train-images-idx3-ubyte": I, "train-labels-idx1-ubyte": L}, "valid")
folder({"a/1.png": P, "a/.ipynb_checkpoints/1.png": P})
folder({"a/1.png": P, "a/sub/1.png": P}, extensions=[".png"])
folder({"a/1.png": P, "a/sub.png/1.txt": P}, extensions=[".png"])
folder({"a/1.png": P, "b/sub/x/1.png": P}, decode=True)
folder({"a/1.png": P, "b/.x": b""})
folder({"a/1.png": P, ".git/x": b""})
folder({"a/1.png": P}, class_indexing={"a": 2**70})
folder({"a/1.png": P}, class_indexing={"a": -2**31})
folder({"a/1.png": P}, class_indexing={"a": 2**31})
folder({"a/1.png": P}, class_indexing={"a": True})
folder({"a/1.png": P}, class_indexing={"a": 1.5})
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=0)
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=-1)
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=7)
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=True)
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=1.5)
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler="a")
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=(1, 0))
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=np.array([1, 0]))
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=range(2))
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler={0, 2})
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=[])
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=[1, "a"])
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=[[1], [2]])
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=[1.5])
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=np.array([1.5]))
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=[np.int64(1), np.int32(2)])
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=[True, False])
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler={"a": 1})
folder({"a/1.png": P, "b/2.png": P, "b/3.png": P}, shuffle=None, sampler=ds.SequentialSampler)
""",
    may_raise=True,
)
