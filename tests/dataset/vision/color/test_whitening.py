from transform_tests import RecordedTests, RefusalTests

from msbridge.dataset.vision.color import whitening


class TestWhitening(RecordedTests, RefusalTests):
    module = whitening
