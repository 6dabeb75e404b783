from msbridge.dataset.vision.geometry import perspective
from tests.dataset.transform_tests import RecordedTests, RefusalTests


class TestPerspective(RecordedTests, RefusalTests):
    module = perspective
    rounding = 1e-5
