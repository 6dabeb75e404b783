from msbridge.dataset.vision.color import adjust
from tests.dataset.transform_tests import RandomTests, RecordedTests, RefusalTests


class TestColor(RandomTests, RecordedTests, RefusalTests):
    module = adjust
    rounding = 1e-5
