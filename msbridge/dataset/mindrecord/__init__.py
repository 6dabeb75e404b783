"""MindRecord files: rows of named fields in pages, with an SQLite index next to each.

Follows: mindspore.mindrecord (2.10).
"""

from msbridge.dataset.mindrecord.convert.cifar_to_mr import *
from msbridge.dataset.mindrecord.convert.csv_to_mr import *
from msbridge.dataset.mindrecord.convert.imagenet_to_mr import *
from msbridge.dataset.mindrecord.convert.mnist_to_mr import *
from msbridge.dataset.mindrecord.convert.tfrecord_to_mr import *
from msbridge.dataset.mindrecord.errors import *
from msbridge.dataset.mindrecord.format.encryption import *
from msbridge.dataset.mindrecord.reading.file_reader import *
from msbridge.dataset.mindrecord.reading.mind_page import *
from msbridge.dataset.mindrecord.writing.file_writer import *
