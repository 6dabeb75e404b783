from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision.color import pixel_values


class TestNumeric(RecordedTests, RefusalTests):
    module = pixel_values
