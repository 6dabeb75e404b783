from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.transforms import arrays


class TestArrays(RecordedTests, RefusalTests):
    module = arrays
