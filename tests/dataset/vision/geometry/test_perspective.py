from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision.geometry import perspective


class TestPerspective(RecordedTests, RefusalTests):
    module = perspective
    rounding = 1e-5
