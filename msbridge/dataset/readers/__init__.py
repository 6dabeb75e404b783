"""Readers: where rows come from."""

from msbridge.dataset.readers.cifar import Cifar10Dataset, Cifar100Dataset
from msbridge.dataset.readers.generator import GeneratorDataset
from msbridge.dataset.readers.image_folder import ImageFolderDataset
from msbridge.dataset.readers.mindrecord import MindDataset
from msbridge.dataset.readers.mnist import FashionMnistDataset, KMnistDataset, MnistDataset
from msbridge.dataset.readers.numpy_slices import NumpySlicesDataset

__all__ = [
    "Cifar10Dataset",
    "Cifar100Dataset",
    "FashionMnistDataset",
    "GeneratorDataset",
    "ImageFolderDataset",
    "KMnistDataset",
    "MindDataset",
    "MnistDataset",
    "NumpySlicesDataset",
]
