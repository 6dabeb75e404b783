from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision import numeric


class TestNumeric(RecordedTests, RefusalTests):
    module = numeric
