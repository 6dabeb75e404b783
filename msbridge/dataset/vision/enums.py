"""Choices that vision transforms take."""

from enum import Enum, IntEnum

__all__ = [
    "AutoAugmentPolicy",
    "Border",
    "ConvertMode",
    "ImageBatchFormat",
    "ImageReadMode",
    "Inter",
    "SliceMode",
]


class Inter(IntEnum):
    """Interpolation.

    Follows: mindspore.dataset.vision.Inter (2.10).
    """

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = LINEAR = 2
    BICUBIC = CUBIC = 3
    AREA = 4
    PILCUBIC = 5


class AutoAugmentPolicy(str, Enum):  # noqa: UP042 - str() names the member, as in MindSpore
    """The data set for which `AutoAugment`'s policies were found.

    Follows: mindspore.dataset.vision.AutoAugmentPolicy (2.10).
    """

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"


class Border(str, Enum):  # noqa: UP042 - str() names the member, as in MindSpore
    """The modes of filling the border of a padded image.

    Follows: mindspore.dataset.vision.Border (2.10).
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class ImageBatchFormat(IntEnum):
    """The order of a batch's axes.

    Follows: mindspore.dataset.vision.ImageBatchFormat (2.10).
    """

    NHWC = 0
    NCHW = 1


class ImageReadMode(IntEnum):
    """The channels that a file is read into.

    Follows: mindspore.dataset.vision.ImageReadMode (2.10).
    """

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


class ConvertMode(IntEnum):
    """Conversions between colour spaces.

    Follows: mindspore.dataset.vision.ConvertMode (2.10).
    """

    COLOR_BGR2BGRA = 0
    COLOR_RGB2RGBA = 0
    COLOR_BGRA2BGR = 1
    COLOR_RGBA2RGB = 1
    COLOR_BGR2RGBA = 2
    COLOR_RGB2BGRA = 2
    COLOR_RGBA2BGR = 3
    COLOR_BGRA2RGB = 3
    COLOR_BGR2RGB = 4
    COLOR_RGB2BGR = 4
    COLOR_BGRA2RGBA = 5
    COLOR_RGBA2BGRA = 5
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = 8
    COLOR_GRAY2RGB = 8
    COLOR_GRAY2BGRA = 9
    COLOR_GRAY2RGBA = 9
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11


class SliceMode(IntEnum):
    """The modes in which `SlicePatches` treats sides that do not divide.

    Follows: mindspore.dataset.vision.SliceMode (2.10).
    """

    PAD = 0
    DROP = 1
