from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision import perspective


class TestPerspective(RecordedTests, RefusalTests):
    module = perspective
    rounding = 1e-5
