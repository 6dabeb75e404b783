from msbridge.dataset.vision.color import hsv
from tests.dataset.transform_tests import RecordedTests, RefusalTests


class TestHsv(RecordedTests, RefusalTests):
    module = hsv
    rounding = 1e-6
