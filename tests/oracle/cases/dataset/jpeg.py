"""JPEG files of many kinds."""

from mindspore.dataset import vision  # noqa: F401

from tests.dataset.images import KINDS, file  # noqa: F401
from tests.oracle.case import Case

NEEDS = "simplejpeg"  # OpenCV alone decodes two of them otherwise
EXACT = True
CASES = [Case(f"vision.Decode()(file('{kind}.jpg'))") for kind in KINDS]
