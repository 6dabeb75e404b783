from msbridge.dataset.vision.augmentation import cutout
from tests.dataset.transform_tests import RandomTests, RefusalTests


class TestCutout(RandomTests, RefusalTests):
    module = cutout
