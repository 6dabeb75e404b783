from msbridge.dataset.transforms import arrays
from tests.dataset.transform_tests import RecordedTests, RefusalTests


class TestArrays(RecordedTests, RefusalTests):
    module = arrays
