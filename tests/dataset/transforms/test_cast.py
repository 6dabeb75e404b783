from msbridge.dataset.transforms import cast
from tests.dataset.transform_tests import RecordedTests, RefusalTests


class TestCast(RecordedTests, RefusalTests):
    module = cast
