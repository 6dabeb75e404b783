"""Data pipelines: readers, operations on rows, transforms, iterators.

Follows: mindspore.dataset (2.10).
"""

from msbridge.dataset import config, text, transforms, vision
from msbridge.dataset.callback import *
from msbridge.dataset.config import get_num_parallel_workers, get_seed, set_seed
from msbridge.dataset.engine.dataset import *
from msbridge.dataset.engine.iterators import *
from msbridge.dataset.engine.operator_datasets import *
from msbridge.dataset.engine.operators.batch import *
from msbridge.dataset.engine.samplers import *
from msbridge.dataset.graph.graph import *
from msbridge.dataset.graph.graph_data import *
from msbridge.dataset.graph.in_memory import *
from msbridge.dataset.readers.indexed.cifar import *
from msbridge.dataset.readers.indexed.image_folder import *
from msbridge.dataset.readers.indexed.mindrecord import *
from msbridge.dataset.readers.indexed.mnist import *
from msbridge.dataset.readers.indexed.numpy_slices import *
from msbridge.dataset.readers.source import *
from msbridge.dataset.readers.streamed.generator import *
