"""MindRecord files: rows of named fields in pages, with an SQLite index next to each.

Follows: mindspore.mindrecord (2.10).
"""

from msbridge.dataset.mindrecord.cifar_to_mr import *
from msbridge.dataset.mindrecord.csv_to_mr import *
from msbridge.dataset.mindrecord.encryption import *
from msbridge.dataset.mindrecord.errors import *
from msbridge.dataset.mindrecord.file_reader import *
from msbridge.dataset.mindrecord.file_writer import *
from msbridge.dataset.mindrecord.imagenet_to_mr import *
from msbridge.dataset.mindrecord.mind_page import *
from msbridge.dataset.mindrecord.mnist_to_mr import *
from msbridge.dataset.mindrecord.tfrecord_to_mr import *
