from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision import pad


class TestPad(RecordedTests, RefusalTests):
    module = pad
