from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision import decode


class TestDecode(RecordedTests, RefusalTests):
    module = decode
