from transform_tests import RandomTests, RefusalTests

from msbridge.dataset.vision.augmentation import cutout


class TestCutout(RandomTests, RefusalTests):
    module = cutout
