from transform_tests import RandomTests, RecordedTests, RefusalTests

from msbridge.dataset.vision.geometry import affine


class TestAffine(RandomTests, RecordedTests, RefusalTests):
    module = affine
    rounding = 1e-5
