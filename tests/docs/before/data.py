import msbridge

msbridge.install()

import io

import numpy as np
from mindspore import dataset as ds
from mindspore.dataset import vision
from PIL import Image


def encoded():
    file = io.BytesIO()
    Image.fromarray(np.zeros((4, 4, 3), np.uint8)).save(file, "png")
    return np.frombuffer(file.getvalue(), np.uint8)


class Source:
    def __len__(self):
        return 32

    def __getitem__(self, index):
        return encoded(), np.int32(index)


def augment(image):
    return image[::-1]
