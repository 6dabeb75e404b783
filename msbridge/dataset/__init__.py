"""Data pipelines: readers, operations on rows, transforms, iterators.

Follows: mindspore.dataset (2.10).
"""

from msbridge.core.releases import overrides
from msbridge.core.runtime.lazy_names import lazy_names
from msbridge.core.tensor import argument_checks
from msbridge.dataset import config, transforms, vision
from msbridge.dataset.callback import *
from msbridge.dataset.config import get_num_parallel_workers, get_seed, set_seed
from msbridge.dataset.engine.cache import *
from msbridge.dataset.engine.dataset import *
from msbridge.dataset.engine.iterators import *
from msbridge.dataset.engine.operator_datasets import *
from msbridge.dataset.engine.operators.batch import *
from msbridge.dataset.engine.sampling.samplers import *
from msbridge.dataset.engine.sampling.user_samplers import *
from msbridge.dataset.readers.indexed.audio.audio_files import *
from msbridge.dataset.readers.indexed.audio.speech_corpora import *
from msbridge.dataset.readers.indexed.classification.caltech101 import *
from msbridge.dataset.readers.indexed.classification.caltech256 import *
from msbridge.dataset.readers.indexed.classification.celeba import *
from msbridge.dataset.readers.indexed.classification.cifar import *
from msbridge.dataset.readers.indexed.classification.fake_image import *
from msbridge.dataset.readers.indexed.classification.flowers102 import *
from msbridge.dataset.readers.indexed.classification.food101 import *
from msbridge.dataset.readers.indexed.classification.image_folder import *
from msbridge.dataset.readers.indexed.classification.lsun import *
from msbridge.dataset.readers.indexed.classification.manifest import *
from msbridge.dataset.readers.indexed.classification.mnist import *
from msbridge.dataset.readers.indexed.classification.omniglot import *
from msbridge.dataset.readers.indexed.classification.places365 import *
from msbridge.dataset.readers.indexed.classification.qmnist import *
from msbridge.dataset.readers.indexed.classification.rendered_sst2 import *
from msbridge.dataset.readers.indexed.classification.semeion import *
from msbridge.dataset.readers.indexed.classification.stl10 import *
from msbridge.dataset.readers.indexed.classification.sun397 import *
from msbridge.dataset.readers.indexed.classification.svhn import *
from msbridge.dataset.readers.indexed.detection.cityscapes import *
from msbridge.dataset.readers.indexed.detection.coco import *
from msbridge.dataset.readers.indexed.detection.kitti import *
from msbridge.dataset.readers.indexed.detection.sbd import *
from msbridge.dataset.readers.indexed.detection.voc import *
from msbridge.dataset.readers.indexed.detection.wider_face import *
from msbridge.dataset.readers.indexed.generic.mindrecord import *
from msbridge.dataset.readers.indexed.generic.numpy_slices import *
from msbridge.dataset.readers.indexed.generic.random_rows import *
from msbridge.dataset.readers.indexed.pairs.div2k import *
from msbridge.dataset.readers.indexed.pairs.flickr import *
from msbridge.dataset.readers.indexed.pairs.lfw import *
from msbridge.dataset.readers.indexed.pairs.photo_tour import *
from msbridge.dataset.readers.indexed.pairs.sbu import *
from msbridge.dataset.readers.indexed.text.imdb import *
from msbridge.dataset.readers.source import *
from msbridge.dataset.readers.streamed.conll import *
from msbridge.dataset.readers.streamed.csv_files import *
from msbridge.dataset.readers.streamed.generator import *
from msbridge.dataset.readers.streamed.json_files import *
from msbridge.dataset.readers.streamed.lines import *
from msbridge.dataset.readers.streamed.padded import *
from msbridge.dataset.readers.streamed.schema import *
from msbridge.dataset.readers.streamed.tfrecord import *
from msbridge.dataset.readers.streamed.translations import *
from msbridge.dataset.readers.streamed.usps import *
from msbridge.dataset.serializing import *

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "msbridge.contrib.graph_datasets.graph": "Graph",
        "msbridge.contrib.graph_datasets.graph_data": "GraphData OutputFormat SamplingStrategy",
        "msbridge.contrib.graph_datasets.in_memory": "InMemoryGraphDataset",
    },
    modules="audio dataloader text",
)


overrides.follow("dataset", argument_checks.checking)
