from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision.color import hsv


class TestHsv(RecordedTests, RefusalTests):
    module = hsv
    rounding = 1e-6
