"""The loader of Python data sets that is called as torch's: samples by index or in sequence, in batches.

Follows: mindspore.dataset.dataloader (2.10).
"""

from msbridge.dataset.dataloader.collate import *
from msbridge.dataset.dataloader.dataloader import *
from msbridge.dataset.dataloader.dataset import *
from msbridge.dataset.dataloader.distributed import *
from msbridge.dataset.dataloader.sampler import *
from msbridge.dataset.dataloader.worker import *
