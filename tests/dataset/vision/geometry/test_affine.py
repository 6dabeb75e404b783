from msbridge.dataset.vision.geometry import affine
from tests.dataset.transform_tests import RandomTests, RecordedTests, RefusalTests


class TestAffine(RandomTests, RecordedTests, RefusalTests):
    module = affine
    rounding = 1e-5
