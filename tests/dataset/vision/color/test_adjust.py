from transform_tests import RandomTests, RecordedTests, RefusalTests

from msbridge.dataset.vision.color import adjust


class TestColor(RandomTests, RecordedTests, RefusalTests):
    module = adjust
    rounding = 1e-5
