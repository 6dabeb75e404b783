from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision.geometry import pad


class TestPad(RecordedTests, RefusalTests):
    module = pad
