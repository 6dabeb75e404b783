from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision.geometry import multi_crop


class TestSeveral(RecordedTests, RefusalTests):
    module = multi_crop
