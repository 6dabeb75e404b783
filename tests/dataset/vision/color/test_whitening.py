from msbridge.dataset.vision.color import whitening
from tests.dataset.transform_tests import RecordedTests, RefusalTests


class TestWhitening(RecordedTests, RefusalTests):
    module = whitening
