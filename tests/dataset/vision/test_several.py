from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision import several


class TestSeveral(RecordedTests, RefusalTests):
    module = several
