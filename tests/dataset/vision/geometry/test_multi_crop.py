from msbridge.dataset.vision.geometry import multi_crop
from tests.dataset.transform_tests import RecordedTests, RefusalTests


class TestSeveral(RecordedTests, RefusalTests):
    module = multi_crop
