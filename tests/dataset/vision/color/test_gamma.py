from transform_tests import RandomTests, RecordedTests, RefusalTests

from msbridge.dataset.vision.color import gamma


class TestGamma(RandomTests, RecordedTests, RefusalTests):
    module = gamma
    rounding = 1e-5
