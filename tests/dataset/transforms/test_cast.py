from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.transforms import cast


class TestCast(RecordedTests, RefusalTests):
    module = cast
