from msbridge.dataset.vision.geometry import pad
from tests.dataset.transform_tests import RecordedTests, RefusalTests


class TestPad(RecordedTests, RefusalTests):
    module = pad
