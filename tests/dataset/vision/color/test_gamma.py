from msbridge.dataset.vision.color import gamma
from tests.dataset.transform_tests import RandomTests, RecordedTests, RefusalTests


class TestGamma(RandomTests, RecordedTests, RefusalTests):
    module = gamma
    rounding = 1e-5
