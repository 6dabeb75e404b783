from msbridge.dataset.vision.color import pixel_values
from tests.dataset.transform_tests import RecordedTests, RefusalTests


class TestNumeric(RecordedTests, RefusalTests):
    module = pixel_values
