from transform_tests import RandomTests, RecordedTests, RefusalTests

from msbridge.dataset.vision import color


class TestColor(RandomTests, RecordedTests, RefusalTests):
    module = color
    rounding = 1e-5
