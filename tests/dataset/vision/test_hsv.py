from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision import hsv


class TestHsv(RecordedTests, RefusalTests):
    module = hsv
    rounding = 1e-6
