"""MindRecord files: rows of named fields in pages, with an SQLite index beside.

Follows: mindspore.mindrecord (2.10).
"""

from msbridge.dataset.mindrecord.cifar_to_mr import Cifar10ToMR, Cifar100ToMR
from msbridge.dataset.mindrecord.csv_to_mr import CsvToMR
from msbridge.dataset.mindrecord.errors import FAILED, SUCCESS
from msbridge.dataset.mindrecord.file_reader import FileReader
from msbridge.dataset.mindrecord.file_writer import FileWriter
from msbridge.dataset.mindrecord.imagenet_to_mr import ImageNetToMR
from msbridge.dataset.mindrecord.mind_page import MindPage
from msbridge.dataset.mindrecord.mnist_to_mr import MnistToMR

__all__ = [
    "FAILED",
    "SUCCESS",
    "Cifar10ToMR",
    "Cifar100ToMR",
    "CsvToMR",
    "FileReader",
    "FileWriter",
    "ImageNetToMR",
    "MindPage",
    "MnistToMR",
]
